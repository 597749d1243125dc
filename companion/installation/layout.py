"""Where an installation keeps what: programs in one place, which only root may write, and games in another.

/opt/el-grande/versions/0.2.0/    a virtual environment for each version
/opt/el-grande/current            a link to the version that runs; an update changes it with one rename
/opt/el-grande/previous           a link to the version that `companion rollback` goes back to
/opt/el-grande/updater            a link to the version that judges the one on trial, also after a power cut
/opt/el-grande/install.sh         the script that installed it, to remove it again
/var/lib/el-grande/               games, tags and the board file, which belong to the table's own user
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

PROGRAMS: Final = Path("/opt/el-grande")
VERSIONS: Final = PROGRAMS / "versions"
CURRENT: Final = PROGRAMS / "current"
UPDATER: Final = PROGRAMS / "updater"
DATA: Final = Path("/var/lib/el-grande")
USER: Final = "el-grande"
"""The user that the table runs as."""


def installed_program(environment: Path) -> Path:
    """Returns the program to start for an environment. That of an installed version is reached by its link.

    >>> str(installed_program(Path("/opt/el-grande/versions/0.2.0")))
    '/opt/el-grande/current/bin/companion'
    >>> str(installed_program(Path("/home/ann/el-grande/.venv")))
    '/home/ann/el-grande/.venv/bin/companion'
    """
    home = CURRENT if environment.is_relative_to(VERSIONS) else environment
    return home / "bin" / "companion"

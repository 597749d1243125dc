"""Installing the table on a machine: its service, the files it needs, and the settings of the Raspberry Pi.

`install.sh` puts the program in its place; `companion install-service` does the rest with what is here.
"""

from companion.installation.boot_config import with_board, without_board
from companion.installation.host import Host, HostProgramFailed
from companion.installation.layout import CURRENT, DATA, PROGRAMS, USER, VERSIONS, installed_program
from companion.installation.system_files import SystemFile, is_ours, marked, settings

__all__ = (
    "CURRENT",
    "DATA",
    "PROGRAMS",
    "USER",
    "VERSIONS",
    "Host",
    "HostProgramFailed",
    "SystemFile",
    "installed_program",
    "is_ours",
    "marked",
    "settings",
    "with_board",
    "without_board",
)

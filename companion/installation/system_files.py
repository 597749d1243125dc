"""The files that an installation writes outside its own folders, each with a mark that shows changes by hand."""

from __future__ import annotations

import hashlib
import sysconfig
from enum import Enum
from pathlib import Path
from typing import Final

import companion
from companion.installation.host import HostProgramFailed

_SOURCE: Final = Path(companion.__file__).parents[1]
_TEMPLATES: Final = (_SOURCE / "packaging", Path(sysconfig.get_path("data"), "share", "el-grande-table"))


class SystemFile(Enum):
    """A file of the system, as the path of its template and its own."""

    UNIT = ("el-grande-table.service", "etc/systemd/system/el-grande-table.service")
    SOCKET = ("el-grande-table.socket", "etc/systemd/system/el-grande-table.socket")
    UPDATE = ("el-grande-update.service", "etc/systemd/system/el-grande-update.service")
    RULES = ("99-el-grande.rules", "etc/udev/rules.d/99-el-grande.rules")
    NAME = ("el-grande-table.avahi.service", "etc/avahi/services/el-grande-table.service")
    NETWORK = ("el-grande-network.service", "etc/systemd/system/el-grande-network.service")
    NETWORK_SOCKET = ("el-grande-network.socket", "etc/systemd/system/el-grande-network.socket")
    HOTSPOT_NAMES = ("el-grande-network.dnsmasq.conf", "etc/NetworkManager/dnsmasq-shared.d/el-grande.conf")

    @property
    def path(self) -> str:
        """Where the file belongs, without the leading slash."""
        return self.value[1]

    @property
    def template(self) -> str:
        """The text that the file is made from."""
        return packaged(self.value[0])


def packaged(name: str) -> str:
    """Returns the text of a file in `packaging`, wherever that came with this installation."""
    for folder in _TEMPLATES:
        if (folder / name).is_file():
            return (folder / name).read_text()
    raise HostProgramFailed(f"{name} did not come with this installation. Install from the project's own folder")


def marked(text: str) -> str:
    """Returns a text with a first line that shows whether the rest was changed later."""
    words = f"Sum {hashlib.sha256(text.encode()).hexdigest()[:16]}: it reveals changes made by hand."
    return f"<!-- {words} -->\n{text}" if text.startswith("<") else f"# {words}\n{text}"


def is_ours(text: str) -> bool:
    """Returns whether a file is as it was written, by any version.

    >>> is_ours(marked("[Unit]")), is_ours(marked("[Unit]") + "  # mine"), is_ours("[Unit]")
    (True, False, False)
    """
    first, _, rest = text.partition("\n")
    # Older versions said the same about the sum in other words.
    return hashlib.sha256(rest.encode()).hexdigest()[:16] in first


def settings(text: str) -> list[str]:
    """Returns the lines of a file that count: neither empty nor comments."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(("#", "<!--"))]

"""Starts a Pi from a card as far as cloud-init reads it: run by itself, with the real cloud-init in its path.

    python tests/support/cloud_init_start.py CARD FOLDER

It reads the card as Raspberry Pi OS has it do (`seedfrom: file:///boot/firmware`), runs what has to run early in a
start, and prints the configuration that its modules get, as JSON. Everything it writes goes into the folder.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cloudinit import helpers, settings, sources, stages


class PiInit(stages.Init):  # type: ignore[misc]
    """cloud-init with a configuration of our own, and not that of this machine."""

    def __init__(self, card: Path, folder: Path) -> None:
        folders = {f"{name}_dir": str(folder / name) for name in ("cloud", "run", "templates")}
        self.configuration = {
            **settings.CFG_BUILTIN,
            "datasource_list": ["NoCloud", "None"],
            "datasource": {"NoCloud": {"seedfrom": f"file://{card}/", "fs_label": None}},
            "def_log_file": str(folder / "log"),
            "syslog_fix_perms": [],
            "system_info": {"distro": "debian", "paths": folders},
        }
        super().__init__(ds_deps=[sources.DEP_FILESYSTEM])

    def read_cfg(self, *_: object, **__: object) -> None:
        self._cfg = self.configuration


def main(card: Path, folder: Path) -> None:
    """Reads a card, and prints the configuration."""
    folder.mkdir()
    init = PiInit(card, folder)
    init.initialize()
    init.fetch()
    init.instancify()
    init.update()
    init.consume_data(settings.PER_ALWAYS)
    json.dump(helpers.ConfigMerger(paths=init.paths, datasource=init.datasource).cfg, sys.stdout, default=str)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

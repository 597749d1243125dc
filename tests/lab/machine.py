"""The lab's machine: an emulated arm64 computer that can be started, asked, killed and cut off from power."""

from __future__ import annotations

import base64
import json
import socket
import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from tests.lab.tools import LabError

MEMORY_MB: Final = 512
"""As much as a Zero 2 W has."""
BOOT_S: Final = 900.0
_LOOK_S: Final = 1.0


def hardware() -> tuple[str, ...]:
    """Returns the processor and the memory of the machine, as QEMU wants them."""
    return ("-cpu", "cortex-a53", "-smp", "2", "-m", str(MEMORY_MB))


class Answer(NamedTuple):
    """What a program in the machine said."""

    code: int
    out: str
    err: str


@dataclass
class Machine:
    """An emulated computer.

    :param folder: where its files are: disks, kernel and what its console said.
    :param log_writes: a file that every write to its disk is recorded in, as `dm-log-writes` does.
    :param dtb: a device tree instead of QEMU's own.
    :param extra: one more disk, which it can only read, with files for it.
    """

    folder: Path
    root: Path
    boot: Path
    log_writes: Path | None = None
    dtb: Path | None = None
    extra: Path | None = None
    port: int = 0
    started_s: float = 0.0
    _process: subprocess.Popen[bytes] | None = None
    _agent: _Agent | None = field(default=None, repr=False)

    # Power.

    def start(self) -> Self:
        """Switches it on."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        (self.folder / "agent").unlink(missing_ok=True)
        with (self.folder / "console.txt").open("ab") as console:
            self._process = subprocess.Popen(
                list(self._command()), stdin=subprocess.DEVNULL, stdout=console, stderr=console
            )
        self.started_s = time.monotonic()
        return self

    def _command(self) -> Iterable[str]:
        yield from ("qemu-system-aarch64", "-M", "virt", *hardware())
        yield from ("-nographic", "-no-user-config", "-monitor", "none")
        yield from ("-accel", "tcg,thread=multi,tb-size=512")
        yield from ("-kernel", str(self.folder / "kernel"), "-initrd", str(self.folder / "initrd"))
        yield from ("-append", "console=ttyAMA0 quiet loglevel=3 ds=nocloud;i=rpi-imager-1777")
        if self.dtb is not None:
            yield from ("-dtb", str(self.dtb))
        if self.log_writes is None:
            yield from ("-drive", f"file={self.root},format=raw,if=none,id=root,cache=writeback")
        else:
            yield from ("-blockdev", f"driver=file,node-name=root-file,filename={self.root}")
            yield from ("-blockdev", f"driver=file,node-name=log-file,filename={self.log_writes}")
            yield from ("-blockdev", "driver=blklogwrites,node-name=root,file=root-file,log=log-file")
        yield from ("-device", "virtio-blk-pci,drive=root,serial=root")
        yield from ("-drive", f"file={self.boot},format=raw,if=none,id=boot,cache=writeback")
        yield from ("-device", "virtio-blk-pci,drive=boot,serial=boot")
        if self.extra is not None:
            yield from ("-drive", f"file={self.extra},format=raw,if=none,id=extra,readonly=on")
            yield from ("-device", "virtio-blk-pci,drive=extra,serial=extra")
        # Nothing outside is reached: only the table's own port leads in.
        yield from ("-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:80")
        yield from ("-device", "virtio-net-pci,netdev=net,romfile=")
        yield from ("-device", "virtio-rng-pci", "-device", "virtio-serial")
        yield from ("-chardev", f"socket,path={self.folder / 'agent'},server=on,wait=off,id=agent")
        yield from ("-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0")
        yield from ("-chardev", f"socket,path={self.folder / 'power'},server=on,wait=off,id=power")
        yield from ("-mon", "chardev=power,mode=control")

    def cut_power(self) -> None:
        """Cuts it off from power: QEMU is killed, and what it had not written yet is lost."""
        self._hang_up()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def shut_down(self) -> None:
        """Has it stop in an orderly way."""
        if self._process is None:
            return
        with suppress(LabError, OSError):
            self.agent.tell("guest-shutdown", mode="powerdown")
        try:
            self._process.wait(180)
        except subprocess.TimeoutExpired:
            self.cut_power()
            raise LabError("The machine did not stop within three minutes.") from None
        self._hang_up()
        self._process = None

    def forget_agent(self) -> None:
        """Begins a new conversation next time: the machine has started again by itself."""
        self._hang_up()

    def _hang_up(self) -> None:
        if self._agent is not None:
            self._agent.close()
            self._agent = None

    # Asking.

    @property
    def agent(self) -> _Agent:
        """What runs programs in it."""
        if self._agent is None:
            self._agent = _Agent(self.folder / "agent")
        return self._agent

    def wait_until_up(self) -> None:
        """Waits until it runs programs for us."""
        end_s = time.monotonic() + BOOT_S
        while time.monotonic() < end_s:
            if self._process is not None and self._process.poll() is not None:
                raise LabError(f"QEMU ended with {self._process.returncode}; see {self.folder / 'console.txt'}")
            try:
                self.agent.tell("guest-ping")
            except (OSError, LabError):
                self._hang_up()
                time.sleep(_LOOK_S)
            else:
                return
        raise LabError(f"The machine did not start within {BOOT_S:.0f} s; see {self.folder / 'console.txt'}")

    def ask(self, command: str, wait_s: float = 300.0) -> Answer:
        """Runs a line of shell in the machine, as root."""
        return self.agent.run(command, wait_s)

    def do(self, command: str, wait_s: float = 300.0) -> str:
        """Runs a line of shell in the machine, which must not fail. Returns what it printed."""
        answer = self.ask(command, wait_s)
        if answer.code:
            raise LabError(f"In the machine, {command!r} failed with {answer.code}: {answer.err or answer.out}")
        return answer.out

    def wait_for_page(self, wait_s: float = BOOT_S) -> float:
        """Waits until the table's page answers. Returns the seconds since it was switched on."""
        end_s = time.monotonic() + wait_s
        while time.monotonic() < end_s:
            if page_answers(self.port):
                return time.monotonic() - self.started_s
            time.sleep(_LOOK_S)
        raise LabError(f"The table's page did not answer within {wait_s:.0f} s.")

    def put(self, file: Path, there: str) -> None:
        """Copies a file into the machine."""
        handle = self.agent.tell("guest-file-open", path=there, mode="w")
        with file.open("rb") as opened:
            while block := opened.read(1 << 20):
                data = base64.b64encode(block).decode()
                self.agent.tell("guest-file-write", **{"handle": handle, "buf-b64": data})
        self.agent.tell("guest-file-close", handle=handle)


def page_answers(port: int) -> bool:
    """Returns whether the table's page answers: not only the port, which QEMU holds open."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=10.0) as line:
            line.settimeout(20.0)
            line.sendall(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            return line.recv(5) == b"HTTP/"
    except OSError:
        return False


class _Agent:
    """QEMU's guest agent, which runs in the machine and answers in JSON."""

    def __init__(self, path: Path) -> None:
        self._line = socket.socket(socket.AF_UNIX)
        self._line.settimeout(30.0)
        self._line.connect(str(path))
        self._rest = b""
        number = time.monotonic_ns() % 1_000_000_000
        # Whatever a broken-off conversation left behind comes before this answer.
        sync = {"execute": "guest-sync", "arguments": {"id": number}}
        self._line.sendall(b"\xff" + json.dumps(sync).encode() + b"\n")
        while self._next().get("return") != number:
            pass

    def _next(self) -> dict[str, Any]:
        while b"\n" not in self._rest:
            data = self._line.recv(65536)
            if not data:
                raise LabError("the machine hung up")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        try:
            return dict(json.loads(line.lstrip(b"\xff")))
        except ValueError:
            return {}

    def tell(self, command: str, **arguments: object) -> Any:
        """Sends a command and returns its answer."""
        self._line.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        answer = self._next()
        if "error" in answer:
            raise LabError(f"{command}: {answer['error'].get('desc')}")
        return answer.get("return")

    def run(self, command: str, wait_s: float) -> Answer:
        """Runs a line of shell."""
        self._line.settimeout(120.0)
        started = self.tell("guest-exec", **{"path": "/bin/sh", "arg": ["-c", command], "capture-output": True})
        end_s = time.monotonic() + wait_s
        while time.monotonic() < end_s:
            status = self.tell("guest-exec-status", pid=started["pid"])
            if status["exited"]:
                out, err = (
                    base64.b64decode(status.get(key, "")).decode(errors="replace") for key in ("out-data", "err-data")
                )
                return Answer(int(status.get("exitcode", 128 + int(status.get("signal", 0)))), out, err)
            time.sleep(0.3)
        raise LabError(f"In the machine, {command!r} did not end within {wait_s:.0f} s.")

    def close(self) -> None:
        """Hangs up."""
        self._line.close()

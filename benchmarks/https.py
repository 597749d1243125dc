"""What HTTPS costs: a handshake, the memory of connections, and streams and requests compared with plain HTTP.

It runs against the real program in a process of its own, over loopback, as `benchmarks.web` does.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median

from benchmarks.board import p99
from benchmarks.web import SECURE_PORTS, Program, load, served, sit_down
from tests.support.raw_clients import client_context
from web_remote.connections import CONNECTIONS

HANDSHAKES = 400
FROM_EACH = 40
"""How many connections come from one address."""


def processor_s(pid: int) -> float:
    """Returns the seconds that a process has kept a processor busy."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    """Returns how much memory a process uses."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def connection(port: int, number: int) -> socket.socket:
    """Returns a connection from another address for every few."""
    address = (f"127.0.7.{number // FROM_EACH + 1}", 0)
    return socket.create_connection(("127.0.0.1", port), 10, source_address=address)


def handshakes(program: Program, port: int) -> None:
    """Measures connections that send nothing, with and without a handshake."""
    context, plain_s, took = client_context(), processor_s(program.pid), []
    for number in range(HANDSHAKES):
        connection(program.port, number).close()
    began_s = processor_s(program.pid)
    for number in range(HANDSHAKES):
        start_s = time.perf_counter()
        line = context.wrap_socket(connection(port, number))
        took.append((time.perf_counter() - start_s) * 1000)
        line.close()
    cost_ms = (processor_s(program.pid) - began_s) / HANDSHAKES * 1000
    plain_ms = (began_s - plain_s) / HANDSHAKES * 1000
    print(f"a handshake, for the phone: median {median(took):.2f} ms, p99 {p99(took):.2f} ms")
    print(f"a connection, for the table's processor: {cost_ms:.2f} ms with a handshake, {plain_ms:.2f} ms without")


def memory(program: Program, port: int) -> None:
    """Measures the memory of as many connections as there may be, each with a request."""
    head = b"GET /me HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    for name, at, context in (("HTTP", program.port, None), ("HTTPS", port, client_context())):
        before = memory_mb(program.pid)
        with ExitStack() as stack:
            for number in range(CONNECTIONS - 100):
                line = stack.enter_context(closing(connection(at, number)))
                if context is not None:
                    line = stack.enter_context(closing(context.wrap_socket(line)))
                line.sendall(head)
                line.recv(65536)
            print(f"{CONNECTIONS - 100} connections by {name}: {memory_mb(program.pid) - before:.1f} MB more")
        time.sleep(2)


def streams_and_requests(program: Program, port: int, name: str) -> None:
    """Measures 64 streams and 200 requests a second."""
    tokens, before, began_s = sit_down(program), memory_mb(program.pid), processor_s(program.pid)
    reads, moves, told, failed, missed = asyncio.run(load(program, tokens, port=port))
    print(f"64 streams and 200 requests/s by {name}: {failed} failed, {missed} streams missed something")
    for what, timed in (("requests", reads), ("moves", moves), ("moves to every stream", told)):
        ms = [took for _, took in timed]
        print(f"  {what}: median {median(ms):.1f} ms, p99 {p99(ms):.1f} ms")
    spent_s, after = processor_s(program.pid) - began_s, memory_mb(program.pid)
    print(f"  processor {spent_s:.1f} s, memory {before:.1f} to {after:.1f} MB", flush=True)


@contextmanager
def served_by_https(folder: Path) -> Iterator[tuple[Program, int]]:
    """Starts the program. Yields it with its port for HTTPS."""
    with served(folder, "--https", "--https-port", "0") as program:
        found = re.search(r"https://\S+:(\d+)", (folder / "said.txt").read_text())
        assert found is not None
        SECURE_PORTS[int(found[1])] = client_context()
        yield program, int(found[1])


def main() -> None:
    """Measures everything, each in a program of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with served_by_https(folder / "handshakes") as (program, port):
            handshakes(program, port)
        with served_by_https(folder / "memory") as (program, port):
            memory(program, port)
        with served_by_https(folder / "http") as (program, _):
            streams_and_requests(program, program.port, "HTTP")
        with served_by_https(folder / "https") as (program, port):
            streams_and_requests(program, port, "HTTPS")


if __name__ == "__main__":
    main()

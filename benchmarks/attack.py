"""Attacks the pages while `benchmarks.web` measures them: slow sockets from many addresses, and one flooding phone.

It runs against loopback only, for as long as its standard input stays silent, and at most two minutes:

    python -m benchmarks.attack PORT SEAT TOKEN CODE
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import count

from web_remote.senders import COOKIE

SLOW_SOCKETS = 300
SLOW_ADDRESSES = 30
FLOODS = 8
"""How many connections of the flooding phone send requests one after another, as fast as they are answered."""
MOST_S = 120.0


async def be_slow(port: int, number: int, seen: Counter[str]) -> None:
    """Sends a request a byte at a time, and begins again whenever the connection is closed."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(f"127.0.4.{number % SLOW_ADDRESSES + 1}", 0)
            )
            seen["slow connections"] += 1
            writer.write(b"GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            while not reader.at_eof():
                writer.write(b"x")
                await writer.drain()
                with suppress(TimeoutError):
                    await asyncio.wait_for(reader.read(100), 1.0)
            writer.close()
        await asyncio.sleep(0.2)


async def flood(port: int, seat: str, token: str, code: str, seen: Counter[str]) -> None:
    """Sends requests as fast as they are answered: joins under ever other names, lines, streams, the whole history."""
    numbers, version = count(), 0
    while True:
        with suppress(OSError, asyncio.IncompleteReadError, ValueError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20, local_addr=("127.0.2.5", 0))
            while True:
                number = next(numbers)
                pace = f"pace {('slow', 'fast')[number // 4 % 2]}"
                method, path, data = (
                    ("POST", "/join", {"seat": seat, "name": f"Flood {number}", "code": code}),
                    ("POST", "/say", {"seat": seat, "line": pace, "version": version, "number": number}),
                    ("GET", "/history", None),
                    ("GET", f"/state?seat={seat}", None),
                )[number % 4]
                body = b"" if data is None else json.dumps(data).encode()
                head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {COOKIE}={token}\r\n"
                head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write(head.encode() + body)
                answer = await reader.readuntil(b"\r\n\r\n")
                seen[f"{path.partition('?')[0]} {answer.split(b' ', 2)[1].decode()}"] += 1
                length = int(answer.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
                if found := re.search(rb'"version":(\d+)', await reader.readexactly(length)):
                    version = int(found[1])
        await asyncio.sleep(0.05)


async def open_streams(port: int, seat: str, token: str, seen: Counter[str]) -> None:
    """Opens one stream after another, and closes none."""
    kept = []
    head = f"GET /events?seat={seat} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {COOKIE}={token}\r\n\r\n"
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.2.5", 0))
            writer.write(head.encode())
            seen[f"/events {(await reader.readline()).split(b' ')[1].decode()}"] += 1
            kept.append((reader, writer))
            del kept[:-20]
        await asyncio.sleep(0.05)


async def attack(port: int, seat: str, token: str, code: str) -> Counter[str]:
    """Attacks until there is input, or for two minutes. Returns what was answered how often."""
    seen: Counter[str] = Counter()
    tasks = [asyncio.create_task(be_slow(port, number, seen)) for number in range(SLOW_SOCKETS)]
    tasks += [asyncio.create_task(flood(port, seat, token, code, seen)) for _ in range(FLOODS)]
    tasks.append(asyncio.create_task(open_streams(port, seat, token, seen)))
    await asyncio.sleep(2.0)
    print("attacking", flush=True)
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    began_s = time.monotonic()
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(ended), MOST_S)
    seen["seconds"] = round(time.monotonic() - began_s)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return seen


if __name__ == "__main__":
    counted = asyncio.run(attack(int(sys.argv[1]), *sys.argv[2:5]))
    print("the attack: " + ", ".join(f"{what}: {number}" for what, number in sorted(counted.items())))

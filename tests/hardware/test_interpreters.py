"""The firmware says the same, to the byte, in MicroPython and in CPython, whatever happens to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest

from hardware.errors import NoInterpreter
from hardware.simulated.interpreters import INTERPRETERS, Interpreter, command_of
from tests.support.hub_rig import line, texts

ONE, TWO, LONG, ALIKE = "86A083EE", "169A0A3B", "04A1B2C3D4E5F6", "04A1B2C3D4E5F7"

Order = tuple[int, bytes, Sequence[Sequence[object]]]
"""So many milliseconds go by after these bytes came in and these things happened."""


def host(request: int, *words: object) -> bytes:
    return line(" ".join(map(str, ("host", request, *words))))


def start(mode: str) -> Order:
    return (300, host(1, "start", mode, 4), [])


TAP: list[Order] = [
    start("tap"),
    (350, b"", [["put", 0, ONE], ["put", 3, LONG]]),
    (450, b"", [["take", 0, ONE], ["put", 3, ALIKE]]),
    (450, b"", [["take", 3, LONG], ["put", 1, TWO]]),
    (100, host(2, "ack", "00000000", 9) + host(3, "snapshot"), []),
    (150, host(4, "ack", "EPOCH", 4), [["noise", 1, 2]]),
    (100, host(5, "test"), []),
]

INVENTORY: list[Order] = [
    start("inventory"),
    (350, b"", [["put", 0, ONE], ["put", 0, TWO], ["put", 0, LONG], ["put", 0, ALIKE]]),
    (250, host(2, "ack", "EPOCH", 99), [["take", 0, LONG], ["noise", 0, 3]]),
    (100, host(3, "snapshot"), []),
]

FAULTS: list[Order] = [
    start("tap"),
    (250, b"", [["put", 0, ONE], ["dead", 1, True], ["freeze", 2, True]]),
    (300, host(2, "test"), [["brown-out", 0]]),
    (1300, b"", [["dead", 1, False], ["freeze", 2, False], ["brown-out", 3]]),
    (150, b"", [["reset"]]),
    start("tap"),
]

LINES: list[Order] = [
    (30, b"\xff\x00*\n" + b"x" * 3000 + b"\n" + host(1, "start", "tap", 3)[:-4] + b"\n", []),
    (30, host(2, "start", "tap", 9) + host(3, "start", "tap", "01") + line("HOST 3 start tap 1"), []),
    (30, host(4, "start", "tap", 2)[:7], []),
    (250, host(4, "start", "tap", 2)[7:], [["put", 1, LONG]]),
    (200, host(5, "start", "inventory", 1) * 2, []),
    (900, host(6, "start", "inventory", 1), []),
    (20, host(7, "leave"), []),
    (200, host(8, "snapshot"), []),
]

SCRIPTS = {"tap": TAP, "inventory": INVENTORY, "faults": FAULTS, "lines": LINES}


def conversation(interpreter: str, script: list[Order], quick: bool) -> Iterator[bytes]:
    """What a hub says to each order."""
    with closing(Interpreter(interpreter, "south", quick)) as hub:
        now_ms, epoch = 0, ""
        for ms, received, orders in script:
            now_ms += ms
            if b"EPOCH" in received:
                received = b"".join(line(text.replace("EPOCH", epoch)) for text in texts(received))
            said = hub.step(now_ms, received, orders)
            epoch = said[-100:].split(b"\n")[-2].split(b" ")[0].decode() if said else epoch
            yield said


def needs(interpreter: str) -> None:
    try:
        command_of(interpreter)
    except NoInterpreter as missing:
        pytest.skip(str(missing))


with_quick_readers_too = pytest.mark.parametrize("quick", [False, True], ids=["chips", "quick readers"])


@with_quick_readers_too
@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_both_interpreters_say_the_same(script: list[Order], quick: bool) -> None:
    needs("micropython")
    python, micropython = ([texts(said) for said in conversation(name, script, quick)] for name in INTERPRETERS)
    assert micropython == python


SAID = {
    "tap": [
        f"seen 0 {ONE}", f"gone 0 {ONE}", f"seen 3 {LONG}", "crowd 3", "clear 3", f"seen 3 {ALIKE}", f"seen 1 {TWO}",
        "tested 0 ok version 92", "tested 3 ok version 92",
    ],
    "inventory": [*(f"seen 0 {tag}" for tag in (ONE, TWO, LONG, ALIKE)), f"gone 0 {LONG}"],
    "faults": [
        f"seen 0 {ONE}", "dead 1 no chip", "dead 2 a command never ends", "tested 1 failed no chip", "well 1", "well 2",
    ],
    "lines": ["no 2", "no 3", "bye"],
}  # fmt: skip


@with_quick_readers_too
@pytest.mark.parametrize("name", SCRIPTS)
def test_what_they_say_is_worth_comparing(name: str, quick: bool) -> None:
    answers = conversation("python", SCRIPTS[name], quick)
    said = {text.split(" ", 2)[2] for answer in answers for text in texts(answer)}
    assert said >= set(SAID[name])


def test_a_world_that_dies_says_why() -> None:
    for name in INTERPRETERS:
        needs(name)
        with closing(Interpreter(name, "south")) as hub, pytest.raises(RuntimeError, match="no such order: juggle"):
            hub.step(5, b"", [["juggle", 0]])

"""A real hub and a real link over a bad line: in the end both agree, and no tag came or went but where it did."""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Literal

from hypothesis import example, given, settings
from hypothesis import strategies as st

from hardware.board import BoardHub
from hardware.link import Happening, HubLink, Synced, TagMoved
from tests.support.hub_rig import TAGS, HubRig

Action = tuple[int, Literal["there", "reset", "silence", "deaf"], int, str]
"""After this many milliseconds: what happens, at which reader, and what lies there then."""

ACTIONS = st.lists(
    st.tuples(
        st.integers(0, 900),
        st.sampled_from(("there",) * 12 + ("reset", "silence", "deaf")),
        st.integers(0, 1),
        st.sampled_from(("-", "A", "B", "AB")),
    ),
    max_size=12,
)


class BadLine:
    """Carries lines one way, and spoils some."""

    def __init__(self, seed: int, badness: float) -> None:
        self.badness = badness
        self._chance = Random(seed)
        self._late: deque[list[bytes]] = deque([[] for _ in range(4)])

    def carry(self, data: bytes) -> bytes:
        out = bytearray()
        for line in data.splitlines(keepends=True):
            out += self._spoilt(line) if self._chance.random() < self.badness else line
            # What was held back comes after one to three later lines, or not before the line is good.
            out += b"".join(self._late.popleft())
            self._late.append([])
        return bytes(out)

    def _spoilt(self, line: bytes) -> bytes:
        match self._chance.randrange(6):
            case 0:
                return b""
            case 1:
                return line * 2
            case 2:
                self._late[self._chance.randrange(1, 4)].append(line)
                return b""
            case 3:
                return line[: self._chance.randrange(len(line))]
            case 4:
                return self._chance.randbytes(self._chance.randrange(1, 40)) + line
            case _:
                spoilt = bytearray(line)
                for _ in range(self._chance.randrange(1, 4)):
                    spoilt[self._chance.randrange(len(spoilt))] ^= 1 << self._chance.randrange(8)
                return bytes(spoilt)


class Talk:
    """A hub and a link that talk; when something is amiss the link is lost, as at a port that is opened again."""

    def __init__(self, mode: str, seed: int, badness: float) -> None:
        self.rig = HubRig()
        # At the third reader one tag lies from beginning to end.
        self.rig.readers[2].there = "C"
        self.link = HubLink(BoardHub("south", "/dev/ttyACM0", mode, 3), 0.0, requests=seed)
        self.to_hub, self.to_host = BadLine(seed, badness), BadLine(seed + 1, badness)
        self.told: list[Happening] = []
        self.synced: list[int] = []
        """The number of the snapshot whenever the link got in step."""
        self.lost = 0
        self._stray = False
        """Whether a line of an epoch that was over has come late."""
        self._deaf_until_ms = self._silent_until_ms = 0

    def run(self, ms: int) -> None:
        until_ms = self.rig.now_ms + ms
        while self.rig.now_ms < until_ms:
            now_s = self.rig.now_ms / 1000
            sent = self.to_hub.carry(self.link.outgoing(now_s))
            out = self.rig.step(b"" if now_s * 1000 < self._deaf_until_ms else sent)
            arrived = b"" if now_s * 1000 < self._silent_until_ms else self.to_host.carry(out)
            for line in arrived.splitlines(keepends=True):
                self._stray |= self.link.in_step and b"00000001 " in line
                happened = self.link.receive(line, now_s)
                self.told += happened
                if Synced() in happened:
                    self.synced.append(int(line.split(b" ")[1]))
            if self.link.amiss(now_s):
                self.lost += 1
                self.link.lost()
                self.link.received_s = now_s

    def do(self, action: Action) -> None:
        after_ms, what, reader, there = action
        self.run(after_ms)
        if what == "there":
            self.rig.readers[reader].there = there
        elif what == "reset":
            self.rig.reset()
        elif what == "deaf":
            self._deaf_until_ms = self.rig.now_ms + 6000
        else:
            self._silent_until_ms = self.rig.now_ms + 2500

    def calm_down(self) -> None:
        self._deaf_until_ms = self._silent_until_ms = 0
        self.to_hub.badness = self.to_host.badness = 0
        self.run(5000)

    @property
    def undisturbed(self) -> bool:
        """Whether the link was in step all the time since it first was."""
        return self.rig.epochs == 2 and not self.lost and not self._stray

    def moves(self) -> list[TagMoved]:
        return [happening for happening in self.told if isinstance(happening, TagMoved)]

    def moves_of_the_hub(self) -> list[TagMoved]:
        """The events of the hub after the first snapshot."""
        events = [event.split(" ") for number, event in self.rig.events() if number > self.synced[0]]
        return [
            TagMoved(int(event[1]), event[2], event[0] == "gone") for event in events if event[0] in ("seen", "gone")
        ]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(("tap", "inventory")), st.integers(0, 2**20), st.sampled_from((0.0, 0.1, 0.3, 0.6, 0.9)), ACTIONS
)
@example("inventory", 1, 0.5, [(300, "there", 0, "AB"), (300, "there", 0, "B"), (300, "there", 0, "AB")] * 4)
@example("tap", 471223, 0.6, [(1, "there", 0, "-")])  # a line of the first epoch comes right after the snapshot
@example("tap", 2, 0.3, [(250, "there", 1, there) for there in ("A", "-", "B", "-") * 5])
@example(
    "tap", 3, 0.0, [(400, "there", 0, "A"), (400, "reset", 0, "-"), (100, "reset", 0, "-"), (600, "reset", 0, "-")]
)
def test_over_any_line_hub_and_host_agree_in_the_end(
    mode: str, seed: int, badness: float, actions: list[Action]
) -> None:
    talk = Talk(mode, seed, badness)
    for action in actions:
        talk.do(action)
    if mode == "tap":
        for scripted in talk.rig.readers[:2]:
            scripted.there = scripted.there[:1]
    talk.calm_down()

    # Both know what is there.
    there = [reader.there for reader in talk.rig.readers[:3]]
    assert talk.link.in_step
    assert [talk.link.here[reader] for reader in range(3)] == [
        {TAGS[tag] for tag in tags if tag != "-"} for tags in there
    ]

    # A tag comes, goes, comes, goes.
    moves = talk.moves()
    for reader, tag in {(move.reader, move.tag) for move in moves}:
        turns = [move.gone for move in moves if (move.reader, move.tag) == (reader, tag)]
        assert turns == [bool(number % 2) for number in range(len(turns))]

    # One that lies there all the time came once, whatever happened to the hub and to the line.
    assert [move for move in moves if move.reader == 2] == [TagMoved(2, TAGS["C"], gone=False)]

    # None is lost, none counts twice.
    if talk.undisturbed:
        assert len(talk.synced) == 1
        after = talk.told[talk.told.index(Synced()) + 1 :]
        assert [happening for happening in after if isinstance(happening, TagMoved)] == talk.moves_of_the_hub()

r"""The host's side of PROTOCOL.md, without a port or a thread: a hub's bytes go in, what happened there comes out.

>>> link = HubLink(BoardHub("west", "/dev/ttyACM0", "tap", 1), now_s=0.0)
>>> link.outgoing(now_s=0.0)
b'host 1 start tap 1*6A359BD1\n'
>>> hello = make_line("3F2A91C0", 0, "hello", 1, 1, "E66058388345A52A", 4, "tap", 1)
>>> snapshot = make_line("3F2A91C0", 0, "snapshot", 1, "04A1B2C3")
>>> link.receive(hello + snapshot, now_s=0.2)
[TagMoved(reader=0, tag='04A1B2C3', gone=False), Synced()]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware.lines import Lines, is_number, is_tag, make_line, read_line
from hardware.board import BoardHub
from hardware.serial_log import SerialLog

VERSION: Final = "1"
UNNAMED_CHIP: Final = "rc522"
"""The chip that a `start` without a chip stands for."""
SILENCE_S: Final = 2.0
"""A hub that sends nothing for this long is treated as lost."""
ASK_S: Final = 0.5
"""How often a hub that has not answered is asked again."""
CHECK_S: Final = 1.0
"""How often a hub that is in step is asked too, because its beats do not show that it receives anything."""
DEAF_S: Final = 2.0
"""A hub that sends lines but answers no request for this long is receiving nothing."""
GREETING_S: Final = 15.0
"""A hub that answers should be in step within this time: four hanging readers take 12 s in mode `inventory`."""
GAP_S: Final = 1.5
"""An event that is missing for this long will not come."""
CROWD: Final = "crowd"
DEAD: Final = "dead"
"""What can be at a reader besides tags."""


@dataclass(frozen=True)
class TagMoved:
    """A tag came to a reader, or went from it."""

    reader: int
    tag: str
    gone: bool


@dataclass(frozen=True)
class ReaderTrouble:
    """A reader is dead or crowded, or no longer is."""

    reader: int
    crowded: bool
    over: bool
    why: str = ""


@dataclass(frozen=True)
class Foreign:
    """The hub speaks a version of the protocol that we do not."""

    version: str


@dataclass(frozen=True)
class Tested:
    """The result of a reader's self-test."""

    reader: int
    result: str

    @property
    def passed(self) -> bool:
        return self.result.startswith("ok")


@dataclass(frozen=True)
class Synced:
    """The hub has reported everything at its readers; from now on nothing is missed."""


Happening = TagMoved | ReaderTrouble | Foreign | Tested | Synced


def start_words(hub: BoardHub) -> tuple[object, ...]:
    """Returns the `start` request of a hub. It omits the chip if that is the RC522, so that older hubs understand it.

    >>> start_words(BoardHub("west", "/dev/ttyACM0", "tap", 3))
    ('start', 'tap', 3)
    """
    chip = () if hub.chip == UNNAMED_CHIP else (hub.chip,)
    return ("start", hub.mode, hub.readers, *chip)


class HubLink:
    """What we know about a hub: its epoch, its last event, and what is at each reader.

    A link is in step with its hub once it has received a snapshot of the hub's epoch, or has found the hub again in the
    same epoch. Then each event counts once, in order; one out of order is left for the hub to send again. A line of
    another epoch means that the hub has restarted: the link asks for a snapshot, and every difference is reported.
    """

    def __init__(self, hub: BoardHub, now_s: float, requests: int = 0) -> None:
        self.hub = hub
        self.received_s = now_s
        """When the last good line of the hub arrived."""
        self.bad_lines = 0
        self.log = SerialLog()
        """The last lines from both sides."""
        self.serial = ""
        self.most_readers = 0
        self._lines = Lines()
        self._out: list[bytes] = []
        self._requests = requests
        self._start = -1
        """The number of the last `start` since the hub was lost."""
        self._asked_s: float | None = None
        self._unanswered_s: float | None = None
        """When the first unanswered `start` was sent."""
        self._greeting_s: float | None = None
        """When we began to ask the hub without getting in step."""
        self._refused = False
        """Whether the hub refused the last `start`."""
        self._greeted: str | None = None
        """The epoch of the hello that answered the last `start`."""
        self._epoch: str | None = None
        """The epoch we are in step with."""
        self._last = 0
        self._resumable: str | None = None
        """The epoch we were in step with when the hub was lost; it still keeps every event we have not received."""
        self._behind_s: float | None = None
        """When the hub got ahead of us."""
        self._here: dict[int, frozenset[str]] = {reader: frozenset() for reader in range(hub.readers)}

    @property
    def in_step(self) -> bool:
        """Whether everything that happens at the hub reaches us."""
        return self._epoch is not None

    @property
    def here(self) -> dict[int, frozenset[str]]:
        """What is at each reader, as far as we know: tags, and `dead` or `crowd`."""
        return dict(self._here)

    def silent(self, now_s: float) -> bool:
        """Returns whether no good line has arrived for too long."""
        return now_s - self.received_s >= SILENCE_S

    def amiss(self, now_s: float) -> str:
        """Returns in a few words why the hub must be treated as lost; empty when it need not be."""
        if self.silent(now_s):
            return "silent for 2 s"
        if self._refused:
            return "it cannot do what the board file says of it"
        if self._unanswered_s is not None and now_s >= self._unanswered_s + DEAF_S:
            return "it sends, but does not receive"
        if self._greeting_s is not None and now_s >= self._greeting_s + GREETING_S:
            return "it does not report what is at its readers"
        return ""

    def lost(self) -> None:
        """Forgets that it was in step, but remembers what is at the readers, to compare with the next snapshot."""
        self._fall_out_of_step()
        self._unanswered_s = self._greeting_s = None
        self._refused = False
        self._lines = Lines()
        self._out.clear()

    def _fall_out_of_step(self) -> None:
        self._resumable = self._epoch or self._resumable
        self._epoch = self._greeted = self._asked_s = self._behind_s = None
        self._start = -1

    def due_s(self, now_s: float) -> float:
        """Returns when something is due if nothing arrives."""
        limits = ((self.received_s, SILENCE_S), (self._unanswered_s, DEAF_S), (self._greeting_s, GREETING_S))
        return min(self._ask_s(now_s), *(since_s + limit_s for since_s, limit_s in limits if since_s is not None))

    def _ask_s(self, now_s: float) -> float:
        """Returns when to ask the hub again."""
        if self._asked_s is None:
            return now_s
        return self._asked_s + (CHECK_S if self.in_step and self._unanswered_s is None else ASK_S)

    def outgoing(self, now_s: float) -> bytes:
        """Returns what to send to the hub now."""
        if now_s >= self._ask_s(now_s):
            self._asked_s = now_s
            if self._unanswered_s is None:
                self._unanswered_s = now_s
            if self._greeting_s is None and not self.in_step:
                self._greeting_s = now_s
            self._greeted = None
            self._start = self.request(*start_words(self.hub))
        for line in self._out:
            self.log.keep(now_s, "host", line)
        out = b"".join(self._out)
        self._out.clear()
        return out

    def request(self, *words: object) -> int:
        """Asks the hub for something, such as `test`. Returns the number of the request."""
        self._requests += 1
        self._out.append(make_line("host", self._requests, *words))
        return self._requests

    def receive(self, data: bytes, now_s: float) -> list[Happening]:
        """Returns what happened according to these bytes from the hub."""
        happenings: list[Happening] = []
        for raw in self._lines.feed(data):
            words = read_line(raw)
            good = words is not None and words[0] != "host"
            self.log.keep(now_s, "hub", raw, good)
            if words is None or not good:
                self.bad_lines += 1
                continue
            self.received_s = now_s
            epoch, number, word, *arguments = words
            if word == "hello":
                happenings += self._hello(epoch, arguments)
            elif word == "snapshot" and arguments:
                happenings += self._snapshot(epoch, int(number), arguments)
            elif epoch == self._epoch:
                happenings += self._event(int(number), word, arguments)
                self._watch_gap(int(number), now_s)
            elif self.in_step:
                self._fall_out_of_step()
            elif word == "no":
                self._refused = arguments == [str(self._start)]
        return happenings

    def _hello(self, epoch: str, arguments: list[str]) -> Iterator[Happening]:
        if not arguments or arguments[0] != VERSION:
            # It answers, even if we do not understand it.
            self._unanswered_s = self._greeting_s = None
            yield Foreign(arguments[0] if arguments else "?")
            return
        if self.in_step and epoch != self._epoch:
            self._fall_out_of_step()
        if len(arguments) == 6 and is_number(arguments[3]):
            _, request, self.serial, most_readers, mode, readers = arguments
            self.most_readers = int(most_readers)
            if request == str(self._start):
                self._unanswered_s = None
            if request == str(self._start) and mode == self.hub.mode and readers == str(self.hub.readers):
                self._greeted = epoch
                if not self.in_step and epoch == self._resumable:
                    self._epoch, self._greeting_s = epoch, None
                    self._acknowledge()
                    yield Synced()

    def _watch_gap(self, number: int, now_s: float) -> None:
        """Asks for a snapshot if a missing event does not come: another host may have received it."""
        if number <= self._last:
            self._behind_s = None
        elif self._behind_s is None:
            self._behind_s = now_s
        elif now_s - self._behind_s >= GAP_S:
            self._fall_out_of_step()
            self._resumable = None

    def _snapshot(self, epoch: str, number: int, arguments: list[str]) -> Iterator[Happening]:
        # Only the answer to our last request counts: a late answer to an older one must not undo events.
        if self.in_step or epoch != self._greeted or arguments[0] != str(self._start):
            return
        words = arguments[1:]
        if len(words) != self.hub.readers:
            return
        states = [known for known in map(_state, words) if known is not None]
        if len(states) != len(words):
            return
        self._epoch, self._last, self._greeting_s = epoch, number, None
        self._acknowledge()
        for reader, (state, why) in enumerate(states):
            before, self._here[reader] = self._here[reader], state
            # A dead reader keeps what it last saw, as the hub does.
            for item in sorted(before - state):
                yield _happening(reader, item, gone=True)
            for item in sorted(state - before):
                yield _happening(reader, item, gone=False, why=why if item == DEAD else "")
        yield Synced()

    def _event(self, number: int, word: str, arguments: list[str]) -> Iterator[Happening]:
        if word == "tested":
            if arguments and self._is_reader(arguments[0]):
                yield Tested(int(arguments[0]), " ".join(arguments[1:]))
            return
        if word not in _EVENTS:
            return
        if number == self._last + 1 and arguments and self._is_reader(arguments[0]):
            gone, item = _EVENTS[word]
            if not item:
                if len(arguments) != 2 or not is_tag(arguments[1]):
                    return
                item = arguments[1]
            self._last = number
            reader = int(arguments[0])
            before = self._here[reader]
            self._here[reader] = before - {item} if gone else before | {item}
            if self._here[reader] != before:
                yield _happening(reader, item, gone, " ".join(arguments[1:]))
        if number <= self._last:
            # Even if we have had it before: our acknowledgement may have been lost.
            self._acknowledge()

    def _acknowledge(self) -> None:
        self.request("ack", self._epoch, self._last)

    def _is_reader(self, text: str) -> bool:
        return is_number(text) and int(text) < self.hub.readers


# For each event: whether something leaves, and what, unless it is a tag.
_EVENTS: Final = {
    "seen": (False, ""),
    "gone": (True, ""),
    "crowd": (False, CROWD),
    "clear": (True, CROWD),
    "dead": (False, DEAD),
    "well": (True, DEAD),
}


def _state(word: str) -> tuple[frozenset[str], str] | None:
    """Returns what a snapshot's word says is at a reader, and why it is dead. Returns `None` when it is not valid.

    >>> _state("-"), _state("dead:no_chip"), _state("dead")
    ((frozenset(), ''), (frozenset({'dead'}), 'no chip'), None)
    """
    head, dead, why = f",{word}".partition(",dead:")
    items = [] if word == "-" else head.split(",")[1:]
    if not all(is_tag(item) or item == CROWD for item in items) or bool(dead) != bool(why):
        return None
    return frozenset([*items, DEAD] if dead else items), why.replace("_", " ")


def _happening(reader: int, item: str, gone: bool, why: str = "") -> Happening:
    if is_tag(item):
        return TagMoved(reader, item, gone)
    return ReaderTrouble(reader, item == CROWD, gone, why)

"""A hub: scans its readers, decides which tags are there, and reports to its host, as PROTOCOL.md describes.

It never blocks. `step` does what is due and returns what to send:

    hub = Hub({"rc522": readers}, serial="E66058388345A52A", epoch=new_epoch)
    while hub.running:
        send(hub.step(now_ms(), received()))

A reader is anything with two methods, both generators that yield while they wait, are resumed with the time in
milliseconds, and raise `ReaderError` when their chip does not answer:

    scan(many)  returns the numbers of the tags there; without `many` it raises `Crowded` if there are several
    test()      returns the result of a self-test in a few words
"""

from firmware.lines import Lines, is_number, make_line, read_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from typing import Protocol

    class TagReader(Protocol):
        """Anything that can read tags."""

        def scan(self, many: bool) -> Generator[None, int, list[str]]: ...
        def test(self) -> Generator[None, int, str]: ...


VERSION = 1
MODES = ("tap", "inventory")
UNNAMED_CHIP = "rc522"
"""The chip that a `start` without a chip stands for."""
SCAN_MS = 50
"""From the start of one scan of a reader to the start of its next."""
SCANS_TO_BE_SEEN = 2
SCANS_TO_BE_GONE = 3
SCANS_TO_BE_DEAD = 3
LONGEST_MS = 250
LONGEST_OF_MANY_MS = 1000
"""A longer scan is abandoned, so that the other readers get their turn; sixteen tags take a third of this."""
RETRY_MS = 1000
"""How often a dead reader is tried."""
BEAT_MS = 500
RESEND_MS = 200
MOST_UNACKNOWLEDGED = 64
"""The most events kept for a host that does not answer."""
MOST_AT_ONCE = 8
"""The most events sent again in one go."""

CROWD = "crowd"


class ReaderError(Exception):
    """A reader does not answer as its chip should."""


class Crowded(Exception):
    """There are several tags at a reader that was asked for one."""


class Hub:
    """A hub with its readers and the events its host has not acknowledged.

    It is given readers for every chip it can drive; the host names the one that is wired.
    """

    def __init__(self, readers: "Mapping[str, Sequence[TagReader]]", serial: str, epoch: "Callable[[], str]") -> None:
        self.running = True
        self._readers = readers
        self._most_readers = max(len(wired) for wired in readers.values())
        self._serial = serial
        self._new_epoch = epoch
        self._epoch = epoch()
        self._watches: list[Watch] = []
        self._turn = 0
        self._mode = "idle"
        self._chip = ""
        self._lines = Lines()
        self._out: list[bytes] = []
        self._unacknowledged: list[tuple[int, bytes]] = []
        self._number = 0
        self._snapshot_for = -1
        """The request whose snapshot is still to be sent."""
        self._started_ms = -1
        self._beat_ms = 0
        self._resend_ms = 0

    def step(self, now_ms: int, received: bytes = b"") -> bytes:
        """Does what is due. Returns what to send."""
        if self._started_ms < 0:
            self._started_ms = self._beat_ms = now_ms
            self._say_hello(0)
        for line in self._lines.feed(received):
            words = read_line(line)
            if words and words[0] == "host":
                self._obey(int(words[1]), words[2], words[3:])
        self._say_snapshot()
        for event in self._scan(now_ms):
            self._report(event, now_ms)
        self._send_again(now_ms)
        if now_ms - self._beat_ms >= BEAT_MS:
            self._beat_ms = now_ms
            self._say("beat", (now_ms - self._started_ms) // 1000)
        out = b"".join(self._out)
        self._out = []
        return out

    def _scan(self, now_ms: int) -> "list[tuple[object, ...]]":
        """Continues with the reader whose turn it is. Only one has its field on at a time: together they would draw
        more than a Pico can supply, and disturb each other.
        """
        events: list[tuple[object, ...]] = []
        for _ in range(len(self._watches)):
            watch = self._watches[self._turn]
            if watch.working or watch.due(now_ms):
                events.extend(watch.step(now_ms))
                if watch.working:
                    break
            self._turn = (self._turn + 1) % len(self._watches)
        return events

    # What the host wants.

    def _obey(self, request: int, word: str, arguments: "list[str]") -> None:
        if word == "start" and len(arguments) in (2, 3):
            self._start(request, arguments[0], arguments[1], arguments[2] if len(arguments) == 3 else UNNAMED_CHIP)
        elif word == "ack" and len(arguments) == 2 and arguments[0] == self._epoch and is_number(arguments[1]):
            last = int(arguments[1])
            self._unacknowledged = [event for event in self._unacknowledged if event[0] > last]
        elif word == "snapshot":
            self._snapshot_for = request
        elif word == "test":
            for watch in self._watches:
                watch.begin_test()
        elif word == "leave":
            self._say("bye")
            self.running = False

    def _start(self, request: int, mode: str, readers: str, chip: str) -> None:
        wired = self._readers.get(chip, ())
        if mode not in MODES or not is_number(readers) or not 1 <= int(readers) <= len(wired):
            self._say("no", request)
            return
        if mode != self._mode or chip != self._chip or int(readers) != len(self._watches):
            self._mode = mode
            self._chip = chip
            count = int(readers)
            self._turn = 0
            for watch in self._watches:
                watch.stop()
            self._watches = [Watch(number, wired[number], mode == "inventory") for number in range(count)]
            self._begin_epoch()
        self._say_hello(request)
        self._snapshot_for = request

    # What the host receives.

    def _report(self, event: "tuple[object, ...]", now_ms: int) -> None:
        """Sends an event, now and until it is acknowledged; the result of a test is sent once."""
        if event[0] == "tested":
            self._say(*event)
            return
        if len(self._unacknowledged) >= MOST_UNACKNOWLEDGED:
            # No host has answered for a long time. The new epoch shows one that comes back that it must ask again.
            self._begin_epoch()
            return
        self._number += 1
        line = make_line(self._epoch, self._number, *event)
        if not self._unacknowledged:
            self._resend_ms = now_ms
        self._unacknowledged.append((self._number, line))
        self._out.append(line)

    def _send_again(self, now_ms: int) -> None:
        if self._unacknowledged and now_ms - self._resend_ms >= RESEND_MS:
            self._resend_ms = now_ms
            self._out.extend(line for _, line in self._unacknowledged[:MOST_AT_ONCE])

    def _begin_epoch(self) -> None:
        self._epoch = self._new_epoch()
        self._number = 0
        self._unacknowledged = []

    def _say(self, *words: object) -> None:
        """Sends something once; its number is that of the last event before it."""
        self._out.append(make_line(self._epoch, self._number, *words))

    def _say_hello(self, request: int) -> None:
        self._say("hello", VERSION, request, self._serial, self._most_readers, self._mode, len(self._watches))

    def _say_snapshot(self) -> None:
        """Sends the requested snapshot once all readers know what is there.

        Otherwise it would be empty after a reset, and a host would conclude that everything is gone.
        """
        if self._snapshot_for >= 0 and all(watch.settled for watch in self._watches):
            self._say("snapshot", self._snapshot_for, *[watch.state() for watch in self._watches])
            self._snapshot_for = -1


class Watch:
    """Watches one reader: scans it again and again, and reports what came and went."""

    def __init__(self, number: int, reader: "TagReader", many: bool) -> None:
        self._number = number
        self._reader = reader
        self._many = many
        self._due_ms = 0
        self._began_ms = 0
        self._scans = 0
        self._work: Generator[None, int, list[str] | str] | None = None
        self._testing = False
        self._test_wanted = False
        self._coming: dict[str, int] = {}
        self._there: dict[str, int] = {}
        self._failures = 0
        self._why = ""
        """The reason of the last failure."""

    def begin_test(self) -> None:
        """Tests the reader once its scan is done."""
        self._test_wanted = True

    def state(self) -> str:
        """Returns what is at the reader, as one word of a snapshot."""
        items = sorted(self._there)
        if self._dead:
            items.append("dead:" + self._why.replace(" ", "_"))
        return ",".join(items) or "-"

    @property
    def settled(self) -> bool:
        """Whether it has scanned long enough to know what is there."""
        return self._dead or self._scans >= SCANS_TO_BE_GONE

    @property
    def _dead(self) -> bool:
        return self._failures >= SCANS_TO_BE_DEAD

    @property
    def working(self) -> bool:
        """Whether a scan or a test is under way."""
        return self._work is not None

    def stop(self) -> None:
        """Abandons the scan under way; the reader switches its field off."""
        if self._work is not None:
            self._work.close()
            self._work = None

    def due(self, now_ms: int) -> bool:
        """Returns whether it is time for the next scan."""
        return now_ms >= self._due_ms

    def step(self, now_ms: int) -> "list[tuple[object, ...]]":
        """Begins or continues a scan as far as it goes without waiting. Returns its events."""
        if self._work is None:
            self._began_ms = now_ms
            self._due_ms = now_ms + SCAN_MS
            self._testing, self._test_wanted = self._test_wanted, False
            self._work = self._reader.test() if self._testing else self._reader.scan(self._many)
            resume = None
        else:
            resume = now_ms
        try:
            self._work.send(resume)  # type: ignore[arg-type]
            if now_ms - self._began_ms <= (LONGEST_OF_MANY_MS if self._many else LONGEST_MS):
                return []
            self.stop()
            error = ReaderError("never ends")
        except StopIteration as done:
            self._work = None
            return self._well(done.value)
        except Crowded:
            self._work = None
            return self._well([CROWD])
        except ReaderError as its_error:
            error = its_error
        self._work = None
        return self._ill(str(error) or "no reason given", now_ms)

    def _well(self, found: "list[str] | str") -> "list[tuple[object, ...]]":
        events: list[tuple[object, ...]] = []
        if self._dead:
            events.append(("well", self._number))
        self._failures = 0
        if self._testing:
            events.append(("tested", self._number, found))
        else:
            self._scans += 1
            events.extend(self._compare(found))
        return events

    def _ill(self, why: str, now_ms: int) -> "list[tuple[object, ...]]":
        if self._testing:
            return [("tested", self._number, "failed", why)]
        self._failures += 1
        self._why = why
        if self._dead:
            self._due_ms = now_ms + RETRY_MS
        if self._failures != SCANS_TO_BE_DEAD:
            return []
        # It may be dead for a long time, so start over with whatever was not certain yet.
        self._coming = {}
        self._there = dict.fromkeys(self._there, 0)
        return [("dead", self._number, why)]

    def _compare(self, found: "list[str] | str") -> "list[tuple[object, ...]]":
        """Returns what is now certain: a tag has come when seen twice in a row, and gone when missed three times."""
        events: list[tuple[object, ...]] = []
        for tag in sorted(self._there):
            if tag in found or CROWD in found:
                # In a crowd no single tag can be read; that does not mean that one has gone.
                self._there[tag] = 0
                continue
            self._there[tag] += 1
            if self._there[tag] >= SCANS_TO_BE_GONE:
                del self._there[tag]
                events.append(("clear", self._number) if tag == CROWD else ("gone", self._number, tag))
        self._coming = {tag: self._coming.get(tag, 0) + 1 for tag in found if tag not in self._there}
        for tag in sorted(self._coming):
            # Now and then a crowd looks like one tag, the nearest, so nothing is reported until it is over.
            if self._coming[tag] >= SCANS_TO_BE_SEEN and CROWD not in self._there:
                del self._coming[tag]
                self._there[tag] = 0
                events.append(("crowd", self._number) if tag == CROWD else ("seen", self._number, tag))
        return events

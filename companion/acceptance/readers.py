"""Tries hubs and readers: hello, a tap at each reader, its range, and two tags at once."""

from __future__ import annotations

from typing import Final

from companion.acceptance.bench import (
    ENTER,
    HAPPENED,
    LATE,
    NO,
    REPEAT,
    SKIP,
    UNANSWERED,
    Bench,
    Heard,
    Task,
)
from companion.acceptance.figures import as_ms, sent_again
from companion.acceptance.part import AcceptancePart, PartRecord
from companion.doctor.equipment import PATIENCE_S
from companion.doctor.readers import ANSWER_S, answers, done_testing
from hardware.board import Board, Place, Reader
from hardware.link import CROWD, DEAD, VERSION
from hardware.pieces import HubPort, SerialPieces
from hardware.ports import Fault

HEIGHTS_MM: Final = (0, 5, 10, 15)
"""The heights at which a tag is tried."""
SETTLE_S: Final = 1.0
"""How long a reader gets to see, or to miss, what is held to it: many scans."""
WIRES: Final = "Check its wires to the hub; companion board wiring shows them."
THERE: Final = {ENTER: "it is there", SKIP: "skip", REPEAT: "repeat"}
BOTH_THERE: Final = {ENTER: "both are there", SKIP: "skip"}


class ReadersPart(AcceptancePart):
    """Greets the hubs, and asks for a tap at every reader."""

    name = "readers"
    title = "Hubs and readers"
    ahead = "Take two pieces with tags, and something to raise one by 5, 10 and 15 mm: cards, coins, cardboard."

    def missing(self, board: Board) -> str:
        """Returns that the board has no readers, if it has none."""
        return "" if _reading(board) else "This board has no readers."

    def walk(self, bench: Bench, record: PartRecord) -> None:
        with bench.devices.pieces(bench.board) as pieces, bench.listening(pieces) as heard:
            trial = _Trial(bench, pieces, heard, record)
            try:
                trial.greet()
                trial.tap_all()
                trial.two_at_once()
            finally:
                trial.note_lines()


def _reading(board: Board) -> list[Place]:
    return [place for place in board.places.values() if place.reader is not None]


class _Trial:
    """The hubs and readers of one board, tried one after another."""

    def __init__(self, bench: Bench, pieces: SerialPieces, heard: Heard, record: PartRecord) -> None:
        self._bench = bench
        self._hubs = pieces.hubs
        self._heard = heard
        self._record = record
        self._tags: set[str] = set()
        self._heard_before = {
            name: max((line.number for line in port.link.log.lines()), default=0) for name, port in pieces.hubs.items()
        }
        """The number of the last line of each hub that is not ours to judge."""
        self._answered_by: dict[str, str] = {}
        """For each place whose reader was given a tag, the one that saw it."""

    # Hubs.

    def greet(self) -> None:
        """Waits for the hubs, and has their readers test themselves."""
        ports = self._hubs.values()
        self._bench.await_(lambda: all(map(answers, ports)), PATIENCE_S)
        asked_s = self._bench.clock()
        for port in ports:
            port.test_readers()
        tested = self._bench.await_(lambda: all(map(done_testing, ports)), ANSWER_S)
        took_ms = as_ms(self._bench.clock() - asked_s)
        for name, port in self._hubs.items():
            figures = self._record.group("hubs", name)
            figures.update(
                {
                    "answers": answers(port),
                    "protocol": VERSION,
                    "chip": port.hub.chip,
                    "mode": port.hub.mode,
                    "readers": port.hub.readers,
                    "most_readers": port.link.most_readers,
                    "tests": {str(number): test.result for number, test in sorted(port.tests.items())},
                    "test_within_ms": took_ms if tested else None,
                }
            )
            if not answers(port):
                why = self._heard.trouble(Fault.LOST_HUB, name)
                self._record.problem(
                    f"The hub {name} does not answer{f' ({why.why})' if why and why.why else ''}.",
                    f"companion doctor says more about it; companion firmware install {name} brings its program up to "
                    "date.",
                )
                continue
            failed = [number for number in range(port.hub.readers) if not _passed(port, number)]
            for number in failed:
                result = port.tests[number].result if number in port.tests else "no answer"
                where = self._bench.board.place_of(Reader(name, number)) or f"{name}/{number}"
                self._record.problem(f"The reader of {where} failed its own test ({result}).", WIRES)
            if not failed:
                self._record.ok(f"The hub {name} answers, and its {port.hub.readers} readers passed their own test.")

    def note_lines(self) -> None:
        """Records how well the hubs' lines came through."""
        for name, port in self._hubs.items():
            again = sent_again(port.link.log.lines(self._heard_before[name]))
            self._record.group("hubs", name).update(
                {"bad_lines": port.link.bad_lines, "sent_again": again, "opened": port.opened}
            )
            if port.link.bad_lines or port.opened > 1:
                self._record.warning(
                    f"The line of the hub {name} is not clean: {port.link.bad_lines} bad lines, {again} events sent "
                    f"again, opened {port.opened} times.",
                    "Try another USB cable and another socket.",
                )
        self._record.figures["different_tags"] = len(self._tags)

    # Readers.

    def tap_all(self) -> None:
        """Asks for a tag at every reader, and measures its range if somebody wants to."""
        text = f"Measure how far each reader reads, up to {HEIGHTS_MM[-1]} mm?"
        answer = self._bench.ask(Task("range", "", text, {ENTER: "yes", SKIP: "no, only tap"}, 120.0))
        for place in _reading(self._bench.board):
            figures = self._record.group("readers", place.name)
            if self._fails(place):
                figures["seen"] = False
            elif self._tap(place):
                if answer == ENTER:
                    self._measure_range(place)
                self._take_away(place)
        swapped = {name: other for name, other in self._answered_by.items() if name != other}
        for name, other in swapped.items():
            self._record.problem(
                f"You held the tag to {name}, {other} answered.",
                "Swap the readers' places, or their lines in the board file.",
            )
        well = [place.name for place in _reading(self._bench.board) if self._answered_by.get(place.name) == place.name]
        self._record.sum_up(len(well), len(_reading(self._bench.board)), "readers see a tag that is held to them")

    def _fails(self, place: Place) -> bool:
        """Records a reader that does not answer. Returns whether it is one."""
        port, number = self._reader(place)
        if not answers(port):
            self._record.skipped(f"The reader of {place.name} was not tried, because its hub does not answer.")
            return True
        if DEAD in port.link.here[number]:
            trouble = self._heard.trouble(Fault.DEAD_READER, place.name)
            why = f" ({trouble.why})" if trouble and trouble.why else ""
            self._record.problem(f"The reader of {place.name} does not answer{why}.", WIRES)
            return True
        return False

    def _tap(self, place: Place) -> bool:
        """Asks for a tag at a reader. Returns whether the reader saw it."""
        figures = self._record.group("readers", place.name)
        tries = 0
        while True:
            tries += 1
            self._heard.forget()
            asked_s = self._bench.clock()
            task = Task("tap", place.name, f"Hold a tag to the reader of {place.label}, and leave it there.")
            answer = self._bench.ask(task, lambda: bool(self._heard.taps()))
            if answer == REPEAT:
                continue
            figures.update({"seen": answer == HAPPENED, "tries": tries})
            if answer == LATE:
                self._record.problem(f"The reader of {place.name} saw no tag.", WIRES)
            if answer in UNANSWERED:
                if answer == SKIP:
                    self._record.skipped(f"The reader of {place.name} was skipped.")
                return False
            seen_s, tap = self._heard.taps()[0]
            if tap.place != place.name and not self._meant(place, tap.place):
                continue
            figures.update({"answered_by": tap.place, "seen_after_ms": as_ms(seen_s - asked_s)})
            self._answered_by[place.name] = tap.place
            self._tags.add(tap.tag)
            return tap.place == place.name

    def _meant(self, place: Place, by: str) -> bool:
        """Asks whether the tag is at the right reader, although another one saw it."""
        yes_or_again = {ENTER: "yes", NO: "no, let me try again"}
        text = f"{self._bench.board.label(by)} saw it. Is it at the reader of {place.label}?"
        return self._bench.ask(Task("confirm", by, text, yes_or_again)) != NO

    def _measure_range(self, place: Place) -> None:
        """Has the tag raised step by step, and records the last height at which it is still read."""
        figures = self._record.group("readers", place.name)
        last_mm = None
        for height in HEIGHTS_MM:
            answer = ENTER if height == 0 else REPEAT
            while answer == REPEAT:
                text = f"Raise the tag to {height} mm above {place.label}, and leave it there."
                answer = self._bench.ask(Task("raise", place.name, text, THERE, amount=height))
            if answer != ENTER:
                break
            self._bench.pause(SETTLE_S)
            if not self._tags_at(place):
                break
            last_mm = height
        figures["range_mm"] = last_mm
        more = " or more" if last_mm == HEIGHTS_MM[-1] else ""
        self._bench.person.say(
            f"  {place.name}: not read while it lay still"
            if last_mm is None
            else f"  {place.name}: read up to {last_mm} mm{more}"
        )

    def _take_away(self, place: Place, words: str = "Take the tag away.") -> None:
        task = Task("take", place.name, words)
        port, number = self._reader(place)
        self._bench.ask(task, lambda: not port.link.here[number] - {DEAD})

    def _tags_at(self, place: Place) -> frozenset[str]:
        """Returns the tags at a reader now."""
        port, number = self._reader(place)
        return port.link.here[number] - {CROWD, DEAD}

    def _reader(self, place: Place) -> tuple[HubPort, int]:
        assert place.reader is not None
        return self._hubs[place.reader.hub], place.reader.number

    # Two at once.

    def two_at_once(self) -> None:
        """Has two tags held to one reader of each hub."""
        for name, port in self._hubs.items():
            places = [place for place in _reading(self._bench.board) if place.reader and place.reader.hub == name]
            place = next((each for each in places if self._answered_by.get(each.name) == each.name), None)
            if place is None:
                continue
            task = Task("two", place.name, f"Hold two tags to the reader of {place.label} together.", BOTH_THERE)
            if self._bench.ask(task) != ENTER:
                self._record.skipped(f"Two tags at once were not tried at the hub {name}.")
                continue
            self._bench.pause(SETTLE_S)
            _, number = self._reader(place)
            crowded, count = CROWD in port.link.here[number], len(self._tags_at(place))
            self._tags |= self._tags_at(place)
            seen = "crowded" if crowded else f"{count} tags"
            self._record.group("hubs", name)["two_at_once"] = seen
            if crowded if port.hub.mode == "tap" else count == 2:
                self._record.ok(f"Two tags at once at {place.name}: {seen}, as it should be.")
            else:
                self._record.warning(
                    f"Two tags at once at {place.name}: {seen}.",
                    "Hold pieces to a reader one at a time: of two, this one notices only some.",
                )
            self._take_away(place, "Take both away.")


def _passed(port: HubPort, number: int) -> bool:
    test = port.tests.get(number)
    return test is not None and test.passed

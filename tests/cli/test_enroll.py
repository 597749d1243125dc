"""Enrolment at the command line: whole, interrupted, resumed, afresh, and with everything that can be held wrong."""

from __future__ import annotations

import os
import sys
import threading
import time
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

import click
import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.cli.enroll import Console, report, run, selector
from companion.engine.pieces import WHOLE_SET, Piece, PieceKind
from companion.storage.database import open_database
from companion.storage.tags import Batch, Tags
from hardware.board import Board
from hardware.ports import Fault, Gesture, GestureListener, Tap, Trouble
from tests.support.terminal import OWN_TERMINAL, ProgramInTerminal

ROOT = Path(__file__).parents[2]
RED, BLUE, KING = Piece(PieceKind.CABALLERO, "red"), Piece(PieceKind.CABALLERO, "blue"), Piece(PieceKind.KING)
ENTER, CTRL_C = "Enter", "Ctrl-C"

Step = str | Gesture
"""What a person does: a tag is tapped, a key pressed, or the device has something else to say."""


class Hand:
    """Pieces that are tapped from a program; as with a real device, the listener is called in another thread."""

    def __init__(self) -> None:
        self.listeners: list[GestureListener] = []
        self.closed = False

    def listen(self, listener: GestureListener) -> None:
        self.listeners.append(listener)

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def tell(self, gesture: Gesture) -> None:
        for listener in self.listeners:
            thread = threading.Thread(target=listener, args=(gesture,))
            thread.start()
            thread.join()


class Person(Console):
    """Somebody at the table: does what was planned for each batch, one step when asked and others when all is quiet."""

    def __init__(self, hand: Hand, plan: dict[Piece, Sequence[Step]]) -> None:
        super().__init__()
        self.hand = hand
        self.plan = plan
        self.steps: list[Step] = []
        self.said: list[str] = []
        self.asked: list[Piece] = []
        self.resting = False

    def say(self, text: str) -> None:
        self.said.append(text.strip())
        super().say(text)

    def begin(self, batch: Batch) -> None:
        super().begin(batch)
        self.asked.append(batch.piece)
        self.resting = False
        self.steps = list(self.plan.get(batch.piece, ()))
        self.tap_on()

    def end(self, batch: Batch, forgotten: Sequence[str]) -> None:
        super().end(batch, forgotten)
        self.resting = True

    def entered(self) -> bool:
        if self.resting and not self.steps:
            return False
        assert self.steps, f"enrolment waits for more; said last: {self.said[-3:]}"
        step = self.steps.pop(0)
        if step == CTRL_C:
            raise KeyboardInterrupt
        self.tap_on()
        return step == ENTER

    def tap_on(self) -> None:
        """Taps, up to the next key."""
        while self.steps and self.steps[0] not in (ENTER, CTRL_C):
            step = self.steps.pop(0)
            self.hand.tell(Tap(step, "galicia") if isinstance(step, str) else step)


def names(piece: Piece, count: int | None = None, letter: str = "") -> list[str]:
    """Tags for a piece: as many as are wanted."""
    return [f"{letter}{selector(piece)}-{number:02}" for number in range(WHOLE_SET[piece] if count is None else count)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
def tags(file: Path) -> Iterator[Tags]:
    with open_database(file) as database:
        yield Tags(database)


def enrolled(tags: Tags, *pieces: Piece) -> None:
    for piece in pieces:
        for tag in names(piece):
            tags.enrol(tag, piece)


def enrolment(
    tags: Tags, plan: dict[Piece, Sequence[Step]], *pieces: Piece, afresh: bool = False, rest_s: float = 0
) -> Person:
    """Enrols pieces by a plan, and gives the person, who knows what was said."""
    hand = Hand()
    person = Person(hand, plan)
    run(hand, [Batch(tags, piece, afresh) for piece in pieces or plan], person, rest_s)
    return person


# --- batches ---------------------------------------------------------------------------------------------------------


def test_the_whole_set_is_enrolled_batch_by_batch(tags: Tags) -> None:
    person = enrolment(tags, {piece: names(piece) for piece in WHOLE_SET})
    assert tags.counts() == WHOLE_SET
    assert all(tags.what(tag) == piece for piece in WHOLE_SET for tag in names(piece))
    assert person.asked == list(WHOLE_SET)
    asked = [line for line in person.said if line.startswith("Tap ")]
    assert asked[:2] == [
        "Tap all red caballeros at any reader, one after another: 30 of them.",
        "Tap the red Grande at any reader.",
    ]
    assert asked[-3:] == ["Tap the King at any reader.", *(f"Tap score tile {n} at any reader." for n in (8, 4))]
    taps = [line for line in person.said if " of 30: " in line]
    assert taps[0] == "1 of 30: red-caballeros-00 is a red caballero now."
    assert len(taps) == 150
    assert "The red caballeros: 30 of 30 enrolled." in person.said
    assert "missing" not in " ".join(person.said)


def test_a_tag_left_on_the_reader_or_tapped_again_counts_once(tags: Tags) -> None:
    first, *others = names(RED)
    away = Tap(first, "galicia", gone=True)
    person = enrolment(tags, {RED: [first, away, first, *others]})
    assert "1 of 30: red-caballeros-00 was already tapped in this batch; it counts once." in person.said
    assert tags.counts()[RED] == 30
    unseen = enrolment(tags, {KING: [Tap("K", "galicia", gone=True), ENTER]})
    assert unseen.said[-1].startswith("The King: 0 of 1 enrolled, 1 missing.")


def test_a_tag_enrolled_elsewhere_is_refused_with_where_in_words(tags: Tags) -> None:
    enrolled(tags, RED)
    other = names(RED)[7]
    person = enrolment(tags, {BLUE: [other, *names(BLUE)]})
    words = "0 of 30: Refused: red-caballeros-07 is enrolled as a red caballero. "
    assert f"{words}If that is wrong: companion enroll --forget red-caballeros-07" in person.said
    assert tags.what(other) == RED
    assert tags.counts()[BLUE] == 30


def test_enter_ends_a_batch_before_it_is_full_and_what_is_missing_is_said(tags: Tags) -> None:
    person = enrolment(tags, {RED: [*names(RED, 28), ENTER], KING: names(KING)})
    words = "The red caballeros: 28 of 30 enrolled, 2 missing. Later: companion enroll --only red-caballeros"
    assert words in person.said
    assert tags.counts()[RED] == 28
    assert tags.counts()[KING] == 1


def test_a_batch_goes_on_where_it_was_left(tags: Tags) -> None:
    enrolment(tags, {RED: [*names(RED, 28), ENTER]})
    person = enrolment(tags, {RED: names(RED)})
    assert "28 are enrolled already, 2 to go." in person.said
    assert "28 of 30: red-caballeros-00 was already a red caballero, and stays so." in person.said
    assert tags.counts()[RED] == 30


def test_a_piece_too_many_is_not_enrolled_as_the_next(tags: Tags) -> None:
    person = enrolment(tags, {RED: [*names(RED), "SPARE", ENTER], KING: names(KING)}, rest_s=60)
    words = "30 of 30: Refused: SPARE is one too many; no more tags are needed for the red caballeros."
    assert words in person.said
    assert "SPARE" not in tags
    assert tags.standing_for(KING) == names(KING)


def test_the_next_batch_begins_by_itself_after_a_rest(tags: Tags) -> None:
    begin = time.monotonic()
    enrolment(tags, {Piece(PieceKind.TILE, "8"): ["T8"], Piece(PieceKind.TILE, "4"): ["T4"]}, rest_s=0.05)
    assert time.monotonic() - begin >= 0.05
    assert tags.what("T4") == Piece(PieceKind.TILE, "4")


def test_troubles_are_told_while_enrolment_waits(tags: Tags) -> None:
    lost = Trouble(Fault.LOST_HUB, "west", "unplugged")
    crowd = Trouble(Fault.CROWDED_READER, "galicia")
    unknown = Trouble(Fault.UNKNOWN_TAG, "galicia", "K")
    over = Trouble(Fault.LOST_HUB, "west", over=True)
    person = enrolment(tags, {KING: [lost, crowd, unknown, over, "K"]})
    assert person.said[1:4] == [lost.text, crowd.text, "The hub west answers again."]
    assert unknown.text not in person.said
    assert tags.what("K") == KING


def test_what_is_tapped_right_after_enter_is_in_no_batch(tags: Tags) -> None:
    late = [*names(RED, 28), ENTER, "LATE"]
    person = enrolment(tags, {RED: late, KING: ["K"]}, rest_s=0.3)
    assert "Ignored: LATE was tapped between two batches. Tap it again when you are asked for it." in person.said
    assert tags.what("LATE") is None
    assert tags.what("K") == KING


# --- hubs ------------------------------------------------------------------------------------------------------------


class Hubs(Hand):
    """Pieces with hubs, some of which are lost."""

    def __init__(self, **conditions: str) -> None:
        super().__init__()
        self.hubs = {name: types.SimpleNamespace(condition=condition) for name, condition in conditions.items()}

    def listen(self, listener: GestureListener) -> None:
        super().listen(listener)
        for name, hub in self.hubs.items():
            if hub.condition == "lost":
                self.tell(Trouble(Fault.LOST_HUB, name, "unplugged"))


def test_nothing_is_asked_for_while_no_hub_answers(tags: Tags) -> None:
    hubs = Hubs(west="lost", north="lost")
    person = Person(hubs, {})
    with pytest.raises(click.ClickException, match=r"No reader answers\. To find out why: companion doctor --real"):
        run(hubs, [Batch(tags, KING)], person)
    assert person.asked == []
    assert [line.partition(" (")[0] for line in person.said] == [
        "The hub west does not answer",
        "The hub north does not answer",
    ]


def test_a_hub_that_says_nothing_at_all_is_waited_for(tags: Tags, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["companion.cli.enroll"], "PATIENCE_S", 0.2)
    hubs = Hubs(west="greeting")
    with pytest.raises(click.ClickException, match="No reader answers"):
        run(hubs, [Batch(tags, KING)], Person(hubs, {}))
    threading.Timer(0.1, lambda: hubs.hubs.update(west=types.SimpleNamespace(condition="in step"))).start()
    monkeypatch.setattr(sys.modules["companion.cli.enroll"], "PATIENCE_S", 20.0)
    run(hubs, [Batch(tags, KING)], Person(hubs, {KING: ["K"]}))
    assert tags.what("K") == KING


def test_the_hubs_that_are_missing_are_told_and_the_others_are_enough(tags: Tags) -> None:
    hubs = Hubs(west="in step", north="lost")
    person = Person(hubs, {KING: ["K"]})
    run(hubs, [Batch(tags, KING)], person)
    assert person.said[0].startswith("The hub north does not answer")
    assert person.said[1] == "Tap the King at any reader."
    assert tags.what("K") == KING


# --- afresh ----------------------------------------------------------------------------------------------------------


def test_new_tags_take_the_place_of_lost_ones(tags: Tags) -> None:
    enrolled(tags, RED, BLUE)
    person = enrolment(tags, {RED: [*names(RED, 28), "NEW1", "NEW2"]}, afresh=True)
    assert set(tags.standing_for(RED)) == {*names(RED, 28), "NEW1", "NEW2"}
    assert "Removed, because they were not tapped: red-caballeros-28, red-caballeros-29." in person.said
    assert tags.counts()[BLUE] == 30


def test_afresh_an_interruption_forgets_nothing(tags: Tags) -> None:
    enrolled(tags, RED)
    with pytest.raises(KeyboardInterrupt):
        enrolment(tags, {RED: [*names(RED, 5), "NEW", CTRL_C]}, afresh=True)
    assert set(tags.standing_for(RED)) == {*names(RED), "NEW"}
    assert "red-caballeros           31      30  1 too many: --replace" in report(tags)


def test_afresh_enter_is_asked_for_twice_before_tags_are_forgotten(tags: Tags) -> None:
    enrolled(tags, RED)
    person = enrolment(tags, {RED: [*names(RED, 27), ENTER, names(RED)[27], ENTER, ENTER]}, afresh=True)
    questions = [line for line in person.said if "have not been tapped" in line]
    assert questions == [
        f"{count} enrolled tags have not been tapped. Press Enter again to remove them, or keep tapping."
        for count in (3, 2)
    ]
    assert tags.standing_for(RED) == names(RED, 28)


def test_afresh_enter_without_a_tap_leaves_the_batch_as_it_was(tags: Tags) -> None:
    enrolled(tags, RED)
    person = enrolment(tags, {RED: [ENTER]}, afresh=True)
    assert person.said[-1] == "The red caballeros: nothing was tapped, so nothing was changed."
    assert tags.counts()[RED] == 30


# --- the command -----------------------------------------------------------------------------------------------------


def typed(file: Path, *args: str) -> Result:
    return CliRunner().invoke(main, ("enroll", "--database", str(file), *args), catch_exceptions=False)


class TappingHand(Hand):
    """Taps some tags as soon as somebody listens."""

    def __init__(self, tags: Sequence[str]) -> None:
        super().__init__()
        self.tags = tags

    def listen(self, listener: GestureListener) -> None:
        super().listen(listener)
        for tag in self.tags:
            self.tell(Tap(tag, "galicia"))


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> TappingHand:
    """What the command opens as the board's readers."""
    hand = TappingHand([])

    def open_pieces(board: Board) -> TappingHand:
        assert board.name == "standard"
        return hand

    looks = iter(range(20))

    def entered(console: Console) -> bool:
        assert next(looks, None) is not None, "enrolment waits for more than is tapped"
        return False

    monkeypatch.setattr(Console, "entered", entered)
    module = types.ModuleType("hardware.pieces")
    module.__dict__["SerialPieces"] = open_pieces
    monkeypatch.setitem(sys.modules, "hardware.pieces", module)
    return hand


def test_the_command_enrols_what_is_selected_and_closes_the_device(file: Path, device: TappingHand) -> None:
    device.tags = ["K"]
    result = typed(file, "--only", "king")
    assert result.exit_code == 0
    assert "1 of 1: K is the King now." in result.stdout
    assert "Enrolled: 1 of 158 tags." in result.stdout
    assert device.closed


def test_batches_that_are_full_are_skipped(file: Path, tags: Tags, device: TappingHand) -> None:
    enrolled(tags, *(piece for piece in WHOLE_SET if piece != KING))
    device.tags = ["K"]
    result = typed(file)
    assert result.stdout.count("Tap ") == 1
    assert "Enrolled: 158 of 158 tags." in result.stdout
    assert "all enrolled already" in typed(file).stdout
    device.tags = ["NEW"]
    assert "Removed, because they were not tapped: K." in typed(file, "--replace", "--only", "king").stdout


def test_the_list_shows_what_is_enrolled_and_what_is_missing(file: Path, tags: Tags) -> None:
    enrolled(tags, RED, KING)
    tags.enrol("B", BLUE)
    result = typed(file, "--list")
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["red-caballeros", "30", "30"] in lines
    assert ["blue-caballeros", "1", "30", "29", "missing"] in lines
    assert ["king", "1", "1"] in lines
    assert result.stdout.endswith(f"32 of 158 tags, in {file}\n")


def test_the_list_shows_only_what_is_selected(file: Path, tags: Tags) -> None:
    enrolled(tags, RED, KING)
    lines = typed(file, "--list", "--only", "king", "--only", "tile-8").stdout.splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["king", "tile-8"]
    assert lines[4:] == ["", f"1 of 2 tags, in {file}"]


def test_what_is_told_to_type_later_has_the_board_and_database_that_were_typed(
    file: Path, device: TappingHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Console, "entered", lambda console: True)
    result = typed(file, "--board", "standard", "--only", "king")
    again = f"companion enroll --board standard --database {file}"
    assert f"1 missing. Later: {again} --only king\n" in result.stdout
    assert f"`{again} --list` shows them." in result.stdout


def test_a_tag_is_forgotten_to_be_used_elsewhere(file: Path, tags: Tags) -> None:
    tags.enrol("04A1B2C3", RED)
    result = typed(file, "--forget", "04a1b2c3")
    assert result.stdout == "04A1B2C3 was a red caballero; it is free now.\n"
    assert "04A1B2C3" not in tags
    tags.enrol("04A1B2C3", KING)
    refused = typed(file, "--forget", "04A1B2C3", "--forget", "FFFFFFFF")
    assert refused.exit_code == 1
    assert "The tag FFFFFFFF is not enrolled. Nothing was removed." in refused.stderr
    assert tags.what("04A1B2C3") == KING


def test_a_board_without_readers_needs_no_tags(file: Path) -> None:
    result = typed(file, "--board", "buttons-only")
    assert result.exit_code == 1
    assert "The board buttons-only has no readers. It is played with its buttons, and needs no tags." in result.stderr


def test_a_selection_that_is_no_piece_is_refused_with_what_there_is(file: Path) -> None:
    result = typed(file, "--only", "pink-caballeros")
    assert result.exit_code == 2
    assert "no pieces called 'pink-caballeros'. Choose from red-caballeros, red-grande" in result.stderr


def test_a_file_that_is_no_database_is_told_without_a_traceback(file: Path) -> None:
    file.write_text("my diary")
    result = typed(file, "--list")
    assert result.exit_code == 1
    assert "is not a database, or it is damaged" in result.stderr
    assert file.read_text() == "my diary"


# --- in a real terminal ----------------------------------------------------------------------------------------------

# The command as it is, but for its readers: what comes in by a pipe is tapped.
AT_A_TABLE = f"""
{OWN_TERMINAL}
import threading
from hardware.ports import Tap

class Piped:
    def listen(self, listener):
        threading.Thread(target=self.read, args=(listener,), daemon=True).start()
    def read(self, listener):
        while tag := os.read(int(sys.argv[1]), 8):
            listener(Tap(tag.decode(), "galicia"))
    def __enter__(self):
        return self
    def __exit__(self, *exception):
        pass

import hardware.pieces
hardware.pieces.SerialPieces = lambda board: Piped()
from companion.cli import main
main(sys.argv[2:])
"""


class TerminalTable(ProgramInTerminal):
    """`companion enroll` in a terminal of its own, with keys and taps from a test."""

    def __init__(self, file: Path, *args: str) -> None:
        reader, self.taps = os.pipe()
        command = [sys.executable, "-c", AT_A_TABLE, str(reader), "enroll", "--database", str(file), *args]
        super().__init__(command, ROOT, [reader])
        os.close(reader)

    def tap(self, tag: str) -> None:
        os.write(self.taps, tag.ljust(8, "0").encode())

    def close(self) -> None:
        super().close()
        os.close(self.taps)


@pytest.mark.parametrize("key", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_a_stopped_enrolment_keeps_its_tags_and_says_how_to_go_on(file: Path, key: bytes) -> None:
    with TerminalTable(file, "--only", "red-caballeros", "--only", "king") as table:
        table.await_words("Tap all red caballeros")
        table.tap("A")
        table.await_words(f"[#{'-' * 29}] 1 of 30  A0000000 is a red caballero now.")
        table.tap("B")
        table.await_words("2 of 30")
        table.press(key)
        table.await_words("Saved so far: 2 of 158 tags. To continue: companion enroll ")
        table.await_words(f"--database {file} --only red-caballeros --only king")
        assert table.program.wait(20) == 130
    with TerminalTable(file, "--only", "red-caballeros") as table:
        table.await_words("2 are enrolled already, 28 to go.")
        table.tap("C")
        table.await_words("3 of 30")
        table.press(b"\n")
        table.await_words("The red caballeros: 3 of 30 enrolled, 27 missing.")
        assert table.program.wait(20) == 0


def test_a_stopped_enrolment_afresh_says_how_to_pass_over_what_is_done(file: Path, tags: Tags) -> None:
    enrolled(tags, RED)
    with TerminalTable(file, "--replace", "--only", "king", "--only", "red-caballeros") as table:
        table.await_words("Tap all red caballeros")
        table.press(b"\n")
        table.await_words("nothing was tapped, so nothing was changed.")
        table.await_words("Tap the King")
        table.press(b"\x03")
        table.await_words("When you are asked for a batch that is done, press Enter")
    assert tags.counts()[RED] == 30


def test_a_killed_enrolment_keeps_its_tags(file: Path) -> None:
    with TerminalTable(file, "--only", "red-caballeros") as table:
        table.await_words("Tap all red caballeros")
        table.tap("A")
        table.await_words("1 of 30")
        table.program.kill()
    with open_database(file) as database:
        assert Tags(database).what("A0000000") == RED


def test_a_refusal_stands_above_the_bar(file: Path, tags: Tags) -> None:
    tags.enrol("B0000000", BLUE)
    with TerminalTable(file, "--only", "red-caballeros") as table:
        table.await_words("0 of 30")
        table.tap("B")
        table.await_words("\r\x1b[K  0 of 30: Refused: B0000000 is enrolled as a blue caballero.")
        table.await_words(f" If that is wrong: companion enroll --database {file} --forget B0000000")
        table.await_words(f"[{'-' * 30}] 0 of 30")


def test_no_keyboard_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull) as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        console = Console()
        assert not console.entered()
        assert not console.entered()
    monkeypatch.setattr(sys, "stdin", None)
    assert not Console().entered()

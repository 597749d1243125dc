"""Nothing that was accepted is dropped while nothing can be saved: it is kept in order, and tried again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from companion.storage.database import open_database
from companion.storage.errors import DiskFull
from companion.storage.journal import Entry, Journal, note_entry
from companion.storage.notes import OtherNote
from companion.table.journal_writer import MOST_POSTPONED, RETRY_S, JournalWriter
from companion.table.options import Options
from companion.table.replies import Outcome
from companion.table.seat_requests import TakeSeat
from tests.support.arrange import at, turn_of
from tests.support.full_disk import SmallDisk, small_disk
from tests.support.table_rig import TableRig, journalled, table_rig

THREE = ("red", "blue", "green")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk") as mounted:
        yield mounted


@pytest.fixture
def rig(disk: SmallDisk) -> Iterator[TableRig]:
    with table_rig(disk.folder, turn_of("score-4s", THREE), Options(guided=False)) as rig:
        yield rig


def join(rig: TableRig, seat: str, phone: str, name: str = "") -> Outcome:
    rig.table.post(TakeSeat(seat, phone, name), rig.replies.append)
    rig.table.poll()
    return rig.replies[-1].outcome


def say(rig: TableRig, seat: str, line: str) -> Outcome:
    rig.say(seat, line)
    return rig.replies[-1].outcome


def fill(rig: TableRig, disk: SmallDisk) -> None:
    """Fills the disk, and what room SQLite has in its log; whatever is said goes through first."""
    disk.fill()
    while not rig.session.trouble:
        say(rig, "blue", "pace fast")
        say(rig, "blue", "pace slow")
    disk.free()
    rig.pass_s(RETRY_S)
    assert not rig.session.trouble
    disk.fill()


def test_a_move_is_kept_when_a_join_follows_on_a_full_disk(rig: TableRig, disk: SmallDisk) -> None:
    fill(rig, disk)
    saved = len(journalled(disk.folder))
    assert say(rig, "red", "place castillo") is Outcome.WAITING
    assert join(rig, "blue", "abc", "Bo") is Outcome.WAITING
    assert join(rig, "green", "def") is Outcome.WAITING
    disk.free()
    rig.pass_s(RETRY_S)
    assert not rig.session.trouble
    assert at(rig.game, "castillo", "red") == 1
    assert rig.session.holders == {"blue": "abc", "green": "def"}
    lines = [
        "red place castillo",
        '{"phone": ["blue", "abc"]}',
        '{"name": ["blue", "Bo"]}',
        '{"phone": ["green", "def"]}',
    ]
    assert [line for _, line in journalled(disk.folder)[saved:]] == lines


def test_a_move_is_kept_when_the_join_that_follows_could_be_saved(rig: TableRig, disk: SmallDisk) -> None:
    fill(rig, disk)
    assert say(rig, "red", "place castillo") is Outcome.WAITING
    disk.free()
    # It waits its turn, and does not go ahead of the move.
    assert join(rig, "blue", "abc") is Outcome.WAITING
    rig.pass_s(RETRY_S)
    assert at(rig.game, "castillo", "red") == 1
    assert rig.session.holders == {"blue": "abc"}
    assert [line for _, line in journalled(disk.folder)[-2:]] == ["red place castillo", '{"phone": ["blue", "abc"]}']


def test_what_could_only_be_saved_in_part_goes_on_where_it_stopped(rig: TableRig, disk: SmallDisk) -> None:
    fill(rig, disk)
    assert say(rig, "red", "place castillo") is Outcome.WAITING
    assert join(rig, "blue", "abc") is Outcome.WAITING
    rig.pass_s(RETRY_S)
    rig.pass_s(RETRY_S)
    assert rig.session.trouble
    assert rig.session.holders == {}
    disk.free()
    rig.pass_s(RETRY_S)
    assert at(rig.game, "castillo", "red") == 1
    assert rig.session.holders == {"blue": "abc"}
    assert rig.notices == ["Everything is saved again."]


def test_what_is_only_in_memory_is_answered_with_waiting(rig: TableRig, disk: SmallDisk) -> None:
    fill(rig, disk)
    assert say(rig, "red", "place castillo") is Outcome.WAITING
    say(rig, "blue", "go on unsaved")
    assert at(rig.game, "castillo", "red") == 1
    assert say(rig, "red", "place pais-vasco") is Outcome.WAITING
    assert join(rig, "blue", "abc") is Outcome.WAITING
    assert rig.session.holders == {"blue": "abc"}
    disk.free()
    rig.pass_s(RETRY_S)
    assert say(rig, "red", "place castillo") is Outcome.ACCEPTED
    version = rig.session.version
    assert len(journalled(disk.folder)) == version


def test_a_flood_of_joins_on_a_full_disk_is_bounded_and_the_move_is_kept(rig: TableRig, disk: SmallDisk) -> None:
    fill(rig, disk)
    assert say(rig, "red", "place castillo") is Outcome.WAITING
    outcomes = [join(rig, "blue", "abc") for _ in range(MOST_POSTPONED + 10)]
    assert outcomes == [Outcome.WAITING] * (MOST_POSTPONED - 1) + [Outcome.REFUSED] * 11
    disk.free()
    rig.pass_s(RETRY_S)
    assert at(rig.game, "castillo", "red") == 1
    assert rig.session.holders == {"blue": "abc"}


def test_a_join_that_came_to_nothing_does_not_keep_the_table_stuck(rig: TableRig, disk: SmallDisk) -> None:
    """Two phones asked for one seat; the second is refused when it is its turn."""
    fill(rig, disk)
    assert join(rig, "blue", "abc") is Outcome.WAITING
    assert join(rig, "blue", "def") is Outcome.WAITING
    disk.free()
    rig.pass_s(RETRY_S)
    assert rig.session.holders == {"blue": "abc"}
    assert not rig.session.trouble
    assert say(rig, "red", "place castillo") is Outcome.ACCEPTED


def test_the_last_thing_before_the_end_is_saved_if_it_can_be(rig: TableRig, disk: SmallDisk) -> None:
    fill(rig, disk)
    say(rig, "red", "place castillo")
    say(rig, "blue", "go on unsaved")
    assert not rig.session.save_now(rig.now_s)
    disk.free()
    assert rig.session.save_now(rig.now_s)
    with open_database(disk.folder / "table.db") as database:
        assert str(Journal(database).load(1).game.moves[-1]) == "red place castillo"


def test_actions_are_repeated_in_order(tmp_path: Path) -> None:
    """Without a disk of its own, and so for everybody: a writer whose file fails as often as the test says."""
    fails, written = [True], list[Entry]()

    class File:
        def append(self, game_id: int, entries: Sequence[Entry], after: int) -> None:
            del game_id, after
            if fails[0]:
                raise DiskFull(tmp_path)
            written.extend(entries)

    writer = JournalWriter(File(), 1, 0)

    def action(number: int) -> Callable[[], object]:
        def act() -> object:
            entry = note_entry(OtherNote({"number": number}))
            return writer.keep([entry], 0, 0.0) or writer.postpone(act)

        return act

    for number in range(4):
        action(number)()
    assert not writer.try_again(RETRY_S)
    fails[0] = False
    action(4)()
    assert written == []
    assert writer.try_again(2 * RETRY_S)
    assert [entry.line for entry in written] == [f'{{"number": {number}}}' for number in range(5)]
    assert writer.version == 5

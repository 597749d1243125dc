"""Saving at the table: nothing is seen before it is on disk; a disk that fails is told, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from companion.engine import Game
from companion.storage.database import Database, open_database
from companion.storage.errors import DatabaseError, DiskFull, FileInUse, ReadOnlyFile
from companion.storage.journal import Entry, Journal
from companion.table.journal_writer import RETRY_S
from companion.table.options import Options
from companion.table.seat_requests import TakeSeat
from hardware.ports import Pattern
from tests.support.arrange import at, opening, turn_of
from tests.support.table_rig import TableRig, journalled, table_rig

THREE = ("red", "blue", "green")


class Disk:
    """A journal whose disk can fail, and which calls back before it writes."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.error: type[DatabaseError] | None = None
        self.written_though = False
        """Whether what seems to fail is on disk all the same."""
        self.trials = 0
        self.before: Callable[[Sequence[Entry]], None] = lambda entries: None

    def append(self, game_id: int, entries: Sequence[Entry], after: int) -> object:
        self.before(entries)
        self.trials += 1
        if self.error is not None:
            if self.written_though:
                self.journal.append(game_id, entries, after)
            raise self.error(Path("table.db"))
        return self.journal.append(game_id, entries, after)


class Disks:
    """Makes a disk for a table, and keeps it for the test."""

    disk: Disk

    def __call__(self, journal: Journal) -> Disk:
        self.disk = Disk(journal)
        return self.disk


@pytest.fixture
def disks() -> Disks:
    return Disks()


def placing() -> Game:
    return turn_of("score-4s", THREE)


def state(rig: TableRig) -> tuple[object, ...]:
    return rig.game.record(), rig.session.version, rig.session.made_by


@pytest.mark.parametrize("error", [DiskFull, ReadOnlyFile, FileInUse])
def test_what_cannot_be_saved_does_not_happen_and_is_told(
    error: type[DatabaseError], disks: Disks, tmp_path: Path
) -> None:
    with table_rig(tmp_path, placing(), journal_file=disks) as rig:
        before, move = state(rig), len(rig.game.moves)
        disks.disk.error = error
        rig.press("castillo")
        assert state(rig) == before
        assert rig.notices[0] == f"Not saved since move {move}."
        assert str(error(Path("table.db"))) in " ".join(rig.notices[1:])
        for seat in THREE:
            assert rig.choices(seat) == ["go on unsaved"]
        # Until that is decided nothing else is taken.
        rig.press("pais-vasco", "undo", "confirm")
        rig.say("red", "place pais-vasco", "undo")
        rig.change_player("red", "easy")
        assert state(rig) == before
        assert rig.session.options.player("red") == "person"
        assert len(journalled(tmp_path)) == before[1]
        disks.disk.error = None
        rig.pass_s(RETRY_S)
        assert [str(move) for move in rig.game.moves[move:]] == ["red place castillo"]


def test_it_is_tried_again_every_five_seconds_and_then_takes_effect(disks: Disks, tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), journal_file=disks) as rig:
        disks.disk.error = DiskFull
        rig.press("castillo")
        trials = disks.disk.trials
        assert rig.table.poll() == RETRY_S or rig.lit(Pattern.BLINK)
        rig.pass_s(RETRY_S - 0.1)
        assert disks.disk.trials == trials
        rig.pass_s(0.1)
        assert disks.disk.trials == trials + 1
        disks.disk.error = None
        rig.pass_s(RETRY_S)
        assert at(rig.game, "castillo", "red") == 1
        assert rig.notices == ["Everything is saved again."]
        assert rig.choices("red") != ["go on unsaved"]
        rig.press("castillo")
        assert at(rig.game, "castillo", "red") == 2
    assert [line for _, line in journalled(tmp_path)[-2:]] == ["red place castillo"] * 2


def test_a_phone_keeps_its_seat_until_it_is_saved_that_a_bot_plays_it(disks: Disks, tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), journal_file=disks) as rig:
        rig.table.post(TakeSeat("blue", "abc"))
        rig.table.poll()
        disks.disk.error = DiskFull
        rig.change_player("blue", "easy")
        assert rig.moment.holders == {"blue": "abc"}
        disks.disk.error = None
        rig.pass_s(RETRY_S)
        assert rig.moment.holders == {}
        assert rig.session.options.player("blue") == "easy"
    kept = [line for _, line in journalled(tmp_path)[-3:] if "handover" not in line]
    assert kept == ['{"player": ["blue", "easy"]}', '{"phone": ["blue", ""]}']


def test_in_memory_only_when_the_players_say_so_and_all_that_was_missed_is_saved_in_order(
    disks: Disks, tmp_path: Path
) -> None:
    with table_rig(tmp_path, placing(), journal_file=disks) as rig:
        move = len(rig.game.moves)
        disks.disk.error = DiskFull
        rig.press("castillo")
        rig.say("blue", "go on unsaved")
        assert at(rig.game, "castillo", "red") == 1
        trials = disks.disk.trials
        rig.press("pais-vasco", "undo", "confirm", "castillo")
        rig.change_player("blue", "easy")
        assert disks.disk.trials == trials  # a slow disk does not hold every gesture
        assert rig.notices[0] == f"Not saved since move {move}."
        assert rig.choices("red") != ["go on unsaved"]
        saved = len(journalled(tmp_path))
        rig.pass_s(RETRY_S)
        assert disks.disk.trials == trials + 1
        assert rig.notices[0] == f"Not saved since move {move}."
        disks.disk.error = None
        rig.pass_s(RETRY_S)
        assert rig.notices == ["Everything is saved again."]
        assert [line for _, line in journalled(tmp_path)[saved:]] == [
            "red place castillo", "red place pais-vasco", "1", "red place castillo",
            '{"player": ["blue", "easy"]}', '{"handover": ["blue", 18, "easy", "table"]}',
        ]  # fmt: skip
        record, version, made_by = state(rig)
    with open_database(tmp_path / "table.db") as database:
        kept = Journal(database).load(1)
        assert (kept.game.record(), kept.entries, kept.made_by) == (record, version, made_by)
        assert Options().after(kept.notes).player("blue") == "easy"


def test_what_was_written_though_it_seemed_to_fail_is_not_written_twice(disks: Disks, tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), journal_file=disks) as rig:
        disks.disk.error, disks.disk.written_though = DiskFull, True
        rig.press("castillo")
        disks.disk.error = None
        rig.pass_s(RETRY_S)
        rig.press("pais-vasco")
        assert rig.notices == []
    assert [line for _, line in journalled(tmp_path)[-2:]] == ["red place castillo", "red place pais-vasco"]


def test_a_deal_that_cannot_be_saved_is_not_seen_and_comes_the_same_later(disks: Disks, tmp_path: Path) -> None:
    with table_rig(tmp_path, Game(THREE), Options(guided=False)) as rig:
        dealt = rig.game.record()

    def failing(journal: Journal) -> Disk:
        disks(journal).error = DiskFull
        return disks.disk

    (tmp_path / "full").mkdir()
    with table_rig(tmp_path / "full", Game(THREE), Options(guided=False), journal_file=failing) as rig:
        assert rig.game.moves == ()
        trials = disks.disk.trials
        rig.pass_s(1)
        rig.pass_s(1)
        assert disks.disk.trials == trials
        assert rig.choices("red") == ["go on unsaved"]
        disks.disk.error = None
        rig.pass_s(RETRY_S)
        assert rig.game.record() == dealt


def test_a_bots_move_and_an_undo_wait_for_the_disk_too(disks: Disks, tmp_path: Path) -> None:
    options = Options(players={"red": "easy"}, guided=False, pace="fast")
    with table_rig(tmp_path, opening(THREE), options, journal_file=disks) as rig:
        before = state(rig)
        disks.disk.error = FileInUse
        rig.think("red power 9")
        assert state(rig) == before
        disks.disk.error = None
        rig.pass_s(RETRY_S)
        assert str(rig.game.moves[-1]) == "red power 9"
        rig.say("blue", "power 3")
        disks.disk.error = FileInUse
        rig.press("undo")
        assert str(rig.game.moves[-1]) == "blue power 3"
        disks.disk.error = None
        rig.pass_s(RETRY_S)
        assert str(rig.game.moves[-1]) == "red power 9"


def test_a_real_full_disk(tmp_path: Path) -> None:
    database: list[Database] = []

    def filled(journal: Journal) -> Journal:
        database.append(journal.database)
        return journal

    with table_rig(tmp_path, placing(), Options(guided=False), journal_file=filled) as rig:
        [[pages]] = database[0].execute("PRAGMA page_count")
        database[0].execute(f"PRAGMA max_page_count = {pages}")
        move = 0
        while rig.notices[:1] != [f"Not saved since move {move}."]:
            move = len(rig.game.moves)
            seat = rig.game.to_act[0]
            prompt = rig.prompt(seat)
            rig.insist(seat, (prompt.choices or prompt.places)[-1].line)
            assert move < 300
        before, entries = rig.game.record(), len(journalled(tmp_path))
        assert entries == rig.session.version
        database[0].execute("PRAGMA max_page_count = 100000")
        rig.pass_s(RETRY_S)
        assert len(rig.game.moves) > move
        assert rig.game.record().startswith(before.rstrip("\n"))
        assert len(journalled(tmp_path)) == rig.session.version > entries


# --- Before it is seen -----------------------------------------------------------------------------------------------


def test_no_effect_leaves_before_its_commit_has_returned(disks: Disks, tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), journal_file=disks) as rig:
        shown = []

        def look(entries: Sequence[Entry]) -> None:
            del entries
            shown.append((len(rig.lights.scenes), len(rig.display.moments), rig.scene, rig.moment))

        disks.disk.before = look
        for gesture in range(5):
            before = len(rig.lights.scenes), len(rig.display.moments), rig.scene, rig.moment
            if gesture < 3:
                rig.press("castillo")
            elif gesture == 3:
                rig.press("undo")
            else:
                rig.say("red", "place castillo")
            assert shown.pop(0) == before
            shown.clear()
            assert rig.moment != before[3]


def test_a_press_is_acknowledged_by_light_before_a_slow_disk_has_it(disks: Disks, tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), journal_file=disks) as rig:
        lit: list[tuple[list[str], float]] = []

        def slowly(entries: Sequence[Entry]) -> None:
            del entries
            lit.append((list(rig.lights.acknowledged), rig.now_s))
            rig.now_s += 0.2

        disks.disk.before = slowly
        pressed_s = rig.now_s
        rig.press("castillo")
        assert lit == [(["castillo"], pressed_s)]
        assert rig.now_s == pressed_s + 0.2
        assert at(rig.game, "castillo", "red") == 1

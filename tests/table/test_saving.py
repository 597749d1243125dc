"""Saving at the table: nothing is seen before it is on disk; a disk that fails is told, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from companion.engine import Game
from companion.storage.database import Database, DatabaseError, DiskFull, FileInUse, ReadOnlyFile, open_database
from companion.storage.journal import Entry, Journal
from companion.table.journal_writer import RETRY_S
from companion.table.options import Options
from companion.table.seat_holders import Seated
from hardware.ports import Pattern
from tests.support.arrange import at, opening, turn_of
from tests.support.table_rig import Bench, at_a_bench, journalled

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


def state(bench: Bench) -> tuple[object, ...]:
    return bench.game.record(), bench.table.version, bench.table.made_by


@pytest.mark.parametrize("error", [DiskFull, ReadOnlyFile, FileInUse])
def test_what_cannot_be_saved_does_not_happen_and_is_told(
    error: type[DatabaseError], disks: Disks, tmp_path: Path
) -> None:
    with at_a_bench(tmp_path, placing(), diary=disks) as bench:
        before, move = state(bench), len(bench.game.moves)
        disks.disk.error = error
        bench.press("castillo")
        assert state(bench) == before
        assert bench.notices[0] == f"Not saved since move {move}."
        assert str(error(Path("table.db"))) in " ".join(bench.notices[1:])
        for seat in THREE:
            assert bench.choices(seat) == ["go on unsaved"]
        # Until that is decided nothing else is taken.
        bench.press("pais-vasco", "undo", "confirm")
        bench.say("red", "place pais-vasco", "undo", "player red easy")
        assert state(bench) == before
        assert bench.table.options.player("red") == "person"
        assert len(journalled(tmp_path)) == before[1]
        disks.disk.error = None
        bench.pass_s(RETRY_S)
        assert [str(move) for move in bench.game.moves[move:]] == ["red place castillo"]


def test_it_is_tried_again_every_five_seconds_and_then_takes_effect(disks: Disks, tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), diary=disks) as bench:
        disks.disk.error = DiskFull
        bench.press("castillo")
        trials = disks.disk.trials
        assert bench.table.poll() == RETRY_S or bench.lit(Pattern.BLINK)
        bench.pass_s(RETRY_S - 0.1)
        assert disks.disk.trials == trials
        bench.pass_s(0.1)
        assert disks.disk.trials == trials + 1
        disks.disk.error = None
        bench.pass_s(RETRY_S)
        assert at(bench.game, "castillo", "red") == 1
        assert bench.notices == ["All is saved again."]
        assert bench.choices("red") != ["go on unsaved"]
        bench.press("castillo")
        assert at(bench.game, "castillo", "red") == 2
    assert [line for _, line in journalled(tmp_path)[-2:]] == ["red place castillo"] * 2


def test_a_phone_keeps_its_seat_until_it_is_saved_that_a_bot_plays_it(disks: Disks, tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), diary=disks) as bench:
        bench.table.post(Seated("blue", "abc"))
        bench.table.poll()
        disks.disk.error = DiskFull
        bench.say("red", "player blue easy")
        assert bench.board.holders == {"blue": "abc"}
        disks.disk.error = None
        bench.pass_s(RETRY_S)
        assert bench.board.holders == {}
        assert bench.table.options.player("blue") == "easy"
    kept = [line for _, line in journalled(tmp_path)[-2:]]
    assert kept == ['{"player": ["blue", "easy"]}', '{"phone": ["blue", ""]}']


def test_in_memory_only_when_the_players_say_so_and_all_that_was_missed_is_saved_in_order(
    disks: Disks, tmp_path: Path
) -> None:
    with at_a_bench(tmp_path, placing(), diary=disks) as bench:
        move = len(bench.game.moves)
        disks.disk.error = DiskFull
        bench.press("castillo")
        bench.say("blue", "go on unsaved")
        assert at(bench.game, "castillo", "red") == 1
        trials = disks.disk.trials
        bench.press("pais-vasco", "undo", "confirm", "castillo")
        bench.say("blue", "player blue easy")
        assert disks.disk.trials == trials  # a slow disk does not hold every gesture
        assert bench.notices[0] == f"Not saved since move {move}."
        assert bench.choices("red") != ["go on unsaved"]
        saved = len(journalled(tmp_path))
        bench.pass_s(RETRY_S)
        assert disks.disk.trials == trials + 1
        assert bench.notices[0] == f"Not saved since move {move}."
        disks.disk.error = None
        bench.pass_s(RETRY_S)
        assert bench.notices == ["All is saved again."]
        assert [line for _, line in journalled(tmp_path)[saved:]] == [
            "red place castillo", "red place pais-vasco", "1", "red place castillo",
            '{"player": ["blue", "easy"]}',
        ]  # fmt: skip
        record, version, made_by = state(bench)
    with open_database(tmp_path / "table.db") as database:
        kept = Journal(database).load(1)
        assert (kept.game.record(), kept.entries, kept.made_by) == (record, version, made_by)
        assert Options().after(kept.notes).player("blue") == "easy"


def test_what_was_written_though_it_seemed_to_fail_is_not_written_twice(disks: Disks, tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), diary=disks) as bench:
        disks.disk.error, disks.disk.written_though = DiskFull, True
        bench.press("castillo")
        disks.disk.error = None
        bench.pass_s(RETRY_S)
        bench.press("pais-vasco")
        assert bench.notices == []
    assert [line for _, line in journalled(tmp_path)[-2:]] == ["red place castillo", "red place pais-vasco"]


def test_a_deal_that_cannot_be_saved_is_not_seen_and_comes_the_same_later(disks: Disks, tmp_path: Path) -> None:
    with at_a_bench(tmp_path, Game(THREE), Options(guided=False)) as bench:
        dealt = bench.game.record()

    def failing(journal: Journal) -> Disk:
        disks(journal).error = DiskFull
        return disks.disk

    (tmp_path / "full").mkdir()
    with at_a_bench(tmp_path / "full", Game(THREE), Options(guided=False), diary=failing) as bench:
        assert bench.game.moves == ()
        trials = disks.disk.trials
        bench.pass_s(1)
        bench.pass_s(1)
        assert disks.disk.trials == trials
        assert bench.choices("red") == ["go on unsaved"]
        disks.disk.error = None
        bench.pass_s(RETRY_S)
        assert bench.game.record() == dealt


def test_a_bots_move_and_an_undo_wait_for_the_disk_too(disks: Disks, tmp_path: Path) -> None:
    options = Options(players={"red": "easy"}, guided=False, bot_pause_s=0.5)
    with at_a_bench(tmp_path, opening(THREE), options, diary=disks) as bench:
        before = state(bench)
        disks.disk.error = FileInUse
        bench.think("red power 9")
        assert state(bench) == before
        disks.disk.error = None
        bench.pass_s(RETRY_S)
        assert str(bench.game.moves[-1]) == "red power 9"
        bench.say("blue", "power 3")
        disks.disk.error = FileInUse
        bench.press("undo")
        assert str(bench.game.moves[-1]) == "blue power 3"
        disks.disk.error = None
        bench.pass_s(RETRY_S)
        assert str(bench.game.moves[-1]) == "red power 9"


def test_a_real_full_disk(tmp_path: Path) -> None:
    database: list[Database] = []

    def filled(journal: Journal) -> Journal:
        database.append(journal.database)
        return journal

    with at_a_bench(tmp_path, placing(), Options(guided=False), diary=filled) as bench:
        [[pages]] = database[0].execute("PRAGMA page_count")
        database[0].execute(f"PRAGMA max_page_count = {pages}")
        move = 0
        while bench.notices[:1] != [f"Not saved since move {move}."]:
            move = len(bench.game.moves)
            seat = bench.game.to_act[0]
            prompt = bench.prompt(seat)
            bench.say(seat, (prompt.choices or prompt.places)[-1].line)
            assert move < 300
        before, entries = bench.game.record(), len(journalled(tmp_path))
        assert entries == bench.table.version
        database[0].execute("PRAGMA max_page_count = 100000")
        bench.pass_s(RETRY_S)
        assert len(bench.game.moves) > move
        assert bench.game.record().startswith(before.rstrip("\n"))
        assert len(journalled(tmp_path)) == bench.table.version > entries


# --- Before it is seen -----------------------------------------------------------------------------------------------


def test_no_effect_leaves_before_its_commit_has_returned(disks: Disks, tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), diary=disks) as bench:
        shown = []

        def look(entries: Sequence[Entry]) -> None:
            del entries
            shown.append((len(bench.lights.scenes), len(bench.phones.boards), bench.scene, bench.board))

        disks.disk.before = look
        for gesture in range(5):
            before = len(bench.lights.scenes), len(bench.phones.boards), bench.scene, bench.board
            if gesture < 3:
                bench.press("castillo")
            elif gesture == 3:
                bench.press("undo")
            else:
                bench.say("red", "special")
            assert shown.pop(0) == before
            shown.clear()
            assert bench.board != before[3]


def test_a_press_is_acknowledged_by_light_before_a_slow_disk_has_it(disks: Disks, tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), diary=disks) as bench:
        lit: list[tuple[list[str], float]] = []

        def slowly(entries: Sequence[Entry]) -> None:
            del entries
            lit.append((list(bench.lights.acknowledged), bench.now_s))
            bench.now_s += 0.2

        disks.disk.before = slowly
        pressed_s = bench.now_s
        bench.press("castillo")
        assert lit == [(["castillo"], pressed_s)]
        assert bench.now_s == pressed_s + 0.2
        assert at(bench.game, "castillo", "red") == 1

"""Putting a table together: what may be missing from a board, and what may not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

import pytest
from click.testing import CliRunner
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from companion.cli import main, table_setup
from companion.cli.table_setup import begin, opened, opened_lights, seated
from companion.engine import Game, Message
from companion.storage.database import LOST_CHANGES_SEEN, open_database
from companion.storage.journal import Entry, Journal
from companion.storage.notes import OtherNote
from companion.storage.tags import TagRegistry
from companion.table.bot_process import Advice, BotProcess, Thought
from companion.table.fair_deal import bots_seed, new_seed
from companion.table.options import PERSON, Options
from hardware.board import find_board
from hardware.errors import StripOutOfReach
from hardware.ports import DARK, Fault, Gesture, Trouble
from tests.support.random_games import finished
from tests.support.table_rig import RecordedDisplay

BOARD = find_board("buttons-only")


def test_a_game_is_played_without_its_lights_if_they_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    # Pins can be made up here; a strip cannot.
    monkeypatch.setattr(Device, "pin_factory", MockFactory())
    told: list[Gesture] = []
    with opened(BOARD, simulated=False, tags=TagRegistry()) as devices:
        devices.lights.listen(told.append)
        devices.lights.show(DARK)
    [trouble] = told
    assert isinstance(trouble, Trouble)
    assert (trouble.fault, trouble.over) == (Fault.LOST_STRIP, False)


def test_a_replay_on_the_lights_needs_them() -> None:
    with pytest.raises(StripOutOfReach), opened_lights(BOARD, simulated=False):
        pass


@pytest.mark.parametrize("args", [(), ("--new",)])
def test_a_board_that_cannot_be_opened_begins_no_game_and_sets_none_aside(
    args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    file = tmp_path / "table.db"

    def play() -> None:
        result = CliRunner().invoke(
            main, ["play", "--terminal", "--real", "--board", "buttons-only", "--database", str(file), *args]
        )
        assert result.exit_code == 1
        assert "The buttons cannot be reached" in result.stderr

    play()
    with open_database(file) as database:
        journal = Journal(database)
        assert journal.unfinished() is None
        begun = journal.begin(Game(("red", "blue")), {}, 1)
    play()
    with open_database(file) as database:
        unfinished = Journal(database).unfinished()
        assert unfinished is not None
        assert unfinished.id == begun


def test_after_another_game_is_begun_the_old_table_hears_no_more_of_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    acknowledged: SimpleQueue[str] = SimpleQueue()
    options = Options({"red": PERSON, "blue": PERSON})
    with opened(BOARD, simulated=True, tags=TagRegistry()) as devices, open_database(tmp_path / "table.db") as database:
        assert devices.simulated is not None
        monkeypatch.setattr(devices.lights, "acknowledge", acknowledged.put)
        for place in ("granada", "aragon"):
            kept = begin(Journal(database), Game(("red", "blue")), options, 1)
            with seated(kept, options, database, devices, [RecordedDisplay()], print, resumed=False):
                devices.simulated.press(place)
                assert acknowledged.get(timeout=20) == place
        devices.buttons.close()
    assert acknowledged.empty()


def test_a_game_that_ended_only_in_memory_is_not_finished_on_disk(tmp_path: Path) -> None:
    """A finished game takes no more moves: its last ones could never be saved."""
    over = finished(3)
    *before, last = over.moves
    with opened(BOARD, simulated=True, tags=TagRegistry()) as devices, open_database(tmp_path / "table.db") as database:
        journal = Journal(database)
        options = Options(dict.fromkeys(over.seats, PERSON), guided=False, real_cards=True)
        number = journal.begin(Game(over.seats, over.edition, over.rounds, over.house), options.as_json(), 1)
        journal.append(number, [Entry("move", move.text) for move in before])
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [[pages]] = database.execute("PRAGMA page_count")
        kept = journal.load(number)
        with seated(kept, options, database, devices, [RecordedDisplay()], print, resumed=True) as table:
            database.execute(f"PRAGMA max_page_count = {pages}")
            while table.session.note([OtherNote({"note": "as long as a move"})], 0.0):
                pass
            table.session.go_on_unsaved()
            table.session.play(last, "person", 0.0)
            assert table.game.over
            assert table.session.unsaved
        assert journal.load(number).finished_at is None
        unfinished = journal.unfinished()
        assert unfinished is not None
        assert not unfinished.game.over


def test_what_people_should_know_about_the_file_is_shown_when_a_game_goes_on(tmp_path: Path) -> None:
    with opened(BOARD, simulated=True, tags=TagRegistry()) as devices, open_database(tmp_path / "table.db") as database:
        options = Options({"red": PERSON, "blue": PERSON})
        kept = begin(Journal(database), Game(("red", "blue")), options, 1)
        database.warnings.append(Message(LOST_CHANGES_SEEN, {"count": 2, "path": "table.db"}))
        display = RecordedDisplay()
        with seated(kept, options, database, devices, [display], print, resumed=True) as table:
            table.poll()
        [notice] = display.moments[0].public.notices
        assert "What was saved last in table.db cannot be read (lost changes: 2)" in str(notice)


def test_the_bots_never_get_the_seed_of_the_deals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    class Watched(BotProcess):
        def __init__(self, answer: Callable[[Thought | Advice], None], seed: int) -> None:
            seeds.append(seed)
            super().__init__(answer, seed)

    monkeypatch.setattr(table_setup, "BotProcess", Watched)
    options = Options(players={"red": "random", "blue": "random"}, guided=False)
    with open_database(tmp_path / "table.db") as database, opened(BOARD, True, TagRegistry()) as devices:
        kept = begin(Journal(database), Game(("red", "blue"), rounds=6), options, new_seed())
        with seated(kept, options, database, devices, [], lambda gesture: None, resumed=False):
            pass
    assert seeds == [bots_seed(kept.seed)]
    assert f"{seeds[0]:064x}" not in kept.seed

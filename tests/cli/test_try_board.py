"""`companion board try`: what a maker sees of a board on its first day."""

from __future__ import annotations

import functools
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.cli.try_board import Presses, Visits
from companion.doctor import Machine
from companion.engine.pieces import Piece, PieceKind
from companion.storage.database import open_database
from companion.storage.tags import Tags
from companion.workshop.light_steps import light_steps
from hardware.board import Board, find_board
from hardware.patterns import current_ma, frame
from hardware.ports import DARK, Fault, Gesture, GestureListener, Press, Scene, Tap, Trouble
from hardware.simulated.board import SimulatedBoard

STANDARD = find_board("standard")


def run(*args: str, keys: str = "") -> Result:
    return CliRunner().invoke(main, ("board", "try", *args), input=keys, catch_exceptions=False)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[SimulatedBoard]:
    """The simulated boards that the command opens, once it listens to them."""
    boards: list[SimulatedBoard] = []

    class Noted(SimulatedBoard):
        def __init__(self, board: Board) -> None:
            super().__init__(board)
            for device in (self.buttons, self.lights, self.pieces):
                monkeypatch.setattr(device, "listen", functools.partial(self.heard, device.listen))

        def heard(self, listen: Callable[[GestureListener], None], listener: GestureListener) -> None:
            listen(listener)
            boards.append(self)

    monkeypatch.setattr("hardware.simulated.board.SimulatedBoard", Noted)
    return boards


def with_hands(opened: list[SimulatedBoard], hands: Callable[[SimulatedBoard], None], *args: str) -> Result:
    """The command, with somebody at the board it opens, who presses Ctrl-C at the end."""
    us = threading.get_ident()

    def play() -> None:
        try:
            wait_for(lambda: bool(opened))
            hands(opened[0])
            # Until the last of it is printed.
            time.sleep(0.3)
        finally:
            signal.pthread_kill(us, signal.SIGINT)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        return run(*args)
    finally:
        thread.join()


def wait_for(happened: Callable[[], bool]) -> None:
    end_s = time.monotonic() + 20
    while not happened() and time.monotonic() < end_s:
        time.sleep(0.02)


# --- lights ----------------------------------------------------------------------------------------------------------


def test_every_place_and_every_king_is_lit_then_colours_then_all_then_none() -> None:
    scenes = [step.scene for step in light_steps(STANDARD)]
    kings = [name for name, place in STANDARD.places.items() if place.marker is not None]
    assert [list(scene.places) for scene in scenes[:10]] == [[name] for name in STANDARD.places]
    assert scenes[10:19] == [Scene(marker=name) for name in kings]
    assert [show.colour for scene in scenes[19:22] for show in scene.places.values()] == ["red", "green", "blue"]
    assert set(scenes[22].places) == set(STANDARD.places)
    assert scenes[23:] == [DARK]


def test_the_lights_go_on_with_enter_and_are_dark_at_the_end(opened: list[SimulatedBoard]) -> None:
    result = run("lights", "--simulated", keys="\n" * 30)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) == 25
    assert lines[1].startswith("galicia: lights 0, 1, 2, 3, 4; about ")
    assert lines[11].startswith("The King's light of galicia: light 5; about ")
    assert lines[-1].startswith("Dark; about 60 mA")
    assert not any(opened[0].strip.data)


def test_all_at_once_draws_the_budget_and_no_more(opened: list[SimulatedBoard]) -> None:
    run("lights", "--simulated", keys="q\n")
    *_, everything, _dark = light_steps(opened[0].board)
    drawn_ma = current_ma(frame(everything.scene, opened[0].board, 0.0))
    assert STANDARD.strip.budget_ma - 60 < drawn_ma <= STANDARD.strip.budget_ma


@pytest.mark.parametrize("keys", ["\nq\n", "\n", "\nQ\n\n\n"])
def test_q_or_the_end_of_the_input_stops_the_lights(keys: str) -> None:
    result = run("lights", "--simulated", "--board", "buttons-only", keys=keys)
    assert result.exit_code == 0
    assert [line.partition(":")[0] for line in result.stdout.splitlines()[1:]] == ["galicia", "pais-vasco"]


def test_lost_lights_are_told(opened: list[SimulatedBoard], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.simulated.strip.SimulatedStrip.write", lambda strip, data: 1 / 0)
    result = run("lights", "--simulated", "--board", "buttons-only", keys="q\n")
    assert "The lights do not answer (division by zero)." in result.stdout


# --- buttons ---------------------------------------------------------------------------------------------------------


def test_presses_are_counted_for_each_button() -> None:
    presses = Presses(STANDARD)
    gestures: list[Gesture] = [
        Press("granada"), Press("undo"), Press("granada"), Press("granada", long=True),
        Trouble(Fault.STUCK_BUTTON, "granada"),
    ]  # fmt: skip
    assert [presses.line(0.0, gesture) for gesture in gestures] == [
        "granada: press 1",
        "undo: press 1",
        "granada: press 2",
        "granada: long press 1",
        "The button of granada is stuck. Free it; until then it does nothing.",
    ]
    report = presses.report()
    assert ["granada", "2", "1"] in [line.split() for line in report.splitlines()]
    assert "Never pressed: galicia, " in report
    assert "granada, castillo" not in report


def test_buttons_are_told_until_ctrl_c(opened: list[SimulatedBoard]) -> None:
    def hands(board: SimulatedBoard) -> None:
        board.press("granada", seconds=None)
        wait_for(lambda: Press("granada") in board.gestures)

    result = with_hands(opened, hands, "buttons", "--simulated", "--board", "buttons-only")
    assert result.exit_code == 0
    assert result.stdout.startswith("Press the 12 buttons, one after another. Ctrl-C stops.\ngranada: press 1\n")
    assert "Never pressed: galicia" in result.stdout


@pytest.mark.skipif(Machine().pi is not None, reason="there are pins")
def test_a_machine_without_pins_is_told_without_a_traceback() -> None:
    result = run("buttons")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: The buttons cannot be reached")


# --- readers ---------------------------------------------------------------------------------------------------------


def test_tags_are_told_with_place_piece_and_how_long_they_stayed() -> None:
    visits = Visits({"04A1B2C3": Piece(PieceKind.CABALLERO, "red")})
    told = [
        visits.line(10.0, Tap("04A1B2C3", "granada")),
        visits.line(10.2, Tap("FFFFFFFF", "galicia")),
        visits.line(11.5, Tap("04A1B2C3", "granada", gone=True)),
        visits.line(12.0, Tap("EEEEEEEE", "galicia", gone=True)),
        visits.line(13.0, Trouble(Fault.CROWDED_READER, "galicia")),
        visits.line(14.0, Press("granada")),
    ]
    assert told == [
        "granada: 04A1B2C3 (a red caballero) came",
        "galicia: FFFFFFFF (not enrolled) came",
        "granada: 04A1B2C3 (a red caballero) went after 1.5 s",
        "galicia: EEEEEEEE (not enrolled) went",
        "More than one piece is at the reader of galicia. Hold one there at a time.",
        None,
    ]


def test_readers_are_told_until_ctrl_c(
    opened: list[SimulatedBoard], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path))
    with open_database(tmp_path / "table.db") as database:
        Tags(database).enrol("04A1B2C3", Piece(PieceKind.KING))

    def hands(board: SimulatedBoard) -> None:
        board.put("04A1B2C3", "granada")
        wait_for(lambda: Tap("04A1B2C3", "granada") in board.gestures)
        board.take("04A1B2C3", "granada")
        wait_for(lambda: Tap("04A1B2C3", "granada", gone=True) in board.gestures)

    result = with_hands(opened, hands, "readers", "--simulated")
    assert result.exit_code == 0
    assert "Hold tags to the 10 readers, one after another. Ctrl-C stops.\n" in result.stdout
    assert "granada: 04A1B2C3 (the King) came\n" in result.stdout
    assert "granada: 04A1B2C3 (the King) went after " in result.stdout


def test_a_database_that_cannot_be_read_costs_only_the_names(
    opened: list[SimulatedBoard], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path))
    (tmp_path / "table.db").write_text("my diary")
    result = with_hands(opened, lambda board: None, "readers", "--simulated")
    assert result.exit_code == 0
    assert "Pieces cannot be named: " in result.stdout


def test_a_board_without_readers_has_none_to_try() -> None:
    result = run("readers", "--board", "buttons-only")
    assert result.exit_code == 1
    assert "The board buttons-only has no readers." in result.stderr

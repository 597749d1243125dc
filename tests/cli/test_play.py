"""`companion play`: the table at a terminal, on the simulated board, kept in the journal."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.cli import terminal as terminal_module
from companion.cli.keyboard import Keyboard
from companion.cli.move_log import told_lines
from companion.cli.table_setup import on_a_pi
from companion.cli.terminal import Terminal
from companion.storage.database import open_database
from companion.storage.journal import Journal, Kept
from companion.table.replies import SendReply
from companion.table.table import Gesture
from companion.translations import Translator
from tests.support.arrange import turn_of
from tests.support.moments import moment_of


def run(folder: Path, *args: str, keys: str = "") -> Result:
    """Plays at a board without hubs, which opens fastest, and with bots that do not wait."""
    fixed = ("--database", str(folder / "table.db"), "--board", "buttons-only", "--simulated", "--pause", "0")
    return CliRunner().invoke(main, ["play", "--terminal", *fixed, *args], input=keys, catch_exceptions=False)


def kept(folder: Path) -> Kept:
    with open_database(folder / "table.db") as database:
        found = Journal(database).unfinished()
    assert found is not None
    return found


def texts(folder: Path) -> list[str]:
    return [str(move) for move in kept(folder).game.moves if move.seat != "table"]


def test_play_goes_on_where_it_stopped_and_new_keeps_the_old_game(tmp_path: Path) -> None:
    run(tmp_path, "--seed", "5", keys="power 9\nquit\n")
    assert "red power 9" in texts(tmp_path)
    result = run(tmp_path, keys="quit\n")
    assert "Going on with game 1" in result.stdout
    assert "red power 9" in texts(tmp_path)
    result = run(tmp_path, "--new", "--seats", "3", keys="quit\n")
    assert "Game 1 is kept as it is: companion show 1" in result.stdout
    assert len(kept(tmp_path).game.seats) == 3
    assert "red power 9" not in texts(tmp_path)


def test_a_game_that_goes_on_keeps_its_people_and_rules(tmp_path: Path) -> None:
    run(tmp_path, "--people", "2", "--seats", "3", "--seed", "5", keys="\nquit\n")
    again = run(tmp_path, "--seats", "4", keys="\nquit\n")
    assert "It was begun with bigbox-de, 3 seats, 9 rounds: that stays." in again.stdout
    assert kept(tmp_path).options["players"] == {"red": "person", "blue": "person", "green": "normal"}


def test_a_wrong_move_is_refused_with_its_reason_and_asked_again(tmp_path: Path) -> None:
    keys = "power 99\nfrobnicate\n?\ncards\nlog\nboard\npower 9\nquit\n"
    result = run(tmp_path, "--seed", "5", keys=keys)
    assert "power takes a number from 1 to 13, not '99'" in result.stdout
    assert "That is not one of the choices" in result.stdout
    assert "Answer with a number" in result.stdout
    assert result.stdout.count("Open cards:") >= 2
    assert "red power 9" in texts(tmp_path)


def test_undo_takes_back_ones_own_move_and_what_bots_did_after_it(tmp_path: Path) -> None:
    result = run(tmp_path, "--seed", "5", keys="power 9\nundo\nquit\n")
    assert "red plays power card 9" in result.stdout
    assert "Taken back." in result.stdout
    assert "red power 9" not in texts(tmp_path)


def test_undoing_what_another_person_did_needs_their_agreement(tmp_path: Path) -> None:
    # Red plays, blue wants it back, red says no; then the same again, and red agrees.
    keys = "\npower 9\n\nundo\n\ndisagree\n\nundo\n\nagree\n\nquit\n"
    result = run(tmp_path, "--people", "2", "--seats", "2", "--seed", "5", keys=keys)
    assert "Take it back? Moves: 1. Everybody must agree." in result.stdout
    assert "not everybody agreed" in result.stdout
    assert result.stdout.count("Taken back.") == 1
    assert texts(tmp_path) == []


def test_a_button_of_the_simulated_board_can_be_pressed(tmp_path: Path) -> None:
    result = run(tmp_path, "--seed", "5", "--people", "2", "--seats", "2", keys="\npress granada\nquit\n")
    assert "No place is asked for now." in result.stdout


def test_several_people_are_asked_to_hand_the_keyboard_on(tmp_path: Path) -> None:
    result = run(tmp_path, "--people", "2", "--seats", "2", "--seed", "5", keys="\n1\n\n2\n\nquit\n")
    assert "red, it is your turn" in result.stdout
    assert "blue, it is your turn" in result.stdout
    assert {text.split()[1] for text in texts(tmp_path)} == {"power"}
    assert len(texts(tmp_path)) == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--people", "3", "--seats", "2"), "at most as many people"),
        (("--name", "purple=Ann"), "Nobody sits at purple"),
        (("--name", "red"), "is not of the form red=NAME"),
        (("--veto-time", "-1"), "-1.0 is not in the range"),
    ],
)
def test_a_wrong_option_is_refused_and_no_game_begins(tmp_path: Path, args: Sequence[str], said: str) -> None:
    result = run(tmp_path, *args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "table.db").exists()


def test_a_file_that_is_no_database_is_refused_and_stays(tmp_path: Path) -> None:
    (tmp_path / "table.db").write_text("my diary, which is quite long, and no database at all")
    result = run(tmp_path)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert (tmp_path / "table.db").read_text().startswith("my diary")


def test_on_a_pi_the_real_board_is_used(tmp_path: Path) -> None:
    model = tmp_path / "model"
    assert not on_a_pi(model)
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    assert on_a_pi(model)
    result = CliRunner().invoke(main, ["play", "--terminal", "--real", "--database", str(tmp_path / "t.db")])
    assert result.exit_code == 1
    assert "The buttons cannot be reached" in result.stderr


# --- Whole games -----------------------------------------------------------------------------------------------------


class Answering(Keyboard):
    """A person who answers every question with one of the choices on the screen."""

    terminal: Terminal
    rng = Random(3)

    def __init__(self, answered: Callable[[str | None], None]) -> None:
        self.answered = answered

    def ask(self, prompt: str, hidden: bool = False) -> None:
        wanted = self.terminal.questions.wanted()
        self.answered(self.rng.choice(list(self.terminal.questions.options(wanted))) if wanted else "")


@pytest.mark.games
@pytest.mark.parametrize("people", [1, 3])
def test_answering_with_the_listed_choices_plays_a_whole_game(
    tmp_path: Path, people: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Terminal] = []

    class Remembered(Terminal):
        def __init__(
            self, post: Callable[[Gesture, SendReply], None], stop: Callable[[], None], keyboard: bool = True
        ) -> None:
            super().__init__(post, stop, keyboard)
            Answering.terminal = self
            made.append(self)

    monkeypatch.setattr(terminal_module, "Keyboard", Answering)
    monkeypatch.setattr(terminal_module, "Terminal", Remembered)
    result = run(tmp_path, "--seats", "3", "--people", str(people), "--short", "--seed", "5", "--bots", "easy")
    assert "The game is over:" in result.stdout
    assert "Round 2 (1 of 6)" in result.stdout
    assert result.stdout.count("The dials are turned over") >= 3
    with open_database(tmp_path / "table.db") as database:
        journal = Journal(database)
        assert journal.unfinished() is None
        log = made[0].teller.now.public.view["log"]
        assert [str(move) for move in journal.load(1).game.moves if move.verb != "retake"] == [
            line for line in log if "retake" not in line
        ]


def test_no_dial_is_shown_to_people_who_share_the_screen() -> None:
    game = turn_of("secret-score", seats=("red", "blue"))
    game.play("red special")

    before = moment_of(game)
    game.play("red dial granada")
    after = moment_of(game)
    assert list(told_lines(before, after, None, Translator())) == ["red sets the dial"]
    assert list(told_lines(before, after, "red", Translator())) == ["red dials Granada"]
    game.play("blue dial aragon")
    turned, *dials = told_lines(after, moment_of(game), None, Translator())
    assert turned == "The dials are turned over"
    assert dials[:2] == ["  red dials Granada", "  blue dials Aragón"]


# --- In a real terminal ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_in_under_two_seconds_and_the_game_is_kept(tmp_path: Path, number: signal.Signals) -> None:
    screen, theirs = pty.openpty()
    as_it_was = termios.tcgetattr(theirs)
    command = [sys.executable, "-m", "companion.cli", "play", "--terminal", "--seed", "5", "--simulated"]
    program = subprocess.Popen(
        [*command, "--database", str(tmp_path / "table.db")],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        # A shell that runs the tests in the background has them ignore Ctrl-C, and so would this.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        shown = _until(screen, b"(? helps)", b"")
        began_s = time.monotonic()
        program.send_signal(number)
        program.wait(10)
        assert time.monotonic() - began_s < 2.0
        _until(screen, b"is kept", shown)
        assert termios.tcgetattr(theirs) == as_it_was
    finally:
        program.kill()
        program.wait()
        os.close(screen)
        os.close(theirs)
    assert program.returncode == 0
    assert kept(tmp_path).game.moves


def _until(screen: int, words: bytes, shown: bytes) -> bytes:
    """Reads on until some words are on the screen."""
    while words not in shown:
        assert select.select([screen], [], [], 30)[0], shown
        shown += os.read(screen, 65536)
    return shown

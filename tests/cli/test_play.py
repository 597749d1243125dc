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
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.cli import terminal as terminal_module
from companion.cli.keyboard import Keyboard
from companion.cli.move_log import told_lines
from companion.cli.table_setup import on_a_pi
from companion.cli.teller import Teller
from companion.cli.terminal import Terminal
from companion.engine import Message
from companion.storage.database import open_database
from companion.storage.journal import Journal, Kept
from companion.table.gestures import Gesture
from companion.table.moment import HintWords
from companion.table.replies import SendReply
from companion.translations import Translator
from tests.support.arrange import turn_of
from tests.support.moments import moment_of


def run(folder: Path, *args: str, keys: str = "") -> Result:
    """Plays at a board without hubs, which opens fastest, and with bots that do not wait."""
    fixed = ("--database", str(folder / "table.db"), "--board", "buttons-only", "--simulated", "--pace", "instant")
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
    assert "Continuing game 1" in result.stdout
    assert "red power 9" in texts(tmp_path)
    result = run(tmp_path, "--new", "--seats", "3", keys="quit\n")
    assert "Game 1 stays saved. To read it: companion show 1" in result.stdout
    assert len(kept(tmp_path).game.seats) == 3
    assert "red power 9" not in texts(tmp_path)


def test_a_damaged_game_is_named_with_its_move_and_new_begins_another(tmp_path: Path) -> None:
    run(tmp_path, "--seed", "5", keys="power 9\nquit\n")
    with open_database(tmp_path / "table.db") as database:
        [[last]] = database.execute("SELECT max(number) FROM entries")
        database.execute("INSERT INTO entries VALUES (1, ?, 'undo', '1', 'table', '')", (last + 1,))
    result = run(tmp_path, keys="quit\n")
    assert result.exit_code == 1
    assert "Game 1 in" in result.stderr
    assert "cannot be read from move" in result.stderr
    assert "`companion repair 1`" in result.stderr
    result = run(tmp_path, "--new", "--seats", "3", keys="quit\n")
    assert "Game 1 stays saved, although it is damaged." in result.stdout
    assert kept(tmp_path).id == 2


def test_a_game_that_goes_on_keeps_its_people_and_rules(tmp_path: Path) -> None:
    run(tmp_path, "--people", "2", "--seats", "3", "--seed", "5", keys="\nquit\n")
    again = run(tmp_path, "--seats", "4", keys="\nquit\n")
    assert "It keeps the rules it was started with: bigbox-de, 3 seats, 9 rounds." in again.stdout
    assert kept(tmp_path).options["players"] == {"red": "person", "blue": "person", "green": "normal"}


def test_a_guided_game_is_short_and_against_two_easy_bots_unless_said_otherwise(tmp_path: Path) -> None:
    told = run(tmp_path, "--teach", keys="quit\n").stdout
    assert "This is you, Red: you place caballeros from your court" in told
    game, options = kept(tmp_path).game, kept(tmp_path).options
    assert (len(game.seats), game.rounds) == (3, 6)
    assert options["players"] == {"red": "person", "blue": "easy", "green": "easy"}
    assert (options["teach"], options["hints"], options["pace"]) == (True, True, "instant")  # the pace was typed
    run(tmp_path, "--new", "--teach", "--seats", "2", "--bots", "hard", "--no-hints", keys="quit\n")
    options = kept(tmp_path).options
    assert options["players"] == {"red": "person", "blue": "hard"}
    assert options["hints"] is False


def test_enter_reads_on_from_one_lesson_to_the_next(tmp_path: Path) -> None:
    told = run(tmp_path, "--teach", keys="\n\n\nquit\n").stdout
    lessons = ["This is you, Red:", "your Grande, which marks your home", "Your aim:", "A high power card"]
    assert [told.count(lesson) for lesson in lessons] == [1, 1, 1, 1]


def test_an_ordinary_game_has_no_lessons_but_hints(tmp_path: Path) -> None:
    run(tmp_path, keys="quit\n")
    assert (kept(tmp_path).options["teach"], kept(tmp_path).options["hints"]) == (False, True)


def test_a_wrong_move_is_refused_with_its_reason_and_asked_again(tmp_path: Path) -> None:
    keys = "power 99\nfrobnicate\n?\ncards\nlog\nboard\npower 9\nquit\n"
    result = run(tmp_path, "--seed", "5", keys=keys)
    assert "power takes a number from 1 to 13, not '99'" in result.stdout
    assert "That is not one of the choices" in result.stdout
    assert "Type a number" in result.stdout
    assert result.stdout.count("Open cards:") >= 2
    assert "red power 9" in texts(tmp_path)


def test_a_hint_can_be_asked_for_and_the_saved_game_shows_that_it_was(tmp_path: Path) -> None:
    run(tmp_path, "--seed", "5", "--name", "red=Ann", keys="hint\npower 9\nquit\n")
    shown = CliRunner().invoke(main, ["show", "1", "--database", str(tmp_path / "table.db")]).stdout.splitlines()
    asked = shown.index("    Ann asked for a hint")
    assert "  Ann plays power card 9" in shown[asked + 1]


def test_a_hint_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    whole, teller = moment_of(turn_of("score-4s", ("red", "blue"))), Teller()
    hinted = replace(whole.seats["red"], hint=HintWords(Message("I would place in {place}.", {"place": "granada"})))
    teller.tell(whole)
    teller.hand_to("red")
    for _ in range(2):
        teller.tell(replace(whole, seats={**whole.seats, "red": hinted}))
    assert capsys.readouterr().out.count("I would place in Granada.") == 1


def test_undo_takes_back_ones_own_move_and_what_bots_did_after_it(tmp_path: Path) -> None:
    result = run(tmp_path, "--seed", "5", keys="power 9\nundo\nyes\nquit\n")
    assert "Red plays power card 9" in result.stdout
    assert "Undone." in result.stdout
    assert "red power 9" not in texts(tmp_path)


def test_undoing_what_another_person_did_needs_their_agreement(tmp_path: Path) -> None:
    # Red plays, blue wants it back, red says no; then the same again, and red agrees.
    keys = "\npower 9\n\nundo\n\ndisagree\n\nundo\n\nagree\n\nquit\n"
    result = run(tmp_path, "--people", "2", "--seats", "2", "--seed", "5", keys=keys)
    assert "Blue wants to undo 1 move. OK?" in result.stdout
    assert "Not everybody agreed" in result.stdout
    assert result.stdout.count("Undone.") == 1
    assert texts(tmp_path) == []


def test_a_button_of_the_simulated_board_can_be_pressed(tmp_path: Path) -> None:
    result = run(tmp_path, "--seed", "5", "--people", "2", "--seats", "2", keys="\npress granada\nquit\n")
    assert "Nothing to place yet: play a power card first." in result.stdout


def test_several_people_are_asked_to_hand_the_keyboard_on(tmp_path: Path) -> None:
    result = run(tmp_path, "--people", "2", "--seats", "2", "--seed", "5", keys="\n1\n\n2\n\nquit\n")
    assert "Red, it is your turn" in result.stdout
    assert "Blue, it is your turn" in result.stdout
    assert {text.split()[1] for text in texts(tmp_path)} == {"power"}
    assert len(texts(tmp_path)) == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--people", "3", "--seats", "2"), "so there cannot be 3 people"),
        (("--name", "purple=Ann"), "Nobody plays purple"),
        (("--name", "red"), "should look like red=NAME"),
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
    assert list(told_lines(before, after, None, Translator())) == ["Red sets the dial"]
    assert list(told_lines(before, after, "red", Translator())) == ["Red dials Granada"]
    game.play("blue dial aragon")
    turned, *dials = told_lines(after, moment_of(game), None, Translator())
    assert turned == "The dials are turned over"
    assert dials[:2] == ["  Red dials Granada", "  Blue dials Aragón"]


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
        shown = _until(screen, b"(? for help)", b"")
        began_s = time.monotonic()
        program.send_signal(number)
        program.wait(10)
        assert time.monotonic() - began_s < 2.0
        _until(screen, b"is saved", shown)
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

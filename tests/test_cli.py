"""The command line, as a person types it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.cli.answers import Words, choices, understand
from companion.cli.save import SavedGame
from companion.cli.screens import board
from companion.cli.tables import table
from companion.cli.terminal import Terminal
from companion.engine import Game, Move
from companion.engine.cards import CARDS
from companion.engine.regions import PLACES
from companion.simulation import KINDS, Setting, Summary, random_game, result_of
from companion.story import story
from companion.words import CARD_WORDS, PLACE_NAMES, move_words, say
from tests.arrange import opening, turn_of
from tests.arrange import play as play_lines


def run(*args: str, keys: str = "") -> Result:
    return CliRunner().invoke(main, args, input=keys, catch_exceptions=False)


def record_of_a_game() -> str:
    return random_game(Setting(("red", "blue", "green"), "bigbox-de", 9, ()), Random(1)).record()


# --- simulate --------------------------------------------------------------------------------------------------------


def test_simulate_prints_scores_by_seat_and_order_length_and_points_by_kind() -> None:
    result = run("simulate", "--games", "20", "--seats", "3", "--edition", "classic-fr", "--seed", "7")
    assert result.exit_code == 0
    assert "20 random games, classic-fr, 9 rounds, 3 seats" in result.stdout
    for word in ("red", "blue", "green", "first", "second", "third", "Game length", *KINDS):
        assert word in result.stdout
    assert "yellow" not in result.stdout


def test_simulate_gives_the_same_table_for_the_same_seed() -> None:
    tables = [run("simulate", "--games", "5", "--seed", "3").stdout.rpartition("\n\n")[0] for _ in range(2)]
    assert tables[0] == tables[1] != run("simulate", "--games", "5", "--seed", "4").stdout.rpartition("\n\n")[0]


def test_a_simulation_adds_up() -> None:
    summary = Summary(Setting(("red", "blue", "green", "yellow"), "bigbox-de", 6, ()))
    summary.results = [result_of(random_game(summary.setting, Random(seed))) for seed in range(10)]
    by_seat = sum(summary.score_of(seat).value for seat in summary.setting.seats)
    assert sum(summary.score_by_order(place).value for place in range(4)) == pytest.approx(by_seat)
    assert sum(summary.points(kind).value for kind in KINDS) * 4 == pytest.approx(by_seat)
    assert sum(summary.wins_of(seat) for seat in summary.setting.seats) == pytest.approx(1)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--seats", "1"), "El Grande is for 2 to 5 seats, not 1"),
        (("--seats", "6"), "El Grande is for 2 to 5 seats, not 6"),
        (("--seats", "red,pink"), "there is no seat called 'pink'; there are red, blue, green, yellow, brown"),
        (("--seats", "red,red"), "each colour sits once"),
        (("--edition", "deluxe"), "'deluxe' is not one of 'classic-nl'"),
        (("--games", "0"), "0 is not in the range x>=1"),
        (("--house", "beer"), "'beer' is not one of 'strict-dial', 'open-castillo'"),
    ],
)
def test_a_wrong_option_is_named_with_what_was_expected(args: tuple[str, ...], words: str) -> None:
    result = run("simulate", *args)
    assert result.exit_code == 2
    assert words in result.stderr


# --- show ------------------------------------------------------------------------------------------------------------


def test_show_tells_a_record_in_rounds(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(record_of_a_game())
    lines = run("show", str(file)).stdout.splitlines()
    assert lines[0] == "bigbox-de, 9 rounds, seats red, blue, green"
    assert [line for line in lines if re.match(r"Round \d", line)] == [f"Round {n}" for n in range(1, 10)]
    assert lines.count("  General scoring") == 3
    assert re.search(r"(wins|share the first place): red \d+, blue \d+, green \d+$", lines[-1])


def test_show_tells_an_unfinished_game_and_who_is_to_act() -> None:
    lines = list(story(turn_of("king", house=("strict-dial",))))
    assert lines[0].endswith("house rules strict-dial")
    assert lines[-1].startswith("The game goes on: red to act.")
    assert "    takes «The King»" in lines


def test_a_scoring_is_told_with_its_bonus() -> None:
    game = turn_of("score-one", board={"granada": {"red": 2, "blue": 1}}, grandes={"red": "granada"})
    game.play("red special")
    game.play("red score granada")
    # The pieces were put there past the record, so what is told is the scoring of the record's own position.
    assert any("Granada is scored:" in line for line in story(game))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"\xff\xfe", "is not a record: it is not text"),
        (b"edition: bigbox-de\nseats: red\nrounds: 9\n", "line 2: El Grande is for 2 to 5 seats, not 1"),
        (
            b"edition: bigbox-de\nseats: red blue\nrounds: 9\n\ntable king madrid\n",
            "line 5: 'table king madrid' is not",
        ),
    ],
)
def test_show_says_what_is_wrong_with_a_file(tmp_path: Path, text: bytes, words: str) -> None:
    file = tmp_path / "broken.txt"
    file.write_bytes(text)
    result = run("show", str(file))
    assert result.exit_code == 1
    assert words in result.stderr


def test_show_says_that_a_file_is_not_there() -> None:
    result = run("show", "nowhere.txt")
    assert result.exit_code == 2
    assert "'nowhere.txt': No such file or directory" in result.stderr


# --- play ------------------------------------------------------------------------------------------------------------


class Robot(Terminal):
    """A person at the keyboard who answers every question with one of the choices on the screen."""

    rng_of_robot = Random(3)
    asked: tuple[str, ...] = ()

    def show_question(self, seat: str, said: Words, options: dict[str, Words], secret: bool) -> None:
        super().show_question(seat, said, options, secret)
        self.asked = tuple(options)

    def read(self, seat: str, secret: bool) -> str:
        return self.rng_of_robot.choice(self.asked)

    def hand_over(self, seat: str) -> None:
        self.at_keyboard = seat


@pytest.mark.parametrize("people", [1, 3])
def test_answering_with_the_listed_choices_plays_a_whole_game(
    tmp_path: Path, people: int, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = SavedGame(tmp_path / "game.txt")
    game = Game(("red", "blue", "green"), rounds=6)
    Robot(game, game.seats[:people], 5, saved).run()
    shown = capsys.readouterr().out
    assert game.over
    assert "The game is over:" in shown
    assert "Round 2 (1 of 6)" in shown
    assert shown.count("The dials are turned over") >= 3
    assert Game.from_record(saved.path.read_text()).record() == game.record()


def test_no_dial_or_card_taken_back_is_shown_to_people_who_share_the_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = turn_of("secret-score", seats=("red", "blue"))
    game.play("red special")
    keyboard = Robot(game, game.seats, 5, SavedGame(tmp_path / "game.txt"))
    keyboard.at_keyboard = "red"
    before = game.view(None)
    game.play("red dial granada")
    keyboard.tell(game.moves[-1], before)
    assert capsys.readouterr().out == "  red sets the dial\n"
    assert "granada" not in "\n".join(story(game)).lower()
    before = game.view(None)
    game.play("blue dial aragon")
    keyboard.tell(game.moves[-1], before)
    shown = capsys.readouterr().out
    assert "red dials Granada\n    blue dials Aragón" in shown


def test_a_card_taken_back_is_told_only_when_the_game_is_over() -> None:
    game = play_lines(turn_of("power-back"), "red special", "red retake 13")
    assert "    red takes a power card back" in list(story(game))
    assert "13 back" not in "\n".join(story(game))


def test_recruits_of_a_card_are_not_told_as_a_turn() -> None:
    game = play_lines(turn_of("court-2"), "red special", "red recruit 2")
    assert list(story(game)).count("  red's turn") == 1


def test_only_the_ranks_that_are_paid_are_shown() -> None:
    assert "Galicia 4 " in board(Game(("red", "blue")).view(None))
    assert "Galicia 4/2 " in board(Game(("red", "blue", "green")).view(None))


def test_what_somebody_else_wrote_meanwhile_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    ours, theirs = SavedGame(file), SavedGame(file)
    theirs.write(opening(), ("red",), 1)
    before = file.read_text()
    ours.write(Game(("red", "blue")), ("red",), 1)
    assert file.read_text() == before
    assert "somebody else has written there since" in capsys.readouterr().err


def test_a_game_is_not_kept_in_what_is_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    result = run("play", "--new", "--file", str(pipe))
    assert result.exit_code == 1
    assert "is not a file that a game can be kept in" in result.stderr
    assert pipe.is_fifo()


def test_the_cards_follow_from_the_seed_whatever_people_do(tmp_path: Path) -> None:
    dealt = []
    for number, level in enumerate(("random", "easy")):
        saved = SavedGame(tmp_path / f"{number}.txt")
        game = Game(("red", "blue"), rounds=6)
        Terminal(game, (), 7, saved, level).run()
        dealt.append([move for move in game.moves if move.seat == "table"])
        assert "# seed: 7" in saved.path.read_text()
    assert dealt[0] == dealt[1]


def test_what_was_revealed_is_not_taken_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = turn_of("score-castillo", board={"castillo": {"blue": 2}})
    game.play("red special")
    keyboard = Robot(game, ("red",), 5, SavedGame(tmp_path / "game.txt"))
    assert not keyboard.undo("red")
    assert "it has shown what was hidden" in capsys.readouterr().out


def test_people_and_not_chance_go_on_with_their_seats(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "--people", "2", "--seats", "3", "--seed", "5", "--file", str(file), keys="\nquit\n")
    assert file.read_text().startswith("# people: red blue\n")
    again = run("play", "--seats", "4", "--file", str(file), keys="\nquit\n")
    assert "It was begun with bigbox-de, 3 seats, 9 rounds: that stays." in again.stdout
    assert file.read_text().startswith("# people: red blue\n")


def test_a_refused_command_leaves_the_game_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "--seed", "5", "--file", str(file), keys="quit\n")
    assert run("play", "--new", "--seats", "3", "--people", "5", "--file", str(file)).exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]


@pytest.mark.parametrize(
    ("answer", "said", "meant"),
    [
        ("move blue Castilla la Vieja Granada", (), ["red move blue castilla-la-vieja granada"]),
        ("m bl ara castillo", (), ["red move blue aragon castillo"]),
        ("aragón castillo", ("move", "blue"), ["red move blue aragon castillo"]),
        ("done", ("move", "blue"), ["red done"]),
        ("red pais vasco sevilla", ("move",), ["red move red pais-vasco sevilla"]),
        ("castle", (), []),
    ],
)
def test_answers_may_be_short_and_as_printed(answer: str, said: Words, meant: list[str]) -> None:
    game = turn_of("move-3", board={"castilla-la-vieja": {"blue": 1}, "aragon": {"blue": 1}, "pais-vasco": {"red": 1}})
    game.play("red special")
    assert [str(move) for move in understand(answer, game.legal_moves(), said)] == meant


def test_play_goes_on_where_it_stopped_and_new_keeps_the_old_game(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "--seed", "5", "--file", str(file), keys="power 9\nquit\n")
    stopped = file.read_text()
    assert "red power 9" in stopped
    result = run("play", "--file", str(file), keys="quit\n")
    assert "Going on with the game" in result.stdout
    assert file.read_text() == stopped
    result = run("play", "--new", "--file", str(file), keys="quit\n")
    assert "The game before is kept in" in result.stdout
    assert stopped in [kept.read_text() for kept in tmp_path.glob("game-*.txt")]
    assert "red power 9" not in file.read_text()


def test_play_refuses_a_wrong_move_with_its_reason_and_asks_again(tmp_path: Path) -> None:
    keys = "power 99\npower 13\nfrobnicate\n?\ncards\nlog\nboard\n\nquit\n"
    result = run("play", "--seed", "5", "--file", str(tmp_path / "game.txt"), keys=keys)
    assert "power takes a number from 1 to 13, not '99'" in result.stdout
    assert "That is not one of the choices" in result.stdout
    assert "Answer with a number" in result.stdout
    assert result.stdout.count("Open cards:") >= 2


def test_undo_takes_back_ones_own_move_and_no_others(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    keys = "undo\npower 13\nrecruit 0\n"
    result = run("play", "--seed", "5", "--file", str(file), keys=keys)
    assert "That cannot be taken back" in result.stdout
    before = file.read_text()
    result = run("play", "--seed", "5", "--file", str(file), keys="1\nundo\nquit\n")
    assert "Taken back." in result.stdout
    assert file.read_text() == before


def test_several_people_are_asked_to_hand_the_keyboard_on(tmp_path: Path) -> None:
    keys = "1\n" * 12
    result = run("play", "--people", "2", "--seats", "2", "--seed", "5", "--file", str(tmp_path / "g.txt"), keys=keys)
    assert "red (? helps)" in result.stdout
    assert "blue (? helps)" in result.stdout


def test_more_people_than_seats_are_refused(tmp_path: Path) -> None:
    result = run("play", "--people", "3", "--seats", "2", "--file", str(tmp_path / "g.txt"))
    assert result.exit_code == 2
    assert "at most as many people" in result.stderr


def test_a_game_goes_on_where_it_cannot_be_saved_and_says_so(tmp_path: Path) -> None:
    blocker = tmp_path / "not-a-folder"
    blocker.write_text("")
    file = blocker / "game.txt"
    result = run("play", "--seed", "5", "--file", str(file), keys="1\n" * 3)
    assert result.exit_code == 1
    assert "cannot be read" in result.stderr
    folder = tmp_path / "game.txt.new"
    folder.mkdir()
    result = run("play", "--seed", "5", "--file", str(tmp_path / "game.txt"), keys="1\n" * 3)
    assert result.exit_code == 0
    assert result.stderr.count("Not saved") == 1
    assert "NOT saved" in result.stdout


def test_a_broken_file_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("my diary")
    result = run("play", "--file", str(file))
    assert result.exit_code == 1
    assert "cannot be read as a game: line 1: the header lacks 'edition'" in result.stderr
    assert file.read_text() == "my diary"


# --- words and tables ------------------------------------------------------------------------------------------------


def test_many_choices_are_asked_for_word_by_word() -> None:
    game = turn_of("move-3")
    game.play("red special")
    legal = game.legal_moves()
    assert choices(legal, ()) == [("move",), ("done",)]
    assert ("move", "blue") in choices(legal, ("move",))
    assert choices(legal, ("move", "blue"))[0] == ("move", "blue", "aragon", "pais-vasco")


def test_every_card_and_place_has_a_name_for_people() -> None:
    assert set(CARD_WORDS) == set(CARDS)
    assert set(PLACES) <= set(PLACE_NAMES)


def test_every_move_can_be_told() -> None:
    game = opening()
    for move in (
        *game.moves,
        Move("red", "allow", "all"),
        Move("red", "return", "court"),
        Move("red", "tile", "8", "aragon"),
    ):
        assert "{" not in str(say(move_words(move)))
    assert str(say(move_words("red retake ?"))) == "red takes a power card back"


def test_a_table_lines_up() -> None:
    assert table(("a", "b"), [("long", "1"), ("x", "22")]) == "a      b\n----  --\nlong   1\nx     22"


@pytest.mark.parametrize("command", [(), ("play",), ("simulate",), ("show",)])
def test_every_command_explains_itself(command: tuple[str, ...]) -> None:
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert len(result.stdout) > 200

"""The command line, as a person types it."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from companion.bots.simulation import KINDS, Setting, SimulationSummary, random_game, result_of
from companion.cli import main
from companion.cli.answers import Words, choices, understand
from companion.cli.screens import board
from companion.cli.story import story
from companion.cli.text_tables import table
from companion.engine import Game, Move
from companion.engine.cards import CARDS
from companion.engine.regions import PLACES
from companion.engine.words import CARD_WORDS, PLACE_NAMES
from companion.translations import Translator
from tests.support.arrange import opening, turn_of
from tests.support.arrange import play as play_lines


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
    summary = SimulationSummary(Setting(("red", "blue", "green", "yellow"), "bigbox-de", 6, ()))
    summary.results = [result_of(random_game(summary.setting, Random(seed))) for seed in range(10)]
    by_seat = sum(summary.score_of(seat).value for seat in summary.setting.seats)
    assert sum(summary.score_by_order(place).value for place in range(4)) == pytest.approx(by_seat)
    assert sum(summary.points(kind).value for kind in KINDS) * 4 == pytest.approx(by_seat)
    assert sum(summary.wins_of(seat) for seat in summary.setting.seats) == pytest.approx(1)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--seats", "1"), "El Grande is for 2 to 5 players, not 1"),
        (("--seats", "6"), "El Grande is for 2 to 5 players, not 6"),
        (("--seats", "red,pink"), "there is no colour 'pink'. The colours are red, blue, green, yellow, brown"),
        (("--seats", "red,red"), "each colour can play only once"),
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
    assert re.search(r"(wins|share the win): Red \d+, Blue \d+, Green \d+$", lines[-1])


def test_show_tells_an_unfinished_game_and_who_is_to_act() -> None:
    lines = list(story(turn_of("king", house=("strict-dial",))))
    assert lines[0].endswith("house rules strict-dial")
    assert lines[-1].startswith("The game goes on: Red to act.")
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
        (b"\xff\xfe", "is not a game record: it is not text"),
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


# --- telling ---------------------------------------------------------------------------------------------------------


def test_a_card_taken_back_is_told_only_when_the_game_is_over() -> None:
    game = play_lines(turn_of("power-back"), "red special", "red retake 13")
    assert "    Red takes a power card back" in list(story(game))
    assert "13 back" not in "\n".join(story(game))


def test_recruits_of_a_card_are_not_told_as_a_turn() -> None:
    game = play_lines(turn_of("court-2"), "red special", "red recruit 2")
    assert list(story(game)).count("  Red's turn") == 1


def test_only_the_ranks_that_are_paid_are_shown() -> None:
    assert "Galicia 4 " in board(Game(("red", "blue")).view(None), Translator())
    assert "Galicia 4/2 " in board(Game(("red", "blue", "green")).view(None), Translator())


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
        assert "{" not in Translator().move(move)
    assert Translator().move("red retake ?") == "Red takes a power card back"


def test_a_table_lines_up() -> None:
    assert table(("a", "b"), [("long", "1"), ("x", "22")]) == "a      b\n----  --\nlong   1\nx     22"


@pytest.mark.parametrize("command", [(), ("play",), ("simulate",), ("show",)])
def test_every_command_explains_itself(command: tuple[str, ...]) -> None:
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert len(result.stdout) > 200

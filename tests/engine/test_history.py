"""The history of a game: its log in rounds and turns, and each turn in one sentence."""

from __future__ import annotations

import pytest
from hypothesis import given

from companion.engine import PLACES, TABLE, Game, Message, Move
from companion.engine.history import TurnHistory, TurnKind, history
from companion.engine.regions import NOWHERE, ROUNDS
from companion.engine.summary import summary
from companion.translations import Translator
from tests.engine.test_veto import FIRST_STEP, NO_STEP
from tests.support.arrange import play, turn_of
from tests.support.random_games import SEEDS, decisions, finished, games

THREE = ("red", "blue", "green")


def told(game: Game, because: Message | None = None) -> str | None:
    """The last turn in one sentence."""
    view = game.view(None)
    sentence = summary(history(view)[-1], view["scorings"], because)
    return None if sentence is None else Translator().say(sentence)


def last(game: Game) -> TurnHistory:
    return history(game.view(None))[-1]


# --- Turns ------------------------------------------------------------------------------------------------------------


@pytest.mark.games
@games(30)
@given(SEEDS)
def test_every_line_of_a_game_belongs_to_one_turn_of_its_round(seed: int) -> None:
    before, rounds = None, []
    for game, _ in decisions(seed):
        before = game
        rounds.append(game.round)
    assert before is not None
    turns = history(before.view(None))
    assert [line.line for turn in turns for line in turn.lines] == before.view(None)["log"]
    assert [line.at for turn in turns for line in turn.lines] == list(range(len(before.moves)))
    for turn in turns:
        assert turn.over or turn is turns[-1]
        for line in turn.lines:
            # Cards are turned up at the beginning of the round that they belong to.
            assert turn.round == rounds[line.at] or (line.verb == "reveal" and turn.kind == TurnKind.POWER)


@pytest.mark.games
@games(20)
@given(SEEDS)
def test_each_seat_has_one_turn_in_every_round_in_the_order_of_power_cards(seed: int) -> None:
    game = finished(seed)
    turns = history(game.view(None))
    for number in ROUNDS[game.rounds]:
        own = [turn for turn in turns if turn.round == number]
        kinds = [turn.kind for turn in own]
        assert kinds[0] == TurnKind.POWER
        assert kinds[1:].count(TurnKind.ACTION) == len(game.seats)
        assert (kinds[-1] == TurnKind.SCORING) == (number in (3, 6, 9))
        played = {line.seat: int(line.line.split()[2]) for line in own[0].lines if line.verb == "power"}
        order = sorted(played, key=played.__getitem__, reverse=True)
        assert [turn.seat for turn in own if turn.kind == TurnKind.ACTION] == order


def test_a_line_names_the_card_and_not_the_stack() -> None:
    game = play(turn_of("expel", THREE), "red special")
    words = [Translator().say(line.words) for line in last(game).lines]
    assert words == ["Red brings 0 to the court", "Red takes «Out of here»", "Red uses «Out of here»"]


def test_a_turn_is_over_when_its_seat_has_ended_it() -> None:
    game = turn_of("move-3", THREE)
    assert (last(game).seat, last(game).card, last(game).over) == ("red", "move-3", False)
    play(game, "red end")
    assert last(game).over
    play(game, "green recruit 0")
    assert (last(game).seat, last(game).card, last(game).over) == ("green", None, False)


# --- Sentences --------------------------------------------------------------------------------------------------------

BOARD = {"aragon": {"red": 2, "blue": 1}, "sevilla": {"blue": 2, "green": 1}, "granada": {"green": 1}}


@pytest.mark.parametrize(
    ("card", "lines", "words"),
    [
        ("move-3", "end", "Red took «Move 3»."),
        ("king", "place castillo, place castillo, end", "Red took «The King» and placed 2 in the castillo."),
        (
            "king",
            "place castillo, place pais-vasco, special, king granada, end",
            "Red took «The King», placed 2 and moved the King to Granada.",
        ),
        (
            "move-3",
            "special, move red aragon granada, move red aragon granada, done, end",
            "Red took «Move 3» and moved 2 from Aragón to Granada.",
        ),
        (
            "move-3",
            "special, move blue sevilla granada, done, end",
            "Red took «Move 3» and moved 1 of Blue's from Sevilla to Granada.",
        ),
        (
            "move-3",
            "special, move red aragon granada, move blue sevilla granada, move green sevilla aragon, end",
            "Red took «Move 3» and moved 1 of their own, 1 of Blue's and 1 of Green's caballeros.",
        ),
        (
            "one-each-home",
            "special, remove blue aragon, done, end",
            "Red took «One of each» and sent home one of Blue's from Aragón.",
        ),
        (
            "one-each-home",
            "special, remove blue aragon, remove green granada, end",
            "Red took «One of each», sent home one of Blue's from Aragón and sent home one of Green's from Granada.",
        ),
        ("score-one", "special, score aragon, end", "Red took «Score one» and scored Aragón."),
        ("tile", "special, tile 8 aragon, end", "Red took «Score tile» and laid tile 8 in Aragón."),
        ("veto", "special, end", "Red took «Veto» and kept a veto."),
        ("power-back", "special, retake 13, end", "Red took «Power card back» and took a power card back."),
        ("court-2", "special, recruit 2, end", "Red took «Two to the court» and brought 2 more to the court."),
        ("grande", "special, grande sevilla, end", "Red took «Move the Grande» and moved the Grande to Sevilla."),
        (
            "three-courts-home",
            "special, end",
            "Red took «Three from each court» and sent 3 home from each of the others' courts.",
        ),
    ],
)
def test_a_turn_is_told_in_one_sentence(card: str, lines: str, words: str) -> None:
    game = turn_of(card, THREE, board=BOARD, grandes={"red": "aragon"})
    play(game, *(f"red {line}" for line in lines.split(", ")))
    assert told(game) == words


@pytest.mark.parametrize(
    ("colours", "words"),
    [
        (("blue", "blue", "red"), "1 of their own and 2 of Blue's"),
        (("blue", "green", "blue"), "2 of Blue's and 1 of Green's"),
        (("red", "red", "red"), "3 of their own"),
    ],
)
def test_caballeros_that_were_moved_are_told_with_whose_they_are(colours: tuple[str, ...], words: str) -> None:
    game = play(turn_of("move-3", THREE, board={"sevilla": dict.fromkeys(THREE, 3)}), "red special")
    for colour, place in zip(colours, ("granada", "valencia", "aragon"), strict=True):
        play(game, f"red move {colour} sevilla {place}")
    play(game, "red end")
    assert told(game) == f"Red took «Move 3» and moved {words} caballeros."


def test_many_that_were_sent_home_are_told_with_whose_they_are() -> None:
    board = {"sevilla": {"blue": 2, "green": 2, "yellow": 2}}
    game = play(turn_of("one-each-home", board=board), "red special", "red remove blue sevilla")
    play(game, "red remove green sevilla", "red remove yellow sevilla", "red end")
    whose = "1 of Blue's, 1 of Green's and 1 of Yellow's"
    assert told(game) == f"Red took «One of each» and sent home {whose} caballeros."


# --- Reasons ----------------------------------------------------------------------------------------------------------

WIN = {place: Message("to win {place}", {"place": place}) for place in ("sevilla", "granada", "castilla-la-vieja")}


def test_the_reason_comes_last() -> None:
    game = play(turn_of("expel", THREE, board=BOARD), "red special", "red expel sevilla")
    play(game, "blue dial granada", "green dial aragon", "red end")
    assert told(game, WIN["sevilla"]) == "Red took «Out of here» and cleared Sevilla, to win Sevilla."


def test_what_the_reason_is_about_is_told_just_before_it() -> None:
    game = turn_of("tile", THREE, board=BOARD)
    play(game, "red place castilla-la-vieja", "red place castillo", "red special", "red tile 8 granada", "red end")
    laid, placed = "laid tile 8 in Granada", "placed 2"
    why = WIN["castilla-la-vieja"]
    assert told(game, why) == f"Red took «Score tile», {laid} and {placed}, to win Castilla la Vieja."
    assert told(game, WIN["granada"]) == f"Red took «Score tile», {placed} and {laid}, to win Granada."


def test_a_reason_is_told_only_if_the_turn_did_something_there() -> None:
    game = turn_of("king", THREE, board=BOARD)
    play(game, "red place pais-vasco", "red special", "red king granada", "red end")
    assert told(game, WIN["sevilla"]) == told(game)
    assert told(game, WIN["granada"]) == f"{str(told(game))[:-1]}, to win Granada."


def test_points_are_a_reason_only_if_the_turn_brought_them() -> None:
    game = play(turn_of("score-one", THREE, board=BOARD), "red special", "red score aragon", "red end")
    points = Message("to score {number} points at once", {"number": 5})
    assert told(game, points) == "Red took «Score one» and scored Aragón, to score 5 points at once."
    assert told(game, points._replace(fields={"number": 4})) == told(game)


# --- Vetoes -----------------------------------------------------------------------------------------------------------

STOPPED = {
    "move": "moving one of Blue's from Aragón to Granada",
    "extra": "placing one more in Granada",
    "remove": "sending home one of Blue's from Aragón",
    "return": "sending home one of Blue's from Aragón",
    "dial": "what the dials showed",
    "tile": "laying tile 8 in Granada",
    "retake": "taking a power card back",
    "recruit": "bringing 2 more to the court",
    "grande": "moving the Grande to Granada",
    "expel": "clearing Aragón",
}


@pytest.mark.parametrize("card", [*FIRST_STEP, *sorted(NO_STEP)])
def test_a_vetoed_announcement_is_told_as_stopped(card: str) -> None:
    game = play(turn_of(card, vetoes=["blue"]), "red special", "blue veto", "red end")
    title = Translator().card(card).title
    assert told(game) == f"Red took «{title}», but Blue vetoed the special action."


@pytest.mark.parametrize("card", FIRST_STEP)
def test_a_step_that_a_veto_stopped_is_not_told_as_done(card: str) -> None:
    game = play(turn_of(card, vetoes=["blue"]), "red special", "blue allow", *FIRST_STEP[card])
    play(game, "blue veto", "red end")
    step = Move.parse(FIRST_STEP[card][-1])
    place = "" if step.place == NOWHERE else Translator().place(PLACES[step.place])
    stopped = {**STOPPED, "score": f"scoring {place}", "king": f"moving the King to {place}"}[step.verb]
    if step.verb == "move" and step.colour == "red":
        stopped = "moving one from País Vasco to Granada"
    assert told(game) == f"Red took «{Translator().card(card).title}», but Blue vetoed {stopped}."


def test_what_came_before_a_veto_has_happened() -> None:
    game = turn_of("move-3", THREE, board=BOARD, vetoes=["blue"])
    play(game, "red place castillo", "red special", "blue allow", "red move red aragon granada", "blue allow")
    play(game, "red move blue sevilla granada", "blue veto", "red end")
    done = "Red took «Move 3», placed 1 in the castillo and moved 1 from Aragón to Granada"
    stopped = "Blue vetoed moving one of Blue's from Sevilla to Granada"
    assert told(game) == f"{done}, but {stopped}."
    assert told(game, WIN["granada"]) == f"{done}, to win Granada; {stopped}."


def test_an_angry_king_who_is_stopped_halfway_is_told_with_what_was_sent_home() -> None:
    game = play(turn_of("king-is-angry", THREE, board=BOARD, vetoes=["blue"]), "red special", "blue allow")
    play(game, "blue return sevilla", "blue allow", "blue return court", "blue veto", "red end")
    done = "Red took «The King is angry» and made the others send 1 home in all"
    assert told(game) == f"{done}, but Blue vetoed sending home one of Blue's from the court."


def test_a_region_is_not_cleared_when_the_dials_are_vetoed() -> None:
    game = play(turn_of("expel", THREE, board=BOARD, vetoes=["blue"]), "red special", "blue allow")
    play(game, "red expel aragon", "blue allow", "blue dial granada", "blue veto", "red end")
    assert told(game) == "Red took «Out of here», but Blue vetoed what the dials showed."


def test_power_cards_and_the_general_scoring_have_a_sentence_too() -> None:
    game = finished(3)
    view = game.view(None)
    sentences = [(turn.kind, summary(turn, view["scorings"])) for turn in history(view)]
    power = next(sentence for kind, sentence in sentences if kind == TurnKind.POWER)
    assert power is not None
    assert str(power).startswith("Power cards: ")
    gains = dict.fromkeys(game.seats, 0)
    for turn in history(view):
        for scoring in view["scorings"]:
            if turn.lines[0].at < scoring["move"] <= turn.lines[-1].at + 1:
                for seat, points in scoring["points"].items():
                    gains[seat] += points
                if scoring["leader"]:
                    gains[scoring["leader"]] += scoring["king_bonus"] + scoring["grande_bonus"]
    assert gains == game.scores
    assert all(sentence is not None for kind, sentence in sentences if kind == TurnKind.SCORING)


@pytest.mark.games
@games(10)
@given(SEEDS)
def test_every_turn_of_every_game_can_be_told_in_every_language(seed: int) -> None:
    game = finished(seed)
    view = game.view(None)
    for turn in history(view):
        sentence = summary(turn, view["scorings"], Message("to win {place}", {"place": "granada"}))
        for language in ("en", "nl", "de", "fr", "es"):
            if sentence is not None:
                assert "{" not in Translator(language, game.edition).say(sentence)
        assert (sentence is None) == (turn.kind == TurnKind.SET_UP)
        assert all(line.seat == TABLE for line in turn.lines) or turn.kind != TurnKind.SET_UP

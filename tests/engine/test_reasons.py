"""Every reason why a move can be refused: a position, a line, and the exact words."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from string import Formatter
from types import ModuleType
from typing import NamedTuple

import pytest

from companion.engine import EngineError, Game, IllegalMove, explain
from tests.engine.test_round import idle, idle_round, powers
from tests.support.arrange import opening, play, put, turn_of


class Case(NamedTuple):
    """A line that is refused in a position, and in which words."""

    game: Callable[[], Game]
    line: str
    words: str


TWO = ("red", "blue")


def begun(card: str, *lines: str, edition: str = "bigbox-de", **pieces: object) -> Game:
    """Red's special action has begun and gone so far."""
    return play(put(turn_of(card, edition=edition), **pieces), "red special", *lines)  # type: ignore[arg-type]


def to_recruit(province: int, **board: int) -> Game:
    """Red has played a 1, which brings 6, and has this many in the province; `board` is where the others are."""
    game = powers(opening(TWO), red=1, blue=13)
    play(game, "blue recruit 0", "blue card 1", "blue end")
    places = {region: {"red": number} for region, number in board.items()}
    return put(game, board=places, court={"red": 30 - province - sum(board.values())})


def second_round() -> Game:
    """Red has played its 1 and blue its 2 in round 1; the cards of round 2 are to be turned up."""
    return idle_round(powers(opening(TWO, cards=["move-3"]), red=1, blue=2))


def set_up(*lines: str) -> Game:
    return play(Game(TWO), *lines)


REASONS: dict[str, list[Case]] = {
    # --- Who may move.
    "the game is over": [
        Case(lambda: idle(opening(TWO), "over"), "red power 1", "the game is over"),
    ],
    "{seat} is not in this game; the players are {seats}": [
        Case(lambda: opening(TWO), "green power 1", "green is not in this game; the players are red, blue"),
    ],
    "{colour} is not in this game; the players are {seats}": [
        Case(
            lambda: set_up("table king aragon", "table home red sevilla", "table home blue granada"),
            "table start brown",
            "brown is not in this game; the players are red, blue",
        ),
        Case(
            lambda: play(turn_of("move-3", TWO), "red special"),
            "red move green aragon granada",
            "green is not in this game; the players are red, blue",
        ),
    ],
    "{seat} has already set the dial, and cannot change it": [
        Case(
            lambda: begun("secret-score", "blue dial aragon"),
            "blue dial sevilla",
            "blue has already set the dial, and cannot change it",
        ),
        Case(
            lambda: play(idle(opening(), "dial"), "red dial aragon"),
            "red dial aragon",
            "red has already set the dial, and cannot change it",
        ),
    ],
    "{seat} does not dial now": [
        Case(lambda: begun("secret-all-home"), "red dial pais-vasco", "red does not dial now"),
        Case(lambda: begun("expel", "red expel aragon"), "green dial aragon", "green does not dial now"),
    ],
    "it is not {seat}'s turn: {actors} must act": [
        Case(opening, "blue power 1", "it is not blue's turn: red must act"),
        Case(opening, "table start red", "it is not table's turn: red must act"),
        Case(lambda: Game(TWO), "red power 1", "it is not red's turn: table must act"),
        Case(
            lambda: begun("secret-score", "blue dial aragon"),
            "blue power 1",
            "it is not blue's turn: red, green, yellow must act",
        ),
        Case(
            lambda: begun("tile", vetoes=["green"]),
            "red tile 8 aragon",
            "it is not red's turn: green must act",
        ),
    ],
    # --- What is asked for.
    "'{verb}' is not possible now; {seat} can choose from {verbs}": [
        Case(opening, "red recruit 1", "'recruit' is not possible now; red can choose from power"),
        Case(opening, "red special", "'special' is not possible now; red can choose from power"),
        Case(opening, "red end", "'end' is not possible now; red can choose from power"),
        Case(opening, "red place castillo", "'place' is not possible now; red can choose from power"),
        Case(
            lambda: turn_of("tile"), "red done", "'done' is not possible now; red can choose from place, special, end"
        ),
        Case(
            lambda: begun("move-3"), "red place castillo", "'place' is not possible now; red can choose from move, done"
        ),
        Case(
            lambda: begun("own-from-one-or-extra-2", "red extra granada"),
            "red move red pais-vasco granada",
            "'move' is not possible now; red can choose from extra, done",
        ),
        Case(
            lambda: begun("tile", vetoes=["blue"]),
            "blue end",
            "'end' is not possible now; blue can choose from veto, allow",
        ),
        Case(
            lambda: begun("tile", vetoes=["blue"]),
            "blue done",
            "'done' is not possible now; blue can choose from veto, allow",
        ),
    ],
    "{seat} cannot place any more: placing ended when the special action began": [
        Case(
            lambda: play(turn_of("all-courts-home"), "red place castillo", "red special"),
            "red place castillo",
            "red cannot place any more: placing ended when the special action began",
        ),
    ],
    "{seat} has placed as many as {card} allows ({most})": [
        Case(
            lambda: play(turn_of("veto"), "red place castillo", "red place castillo"),
            "red place castillo",
            "red has placed as many as veto allows (2)",
        ),
    ],
    "{seat} has no caballeros in the court to place": [
        Case(
            lambda: turn_of("veto", court={"red": 0}),
            "red place castillo",
            "red has no caballeros in the court to place",
        ),
    ],
    "{seat} has used the special action of {card} already": [
        Case(
            lambda: begun("all-courts-home"),
            "red special",
            "red has used the special action of all-courts-home already",
        ),
    ],
    "{seat}'s special action is under way": [
        Case(lambda: begun("tile"), "red special", "red's special action is under way"),
    ],
    "{seat} cannot stop here: {card} is carried out as far as possible": [
        Case(lambda: begun("tile"), "red done", "red cannot stop here: tile is carried out as far as possible"),
        Case(
            lambda: begun("one-each-home", edition="classic-fr"),
            "red done",
            "red cannot stop here: one-each-home is carried out as far as possible",
        ),
    ],
    "{seat} must finish the special action of {card} first": [
        Case(lambda: begun("move-3"), "red end", "red must finish the special action of move-3 first"),
    ],
    # --- Chance.
    "homes are dealt in the order of the seats: next is {next}": [
        Case(
            lambda: set_up("table king aragon"),
            "table home blue sevilla",
            "homes are dealt in the order of the seats: next is red",
        ),
    ],
    "{place} cannot be {colour}'s home: the King stands there": [
        Case(
            lambda: set_up("table king aragon"),
            "table home red aragon",
            "aragon cannot be red's home: the King stands there",
        ),
    ],
    "{place} cannot be {colour}'s home: {other} is at home there": [
        Case(
            lambda: set_up("table king aragon", "table home red sevilla"),
            "table home blue sevilla",
            "sevilla cannot be blue's home: red is at home there",
        ),
    ],
    "the stacks are turned up in order: next is stack {stack}": [
        Case(second_round, "table reveal 2 veto", "the stacks are turned up in order: next is stack 1"),
    ],
    "{card} has been turned up already in this game": [
        Case(second_round, "table reveal 1 move-3", "move-3 has been turned up already in this game"),
    ],
    # --- Power cards, recruiting, taking a card.
    "{seat} may not play {number}: {other} has played it this round": [
        Case(
            lambda: powers(opening(), red=7),
            "blue power 7",
            "blue may not play 7: red has played it this round",
        ),
    ],
    "{seat} no longer has power card {number}": [
        Case(
            lambda: put(opening(), hands={"red": [2, 3]}),
            "red power 5",
            "red no longer has power card 5",
        ),
    ],
    "{seat} may bring {most} at most, not {number}": [
        Case(
            lambda: powers(opening(TWO), red=10, blue=1),
            "red recruit 2",
            "red may bring 1 at most, not 2",
        ),
        Case(lambda: begun("court-2"), "red recruit 3", "red may bring 2 at most, not 3"),
    ],
    "{seat} has only {held} in the province": [
        Case(lambda: to_recruit(3), "red recruit 4", "red has only 3 in the province"),
        Case(
            lambda: begun("court-2", board={"aragon": {"red": 2}}, court={"red": 28}),
            "red recruit 2",
            "red has only 0 in the province",
        ),
    ],
    "{seat} must bring {most}": [
        Case(lambda: begun("court-2", edition="classic-fr"), "red recruit 1", "red must bring 2"),
    ],
    "the card of stack {number} is taken": [
        Case(
            lambda: play(turn_of("tile"), "red end", "yellow recruit 0"),
            "yellow card 4",
            "the card of stack 4 is taken",
        ),
    ],
    # --- The King's region.
    "nothing enters or leaves {place}: the King stands there": [
        Case(
            lambda: play(to_recruit(0, galicia=1, aragon=1), "red recruit 0"),
            "red recall galicia",
            "nothing enters or leaves galicia: the King stands there",
        ),
        *(
            Case(game, f"{line} galicia", "nothing enters or leaves galicia: the King stands there")
            for game, line in (
                (lambda: begun("move-3"), "red move red pais-vasco"),
                (lambda: begun("extra-2"), "red extra"),
                (lambda: begun("one-each-home"), "red remove blue"),
                (lambda: begun("king-is-angry"), "blue return"),
                (lambda: begun("secret-all-home"), "blue dial"),
                (lambda: begun("secret-two-home"), "blue dial"),
                (lambda: begun("grande"), "red grande"),
                (lambda: begun("expel"), "red expel"),
            )
        ),
    ],
    "nothing enters or leaves {origin}: the King stands there": [
        Case(
            lambda: begun("move-3"),
            "red move red galicia granada",
            "nothing enters or leaves galicia: the King stands there",
        ),
    ],
    "nothing enters or leaves {king}: the King stands there": [
        Case(lambda: begun("tile"), "red tile 8 galicia", "nothing enters or leaves galicia: the King stands there"),
        Case(
            lambda: begun("tile", tiles={"4": "galicia"}),
            "red tile 4 granada",
            "nothing enters or leaves galicia: the King stands there",
        ),
    ],
    "{seat} may not place in {place}: the King stands there": [
        Case(lambda: turn_of("tile"), "red place galicia", "red may not place in galicia: the King stands there"),
    ],
    "{seat} may not place in {place}: it does not border the King's region ({king})": [
        Case(
            lambda: turn_of("tile"),
            "red place granada",
            "red may not place in granada: it does not border the King's region (galicia)",
        ),
    ],
    "the King stands in {king} already": [
        Case(lambda: begun("king"), "red king galicia", "the King stands in galicia already"),
        Case(lambda: begun("advisor"), "red king galicia", "the King stands in galicia already"),
    ],
    "the King moves only to a neighbour: {place} does not border {king}": [
        Case(
            lambda: begun("advisor"),
            "red king granada",
            "the King moves only to a neighbour: granada does not border galicia",
        ),
    ],
    # --- Nothing there.
    "{seat} has no caballeros in {place}": [
        Case(
            lambda: play(to_recruit(0, aragon=1), "red recruit 0"),
            "red recall granada",
            "red has no caballeros in granada",
        ),
        Case(lambda: begun("king-is-angry"), "blue return granada", "blue has no caballeros in granada"),
        Case(lambda: begun("secret-all-home"), "blue dial granada", "blue has no caballeros in granada"),
        Case(lambda: begun("secret-two-home"), "blue dial granada", "blue has no caballeros in granada"),
    ],
    "{seat} has no caballeros in the court": [
        Case(
            lambda: begun("king-is-angry", court={"blue": 0}),
            "blue return court",
            "blue has no caballeros in the court",
        ),
    ],
    "{colour} has no caballeros in {origin}": [
        Case(lambda: begun("move-3"), "red move blue granada sevilla", "blue has no caballeros in granada"),
    ],
    "{colour} has no caballeros in {place}": [
        Case(lambda: begun("one-each-home"), "red remove blue granada", "blue has no caballeros in granada"),
    ],
    # --- What a card does not do.
    "{seat} may not move more of their own caballeros with {card}": [
        Case(
            lambda: begun("move-3-others"),
            "red move red pais-vasco granada",
            "red may not move more of their own caballeros with move-3-others",
        ),
        Case(
            lambda: begun("move-2-own-2-others", *["red move red pais-vasco aragon"] * 2),
            "red move red aragon granada",
            "red may not move more of their own caballeros with move-2-own-2-others",
        ),
    ],
    "{seat} may not move more of the others' caballeros with {card}": [
        Case(
            lambda: begun("move-4-own"),
            "red move blue aragon granada",
            "red may not move more of the others' caballeros with move-4-own",
        ),
        Case(
            lambda: begun("move-2-own-2-others", *["red move blue aragon granada"] * 2),
            "red move blue granada aragon",
            "red may not move more of the others' caballeros with move-2-own-2-others",
        ),
    ],
    "{seat} must take all from one region, and has begun in {region}": [
        Case(
            lambda: begun("move-5-from-one", "red move blue aragon granada"),
            "red move green cataluna granada",
            "red must take all from one region, and has begun in aragon",
        ),
    ],
    "{card} is for the other players' caballeros: {seat}'s own stay": [
        Case(
            lambda: begun("one-each-home"),
            "red remove red pais-vasco",
            "one-each-home is for the other players' caballeros: red's own stay",
        ),
    ],
    "one caballero of {colour} has been sent home already": [
        Case(
            lambda: begun("one-each-home", "red remove blue aragon"),
            "red remove blue aragon",
            "one caballero of blue has been sent home already",
        ),
    ],
    "{seat} must leave {place}, and so dial another region": [
        Case(
            lambda: begun("expel", "red expel aragon", edition="bigbox-nl"),
            "blue dial aragon",
            "blue must leave aragon, and so dial another region",
        ),
    ],
    "the King stands in {place}: by the house rule strict-dial it cannot be dialled": [
        Case(
            lambda: idle(opening(house=["strict-dial"]), "dial"),
            "red dial galicia",
            "the King stands in galicia: by the house rule strict-dial it cannot be dialled",
        ),
    ],
    "{seat} must dial a region with at least 2 of their own caballeros": [
        Case(
            lambda: begun("secret-two-home", board={"aragon": {"blue": 2}, "sevilla": {"blue": 1}}),
            "blue dial sevilla",
            "blue must dial a region with at least 2 of their own caballeros",
        ),
    ],
    "{card} does not score the castillo": [
        Case(lambda: begun("score-one"), "red score castillo", "score-one does not score the castillo"),
        Case(
            lambda: begun("score-5s", "blue allow", vetoes=["blue"]),
            "red score castillo",
            "score-5s does not score the castillo",
        ),
    ],
    "{card} does not score {place} now": [
        Case(
            lambda: begun("score-5s", "blue allow", vetoes=["blue"]),
            "red score granada",
            "score-5s does not score granada now",
        ),
        Case(
            lambda: begun("score-5s", "blue allow", "red score aragon", "blue allow", vetoes=["blue"]),
            "red score aragon",
            "score-5s does not score aragon now",
        ),
    ],
    "there is a tile in {place} already": [
        Case(
            lambda: begun("tile", tiles={"8": "aragon"}),
            "red tile 4 aragon",
            "there is a tile in aragon already",
        ),
        Case(
            lambda: begun("tile", tiles={"8": "castillo"}),
            "red tile 8 castillo",
            "there is a tile in castillo already",
        ),
    ],
    "{seat} has not played power card {number}, or already has it back": [
        Case(
            lambda: begun("power-back"),
            "red retake 7",
            "red has not played power card 7, or already has it back",
        ),
    ],
    "{seat}'s Grande stands in {place} already": [
        Case(lambda: begun("grande"), "red grande pais-vasco", "red's Grande stands in pais-vasco already"),
    ],
}

CASES = [(text, case) for text, cases in REASONS.items() for case in cases]


def fields_of(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def check(error: EngineError, text: str, words: str) -> None:
    """The words, and that they are a constant text and its fields."""
    assert str(error) == str(error.message) == words
    assert error.message.text == text
    assert error.message.fields.keys() == fields_of(text)
    assert text.format(**error.message.fields) == words


def texts_in(module: ModuleType, function: str, position: int) -> set[str]:
    """The constant texts that a module hands to a function, as its argument number so and so."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
            argument = node.args[position]
            if isinstance(argument, ast.Constant):
                found.add(str(argument.value))
            elif isinstance(argument, ast.Name):
                found.add(getattr(module, argument.id))
    return found


@pytest.mark.parametrize(("text", "case"), CASES, ids=[f"{case.line}: {case.words}" for _, case in CASES])
def test_a_refused_move_says_why_and_changes_nothing(text: str, case: Case) -> None:
    game = case.game()
    before = game.snapshot(), game.legal_moves(), game.record(), game.questions, game.scorings
    with pytest.raises(IllegalMove) as caught:
        game.play(case.line)
    check(caught.value, text, case.words)
    assert (game.snapshot(), game.legal_moves(), game.record(), game.questions, game.scorings) == before


def test_the_fields_of_a_reason_hold_its_values() -> None:
    with pytest.raises(IllegalMove) as caught:
        turn_of("tile").play("red place granada")
    assert caught.value.message.fields == {"seat": "red", "place": "granada", "king": "galicia"}
    with pytest.raises(IllegalMove) as caught:
        begun("court-2").play("red recruit 3")
    assert caught.value.message.fields == {"seat": "red", "most": 2, "number": 3}


def test_every_reason_in_the_source_is_reached_by_a_case() -> None:
    assert texts_in(explain, "_say", 2) == REASONS.keys()

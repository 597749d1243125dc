"""Every reason for which a line is no move, a game cannot be set up, or a record cannot be read."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from random import Random

import pytest

from companion.engine import (
    BadRecord,
    BadSetup,
    EngineError,
    Game,
    IllegalMove,
    NotAMove,
    NothingToUndo,
    UnknownSeat,
    deal,
)
from companion.engine import moves as moves_module
from companion.engine import record as record_module
from companion.engine import state as state_module
from tests.engine.test_reasons import TWO, check, texts_in
from tests.support.arrange import opening

# --- Lines that are no moves ------------------------------------------------------------------------------------------

PLACE_LIST = (
    "galicia, pais-vasco, aragon, cataluna, castilla-la-vieja, castilla-la-nueva, valencia, sevilla, granada, castillo"
)
VERB_LIST = (
    "power, recruit, recall, card, place, special, end, done, move, extra, remove, return, dial, score, tile, retake, "
    "grande, expel, king, veto, allow"
)
NOT_TEXT = "a move is a line of text, not {given}"
NO_SEAT = "'{given}' is not a move: there is no seat called '{word}'; a seat is one of {expected}"
NO_VERB = "'{given}' is not a move: after the seat comes one of {expected}"
NO_NUMBER = "'{given}' is not a move: {verb} takes a number from {low} to {high}, not '{word}'"
NO_WORD = "'{given}' is not a move: '{word}' is not one of {expected}"
CLOSE = "'{given}' is not a move: '{word}' is not known there; did you mean {close}?"
WHOLE = "'{given}' is not a move: the whole line is '{form}'"

ALWAYS_OPEN = "'{given}' is not a move: the King card is always open"

NOT_MOVES = [
    ("", "an empty line is not a move", "an empty line is not a move"),
    ("   ", "an empty line is not a move", "an empty line is not a move"),
    (
        "white power 1",
        NO_SEAT,
        "there is no seat called 'white'; a seat is one of red, blue, green, yellow, brown, table",
    ),
    ("red", NO_VERB, f"after the seat comes one of {VERB_LIST}"),
    ("red jump aragon", NO_VERB, f"after the seat comes one of {VERB_LIST}"),
    ("table power 1", NO_VERB, "after the seat comes one of king, home, start, reveal"),
    ("red power 14", NO_NUMBER, "power takes a number from 1 to 13, not '14'"),
    ("red power x", NO_NUMBER, "power takes a number from 1 to 13, not 'x'"),
    ("red recruit 7", NO_NUMBER, "recruit takes a number from 0 to 6, not '7'"),
    ("red card 0", NO_NUMBER, "card takes a number from 1 to 5, not '0'"),
    ("red place aragn", CLOSE, "'aragn' is not known there; did you mean aragon?"),
    ("table home gren aragon", CLOSE, "'gren' is not known there; did you mean green?"),
    ("red place madrid", NO_WORD, f"'madrid' is not one of {PLACE_LIST}"),
    ("red tile 5 aragon", NO_WORD, "'5' is not one of 8, 4"),
    ("red end now", WHOLE, "the whole line is 'red end'"),
    ("red power", WHOLE, "the whole line is 'red power POWER'"),
    ("red allow al", "'{given}' is not a move: it must be allow, or allow all", "it must be allow, or allow all"),
    ("table reveal 5 king", ALWAYS_OPEN, "the King card is always open"),
    ("red move blue aragon", WHOLE, "the whole line is 'red move SEAT REGION PLACE'"),
    ("red return aragon court", WHOLE, "the whole line is 'red return REGION-OR-COURT'"),
    (
        "red move blue aragon aragon",
        "'{given}' is not a move: the piece must go to another place",
        "the piece must go to another place",
    ),
    (
        "table reveal 1 veto",
        "'{given}' is not a move: {card} is not a card of stack {stack}",
        "veto is not a card of stack 1",
    ),
]


@pytest.mark.parametrize(("line", "text", "words"), NOT_MOVES)
def test_a_line_that_is_no_move_says_which_word_is_wrong(line: str, text: str, words: str) -> None:
    game = opening()
    before = game.snapshot(), game.legal_moves(), game.record()
    with pytest.raises(NotAMove) as caught:
        game.play(line)
    check(caught.value, text, f"'{line}' is not a move: {words}" if line.strip() else words)
    assert (game.snapshot(), game.legal_moves(), game.record()) == before


def test_what_is_not_text_is_no_move() -> None:
    with pytest.raises(NotAMove) as caught:
        opening().play(7)  # type: ignore[arg-type]
    check(caught.value, NOT_TEXT, "a move is a line of text, not 7")
    with pytest.raises(NotAMove):
        opening().play(["red"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "error", [BadRecord(3, "x {y}", y=1), NotAMove("{given}", given="{odd}"), BadSetup("seats", "z")]
)
def test_an_error_survives_the_way_from_another_process(error: EngineError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.message, vars(again)) == (
        type(error),
        str(error),
        error.message,
        vars(error),
    )


def test_blanks_around_the_words_of_a_line_do_not_matter() -> None:
    game = opening()
    game.play("  red   power  7 ")
    assert [repr(move) for move in game.moves[-1:]] == ["Move('red', 'power', '7')"]
    assert str(game.moves[-1]) == "red power 7"


# --- Games that cannot be set up, and records that cannot be read -----------------------------------------------------

COLOURS = "red, blue, green, yellow, brown"
NO_COLOUR = "there is no seat called '{seat}'; the seats are {expected}"
NO_EDITION = "there is no edition called '{edition}'; the editions are {expected}"
EDITIONS = "classic-nl, classic-fr, bigbox-de, bigbox-nl, anniversary-es"
SEATS_ARE_A_LIST = "seats is a list of colours such as ('red', 'blue'), not {given}"
WRONG_ROUNDS = "a game has 9 rounds, or 6 in the short game, not {rounds}"
NO_HOUSE_RULE = "there is no house rule called '{rule}'; the house rules are {expected}"

SETUPS: list[tuple[Callable[[], Game], str, str, str]] = [
    (
        lambda: Game("red"),
        "seats",
        SEATS_ARE_A_LIST,
        "seats is a list of colours such as ('red', 'blue'), not 'red'",
    ),
    (
        lambda: Game(3),  # type: ignore[arg-type]
        "seats",
        SEATS_ARE_A_LIST,
        "seats is a list of colours such as ('red', 'blue'), not 3",
    ),
    (lambda: Game(("red", "white")), "seats", NO_COLOUR, f"there is no seat called 'white'; the seats are {COLOURS}"),
    (lambda: Game(("red", "table")), "seats", NO_COLOUR, f"there is no seat called 'table'; the seats are {COLOURS}"),
    (
        lambda: Game(("red", "blue", "red")),
        "seats",
        "each colour can play only once, but the seats are {seats}",
        "each colour can play only once, but the seats are red, blue, red",
    ),
    (
        lambda: Game(("red",)),
        "seats",
        "El Grande is for 2 to 5 seats, not {count}",
        "El Grande is for 2 to 5 seats, not 1",
    ),
    (
        lambda: Game(("red", "blue", "green", "yellow", "brown", "red")),
        "seats",
        "El Grande is for 2 to 5 seats, not {count}",
        "El Grande is for 2 to 5 seats, not 6",
    ),
    (
        lambda: Game(()),
        "seats",
        "El Grande is for 2 to 5 seats, not {count}",
        "El Grande is for 2 to 5 seats, not 0",
    ),
    (
        lambda: Game(TWO, "classic"),
        "edition",
        NO_EDITION,
        f"there is no edition called 'classic'; the editions are {EDITIONS}",
    ),
    (
        lambda: Game(TWO, rounds=9.0),  # type: ignore[arg-type]
        "rounds",
        WRONG_ROUNDS,
        "a game has 9 rounds, or 6 in the short game, not 9.0",
    ),
    (lambda: Game(TWO, rounds=7), "rounds", WRONG_ROUNDS, "a game has 9 rounds, or 6 in the short game, not 7"),
    (
        lambda: Game(TWO, house=["open-castillo", "loose-dial"]),
        "house",
        NO_HOUSE_RULE,
        "there is no house rule called 'loose-dial'; the house rules are strict-dial, open-castillo",
    ),
    (
        lambda: Game(TWO, house="loose-dial"),
        "house",
        NO_HOUSE_RULE,
        "there is no house rule called 'loose-dial'; the house rules are strict-dial, open-castillo",
    ),
]


@pytest.mark.parametrize(("make", "about", "text", "words"), SETUPS, ids=[words for *_, words in SETUPS])
def test_a_game_that_cannot_be_set_up_says_why(make: Callable[[], Game], about: str, text: str, words: str) -> None:
    with pytest.raises(BadSetup) as caught:
        make()
    check(caught.value, text, words)
    assert caught.value.about == about


HEADER = "edition: bigbox-de\nseats: red blue\nrounds: 9\n"
LACKS = "the header lacks '{key}'"

RECORDS = [
    ("", 1, LACKS, "the header lacks 'edition'"),
    ("edition: bigbox-de\nrounds: 9\n", 3, LACKS, "the header lacks 'seats'"),
    ("edition: bigbox-de\nseats: red blue\n\ntable king aragon\n", 4, LACKS, "the header lacks 'rounds'"),
    (
        "# a game\nedtion: bigbox-de\n",
        2,
        "there is no '{key}' in a header; the keys are {keys}",
        "there is no 'edtion' in a header; the keys are edition, seats, rounds, house",
    ),
    (HEADER + "rounds: 9\n", 4, "'{key}' is in the header twice", "'rounds' is in the header twice"),
    (HEADER.replace("9", "nine"), 3, WRONG_ROUNDS, "a game has 9 rounds, or 6 in the short game, not 'nine'"),
    (HEADER.replace("9", "09"), 3, WRONG_ROUNDS, "a game has 9 rounds, or 6 in the short game, not '09'"),
    (
        HEADER.replace("bigbox-de", "big"),
        1,
        NO_EDITION,
        f"there is no edition called 'big'; the editions are {EDITIONS}",
    ),
    (HEADER.replace("blue", "white"), 2, NO_COLOUR, f"there is no seat called 'white'; the seats are {COLOURS}"),
    (
        HEADER + "house: loose-dial\n\ntable king aragon\n",
        4,
        NO_HOUSE_RULE,
        "there is no house rule called 'loose-dial'; the house rules are strict-dial, open-castillo",
    ),
    (
        HEADER + "\ntable king aragon\n# what now?\ntable home red aragon\n",
        7,
        "{place} cannot be {colour}'s home: the King stands there",
        "aragon cannot be red's home: the King stands there",
    ),
    (
        HEADER + "\ntable king madrid\n",
        5,
        NO_WORD,
        f"'table king madrid' is not a move: 'madrid' is not one of {PLACE_LIST[:-10]}",
    ),
    (
        HEADER + "\ntable king aragon\nhouse: strict-dial\n",
        6,
        NO_SEAT,
        f"'house: strict-dial' is not a move: there is no seat called 'house:'; a seat is one of {COLOURS}, table",
    ),
]


@pytest.mark.parametrize(("lines", "line", "text", "words"), RECORDS)
def test_a_record_that_cannot_be_read_says_why_and_in_which_line(lines: str, line: int, text: str, words: str) -> None:
    with pytest.raises(BadRecord) as caught:
        Game.from_record(lines)
    error = caught.value
    assert error.line == line
    assert str(error) == f"line {line}: {words}"
    assert (error.message.text, str(error.message)) == (text, words)


# --- What else can be refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["green", "white", ""])
def test_a_seat_that_does_not_play_has_neither_moves_nor_a_view(seat: str) -> None:
    game = opening(TWO)
    for ask in (game.legal_moves, game.view):
        with pytest.raises(UnknownSeat) as caught:
            ask(seat)
        text = "there is no seat called '{seat}' in this game; the seats are {expected}"
        check(caught.value, text, f"there is no seat called '{seat}' in this game; the seats are red, blue")


def test_there_is_nothing_to_undo_before_the_first_move() -> None:
    with pytest.raises(NothingToUndo) as caught:
        Game(TWO).undo()
    check(caught.value, "there is no move to take back", "there is no move to take back")


def test_there_is_nothing_to_deal_while_somebody_must_act() -> None:
    with pytest.raises(IllegalMove) as caught:
        deal(opening(TWO), Random(1))
    check(caught.value, "there is nothing to deal; to act: {seats}", "there is nothing to deal; to act: red")


def test_every_text_in_the_source_is_reached() -> None:
    assert texts_in(moves_module, "NotAMove", 0) == {text for _, text, _ in NOT_MOVES} | {NOT_TEXT}
    assert texts_in(state_module, "BadSetup", 1) == {text for _, _, text, _ in SETUPS}
    assert texts_in(record_module, "BadRecord", 1) <= {text for _, _, text, _ in RECORDS}

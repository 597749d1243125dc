"""Moves and their notation: one line of text each, such as `red power 7`.

The moves of the game are a finite set, and each is made once, when this module is imported: two equal moves are the
same object, and a line is parsed by looking it up.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from .cards import CARDS, SHUFFLED_STACKS
from .errors import NotAMove
from .messages import Several
from .regions import (
    ALL_REGIONS,
    NEIGHBOURS,
    NOWHERE,
    PLACE_INDEX,
    PLACES,
    POWER_CARDS,
    REGIONS,
    SEATS,
    STACKS,
    TABLE,
    TILES,
    TOWER,
)

COURT: Final = "court"
MOST_RECRUITS: Final = 6


class Move:
    """One move: the seat, the verb, and its arguments.

    >>> Move.parse("green move red aragon castillo")
    Move('green', 'move', 'red', 'aragon', 'castillo')
    >>> str(Move("red", "power", "7"))
    'red power 7'
    """

    __slots__ = ("args", "colour", "number", "origin", "place", "seat", "text", "verb")

    seat: str
    verb: str
    args: tuple[str, ...]
    text: str
    # What the words mean to the engine.
    place: int
    """The last place named, as an index: where something goes."""
    origin: int
    """The first of two places named."""
    number: int
    colour: str

    def __new__(cls, seat: str, verb: str, *args: str | int) -> Move:
        return cls.parse(" ".join(map(str, (seat, verb, *args))))

    @classmethod
    def parse(cls, text: str) -> Move:
        """Returns the move that a line of notation stands for.

        >>> Move.parse("red power 14")
        Traceback (most recent call last):
        ...
        companion.engine.errors.NotAMove: 'red power 14' is not a move: power takes a number from 1 to 13, not '14'
        """
        if not isinstance(text, str):
            raise NotAMove("a move is a line of text, not {given}", given=repr(text))
        move = _MOVES.get(text)
        if move is None:
            words = text.split()
            move = _MOVES.get(" ".join(words))
            if move is None:
                raise _not_a_move(words)
        return move

    @classmethod
    def _make(cls, text: str) -> Move:
        self = super().__new__(cls)
        seat, verb, *args = text.split()
        places = [PLACE_INDEX[word] for word in args if word in PLACE_INDEX]
        numbers = [int(word) for word in args if word.isdigit()]
        colours = [word for word in args if word in SEATS]
        self.seat, self.verb, self.args, self.text = seat, verb, tuple(args), text
        self.place = places[-1] if places else NOWHERE
        self.origin = places[0] if len(places) > 1 else NOWHERE
        self.number = numbers[0] if numbers else -1
        self.colour = colours[0] if colours else ""
        return self

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({', '.join(map(repr, (self.seat, self.verb, *self.args)))})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Move.parse, (self.text,)


# --- The notation -------------------------------------------------------------------------------------------------

_CHANCE: Final[dict[str, tuple[str, ...]]] = {
    "king": ("region",),
    "home": ("seat", "region"),
    "start": ("seat",),
    "reveal": ("stack", "card"),
}
_VERBS: Final[dict[str, tuple[str, ...]]] = {
    "power": ("power",),
    "recruit": ("recruits",),
    "recall": ("region",),
    "card": ("stack",),
    "place": ("place",),
    "special": (),
    "end": (),
    "done": (),
    "move": ("seat", "region", "place"),
    "extra": ("place",),
    "remove": ("seat", "region"),
    "return": ("region or court",),
    "dial": ("region",),
    "score": ("place",),
    "tile": ("tile", "place"),
    "retake": ("power",),
    "grande": ("region",),
    "expel": ("region",),
    "king": ("region",),
    "veto": (),
    "allow": (),
}
_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "region": REGIONS,
    "place": PLACES,
    "region or court": (*REGIONS, COURT),
    "seat": SEATS,
    "power": tuple(map(str, POWER_CARDS)),
    "recruits": tuple(map(str, range(MOST_RECRUITS + 1))),
    "stack": tuple(map(str, STACKS)),
    "card": tuple(CARDS),
    "tile": TILES,
}


def _lines() -> Iterator[str]:
    """Yields every well-formed line, including the few that are not possible in any game."""
    for seat in (TABLE, *SEATS):
        for verb, kinds in (_CHANCE if seat == TABLE else _VERBS).items():
            lines = [f"{seat} {verb}"]
            for kind in kinds:
                lines = [f"{line} {word}" for line in lines for word in _WORDS[kind]]
            yield from lines
        if seat != TABLE:
            yield f"{seat} allow all"


def _possible(move: Move) -> bool:
    """Returns whether a move is possible in any game: a card turns up in its own stack, a caballero moves elsewhere."""
    if move.verb == "reveal":
        card = CARDS[move.args[1]]
        return card.stack == move.number and card.stack in SHUFFLED_STACKS
    return move.verb != "move" or move.origin != move.place


_MOVES: Final[dict[str, Move]] = {move.text: move for move in map(Move._make, _lines()) if _possible(move)}

_NUMBERS: Final = {"power": (1, 13), "recruits": (0, MOST_RECRUITS), "stack": (1, 5)}


def _not_a_move(words: list[str]) -> NotAMove:
    """Explains why a line is not a move, naming the first word that is wrong."""
    given = " ".join(words)
    if not words:
        return NotAMove("an empty line is not a move")
    seat, *rest = words
    if seat != TABLE and seat not in SEATS:
        return NotAMove(
            "'{given}' is not a move: there is no seat called '{word}'; a seat is one of {expected}",
            given=given, word=seat, expected=Several((*SEATS, TABLE)),
        )  # fmt: skip
    verbs = _CHANCE if seat == TABLE else _VERBS
    if not rest or rest[0] not in verbs:
        return NotAMove(
            "'{given}' is not a move: after the seat comes one of {expected}",
            given=given,
            expected=Several(verbs),
        )
    verb, *args = rest
    kinds = verbs[verb]
    for kind, word in zip(kinds, args, strict=False):
        if word in _WORDS[kind]:
            continue
        if kind in _NUMBERS:
            low, high = _NUMBERS[kind]
            return NotAMove(
                "'{given}' is not a move: {verb} takes a number from {low} to {high}, not '{word}'",
                given=given, verb=verb, low=low, high=high, word=word,
            )  # fmt: skip
        close = get_close_matches(word, _WORDS[kind], n=1)
        if close:
            return NotAMove(
                "'{given}' is not a move: '{word}' is not known there; did you mean {close}?",
                given=given, word=word, close=close[0],
            )  # fmt: skip
        return NotAMove(
            "'{given}' is not a move: '{word}' is not one of {expected}",
            given=given, word=word, expected=Several(_WORDS[kind]),
        )  # fmt: skip
    if verb == "allow":
        return NotAMove("'{given}' is not a move: it must be allow, or allow all", given=given)
    if len(args) != len(kinds):
        form = " ".join((seat, verb, *(kind.upper().replace(" ", "-") for kind in kinds)))
        return NotAMove("'{given}' is not a move: the whole line is '{form}'", given=given, form=form)
    if verb == "move":
        return NotAMove("'{given}' is not a move: the piece must go to another place", given=given)
    if args == ["5", "king"]:
        return NotAMove("'{given}' is not a move: the King card is always open", given=given)
    return NotAMove(
        "'{given}' is not a move: {card} is not a card of stack {stack}",
        given=given,
        card=args[1],
        stack=args[0],
    )


# --- Moves by kind, so that lists of legal moves are assembled from existing moves --------------------------------

Some = tuple[Move, ...]


def _per_region(seat: str, verb: str) -> Some:
    return tuple(Move(seat, verb, region) for region in REGIONS)


def _but(moves: Some) -> tuple[Some, ...]:
    """Returns, for each region, all the moves that do not go there."""
    return tuple(tuple(move for move in moves if move.place != region) for region in ALL_REGIONS)


class MovesOf:
    """All moves of one colour, by kind.

    Places are indices. A name with `but` is indexed by the region left out, one with `near` by the King's region.
    """

    def __init__(self, seat: str) -> None:
        def per_place(verb: str, *words: str) -> Some:
            return tuple(Move(seat, verb, *words, place) for place in PLACES)

        self.power = {n: Move(seat, "power", str(n)) for n in POWER_CARDS}
        self.recruit = tuple(Move(seat, "recruit", str(n)) for n in range(MOST_RECRUITS + 1))
        self.recall = _per_region(seat, "recall")
        self.card = tuple(Move(seat, "card", str(stack)) for stack in STACKS)
        place = per_place("place")
        self.place_near = tuple(tuple(place[n] for n in (*near, TOWER)) for near in NEIGHBOURS)
        self.special = Move(seat, "special")
        self.end = Move(seat, "end")
        self.done = Move(seat, "done")
        self.move_but = {
            colour: tuple(
                _but(tuple(Move(seat, "move", colour, origin, to) for to in PLACES if to != origin))
                for origin in REGIONS
            )
            for colour in SEATS
        }
        self.extra_but = _but(per_place("extra"))
        self.remove = {colour: tuple(Move(seat, "remove", colour, region) for region in REGIONS) for colour in SEATS}
        self.give_back = _per_region(seat, "return")
        self.give_back_court = Move(seat, "return", COURT)
        self.dial = _per_region(seat, "dial")
        self.dial_but = _but(self.dial)
        self.score = per_place("score")
        self.tile = tuple(per_place("tile", tile) for tile in TILES)
        self.retake = {n: Move(seat, "retake", str(n)) for n in POWER_CARDS}
        self.grande = _per_region(seat, "grande")
        self.expel_but = _but(_per_region(seat, "expel"))
        king = _per_region(seat, "king")
        self.king_but = _but(king)
        self.king_near = tuple(tuple(king[n] for n in near) for near in NEIGHBOURS)
        self.answers = (Move(seat, "veto"), Move(seat, "allow"), Move(seat, "allow", "all"))


class ChanceMoves:
    """All moves of the seat `table`, by kind."""

    king: Final = _per_region(TABLE, "king")
    home: Final = {seat: tuple(Move(TABLE, "home", seat, region) for region in REGIONS) for seat in SEATS}
    start: Final = {seat: Move(TABLE, "start", seat) for seat in SEATS}
    reveal: Final = {
        card.name: Move(TABLE, "reveal", str(card.stack), card.name)
        for card in CARDS.values()
        if card.stack in SHUFFLED_STACKS
    }


MOVES_OF: Final = {seat: MovesOf(seat) for seat in SEATS}

"""The pieces in the box: their kinds, how many there are of each, and the words for them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from .messages import Message, phrase
from .regions import CABALLEROS, SEATS, TILES


class PieceKind(StrEnum):
    """A kind of piece."""

    CABALLERO = "caballero"
    GRANDE = "grande"
    KING = "king"
    TILE = "tile"


class PieceWords(NamedTuple):
    """The words for a kind of piece; `{which}` is its colour, or the value of a tile.

    Each is a whole phrase or sentence, because in some languages the words around a piece depend on it.
    """

    name: str
    """Its name in files and on the wire."""
    one: str
    all: str
    not_now: str
    set_down: str
    take: str
    move: str


WORDS: Final = {
    PieceKind.CABALLERO: PieceWords(
        name="{which}-caballero",
        one=phrase("a {which} caballero"),
        all=phrase("the {which} caballeros"),
        not_now=phrase("You can't move {which} caballeros now."),
        set_down=phrase("Set {count} {which} down in {place}."),
        take=phrase("Take {count} {which} from {origin}."),
        move=phrase("Move {count} {which} from {origin} to {place}."),
    ),
    PieceKind.GRANDE: PieceWords(
        name="{which}-grande",
        one=phrase("the {which} Grande"),
        all=phrase("the {which} Grande"),
        not_now=phrase("The {which} Grande can't move now."),
        set_down=phrase("Set the {which} Grande down in {place}."),
        take=phrase("Take the {which} Grande from {origin}."),
        move=phrase("Move the {which} Grande from {origin} to {place}."),
    ),
    PieceKind.KING: PieceWords(
        name="king",
        one=phrase("the King"),
        all=phrase("the King"),
        not_now=phrase("The King can't move now."),
        set_down=phrase("Set the King down in {place}."),
        take=phrase("Take the King from {origin}."),
        move=phrase("Move the King from {origin} to {place}."),
    ),
    PieceKind.TILE: PieceWords(
        name="tile-{which}",
        one=phrase("score tile {which}"),
        all=phrase("score tile {which}"),
        not_now=phrase("Score tile {which} can't move now."),
        set_down=phrase("Set tile {which} down in {place}."),
        take=phrase("Take tile {which} from {origin}."),
        move=phrase("Move tile {which} from {origin} to {place}."),
    ),
}


class Piece(NamedTuple):
    """A kind of piece in a colour. Pieces of one kind and colour are all alike.

    >>> str(Piece(PieceKind.CABALLERO, "red")), str(Piece(PieceKind.KING)), str(Piece(PieceKind.TILE, "8"))
    ('red-caballero', 'king', 'tile-8')
    >>> Piece.parse("brown-grande")
    Piece(kind=<PieceKind.GRANDE: 'grande'>, which='brown')
    """

    kind: PieceKind
    which: str = ""
    """Its colour, or the value of a tile; empty for the King."""

    @classmethod
    def parse(cls, name: str) -> Piece:
        """Returns the piece with this name."""
        piece = _BY_NAME.get(name)
        if piece is None:
            raise ValueError(f"there is no piece called '{name}'; the pieces are {', '.join(_BY_NAME)}")
        return piece

    def __str__(self) -> str:
        return WORDS[self.kind].name.format(which=self.which)

    @property
    def one(self) -> Message:
        """The words for one such piece.

        >>> str(Piece(PieceKind.CABALLERO, "red").one)
        'a red caballero'
        """
        return Message.using(WORDS[self.kind].one, {"which": self.which})

    @property
    def all(self) -> Message:
        """The words for all such pieces.

        >>> str(Piece(PieceKind.CABALLERO, "red").all), str(Piece(PieceKind.GRANDE, "red").all)
        ('the red caballeros', 'the red Grande')
        """
        return Message.using(WORDS[self.kind].all, {"which": self.which})


def _whole_set() -> Iterator[tuple[Piece, int]]:
    # Colour by colour, so that one player's pieces are handled together.
    for colour in SEATS:
        yield Piece(PieceKind.CABALLERO, colour), CABALLEROS
        yield Piece(PieceKind.GRANDE, colour), 1
    yield Piece(PieceKind.KING), 1
    for value in TILES:
        yield Piece(PieceKind.TILE, value), 1


WHOLE_SET: Final = dict(_whole_set())
"""How many there are of each piece, 158 in all. The caballero that marks the score is not among them."""
_BY_NAME: Final = {str(piece): piece for piece in WHOLE_SET}

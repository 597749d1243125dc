"""The guide: what people have to do to the pieces until the board matches the game, as pure functions.

A position says where every piece is: in a place, or off the map (`STOCK`: court, province, or beside the board).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from companion.engine import PLACES, Message
from companion.engine.messages import Field
from companion.engine.pieces import WORDS, Piece, PieceKind
from companion.engine.views import Snapshot
from companion.table.motions import KING, STOCK, Motion

Position = dict[Piece, Counter[str]]


@dataclass(frozen=True)
class GuideStep:
    """One thing to do with pieces of one kind: move some from one place to another; either may be off the map."""

    piece: Piece
    origin: str
    target: str
    count: int = 1

    @property
    def way(self) -> tuple[str | None, str | None]:
        """The place the pieces leave and the place they go to; `None` means off the map."""
        return None if self.origin == STOCK else self.origin, None if self.target == STOCK else self.target

    @property
    def words(self) -> Message:
        """The step in a sentence.

        >>> str(GuideStep(Piece(PieceKind.CABALLERO, "red"), "aragon", STOCK, 2).words)
        'Take 2 red from aragon.'
        """
        words = WORDS[self.piece.kind]
        text = words.set_down if self.origin == STOCK else words.take if self.target == STOCK else words.move
        fields: dict[str, Field] = {
            "which": self.piece.which, "count": self.count, "origin": self.origin, "place": self.target
        }  # fmt: skip
        return Message.using(text, fields)


def position_of(snapshot: Snapshot) -> Position:
    """Returns where every piece is in the game."""
    position: Position = {KING: Counter([snapshot["king"] or STOCK])}
    for value, place in snapshot["tiles"].items():
        position[Piece(PieceKind.TILE, value)] = Counter([place or STOCK])
    for colour, seat in snapshot["seats"].items():
        position[Piece(PieceKind.GRANDE, colour)] = Counter([seat["grande"] or STOCK])
        caballeros = Counter({place: count for place, count in seat["regions"].items() if count})
        caballeros["castillo"] += seat["castillo"]
        caballeros[STOCK] += seat["court"] + seat["province"]
        position[Piece(PieceKind.CABALLERO, colour)] = +caballeros
    return position


def steps(board: Position, game: Position) -> list[GuideStep]:
    """Returns steps that make the board match the game while moving as few pieces as possible.

    Each surplus piece goes to a place where one is missing. Pieces of one kind are alike, so any pairing moves the same
    number of pieces; larger heaps are paired first, to keep the number of steps low.
    """
    found: list[GuideStep] = []
    for piece, wanted in game.items():
        lies = board.get(piece, Counter({STOCK: wanted.total()}))
        surplus, missing = lies - wanted, wanted - lies
        for origin, extra in surplus.most_common():
            for target, lacking in missing.most_common():
                count = min(extra, lacking)
                if count:
                    found.append(GuideStep(piece, origin, target, count))
                    missing[target] -= count
                    extra -= count
    return sorted(found, key=_order)


def _order(step: GuideStep) -> tuple[int, int, str, str]:
    """Sorts steps so that pieces leave before others come, and the supply lasts."""
    rank = 0 if step.target == STOCK else 2 if step.origin == STOCK else 1
    return rank, PLACES.index(step.origin) if step.origin in PLACES else -1, str(step.piece), step.target


def apart(board: Position, game: Position) -> int:
    """Returns the number of surplus and missing pieces in all places. A piece in the wrong place counts as two."""
    return sum(
        abs(board[piece][place] - wanted[place]) for piece, wanted in game.items() for place in PLACES if piece in board
    )


def done(board: Position, step: GuideStep, count: int | None = None) -> Position:
    """Returns the board after a step, or after moving some of its pieces.

    If the origin held fewer pieces than were taken, the others came from off the map: the total never changes.
    """
    number = step.count if count is None else count
    heap = Counter(board.get(step.piece, Counter()))
    there = min(number, heap[step.origin])
    heap[step.origin] -= there
    heap[STOCK] -= number - there
    heap[step.target] += number
    return {**board, step.piece: +heap}


def after_motion(board: Position, motion: Motion) -> Position:
    """Returns the board after somebody has made a move by hand."""
    if motion.piece is None:
        return board
    return done(board, GuideStep(motion.piece, motion.origin or STOCK, motion.target or STOCK))


def seen(board: Position, counts: Mapping[str, Counter[Piece]]) -> Position:
    """Returns the board corrected by what readers see: a listed place holds exactly the pieces listed there."""
    after: Position = {}
    for piece, heap in board.items():
        total = heap.total()
        new = Counter({spot: number for spot, number in heap.items() if spot not in counts and spot != STOCK})
        for place, pieces in counts.items():
            new[place] = pieces[piece]
        new[STOCK] = max(0, total - new.total())
        after[piece] = +new
    return after


def markers(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Returns the score markers to move, by seat, and where to."""
    return {seat: score for seat, score in after.items() if score != before.get(seat, 0)}

"""Moves as people make them on the board: which piece goes from where to where.

A move that touches the board is a motion: a piece, the place it leaves and the place it goes to. People show a motion
bit by bit, by pressing places or with tagged pieces; a `PartialMove` is what they have shown so far. Everything here is
pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from companion.engine import Move
from companion.engine.pieces import Piece, PieceKind
from companion.engine.views import Snapshot

KING: Final = Piece(PieceKind.KING)
STOCK: Final = "stock"
"""Off the map: court, province, or beside the board."""


@dataclass(frozen=True)
class Motion:
    """A move as people make it. If a piece has only one place to come from, that place need not be shown."""

    move: Move
    piece: Piece | None
    origin: str | None
    target: str | None
    origin_shown: bool
    """Whether the origin has to be shown, because it sets this move apart from others."""

    @property
    def touches(self) -> tuple[Touch, ...]:
        """The gestures that show this motion."""
        shown = ((self.origin if self.origin_shown else None, Slot.ORIGIN), (self.target, Slot.TARGET))
        return tuple(Touch(place, self.piece, slot) for place, slot in shown if place is not None)


def motion_of(move: Move, snapshot: Snapshot) -> Motion | None:
    """Returns the motion of a move, or `None` when it does not touch the board."""
    seat, words = move.seat, move.args
    match move.verb:
        case "place" | "extra":
            return Motion(move, Piece(PieceKind.CABALLERO, seat), None, words[0], False)
        case "recall" | "return":
            if words[0] == "court":
                return None
            return Motion(move, Piece(PieceKind.CABALLERO, seat), words[0], None, True)
        case "remove":
            return Motion(move, Piece(PieceKind.CABALLERO, words[0]), words[1], None, True)
        case "move":
            return Motion(move, Piece(PieceKind.CABALLERO, words[0]), words[1], words[2], True)
        case "tile":
            return Motion(move, Piece(PieceKind.TILE, words[0]), snapshot["tiles"][words[0]], words[1], False)
        case "grande":
            return Motion(move, Piece(PieceKind.GRANDE, seat), snapshot["seats"][seat]["grande"], words[0], False)
        case "king":
            return Motion(move, KING, snapshot["king"], words[0], False)
        case "home":
            return Motion(move, Piece(PieceKind.GRANDE, words[0]), None, words[1], False)
        case "score" | "expel":
            return Motion(move, None, None, words[0], False)
    return None


def motions_of(moves: Iterable[Move], snapshot: Snapshot) -> list[Motion]:
    """Returns the motions among some moves."""
    return [motion for move in moves if (motion := motion_of(move, snapshot)) is not None]


class Slot(Enum):
    """What a gesture at a place can mean."""

    ORIGIN = "from"
    TARGET = "to"


class Touch(NamedTuple):
    """A gesture at a place: its button was pressed, or a piece was tapped, lifted or set down there."""

    place: str
    piece: Piece | None = None
    slot: Slot | None = None
    """Whether the piece left the place or came to it, or `None` when that is not known."""
    tag: str | None = None
    """The tag of the piece, if a reader saw it: pieces of one kind are alike, their tags are not."""
    origins: frozenset[str] = frozenset()
    """The places the piece may have come from, `STOCK` among them. Empty when no reader saw it come."""


class PartialMove(NamedTuple):
    """What has been shown of a motion so far."""

    origin: str | None = None
    target: str | None = None
    piece: Piece | None = None

    def fits(self, motion: Motion) -> bool:
        """Returns whether a motion may be the one that is meant."""
        return (
            self.origin in (None, motion.origin)
            and self.target in (None, motion.target)
            and self.piece in (None, motion.piece)
        )

    def completes(self, motion: Motion) -> bool:
        """Returns whether all necessary places of a motion have been shown."""
        return (self.target == motion.target) and (not motion.origin_shown or self.origin == motion.origin)

    def with_place(self, slot: Slot, place: str, piece: Piece | None) -> PartialMove:
        """Returns the partial move after one more gesture."""
        shown = self._replace(origin=place) if slot is Slot.ORIGIN else self._replace(target=place)
        return shown if piece is None else shown._replace(piece=piece)


EMPTY: Final = PartialMove()


@dataclass(frozen=True)
class Interpretation:
    """What a gesture means: a whole move, one of several, part of a move, or nothing that fits."""

    partial: PartialMove = EMPTY
    move: Move | None = None
    choices: tuple[Move, ...] = ()
    """The moves that fit the gesture equally well: they differ in a colour or a tile."""
    slots: tuple[Slot, ...] = ()
    """The meanings that fit the gesture equally well: from here, or to here."""
    refused: bool = False


REFUSED: Final = Interpretation(refused=True)


def next_slots(motion: Motion, partial: PartialMove, any_order: bool = False) -> tuple[Slot, ...]:
    """Returns which places of a motion can be shown now: the origin before the target, unless the order is free."""
    origin = motion.origin_shown and partial.origin is None
    target = motion.target is not None and partial.target is None
    if any_order:
        return tuple(slot for slot, wanted in ((Slot.ORIGIN, origin), (Slot.TARGET, target)) if wanted)
    return (Slot.ORIGIN,) if origin else (Slot.TARGET,) if target else ()


def next_places(motions: Iterable[Motion], partial: PartialMove) -> dict[str, set[Slot]]:
    """Returns the places that can be shown next, and what each would mean."""
    places: dict[str, set[Slot]] = {}
    for motion in motions:
        if partial.fits(motion):
            for slot in next_slots(motion, partial):
                place = motion.origin if slot is Slot.ORIGIN else motion.target
                assert place is not None
                places.setdefault(place, set()).add(slot)
    return places


def from_places(motions: Iterable[Motion], origins: frozenset[str]) -> list[Motion]:
    """Returns the motions whose piece may have come from one of these places; all of them when none are given.

    Only caballeros need this: every other piece is the only one of its kind and colour.
    """
    return [
        motion
        for motion in motions
        if not origins
        or motion.piece is None
        or motion.piece.kind is not PieceKind.CABALLERO
        or (motion.origin or STOCK) in origins
    ]


def interpret(motions: Iterable[Motion], partial: PartialMove, touch: Touch) -> Interpretation:
    """Returns what a gesture means after what has been shown before."""
    place, piece, slot = touch.place, touch.piece, touch.slot
    motions = [motion for motion in motions if partial.fits(motion) and piece in (None, motion.piece)]
    meant = {
        each
        for motion in motions
        for each in (Slot.ORIGIN, Slot.TARGET)
        if slot in (None, each) and _means(motion, partial, place, each, any_order=slot is not None)
    }
    if not meant:
        return REFUSED
    if len(meant) > 1:
        return Interpretation(partial, slots=tuple(sorted(meant, key=lambda each: each.value)))
    (only,) = meant
    after = partial.with_place(only, place, piece)
    left = [motion for motion in motions if after.fits(motion)]
    whole = [motion for motion in left if after.completes(motion)]
    if not whole:
        return Interpretation(after)
    if len(whole) == len(left) == 1:
        return Interpretation(after, move=whole[0].move)
    # Several moves fit, or some are complete and others go on from here: only a person can say.
    return Interpretation(after, choices=tuple(motion.move for motion in whole))


def _means(motion: Motion, partial: PartialMove, place: str, slot: Slot, any_order: bool) -> bool:
    """Returns whether a place can be that slot of a motion now."""
    if slot is Slot.ORIGIN:
        # If only one piece can be meant, its place may be shown first, but need not be.
        free = partial.origin is None and partial.target is None if not any_order else partial.origin is None
        return motion.origin == place and free
    return motion.target == place and slot in next_slots(motion, partial, any_order)

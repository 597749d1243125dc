"""Moves as hands make them: which piece goes from where to where, and what is still to be shown of a move half made.

A move that touches the board is a motion: a piece, the place it leaves, the place it comes to. People show a
motion bit by bit, by pressing places or by tagged pieces; `Hand` is what they have shown so far.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from companion.engine import Move
from companion.engine.views import Snapshot
from companion.storage.tags import Piece

KING: Final = Piece("king")


@dataclass(frozen=True)
class Motion:
    """A move as hands make it. Where a piece has only one place to come from, that need not be shown."""

    move: Move
    piece: Piece | None
    origin: str | None
    target: str | None
    origin_shown: bool
    """Whether the origin has to be shown: it tells this move from others."""


def motion_of(move: Move, snapshot: Snapshot) -> Motion | None:
    """The motion of a move; none if it does not touch the board."""
    seat, words = move.seat, move.args
    match move.verb:
        case "place" | "extra":
            return Motion(move, Piece("caballero", seat), None, words[0], False)
        case "recall" | "return":
            if words[0] == "court":
                return None
            return Motion(move, Piece("caballero", seat), words[0], None, True)
        case "remove":
            return Motion(move, Piece("caballero", words[0]), words[1], None, True)
        case "move":
            return Motion(move, Piece("caballero", words[0]), words[1], words[2], True)
        case "tile":
            return Motion(move, Piece("tile", words[0]), snapshot["tiles"][words[0]], words[1], False)
        case "grande":
            return Motion(move, Piece("grande", seat), snapshot["seats"][seat]["grande"], words[0], False)
        case "king":
            return Motion(move, KING, snapshot["king"], words[0], False)
        case "home":
            return Motion(move, Piece("grande", words[0]), None, words[1], False)
        case "score" | "expel":
            return Motion(move, None, None, words[0], False)
    return None


def motions_of(moves: Iterable[Move], snapshot: Snapshot) -> list[Motion]:
    """The motions among some moves."""
    return [motion for move in moves if (motion := motion_of(move, snapshot)) is not None]


class Slot(Enum):
    """What a gesture at a place can mean."""

    ORIGIN = "from"
    TARGET = "to"


class Hand(NamedTuple):
    """What has been shown of a motion so far."""

    origin: str | None = None
    target: str | None = None
    piece: Piece | None = None

    def fits(self, motion: Motion) -> bool:
        """Whether a motion may be the one that is meant."""
        return (
            self.origin in (None, motion.origin)
            and self.target in (None, motion.target)
            and self.piece in (None, motion.piece)
        )

    def completes(self, motion: Motion) -> bool:
        """Whether all places of a motion have been shown."""
        return (self.target == motion.target) and (not motion.origin_shown or self.origin == motion.origin)

    def with_place(self, slot: Slot, place: str, piece: Piece | None) -> Hand:
        """The hand after one more gesture."""
        shown = replace_slot(self, slot, place)
        return shown if piece is None else shown._replace(piece=piece)


def replace_slot(hand: Hand, slot: Slot, place: str) -> Hand:
    """The hand with one more place shown."""
    return hand._replace(origin=place) if slot is Slot.ORIGIN else hand._replace(target=place)


EMPTY: Final = Hand()


@dataclass(frozen=True)
class Shown:
    """What comes of a gesture: a move, a choice for the phone, a hand half full, or nothing that fits."""

    hand: Hand = EMPTY
    move: Move | None = None
    choices: tuple[Move, ...] = ()
    """Moves that the gesture fits alike: they differ in a colour or a tile."""
    slots: tuple[Slot, ...] = ()
    """Meanings that the gesture has alike: from here, or to here."""
    refused: bool = False


REFUSED: Final = Shown(refused=True)


def next_slots(motion: Motion, hand: Hand, any_order: bool = False) -> tuple[Slot, ...]:
    """Which places of a motion can be shown now: the origin before the target, unless the order is free."""
    origin = motion.origin_shown and hand.origin is None
    target = motion.target is not None and hand.target is None
    if any_order:
        return tuple(slot for slot, wanted in ((Slot.ORIGIN, origin), (Slot.TARGET, target)) if wanted)
    return (Slot.ORIGIN,) if origin else (Slot.TARGET,) if target else ()


def lit(motions: Iterable[Motion], hand: Hand) -> dict[str, set[Slot]]:
    """The places that can be shown next, and what each would mean."""
    places: dict[str, set[Slot]] = {}
    for motion in motions:
        if hand.fits(motion):
            for slot in next_slots(motion, hand):
                place = motion.origin if slot is Slot.ORIGIN else motion.target
                assert place is not None
                places.setdefault(place, set()).add(slot)
    return places


def show(
    motions: Iterable[Motion], hand: Hand, place: str, piece: Piece | None = None, slot: Slot | None = None
) -> Shown:
    """What a gesture at a place means: a press, or with a piece a tap; with a slot it is known what is meant."""
    motions = [motion for motion in motions if hand.fits(motion) and piece in (None, motion.piece)]
    meant = {
        each
        for motion in motions
        for each in (Slot.ORIGIN, Slot.TARGET)
        if slot in (None, each) and _means(motion, hand, place, each, any_order=slot is not None)
    }
    if not meant:
        return REFUSED
    if len(meant) > 1:
        return Shown(hand, slots=tuple(sorted(meant, key=lambda each: each.value)))
    (only,) = meant
    after = hand.with_place(only, place, piece)
    left = [motion for motion in motions if after.fits(motion)]
    whole = [motion for motion in left if after.completes(motion)]
    if not whole:
        return Shown(after)
    if len(whole) < len(left):
        # Some motions are whole and others go on from here: only a person can say.
        return Shown(after, choices=tuple(motion.move for motion in whole))
    if len(whole) == 1:
        return Shown(after, move=whole[0].move)
    return Shown(after, choices=tuple(motion.move for motion in whole))


def _means(motion: Motion, hand: Hand, place: str, slot: Slot, any_order: bool) -> bool:
    """Whether a place can be that slot of a motion now."""
    if slot is Slot.ORIGIN:
        # Where only one piece can be meant its place may be shown first, though it need not.
        free = hand.origin is None and hand.target is None if not any_order else hand.origin is None
        return motion.origin == place and free
    return motion.target == place and slot in next_slots(motion, hand, any_order)


__all__ = [
    "EMPTY",
    "KING",
    "Hand",
    "Motion",
    "Shown",
    "Slot",
    "lit",
    "motion_of",
    "motions_of",
    "next_slots",
    "show",
]

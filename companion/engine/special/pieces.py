"""Stacks 4 and 5: score tiles, taking power cards back, the court, the Grande and the King."""

from __future__ import annotations

from ..messages import phrase
from ..moves import Move
from ..recalling import recall, recalls
from ..regions import PLACES, POWER_CARDS
from ..state import State, replaced
from .action import Special


class _OneStep(Special):
    """A special action of one step."""

    def begin(self, s: State) -> None:
        s.left = 1

    def steps(self, s: State) -> list[Move]:
        return self.choices(s) if s.left else []

    def effect(self, s: State, move: Move) -> None:
        s.left = 0
        self.carry_out(s, move)

    def choices(self, s: State) -> list[Move]:
        """Returns the steps to choose from."""
        raise NotImplementedError

    def carry_out(self, s: State, move: Move) -> None:
        """Carries out the step."""
        raise NotImplementedError


class LayTile(_OneStep):
    """Lays one of the two score tiles, or moves it."""

    ask = phrase("{seat}, which tile goes where?")

    def choices(self, s: State) -> list[Move]:
        taboo = (*s.tiles, s.king)
        return [
            moves[place]
            for lies, moves in zip(s.tiles, s.setup.moves[s.actor].tile, strict=True)
            if lies != s.king
            for place in range(len(PLACES))
            if place not in taboo
        ]

    def carry_out(self, s: State, move: Move) -> None:
        s.tiles = replaced(s.tiles, 0 if move.number == 8 else 1, move.place)


class PowerBack(_OneStep):
    """Takes back one of the acting seat's played power cards."""

    ask = phrase("{seat}, which power card do you take back?")

    def choices(self, s: State) -> list[Move]:
        hand = s.hands[s.actor]
        return [move for number, move in s.setup.moves[s.actor].retake.items() if number not in hand]

    def carry_out(self, s: State, move: Move) -> None:
        hand = tuple(n for n in POWER_CARDS if n == move.number or n in s.hands[s.actor])
        s.hands = (*s.hands[: s.actor], hand, *s.hands[s.actor + 1 :])
        s.retaken = replaced(s.retaken, s.actor, s.retaken[s.actor] + 1)


class MoveGrande(_OneStep):
    """Moves the acting seat's Grande to another region, but neither into nor out of the King's."""

    ask = phrase("{seat}, where does your Grande go?")

    def choices(self, s: State) -> list[Move]:
        here = s.grandes[s.actor]
        if here == s.king:
            return []
        grande = s.setup.moves[s.actor].grande
        return [grande[region] for region in s.open_regions() if region != here]

    def carry_out(self, s: State, move: Move) -> None:
        s.grandes = replaced(s.grandes, s.actor, move.place)


class MoveKing(_OneStep):
    """Moves the King to any other region, or only to a neighbouring one."""

    ask = phrase("{seat}, where does the King go?")

    def __init__(self, only_near: bool) -> None:
        self.only_near = only_near

    def choices(self, s: State) -> list[Move]:
        moves = s.setup.moves[s.actor]
        return list((moves.king_near if self.only_near else moves.king_but)[s.king])

    def carry_out(self, s: State, move: Move) -> None:
        s.king = move.place


class ToCourt(Special):
    """Brings up to this many more from the province to the court; in some editions, the rest from regions."""

    ask = phrase("{seat} may bring {left} more to the court")

    def __init__(self, number: int) -> None:
        self.number = number

    def begin(self, s: State) -> None:
        s.left = self.number
        s.todo = (s.actor,)  # until `recruit` is played

    def steps(self, s: State) -> list[Move]:
        moves = s.setup.moves[s.actor]
        edition = s.setup.edition
        if not s.todo:
            return [*recalls(s), moves.done] if s.left and recalls(s) else []
        available = min(s.left, s.province[s.actor])
        if not available and not (edition.court_recalls and recalls(s)):
            return []
        if edition.court_in_full:
            return [moves.recruit[available]]
        return [*moves.recruit[: available + 1], moves.done]

    def effect(self, s: State, move: Move) -> None:
        if move.verb == "recall":
            recall(s, move)
            s.left -= 1
            return
        s.todo = ()
        s.left -= move.number
        s.court[s.actor] += move.number
        s.province[s.actor] -= move.number
        if s.province[s.actor] or not s.setup.edition.court_recalls:
            s.left = 0

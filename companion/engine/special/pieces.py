"""Stacks 4 and 5: score tiles, taking power cards back, the court, the Grande and the King."""

from __future__ import annotations

from ..messages import QuestionWords, phrase
from ..moves import Move
from ..recalling import recall, recall_question, recalls
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

    about = phrase("{seat} lays a score tile, or moves one")
    to = phrase("Lay a score tile, or move one")

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

    about = phrase("{seat} takes a power card back")
    to = phrase("Which power card do you want back?")

    def choices(self, s: State) -> list[Move]:
        hand = s.hands[s.actor]
        return [move for number, move in s.setup.moves[s.actor].retake.items() if number not in hand]

    def carry_out(self, s: State, move: Move) -> None:
        hand = tuple(n for n in POWER_CARDS if n == move.number or n in s.hands[s.actor])
        s.hands = (*s.hands[: s.actor], hand, *s.hands[s.actor + 1 :])
        s.retaken = replaced(s.retaken, s.actor, s.retaken[s.actor] + 1)


class MoveGrande(_OneStep):
    """Moves the acting seat's Grande to another region, but neither into nor out of the King's."""

    about = phrase("{seat} moves the Grande")
    to = phrase("Where does your Grande go?")

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

    about = phrase("{seat} moves the King")
    to = phrase("Where does the King go?")

    def __init__(self, only_near: bool) -> None:
        self.only_near = only_near

    def choices(self, s: State) -> list[Move]:
        moves = s.setup.moves[s.actor]
        return list((moves.king_near if self.only_near else moves.king_but)[s.king])

    def carry_out(self, s: State, move: Move) -> None:
        s.king = move.place


class ToCourt(Special):
    """Brings up to this many more from the province to the court; in some editions, the rest from regions."""

    about = phrase("{seat} may bring {left} more to the court")
    to = phrase("Bring up to {left} caballeros to your court")

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

    def question(self, s: State, seat: int) -> QuestionWords:
        return super().question(s, seat) if s.todo else recall_question(s, seat, s.left)

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

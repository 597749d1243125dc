"""Stack 1: moving caballeros around the board, or placing more of them."""

from __future__ import annotations

from ..messages import QuestionWords, phrase
from ..moves import Move
from ..regions import CABALLEROS, NOWHERE
from ..state import State
from .action import Special


class Intrigue(Special):
    """Moves up to this many caballeros: of the acting seat's own, of others, and of both together."""

    def __init__(self, own: int, others: int, together: int = CABALLEROS, from_one: bool = False) -> None:
        self.own, self.others = own, others
        self.together = min(together, own + others)
        self.from_one = from_one
        if from_one:
            self.about = phrase("{seat} may move caballeros out of one region")
            self.to = phrase("Move caballeros out of one region: tap from, then to")
        else:
            self.about = phrase("{seat} may move {left} more")
            self.to = phrase("Move up to {left} more: tap from, then to")

    def begin(self, s: State) -> None:
        s.own_left, s.others_left, s.left = self.own, self.others, self.together

    def steps(self, s: State) -> list[Move]:
        if not s.left:
            return []
        steps: list[Move] = []
        own = s.actor if s.own_left else NOWHERE
        moves = s.setup.moves[s.actor]
        colours = [
            (seat, moves.move_but[colour])
            for seat, colour in enumerate(s.setup.seats)
            if seat == own or (seat != s.actor and s.others_left)
        ]
        king, board = s.king, s.board
        for origin in s.open_regions() if s.region == NOWHERE else (s.region,):
            counts = board[origin]
            for seat, moves_from in colours:
                if counts[seat]:
                    steps += moves_from[origin][king]
        if steps:
            steps.append(moves.done)
        return steps

    def effect(self, s: State, move: Move) -> None:
        seat = s.setup.index[move.colour]
        s.add(move.origin, seat, -1)
        s.add(move.place, seat, 1)
        s.left -= 1
        if seat == s.actor:
            s.own_left -= 1
        else:
            s.others_left -= 1
        if self.from_one:
            s.region = move.origin


class Extra(Special):
    """Places up to this many more from the court, anywhere but the King's region."""

    about = phrase("{seat} may place {extra} more, in any region but the King's or in the castillo")
    to = phrase("Place up to {extra} more, in any region but the King's or in the castillo")

    def __init__(self, number: int) -> None:
        self.number = number

    def begin(self, s: State) -> None:
        s.extra_left = self.number

    def steps(self, s: State) -> list[Move]:
        if not s.extra_left or not s.court[s.actor]:
            return []
        moves = s.setup.moves[s.actor]
        return [*moves.extra_but[s.king], moves.done]

    def effect(self, s: State, move: Move) -> None:
        s.court[s.actor] -= 1
        s.add(move.place, s.actor, 1)
        s.extra_left -= 1


class Either(Special):
    """One of two special actions; the first step decides which."""

    about = phrase("{seat} may move their own caballeros out of one region, or place two more anywhere")
    to = phrase("Move your own out of one region (tap from, then to), or place up to 2 more")

    def __init__(self, moving: Intrigue, placing: Extra) -> None:
        self.moving, self.placing = moving, placing

    def begin(self, s: State) -> None:
        self.moving.begin(s)
        self.placing.begin(s)

    def steps(self, s: State) -> list[Move]:
        moving, placing = self.moving.steps(s), self.placing.steps(s)
        if moving and placing:
            moving.pop()  # one `done` is enough
        return moving + placing

    def question(self, s: State, seat: int) -> QuestionWords:
        if not s.left:
            return self.placing.question(s, seat)
        return super().question(s, seat) if s.extra_left else self.moving.question(s, seat)

    def effect(self, s: State, move: Move) -> None:
        if move.verb == "extra":
            s.left = 0
            self.placing.effect(s, move)
        else:
            s.extra_left = 0
            self.moving.effect(s, move)

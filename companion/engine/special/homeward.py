"""Stack 2: caballeros sent back to the provinces, from courts and regions; and the veto card."""

from __future__ import annotations

from ..messages import phrase
from ..moves import Move
from ..state import State
from .action import Special


class KeepVeto(Special):
    """The acting seat keeps the card, to stop one special action of another seat."""

    def begin(self, s: State) -> None:
        s.vetoes = (*s.vetoes, (s.actor, s.round))


class CourtsHome(Special):
    """Up to this many caballeros leave the court of each other seat."""

    def __init__(self, number: int) -> None:
        self.number = number

    def begin(self, s: State) -> None:
        for seat in s.setup.after[s.actor]:
            leaving = min(self.number, s.court[seat])
            s.court[seat] -= leaving
            s.province[seat] += leaving


class OneEachHome(Special):
    """The acting seat sends home one caballero of each other seat."""

    about = phrase("{seat} sends home one caballero of each other player")
    to = phrase("Send home one caballero of each other player: tap where it stands")

    def begin(self, s: State) -> None:
        s.todo = s.setup.after[s.actor]

    def steps(self, s: State) -> list[Move]:
        moves = s.setup.moves[s.actor]
        steps = [
            moves.remove[s.setup.seats[seat]][region]
            for seat in s.todo
            for region in s.open_regions()
            if s.board[region][seat]
        ]
        if steps and not s.setup.edition.one_each_in_full:
            steps.append(moves.done)
        return steps

    def effect(self, s: State, move: Move) -> None:
        gone = s.setup.index[move.colour]
        s.send_home(move.place, gone, 1)
        s.todo = tuple(seat for seat in s.todo if seat != gone)


class KingIsAngry(Special):
    """Each other seat in turn sends this many of its own home, from regions or its court."""

    about = phrase("{seat} must send home {left} more")
    to = phrase("Send home {left} more: tap a region, or choose your court")

    def __init__(self, number: int) -> None:
        self.number = number

    def begin(self, s: State) -> None:
        s.todo = s.setup.after[s.actor]
        s.left = self.number
        self._pass_by(s)

    def seats(self, s: State) -> tuple[int, ...]:
        return s.todo[:1]

    def steps(self, s: State) -> list[Move]:
        return self._of(s, s.todo[0]) if s.todo else []

    def effect(self, s: State, move: Move) -> None:
        seat = s.todo[0]
        if move.args == ("court",):
            s.court[seat] -= 1
            s.province[seat] += 1
        else:
            s.send_home(move.place, seat, 1)
        s.left -= 1
        self._pass_by(s)

    def _of(self, s: State, seat: int) -> list[Move]:
        moves = s.setup.moves[seat]
        steps = [moves.give_back[region] for region in s.open_regions() if s.board[region][seat]]
        if s.court[seat]:
            steps.append(moves.give_back_court)
        return steps

    def _pass_by(self, s: State) -> None:
        """Goes on to the next seat that still has something to send home."""
        while s.todo and not (s.left and self._of(s, s.todo[0])):
            s.todo = s.todo[1:]
            s.left = self.number

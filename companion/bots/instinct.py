"""What each legal move is worth at a glance: one move deep, with a rule for every kind of decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.bots.valuation import DEFAULT, Valuation, Weights, worth
from companion.engine import Game, Move
from companion.engine.regions import ALL_REGIONS, NEIGHBOURS, NOWHERE, TOWER
from companion.engine.scoring import firsts, points
from companion.engine.state import State

Scored = list[tuple[float, Move]]
"""Moves with what each is worth."""


class Instinct:
    """Rates moves in a position for one seat."""

    def __init__(self, game: Game, seat: str, weights: Weights = DEFAULT) -> None:
        self.game = game
        self.s: State = game.state
        self.weights = weights
        self.seat = self.s.setup.index[seat]
        self.value = Valuation(self.s, self.seat, weights)
        self._steps: dict[tuple[int, int, int], float] = {}

    def rate(self, legal: list[Move]) -> Scored:
        """Returns every legal move with its worth."""
        return [(_RULES[move.verb](self, move), move) for move in legal]

    # One caballero here or there.

    def court_step(self, number: int = 1) -> float:
        """Returns what it is worth when this many caballeros come to the court, or leave it."""
        held = self.s.court[self.seat]
        return self.value.court_worth(held + number) - self.value.court_worth(held)

    def place(self, move: Move) -> float:
        return self.value.change(move.place, self.seat, 1) + self.court_step(-1)

    def move(self, move: Move) -> float:
        seat = self.s.setup.index[move.colour]
        return self._step(move.origin, seat, -1) + self._step(move.place, seat, 1)

    def _step(self, place: int, seat: int, number: int) -> float:
        """Returns the worth of a change that many moves have in common, and works it out once."""
        key = (place, seat, number)
        gain = self._steps.get(key)
        if gain is None:
            gain = self._steps[key] = self.value.change(place, seat, number)
        return gain

    def recall(self, move: Move) -> float:
        return self.value.change(move.place, self.seat, -1) + self.court_step(1)

    def remove(self, move: Move) -> float:
        return self.value.change(move.place, self.s.setup.index[move.colour], -1)

    def give_back(self, move: Move) -> float:
        if move.place == NOWHERE:
            return self.court_step(-1)
        return self.value.change(move.place, self.seat, -1)

    def recruit(self, move: Move) -> float:
        return self.court_step(move.number)

    def retake(self, move: Move) -> float:
        return float(move.number)

    # Choices of a region.

    def dial(self, move: Move) -> float:
        s, seat, region = self.s, self.seat, move.place
        if s.card is None:
            return self._arrive(region, s.board[TOWER][seat])
        if s.card == "expel":
            return self._arrive(region, s.board[s.region][seat])
        if s.card == "secret-score":
            return self.scored_now(region) * 0.8 ** (s.setup.count - 1)
        number = s.board[region][seat]
        if s.card == "secret-two-home":
            number = min(number, 2)
        return self.value.change(region, seat, -number)

    def _arrive(self, region: int, number: int) -> float:
        """Returns the worth of the seat's own caballeros arriving in a region; in the King's, they go to the court."""
        if region in (self.s.king, self.s.region):
            return self.court_step(number)
        return self.value.change(region, self.seat, number)

    def score(self, move: Move) -> float:
        return self.scored_now(move.place)

    def scored_now(self, place: int, only_firsts: bool = False) -> float:
        """Returns the margin when a place is scored as it stands."""
        s = self.s
        counts = s.board[place]
        if only_firsts:
            paid = firsts(s.value(place), counts)
        else:
            paid = points(s.value(place), counts, s.setup.edition.ties_take_all_ranks)
        best = max(counts)
        if place != TOWER and best and counts.count(best) == 1:
            leader = counts.index(best)
            bonus = self.value.bonuses[place][leader]
            paid = (*paid[:leader], paid[leader] + bonus, *paid[leader + 1 :])
        return self.value.margin(tuple(map(float, paid)))

    def expel(self, move: Move) -> float:
        """Rates making the others leave a region; each is assumed to go where it hurts a little."""
        s, region = self.s, move.place
        counts = s.board[region]
        left = tuple(number if seat == self.seat else 0 for seat, number in enumerate(counts))
        gain = self.value.term(region, left) - self.value.term(region, counts)
        for seat, number in enumerate(counts):
            if number and seat != self.seat:
                harms = sorted(
                    self.value.change(other, seat, number) for other in ALL_REGIONS if other not in (region, s.king)
                )
                gain += harms[2]
        return gain

    # The big pieces: the whole position is valued again.

    def tile(self, move: Move) -> float:
        return self._played(move)

    def grande(self, move: Move) -> float:
        return self._played(move)

    def _played(self, move: Move) -> float:
        """Returns how a step changes the worth of the whole position, if nobody objects."""
        after = self.s.copy()
        assert after.special is not None
        after.special.effect(after, move)
        return worth(after, self.seat, self.weights) - self.value.total(self.s)

    def king(self, move: Move) -> float:
        """Rates moving the King: its bonus moves, and other regions open up for caballeros still to be placed."""
        after = self.s.copy()
        after.king = move.place
        value = Valuation(after, self.seat, self.weights)
        gain = value.total(after) - self.value.total(self.s)
        if self.s.to_place:
            gain += best_placing(after, value, min(self.s.to_place, after.court[self.seat]))
        return gain

    def nothing(self, move: Move) -> float:
        return 0.0


def best_placing(s: State, value: Valuation, number: int) -> float:
    """Returns what placing up to this many caballeros brings, each where it is best. Changes the state."""
    gain = 0.0
    seat = value.seat
    for _ in range(number):
        step, place = max((value.change(place, seat, 1), place) for place in (*NEIGHBOURS[s.king], TOWER))
        held = s.court[seat]
        step += value.court_worth(held - 1) - value.court_worth(held)
        if step <= 0:
            break
        s.add(place, seat, 1)
        s.court[seat] -= 1
        gain += step
    return gain


_RULES: Final[dict[str, Callable[[Instinct, Move], float]]] = {
    "power": Instinct.nothing,
    "recruit": Instinct.recruit,
    "recall": Instinct.recall,
    "card": Instinct.nothing,
    "place": Instinct.place,
    "special": Instinct.nothing,
    "end": Instinct.nothing,
    "done": Instinct.nothing,
    "move": Instinct.move,
    "extra": Instinct.place,
    "remove": Instinct.remove,
    "return": Instinct.give_back,
    "dial": Instinct.dial,
    "score": Instinct.score,
    "tile": Instinct.tile,
    "retake": Instinct.retake,
    "grande": Instinct.grande,
    "expel": Instinct.expel,
    "king": Instinct.king,
    "veto": Instinct.nothing,
    "allow": Instinct.nothing,
}

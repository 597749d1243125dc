"""Plans: whole turns played out in the bot's mind, to see what an action card or a power card would bring."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.bots.instinct import Instinct, Scored
from companion.bots.valuation import DEFAULT, Valuation, Weights
from companion.engine import Game, Move
from companion.engine.cards import CARDS
from companion.engine.regions import RECRUITS
from companion.engine.turn import TAKE_CARD

# What a card brings beyond what the valuation of a position sees.
_BESIDES: Final = {"veto": 1.5, "power-back": 1.2}
# Cards whose special action may be better before placing than after.
_EITHER_ORDER: Final = ("king", "advisor")

HIGH_CARD: Final = 0.11
"""What spending a power card costs per point of its number, while there are rounds to come."""
OTHERS_TASTE: Final = 0.5
"""How likely a seat that acts earlier is to take the card this seat likes best."""


class Turn(NamedTuple):
    """An imagined turn: what it brings, the game after it (with only `end` left to play), and its first move."""

    gain: float
    game: Game
    first: Move


def best(rated: Scored) -> Move:
    """Returns the move with the highest worth, the first of several when they tie."""
    return max(rated, key=lambda pair: pair[0])[1]


class Planner:
    """Plays imagined turns in which everybody follows their instinct and nobody uses a veto."""

    def __init__(self, weights: Weights = DEFAULT) -> None:
        self.weights = weights

    def worth(self, game: Game, seat: str) -> float:
        """Returns what a position is worth to a seat."""
        s = game.state
        return Valuation(s, s.setup.index[seat], self.weights).total(s)

    # The turn.

    def turn(self, game: Game, seat: str) -> Turn:
        """Returns the best turn found for a seat that may place, begin its special action or end its turn."""
        s = game.state
        before = self.worth(game, seat)
        end = game.legal_moves()[-1]
        placed = self._placed(game, seat)
        turns = [Turn(self.worth(placed, seat) - before, placed, _first_since(game, placed, end))]
        if not s.special_used:
            turns.append(self._with_special(game, placed, seat, before))
            untouched = s.to_place == CARDS[str(s.card)].stack
            if untouched and placed is not game and self._may_go_first(game):
                first = self._special_played(game, seat)
                turns.append(self._with_special(game, self._placed(first, seat), seat, before))
        return max(turns, key=lambda turn: turn.gain)

    def _with_special(self, game: Game, after: Game, seat: str, before: float) -> Turn:
        """Returns the turn with the special action, played last unless it has been played already."""
        if not after.state.special_used:
            after = self._special_played(after, seat)
        gain = self.worth(after, seat) - before + _BESIDES.get(str(game.state.card), 0.0)
        return Turn(gain, after, _first_since(game, after, Move(seat, "special")))

    def _may_go_first(self, game: Game) -> bool:
        s = game.state
        return s.card in _EITHER_ORDER or (s.card == "court-2" and s.court[s.actor] < s.to_place)

    def _special_played(self, game: Game, seat: str) -> Game:
        after = game.copy()
        after.play(Move(seat, "special"))
        self.finish_special(after)
        return after

    def finish_special(self, game: Game) -> None:
        """Plays the special action under way to its end, everybody by instinct."""
        while game.state.special is not None:
            game.play(self.step(game))

    def step(self, game: Game) -> Move:
        """Chooses a step of a special action at a glance."""
        seat = game.to_act[0]
        legal = game.legal_moves(seat)
        if len(legal) == 1:
            return legal[0]
        if game.state.phase.kind == "veto":
            return legal[1]
        return best(Instinct(game, seat, self.weights).rate(legal))

    def _placed(self, game: Game, seat: str) -> Game:
        """Returns the game after placing what is worth placing; the same game when nothing is."""
        after = game
        while True:
            placing = [move for move in after.legal_moves() if move.verb == "place"]
            if not placing:
                return after
            gain, move = max(Instinct(after, seat, self.weights).rate(placing), key=lambda pair: pair[0])
            if gain <= 0:
                return after
            if after is game:
                after = game.copy()
            after.play(move)

    # Action cards.

    def turns(self, game: Game, seat: str, legal: list[Move]) -> list[Turn]:
        """Returns the whole turn with each action card."""
        turns = []
        for move in legal:
            taken = game.copy()
            taken.play(move)
            turns.append(self.turn(taken, seat)._replace(first=move))
        return turns

    def cards(self, game: Game, seat: str, legal: list[Move]) -> Scored:
        """Returns the action cards with what each would bring."""
        return [(turn.gain, turn.first) for turn in self.turns(game, seat, legal)]

    # Power cards.

    def powers(self, game: Game, seat: str, legal: list[Move]) -> Scored:
        """Returns the power cards with what each promises: the likely action card and the caballeros, less its cost."""
        s = game.state
        me = s.setup.index[seat]
        thought = s.copy()
        thought.actor = me
        thought.phase = TAKE_CARD
        thought.court[me] += min(3, thought.province[me])
        turn = game.imagine(thought)
        gains = sorted((gain for gain, _ in self.cards(turn, seat, turn.legal_moves())), reverse=True)

        instinct = Instinct(game, seat, self.weights)
        rounds_left = sum(number > s.round for number in s.setup.rounds)
        thrift = HIGH_CARD * min(1.0, rounds_left / 3)
        return [
            (
                _after_others(gains, self._ahead(game, me, move.number))
                + instinct.court_step(min(RECRUITS[move.number], s.province[me]))
                - thrift * move.number,
                move,
            )
            for move in legal
        ]

    def _ahead(self, game: Game, me: int, number: int) -> float:
        """Returns how many seats are expected to act before a seat that plays this card."""
        s = game.state
        ahead = 0.0
        for seat, played in enumerate(s.played):
            if seat == me:
                continue
            if played:
                ahead += played > number
            else:
                hand = [card for card in s.hands[seat] if card not in s.played]
                ahead += sum(card > number for card in hand) / len(hand)
        return ahead


def _first_since(game: Game, after: Game, otherwise: Move) -> Move:
    """Returns the first move that leads from one game to the other, or `otherwise` when no move does."""
    played = len(game.moves)
    return after.moves[played] if len(after.moves) > played else otherwise


def _after_others(gains: list[float], ahead: float) -> float:
    """Returns what the best card left is worth when this many others choose first."""
    index = min(ahead * OTHERS_TASTE, len(gains) - 1.0)
    low = int(index)
    high = min(low + 1, len(gains) - 1)
    return gains[low] + (gains[high] - gains[low]) * (index - low)

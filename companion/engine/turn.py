"""The course of the game: set-up, power cards, turns, the end of a round, and the general scoring."""

from __future__ import annotations

from typing import Final

from .cards import CARDS, KING_CARD
from .messages import Field, Message, QuestionWords, phrase
from .moves import ChanceMoves, Move
from .recalling import recall, recall_question, recalls
from .regions import ALL_REGIONS, HOME_AT_START, NOWHERE, RECRUITS, SCORING_ROUNDS
from .scoring import general_scoring
from .special import SPECIALS, announce, set_dial
from .state import TABLE_SEAT, Phase, State, replaced


class _King(Phase):
    """Chance: the region the King starts in."""

    kind = "king"

    def legal(self, s: State) -> list[Move]:
        return list(ChanceMoves.king)

    def play(self, s: State, move: Move) -> None:
        s.king = move.place
        s.phase = HOME

    def question(self, s: State, seat: int) -> QuestionWords:
        return QuestionWords.for_everybody(Message("Turn up a region card: where does the King start?", {}))


class _Home(Phase):
    """Chance: each seat's home region, in seat order."""

    kind = "home"

    def legal(self, s: State) -> list[Move]:
        moves = ChanceMoves.home[s.setup.seats[self._seat(s)]]
        return [moves[region] for region in ALL_REGIONS if region != s.king and region not in s.grandes]

    def play(self, s: State, move: Move) -> None:
        seat = self._seat(s)
        s.grandes = replaced(s.grandes, seat, move.place)
        s.province[seat] -= HOME_AT_START
        s.add(move.place, seat, HOME_AT_START)
        if NOWHERE not in s.grandes:
            s.phase = START

    def question(self, s: State, seat: int) -> QuestionWords:
        fields = {"colour": s.setup.name(self._seat(s))}
        return QuestionWords.for_everybody(Message("Turn up a region card: where is {colour} at home?", fields))

    def _seat(self, s: State) -> int:
        return s.grandes.index(NOWHERE)


class _Start(Phase):
    """Chance: who plays the first power card."""

    kind = "start"

    def legal(self, s: State) -> list[Move]:
        return [ChanceMoves.start[seat] for seat in s.setup.seats]

    def play(self, s: State, move: Move) -> None:
        s.start = s.setup.index[move.colour]
        begin_round(s)

    def question(self, s: State, seat: int) -> QuestionWords:
        return QuestionWords.for_everybody(Message("Who plays the first power card?", {}))


class _Reveal(Phase):
    """Chance: the top card of the next stack."""

    kind = "reveal"

    def legal(self, s: State) -> list[Move]:
        reveal = ChanceMoves.reveal
        return [reveal[card] for card in dict.fromkeys(s.decks[self._stack(s) - 1])]

    def play(self, s: State, move: Move) -> None:
        stack, card = move.number, move.args[1]
        deck = list(s.decks[stack - 1])
        deck.remove(card)
        s.decks = (*s.decks[: stack - 1], tuple(deck), *s.decks[stack:])
        s.open = (*s.open[: stack - 1], card, *s.open[stack:])
        if None not in s.open:
            s.actor = s.start
            s.phase = POWER

    def question(self, s: State, seat: int) -> QuestionWords:
        fields = {"stack": self._stack(s)}
        return QuestionWords.for_everybody(Message("Turn up the top card of stack {stack}: which is it?", fields))

    def _stack(self, s: State) -> int:
        return s.open.index(None) + 1


class _Power(Phase):
    """A seat plays a power card of a value not yet played this round."""

    kind = "power"

    def legal(self, s: State) -> list[Move]:
        power, played = s.setup.moves[s.actor].power, s.played
        return [power[number] for number in s.hands[s.actor] if number not in played]

    def play(self, s: State, move: Move) -> None:
        actor, number = s.actor, move.number
        hand = tuple(card for card in s.hands[actor] if card != number)
        s.hands = (*s.hands[:actor], hand, *s.hands[actor + 1 :])
        s.played = replaced(s.played, actor, number)
        if 0 in s.played:
            s.actor = (actor + 1) % s.setup.count
            return
        s.order = tuple(sorted(range(s.setup.count), key=s.played.__getitem__, reverse=True))
        begin_turn(s, 0)

    def question(self, s: State, seat: int) -> QuestionWords:
        fields = {"seat": s.setup.name(seat)}
        return QuestionWords.using(phrase("{seat} plays a power card"), phrase("Play a power card"), fields)


class _Recruit(Phase):
    """The acting seat brings caballeros from the province to its court."""

    kind = "recruit"

    def legal(self, s: State) -> list[Move]:
        return list(s.setup.moves[s.actor].recruit[: self._most(s) + 1])

    def play(self, s: State, move: Move) -> None:
        actor, number = s.actor, move.number
        s.court[actor] += number
        s.province[actor] -= number
        # What the province is short of may come from regions.
        s.recalls_left = 0 if s.province[actor] else RECRUITS[s.played[actor]] - number
        s.phase = RECALL if s.recalls_left and recalls(s) else TAKE_CARD

    def question(self, s: State, seat: int) -> QuestionWords:
        fields: dict[str, Field] = {"seat": s.setup.name(seat), "number": self._most(s)}
        one = phrase("Bring up to 1 caballero to your court")
        several = phrase("Bring up to {number} caballeros to your court")
        to = one if self._most(s) == 1 else several
        return QuestionWords.using(phrase("{seat} may bring up to {number} to the court"), to, fields)

    def _most(self, s: State) -> int:
        return min(RECRUITS[s.played[s.actor]], s.province[s.actor])


class _Recall(Phase):
    """The acting seat brings caballeros to its court from regions, because the province had too few."""

    kind = "recall"

    def legal(self, s: State) -> list[Move]:
        return [*recalls(s), s.setup.moves[s.actor].done]

    def play(self, s: State, move: Move) -> None:
        if move.verb == "recall":
            recall(s, move)
            s.recalls_left -= 1
            if s.recalls_left and recalls(s):
                return
        s.recalls_left = 0
        s.phase = TAKE_CARD

    def question(self, s: State, seat: int) -> QuestionWords:
        return recall_question(s, seat, s.recalls_left)


class _TakeCard(Phase):
    """The acting seat takes one of the open action cards."""

    kind = "card"

    def legal(self, s: State) -> list[Move]:
        return [move for move, card in zip(s.setup.moves[s.actor].card, s.open, strict=True) if card]

    def play(self, s: State, move: Move) -> None:
        stack = move.number
        s.card = s.open[stack - 1]
        s.open = (*s.open[: stack - 1], None, *s.open[stack:])
        s.to_place = stack
        s.phase = ACT

    def question(self, s: State, seat: int) -> QuestionWords:
        fields = {"seat": s.setup.name(seat)}
        return QuestionWords.using(phrase("{seat} takes an action card"), phrase("Take an action card"), fields)


# What may be done in a turn, in words: whether there is something to place, and whether the special action is used.
_ACT_WORDS: Final = {
    (True, False): (
        phrase("{seat} may place {number} more, or begin the special action of {card}"),
        phrase("Place up to {number}, or use {card}"),
    ),
    (True, True): (
        phrase("{seat} may place {number} more, or end the turn"),
        phrase("Place up to {number} more, or end your turn"),
    ),
    (False, False): (
        phrase("{seat} may begin the special action of {card}, or end the turn"),
        phrase("Use {card}, or end your turn"),
    ),
    (False, True): (
        phrase("{seat} has done everything: end the turn"),
        phrase("You have done everything: end your turn"),
    ),
}
_PLACE_OR_STOP: Final = phrase("Place up to {number} more, or use {card} (this ends placing)")


def placing_begun(s: State) -> bool:
    """Returns whether the acting seat has placed with its card, so that its special action would end placing."""
    return s.card is not None and s.to_place < CARDS[s.card].stack


class _Act(Phase):
    """The acting seat places caballeros and carries out its special action, in either order, then ends its turn."""

    kind = "act"

    def legal(self, s: State) -> list[Move]:
        moves = s.setup.moves[s.actor]
        menu = [*moves.place_near[s.king]] if s.to_place and s.court[s.actor] else []
        if not s.special_used:
            menu.append(moves.special)
        menu.append(moves.end)
        return menu

    def play(self, s: State, move: Move) -> None:
        verb = move.verb
        if verb == "place":
            s.court[s.actor] -= 1
            s.add(move.place, s.actor, 1)
            s.to_place -= 1
        elif verb == "end":
            end_turn(s)
        else:
            assert s.card is not None
            if placing_begun(s):
                s.to_place, s.placing_closed = 0, True  # placing had begun, and the two cannot be interleaved
            announce(s, move, SPECIALS[s.card])

    def question(self, s: State, seat: int) -> QuestionWords:
        may_place = min(s.to_place, s.court[seat])
        fields: dict[str, Field] = {"seat": s.setup.name(seat), "number": may_place, "card": str(s.card)}
        about, to = _ACT_WORDS[bool(may_place), s.special_used]
        if may_place and not s.special_used and placing_begun(s):
            to = _PLACE_OR_STOP
        return QuestionWords.using(about, to, fields)


class _GeneralDials(Phase):
    """Every seat sets its dial for the caballeros in the castillo, unseen by the others."""

    kind = "dial"

    def seats(self, s: State) -> tuple[int, ...]:
        return s.dialling

    def legal(self, s: State) -> list[Move]:
        moves = (s.setup.moves[seat] for seat in s.dialling)
        if s.setup.strict_dial:
            return [move for own in moves for move in own.dial_but[s.king]]
        return [move for own in moves for move in own.dial]

    def play(self, s: State, move: Move) -> None:
        if set_dial(s, move):
            general_scoring(s)
            next_round(s)

    def question(self, s: State, seat: int) -> QuestionWords:
        return QuestionWords.using(
            phrase("{seat} dials where the caballeros in the castillo go"),
            phrase("Where do your caballeros in the castillo go?"),
            {"seat": s.setup.name(seat)},
        )


class _Over(Phase):
    """The game is over."""

    kind = "over"

    def seats(self, s: State) -> tuple[int, ...]:
        return ()

    def legal(self, s: State) -> list[Move]:
        return []


KING: Final = _King()
HOME: Final = _Home()
START: Final = _Start()
REVEAL: Final = _Reveal()
POWER: Final = _Power()
RECRUIT: Final = _Recruit()
RECALL: Final = _Recall()
TAKE_CARD: Final = _TakeCard()
ACT: Final = _Act()
GENERAL_DIALS: Final = _GeneralDials()
OVER: Final = _Over()


def begin_round(s: State) -> None:
    """Begins the next round, with only the King card open."""
    s.round = next(number for number in s.setup.rounds if number > s.round)
    s.open = (None, None, None, None, KING_CARD)
    s.played = (0,) * s.setup.count
    s.order = ()
    s.actor = TABLE_SEAT
    s.phase = REVEAL


def begin_turn(s: State, turn: int) -> None:
    """Begins a turn by its position in the turn order, which runs from the highest power card to the lowest."""
    s.turn = turn
    s.actor = s.order[turn]
    s.phase = RECRUIT


def end_turn(s: State) -> None:
    """Ends the acting seat's turn, and begins the next turn or ends the round."""
    s.card = None
    s.to_place = 0
    s.special_used = s.placing_closed = False
    if s.turn + 1 < s.setup.count:
        begin_turn(s, s.turn + 1)
    else:
        end_round(s)


def end_round(s: State) -> None:
    """Puts away the cards and old vetoes, and begins a general scoring or the next round."""
    s.open = (None,) * 5
    s.start = s.order[-1]
    s.vetoes = tuple(veto for veto in s.vetoes if veto[1] == s.round)
    s.actor = TABLE_SEAT
    if s.round in SCORING_ROUNDS:
        s.dials = (NOWHERE,) * s.setup.count
        s.dialling = tuple(range(s.setup.count))
        s.phase = GENERAL_DIALS
    else:
        begin_round(s)


def next_round(s: State) -> None:
    """Begins the next round after a general scoring, or ends the game."""
    if s.round == s.setup.rounds[-1]:
        s.phase = OVER
    else:
        begin_round(s)

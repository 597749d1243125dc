"""The state of a game: where everything is and what is being decided. Phases and special actions change it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from .cards import DECKS
from .editions import EDITIONS, HOUSE_RULES, OPEN_CASTILLO, STRICT_DIAL
from .errors import BadSetup
from .messages import QuestionWords, Several, phrase
from .moves import MOVES_OF, Move
from .regions import (
    CABALLEROS,
    COURT_AT_START,
    NOWHERE,
    PLACES,
    POWER_CARDS,
    ROUNDS,
    SEATS,
    TILE_VALUES,
    VALUES,
)

if TYPE_CHECKING:
    from .special.action import Special

TABLE_SEAT: Final = -1
"""The index of the seat `table`; the players' seats are numbered from 0 in the order they sit."""

WRONG_ROUNDS: Final = phrase("a game has 9 rounds, or 6 in the short game, not {rounds}")


class Setup:
    """What was agreed before the game: seats, edition, length, house rules. It never changes."""

    def __init__(self, seats: Iterable[str], edition: str, rounds: int, house: Iterable[str]) -> None:
        self.seats = _checked_seats(seats)
        if edition not in EDITIONS:
            raise BadSetup(
                "edition", "there is no edition called '{edition}'; the editions are {expected}",
                edition=str(edition), expected=Several(EDITIONS),
            )  # fmt: skip
        if type(rounds) is not int or rounds not in ROUNDS:
            raise BadSetup("rounds", WRONG_ROUNDS, rounds=repr(rounds))
        given = (house,) if isinstance(house, str) else tuple(house)
        for rule in given:
            if rule not in HOUSE_RULES:
                raise BadSetup(
                    "house", "there is no house rule called '{rule}'; the house rules are {expected}",
                    rule=str(rule), expected=Several(HOUSE_RULES),
                )  # fmt: skip
        self.edition = EDITIONS[edition]
        self.length = rounds
        self.rounds = ROUNDS[rounds]
        self.house = tuple(rule for rule in HOUSE_RULES if rule in given)
        self.strict_dial = STRICT_DIAL in self.house
        self.open_castillo = OPEN_CASTILLO in self.house

        # With 2 seats only the first rank scores, with 3 the first two, with more all three.
        paid = min(len(self.seats) - 1, 3)
        self.values = tuple(values[:paid] for values in VALUES)
        self.tile_values = tuple(values[:paid] for values in TILE_VALUES)

        self.count = len(self.seats)
        self.index = {seat: index for index, seat in enumerate(self.seats)}
        self.moves = tuple(MOVES_OF[seat] for seat in self.seats)
        self.after = tuple(
            tuple((seat + step) % self.count for step in range(1, self.count)) for seat in range(self.count)
        )
        """For each seat, the others clockwise, starting on its left."""

    def name(self, seat: int) -> str:
        """Returns a seat's name, or `table` for the seat that plays chance."""
        return "table" if seat == TABLE_SEAT else self.seats[seat]

    @staticmethod
    def place(index: int) -> str:
        """Returns a place's name, or an empty string for `NOWHERE`."""
        return "" if index == NOWHERE else PLACES[index]


def _checked_seats(seats: Iterable[str]) -> tuple[str, ...]:
    if isinstance(seats, str) or not isinstance(seats, Iterable):
        raise BadSetup("seats", "seats is a list of colours such as ('red', 'blue'), not {given}", given=repr(seats))
    given = tuple(seats)
    for seat in given:
        if seat not in SEATS:
            raise BadSetup(
                "seats", "there is no seat called '{seat}'; the seats are {expected}",
                seat=str(seat), expected=Several(SEATS),
            )  # fmt: skip
    if not 2 <= len(given) <= len(SEATS):
        raise BadSetup("seats", "El Grande is for 2 to 5 seats, not {count}", count=len(given))
    if len(set(given)) < len(given):
        raise BadSetup("seats", "each colour can play only once, but the seats are {seats}", seats=Several(given))
    return given


class Scoring(NamedTuple):
    """One place scored: the caballeros there and what each seat got, in seat order."""

    move: int
    """The number of the move that caused it, from 1."""
    occasion: str
    """`general`, or the name of the card."""
    place: int
    counts: tuple[int, ...]
    points: tuple[int, ...]
    """For the ranks, without the bonuses."""
    leader: int
    """The seat that has the most, or -1 when it is a tie or the place is empty."""
    king_bonus: int
    grande_bonus: int

    def paid_to(self, seat: int) -> int:
        """Returns what a seat gets in all."""
        return self.points[seat] + (self.king_bonus + self.grande_bonus if seat == self.leader else 0)


class Phase:
    """A kind of decision: who decides, what is legal, what happens. Phases hold no state of their own."""

    kind: str
    """What is asked, as one word for programs."""

    def seats(self, s: State) -> tuple[int, ...]:
        """Returns the seats to act."""
        return (s.actor,)

    def legal(self, s: State) -> list[Move]:
        """Returns all legal moves of all seats to act."""
        raise NotImplementedError

    def play(self, s: State, move: Move) -> None:
        """Applies a legal move to the state."""
        raise NotImplementedError

    def question(self, s: State, seat: int) -> QuestionWords:
        """Returns what a seat is asked, in words."""
        raise NotImplementedError


class State:
    """Everything that changes in a game.

    Every move makes a new state, and the old one is kept for undo. Nothing the two share may change in place: only the
    four lists do, and `copy` copies them.
    """

    def __init__(self, setup: Setup, phase: Phase) -> None:
        count = setup.count
        self.setup = setup
        self.phase = phase
        self.menu: list[Move] | None = None
        """The legal moves, or `None` until they are first asked for."""
        self.actor = TABLE_SEAT
        self.moves_played = 0

        # Pieces.
        self.king = NOWHERE
        self.tiles: tuple[int, ...] = (NOWHERE, NOWHERE)
        self.grandes = (NOWHERE,) * count
        self.board: list[tuple[int, ...]] = [(0,) * count for _ in PLACES]
        """Caballeros by place, then by seat."""
        self.court = [COURT_AT_START] * count
        self.province = [CABALLEROS - COURT_AT_START] * count
        self.scores = [0] * count
        self.scorings: tuple[Scoring, ...] = ()

        # The round.
        self.round = 0
        self.start = 0
        self.decks = DECKS
        """What each shuffled stack may still show."""
        self.open: tuple[str | None, ...] = (None,) * 5
        self.hands = (POWER_CARDS,) * count
        self.played = (0,) * count
        """The power card each seat has played this round, or 0."""
        self.retaken = (0,) * count
        """How many power cards each seat has taken back; after the first, its hand is a secret."""
        self.order: tuple[int, ...] = ()
        self.turn = 0
        self.vetoes: tuple[tuple[int, int], ...] = ()
        """The veto cards held, oldest first: the seat, and the round the card was taken in."""

        # The turn.
        self.card: str | None = None
        self.to_place = 0
        self.recalls_left = 0
        self.special_used = False
        self.placing_closed = False

        # The special action under way.
        self.special: Special | None = None
        self.resume: Phase | None = None
        """The phase to return to afterwards."""
        self.own_left = self.others_left = self.left = self.extra_left = 0
        self.region = NOWHERE
        """The region fixed by the first step."""
        self.todo: tuple[int, ...] = ()
        """Seats or regions still to come."""

        # Dials being set: a region for each seat that has set its dial, and the seats that have not.
        self.dials = (NOWHERE,) * count
        self.dialling: tuple[int, ...] = ()

        # The veto question: the step that waits, the holders still to be asked, and those who allowed everything.
        self.pending: Move | None = None
        self.asked: tuple[int, ...] = ()
        self.content: tuple[int, ...] = ()

    def copy(self) -> State:
        """Returns a state that can change without changing this one."""
        new = object.__new__(State)
        new.__dict__ = self.__dict__.copy()
        new.menu = None
        new.board = self.board.copy()
        new.court = self.court.copy()
        new.province = self.province.copy()
        new.scores = self.scores.copy()
        return new

    def legal(self) -> list[Move]:
        """Returns all legal moves, which are worked out once."""
        menu = self.menu
        if menu is None:
            menu = self.menu = self.phase.legal(self)
        return menu

    def add(self, place: int, seat: int, number: int) -> None:
        """Puts caballeros in a place on the board, or takes them out when the number is negative."""
        counts = list(self.board[place])
        counts[seat] += number
        self.board[place] = tuple(counts)

    def send_home(self, place: int, seat: int, number: int) -> None:
        """Sends caballeros from a place on the board back to their province."""
        self.add(place, seat, -number)
        self.province[seat] += number

    def open_regions(self) -> Sequence[int]:
        """Returns all regions but the King's, which is taboo."""
        return _REGIONS_BUT[self.king]

    def value(self, place: int) -> tuple[int, ...]:
        """Returns what a place is worth now, first rank first."""
        if place in self.tiles:
            return self.setup.tile_values[self.tiles.index(place)]
        return self.setup.values[place]


_REGIONS_BUT: Final = tuple(tuple(region for region in range(9) if region != king) for king in range(9))


def replaced(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """Returns the tuple with one value replaced.

    >>> replaced((1, 2, 3), 1, 9)
    (1, 9, 3)
    """
    return (*values[:index], value, *values[index + 1 :])

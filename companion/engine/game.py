"""The game: legal moves, play and undo, and what can be shown of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from . import views
from .editions import DEFAULT_EDITION
from .errors import IllegalMove, NothingToUndo, UnknownSeat
from .explain import why_not
from .messages import Message
from .moves import Move
from .record import read_record, write_record
from .regions import TABLE
from .state import TABLE_SEAT, Scoring, Setup, State
from .turn import KING


class Question(NamedTuple):
    """What is asked of a seat."""

    seat: str
    kind: str
    """For programs: `power`, `recruit`, `act`, `veto` and so on."""
    message: Message
    """For everybody, about the seat."""
    yours: Message
    """For the seat itself."""


class Game:
    """A game of El Grande, from the first card to the last point.

    >>> game = Game(seats=("red", "blue", "green"))
    >>> game.to_act
    ('table',)
    >>> game.play("table king galicia")
    >>> game.legal_moves()[0]
    Move('table', 'home', 'red', 'pais-vasco')
    >>> game.play("table home red galicia")
    Traceback (most recent call last):
    ...
    companion.engine.errors.IllegalMove: galicia cannot be red's home: the King stands there
    """

    def __init__(
        self,
        seats: Iterable[str],
        edition: str = DEFAULT_EDITION,
        rounds: int = 9,
        house: Iterable[str] = (),
    ) -> None:
        self._setup = Setup(seats, edition, rounds, house)
        self._state = State(self._setup, KING)
        self._moves: list[Move] = []
        self._past: list[State] = []

    # What was agreed.

    @property
    def seats(self) -> tuple[str, ...]:
        """The colours, clockwise."""
        return self._setup.seats

    @property
    def edition(self) -> str:
        """The name of the edition."""
        return self._setup.edition.name

    @property
    def rounds(self) -> int:
        """How many rounds are played: 9, or 6 in the short game."""
        return self._setup.length

    @property
    def house(self) -> tuple[str, ...]:
        """The house rules in force."""
        return self._setup.house

    # What is to be decided.

    @property
    def to_act(self) -> tuple[str, ...]:
        """The seats to act: one, several while dials are being set, `table` for chance, or none when it is over."""
        s = self._state
        return tuple(map(self._setup.name, s.phase.seats(s)))

    @property
    def questions(self) -> tuple[Question, ...]:
        """What each seat to act is asked."""
        s = self._state
        return tuple(
            Question(self._setup.name(seat), s.phase.kind, *s.phase.question(s, seat)) for seat in s.phase.seats(s)
        )

    def legal_moves(self, seat: str | None = None) -> list[Move]:
        """Returns the legal moves of all seats to act, or of one seat."""
        menu = self._state.legal()
        if seat is None:
            return menu.copy()
        self._check_seat(seat)
        return [move for move in menu if move.seat == seat]

    @property
    def dialling(self) -> bool:
        """Whether dials are being set."""
        return views.dialling(self._state)

    def asks_in_secret(self, seat: str) -> bool:
        """Returns whether a seat's answer is secret now: a dial, or a card to take back."""
        return views.asks_in_secret(self._state, seat)

    # Playing.

    def play(self, move: Move | str) -> None:
        """Plays a legal move. Any other move changes nothing and raises `IllegalMove`, which says why."""
        if not isinstance(move, Move):
            move = Move.parse(move)
        s = self._state
        if move not in s.legal():
            reason = why_not(s, move)
            raise IllegalMove(reason.text, **reason.fields)
        self._play_unchecked(move)

    def _play_unchecked(self, move: Move) -> None:
        s = self._state
        self._past.append(s)
        self._moves.append(move)
        self._state = s = s.copy()
        s.moves_played += 1
        s.phase.play(s, move)

    def undo(self) -> Move:
        """Takes back the last move and returns it."""
        if not self._moves:
            raise NothingToUndo("there is no move to take back")
        self._state = self._past.pop()
        return self._moves.pop()

    def copy(self) -> Game:
        """Returns another game at the same point, with the same past."""
        new = object.__new__(Game)
        new._setup = self._setup
        new._state = self._state
        new._moves = self._moves.copy()
        new._past = self._past.copy()
        return new

    def imagine(self, state: State) -> Game:
        """Returns a copy that continues from a state the caller made up, for bots that ask "what if"."""
        new = self.copy()
        new._state = state
        return new

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves played so far."""
        return tuple(self._moves)

    # Results.

    @property
    def over(self) -> bool:
        """Whether the last scoring is done."""
        return self._state.phase.kind == "over"

    @property
    def round(self) -> int:
        """The number of the round, 0 during set-up."""
        return self._state.round

    @property
    def scores(self) -> dict[str, int]:
        """Points by seat."""
        return dict(zip(self._setup.seats, self._state.scores, strict=True))

    @property
    def winners(self) -> tuple[str, ...]:
        """The seats with the most points, several when they tie. Empty until the game is over."""
        return tuple(views.winners(self._state))

    @property
    def scorings(self) -> tuple[Scoring, ...]:
        """Every scoring so far, with what each seat got."""
        return self._state.scorings

    @property
    def state(self) -> State:
        """The state itself, to read but not to change: for bots, which read it thousands of times."""
        return self._state

    # Showing and keeping.

    def snapshot(self) -> views.Snapshot:
        """Returns everything about the game now as JSON-ready data, secrets included."""
        return views.snapshot(self._state)

    def view(self, seat: str | None, veiled: bool = False) -> views.View:
        """Returns what a seat may know as JSON-ready data; for `None`, what the shared screen may show.

        :param veiled: whether the seat has just changed hands: its new player sees only what everybody may know.
        """
        if seat is None:
            return views.view(self._state, self._moves, TABLE_SEAT)
        self._check_seat(seat)
        return views.view(self._state, self._moves, self._setup.index.get(seat, TABLE_SEAT), veiled)

    def payouts(self) -> dict[str, views.ScoringView]:
        """Returns what each place would pay if it were scored now; a closed castillo is left out.

        >>> game = Game(("red", "blue"))
        >>> for line in ("table king galicia", "table home red granada", "table home blue aragon"):
        ...     game.play(line)
        >>> game.payouts()["granada"]["points"], game.payouts()["granada"]["grande_bonus"]
        ({'red': 6, 'blue': 0}, 2)
        """
        return views.payouts(self._state)

    def record(self) -> str:
        """Returns the game as text; `from_record` rebuilds it."""
        return write_record(self)

    @classmethod
    def from_record(cls, text: str) -> Game:
        """Rebuilds a game from its record."""
        return read_record(cls, text)

    def _check_seat(self, seat: str) -> None:
        if seat != TABLE and seat not in self._setup.index:
            raise UnknownSeat(
                "there is no seat called '{seat}' in this game; the seats are {expected}",
                seat=str(seat), expected=", ".join(self._setup.seats),
            )  # fmt: skip

    def __repr__(self) -> str:
        s = self._setup
        return f"<Game {s.edition.name}, {' '.join(s.seats)}, round {self.round}, {len(self._moves)} moves>"

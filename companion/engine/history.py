"""The history of a game: the lines of its log in rounds and turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from .messages import Message
from .regions import ROUNDS, TABLE
from .views import View
from .words import move_words


class TurnKind(StrEnum):
    """What a stretch of the log is about."""

    SET_UP = "set-up"
    POWER = "power"
    """Cards are turned up, and everybody plays a power card."""
    ACTION = "action"
    """One seat recruits, takes an action card, places and uses the card."""
    SCORING = "scoring"
    """The dials of a general scoring, and the scoring itself."""


class LogLine(NamedTuple):
    """A line of a game's log, with what it takes to put it into words."""

    at: int
    """Its position in the log."""
    line: str
    card: str | None = None
    """The action card that is taken or in play."""

    @property
    def seat(self) -> str:
        """Who made the move."""
        return self.line.split()[0]

    @property
    def verb(self) -> str:
        """What kind of move it is."""
        return self.line.split()[1]

    @property
    def words(self) -> Message:
        """What the move means.

        >>> str(LogLine(0, "green card 4", "expel").words)
        'green takes expel'
        """
        return move_words(self.line, self.card)


class TurnHistory(NamedTuple):
    """A turn, or another stretch of the log that belongs together."""

    round: int
    """The number of the round, 0 for the set-up."""
    kind: TurnKind
    seat: str | None
    """Whose turn it is; `None` where everybody acts."""
    card: str | None
    """The action card that the seat has taken, or `None`."""
    lines: tuple[LogLine, ...]
    over: bool
    """Whether the turn has ended."""


def history(view: View) -> list[TurnHistory]:
    """Returns the log of a view in turns, from the set-up to the turn under way.

    >>> from companion.engine import Game
    >>> game = Game(("red", "blue"))
    >>> game.play("table king granada")
    >>> [(turn.kind.value, turn.over) for turn in history(game.view(None))]
    [('set-up', False)]
    """
    setup = view["setup"]
    stretches: list[_Stretch] = []
    for line in _with_cards(view["log"]):
        if not stretches or not stretches[-1].takes(line):
            number = _round([stretch.round for stretch in stretches], line, ROUNDS[setup["rounds"]])
            stretches.append(_Stretch(_kind(line), number, len(setup["seats"])))
        stretches[-1].lines.append(line)
    return [stretch.turn(over=stretch is not stretches[-1]) for stretch in stretches]


class _Stretch:
    """A stretch of the log while it is collected."""

    def __init__(self, kind: TurnKind, number: int, seats: int) -> None:
        self.kind, self.round, self._seats = kind, number, seats
        self.lines: list[LogLine] = []

    @property
    def ended(self) -> bool:
        """Whether nothing more belongs here."""
        last = self.lines[-1].verb
        if self.kind == TurnKind.ACTION:
            return last == "end"
        return last in ("power", "dial") and sum(line.verb == last for line in self.lines) == self._seats

    def takes(self, line: LogLine) -> bool:
        """Returns whether a line belongs here and not to the next stretch."""
        return not self.ended and (self.kind == TurnKind.ACTION or _kind(line) == self.kind)

    def turn(self, over: bool) -> TurnHistory:
        seat = self.lines[0].seat if self.kind == TurnKind.ACTION else None
        card = next((line.card for line in self.lines if line.verb == "card"), None)
        return TurnHistory(self.round, self.kind, seat, card, tuple(self.lines), over or self.ended)


def _kind(line: LogLine) -> TurnKind:
    """Returns which kind of stretch a line begins or continues; an action turn takes everything until its `end`."""
    if line.verb in ("reveal", "power"):
        return TurnKind.POWER
    if line.seat == TABLE:
        return TurnKind.SET_UP
    return TurnKind.SCORING if line.verb == "dial" else TurnKind.ACTION


def _round(before: Sequence[int], line: LogLine, rounds: Sequence[int]) -> int:
    """Returns the round of a stretch that begins with a line, after stretches of these rounds."""
    last = before[-1] if before else 0
    if _kind(line) != TurnKind.POWER:
        return last
    return next(number for number in rounds if number > last)


def _with_cards(log: Sequence[str]) -> Iterator[LogLine]:
    """Yields the lines with the action card that is taken or in play."""
    open_cards = {"5": "king"}
    card: str | None = None
    for index, line in enumerate(log):
        _seat, verb, *words = line.split()
        if verb == "reveal":
            open_cards[words[0]] = words[1]
        elif verb == "card":
            card = open_cards.get(words[0])
        yield LogLine(index, line, card)
        if verb == "end":
            card = None

"""What an undo takes back, as pure functions of the moves and who made each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from companion.engine import TABLE, Message, Move

NOTHING: Final = Message("There is nothing to take back.", {})
DEALT: Final = Message("What was dealt stays dealt.", {})
DIALLED: Final = Message("A dial once set stands.", {})


@dataclass(frozen=True)
class UndoProposal:
    """An undo that waits until everybody has agreed."""

    count: int
    agreed: frozenset[str]

    def agreed_by(self, seat: str) -> UndoProposal:
        """Returns the proposal with one more seat that agrees."""
        return replace(self, agreed=self.agreed | {seat})

    def missing(self, persons: Iterable[str]) -> frozenset[str]:
        """Returns the seats that still have to agree."""
        return frozenset(persons) - self.agreed


@dataclass(frozen=True)
class Undo:
    """How many moves an undo takes back and whether everybody must agree, or why it is refused."""

    count: int = 0
    by_agreement: bool = False
    refused: Message | None = None


def undo_of(
    moves: Sequence[Move],
    made_by: Sequence[str],
    seat: str | None = None,
    whole_turn: bool = False,
    fixed: int = 0,
) -> Undo:
    """Returns what is taken back when somebody wants to undo.

    :param seat: who wants to, or `None` when that is not known; somebody else's move needs everybody's agreement.
    :param whole_turn: whether to go back to the beginning of the turn.
    :param fixed: how many moves cannot be undone, because cards were turned up after them.
    """
    last = _last_by(made_by, ("person", "bot"), len(moves))
    if last < 0:
        return Undo(refused=NOTHING)
    by_agreement = whole_turn
    if made_by[last] == "bot":
        # Back past the bots, to what a person did last.
        last = _last_by(made_by, ("person",), last)
        by_agreement = True
        if last < 0:
            return Undo(refused=NOTHING)
    if seat is not None and moves[last].seat not in (seat, TABLE):
        by_agreement = True
    first = _beginning_of_turn(moves, last) if whole_turn else last
    refused = DEALT if first < fixed else _revealed(moves, made_by, first)
    return Undo(refused=refused) if refused else Undo(len(moves) - first, by_agreement)


def _last_by(made_by: Sequence[str], makers: tuple[str, ...], end: int) -> int:
    return next((index for index in range(end - 1, -1, -1) if made_by[index] in makers), -1)


def _beginning_of_turn(moves: Sequence[Move], last: int) -> int:
    """Returns the index of the first move after the end of another turn, a power card, or a deal."""
    for index in range(last - 1, -1, -1):
        if moves[index].verb in ("end", "power") or moves[index].seat == TABLE:
            return index + 1
    return 0


def _revealed(moves: Sequence[Move], made_by: Sequence[str], first: int) -> Message | None:
    """Returns why the moves from an index on cannot be taken back, or `None` when nothing has been revealed since."""
    taken = moves[first:]
    if any(move.verb == "dial" for move in taken):
        return DIALLED
    # A card that a person entered by mistake may be entered again; one that the table dealt has been seen.
    dealt = (move.seat == TABLE and maker == "table" for move, maker in zip(taken, made_by[first:], strict=True))
    return DEALT if any(dealt) else None

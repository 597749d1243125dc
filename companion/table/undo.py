"""What an undo takes back, as pure functions of the moves and who made each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from companion.engine import TABLE, Message, Move, phrase
from companion.engine.cards import KING_CARD
from companion.engine.views import SECRET_VERBS, masked
from companion.engine.words import move_words
from companion.engine.your_words import done_words

NOTHING: Final = Message("There is nothing to undo.", {})
DEALT: Final = Message("New cards have been turned up: earlier moves cannot be undone.", {})
DIALLED: Final = Message("Your dial is locked.", {})
DIALS_SET: Final = Message("Dials have been set: earlier moves cannot be undone.", {})

UNDO: Final = phrase("Undo: {move}")
ASK_TO_UNDO: Final = phrase("Ask to undo: {move}")
UNDO_TURN: Final = Message(phrase("Undo the whole turn"), {})
ASK_TO_UNDO_TURN: Final = Message(phrase("Ask to undo the whole turn"), {})
UNDO_BEGUN: Final = Message(phrase("Undo: the move you began"), {})


@dataclass(frozen=True)
class UndoProposal:
    """An undo that waits until everybody has agreed."""

    count: int
    agreed: frozenset[str]
    by: str
    """The seat that asks for it."""

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
    past: tuple[str, ...] = ()
    """The bots whose moves are taken back too."""


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
    refused = DEALT if first < fixed else _revealed(moves, made_by, first, seat)
    if refused:
        return Undo(refused=refused)
    bots = [move.seat for move, maker in zip(moves[first:], made_by[first:], strict=True) if maker == "bot"]
    return Undo(len(moves) - first, by_agreement, past=tuple(dict.fromkeys(bots)))


def undo_words(moves: Sequence[Move], undo: Undo, seat: str | None, alone: bool, whole_turn: bool = False) -> Message:
    """Says what an undo takes back, to the player who wants it.

    :param seat: who wants it, or `None` when that is not known.
    :param alone: whether nobody else has to be asked.
    """
    index = len(moves) - undo.count
    move = moves[index]
    ask = undo.by_agreement and not alone and move.seat not in (seat, TABLE)
    if whole_turn:
        return ASK_TO_UNDO_TURN if ask else UNDO_TURN
    # Not even to its own seat, which may have changed hands since.
    own = move.seat == seat and move.verb not in SECRET_VERBS
    words = done_words(move, card_of(moves, index)) if own else public_words(move)
    return Message(ASK_TO_UNDO if ask else UNDO, {"move": words})


def public_words(move: Move) -> Message:
    """Says what a move does to everybody, without what only its seat may know."""
    return move_words(masked(move) if move.verb in SECRET_VERBS else move)


def card_of(moves: Sequence[Move], index: int) -> str:
    """Returns the action card that a move takes or uses; empty when it does neither.

    >>> card_of([Move.parse("table reveal 4 expel"), Move.parse("red card 4"), Move.parse("red special")], 2)
    'expel'
    """
    move = moves[index]
    if move.verb == "special":
        index = next(each for each in range(index, -1, -1) if moves[each].verb == "card")
    elif move.verb != "card":
        return ""
    stack = moves[index].args[0]
    revealed = (each.args[1] for each in reversed(moves[:index]) if each.verb == "reveal" and each.args[0] == stack)
    return next(revealed, KING_CARD)


def _last_by(made_by: Sequence[str], makers: tuple[str, ...], end: int) -> int:
    return next((index for index in range(end - 1, -1, -1) if made_by[index] in makers), -1)


def _beginning_of_turn(moves: Sequence[Move], last: int) -> int:
    """Returns the index of the first move after the end of another turn, a power card, or a deal."""
    for index in range(last - 1, -1, -1):
        if moves[index].verb in ("end", "power") or moves[index].seat == TABLE:
            return index + 1
    return 0


def _revealed(moves: Sequence[Move], made_by: Sequence[str], first: int, seat: str | None) -> Message | None:
    """Returns why the moves from an index on cannot be taken back, or `None` when nothing has been revealed since."""
    taken = moves[first:]
    dialled = [move.seat for move in taken if move.verb == "dial"]
    if dialled:
        return DIALLED if seat in dialled else DIALS_SET
    # A card that a person entered by mistake may be entered again; one that the table dealt has been seen.
    dealt = (move.seat == TABLE and maker == "table" for move, maker in zip(taken, made_by[first:], strict=True))
    return DEALT if any(dealt) else None

"""Confirmations: what waits until somebody says that it is meant, because something would be lost by it.

On the board the first gesture warns and the same gesture again does it. A phone is asked a question of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.engine import Game, Message, Move, Several, phrase
from companion.engine.messages import Field
from companion.engine.your_words import choice_words
from companion.table.motions import Touch
from companion.table.refusals import lost_by
from companion.table.replies import Reply

CONFIRM: Final = Touch("confirm")
UNDO: Final = Touch("undo")

ENDING: Final = phrase("End your turn?")
STOPPING: Final = phrase("Stop here?")
ENDS_PLACING: Final = phrase("Use {card}? This ends placing.")
USING: Final = phrase("Use {card}: {step}?")
PAST_OTHERS: Final = phrase("This also undoes moves by {seats}.")

END_ANYWAY: Final = phrase("End anyway")
STOP_ANYWAY: Final = phrase("Stop anyway")
USE_ANYWAY: Final = phrase("Use it anyway")
USE_IT: Final = phrase("Use it")
UNDO_ANYWAY: Final = phrase("Undo")

AGAIN_TO_END: Final = phrase("Press again to end anyway.")
AGAIN_TO_USE: Final = phrase("Press again to use {card} anyway.")
CONFIRM_TO_USE: Final = phrase("Press confirm to use {card} anyway.")
AGAIN_FOR_STEP: Final = phrase("Press again to use {card}: {step}.")
AGAIN_TO_UNDO: Final = phrase("Press again to undo anyway.")


@dataclass(frozen=True)
class Confirmation:
    """Something that is done only when it is confirmed."""

    asked: Message
    """The question to the player who wants it."""
    lost: tuple[Message, ...]
    """What would be lost, or what else there is to know."""
    yes: Message
    """The answer that does it."""
    press: Message
    """What to do on the board to confirm it."""
    again: Touch
    """The gesture on the board that confirms it."""
    do: Callable[[], Reply] = field(compare=False)

    def is_repeated_by(self, touch: Touch) -> bool:
        """Returns whether a gesture is the one that confirms it. A press will do for a piece shown before."""
        return touch.place == self.again.place and touch.piece in (None, self.again.piece)


class Confirmations:
    """What waits to be confirmed: at most one thing on the board, and one for each phone."""

    def __init__(self) -> None:
        self._warned: Confirmation | None = None
        self._repeatable: Confirmation | None = None
        self._by_phone: dict[str, Confirmation] = {}

    @property
    def by_phone(self) -> Mapping[str, Confirmation]:
        """What each seat is asked to confirm on its own page."""
        return dict(self._by_phone)

    def next_gesture(self) -> None:
        """Notes that something else is done on the board: a warning counts only for the very next gesture."""
        self._repeatable, self._warned = self._warned, None

    def repeated(self, touch: Touch) -> Confirmation | None:
        """Returns what a gesture on the board confirms, or `None`."""
        waiting = self._repeatable
        return waiting if waiting is not None and waiting.is_repeated_by(touch) else None

    def warn(self, confirmation: Confirmation) -> None:
        """Notes that people at the board have been warned."""
        self._warned = confirmation

    def ask(self, seat: str, confirmation: Confirmation) -> None:
        """Asks a seat on its own page."""
        self._by_phone[seat] = confirmation

    def answered(self, seat: str) -> Confirmation | None:
        """Returns what a seat was asked, if anything, and forgets it: whatever the seat sends is its answer."""
        return self._by_phone.pop(seat, None)

    def forget_warning(self) -> None:
        """Forgets what people at the board have been warned of."""
        self._warned = self._repeatable = None

    def forget(self) -> None:
        """Forgets everything: it was about the game before it changed."""
        self.forget_warning()
        self._by_phone.clear()


def ending(game: Game, move: Move, do: Callable[[], Reply]) -> Confirmation | None:
    """Returns the confirmation of a move that gives something up, or `None` when nothing would be lost."""
    lost = lost_by(game, move)
    if not lost:
        return None
    if move.verb == "special":
        return ending_placing(str(game.state.card), lost, CONFIRM, do)
    asked, yes = (ENDING, END_ANYWAY) if move.verb == "end" else (STOPPING, STOP_ANYWAY)
    return Confirmation(Message(asked, {}), lost, Message(yes, {}), Message(AGAIN_TO_END, {}), CONFIRM, do)


def ending_placing(card: str, lost: tuple[Message, ...], touch: Touch, do: Callable[[], Reply]) -> Confirmation:
    """Returns the confirmation of a special action that ends placing.

    :param touch: the gesture that begins it. A piece that a reader lists lies there already, so that the button has to
        confirm it.
    """
    again, press = (touch, AGAIN_TO_USE) if touch.slot is None and touch != CONFIRM else (CONFIRM, CONFIRM_TO_USE)
    fields = {"card": card}
    return Confirmation(Message(ENDS_PLACING, fields), lost, Message(USE_ANYWAY, {}), Message(press, fields), again, do)


def using(card: str, step: Move, why: Message, touch: Touch, do: Callable[[], Reply]) -> Confirmation:
    """Returns the confirmation of a special action begun by a press that may have been meant for placing.

    :param why: why nothing may be placed there.
    """
    fields: dict[str, Field] = {"card": card, "step": choice_words(step)}
    return Confirmation(Message(USING, fields), (why,), Message(USE_IT, {}), Message(AGAIN_FOR_STEP, fields), touch, do)


def undoing(words: Message, others: tuple[str, ...], do: Callable[[], Reply]) -> Confirmation:
    """Returns the confirmation of an undo that goes past the moves of bots.

    :param words: what is taken back.
    :param others: the bots whose moves go with it.
    """
    past = Message(PAST_OTHERS, {"seats": Several(others)})
    return Confirmation(words, (past,), Message(UNDO_ANYWAY, {}), Message(AGAIN_TO_UNDO, {}), UNDO, do)

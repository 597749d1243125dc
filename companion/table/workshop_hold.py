"""The board is tried in the workshop: the game waits meanwhile, and what lies on the board afterwards is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.engine import Message, phrase
from companion.table.board_input import Hands
from companion.table.course import Course
from companion.table.phone_input import Said
from hardware.ports import Press, Scene, Tap

if TYPE_CHECKING:
    from companion.table.table import Heard

HELD_S: Final = 15.0
"""How long the workshop has the board after its last word: one that went away gives it back by that."""

TRIED: Final = phrase("The board is being tried in the workshop. The game waits.")


@dataclass(frozen=True)
class Try:
    """The workshop has the lights show something, and keeps the board for a while; no scene: it gives it back."""

    scene: Scene | None
    done: Callable[[], None] | None = field(default=None, compare=False)
    """Is called when that is so."""


class Trial:
    """Whether the board is being tried now, and what came to the readers meanwhile."""

    def __init__(self, course: Course, hands: Hands) -> None:
        self._course = course
        self._hands = hands
        self._until_s = 0.0
        self._first: dict[tuple[str, str], Tap] = {}
        self._last: dict[tuple[str, str], Tap] = {}
        """Of each tag at each place, the first and the last that happened."""
        self.scene: Scene | None = None
        """What is tried now; none: nothing is."""

    def hear(self, wish: Try) -> None:
        """The workshop takes the board, keeps it, or gives it back."""
        if wish.scene is None:
            self._give_back()
        else:
            self.scene = wish.scene
            self._until_s = self._course.clock() + HELD_S
        if wish.done is not None:
            wish.done()

    def takes(self, gesture: Heard) -> bool:
        """Whether a gesture is not for the game, because the board is being tried."""
        if self.scene is None:
            return False
        match gesture:
            case Press():
                return True
            case Tap(tag, place):
                self._first.setdefault((tag, place), gesture)
                self._last[tag, place] = gesture
                return True
            case Said(seat, reply=reply):
                self._course.told[seat] = Message(TRIED, {})
                if reply is not None:
                    reply(True)
                return True
        return False

    @property
    def words(self) -> tuple[Message, ...]:
        """What everybody is told."""
        return () if self.scene is None else (Message(TRIED, {}),)

    def go_on(self, now_s: float) -> None:
        """The workshop went away without a word."""
        if self.scene is not None and now_s >= self._until_s:
            self._give_back()

    def due_s(self) -> float | None:
        """When that is."""
        return None if self.scene is None else self._until_s

    def _give_back(self) -> None:
        if self.scene is None:
            return
        self.scene = None
        self._course.told.clear()
        # Nobody could answer meanwhile.
        self._course.veto.forget()
        for tag_and_place, last in self._last.items():
            # A tag that came and went again, or the other way round, is where it was.
            if last.gone == self._first[tag_and_place].gone:
                self._hands.find(last.tag, last.place, last.gone)
        self._first.clear()
        self._last.clear()

"""Lets the workshop hold the board: the game waits meanwhile, and afterwards knows what lies on the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.engine import Message, phrase
from companion.table.board_input import BoardInput
from companion.table.live_game import LiveGame
from companion.table.phone_input import SeatLine
from companion.table.replies import ACCEPTED, Reply
from hardware.ports import Press, Scene, Tap

HELD_S: Final = 15.0
"""How long the workshop holds the board after its last request, in case it goes away without giving it back."""

TRIED: Final = phrase("The board is being tried out in the workshop. The game waits.")


@dataclass(frozen=True)
class TryBoard:
    """A request from the workshop to show a scene and hold the board for a while; without a scene, to give it back."""

    scene: Scene | None


class WorkshopHold:
    """Whether the workshop holds the board, and what readers saw meanwhile."""

    def __init__(self, live: LiveGame, board: BoardInput) -> None:
        self._live = live
        self._board = board
        self._scene: Scene | None = None
        self._until_s = 0.0
        self._first: dict[tuple[str, str], Tap] = {}
        self._last: dict[tuple[str, str], Tap] = {}
        """The first and the last tap of each tag at each place."""

    @property
    def scene(self) -> Scene | None:
        """The scene the workshop shows, or `None` when it does not hold the board."""
        return self._scene

    @property
    def held(self) -> bool:
        """Whether the workshop holds the board."""
        return self._scene is not None

    @property
    def notices(self) -> tuple[Message, ...]:
        """The notices for everybody meanwhile."""
        return (Message(TRIED, {}),) if self.held else ()

    def hear(self, wish: TryBoard) -> Reply:
        """Lets the workshop take the board, keep it, or give it back."""
        if wish.scene is None:
            self._give_back()
        else:
            self._scene = wish.scene
            self._until_s = self._live.clock() + HELD_S
        return ACCEPTED

    def takes(self, gesture: object) -> Reply | None:
        """Takes a gesture that is not for the game while the board is held. Returns `None` when it is for the game."""
        if not self.held:
            return None
        match gesture:
            case Press():
                return ACCEPTED
            case Tap(tag, place):
                self._first.setdefault((tag, place), gesture)
                self._last[tag, place] = gesture
                return ACCEPTED
            case SeatLine(seat):
                return self._live.refuse_privately(seat, Message(TRIED, {}))
        return None

    def tick(self, now_s: float) -> None:
        """Gives the board back when the workshop has gone away without doing so."""
        if self.held and now_s >= self._until_s:
            self._give_back()

    def due_s(self) -> float | None:
        """Returns when the board will be given back, or `None` when it is not held."""
        return self._until_s if self.held else None

    def _give_back(self) -> None:
        if not self.held:
            return
        self._scene = None
        self._live.announcements.untell_all()
        # Nobody could answer meanwhile, so the deadline starts again.
        self._live.veto.forget()
        for tag_and_place, last in self._last.items():
            # A tag that came and left again, or left and came back, is where it was.
            if last.gone == self._first[tag_and_place].gone:
                self._board.find(last.tag, last.place, last.gone)
        self._first.clear()
        self._last.clear()

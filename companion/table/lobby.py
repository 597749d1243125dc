"""The lobby: a table before its first game, while people say what they want to play.

It takes the place of the table: gestures come to it, and it shows the lights and its displays what there is to show. A
phone may be let in by the press of a lit button, and the workshop may hold the board. Everything else waits for a game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from companion.engine import PLACES, Message, phrase
from companion.table.gestures import BEFORE_SHOWING, Gesture, GestureQueue
from companion.table.lights_display import LightsDisplay
from companion.table.replies import ACCEPTED, WAITING, Reply, SendReply
from companion.table.scene import BRING
from companion.table.seat_requests import KNOCK_S, KnockToManage, dark_place
from companion.table.workshop_hold import HELD_S, TryBoard
from hardware.ports import Lights, Pattern, Press, Scene, Show

NO_GAME: Final = phrase("There is no game yet: set one up first.")
IDLE: Final = Scene({place: Show(Pattern.DIM, "white") for place in PLACES})
"""What the board shows while it waits for a game: alive, and calm."""


@dataclass(frozen=True)
class LobbyMoment:
    """Everything a display may show while there is no game."""

    knocking: bool = False
    """Whether a button is lit for a phone that wants to manage the table."""
    managers: frozenset[str] = frozenset()
    """The phones that somebody at the board has let manage the table; only for access checks."""
    tried: bool = False
    """Whether the workshop holds the board."""


class LobbyDisplay(Protocol):
    """Shows what there is to show while there is no game."""

    def show_lobby(self, lobby: LobbyMoment) -> None:
        """Shows this from now on. Returns at once."""


@dataclass(frozen=True)
class _LitButton:
    """A button that is lit for a phone."""

    phone: str
    place: str
    until_s: float


class Lobby:
    """A table without a game. A runner runs it as it runs a table.

    :param lights: the lights of the board.
    :param displays: the displays that are shown what happens.
    :param chance: chooses the button that is lit for a phone.
    :param clock: seconds that only go forward.
    """

    def __init__(
        self,
        lights: Lights,
        displays: Sequence[LobbyDisplay] = (),
        chance: Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lights = LightsDisplay(lights)
        self._displays = tuple(displays)
        self._chance = chance or Random()
        self._clock = clock
        self._gestures = GestureQueue()
        self._knock: _LitButton | None = None
        self._managers: frozenset[str] = frozenset()
        self._tried: Scene | None = None
        self._tried_until_s = 0.0
        self._shown: LobbyMoment | None = None

    def post(self, gesture: Gesture, reply: SendReply | None = None) -> None:
        """Takes a gesture, from any thread; see `Table.post`."""
        self._gestures.put(gesture, reply)

    def wake(self) -> None:
        """Ends the current wait, or the next one. May be called from any thread."""
        self._gestures.wake()

    def wait(self, seconds: float | None) -> None:
        """Waits for a gesture, at most this many seconds, and then does what is due."""
        self._gestures.wait(seconds)
        self.poll()

    def poll(self) -> float | None:
        """Does everything that is due.

        Returns the seconds until something is due again, or `None` when nothing is due before the next gesture.
        """
        self._take()
        if not self._gestures.empty:
            return 0.0
        due_s = ([self._knock.until_s] if self._knock else []) + ([self._tried_until_s] if self._tried else [])
        return max(0.0, min(due_s) - self._clock()) if due_s else None

    def _take(self) -> None:
        replies = [(reply, self._handle(gesture)) for gesture, reply in self._gestures.take(BEFORE_SHOWING)]
        now_s = self._clock()
        if self._knock is not None and now_s >= self._knock.until_s:
            self._knock = None
        if now_s >= self._tried_until_s:
            self._tried = None
        self._refresh()
        for send, reply in replies:
            if send is not None:
                send(reply)

    def _handle(self, gesture: Gesture) -> Reply:
        match gesture:
            case KnockToManage(phone):
                place = dark_place((), self._chance)
                self._knock = _LitButton(phone, place, self._clock() + KNOCK_S)
                return WAITING
            case TryBoard(scene):
                self._tried, self._tried_until_s = scene, self._clock() + HELD_S
                return ACCEPTED
            case Press(place, False) if self._knock is not None and place == self._knock.place and not self._tried:
                self._managers |= {self._knock.phone}
                self._knock = None
                return ACCEPTED
        return Reply.refused(Message(NO_GAME, {}))

    def _refresh(self) -> None:
        lit = IDLE
        if self._knock is not None:
            # Only this one, so that nobody has to look for it.
            lit = Scene({self._knock.place: Show(BRING, "white")})
        self._lights.show(self._tried or lit)
        moment = LobbyMoment(self._knock is not None, self._managers, self._tried is not None)
        if moment != self._shown:
            self._shown = moment
            for display in self._displays:
                display.show_lobby(moment)

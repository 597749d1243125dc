"""The runner: runs the loop of a table, and lets any front end stop it or begin another game."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Protocol

from companion.table.game_wish import GameWish
from companion.table.gestures import Gesture
from companion.table.replies import TOO_LATE, Reply, SendReply


@dataclass(frozen=True)
class SameAgain:
    """Another game with the same players and the same settings."""


NextGame = GameWish | SameAgain
"""What is played next."""


class Loop(Protocol):
    """What a runner runs: a table, or the lobby before there is a game."""

    def post(self, gesture: Gesture, reply: SendReply | None = None) -> None: ...

    def wake(self) -> None: ...

    def wait(self, seconds: float | None) -> None: ...

    def poll(self) -> float | None: ...


class Pulse(Protocol):
    """Somebody who wants to know that the table still works."""

    @property
    def beat_s(self) -> float | None:
        """How many seconds may pass between two beats; `None` when any number may."""

    def beat(self) -> None:
        """Called from the table's thread whenever it has done what was due. Returns at once."""


class Runner:
    """Runs one table after another until somebody stops.

    `run` returns when somebody stops or wants another game, and says which. `post`, `stop`, `play_again` and `begin`
    may be called from any thread. A stop counts even before a table runs; everything else comes too late between two.

    :param pulse: is told again and again that the table works.
    """

    def __init__(self, pulse: Pulse | None = None) -> None:
        self._pulse = pulse
        self._lock = threading.Lock()
        self._loop: Loop | None = None
        self._stopped = False
        self._next: NextGame | None = None

    def post(self, gesture: Gesture, reply: SendReply | None = None) -> None:
        """Posts a gesture to the running table. Between two games, it is refused as too late."""
        with self._lock:
            loop = self._loop
        if loop is not None:
            loop.post(gesture, reply)
        elif reply is not None:
            reply(Reply.refused(TOO_LATE))

    def stop(self) -> None:
        """Makes `run` end soon."""
        self._stopped = True
        self._wake()

    def play_again(self) -> None:
        """Makes `run` end soon, so that the same is played again."""
        self._go_on_with(SameAgain())

    def begin(self, wish: GameWish) -> None:
        """Makes `run` end soon, so that this game can begin."""
        self._go_on_with(wish)

    def run(self, loop: Loop) -> NextGame | None:
        """Runs a table, or the lobby, until somebody stops or wants another game.

        Returns the game to play next, or `None` when somebody stops.
        """
        with self._lock:
            self._loop, self._next = loop, None
        try:
            while not self._ending:
                due_s = self._beat_after(loop.poll())
                # Checked again, because `poll` may have consumed the wake-up of a stop.
                if not self._ending:
                    loop.wait(due_s)
        finally:
            with self._lock:
                self._loop = None
        return None if self._stopped else self._next

    def _beat_after(self, due_s: float | None) -> float | None:
        """Reports that the table works. Returns when it is next due, with the next beat."""
        if self._pulse is None:
            return due_s
        self._pulse.beat()
        beat_s = self._pulse.beat_s
        return due_s if beat_s is None else min(beat_s, beat_s if due_s is None else due_s)

    def _go_on_with(self, game: NextGame) -> None:
        with self._lock:
            if self._loop is not None:
                self._next = game
                self._loop.wake()

    @property
    def _ending(self) -> bool:
        return self._stopped or self._next is not None

    def _wake(self) -> None:
        with self._lock:
            if self._loop is not None:
                self._loop.wake()

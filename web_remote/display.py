"""The web pages as a display: keeps the latest moment for any thread to send to any page in any language."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.table.game_result import GameResult
from companion.table.game_wish import GameWish
from companion.table.lobby import LobbyMoment
from companion.table.moment import Moment
from companion.translations import Translator
from web_remote.page_history import whole_history
from web_remote.page_state import seat_state, shared_state
from web_remote.page_types import PageState

RUN: Final = secrets.token_hex(4)
"""Differs each time the program starts, because the numbering of moments starts again too."""
SHARED: Final = ""
"""Stands for a viewer without a seat, such as the table screen."""


@dataclass(frozen=True)
class NumberedMoment:
    """A moment with its number. Its JSON is made when a page asks for it, once per seat and language."""

    number: int
    """Counts moments; a page with a lower number shows an old state."""
    moment: Moment
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    """The table's clock, which deadlines refer to."""
    _texts: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    _histories: dict[str, str] = field(default_factory=dict, repr=False)
    _making: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def state(self, seat: str, language: str) -> PageState:
        """Returns what the pages of a seat show, or what shared pages show."""
        return {**self._state(seat, language), "now_s": self._now_s()}

    def text(self, seat: str, language: str) -> str:
        """Returns the same as JSON. It is made once for all pages; only the time is filled in on each call."""
        with self._making:
            if (seat, language) not in self._texts:
                self._texts[seat, language] = _json(self._state(seat, language))
            text = self._texts[seat, language]
        return f'{{"now_s":{self._now_s()},{text[1:]}'

    def history(self, language: str) -> str:
        """Returns the whole history as JSON. It too is made once for all pages."""
        with self._making:
            if language not in self._histories:
                public = self.moment.public
                words = Translator(language, public.view["setup"]["edition"], public.options.names)
                self._histories[language] = json.dumps(whole_history(public, words), ensure_ascii=False)
            return self._histories[language]

    def _state(self, seat: str, language: str) -> PageState:
        public = self.moment.public
        words = Translator(language, public.view["setup"]["edition"], public.options.names)
        shared = shared_state(self.number, self.moment, words)
        state: PageState = {"run": RUN, **shared}  # type: ignore[typeddict-item]  # `you` and `now_s` follow
        if seat:
            state["you"] = seat_state(self.moment, seat, words)
        return state

    def _now_s(self) -> float:
        return round(self.clock(), 2)


def _json(state: PageState) -> str:
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


class WebDisplay:
    """Shows moments to pages: every stream waits here for the next one.

    Before the first game there is only the lobby. `in_lobby` says so; `latest` and `now` are for games.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._latest: NumberedMoment | None = None
        self._lobby: LobbyMoment | None = None
        self._wish = GameWish()
        self._result: GameResult | None = None
        self._managers: frozenset[str] = frozenset()
        self._number = 0
        self._closed = False
        self._shown = threading.Event()
        threading.Thread(target=self._wake_streams, name="streams", daemon=True).start()

    def show(self, moment: Moment) -> None:
        """Shows this from now on. A moment in which only the lights differ changes no page."""
        with self._changed:
            self._lobby = None
            self._managers |= moment.managers
            if self._latest is None or not moment.same_for_people(self._latest.moment):
                self._number += 1
                self._latest = NumberedMoment(self._number, moment, self._clock)
                self._shown.set()

    def show_lobby(self, lobby: LobbyMoment) -> None:
        """Shows that there is no game yet."""
        with self._changed:
            self._lobby = lobby
            self._managers |= lobby.managers
            self._number += 1
            self._shown.set()

    def open_lobby(self, wish: GameWish) -> None:
        """Shows from now on that there is no game yet, and suggests one on the set-up page."""
        self._wish = wish
        self.show_lobby(LobbyMoment())

    def remember(self, finished: GameResult | None) -> None:
        """Shows the result of a game until another one is over."""
        self._result = finished

    def wake(self) -> None:
        """Wakes the streams, because one of them must end."""
        self._shown.set()

    def _wake_streams(self) -> None:
        """Wakes the streams, in a thread of its own: the table replies to a gesture before all pages are busy."""
        while not self._closed:
            self._shown.wait()
            self._shown.clear()
            with self._changed:
                self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """Whether the display is closed and streams must end."""
        return self._closed

    @property
    def in_lobby(self) -> bool:
        """Whether there is no game yet."""
        return self._lobby is not None

    @property
    def lobby(self) -> tuple[int, LobbyMoment | None]:
        """What is shown while there is no game, with its number; `None` when there is a game."""
        with self._changed:
            return self._number, self._lobby

    @property
    def holders(self) -> Mapping[str, str]:
        """Which phone holds which seat; none does before there is a game."""
        return {} if self._latest is None or self.in_lobby else self._latest.moment.holders

    @property
    def managers(self) -> frozenset[str]:
        """The phones that somebody at the board has let manage the table since the program started."""
        return self._managers

    @property
    def wish(self) -> GameWish:
        """What the set-up page suggests: a game like the one that is shown, or else the one that was suggested."""
        if self._latest is None:
            return self._wish
        public = self._latest.moment.public
        return GameWish.like(public.view["setup"], public.options)

    @property
    def result(self) -> GameResult | None:
        """The latest game that is over, or `None` before the first one."""
        if self._latest is not None and self._latest.moment.public.all_shown:
            moment = self._latest.moment
            public = moment.public
            return GameResult(moment.game_id, public.view, public.options, public.fairness)
        return self._result

    @property
    def latest(self) -> NumberedMoment:
        """What is shown now."""
        with self._changed:
            self._changed.wait_for(lambda: self._latest is not None or self._closed, timeout=5.0)
            assert self._latest is not None
            return self._latest

    @property
    def now(self) -> Moment:
        """The moment that is shown now."""
        return self.latest.moment

    def after(self, number: int, seconds: float, ended: Callable[[], bool] = lambda: False) -> NumberedMoment | None:
        """Waits for a moment newer than this number. Returns `None` after this many seconds, or once closed.

        Returns `None` too when the lobby has changed; `lobby` shows how.

        :param ended: whether nobody waits any more; looked at when the streams are woken.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or ended() or self._newer(number) or self._lobby_changed(number), seconds
            )
            return self._latest if self._newer(number) and not self._closed else None

    def _newer(self, number: int) -> bool:
        return self._latest is not None and self._latest.number != number

    def _lobby_changed(self, number: int) -> bool:
        return self._lobby is not None and self._number != number

    def close(self) -> None:
        """Ends every stream."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._shown.set()

    def __repr__(self) -> str:
        return f"<WebDisplay, {self._number} moments shown>"

"""What the table shows at a moment, kept so that any thread can tell it to any page in any language."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from companion.engine import Game
from companion.table.options import Options
from companion.table.prompts import Board
from companion.table.table import Table
from companion.translations import Translator
from web_remote.page_state import seat_state, shared_state
from web_remote.page_types import PageState

RUN: Final = secrets.token_hex(4)
"""Differs each time the program is started: the numbers of moments begin anew then."""
SHARED: Final = ""
"""Stands for the viewer that holds no seat: the table screen."""


@dataclass(frozen=True)
class Published:
    """One moment. The game is a copy, which nobody changes."""

    number: int
    """Counts the moments: a page that has a lower number has an old state."""
    game: Game
    board: Board
    options: Options
    since_s: float = 0.0
    """Since when what is asked now is asked."""
    _told: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    _telling: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def state(self, seat: str, language: str) -> PageState:
        """What the pages of a seat show, or the shared ones."""
        words = Translator(language, self.game.edition, self.options.names)
        shared = shared_state(self.number, self.game, self.board, self.options, words)
        shown: PageState = {"run": RUN, **shared}  # type: ignore[typeddict-item]  # it says nothing of `you`
        if seat:
            shown["you"] = seat_state(self.game, self.board, seat, words)
            prompt = shown["you"]["prompt"]
            if prompt["waiting_s"] is not None:
                passed_s = time.monotonic() - self.since_s
                prompt["waiting_s"] = round(max(0.0, prompt["waiting_s"] - passed_s), 1)
        return shown

    def text(self, seat: str, language: str) -> str:
        """The same as JSON, made once however many pages want it."""
        prompt = self.board.prompts.get(seat)
        if prompt is not None and prompt.waiting_s is not None:
            # What is left of the time is another text every time.
            return _json(self.state(seat, language))
        with self._telling:
            if (seat, language) not in self._told:
                self._told[seat, language] = _json(self.state(seat, language))
            return self._told[seat, language]


def _json(state: PageState) -> str:
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


class WebPhones:
    """The phones, to the table: it shows them boards, and streams wait here for the next one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._latest: Published | None = None
        self._table: Table | None = None
        self._number = 0
        self._moves = -1
        self._since_s = 0.0
        self.closed = False

    def attach(self, table: Table) -> None:
        """Shows this table from now on."""
        self._table = table

    @property
    def table(self) -> Table:
        """The table that is shown."""
        assert self._table is not None
        return self._table

    def show(self, board: Board) -> None:
        """Shows this from now on; called by the table, in its thread."""
        table = self.table
        with self._changed:
            self._number += 1
            if len(table.game.moves) != self._moves:
                self._moves, self._since_s = len(table.game.moves), time.monotonic()
            self._latest = Published(self._number, table.game.copy(), board, table.options, self._since_s)
            self._changed.notify_all()

    @property
    def latest(self) -> Published:
        """What is shown now."""
        with self._changed:
            self._changed.wait_for(lambda: self._latest is not None or self.closed, timeout=5.0)
            assert self._latest is not None
            return self._latest

    def after(self, number: int, seconds: float, gone: Callable[[], bool] = lambda: False) -> Published | None:
        """Waits for what is shown after a moment; none: so many seconds have passed, or it is time to go."""
        with self._changed:
            self._changed.wait_for(
                lambda: self.closed or gone() or (self._latest is not None and self._latest.number != number), seconds
            )
            newer = self._latest is not None and self._latest.number != number
            return self._latest if newer and not self.closed else None

    def open(self) -> None:
        """Lets streams begin."""
        with self._changed:
            self.closed = False

    def close(self) -> None:
        """Ends every stream."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

"""The robot of the lab: people at their phones, who play over HTTP what the table offers them."""

from __future__ import annotations

import http.client
import json
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from companion.bots import LEVELS
from tests.lab.tools import LabError
from web_remote.context import COOKIE

ANSWER_S: Final = 30.0
PAUSE_S: Final = 0.05
STUCK_S: Final = 240.0
SEATS: Final = ("red", "blue", "green")
PEOPLE: Final = ("red", "blue")
WISH: Final = {
    "seats": [
        {"colour": seat, "player": "person" if seat in PEOPLE else LEVELS[0], "name": ""} for seat in SEATS
    ],
    "edition": "bigbox-de", "rounds": 6, "house": [], "real_cards": False, "leader_lights": False, "veto_s": 0,
    "language": "en", "pace": "instant", "teach": False, "hints": False,
}  # fmt: skip
"""A short game of two people and a bot."""


@dataclass
class Browser:
    """A browser that keeps the table's cookie."""

    port: int
    token: str = ""

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """Sends a request. Returns the status and the answer."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_S)
        try:
            headers = {"Content-Type": "application/json", "Host": "localhost", "Cookie": f"{COOKIE}={self.token}"}
            line.request(method, path, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            said = answer.read()
            cookie = answer.headers.get("Set-Cookie", "")
            if f"{COOKIE}=" in cookie:
                self.token = cookie.partition(f"{COOKIE}=")[2].partition(";")[0]
            is_json = answer.headers.get("Content-Type", "").startswith("application/json")
            return answer.status, dict(json.loads(said)) if is_json else {}
        finally:
            line.close()

    def need(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Sends a request that must be answered well."""
        status, answer = self.ask(method, path, body)
        if status not in (http.client.OK, http.client.ACCEPTED) or answer.get("ok") is False:
            raise LabError(f"{method} {path} was answered {status} {answer}")
        return answer


@dataclass
class Players:
    """The people of one game, each with a phone."""

    port: int
    rng: Random
    phones: dict[str, Browser] = field(default_factory=dict)
    shown: int = 0
    """The highest number of journal entries that anybody has been shown."""
    saved: int = 0
    """How many lines were answered as saved."""

    def begin(self, table_code: str) -> None:
        """Sets up a game and sits down."""
        table = Browser(self.port)
        table.need("POST", "/table/open", {"code": table_code})
        table.need("POST", "/table/begin", {**WISH, "aside": True})
        self._wait_for_game(table)
        for seat in PEOPLE:
            phone = self.phones[seat] = Browser(self.port)
            phone.need("POST", "/join", {"seat": seat, "name": "", "code": table_code})

    def _wait_for_game(self, table: Browser) -> None:
        end_s = time.monotonic() + ANSWER_S
        while table.ask("GET", "/state")[0] != http.client.OK:
            if time.monotonic() > end_s:
                raise LabError("The game did not begin.")
            time.sleep(PAUSE_S)

    def state(self, seat: str) -> dict[str, Any]:
        """Returns what a seat is shown."""
        state = self.phones[seat].need("GET", f"/state?seat={seat}")
        self.shown = max(self.shown, int(state["version"]))
        return state

    def play(self, lines: int | None = None) -> bool:
        """Plays until this many lines were answered as saved, or the game is over. Returns whether it is over."""
        until, moved_s = None if lines is None else self.saved + lines, time.monotonic()
        while until is None or self.saved < until:
            before = self.saved
            state = self.try_a_line()
            if state["over"]:
                return True
            if self.saved > before:
                moved_s = time.monotonic()
            elif time.monotonic() - moved_s > STUCK_S:
                raise LabError(f"Nobody can move: {json.dumps(state)[:2000]}")
        return False

    def try_a_line(self) -> dict[str, Any]:
        """Lets everybody who is asked something answer. Returns what was shown last."""
        for seat in PEOPLE:
            state = self.state(seat)
            if not state["over"]:
                self._answer(seat, state)
        time.sleep(PAUSE_S)
        return state

    def _answer(self, seat: str, state: dict[str, Any]) -> None:
        prompt = state["you"]["prompt"]
        lines = [choice["line"] for choice in [*prompt["choices"], *prompt["places"]]]
        if seat not in state["waiting_for"] or not lines:
            return
        line = self.rng.choice(lines)
        fields = {"seat": seat, "line": line, "version": state["version"], "number": state["number"]}
        status, answer = self.phones[seat].ask("POST", "/say", fields)
        if status == http.client.OK and answer.get("ok"):
            self.saved += 1

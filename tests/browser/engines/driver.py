"""A browser with one page that is driven over the WebDriver protocol, however its commands are sent."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Any, Final

PATIENCE_S: Final = 30.0
POLL_S: Final = 0.05
ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element's id in the protocol."""
ENDS_WITH_US: Final = ("setpriv", "--pdeathsig", "TERM")
"""Before a command: what it starts does not outlive this process, however that ends."""

Json = Any


class DriverError(Exception):
    """The browser could not do what it was told, in its own words."""


class TooLate(AssertionError):
    """A page did not come to show what it should."""


class EngineBrowser(ABC):
    """A browser with one page. A subclass knows how to start it and how to send it a command."""

    name: str
    """The engine, for the names of tests and benchmarks."""
    host: str
    """A name or address of this machine that is not the machine's own: pages are no secure context, as on a phone."""

    @abstractmethod
    def send(self, command: str, **parameters: Json) -> Json:
        """Sends a command of the protocol, by its name in the specification without spaces. Returns its result."""

    @abstractmethod
    def close(self) -> None:
        """Ends the browser."""

    # Hands.

    def open(self, address: str) -> None:
        """Goes to a page and waits until it is loaded."""
        self.run("window.left = true")
        self.send("NavigateTo", url=address)
        self.until("return !window.left && document.readyState === 'complete'")

    def back(self) -> None:
        self.send("Back")

    def forward(self) -> None:
        self.send("Forward")

    def tap(self, selector: str) -> None:
        """Taps the middle of the first element that matches, which must be in view and not covered."""
        self.see(selector)
        self.send("ElementClick", id=self._find(selector))

    def drag(self, start: tuple[float, float], *on: tuple[float, float]) -> None:
        """Touches a point of the window, moves on to others, and lets go; without others it is a tap."""
        down, up = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
        moves = [
            {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y), "origin": "viewport"}
            for x, y in (start, *on)
        ]
        finger = {
            "type": "pointer",
            "id": "finger",
            "parameters": {"pointerType": "mouse"},
            "actions": [moves[0], down, *moves[1:], up],
        }
        self.send("PerformActions", actions=[finger])

    def fill(self, selector: str, text: str) -> None:
        """Types text into an empty field."""
        self.see(selector)
        self.send("ElementSendKeys", id=self._find(selector), text=text)

    def _find(self, selector: str) -> str:
        found: dict[str, str] = self.send("FindElement", using="css selector", value=selector)
        return found[ELEMENT]

    # Eyes.

    def run(self, script: str, *arguments: Json) -> Json:
        """Runs the body of a function in the page and returns its result."""
        return self.send("ExecuteScript", script=script, args=list(arguments))

    def run_async(self, script: str, *arguments: Json) -> Json:
        """Runs the body of a function in the page, whose last argument it calls with its result."""
        return self.send("ExecuteAsyncScript", script=script, args=list(arguments))

    def until(self, script: str, *arguments: Json, patience_s: float = PATIENCE_S) -> Json:
        """Waits until a script returns something true, over navigations too, and returns that."""
        end_s = time.monotonic() + patience_s
        problem = ""
        while time.monotonic() < end_s:
            try:
                if found := self.run(script, *arguments):
                    return found
            except DriverError as error:
                problem = str(error)  # such as a page that is being replaced
            time.sleep(POLL_S)
        raise TooLate(f"{self.name}: {script} {arguments} {problem}\n{self._page()}")

    def see(self, selector: str) -> None:
        """Waits until an element is to be seen."""
        self.until("return document.querySelector(arguments[0])?.getClientRects().length > 0", selector)

    def miss(self, selector: str) -> None:
        """Waits until no such element is to be seen."""
        script = "return ![...document.querySelectorAll(arguments[0])].some((one) => one.getClientRects().length)"
        self.until(script, selector)

    def read(self, words: str, within: str = "body") -> None:
        """Waits until words are to be read."""
        self.until("return document.querySelector(arguments[0])?.innerText.includes(arguments[1])", within, words)

    def at(self, path: str) -> None:
        """Waits until the page at a path of the table is loaded."""
        self.until("return location.pathname === arguments[0] && document.readyState === 'complete'", path)

    def _page(self) -> str:
        try:
            return str(self.run("return `${location.href}\n${document.body?.innerText}`"))
        except DriverError as error:
            return str(error)

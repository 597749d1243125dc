"""Phones and screens in the browser: each has a profile of its own and records the errors of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from tests.browser.served import NAME, Served
from web_remote.access import new_token
from web_remote.context import COOKIE
from web_remote.seats_api import take_seat

SMALL: Final[ViewportSize] = {"width": 360, "height": 640}
LARGE: Final[ViewportSize] = {"width": 412, "height": 915}
SCREEN: Final[ViewportSize] = {"width": 1920, "height": 1080}
PICTURES: Final = Path(__file__).parents[2] / "build" / "screenshots"
PATIENCE_MS: Final = 20_000

# Where to touch an element: brought into view, and what is touched there must be it, or in it.
_SPOT: Final = """(element) => {
  const spot = () => {
    const at = (element.querySelector(".badge circle") ?? element).getBoundingClientRect();
    const [x, y] = [at.left + at.width / 2, at.top + at.height / 2];
    return {x, y, hit: document.elementFromPoint(x, y)};
  };
  if (!element.contains(spot().hit)) element.scrollIntoView({block: "center", behavior: "instant"});
  const {x, y, hit} = spot();
  if (!element.contains(hit)) throw new Error(`${element.outerHTML} is covered by ${hit?.outerHTML}`);
  return [x, y];
}"""
_POST: Final = """([path, data]) => fetch(path, {
  method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(data),
}).then((answer) => answer.status)"""


class Device:
    """A phone or a screen with one page."""

    def __init__(self, context: BrowserContext, served: Served) -> None:
        self.context = context
        self.served = served
        self.errors: list[str] = []
        self.allowed: list[str] = []
        """Patterns of the errors that the test provokes."""
        self.token = ""
        context.on("weberror", lambda error: self.errors.append(f"{error.error}"))
        context.on("console", lambda said: self._said(said.type, said.text))
        context.on("request", lambda request: self._asked(request.url))
        context.set_default_timeout(PATIENCE_MS)
        self.page: Page = context.new_page()

    def _said(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.errors.append(f"{kind}: {text}")

    def _asked(self, url: str) -> None:
        if urlsplit(url).hostname != NAME and not url.startswith("data:"):
            self.errors.append(f"asked elsewhere: {url}")

    def open(self, path: str) -> Page:
        """Goes to a page of the table."""
        self.page.goto(f"{self.served.address}{path}")
        return self.page

    def sit(self, *seats: str, path: str = "/phone") -> Page:
        """Takes seats as a phone that was let in, and opens a page. Returns the page."""
        if not self.token:
            self._carry(new_token())
        for seat in seats:
            take_seat(self.served.context, seat, self.token)
        return self.open(path)

    def join(self, seat: str, name: str) -> None:
        """Takes a seat as people do: with the QR code on the table screen, and under a name."""
        self.open(f"/join?seat={seat}&key={self.served.codes.join_token}")
        self.see(f".seat-{seat}")
        self.page.fill("#name", name)
        self.tap("button[type=submit]")
        self.page.wait_for_url("**/phone")
        self.token = next(each["value"] for each in self.context.cookies() if each["name"] == COOKIE)

    def share(self, other: Device) -> None:
        """Becomes another screen of the same player."""
        self._carry(other.token)

    def _carry(self, token: str) -> None:
        self.token = token
        self.context.add_cookies([{"name": COOKIE, "value": token, "url": self.served.address}])

    def post(self, path: str, **data: Any) -> int:
        """Sends a request as a page of the table does. Returns the status of the answer."""
        return int(self.page.evaluate(_POST, [path, data]))

    def picture(self, name: str, whole: bool = True) -> None:
        """Saves a picture of the page for people to look at."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)

    # Hands.

    def tap(self, selector: str) -> None:
        """Touches the only element that matches."""
        x, y = self.page.locator(selector).evaluate(_SPOT)
        self.page.touchscreen.tap(x, y)

    def place(self, name: str) -> None:
        """Touches a place on the map."""
        self.tap(f'.map [data-place="{name}"]')

    def click(self, selector: str) -> None:
        """Clicks the only element that matches, with a mouse."""
        x, y = self.page.locator(selector).evaluate(_SPOT)
        self.page.mouse.click(x, y)

    @contextmanager
    def answered(self, address: str = "**/say") -> Iterator[None]:
        """Waits until the table has answered what is sent meanwhile, and the page shows what came of it."""
        with self.page.expect_response(address):
            yield
        self.up_to_date()

    # Eyes.

    @property
    def number(self) -> int:
        """The number of the state that the page shows."""
        return int(self.page.evaluate("() => Number(document.body.dataset.number ?? -1)"))

    @property
    def question(self) -> str:
        return self.page.locator("#question").text_content() or ""

    def see(self, selector: str, state: Literal["attached", "detached", "hidden", "visible"] = "visible") -> None:
        """Waits until an element is there, or in another state."""
        self.page.locator(selector).first.wait_for(state=state)

    def read(self, words: str, within: str = "body") -> None:
        """Waits until words are on the page."""
        self.page.locator(within).get_by_text(words).first.wait_for()

    def up_to_date(self) -> None:
        """Waits until the page shows what the table shows now."""
        self.after(self.served.latest.number - 1)

    def after(self, number: int) -> None:
        """Waits until the page shows something newer."""
        self.page.wait_for_function("(number) => Number(document.body.dataset.number ?? -1) > number", arg=number)

    @property
    def complaints(self) -> list[str]:
        """Returns the errors that the test did not provoke."""
        return [error for error in self.errors if not any(re.search(each, error) for each in self.allowed)]


class Phones:
    """All devices of a test."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._stack = ExitStack()
        self._devices: list[Device] = []

    def new(
        self,
        served: Served,
        size: ViewportSize = SMALL,
        language: str = "en",
        dark: bool = False,
        injects: bool = False,
        agent: str | None = None,
        first_visit: bool = False,
    ) -> Device:
        """Returns a phone or a screen that has never been here.

        :param injects: whether the test injects scripts into its pages, bypassing their policy.
        :param agent: what its browser calls itself.
        :param first_visit: whether it still has to be shown how to keep its screen on.
        """
        mobile = size is not SCREEN
        context = self._browser.new_context(
            viewport=size, has_touch=mobile, is_mobile=mobile, locale=language, bypass_csp=injects,
            color_scheme="dark" if dark else "light", reduced_motion="reduce", user_agent=agent,
            ignore_https_errors=True,  # as people do who go on although the browser warns
        )  # fmt: skip
        if not first_visit:
            context.add_init_script("if (origin !== 'null') localStorage.setItem('screen-timeout-read', 'yes')")
        self._stack.callback(context.close)
        device = Device(context, served)
        self._devices.append(device)
        return device

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        complaints = [each for device in self._devices for each in device.complaints]
        self._stack.close()
        if error is None:
            assert not complaints, complaints

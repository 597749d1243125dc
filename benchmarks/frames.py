"""How smooth the pages are while places on the map breathe: frames per second in Chromium, Firefox and WebKit.

Each page is shown at its own size while somebody may place caballeros. It is given time to settle; then the callbacks
of `requestAnimationFrame` are counted. For comparison the same is done for a user who prefers reduced motion, whose
pages are still: what is missing there too is the machine's doing. All engines draw with the processor, without a
graphics card, on the cores the table runs on: beside other work the figures mean little.

`python -m benchmarks.frames webkit /table` measures one engine, or one page, or both.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from statistics import median
from typing import Final

from playwright.sync_api import sync_playwright

from benchmarks.web import busy
from tests.browser.conftest import CHROMIUM, OPTIONS
from tests.browser.engines.firefox import Firefox
from tests.browser.engines.webkit import WebKit
from tests.browser.positions import BOARD, THREE
from tests.browser.served import NAME, Served, served
from tests.support.arrange import turn_of
from web_remote.access import new_token
from web_remote.context import COOKIE
from web_remote.seats_api import take_seat

PAGES: Final = {"/phone": (390, 844), "/table": (1920, 1080), "/board": (1366, 768)}
SETTLE_S: Final = 5.0
WINDOW_S: Final = 2.0
WINDOWS: Final = 3
LEAST: Final = 50

# Returns the frames per second, counted over the seconds given.
_COUNT: Final = """(seconds) => new Promise((done) => {
  let frames = 0;
  const start = performance.now();
  const tick = () => {
    frames += 1;
    const taken = (performance.now() - start) / 1000;
    if (taken < seconds) requestAnimationFrame(tick);
    else done(frames / taken);
  };
  requestAnimationFrame(tick);
})"""
_WHEN_READY: Final = "document.querySelector('.map .place.legal') !== null"

Count = Callable[[float], float]
"""Returns the frames per second, counted over the seconds given."""
Show = Callable[[Served, str, str, bool, Path], AbstractContextManager[Count]]
"""Shows a page of a table: the token of the phone, the path, whether nothing moves, and a folder for the browser."""


@contextmanager
def in_chromium(table: Served, token: str, path: str, still: bool, _: Path) -> Iterator[Count]:
    """Shows a page in Chromium."""
    address = f"http://{NAME}:{table.port}"
    with sync_playwright() as player:
        chromium = player.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        width, height = PAGES[path]
        context = chromium.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce" if still else "no-preference"
        )
        context.add_cookies([{"name": COOKIE, "value": token, "url": address}])
        page = context.new_page()
        page.goto(f"{address}{path}")
        page.wait_for_function(f"() => {_WHEN_READY}")
        yield lambda seconds: float(page.evaluate(_COUNT, seconds))
        chromium.close()


def in_engine(engine: type[Firefox] | type[WebKit]) -> Show:
    """Returns the function that shows a page in a browser of another engine."""

    @contextmanager
    def shown(table: Served, token: str, path: str, still: bool, folder: Path) -> Iterator[Count]:
        with closing(engine(folder, PAGES[path], still)) as browser:
            address = f"http://{browser.host}:{table.port}"
            browser.open(f"{address}/join")
            browser.run(f"document.cookie = '{COOKIE}={token}; path=/'")
            browser.open(f"{address}{path}")
            browser.until(f"return {_WHEN_READY}")
            script = f"({_COUNT})(arguments[0]).then(arguments[1])"
            yield lambda seconds: float(browser.run_async(script, seconds))

    return shown


ENGINES: Final[dict[str, Show]] = {"chromium": in_chromium, "firefox": in_engine(Firefox), "webkit": in_engine(WebKit)}


def measure(show: Show, table: Served, token: str, path: str, still: bool) -> float:
    """Returns the frames per second of a page, the median of some windows."""
    with tempfile.TemporaryDirectory() as folder, show(table, token, path, still, Path(folder)) as count:
        count(SETTLE_S)
        return median(count(WINDOW_S) for _ in range(WINDOWS))


def main(wanted: list[str]) -> None:
    """Prints the figures of every page in every engine, or of those that are wanted."""
    pages = [path for path in PAGES if path in wanted] or list(PAGES)
    engines = [name for name in ENGINES if name in wanted] or list(ENGINES)
    game = turn_of("score-4s", THREE, board=BOARD, court={"red": 3, "blue": 4, "green": 4})
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), game) as table:
        token = new_token()
        take_seat(table.context, "red", token)
        print(f"{'Frames a second while places breathe':52} {'moving':>7} {'still':>8} {'':8}   to reach")
        print(f"before: {busy()}")
        for path in pages:
            for name in engines:
                moving, still = (measure(ENGINES[name], table, token, path, calm) for calm in (False, True))
                words = f"{path}, {PAGES[path][0]} by {PAGES[path][1]}, {name}"
                print(f"{words:52} {moving:7.1f} {still:8.1f} {'':8}   {LEAST} at least", flush=True)
        print(f"after: {busy()}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""How soon a phone can be used on its first visit: a slow processor on a slow network, in Chromium.

It runs against the real program in a process of its own. The page's own clock counts, from the start of navigation
until the question has been painted and a choice below it can be touched. Chromium emulates the network, with a latency
and a number of bytes per second; nothing is cached between visits.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from benchmarks.web import Program, ask, busy, served
from web_remote.context import COOKIE

CHROMIUM = "/usr/bin/chromium"
NAME = "table.local"
"""Resolves to this machine without being its own name."""
OPTIONS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", f"--host-resolver-rules=MAP {NAME} 127.0.0.1, MAP * ~NOTFOUND",
]  # fmt: skip
SLOWER = 4
LATENCY_MS = 150
BYTES_A_SECOND = 1_600_000 / 8
TIMES = 15
MOST_S = 1.5
PATIENCE_MS = 10_000
"""A visit that takes longer counts as never finished."""

# Checks every change of the page, and then waits until it has been painted.
_WATCH = """() => {
  const ready = () => {
    const question = document.getElementById("question");
    const choice = document.querySelector("#phone .answers button[data-key]:not([aria-disabled=true])");
    return Boolean(question?.textContent && question.classList.contains("mine") && choice?.checkVisibility());
  };
  const seen = new MutationObserver(() => {
    if (!ready()) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => {
      const nowMs = performance.now();
      // What is drawn reaches the screen a little later: it may be the first that does.
      new PerformanceObserver((list) => {
        const [first] = list.getEntriesByName("first-contentful-paint");
        if (first) window.usableMs = Math.max(nowMs, first.startTime);
      }).observe({type: "paint", buffered: true});
    }));
  });
  seen.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
}"""
_STEPS = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const files = performance.getEntriesByType("resource");
  const last = Math.max(...files.map((each) => each.responseEnd));
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return {page: page.responseEnd, files: last, painted: paint.startTime};
}"""


def take_a_seat(program: Program) -> tuple[str, str]:
    """Returns the seat that is asked something now, and the token of the phone that holds it."""
    seat = ask(program.port, "GET", "/state")[1]["waiting_for"][0]
    status, _, token = ask(program.port, "POST", "/join", seat=seat, code=program.code)
    if status != 200:
        raise RuntimeError(f"{seat}: {status}")
    return seat, token


def first_visit(browser: Browser, port: int, token: str) -> dict[str, float] | None:
    """Returns the milliseconds until a new phone can be used, with the steps on the way, or `None` if it never can."""
    address = f"http://{NAME}:{port}"
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    try:
        context.add_cookies([{"name": COOKIE, "value": token, "url": address}])
        context.add_init_script(f"({_WATCH})()")
        page = context.new_page()
        tools = context.new_cdp_session(page)
        tools.send("Network.enable")
        conditions = {"latency": LATENCY_MS, "downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND}
        tools.send("Network.emulateNetworkConditions", {"offline": False, **conditions})
        tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(f"{address}/phone", wait_until="commit")
        usable: Any = page.wait_for_function("() => window.usableMs", timeout=PATIENCE_MS)
        return {"usable": float(usable.json_value()), **page.evaluate(_STEPS)}
    except TooLate:
        return None
    finally:
        context.close()


def main() -> None:
    """Prints the figure, and the steps on the way to it."""
    Path("build").mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir="build") as folder,
        served(Path(folder)) as program,
        sync_playwright() as player,
    ):
        port = program.port
        _, token = take_a_seat(program)
        browser = player.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        first_visit(browser, port, token)  # warms up the browser itself
        print(f"{'A phone comes for the first time; ms':52} {'median':>7} {'':8} {'longest':>8}   to reach")
        print(f"before: {busy()}")
        tried = [first_visit(browser, port, token) for _ in range(TIMES)]
        browser.close()
        visits = [visit for visit in tried if visit is not None]
        for name, words in (
            ("page", "  the page is there"),
            ("files", "  the last of its files is there"),
            ("painted", "  something is painted"),
            ("usable", f"{SLOWER} times slower, {LATENCY_MS} ms, 1.6 Mbit/s: usable, {TIMES} times"),
        ):
            took = [visit[name] for visit in visits]
            target = f"{MOST_S * 1000:.0f} at most" if name == "usable" else ""
            print(f"{words:52} {median(took):7.0f} {'':8} {max(took):8.0f}   {target}", flush=True)
        if lost := len(tried) - len(visits):
            print(f"  lost: {lost} of {TIMES} visits were not usable after {PATIENCE_MS / 1000:.0f} s (none)")
        print(f"after: {busy()}")


if __name__ == "__main__":
    main()

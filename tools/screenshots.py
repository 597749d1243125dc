"""Takes the README's pictures of the pages: `python -m tools.screenshots`, with Chromium."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

PICTURES: Final = Path(__file__).parent.parent / "docs" / "pictures"
CHROMIUM: Final = "/usr/bin/chromium"
QUIET: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TURNS: Final = 40
"""How many answers are given before the pictures are taken, so that there is something to see."""


def main() -> None:
    """Plays a while in a browser, and takes the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-u",
            "-m",
            "companion.cli",
            "play",
            "--simulated",
            "--language",
            "en",
            "--seed",
            "11",
        ]
        program = subprocess.Popen(
            [*command, "--port", "0", "--pause", "0", "--database", f"{folder}/table.db"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert program.stdout is not None
            said = ""
            while "Ctrl-C" not in said:
                said += program.stdout.readline()
            found = re.search(r"http://localhost:\d+", said)
            assert found is not None
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
                _take(browser, found[0])
                browser.close()
        finally:
            program.terminate()
            program.wait()


def _take(browser: Browser, address: str) -> None:
    screen = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light", locale="en")
    page = screen.new_page()
    page.goto(address)
    page.goto(f"{address}/phone")
    for _ in range(TURNS):
        page.locator("#question.mine").wait_for(timeout=60_000)
        legal = page.locator(".mapped .place.legal")
        answers = page.locator(".answers button:not([aria-disabled])")
        before = page.locator("#question").inner_text()
        if legal.count():
            legal.nth(legal.count() // 2).click()
        elif page.locator(".dialling").count():
            page.locator(".dialling button").click()
            page.locator(".dialling button").click()
        elif answers.count():
            answers.nth(answers.count() // 2).click()
        page.wait_for_timeout(150)
        if page.locator("header").inner_text().find("Round 3") >= 0 and legal.count() and before:
            break
    page.goto(f"{address}/board")
    page.wait_for_timeout(1500)
    page.screenshot(path=PICTURES / "board.png")
    page.goto(f"{address}/table")
    page.wait_for_timeout(1500)
    page.screenshot(path=PICTURES / "table.png")
    phone = browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme="dark", locale="en", storage_state=screen.storage_state()
    )
    page = phone.new_page()
    page.goto(f"{address}/phone")
    page.wait_for_timeout(1500)
    page.screenshot(path=PICTURES / "phone.png")


if __name__ == "__main__":
    main()

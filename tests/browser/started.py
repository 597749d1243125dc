"""`companion play` itself, in a process of its own, with browsers that open what it prints."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, expect

from tests.browser.served import NAME

LAPTOP: ViewportSize = {"width": 1280, "height": 720}
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)


@dataclass
class Started:
    """A running program, and where its pages are."""

    printed: str
    """The printed address, with the token of the machine, by a name under which nobody is trusted for being here."""
    table_code: str

    @property
    def address(self) -> str:
        """The address of its pages, without the token."""
        return self.printed.partition("/?")[0]


@contextmanager
def started(folder: Path, *args: str) -> Iterator[Started]:
    """Yields the program on a simulated board; afterwards, it has stopped as by Ctrl-C."""
    command = [sys.executable, "-u", "-m", "companion.cli", "play", "--simulated", "--board", "buttons-only"]
    program = subprocess.Popen(
        [*command, "--language", "en", "--port", "0", "--database", str(folder / "table.db"), *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert program.stdout is not None
    try:
        said = ""
        for line in program.stdout:
            said += line
            if "Ctrl-C stops" in line:
                break
        address, code = re.search(r"http://localhost:\d+/\?t=\S+", said), re.search(r"Table code.*: ([\w-]+)", said)
        assert address, said
        assert code, said
        yield Started(address[0].replace("localhost", NAME), code[1])
        program.send_signal(signal.SIGINT)
        assert program.wait(20) == 0
    finally:
        program.kill()
        program.wait()
        program.stdout.close()


@contextmanager
def browsing(browser: Browser, size: ViewportSize = LAPTOP) -> Iterator[Page]:
    """Yields a page of a browser that has never been here. No page may have an error."""
    context: BrowserContext = browser.new_context(viewport=size, locale="en", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    context.on("console", lambda said: errors.append(_told(said)) if said.type in ("error", "warning") else None)
    try:
        yield context.new_page()
    finally:
        context.close()
    assert not errors, errors


def _told(said: ConsoleMessage) -> str:
    return f"{said.text} {said.location['url']} on {said.page.url if said.page else 'a closed page'}"

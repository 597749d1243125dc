"""A browser for all tests of a process, with phones and screens that report every error on a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from companion.engine import Game
from companion.table.options import Options
from tests.browser.phones import Phones
from tests.browser.served import NAME, Serve, Served, served

CHROMIUM = "/usr/bin/chromium"
OPTIONS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", f"--host-resolver-rules=MAP {NAME} 127.0.0.1, MAP * ~NOTFOUND",
]  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps these tests apart from coverage runs: every line that is measured slows the pages down."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("games")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield chromium
        chromium.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Returns a function that serves a table until the test is over."""
    with ExitStack() as stack:

        def begin(game: Game, options: Options | None = None, **more: Any) -> Served:
            return stack.enter_context(served(tmp_path, game, options, **more))

        yield begin


@pytest.fixture
def phones(browser: Browser, serve: Serve) -> Iterator[Phones]:
    """Yields phones and screens. None of their pages may have an error, or request anything from another host.

    They are closed before the table.
    """
    with Phones(browser) as devices:
        yield devices

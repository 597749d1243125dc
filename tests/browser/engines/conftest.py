"""A browser of each engine for all tests of a process, as wide as a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tests.browser.engines.driver import EngineBrowser
from tests.browser.engines.firefox import Firefox
from tests.browser.engines.webkit import WebKit

ENGINES: Final = {engine.name: engine for engine in (Firefox, WebKit)}
PHONE: Final = (390, 844)


@pytest.fixture(scope="session", params=ENGINES)
def started(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineBrowser]:
    name: str = request.param
    browser = ENGINES[name](tmp_path_factory.mktemp(name), PHONE)
    yield browser
    browser.close()


@pytest.fixture
def engine(started: EngineBrowser) -> Iterator[EngineBrowser]:
    """Yields a browser that has never been at the table."""
    yield started
    started.send("DeleteAllCookies")
    started.open("about:blank")

"""What all tests have in common: nothing that this user keeps changes what they find."""

from __future__ import annotations

import pytest

collect_ignore = ["support/cloud_init_start.py"]
"""What runs with the system's Python, where cloud-init is."""


@pytest.fixture(autouse=True)
def _no_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path_factory.getbasetemp() / "no-home"))
    monkeypatch.delenv("EL_GRANDE_BOARD", raising=False)
    monkeypatch.setenv("LANGUAGE", "en")

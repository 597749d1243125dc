"""The real cloud-init reads the card: it starts our installation, and does all that user-data says as before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.installation.card import PiCard
from tests.support.cards import USER_DATA, make_card, make_release

ROOT = Path(__file__).parents[2]
CLOUD_INIT = ROOT / ".venv/cloud-init/usr/lib/python3/dist-packages"

pytestmark = pytest.mark.slow


def start(card: Path, folder: Path) -> tuple[dict[str, object], list[str]]:
    """Starts a Pi from a card. Returns the configuration, and what was run for us."""
    assert CLOUD_INIT.is_dir(), "`make test` unpacks cloud-init"
    programs, notes = folder / "programs", folder / "notes"
    programs.mkdir(parents=True)
    (programs / "systemctl").write_text('#!/bin/sh\necho "systemctl $*" >> "$NOTES"\n')
    (programs / "systemctl").chmod(0o755)
    environment = {
        **os.environ,
        "PYTHONPATH": str(CLOUD_INIT),
        "PATH": f"{programs}:{os.environ['PATH']}",
        "EL_GRANDE_ROOT": str(folder / "root"),
        "NOTES": str(notes),
    }
    script = ROOT / "tests/support/cloud_init_start.py"
    command = [sys.executable, str(script), str(card), str(folder / "cloud-init")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), notes.read_text().splitlines() if notes.exists() else []


@pytest.mark.parametrize(
    ("variant", "named"),
    [
        ("untouched", False),
        ("with commands", True),
        ("with commands in brackets", True),
        ("from Windows", True),
        ("with a byte order mark", False),
        ("a script", False),
    ],
)
def test_our_part_is_started_and_theirs_counts_as_before(variant: str, named: bool, tmp_path: Path) -> None:
    card = make_card(tmp_path / "card", USER_DATA[variant])
    before, ran = start(card, tmp_path / "before")
    assert ("hostname" in before) == named
    assert ran == []
    PiCard(card).put(make_release(tmp_path / "release.tar"), "0.2.0")
    ours = card / "vendor-data"
    ours.write_text(ours.read_text().replace("/boot/firmware", str(card)))
    after, ran = start(card, tmp_path / "after")
    assert after == before
    assert ran == ["systemctl --no-block start el-grande-card.service"]

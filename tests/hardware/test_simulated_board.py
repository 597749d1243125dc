"""The simulated board as others use it: the example of its page runs, and its faults are all there."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from itertools import islice
from pathlib import Path

import pytest

from hardware.board import example_board, find_board
from hardware.errors import NoInterpreter
from hardware.ports import Tap
from hardware.simulated import interpreters
from hardware.simulated.board import SimulatedBoard
from tests.support.bad_lines import bad_lines

PAGE = Path(__file__).parents[2] / "docs" / "simulated-board.md"


@pytest.mark.slow
def test_the_examples_of_the_page_run_as_they_stand(tmp_path: Path) -> None:
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for number, example in enumerate(examples):
        # One is no test: it runs when it is imported.
        (tmp_path / f"test_example_{number}.py").write_text(example)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 passed" in done.stdout, done.stdout + done.stderr


def test_the_page_names_every_hand_and_where_to_import_from() -> None:
    page = PAGE.read_text("utf-8")
    hands = ("press", "release", "put", "take", "tap", "bounce", "advance", "listen", "colours", "marked")
    assert all(f"{hand}(" in page and hasattr(SimulatedBoard, hand) for hand in hands)
    assert "8 or 14 hexadecimal digits" in page


@pytest.mark.slow
def test_100_000_bad_lines_make_no_gesture_and_the_hub_is_heard_afterwards(simulated_board: SimulatedBoard) -> None:
    hub, link = simulated_board.hubs["south"], simulated_board.pieces.hubs["south"].link
    lines = bad_lines(100_000, str(link._epoch))
    while chunk := b"".join(islice(lines, 40)):
        hub.babble(chunk)
        simulated_board.advance(0.001)
    assert simulated_board.gestures == []
    assert link.bad_lines >= 100_000
    simulated_board.tap("04A1B2C3", "granada")
    assert simulated_board.gestures == [Tap("04A1B2C3", "granada"), Tap("04A1B2C3", "granada", gone=True)]


def test_without_micropython_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "MICROPYTHON", Path("/not/there"))
    with pytest.raises(NoInterpreter, match="`make test` installs it"):
        SimulatedBoard(find_board("standard"), interpreter="micropython")


def test_only_a_board_in_the_hand_can_be_advanced() -> None:
    with SimulatedBoard(find_board("buttons-only")) as board, pytest.raises(RuntimeError, match="by_hand=True"):
        board.advance(1.0)


def test_a_place_without_a_reader_cannot_see_a_piece() -> None:
    with SimulatedBoard(find_board("buttons-only"), by_hand=True) as board:
        with pytest.raises(LookupError, match="granada has no reader"):
            board.put("04A1B2C3", "granada")
        assert "buttons-only" in repr(board)


def test_the_simulated_strip_is_there_also_after_a_real_one_was_sought_in_vain() -> None:
    # In a program of its own: here the library may be loaded already.
    program = """
import os
os.environ.pop("BLINKA_OS_AGNOSTIC", None)
from hardware.board import example_board, find_board
from hardware.errors import StripOutOfReach
from hardware.drivers.lights import open_strip
from hardware.simulated.board import SimulatedBoard
board = find_board("buttons-only")
try:
    open_strip(board.strip)
except StripOutOfReach:
    with SimulatedBoard(board, by_hand=True) as simulated:
        print(simulated.strip.frames)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert int(result.stdout) > 0


def test_a_piece_is_held_to_a_reader_until_it_is_seen_however_busy_the_machine_is() -> None:
    seen = threading.Event()
    with SimulatedBoard(example_board()) as board:
        board.listen(lambda gesture: seen.set() if isinstance(gesture, Tap) and gesture.gone else None)
        # As if the hub had had no turn while somebody held the piece there.
        board.put("04A1B2C3", "south")
        board.take("04A1B2C3", "south")
        assert seen.wait(20.0)
        assert board.gestures == [Tap("04A1B2C3", "south"), Tap("04A1B2C3", "south", gone=True)]

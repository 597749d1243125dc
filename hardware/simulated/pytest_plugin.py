"""A pytest fixture, `simulated_board`: a whole board without hardware, with a clock that the test moves.

docs/simulated-board.md has a complete test. A mark chooses another board (the name of a shipped one, or a path), the
interpreter of the firmware, or the known tags:

    @pytest.mark.simulated_board("buttons-only")
    @pytest.mark.simulated_board(interpreter="micropython", known={"04A1B2C3"})
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hardware.simulated.board import SimulatedBoard


def pytest_configure(config: pytest.Config) -> None:
    """Registers the mark."""
    config.addinivalue_line(
        "markers", "simulated_board(board, interpreter, known): how the fixture `simulated_board` is made"
    )


@pytest.fixture
def simulated_board(request: pytest.FixtureRequest) -> Iterator[SimulatedBoard]:
    """A simulated board, in step with its hubs."""
    from hardware.board import find_board
    from hardware.simulated.board import SimulatedBoard

    def open_board(
        board: str = "standard", interpreter: str = "python", known: Container[str] | None = None
    ) -> SimulatedBoard:
        return SimulatedBoard(find_board(board), known, interpreter, by_hand=True)

    mark = request.node.get_closest_marker("simulated_board")
    with open_board(*mark.args, **mark.kwargs) if mark else open_board() as simulated:
        while not all(port.link.in_step for port in simulated.pieces.hubs.values()):
            simulated.advance(0.05)
        yield simulated

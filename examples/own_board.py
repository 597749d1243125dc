"""A board of your own: check its file, and try it without hardware.

From the top folder of the project, after `make test` or `make play`:

    .venv/bin/python -m examples.own_board

The board is `own_board.toml`, beside this file.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from companion.table.board_check import EL_GRANDE
from hardware.board import board_of, find_board
from hardware.drawing.wiring import summary
from hardware.errors import BadBoardFile
from hardware.ports import Pattern, Scene, Show
from hardware.simulated.board import SimulatedBoard

FILE = Path(__file__).with_name("own_board.toml")


def main() -> None:
    """Reads the file, lights and presses a place, and shows what a mistake looks like."""
    board = find_board(str(FILE), EL_GRANDE)
    print(f"{board.name}: {summary(board)}")
    with SimulatedBoard(board, by_hand=True) as simulated:
        simulated.lights.show(Scene({"granada": Show(Pattern.STEADY, "blue")}, marker="aragon"))
        simulated.press("granada")
        simulated.tap("04A1B2C3", "castillo")
        for gesture in simulated.gestures:
            print(gesture)
        print(f"marked: {', '.join(map(board.label, simulated.marked()))}")
    # Reading reports all mistakes at once, those of the hardware and those of El Grande.
    data = {**tomllib.loads(FILE.read_text("utf-8")), "controls": {"confirm": 4}}
    try:
        board_of("wrong_board", data, rules=EL_GRANDE)
    except BadBoardFile as error:
        print(error)


if __name__ == "__main__":
    main()

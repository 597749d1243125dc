"""Checks the board file, and reports all its mistakes."""

from __future__ import annotations

from collections.abc import Iterator

from companion.doctor.check import Case, Check, Finding
from companion.table.board_check import EL_GRANDE
from hardware.board import find_board
from hardware.errors import BadBoardFile, BoardError


class Configuration(Check):
    """Reads the board file."""

    name = "configuration"

    def look(self, case: Case) -> Iterator[Finding]:
        try:
            board = find_board(case.board_name, EL_GRANDE)
        except BadBoardFile as error:
            for mistake in error.mistakes:
                yield self.problem(
                    "{board}: {key} is wrong: {found}.",
                    "Fix {key} in the board file; expected: {expected}.",
                    board=case.board_name,
                    **mistake._asdict(),
                )
            return
        except BoardError as error:
            yield self.problem(
                "{why}",
                "Name another board with --board or in EL_GRANDE_BOARD; `companion board list` lists them.",
                why=str(error),
            )
            return
        yield self.ok(
            "The board {board} has no mistakes: {places} places, {lights} lights, {hubs} hubs.",
            board=case.board_name,
            places=len(board.places),
            lights=board.strip.count,
            hubs=len(board.hubs),
        )

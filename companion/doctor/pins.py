"""Checks whether the buttons can be reached, and which of them are down."""

from __future__ import annotations

from collections.abc import Iterator

from companion.doctor.check import Case, Check, Finding, why
from hardware.errors import PinsOutOfReach


class Pins(Check):
    """Opens the buttons."""

    name = "pins"
    needs_board = True

    def look(self, case: Case) -> Iterator[Finding]:
        try:
            down = case.equipment.buttons_down(case.board)
        except PinsOutOfReach as error:
            yield self.problem(
                "The buttons cannot be reached: {why}.",
                "Fix the problems above with the model and permissions; close other programs that use the pins, such "
                "as a running table; and run this in a folder you can write to, because lgpio needs one.",
                why=why(error),
            )
            return
        for button in down:
            yield self.warning(
                "The button of {where} is down.",
                "Let go of it. If nobody is holding it: look for a short between its two wires, or a button that jams.",
                where=button,
            )
        if not down:
            buttons = len(case.board.places) + len(case.board.controls)
            yield self.ok("All {buttons} buttons can be read, and none is down.", buttons=buttons)

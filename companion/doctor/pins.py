"""Whether the buttons can be reached, and which of them are down."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from companion.doctor.check import Case, Check, Finding, why
from hardware.buttons import GpioButtons
from hardware.contacts import STUCK_S
from hardware.errors import PinsOutOfReach
from hardware.ports import Gesture, Trouble


class Pins(Check):
    """Opens the buttons."""

    name = "pins"
    needs_board = True

    def look(self, case: Case) -> Iterator[Finding]:
        try:
            buttons, down = _buttons_down(case)
        except PinsOutOfReach as error:
            yield self.problem(
                "The buttons cannot be reached: {why}.",
                "Mend what is said above of the model and of permissions; close other programs that use the pins, "
                "such as a table that is running; and run this in a folder that you may write in, for lgpio does.",
                why=why(error),
            )
            return
        for button in down:
            yield self.warning(
                "The button of {button} is down.",
                "Let it go. If nobody holds it: look for a short between its two wires, or a button that jams.",
                button=button,
            )
        if not down:
            yield self.ok("All {buttons} buttons can be read, and none is down.", buttons=buttons)


def _buttons_down(case: Case) -> tuple[int, list[str]]:
    """How many buttons there are, and which are down."""
    pins = case.equipment.open_pins(case.board)
    told: list[Gesture] = []
    now_s = 0.0
    with warnings.catch_warnings():
        # gpiozero warns of each way to the pins that it tries in vain.
        warnings.simplefilter("ignore")
        buttons = GpioButtons(case.board, pins, clock=lambda: now_s, by_hand=True)
    with buttons:
        buttons.listen(told.append)
        # The clock is ours: a button that is down now has stuck long enough to be told.
        now_s = STUCK_S
        buttons.poll()
    down = [gesture.where for gesture in told if isinstance(gesture, Trouble)]
    return len(case.board.places) + len(case.board.controls), down

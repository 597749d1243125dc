"""Checks whether the strip can be reached, and how many lights its budget allows."""

from __future__ import annotations

from collections.abc import Iterator

from companion.doctor.check import Case, Check, Finding, why
from companion.engine import phrase
from hardware.board import FULL_MA, IDLE_MA, Board


class StripOfLights(Check):
    """Sends one dark frame."""

    name = "strip"
    needs_board = True

    def look(self, case: Case) -> Iterator[Finding]:
        strip = case.board.strip
        try:
            case.equipment.send_frame(strip)
        except Exception as error:
            # Each kind of Pi raises different errors here.
            yield self.problem(
                "No frame could be sent to the lights: {why}.",
                "Fix the problems above with the model, permissions, and spi or pio; close other programs that use "
                "the lights, such as a running table.",
                why=why(error),
            )
            return
        yield self.ok(
            phrase("Frames go out to {lights} lights on GPIO {gpio}. Only your eyes can tell whether the lights work.")
            if case.equipment.plays
            else phrase(
                "A dark frame went out to {lights} lights on GPIO {gpio}. Only your eyes can tell whether the lights "
                "work."
            ),
            lights=strip.count,
            gpio=strip.gpio,
        )
        yield self._budget(case.board)

    def _budget(self, board: Board) -> Finding:
        strip = board.strip
        at_once = min(strip.count, int((strip.budget_ma - strip.count * IDLE_MA) / (FULL_MA - IDLE_MA)))
        widest = max(board.places.values(), key=lambda place: len(place.lights))
        found = phrase(
            "The budget of {budget} mA is enough for {at_once} of {lights} lights in full white; more are dimmed."
        )
        fields = {"budget": round(strip.budget_ma), "at_once": at_once, "lights": strip.count}
        if at_once < len(widest.lights):
            do = phrase(
                "{place} alone has {wanted} lights. If the supply can deliver more, raise strip.budget_ma in the "
                "board file."
            )
            return self.warning(found, do, **fields, place=widest.name, wanted=len(widest.lights))
        return self.ok(found, "", **fields)

"""The strip of lights in the wiring diagram, with its supply, fuse, capacitor, level shifter and resistor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hardware.board import Board
from hardware.drawing.parts import RESISTOR_OHM, power
from hardware.drawing.pinouts import SHIFTER_PINS, SHIFTER_UNUSED
from hardware.drawing.svg import FRAME, GREY, PALE, Drawing, Pad, fitted

HEIGHT: Final = 308
DATA_X: Final = 55
"""Where the data wire comes up, outside all ground wires."""
GROUND_X: Final = 95
"""Where ground wires run, beside the buttons."""


class _Side:
    """Coordinates for a strip on an odd pin, mirrored left to right for one on an even pin."""

    def __init__(self, drawing: Drawing, left: bool) -> None:
        self.drawing = drawing
        self.left = left

    def x(self, x: float) -> float:
        return x if self.left else self.drawing.width - x

    def dx(self, dx: int) -> int:
        return dx if self.left else -dx

    def box(self, x: float, y: float, width: float, height: float, radius: float = 6) -> None:
        self.drawing.box(self.x(x) if self.left else self.x(x) - width, y, width, height, radius=radius)

    def text(
        self, x: float, y: float, words: str, size: float = 14, anchor: str = "middle", bold: bool = False
    ) -> None:
        turned = anchor if self.left else {"start": "end", "end": "start"}.get(anchor, anchor)
        self.drawing.text(self.x(x), y, words, size, turned, bold)

    def pad(self, name: str, x: float, y: float, number: int | None = None) -> Pad:
        return self.drawing.pad(name, self.x(x), y, number, 11 if number is not None else 6)


def draw_strip(drawing: Drawing, board: Board, top: float, pi_data: Pad, pi_ground: Pad) -> None:
    """Draws the strip with everything it needs, above the Pi; its data and ground come up from there."""
    side = _Side(drawing, pi_data.x < drawing.width / 2)
    plus_y, data_y, minus_y = top + 70, top + 140, top + 222
    drawing.box(30, top, drawing.width - 60, HEIGHT, PALE, FRAME, 10)
    side.text(130, top + 30, "Lights", 17, "start", bold=True)

    # Data: from the Pi through the level shifter and the resistor.
    side.box(215, data_y - 34, 190, 68)
    side.text(310, data_y - 3, "74AHCT125", 14, bold=True)
    side.text(310, data_y + 15, "3.3 V to 5 V", 12)
    gate_in = _shifter_pad(side, "1A", 215, data_y)
    gate_out = _shifter_pad(side, "1Y", 405, data_y)
    vcc = _shifter_pad(side, "VCC", 310, data_y - 34)
    ground = _shifter_pad(side, "GND", 350, data_y + 34)
    enable = _shifter_pad(side, "1OE", 270, data_y + 34)
    side.text(328, data_y - 50, "VCC", 12, "start")
    side.text(368, data_y + 58, "GND", 12, "start")
    side.text(252, data_y + 58, "1OE", 12, "end")
    side.text(232, data_y + 4, "1A", 12, "start")
    side.text(388, data_y + 4, "1Y", 12, "end")
    side.box(470, data_y - 15, 90, 30)
    side.text(515, data_y + 5, f"{RESISTOR_OHM} Ω", 14, bold=True)
    side.text(515, data_y + 36, "330 to 470 Ω,", 12)
    side.text(515, data_y + 52, "at the strip", 12)
    before, after = side.pad("resistor-in", 470, data_y), side.pad("resistor-out", 560, data_y)

    # The strip.
    side.box(650, data_y - 56, 220, 112)
    side.text(785, data_y - 24, "NeoPixel strip", 15, bold=True)
    side.text(785, data_y - 3, f"{board.strip.count} lights, {board.strip.order}", 13)
    side.text(785, data_y + 16, f"up to {board.strip.budget_ma:g} mA", 13)
    for number in range(7):
        side.box(724 + number * 18, data_y + 30, 12, 12, 2)
    strip_plus, strip_data, strip_minus = (
        side.pad(f"strip-{name}", 650, data_y + dy) for name, dy in (("5v", -36), ("din", 0), ("gnd", 36))
    )
    for words, dy in (("5V", -36), ("DIN", 0), ("GND", 36)):
        side.text(662, data_y + dy + 4, words, 12, "start")

    # The supply, its fuse and the capacitor.
    sums = power(board)
    side.box(1010, plus_y - 15, 76, 30)
    side.text(1048, plus_y + 5, sums.fuse, 14, bold=True)
    side.text(1048, plus_y + 32, "fuse, slow", 12)
    fuse_out, fuse_in = side.pad("fuse-out", 1010, plus_y), side.pad("fuse-in", 1086, plus_y)
    side.box(1120, plus_y - 32, 92, minus_y - plus_y + 64)
    for words, dy in (("5 V", 62), (sums.supply, 82), ("supply", 102)):
        side.text(1172, plus_y + dy, words, 15, bold=words != "supply")
    supply_plus, supply_minus = side.pad("supply-plus", 1120, plus_y), side.pad("supply-minus", 1120, minus_y)
    side.text(1134, plus_y + 5, "+", 15, "start", bold=True)
    drawing.stroke((side.x(1134), minus_y), (side.x(1145), minus_y))
    capacitor_plus, capacitor_minus = (
        side.pad("capacitor-plus", 920, data_y - 14), side.pad("capacitor-minus", 920, data_y + 14)
    )  # fmt: skip
    drawing.stroke((side.x(900), data_y - 4), (side.x(940), data_y - 4), width=4)
    drawing.stroke((side.x(900), data_y + 4), (side.x(940), data_y + 4), width=4)
    side.text(948, data_y - 4, "1000 µF,", 12, "start")
    side.text(948, data_y + 12, "6.3 V or more,", 12, "start")
    side.text(948, data_y + 28, "stripe to ground", 12, "start")

    # The wires.
    x, dx = side.x, side.dx
    data_x, ground_x = x(DATA_X), x(GROUND_X)
    drawing.wire(
        "data", [pi_data, gate_in], [pi_data.side(dx(-1)), (data_x, pi_data.y), (data_x, data_y), gate_in.side(dx(-1))]
    )
    drawing.wire("data", [gate_out, before], [gate_out.side(dx(1)), before.side(dx(-1))])
    drawing.wire("data", [after, strip_data], [after.side(dx(1)), strip_data.side(dx(-1))])
    drawing.wire("5v", [supply_plus, fuse_in], [supply_plus.side(dx(-1)), fuse_in.side(dx(1))])
    drawing.wire(
        "5v",
        [fuse_out, capacitor_plus, strip_plus, vcc],
        [fuse_out.side(dx(-1)), (vcc.x, plus_y), vcc.side(0, -1)],
        [(x(920), plus_y), capacitor_plus.side(0, -1)],
        [(x(610), plus_y), (x(610), strip_plus.y), strip_plus.side(dx(-1))],
        dots=[(x(920), plus_y), (x(610), plus_y)],
    )
    drawing.wire(
        "ground",
        [supply_minus, capacitor_minus, strip_minus, ground, enable, pi_ground],
        [supply_minus.side(dx(-1)), (ground_x, minus_y), (ground_x, pi_ground.y), pi_ground.side(dx(-1))],
        [(x(920), minus_y), capacitor_minus.side(0, 1)],
        [(x(610), minus_y), (x(610), strip_minus.y), strip_minus.side(dx(-1))],
        [(ground.x, minus_y), ground.side(0, 1)],
        [(enable.x, minus_y), enable.side(0, 1)],
        dots=[(x(at), minus_y) for at in (920, 610)] + [(pad.x, minus_y) for pad in (ground, enable)],
    )

    # What lines cannot show.
    unused = ", ".join(map(str, SHIFTER_UNUSED))
    side.text(
        130, top + 264, f"Pins {unused} of the 74AHCT125 go to ground too: no input may be left open.", 13, "start"
    )
    ground_words = "Supply, strip and Pi share one ground. The Pi has a supply of its own; its 5 V pins stay free."
    side.text(130, top + 286, ground_words, 13, "start")
    _which_lights(drawing, board, 1240 if side.left else 40, top)


def _shifter_pad(side: _Side, name: str, x: float, y: float) -> Pad:
    return side.pad(f"shifter-{SHIFTER_PINS[name]}", x, y, SHIFTER_PINS[name])


def _which_lights(drawing: Drawing, board: Board, x: float, top: float) -> None:
    """Lists the places in the order of the strip, with their lights."""
    drawing.text(x, top + 30, "Along the strip, from 0", 15, bold=True)
    for row, place in enumerate(sorted(board.places.values(), key=lambda place: min(place.lights))):
        y = top + 58 + row * 24
        marker = f", marker {place.marker}" if place.marker is not None else ""
        drawing.text(x, y, fitted(place.label, 13, 140), 13)
        drawing.text(x + 145, y, fitted(ranges(place.lights) + marker, 13, 170), 13)
        drawing.stroke((x, y + 7), (x + 318, y + 7), width=1, colour=FRAME)
    placed = sum(len(place.lights) + (place.marker is not None) for place in board.places.values())
    unplaced = board.strip.count - placed
    if unplaced:
        y = top + 58 + len(board.places) * 24
        drawing.text(x, y, f"{unplaced} more in no place: cut off, or hidden", 12, colour=GREY)


def ranges(numbers: Sequence[int]) -> str:
    """Returns numbers in words, with runs joined.

    >>> ranges([0, 1, 2, 3, 7, 9, 10])
    '0 to 3, 7, 9, 10'
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)

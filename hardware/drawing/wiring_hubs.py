"""The hubs in the wiring diagram: each Pico, its USB cable and the wires of its tag readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware.pins import BUSES, READERS, RESET
from hardware.board import Board, BoardHub, Reader
from hardware.drawing.pinouts import PICO_3V3, PICO_GROUND, PICO_PINS, PIN_OF_GP
from hardware.drawing.svg import FRAME, GREY, PALE, Drawing, Pad, Point, fitted
from hardware.drivers.chips import ChipFacts, chip_facts

COLUMNS: Final = 3
COLUMN: Final = 520
HUB_WIDTH: Final = 500
ROW: Final = 20
GAP: Final = 16
PICO: Final = (16, 150)
"""The edges of the Pico in its hub's frame."""
READER: Final = (290, 484)
"""The edges of the readers."""
_SHARED: Final = ("clock", "to-reader", "from-reader", "ground", "reset", "3v3")
_LANES: Final = {kind: 273 - 19 * lane for lane, kind in enumerate(_SHARED)}
"""Where the wires that readers share run down."""


@dataclass(frozen=True)
class _Card:
    """A reader that a place uses, and where it is drawn."""

    number: int
    label: str
    """The name of its place for people."""
    chip: ChipFacts
    top: float

    def y(self, pin: str) -> float:
        return self.top + 26 + ROW * (self.chip.pins.index(pin) + 0.5)


def _card_height(chip: ChipFacts) -> float:
    return 26 + ROW * len(chip.pins) + 6


def pico_pin(reader: int, wire: str) -> int:
    """Returns the physical pin of the Pico that a wire of a reader goes to.

    >>> pico_pin(0, "select"), pico_pin(3, "clock"), pico_pin(1, "3v3")
    (22, 14, 36)
    """
    bus, select = READERS[reader]
    _, clock, to_reader, from_reader = BUSES[bus]
    gps = {"select": select, "clock": clock, "to-reader": to_reader, "from-reader": from_reader, "reset": RESET}
    return {"ground": PICO_GROUND, "3v3": PICO_3V3}.get(wire) or PIN_OF_GP[gps[wire]]


def draw_hubs(drawing: Drawing, board: Board, usb: Point, top: float) -> float:
    """Draws the hubs below the Pi, three to a row. Returns the height of the drawing."""
    hubs = list(board.hubs.values())
    cables = _plan_cables(len(hubs), usb[0])
    first_y = y = top + 24 + 12 * (1 + max(cable.level for cable in cables))
    for line in range(0, len(hubs), COLUMNS):
        heights = []
        for column, hub in enumerate(hubs[line : line + COLUMNS]):
            readers = readers_in_use(board, hub)
            heights.append(72 + max(len(readers), 1) * (_card_height(chip_facts(hub.chip)) + GAP))
            plug = _draw_hub(drawing, hub, readers, 30 + column * COLUMN, y, heights[-1])
            cable = cables[line + column]
            socket = drawing.pad(f"pi-usb-{line + column}", cable.leave_x, usb[1], radius=4)
            level_y = top + 18 + 12 * cable.level
            bends: list[Point] = [(cable.leave_x, level_y), (cable.down_x, level_y)]
            if y > first_y:
                bends += [(cable.down_x, y - 14), (plug.x, y - 14)]
            drawing.wire("usb", [socket, plug], [socket.side(0, 1), *bends, plug.side(0, -1)])
        y += max(heights) + 30
    return y


@dataclass(frozen=True)
class _Cable:
    """How a USB cable runs: where it leaves the Pi, at what level it goes sideways, and where it goes down."""

    leave_x: float
    level: int
    down_x: float


def _plan_cables(count: int, usb_x: float) -> list[_Cable]:
    """Plans the cables of the hubs. Those that go farthest leave outermost and highest, so that none cross."""
    plugs = [30 + number % COLUMNS * COLUMN + 50 for number in range(count)]
    # A hub in a lower row is reached through the gap to the left of its column.
    downs = [
        plugs[number] if number < COLUMNS else plugs[number] - 56 - 5 * (number // COLUMNS) for number in range(count)
    ]
    order = sorted(range(count), key=lambda number: downs[number])
    leaves = {number: usb_x - 60 + 120 * (rank + 0.5) / count for rank, number in enumerate(order)}
    lefts = [number for number in order if downs[number] < leaves[number]]
    rights = [number for number in reversed(order) if number not in lefts]
    levels = {number: level for side in (lefts, rights) for level, number in enumerate(side)}
    return [_Cable(leaves[number], levels[number], downs[number]) for number in range(count)]


def readers_in_use(board: Board, hub: BoardHub) -> list[tuple[int, str]]:
    """Returns the readers of a hub that places use, each with the label of its place."""
    found = ((number, board.place_of(Reader(hub.name, number))) for number in range(hub.readers))
    return [(number, board.label(place)) for number, place in found if place is not None]


def _draw_hub(
    drawing: Drawing, hub: BoardHub, readers: list[tuple[int, str]], x: float, top: float, height: float
) -> Pad:
    """Draws a hub in its frame. Returns its USB socket."""
    drawing.box(x, top, HUB_WIDTH, height, PALE, FRAME, 10)
    drawing.text(x + 84, top + 26, fitted(f"Hub {hub.name}", 17, 240, bold=True), 17, bold=True)
    chip = chip_facts(hub.chip)
    drawing.text(x + HUB_WIDTH - 16, top + 26, f"{chip.module} readers, {hub.mode}", 13, "end", colour=GREY)
    drawing.text(x + 84, top + 46, fitted(f"port {hub.port}", 12, HUB_WIDTH - 100), 12, colour=GREY)
    first = top + 66
    step = _card_height(chip) + GAP
    cards = [_Card(number, label, chip, first + index * step) for index, (number, label) in enumerate(readers)]
    drawing.box(x + PICO[0], first, PICO[1] - PICO[0], height - 82)
    drawing.box(x + 36, first - 8, 28, 16, PALE, radius=2)
    drawing.text(x + PICO[0] + 10, first + 21, "Raspberry Pi Pico", 11.5, bold=True)
    if not cards:
        drawing.text(x + READER[0], first + 40, "no place uses a reader of it", 13, colour=GREY)
    pads = {card.number: _draw_card(drawing, hub, card, x) for card in cards}
    joined: dict[tuple[int, str], list[Pad]] = {}
    for card in cards:
        for wire, pad in pads[card.number].items():
            joined.setdefault((pico_pin(card.number, wire), wire), []).append(pad)
    for (physical, wire), wanted in joined.items():
        name = PICO_PINS[physical - 1]
        pico = drawing.pad(f"{_pad_name('pico', hub)}-{physical}", x + PICO[1], wanted[0].y, physical, 9)
        drawing.text(x + PICO[1] - 16, wanted[0].y + 4, name, 12, "end")
        _draw_wire(drawing, wire, pico, wanted, x)
    return drawing.pad(f"{_pad_name('pico', hub)}-usb", x + 50, first - 8, radius=4)


def _draw_card(drawing: Drawing, hub: BoardHub, card: _Card, x: float) -> dict[str, Pad]:
    """Draws a reader and its pins, each with the Pico's pin it goes to. Returns its pads by their wires."""
    left, right = x + READER[0], x + READER[1]
    drawing.box(left, card.top, right - left, _card_height(card.chip))
    drawing.text(left + 14, card.top + 19, fitted(card.label, 13, 135, bold=True), 13, bold=True)
    drawing.text(right - 8, card.top + 19, f"no. {card.number}", 12, "end", colour=GREY)
    pads = {}
    for pin in card.chip.pins:
        y = card.y(pin)
        drawing.text(left + 14, y + 4, pin, 12)
        wire = card.chip.wires.get(pin)
        if wire is None:
            drawing.text(right - 8, y + 4, "not joined", 12, "end", colour=GREY)
            continue
        physical = pico_pin(card.number, wire)
        drawing.text(right - 8, y + 4, f"{PICO_PINS[physical - 1]}, pin {physical}", 12, "end", colour=GREY)
        pads[wire] = drawing.pad(f"{_pad_name('reader', hub)}-{card.number}-{pin}", left, y, radius=5)
    return pads


def _draw_wire(drawing: Drawing, wire: str, pico: Pad, pads: list[Pad], x: float) -> None:
    """Draws a wire from the Pico straight to the first reader, and down its lane to the others."""
    paths: list[list[Point]] = [[pico.side(1), pads[0].side(-1)]]
    dots: list[Point] = []
    if len(pads) > 1:
        lane = x + _LANES[wire]
        paths.append([(lane, pads[0].y), (lane, pads[-1].y)])
        paths.extend([(lane, pad.y), pad.side(-1)] for pad in pads[1:])
        dots = [(lane, pad.y) for pad in pads[:-1]]
    drawing.wire(wire, [pico, *pads], *paths, dots=dots)


def _pad_name(part: str, hub: BoardHub) -> str:
    return f"{part}-{hub.name.replace(' ', '_')}"

"""Draws a board from its definition: the wiring diagram, and the table of the Pi's pins."""

from __future__ import annotations

from typing import Final

from hardware.board import Board
from hardware.drawing.pinouts import (
    PI_HEADER,
    PIN_NAMES,
    PIN_OF_GPIO,
    SPI_NAMES,
    Grounds,
    ground_wires,
    is_left,
    pin_uses,
    row_of,
)
from hardware.drawing.svg import FRAME, GREY, INK, KINDS, PALE, Drawing, Pad, Point, fitted, text_width
from hardware.drawing.wiring_hubs import draw_hubs
from hardware.drawing.wiring_strip import GROUND_X, draw_strip

WIDTH: Final = 1600
MARGIN: Final = 30
ROW: Final = 30
HEADER: Final = (640, 960)
"""The left and the right edge of the header."""
BUTTONS: Final = (180, 410)
"""The edges of the buttons left of the header; those on the right mirror them."""


def summary(board: Board) -> str:
    """Returns a board in one line.

    >>> from hardware.board import find_board
    >>> summary(find_board("standard"))
    '10 places, 12 buttons, 60 lights on GPIO 10, 3 hubs with 10 readers'
    """
    readers = sum(place.reader is not None for place in board.places.values())
    hubs = f"{_count(len(board.hubs), 'hub')} with {_count(readers, 'reader')}" if board.hubs else "no tag readers"
    return (
        f"{_count(len(board.places), 'place')}, {_count(len(board.buttons), 'button')}, "
        f"{_count(board.strip.count, 'light')} on GPIO {board.strip.gpio}, {hubs}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# The wiring diagram.


def wiring_svg(board: Board) -> str:
    """Returns the wiring diagram: the Pi with its buttons, the strip with its supply, the hubs with their readers."""
    drawing = Drawing(
        WIDTH,
        f"Wiring of the board {board.name}",
        f"{summary(board)}. Every wire from the Raspberry Pi to the buttons, the strip of lights and the hubs, "
        "and from each hub to its tag readers.",
    )
    drawing.text(MARGIN, 48, fitted(f"Wiring of the board “{board.name}”", 28, 1500, bold=True), 28, bold=True)
    drawing.text(MARGIN, 76, f"{summary(board)}. Numbers in circles are pins as you count them on the part.", 15)
    top = _legend(drawing, board, 106)
    data, ground, usb, bottom = _pi(drawing, board, top + 330)
    draw_strip(drawing, board, top, data, ground)
    drawing.height = draw_hubs(drawing, board, usb, bottom) if board.hubs else bottom + MARGIN
    return drawing.svg()


def _legend(drawing: Drawing, board: Board, y: float) -> float:
    """Draws the kinds of wire. Returns where the next part can begin."""
    of_hubs = ("3v3", "select", "clock", "to-reader", "from-reader", "reset", "usb")
    x: float = MARGIN
    for kind, look in KINDS.items():
        if kind in of_hubs and not board.hubs:
            continue
        width = 46 + 8 + text_width(look.words, 13) + 26
        if x + width > WIDTH - MARGIN:
            x, y = MARGIN, y + 26
        drawing.sample(kind, x, y)
        drawing.text(x + 54, y + 5, look.words, 13)
        x += width
    return y + 22


def _pi(drawing: Drawing, board: Board, top: float) -> tuple[Pad, Pad, Point, float]:
    """Draws the Pi with its buttons. Returns its data pad, the strip's ground pad, its USB sockets and lower edge."""
    height = 78 + ROW * len(PI_HEADER) + (58 if board.hubs else 16)
    drawing.box(MARGIN, top, WIDTH - 2 * MARGIN, height, PALE, FRAME, 10)
    drawing.text(130, top + 30, "Buttons", 17, bold=True)
    drawing.text(
        130, top + 50, "Each joins its pin to ground. No resistors: the Pi pulls its pins up.", 13, colour=GREY
    )
    left, right = HEADER
    middle = (left + right) / 2
    drawing.box(left, top + 12, right - left, height - 24)
    drawing.text(middle, top + 34, "Raspberry Pi, 40-pin header", 16, "middle", bold=True)
    drawing.text(middle, top + 52, "pin 1 at the SD card's end, even pins outside", 12, "middle", colour=GREY)
    first = top + 84
    pads = {pin: _header_pin(drawing, board, pin, first + ROW * row_of(pin)) for pin in PIN_NAMES}
    ends = {
        button: _button(drawing, button, board.label(button), pads[PIN_OF_GPIO[gpio]])
        for button, gpio in board.buttons.items()
    }
    for wire in ground_wires(board):
        along = [ends[button] for button, gpio in board.buttons.items() if _is_along(PIN_OF_GPIO[gpio], wire)]
        if along:
            _ground(drawing, pads[wire.pin], along, wire.strip)
    ground = next(pads[wire.pin] for wire in ground_wires(board) if wire.strip)
    usb = (middle, top + height - 22)
    if board.hubs:
        drawing.box(middle - 70, top + height - 52, 140, 30, PALE)
        drawing.text(middle, top + height - 32, "USB sockets", 13, "middle")
    return pads[PIN_OF_GPIO[board.strip.gpio]], ground, usb, top + height


def _is_along(pin: int, wire: Grounds) -> bool:
    return is_left(pin) == is_left(wire.pin) and row_of(pin) in wire.rows


def _header_pin(drawing: Drawing, board: Board, pin: int, y: float) -> Pad:
    """Draws a pin of the header: its number at the edge, its name inside, and a note outside if it stays free."""
    side = -1 if is_left(pin) else 1
    edge = HEADER[0] if is_left(pin) else HEADER[1]
    inwards, outwards = ("start", "end") if is_left(pin) else ("end", "start")
    name = PIN_NAMES[pin]
    if board.strip.gpio == 10 and name.startswith("GPIO") and int(name[5:]) in SPI_NAMES:
        name += f" ({SPI_NAMES[int(name[5:])]})"
    drawing.text(edge - side * 22, y + 5, name, 14, inwards)
    use = pin_uses(board)[pin]
    if use.kind in ("free", "spi"):
        drawing.text(edge + side * 22, y + 5, use.words, 12, outwards, colour=GREY)
    return drawing.pad(f"pi-{pin}", edge, y, pin, 12)


def _button(drawing: Drawing, button: str, label: str, pin: Pad) -> Pad:
    """Draws a button in the row of its pin, and the wire between. Returns its other contact, which goes to ground."""
    side = -1 if pin.x == HEADER[0] else 1
    outer, inner = (BUTTONS[0], BUTTONS[1]) if side < 0 else (WIDTH - BUTTONS[0], WIDTH - BUTTONS[1])
    drawing.box(min(outer, inner), pin.y - 12, abs(inner - outer), 24)
    drawing.text((outer + inner) / 2 + 14, pin.y + 5, label, 14, "middle")
    x = min(outer, inner) + 20
    drawing.stroke((x, pin.y + 4), (x + 10, pin.y + 4))
    drawing.stroke((x + 20, pin.y + 4), (x + 30, pin.y + 4))
    drawing.stroke((x + 6, pin.y - 3), (x + 24, pin.y - 3))
    drawing.stroke((x + 15, pin.y - 3), (x + 15, pin.y - 8))
    contact = drawing.pad(f"button-{button}", inner, pin.y, radius=5)
    drawing.wire("button", [pin, contact], [pin.side(side), contact.side(-side)])
    return drawing.pad(f"button-{button}-ground", outer, pin.y, radius=5)


def _ground(drawing: Drawing, pin: Pad, contacts: list[Pad], strip: bool) -> None:
    """Draws a ground wire along the buttons. One that also serves the strip goes on upwards and has a dot there."""
    side = -1 if pin.x == HEADER[0] else 1
    x = float(GROUND_X if side < 0 else WIDTH - GROUND_X)
    heights = sorted([pin.y, *(contact.y for contact in contacts)])
    paths = [[pin.side(side), (x, pin.y)], *([contact.side(side), (x, contact.y)] for contact in contacts)]
    inner = heights if strip else heights[1:]
    dots = [(x, y) for y in inner if y != heights[-1]]
    drawing.wire("ground", [pin, *contacts], [(x, heights[0]), (x, heights[-1])], *paths, dots=dots)


# The table of pins.

_TABLE_WIDTH: Final = 1000
_TABLE_ROW: Final = 30
_SHADES: Final = {"button": "#dbe8f8", "data": "#d9f0dd", "ground": "#dfe3e7", "spi": "#f0eef6", "free": "white"}


def pin_table_svg(board: Board) -> str:
    """Returns the table of the 40 pins, laid out like the header: what is connected where, and what stays free."""
    drawing = Drawing(
        _TABLE_WIDTH,
        f"The pins of the Raspberry Pi on the board {board.name}",
        "Each of the 40 pins of the header: its number, its name and what hangs on it.",
    )
    drawing.text(30, 44, fitted(f"Pins of the Raspberry Pi: board “{board.name}”", 24, 930, bold=True), 24, bold=True)
    drawing.text(30, 70, "As on the header: odd pins left, even pins right; pin 1 is at the SD card's end.", 14)
    middle = _TABLE_WIDTH / 2
    for side in (-1, 1):
        for offset, words in ((165, "what hangs there"), (55, "name")):
            drawing.text(middle + side * offset, 104, words, 13, "end" if side < 0 else "start", True, GREY)
        drawing.text(middle + side * 25, 104, "pin", 13, "middle", True, GREY)
    first = 116
    for pin, use in pin_uses(board).items():
        side = -1 if is_left(pin) else 1
        anchor = "end" if is_left(pin) else "start"
        y = first + _TABLE_ROW * row_of(pin)
        x = 30 if is_left(pin) else middle
        drawing.box(x, y, middle - 30, _TABLE_ROW, _SHADES[use.kind], FRAME, 0)
        colour = GREY if use.kind in ("free", "spi") else INK
        drawing.text(middle + side * 165, y + 20, use.words, 14, anchor, use.kind not in ("free", "spi"), colour)
        drawing.text(middle + side * 55, y + 20, PIN_NAMES[pin], 14, anchor)
        drawing.pad(f"pi-{pin}", middle + side * 25, y + _TABLE_ROW / 2, pin, 12)
    drawing.height = first + _TABLE_ROW * len(PI_HEADER) + 30
    return drawing.svg()

"""The pins of the Raspberry Pi, the Pico and the level shifter, and what a board connects to those of the Pi."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardware.board import SPI_GPIOS, Board

PI_HEADER: Final = (
    ("3.3 V", "5 V"),
    ("GPIO 2", "5 V"),
    ("GPIO 3", "ground"),
    ("GPIO 4", "GPIO 14"),
    ("ground", "GPIO 15"),
    ("GPIO 17", "GPIO 18"),
    ("GPIO 27", "ground"),
    ("GPIO 22", "GPIO 23"),
    ("3.3 V", "GPIO 24"),
    ("GPIO 10", "ground"),
    ("GPIO 9", "GPIO 25"),
    ("GPIO 11", "GPIO 8"),
    ("ground", "GPIO 7"),
    ("GPIO 0", "GPIO 1"),
    ("GPIO 5", "ground"),
    ("GPIO 6", "GPIO 12"),
    ("GPIO 13", "ground"),
    ("GPIO 19", "GPIO 16"),
    ("GPIO 26", "GPIO 20"),
    ("ground", "GPIO 21"),
)
"""The 40-pin header, one row per line: the odd pin and the even pin beside it."""

PIN_NAMES: Final = {
    2 * row + column + 1: name for row, pins in enumerate(PI_HEADER) for column, name in enumerate(pins)
}
PIN_OF_GPIO: Final = {int(name[5:]): pin for pin, name in PIN_NAMES.items() if name.startswith("GPIO")}
GROUND_PINS: Final = tuple(pin for pin, name in PIN_NAMES.items() if name == "ground")

SPI_NAMES: Final = {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"}

PICO_PINS: Final = (
    "GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7",
    "GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15",
    "GP16", "GP17", "GND", "GP18", "GP19", "GP20", "GP21", "GND", "GP22", "RUN",
    "GP26", "GP27", "GND", "GP28", "ADC_VREF", "3V3(OUT)", "3V3_EN", "GND", "VSYS", "VBUS",
)  # fmt: skip
"""The Pico's pins from 1 to 40; 33 is the ground of its analogue inputs."""
PIN_OF_GP: Final = {int(name[2:]): pin for pin, name in enumerate(PICO_PINS, start=1) if name.startswith("GP")}
PICO_3V3: Final = 36
PICO_GROUND: Final = 38

SHIFTER_PINS: Final = {"1OE": 1, "1A": 2, "1Y": 3, "GND": 7, "VCC": 14}
"""What we use of a 74AHCT125: one of its four gates. OE is active low."""
SHIFTER_UNUSED: Final = (4, 5, 9, 10, 12, 13)
"""The inputs and enables of its other gates; no input of a CMOS chip may be left open."""


@dataclass(frozen=True)
class Use:
    """What is connected to a pin of the header."""

    kind: str
    """One of button, data, ground, spi (taken with the strip's pin) and free."""
    words: str


@dataclass(frozen=True)
class Grounds:
    """A ground wire beside the header: the pin it comes from, and the rows of the header it runs along."""

    pin: int
    rows: range
    strip: bool
    """Whether the strip and the level shifter get their ground from here."""


def row_of(pin: int) -> int:
    """Returns the row of the header that a pin is in, counted from 0."""
    return (pin - 1) // 2


def is_left(pin: int) -> bool:
    """Returns whether a pin is in the column of odd numbers."""
    return pin % 2 == 1


def ground_wires(board: Board) -> list[Grounds]:
    """Returns the ground wires: one along each column with buttons, split in two where the strip's data wire leaves.

    The upper half on the strip's side serves the strip too, from the ground pin nearest to the data pin.
    """
    data = PIN_OF_GPIO[board.strip.gpio]
    used = [PIN_OF_GPIO[gpio] for gpio in board.buttons.values()]
    wires = []
    for left in (True, False):
        here = is_left(data) == left
        cut = row_of(data) if here else len(PI_HEADER)
        for rows in (range(cut), range(cut, len(PI_HEADER))):
            strip = here and rows.start == 0
            if strip or any(is_left(pin) == left and row_of(pin) in rows for pin in used):
                grounds = [pin for pin in GROUND_PINS if is_left(pin) == left and row_of(pin) in rows]
                wires.append(Grounds(grounds[-1], rows, strip))
    return wires


def pin_uses(board: Board) -> dict[int, Use]:
    """Returns what is connected to each of the 40 pins."""
    uses = {pin: Use("free", "free") for pin in PIN_NAMES}
    for pin, name in PIN_NAMES.items():
        if name in ("5 V", "3.3 V"):
            uses[pin] = Use("free", "leave free")
        elif name in ("GPIO 0", "GPIO 1"):
            uses[pin] = Use("free", "leave free: add-on boards")
    if board.strip.gpio in SPI_GPIOS:
        for gpio in SPI_GPIOS:
            uses[PIN_OF_GPIO[gpio]] = Use("spi", "leave free: SPI")
    uses[PIN_OF_GPIO[board.strip.gpio]] = Use("data", "data of the strip")
    for button, gpio in board.buttons.items():
        uses[PIN_OF_GPIO[gpio]] = Use("button", f"button {board.label(button)}")
    for wire in ground_wires(board):
        along = any(
            is_left(PIN_OF_GPIO[gpio]) == is_left(wire.pin) and row_of(PIN_OF_GPIO[gpio]) in wire.rows
            for gpio in board.buttons.values()
        )
        served = ["strip"] * wire.strip + ["buttons"] * along
        uses[wire.pin] = Use("ground", f"ground of {' and '.join(served)}")
    return uses

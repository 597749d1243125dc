"""The parts list of a board, the current it draws, and the supply and fuse it needs.

Currents are at 5 V, in mA, and err on the high side. None of them was measured on a real board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hardware.board import Board
from hardware.drivers.chips import ChipFacts, chip_facts

RESISTOR_OHM: Final = 470

PICO_MA: Final = 50.0
"""A Pico with MicroPython: people measure 18 to 38 mA."""
PICO_3V3_MA: Final = 300.0
"""The most that the Pico's 3.3 V pin should supply to other parts."""

FUSES_A: Final = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0, 12.5, 16.0)
"""Common 5 x 20 mm fuses."""
SUPPLIES_A: Final = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0)
"""Common 5 V supplies."""
SPARE_SHARE: Final = 1.25
"""The capacity of a supply as a multiple of the budget, so that it stays cool."""


@dataclass(frozen=True)
class Part:
    """A line of the parts list."""

    count: int
    what: str
    note: str
    spare: int = 0
    """How many more to buy, for those that break or get lost."""


@dataclass(frozen=True)
class PiPower:
    """A Raspberry Pi: what it draws itself, what its USB sockets can supply, and the supply it is sold with."""

    name: str
    ma: float
    usb_ma: float
    supply_a: float


PI_POWER: Final = (
    PiPower("Zero 2 W", 350, 1200, 2.5),
    PiPower("3B", 400, 1200, 2.5),
    PiPower("3B+", 500, 1200, 2.5),
    PiPower("4B", 600, 1200, 3.0),
    PiPower("5", 800, 1600, 5.0),
)
"""From Raspberry Pi's own table of power supplies: typical current of the bare board, and the total limit for USB.

The Zero has no USB limit of its own; the figure is that of the others. A Pi 5 on a 3 A supply allows USB 600 mA.
"""


@dataclass(frozen=True)
class Power:
    """The currents of a board at 5 V, in mA."""

    strip_ma: float
    """The budget of the board file, which the program never exceeds."""
    hubs_ma: dict[str, float]
    """Each Pico with its readers; the Pi's USB sockets power them."""
    fuse_a: float | None
    supply_a: float | None

    @property
    def usb_ma(self) -> float:
        return sum(self.hubs_ma.values())

    @property
    def fuse(self) -> str:
        """The fuse of the strip, in words."""
        return f"{self.fuse_a:g} A" if self.fuse_a else "several"

    @property
    def supply(self) -> str:
        """The supply of the strip, in words."""
        return f"{self.supply_a:g} A" if self.supply_a else "several"

    def pi_ma(self, model: PiPower) -> float:
        """Returns what a Pi draws with its hubs."""
        return model.ma + self.usb_ma

    def total_ma(self, model: PiPower) -> float:
        """Returns what everything draws together."""
        return self.strip_ma + self.pi_ma(model)


def power(board: Board) -> Power:
    """Returns the currents of a board, with the fuse and the supply for its strip.

    The fuse is the next above the budget; the supply can give a quarter more than the budget, and can blow the fuse.
    """
    budget_a = board.strip.budget_ma / 1000
    fuse_a = next((fuse for fuse in FUSES_A if fuse > budget_a), None)
    least_a = max(budget_a * SPARE_SHARE, fuse_a or 0)
    supply_a = next((supply for supply in SUPPLIES_A if supply >= least_a), None) if fuse_a else None
    hubs_ma = {
        name: PICO_MA + readers_ma(chip_facts(board.hubs[name].chip), count)
        for name, count in readers_of_hubs(board).items()
    }
    return Power(board.strip.budget_ma, hubs_ma, fuse_a, supply_a)


def readers_ma(chip: ChipFacts, count: int) -> float:
    """Returns the current of all readers of a hub: one has its field on, the others wait for their turn."""
    return chip.field_ma + chip.resting_ma * (count - 1) if count else 0.0


def chips_of(board: Board) -> dict[str, int]:
    """Returns the reader chips that a board uses, with the number of readers in places."""
    counts: Counter[str] = Counter()
    for name, count in readers_of_hubs(board).items():
        counts[board.hubs[name].chip] += count
    return dict(counts)


def readers_of_hubs(board: Board) -> dict[str, int]:
    """Returns how many readers of each hub are in a place."""
    used = [place.reader.hub for place in board.places.values() if place.reader]
    return {name: used.count(name) for name in board.hubs}


def parts(board: Board, tagged: Mapping[str, int]) -> list[Part]:
    """Returns everything needed to build a board, except the board itself, its pieces and solder.

    >>> from hardware.board import example_board
    >>> tags = parts(example_board(), {"20 coins": 20})[-1]
    >>> print(tags.count, tags.what, tags.note, sep="; ")
    20; tag sticker, ISO 14443 A (NTAG213); 20 coins

    :param tagged: the pieces that carry a tag, in words, and how many tags they need: {"20 coins": 20}.
    """
    sums = power(board)
    readers = sum(readers_of_hubs(board).values())
    many = len(board.buttons)
    found = [
        Part(1, "Raspberry Pi", "3B, 3B+, 4B, 5 or Zero 2 W, with a 40-pin header"),
        Part(1, "microSD card", "16 GB or more"),
        Part(1, "supply for the Pi", "the one sold with the model; not shared with the strip"),
        Part(many, "push button", f"closes while pressed; {_whose(board)}", 2),
        Part(board.strip.count, f"NeoPixel light (WS2812B, 5 V, {board.strip.order})", "cut from a strip", 5),
        Part(1, f"supply 5 V, {sums.supply}", f"for the strip, {board.strip.budget_ma:g} mA and a quarter more"),
        Part(1, f"fuse {sums.fuse}, slow, 5 x 20 mm", "the next above the strip's budget", 2),
        Part(1, "fuse holder, 5 x 20 mm", "in the + wire, next to the supply"),
        Part(1, "capacitor 1000 µF, 6.3 V or more", "across the strip's supply"),
        Part(1, "level shifter 74AHCT125, DIP-14", "3.3 V data to 5 V", 1),
        Part(1, "socket, DIP-14", "so that no soldering iron touches the chip"),
        Part(1, f"resistor {RESISTOR_OHM} Ω, 1/4 W", "in the data wire; 330 to 470 Ω will do", 4),
        Part(1, "stripboard, about 5 x 7 cm", "for level shifter, resistor and screw terminals"),
        Part(1, "40-pin socket or screw terminal board", "for the header of the Pi"),
        Part(4, "metre of wire, 0.75 mm²", "power of the strip, half red, half black"),
        Part(many + 2 * readers + 4, "metre of wire, 0.14 to 0.25 mm²", "buttons, data and readers, several colours"),
    ]  # fmt: skip
    if board.hubs:
        readers_by_chip = [(chip_facts(chip), count) for chip, count in chips_of(board).items()]
        found += [
            Part(len(board.hubs), "Raspberry Pi Pico, with pin headers", "one per hub", 1),
            Part(len(board.hubs), "USB cable, A to micro-B, data", "Pico to Pi; many cheap cables only charge", 1),
            *(Part(count, chip.part, chip.note, 2) for chip, count in readers_by_chip if count),
            Part(sum(tagged.values()), "tag sticker, ISO 14443 A (NTAG213)", ", ".join(tagged), 16),
        ]
    return found


def _whose(board: Board) -> str:
    """Returns which buttons a board has, in words."""
    *others, last = ("one per place", *board.controls)
    return f"{', '.join(others)} and {last}" if others else last

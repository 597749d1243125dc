"""The board definition: which pin, light and reader belongs to which place, read from a TOML file.

    [strip]                      # one strip of NeoPixels for the whole board
    gpio = 10                    # its data pin; 10 is SPI and needs no root
    count = 60
    order = "GRB"
    brightness = 0.5             # 0 to 1
    budget_ma = 2500             # what its power supply gives it

    [controls]                   # two buttons beside the board
    confirm = 20
    undo = 21

    [places.galicia]
    button = 5                   # GPIO number, as on every pin of this file
    lights = [0, 1, 2, 3, 4]     # which lights of the strip are in the region
    king = 5                     # the light that says the King stands here
    reader = "west/0"            # hub and number of its tag reader; left out on a board without readers

    [hubs.west]                  # a microcontroller with readers
    # Its serial port: a path that stays the same (ls /dev/serial/by-id), or "hwgrep://SER=" and its serial number.
    port = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_e66058388345a52a-if00"
    mode = "tap"                 # or "inventory"
    readers = 3

Every mistake of a file is found at once, with its key and what was expected.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardware.errors import BadBoardFile, Mistake, NoSuchBoard, UnreadableBoardFile, quoted

REGIONS: Final = (
    "galicia", "pais-vasco", "aragon", "cataluna", "castilla-la-vieja", "castilla-la-nueva", "valencia", "sevilla",
    "granada",
)  # fmt: skip
CASTILLO: Final = "castillo"
PLACES: Final = (*REGIONS, CASTILLO)
CONTROLS: Final = ("confirm", "undo")

HEADER_GPIOS: Final = range(2, 28)
"""The GPIOs on the 40-pin header that a program may use; 0 and 1 belong to the identification of add-on boards."""
SPI_GPIOS: Final = range(7, 12)
"""Taken as a whole when the strip hangs on GPIO 10."""
STRIP_GPIOS: Final = (10, 12, 18, 21)
"""Where the strip's data pin can be: SPI, or one of the PWM and PCM pins."""
ORDERS: Final = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR", "GRBW", "RGBW")
MODES: Final = ("tap", "inventory")
MOST_READERS: Final = 4
IDLE_MA: Final = 1.0
"""What a light draws when it is dark."""
FULL_MA: Final = 60.0
"""What a light draws at full white."""
PORTS: Final = "a path such as /dev/serial/by-id/usb-MicroPython_..., or hwgrep://SER= and the hub's serial number"
_SEARCH: Final = "hwgrep://"
_HUB_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")


@dataclass(frozen=True)
class Strip:
    """The strip of lights."""

    gpio: int
    count: int
    order: str
    brightness: float
    budget_ma: float


@dataclass(frozen=True)
class Reader:
    """A tag reader: its hub, and its number there."""

    hub: str
    number: int


@dataclass(frozen=True)
class Place:
    """What a region or the castillo has: a button, some lights, a light for the King, perhaps a reader."""

    name: str
    button: int
    lights: tuple[int, ...]
    king: int | None
    reader: Reader | None


@dataclass(frozen=True)
class Hub:
    """A microcontroller with readers, at a serial port."""

    name: str
    port: str
    mode: str
    readers: int


@dataclass(frozen=True)
class Board:
    """A whole board."""

    name: str
    strip: Strip
    places: dict[str, Place]
    controls: dict[str, int]
    hubs: dict[str, Hub]

    def place_of(self, reader: Reader) -> str | None:
        """The place where a reader is."""
        return next((place.name for place in self.places.values() if place.reader == reader), None)


SHIPPED: Final = Path(__file__).parent / "boards"


def shipped_boards() -> list[str]:
    """The names of the boards that come with the project."""
    return sorted(file.stem for file in SHIPPED.glob("*.toml"))


def board_file(name_or_path: str) -> Path:
    """The file of a board that comes with the project, or the one that is named."""
    return SHIPPED / f"{name_or_path}.toml" if name_or_path in shipped_boards() else Path(name_or_path)


def find_board(name_or_path: str) -> Board:
    """The board of a name that comes with the project, or the one that a file defines."""
    file = board_file(name_or_path)
    if file.parent == SHIPPED:
        return read_board(file, file.name)
    if os.path.isdir(name_or_path):
        raise UnreadableBoardFile(name_or_path, "it is a folder; name the file in it")
    try:
        if file.is_file():
            return read_board(file, name_or_path)
    except OSError as error:
        raise UnreadableBoardFile(name_or_path, error.strerror or str(error)) from None
    raise NoSuchBoard(name_or_path, shipped_boards())


def read_board(file: Path, called: str = "") -> Board:
    """The board that a file defines; errors call the file by its path, or as it is called here."""
    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        mistake = Mistake("the file", str(error), "TOML, as in hardware/boards")
        raise BadBoardFile(called or str(file), [mistake]) from None
    return board_of(file.stem, data, called or str(file))


def board_of(name: str, data: dict[str, object], called: str = "") -> Board:
    """The board that the contents of a file define."""
    reading = _Reading(data)
    board = reading.board(name)
    if reading.mistakes:
        raise BadBoardFile(called or name, reading.mistakes)
    return board


def is_port(port: str) -> bool:
    """Whether a hub can be at such a port: the path of a device, or what one is found by.

    Other addresses that pyserial knows are none, for we wait for bytes at a file.

    >>> [is_port(port) for port in ("/dev/ttyACM0", "hwgrep://SER=E66058388345A52A", "socket://pi:7000", "COM3", "")]
    [True, True, False, False, False]
    """
    searched = port[len(_SEARCH) :].partition("&")[0]
    if port.lower().startswith(_SEARCH):
        try:
            return bool(re.compile(searched).pattern)
        except re.error:
            return False
    return port.startswith("/")


class _Reading:
    """Reads a board file to its end, whatever is wrong with it, and keeps the mistakes."""

    def __init__(self, data: dict[str, object]) -> None:
        self.data = data
        self.mistakes: list[Mistake] = []
        self.owner_of_gpio: dict[int, str] = {}
        self.owner_of_light: dict[int, str] = {}
        self.owner_of_reader: dict[Reader, str] = {}
        self.owner_of_port: dict[str, str] = {}

    def board(self, name: str) -> Board:
        self._only("", self.data, ("strip", "places", "controls", "hubs"))
        strip = self._strip()
        hubs = {hub.name: hub for hub in self._hubs()}
        controls = self._controls()
        places = {place.name: place for place in self._places(strip, hubs)}
        return Board(name, strip, places, controls, hubs)

    # The parts.

    def _strip(self) -> Strip:
        table = self._table("strip", self.data, ("gpio", "count", "order", "brightness", "budget_ma"))
        gpio = self._whole("strip.gpio", table.get("gpio", 10))
        if gpio not in STRIP_GPIOS:
            self._wrong("strip.gpio", gpio, f"one of {_listed(STRIP_GPIOS)}")
        for taken in SPI_GPIOS if gpio == 10 else (gpio,):
            self.owner_of_gpio[taken] = "strip.gpio"
        count = self._whole("strip.count", table.get("count"), low=1, high=1000)
        order = table.get("order", "GRB")
        if order not in ORDERS:
            self._wrong("strip.order", order, f"one of {_listed(ORDERS)}")
        brightness = self._number("strip.brightness", table.get("brightness", 0.5), 0.0, 1.0)
        budget = self._number("strip.budget_ma", table.get("budget_ma"), 0.0, 100_000.0)
        least = count * IDLE_MA + FULL_MA
        if budget and budget < least:
            self._wrong(
                "strip.budget_ma", f"{budget:g} mA", f"at least {least:g}: {count} dark lights and one that is lit"
            )
        return Strip(gpio, count, str(order), brightness, budget)

    def _controls(self) -> dict[str, int]:
        table = self._table("controls", self.data, CONTROLS)
        return {control: self._gpio(f"controls.{control}", table.get(control)) for control in CONTROLS}

    def _hubs(self) -> Iterator[Hub]:
        tables = self.data.get("hubs", {})
        if not isinstance(tables, dict):
            self._wrong("hubs", tables, "tables such as [hubs.west]")
            return
        for name in tables:
            if not _HUB_NAME.fullmatch(name):
                # It stands in commands and in the names of files.
                self._wrong("hubs", name, "names of letters, digits, _ and, after the first, -, as in [hubs.west]")
            key = f"hubs.{name}"
            table = self._table(str(name), tables, ("port", "mode", "readers"), key)
            port, mode = table.get("port"), table.get("mode", "tap")
            self._port(f"{key}.port", port)
            if mode not in MODES:
                self._wrong(f"{key}.mode", mode, f"one of {_listed(MODES)}")
            readers = self._whole(f"{key}.readers", table.get("readers"), low=1, high=MOST_READERS)
            yield Hub(str(name), str(port), str(mode), readers)

    def _port(self, key: str, value: object) -> None:
        if not isinstance(value, str) or not is_port(value):
            self._wrong(key, value, PORTS)
            return
        port = os.path.normpath(value) if value.startswith("/") else value.lower()
        if port in self.owner_of_port:
            self._wrong(key, value, f"one that {self.owner_of_port[port]} does not have")
        self.owner_of_port.setdefault(port, key)

    def _places(self, strip: Strip, hubs: dict[str, Hub]) -> Iterator[Place]:
        tables = self.data.get("places", {})
        if not isinstance(tables, dict):
            self._wrong("places", tables, "tables such as [places.galicia]")
            return
        for name in tables:
            if name not in PLACES:
                self._wrong(f"places.{name}", "an unknown place", f"one of {_listed(PLACES)}")
        for name in PLACES:
            key = f"places.{name}"
            if name not in tables:
                self._wrong(key, "missing", "a table for every region and the castillo")
                continue
            table = self._table(name, tables, ("button", "lights", "king", "reader"), key)
            button = self._gpio(f"{key}.button", table.get("button"))
            lights = self._lights(f"{key}.lights", table.get("lights"), strip)
            king = self._king(f"{key}.king", name, table.get("king"), strip)
            yield Place(name, button, lights, king, self._reader(f"{key}.reader", table.get("reader"), hubs))

    def _lights(self, key: str, value: object, strip: Strip) -> tuple[int, ...]:
        if not isinstance(value, list) or not value:
            self._wrong(key, value, "a list of lights such as [0, 1, 2]")
            return ()
        return tuple(self._light(key, light, strip) for light in value)

    def _king(self, key: str, place: str, value: object, strip: Strip) -> int | None:
        if place == CASTILLO:
            if value is not None:
                self._wrong(key, value, "none: the King never stands in the castillo")
            return None
        return self._light(key, value, strip)

    def _light(self, key: str, value: object, strip: Strip) -> int:
        light = self._whole(key, value)
        if light < 0:
            return light
        if strip.count and light >= strip.count:
            self._wrong(key, f"light {light}", f"0 to {strip.count - 1}: the strip has {strip.count}")
        elif light in self.owner_of_light:
            self._wrong(key, f"light {light}", f"one that {self.owner_of_light[light]} does not have")
        self.owner_of_light.setdefault(light, key)
        return light

    def _reader(self, key: str, value: object, hubs: dict[str, Hub]) -> Reader | None:
        if value is None:
            return None
        hub, _, number = str(value).partition("/")
        if not number.isdecimal() or len(number) > 2:
            self._wrong(key, value, "hub and number such as west/0")
            return None
        reader = Reader(hub, int(number))
        if hub not in hubs:
            self._wrong(key, f"hub '{hub}'", f"one of {_listed(hubs)}" if hubs else "a hub that is in the file")
        elif reader.number >= hubs[hub].readers:
            last = hubs[hub].readers - 1
            self._wrong(key, f"reader {reader.number}", f"0 to {last}: {hub} has {hubs[hub].readers}")
        elif reader in self.owner_of_reader:
            self._wrong(key, value, f"one that {self.owner_of_reader[reader]} does not have")
        self.owner_of_reader.setdefault(reader, key)
        return reader

    # The values.

    def _gpio(self, key: str, value: object) -> int:
        gpio = self._whole(key, value)
        if gpio < 0:
            return gpio
        if gpio not in HEADER_GPIOS:
            self._wrong(key, f"GPIO {gpio}", f"{HEADER_GPIOS[0]} to {HEADER_GPIOS[-1]}, which the header has")
        elif gpio in self.owner_of_gpio:
            self._wrong(key, f"GPIO {gpio}", f"one that {self.owner_of_gpio[gpio]} does not have")
        self.owner_of_gpio.setdefault(gpio, key)
        return gpio

    def _whole(self, key: str, value: object, low: int = 0, high: int | None = None) -> int:
        wanted = "a whole number" if high is None else f"a whole number from {low} to {high}"
        if isinstance(value, bool) or not isinstance(value, int) or value < low or (high is not None and value > high):
            self._wrong(key, value, wanted)
            return -1 if high is None else 0
        return value

    def _number(self, key: str, value: object, low: float, high: float) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low < value <= high:
            self._wrong(key, value, f"a number above {low:g} and up to {high:g}")
            return 0.0
        return float(value)

    def _table(self, name: str, parent: dict[str, object], keys: tuple[str, ...], key: str = "") -> dict[str, object]:
        table = parent.get(name)
        if not isinstance(table, dict):
            self._wrong(key or name, table, f"a table with {_listed(keys)}")
            return {}
        self._only(f"{key or name}.", table, keys)
        return table

    def _only(self, prefix: str, table: dict[str, object], keys: tuple[str, ...]) -> None:
        for key in table:
            if key not in keys:
                self._wrong(f"{prefix}{key}", "an unknown key", f"one of {_listed(keys)}")

    def _wrong(self, key: str, found: object, expected: str) -> None:
        self.mistakes.append(Mistake(key, "missing" if found is None else quoted(found), expected))


def _listed(names: Iterable[object]) -> str:
    return ", ".join(map(str, names))

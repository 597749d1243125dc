"""The board definition: which pin, light and reader belongs to which place, read from a TOML file.

A whole file, for a board with two places (hardware/boards has bigger ones):

    [strip]                      # one strip of lights for the whole board
    driver = "spi"               # what drives it; left out: the one for this pin and Pi
    gpio = 10                    # its data pin; 10 is SPI and needs no root
    count = 10
    order = "GRB"
    brightness = 0.5             # 0 to 1
    budget_ma = 500              # what its power supply gives it

    [controls]                   # buttons beside the board, named as the program that uses the board knows them
    confirm = 20

    [places.north]
    label = "The North"          # its name for people; left out: the name of the table, with capital letters
    button = 5                   # GPIO number, as on every pin of this file
    lights = [0, 1, 2, 3]        # the lights of the strip that are in this place
    marker = 4                   # a light of its own, for whatever the program marks; may be left out
    reader = "hub/0"             # hub and number of its tag reader; left out on a board without readers

    [places.south]
    button = 6
    lights = [5, 6, 7, 8]
    marker = 9
    reader = "hub/1"

    [hubs.hub]                   # a microcontroller with readers
    # Its serial port: a path that stays the same (ls /dev/serial/by-id), or "hwgrep://SER=" and its serial number.
    port = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_e66058388345a52a-if00"
    chip = "rc522"               # of its readers; this one if it is left out
    mode = "tap"                 # or "inventory"
    readers = 2

Reading a file reports all its mistakes at once, each with its key and what was expected:

    >>> from hardware.errors import BadBoardFile
    >>> try:
    ...     board_of("mine", {"strip": {"count": 10, "budget_ma": 500}, "places": {"north": {"button": 40}}})
    ... except BadBoardFile as error:
    ...     print(error)
    mine has 2 mistakes:
      places.north.button: GPIO 40; expected 2 to 27, which the header has
      places.north.lights: missing; expected a list of lights such as [0, 1, 2]

A program that needs certain places or controls passes its own rules, and their mistakes are reported with the others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from hardware.board_text import board_data
from hardware.drivers.chips import CHIPS
from hardware.drivers.lights import LIGHT_DRIVERS, SPI_GPIO
from hardware.errors import BadBoardFile, Mistake, NoSuchBoard, UnreadableBoardFile, quoted

HEADER_GPIOS: Final = range(2, 28)
"""The GPIOs on the 40-pin header that a program may use; 0 and 1 are reserved for identifying add-on boards."""
SPI_GPIOS: Final = range(7, 12)
"""All of these are taken when the strip is on GPIO 10."""
STRIP_GPIOS: Final = (10, 12, 18, 21)
"""Where the strip's data pin can be: SPI, or one of the PWM and PCM pins."""
ORDERS: Final = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR", "GRBW", "RGBW")
MODES: Final = ("tap", "inventory")
MOST_READERS: Final = 4
IDLE_MA: Final = 1.0
"""The current of a light when it is dark."""
FULL_MA: Final = 60.0
"""The current of a light at full white."""
PORTS: Final = "a path such as /dev/serial/by-id/usb-MicroPython_..., or hwgrep://SER= and the hub's serial number"
_SEARCH: Final = "hwgrep://"
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")
_NAMES: Final = "names of letters, digits, _ and, after the first, -"
_MOST_LETTERS: Final = 40
"""The longest label."""


@dataclass(frozen=True)
class Strip:
    """The strip of lights."""

    gpio: int
    count: int
    order: str
    brightness: float
    budget_ma: float
    driver: str = ""
    """The light driver; empty when it is up to the machine."""


@dataclass(frozen=True)
class Reader:
    """A tag reader: its hub, and its number there."""

    hub: str
    number: int


@dataclass(frozen=True)
class Place:
    """A place of the board: a button, some lights, and perhaps a marker light and a tag reader."""

    name: str
    label: str
    """Its name for people."""
    button: int
    lights: tuple[int, ...]
    marker: int | None
    """A separate light; what it marks is up to the program."""
    reader: Reader | None


@dataclass(frozen=True)
class BoardHub:
    """A microcontroller with readers, at a serial port."""

    name: str
    port: str
    mode: str
    readers: int
    chip: str = CHIPS[0]
    """The chip of its readers."""


@dataclass(frozen=True)
class Board:
    """A whole board.

    >>> board = example_board()
    >>> board.buttons
    {'north': 5, 'south': 6, 'confirm': 20}
    >>> board.label("north"), board.label("south"), board.label("confirm")
    ('The North', 'South', 'Confirm')
    """

    name: str
    strip: Strip
    places: dict[str, Place]
    controls: dict[str, int]
    hubs: dict[str, BoardHub]

    @property
    def buttons(self) -> dict[str, int]:
        """Every button with its GPIO: first the places, then the controls."""
        return {place.name: place.button for place in self.places.values()} | self.controls

    def label(self, button: str) -> str:
        """Returns the name of a place or a control for people."""
        return self.places[button].label if button in self.places else _capitals(button)

    def place_of(self, reader: Reader) -> str | None:
        """Returns the place where a reader is, or `None` when no place uses it."""
        return next((place.name for place in self.places.values() if place.reader == reader), None)


class BoardRules(Protocol):
    """What a program needs of a board beyond what every board has, such as places of certain names."""

    @property
    def old_keys(self) -> Mapping[str, str]:
        """Keys of a place that were renamed: old name to new name. Files with the old names stay valid."""

    def mistakes(
        self, places: Collection[str], markers: Mapping[str, str], controls: Collection[str]
    ) -> Iterable[tuple[str, str, str]]:
        """Returns what is wrong with a board of these places and controls: key, what was found, what was expected.

        :param markers: the marker light of each place that has one, as the file writes it.
        """


_PLACE_KEYS: Final = ("label", "button", "lights", "marker", "reader")

SHIPPED: Final = Path(__file__).parent / "boards"


EXAMPLE: Final = SHIPPED / "examples" / "two-places.toml"


def example_board() -> Board:
    """Returns the small board from the top of this file, for trying things out."""
    return read_board(EXAMPLE)


def shipped_boards() -> list[str]:
    """Returns the names of the boards that come with the project."""
    return sorted(file.stem for file in SHIPPED.glob("*.toml"))


def board_file(name_or_path: str) -> Path:
    """Returns the file of a board that comes with the project, or the path as given."""
    return SHIPPED / f"{name_or_path}.toml" if name_or_path in shipped_boards() else Path(name_or_path)


def find_board(name_or_path: str, rules: BoardRules | None = None) -> Board:
    """Returns a board that comes with the project, by its name, or the board that a file defines.

    >>> find_board("standard").strip.count
    60

    :param rules: what the program needs of a board; without them, any board that can be built is valid.
    """
    file = board_file(name_or_path)
    if file.parent == SHIPPED:
        return read_board(file, file.name, rules)
    if os.path.isdir(name_or_path):
        raise UnreadableBoardFile(name_or_path, "it is a folder; name the file in it")
    try:
        if file.is_file():
            return read_board(file, name_or_path, rules)
    except OSError as error:
        raise UnreadableBoardFile(name_or_path, error.strerror or str(error)) from None
    raise NoSuchBoard(name_or_path, shipped_boards())


def read_board(file: Path, called: str = "", rules: BoardRules | None = None) -> Board:
    """Returns the board that a file defines. Errors name the file by its path, or by `called` if that is given."""
    try:
        data = board_data(file)
    except ValueError as error:
        mistake = Mistake("the file", str(error), "TOML, as in hardware/boards")
        raise BadBoardFile(called or str(file), [mistake]) from None
    return board_of(file.stem, data, called or str(file), rules)


def board_of(name: str, data: dict[str, object], called: str = "", rules: BoardRules | None = None) -> Board:
    """Returns the board that the contents of a file define."""
    reading = _Reading(data, rules)
    board = reading.board(name)
    if reading.mistakes:
        raise BadBoardFile(called or name, reading.mistakes)
    return board


def is_port(port: str) -> bool:
    """Returns whether a hub can be at such a port: the path of a device, or a search for one.

    Other addresses that pyserial knows are not valid here, because we wait for bytes at a file.

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
    """Reads a board file to its end, whatever is wrong with it, and collects the mistakes."""

    def __init__(self, data: dict[str, object], rules: BoardRules | None) -> None:
        self.data = data
        self.rules = rules
        self.mistakes: list[Mistake] = []
        self.unreadable: set[str] = set()
        """The tables that are not tables at all."""
        self.markers: dict[str, str] = {}
        """The marker light of each place that has one, as the file writes it."""
        self.owner_of_gpio: dict[int, str] = {}
        self.owner_of_light: dict[int, str] = {}
        self.owner_of_reader: dict[Reader, str] = {}
        self.owner_of_port: dict[str, str] = {}

    def board(self, name: str) -> Board:
        self._only("", self.data, ("strip", "places", "controls", "hubs"))
        strip = self._strip()
        hubs = {hub.name: hub for hub in self._hubs()}
        controls = self._controls()
        places = {place.name: place for place in self._places(strip, hubs, controls)}
        self._check_rules(places, controls)
        return Board(name, strip, places, controls, hubs)

    def _check_rules(self, places: dict[str, Place], controls: dict[str, int]) -> None:
        """Adds the mistakes that the program's own rules find, except in tables that could not be read at all."""
        if self.rules is not None:
            found = (Mistake(*words) for words in self.rules.mistakes(places, self.markers, controls))
            self.mistakes += (each for each in found if each.key.partition(".")[0] not in self.unreadable)
        if not places and not any(mistake.key.startswith("places") for mistake in self.mistakes):
            self._wrong("places", None, "at least one table such as [places.north]")

    # The parts.

    def _strip(self) -> Strip:
        table = self._table("strip", self.data, ("gpio", "count", "order", "brightness", "budget_ma", "driver"))
        gpio = self._whole("strip.gpio", table.get("gpio", 10))
        if gpio not in STRIP_GPIOS:
            self._wrong("strip.gpio", gpio, f"one of {_listed(STRIP_GPIOS)}")
        for taken in SPI_GPIOS if gpio == SPI_GPIO else (gpio,):
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
        driver = table.get("driver", "")
        if driver not in LIGHT_DRIVERS and "driver" in table:
            self._wrong("strip.driver", driver, f"one of {_listed(LIGHT_DRIVERS)}")
        elif driver == "spi" and gpio != SPI_GPIO:
            self._wrong("strip.driver", f"spi with strip.gpio = {gpio}", f"GPIO {SPI_GPIO}, or another driver")
        return Strip(gpio, count, str(order), brightness, budget, str(driver))

    def _controls(self) -> dict[str, int]:
        table = self.data.get("controls", {})
        if not isinstance(table, dict):
            self.unreadable.add("controls")
            self._wrong("controls", table, "a table of buttons with their GPIO numbers, such as confirm = 20")
            return {}
        for name in table:
            self._check_name("controls", name, "confirm = 20")
        return {control: self._gpio(f"controls.{control}", gpio) for control, gpio in table.items()}

    def _hubs(self) -> Iterator[BoardHub]:
        tables = self.data.get("hubs", {})
        if not isinstance(tables, dict):
            self._wrong("hubs", tables, "tables such as [hubs.west]")
            return
        for name in tables:
            self._check_name("hubs", name, "[hubs.west]")
            key = f"hubs.{name}"
            table = self._table(str(name), tables, ("port", "chip", "mode", "readers"), key)
            port, mode, chip = table.get("port"), table.get("mode", "tap"), table.get("chip", CHIPS[0])
            self._port(f"{key}.port", port)
            if mode not in MODES:
                self._wrong(f"{key}.mode", mode, f"one of {_listed(MODES)}")
            if chip not in CHIPS:
                self._wrong(f"{key}.chip", chip, f"one of {_listed(CHIPS)}")
            readers = self._whole(f"{key}.readers", table.get("readers"), low=1, high=MOST_READERS)
            yield BoardHub(str(name), str(port), str(mode), readers, str(chip))

    def _port(self, key: str, value: object) -> None:
        if not isinstance(value, str) or not is_port(value):
            self._wrong(key, value, PORTS)
            return
        port = os.path.normpath(value) if value.startswith("/") else value.lower()
        if port in self.owner_of_port:
            self._wrong(key, value, f"one that {self.owner_of_port[port]} does not have")
        self.owner_of_port.setdefault(port, key)

    def _places(self, strip: Strip, hubs: dict[str, BoardHub], controls: dict[str, int]) -> Iterator[Place]:
        tables = self.data.get("places", {})
        if not isinstance(tables, dict):
            self.unreadable.add("places")
            self._wrong("places", tables, "tables such as [places.north]")
            return
        for name in tables:
            self._check_name("places", name, "[places.north]")
            key = f"places.{name}"
            if name in controls:
                self._wrong(key, name, "a name that no control has")
            table, keys = self._place_table(name, tables, key)
            marker = table.get("marker")
            if marker is not None:
                self.markers[name] = quoted(marker)
            yield Place(
                name,
                self._label(keys["label"], name, table.get("label")),
                self._gpio(keys["button"], table.get("button")),
                self._lights(keys["lights"], table.get("lights"), strip),
                None if marker is None else self._light(keys["marker"], marker, strip),
                self._reader(keys["reader"], table.get("reader"), hubs),
            )

    def _place_table(self, name: str, tables: dict[str, object], key: str) -> tuple[dict[str, object], dict[str, str]]:
        """Returns the table of a place by its current keys, and the path of each key as the file writes it."""
        paths = {now: f"{key}.{now}" for now in _PLACE_KEYS}
        old_keys = self.rules.old_keys if self.rules is not None else {}
        written = tables[name]
        if isinstance(written, dict):
            for old, now in old_keys.items():
                if old in written and now in written:
                    self._wrong(f"{key}.{old}", written[old], f"only {now}: {old} is its old name")
                elif old in written:
                    paths[now] = f"{key}.{old}"
            table = {old_keys.get(each, each): value for each, value in written.items()}
            tables = {**tables, name: table}
        return self._table(name, tables, _PLACE_KEYS, key), paths

    def _label(self, key: str, name: str, value: object) -> str:
        if value is None:
            return _capitals(name)
        good = isinstance(value, str) and bool(value.strip()) and value.isprintable() and len(value) <= _MOST_LETTERS
        if not good:
            self._wrong(key, value, f"a name for people, of at most {_MOST_LETTERS} letters")
        return str(value)

    def _lights(self, key: str, value: object, strip: Strip) -> tuple[int, ...]:
        if not isinstance(value, list) or not value:
            self._wrong(key, value, "a list of lights such as [0, 1, 2]")
            return ()
        return tuple(self._light(key, light, strip) for light in value)

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

    def _reader(self, key: str, value: object, hubs: dict[str, BoardHub]) -> Reader | None:
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

    def _check_name(self, key: str, name: str, example: str) -> None:
        """Checks a name that people choose: it becomes part of commands and file names."""
        if not _NAME.fullmatch(name):
            self._wrong(key, name, f"{_NAMES}, as in {example}")

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


def _capitals(name: str) -> str:
    """Returns a name for people, made from one in the file.

    >>> _capitals("old-town")
    'Old Town'
    """
    return name.replace("-", " ").replace("_", " ").title()


def _listed(names: Iterable[object]) -> str:
    return ", ".join(map(str, names))

"""The drawings of a board: every wire goes where the board file and the firmware say, and every word can be read."""

from __future__ import annotations

import copy
import itertools
import tomllib
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as Xml

import pytest

from companion.engine.words import PLACE_NAMES
from companion.table.board_check import CONTROLS
from firmware.pins import BUSES, READERS, RESET
from hardware.board import SHIPPED, STRIP_GPIOS, Board, board_of, find_board, shipped_boards
from hardware.drawing import pinouts
from hardware.drawing.pinouts import PIN_OF_GP, PIN_OF_GPIO, pin_uses
from hardware.drawing.svg import KINDS, text_width
from hardware.drawing.wiring import pin_table_svg, wiring_svg
from hardware.drivers.chips import chip_facts
from tools.pictures import BOARD_PICTURES, board_pictures

STANDARD = tomllib.loads((SHIPPED / "standard.toml").read_text("utf-8"))
SVG = "{http://www.w3.org/2000/svg}"


def changed(**changes: Any) -> Board:
    """The standard board with other values: places__galicia__button=27."""
    data = copy.deepcopy(STANDARD)
    for path, value in changes.items():
        *tables, key = path.split("__")
        table = data
        for name in tables:
            table = table[name.replace("_", "-")]
        table[key] = value
    return board_of("changed", data)


def strip_on(gpio: int) -> Board:
    """The standard board with its strip on another pin; the button that was there takes the pin that is free now."""
    data = copy.deepcopy(STANDARD)
    data["strip"]["gpio"] = gpio
    for table in (*data["places"].values(), data["controls"]):
        for key in ("button", *CONTROLS):
            if table.get(key) == gpio:
                table[key] = 27
    return board_of(f"gpio-{gpio}", data)


def many_hubs() -> Board:
    """A board with five hubs, one of them without a reader that a place uses, and long names."""
    data = copy.deepcopy(STANDARD)
    for number, hub in enumerate(("a-hub-with-a-very-long-name-indeed", "north-east")):
        port = "/dev/serial/by-id/" + "usb-MicroPython_Board_in_FS_mode" * 3 + str(number)
        data["hubs"][hub] = {"port": port, "readers": 4}
    data["places"]["castillo"]["reader"] = "north-east/3"
    data["places"]["castillo"]["lights"] = [1, 3, 54, 56, 57, 59]
    data["places"]["galicia"]["lights"] = [0, 2, 4]
    return board_of("a board with a name that is longer than any title should ever be, and then some more of it", data)


BOARDS = [
    *(find_board(name) for name in ("standard", "buttons-only")),
    *(strip_on(gpio) for gpio in STRIP_GPIOS),
    many_hubs(),
]


def by_name(board: Board) -> str:
    return board.name[:12]


def wires(board: Board) -> dict[str, set[str]]:
    """The pads that each pad of a wiring diagram is joined to."""
    joined: dict[str, set[str]] = {}
    for wire in Xml.fromstring(wiring_svg(board)).iter(f"{SVG}g"):
        pads = wire.attrib["data-joins"].split()
        for pad in pads:
            joined.setdefault(pad, set()).update(other for other in pads if other != pad)
    return joined


# --- facts about the parts -------------------------------------------------------------------------------------------


def test_the_pins_of_the_pi_are_those_that_gpiozero_knows() -> None:
    header = pytest.importorskip("gpiozero").pi_info("c03111").headers["J8"]  # a Raspberry Pi 4
    names = {"GND": "ground", "3V3": "3.3 V", "5V": "5 V"}
    for pin, name in pinouts.PIN_NAMES.items():
        theirs = header.pins[pin].name
        assert name == names.get(theirs, theirs.replace("GPIO", "GPIO "))


def test_the_pins_of_the_pi_are_those_of_its_documentation() -> None:
    rows = """
        3V3 5V, 2 5V, 3 GND, 4 14, GND 15, 17 18, 27 GND, 22 23, 3V3 24, 10 GND, 9 25, 11 8, GND 7, 0 1, 5 GND,
        6 12, 13 GND, 19 16, 26 20, GND 21
    """
    names = {"3V3": "3.3 V", "5V": "5 V", "GND": "ground"}
    theirs = [tuple(names.get(name, f"GPIO {name}") for name in row.split()) for row in rows.split(",")]
    assert list(pinouts.PI_HEADER) == theirs


def test_the_pins_of_the_pico_are_those_of_its_data_sheet() -> None:
    known = {0: 1, 1: 2, 2: 4, 5: 7, 6: 9, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20, 16: 21, 17: 22}
    known |= {18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34}
    assert {gp: PIN_OF_GP[gp] for gp in known} == known
    grounds = [pin for pin, name in enumerate(pinouts.PICO_PINS, start=1) if name == "GND"]
    assert grounds == [3, 8, 13, 18, 23, 28, 33, 38]
    assert [pinouts.PICO_PINS[pin - 1] for pin in (30, 35, 36, 37, 39, 40)] == [
        "RUN", "ADC_VREF", "3V3(OUT)", "3V3_EN", "VSYS", "VBUS",
    ]  # fmt: skip


def test_the_pins_of_the_reader_and_the_level_shifter_are_those_printed_on_them() -> None:
    assert " ".join(chip_facts("rc522").pins) == "SDA SCK MOSI MISO IRQ GND RST 3.3V"
    assert pinouts.SHIFTER_PINS == {"1OE": 1, "1A": 2, "1Y": 3, "GND": 7, "VCC": 14}
    outputs = {6, 8, 11}
    assert {*pinouts.SHIFTER_PINS.values(), *pinouts.SHIFTER_UNUSED, *outputs} == set(range(1, 15))


def test_the_hubs_use_pins_that_the_pico_has_for_that() -> None:
    # Which GP can be which line of which SPI, by the Pico's data sheet.
    lines = {(0, "sck"): {2, 6, 18}, (0, "tx"): {3, 7, 19}, (0, "rx"): {0, 4, 16}}
    lines |= {(1, "sck"): {10, 14}, (1, "tx"): {11, 15}, (1, "rx"): {8, 12}}
    for spi, clock, to_reader, from_reader in BUSES:
        assert clock in lines[spi, "sck"]
        assert to_reader in lines[spi, "tx"]
        assert from_reader in lines[spi, "rx"]
    used = [RESET, *(gp for bus in BUSES for gp in bus[1:]), *(select for _, select in READERS)]
    assert len(set(used)) == len(used)


def test_the_places_have_the_names_that_players_read() -> None:
    for name in shipped_boards():
        board = find_board(name)
        theirs = {place: PLACE_NAMES[place].removeprefix("the ") for place in board.places}
        assert {**theirs, "castillo": "Castillo"} == {place: board.label(place) for place in board.places}


# --- the wires -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS, ids=by_name)
def test_every_button_goes_from_its_pin_to_ground(board: Board) -> None:
    joined = wires(board)
    grounds = {f"pi-{pin}" for pin in pinouts.GROUND_PINS}
    for button, gpio in board.buttons.items():
        assert joined[f"button-{button}"] == {f"pi-{PIN_OF_GPIO[gpio]}"}
        assert joined[f"button-{button}-ground"] & grounds


@pytest.mark.parametrize("board", BOARDS, ids=by_name)
def test_the_strip_has_level_shifter_resistor_capacitor_fuse_and_the_ground_of_the_pi(board: Board) -> None:
    joined = wires(board)
    assert joined[f"pi-{PIN_OF_GPIO[board.strip.gpio]}"] == {"shifter-2"}
    assert joined["shifter-3"] == {"resistor-in"}
    assert joined["resistor-out"] == {"strip-din"}
    assert joined["supply-plus"] == {"fuse-in"}
    assert joined["fuse-out"] == {"strip-5v", "capacitor-plus", "shifter-14"}
    assert joined["supply-minus"] >= {"strip-gnd", "capacitor-minus", "shifter-7", "shifter-1"}
    assert joined["supply-minus"] & {f"pi-{pin}" for pin in pinouts.GROUND_PINS}


@pytest.mark.parametrize("board", BOARDS, ids=by_name)
def test_every_reader_of_a_place_is_wired_as_the_firmware_has_it(board: Board) -> None:
    joined = wires(board)
    for place in board.places.values():
        if place.reader is None:
            continue
        hub = place.reader.hub.replace(" ", "_")
        bus, select = READERS[place.reader.number]
        _, clock, to_reader, from_reader = BUSES[bus]
        wanted = {"SDA": select, "SCK": clock, "MOSI": to_reader, "MISO": from_reader, "RST": RESET}
        pins = {name: PIN_OF_GP[gp] for name, gp in wanted.items()} | {"GND": 38, "3.3V": 36}
        for name, pin in pins.items():
            pad = f"reader-{hub}-{place.reader.number}-{name}"
            assert {other for other in joined[pad] if other.startswith("pico-")} == {f"pico-{hub}-{pin}"}


@pytest.mark.parametrize("board", BOARDS, ids=by_name)
def test_only_readers_of_places_are_drawn_and_every_hub_has_its_cable(board: Board) -> None:
    joined = wires(board)
    drawn = {tuple(pad.split("-")[1:-2]) for pad in joined if pad.startswith("reader-")}
    used = {tuple(place.reader.hub.replace(" ", "_").split("-")) for place in board.places.values() if place.reader}
    assert drawn == used
    readers = {pad for pad in joined if pad.startswith("reader-") and pad.endswith("-SDA")}
    assert len(readers) == sum(place.reader is not None for place in board.places.values())
    cables = {pad for pad in joined if pad.startswith("pico-") and pad.endswith("-usb")}
    assert cables == {f"pico-{hub.replace(' ', '_')}-usb" for hub in board.hubs}


def test_another_pin_in_the_file_is_another_wire_in_the_drawing() -> None:
    before, after = wires(find_board("standard")), wires(changed(places__galicia__button=27))
    assert before["button-galicia"] == {"pi-7"}
    assert after["button-galicia"] == {"pi-13"}
    assert "pi-7" not in after


@pytest.mark.parametrize("board", BOARDS, ids=by_name)
def test_wires_end_at_pads_and_all_parts_of_a_wire_hang_together(board: Board) -> None:
    drawing = Xml.fromstring(wiring_svg(board))
    pads = {
        circle.attrib["data-pad"]: tuple(float(circle.attrib[key]) for key in ("cx", "cy", "r"))
        for circle in drawing.iter(f"{SVG}circle")
        if "data-pad" in circle.attrib
    }
    for wire in drawing.iter(f"{SVG}g"):
        lines = [segment for path in wire for segment in segments(path.attrib["d"])]
        ends = [(s.x1, s.y1) for s in lines] + [(s.x2, s.y2) for s in lines]
        for name in wire.attrib["data-joins"].split():
            x, y, radius = pads[name]
            assert any(abs(((x - ex) ** 2 + (y - ey) ** 2) ** 0.5 - radius) < 0.2 for ex, ey in ends), name
        together, reached = {0}, {0}
        while reached:
            reached = {n for n, s in enumerate(lines) if any(s.touches(lines[m]) for m in reached)} - together
            together |= reached
        assert len(together) == len(lines), wire.attrib["data-joins"]


# --- the words -------------------------------------------------------------------------------------------------------


class Box(NamedTuple):
    """Where words are."""

    left: float
    top: float
    right: float
    bottom: float
    words: str

    def overlaps(self, other: Box) -> bool:
        apart = self.right <= other.left or other.right <= self.left or self.bottom <= other.top
        return not (apart or other.bottom <= self.top)


class Segment(NamedTuple):
    """A straight piece of a wire, along one of the axes."""

    x1: float
    y1: float
    x2: float
    y2: float

    def touches(self, other: Segment) -> bool:
        return self.meets(
            min(other.x1, other.x2), min(other.y1, other.y2), max(other.x1, other.x2), max(other.y1, other.y2)
        )

    def meets(self, left: float, top: float, right: float, bottom: float) -> bool:
        return (
            min(self.x1, self.x2) <= right
            and max(self.x1, self.x2) >= left
            and min(self.y1, self.y2) <= bottom
            and max(self.y1, self.y2) >= top
        )


def segments(path: str) -> list[Segment]:
    points = [tuple(map(float, point.split())) for point in path.removeprefix("M").split(" L")]
    return [Segment(*one, *two) for one, two in itertools.pairwise(points)]


def boxes(drawing: Xml.Element) -> list[Box]:
    """The boxes of all words, by the widths of the widest font we ask for."""
    found = []
    for text in drawing.iter(f"{SVG}text"):
        x, y, size = (float(text.attrib[key]) for key in ("x", "y", "font-size"))
        words = text.text or ""
        width = text_width(words, size, text.get("font-weight") == "bold")
        left = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "start")]
        found.append(Box(left, y - size * 0.76, left + width, y + size * 0.24, words))
    return found


PICTURES = [
    (f"{by_name(board)} {draw.__name__}", draw(board)) for board in BOARDS for draw in (wiring_svg, pin_table_svg)
]


@pytest.mark.parametrize("picture", [svg for _, svg in PICTURES], ids=[name for name, _ in PICTURES])
def test_no_words_overlap_and_all_are_inside(picture: str) -> None:
    drawing = Xml.fromstring(picture)
    _, _, width, height = map(float, drawing.attrib["viewBox"].split())
    words = boxes(drawing)
    for one, two in itertools.combinations(words, 2):
        assert not one.overlaps(two), f"“{one.words}” is on “{two.words}”"
    for box in words:
        assert box.left >= 0, box
        assert box.top >= 0, box
        assert box.right <= width, box
        assert box.bottom <= height, box


@pytest.mark.parametrize("picture", [svg for _, svg in PICTURES], ids=[name for name, _ in PICTURES])
def test_no_wire_goes_through_words(picture: str) -> None:
    drawing = Xml.fromstring(picture)
    lines = [s for wire in drawing.iter(f"{SVG}g") for path in wire for s in segments(path.attrib["d"])]
    for box in boxes(drawing):
        crossing = [s for s in lines if s.meets(box.left, box.top, box.right, box.bottom)]
        assert not crossing, f"“{box.words}” is crossed"


@pytest.mark.parametrize("picture", [svg for _, svg in PICTURES], ids=[name for name, _ in PICTURES])
def test_a_picture_tells_what_it_shows_to_those_who_cannot_see_it(picture: str) -> None:
    drawing = Xml.fromstring(picture)
    assert drawing.attrib["role"] == "img"
    assert drawing.findtext(f"{SVG}title")
    assert drawing.findtext(f"{SVG}desc")


def test_no_two_kinds_of_wire_look_alike_without_colour_beside_each_other() -> None:
    in_a_hub = [KINDS[kind] for kind in ("3v3", "ground", "clock", "to-reader", "from-reader", "reset")]
    assert len({look.dashes for look in in_a_hub}) == len(in_a_hub)


# --- the table of pins -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS, ids=by_name)
def test_the_table_has_every_pin_with_its_name_and_its_use(board: Board) -> None:
    drawing = Xml.fromstring(pin_table_svg(board))
    words = [text.text for text in drawing.iter(f"{SVG}text")]
    pads = [circle.attrib["data-pad"] for circle in drawing.iter(f"{SVG}circle")]
    assert sorted(pads) == sorted(f"pi-{pin}" for pin in range(1, 41))
    for pin, use in pin_uses(board).items():
        at = words.index(str(pin))
        assert words[at - 2 : at] == [use.words, pinouts.PIN_NAMES[pin]]


def test_the_table_says_who_has_a_pin_and_why_one_stays_free() -> None:
    uses = {pin: use.words for pin, use in pin_uses(find_board("standard")).items()}
    assert uses[7] == "button Galicia"
    assert uses[19] == "data of the strip"
    assert {uses[pin] for pin in (21, 23, 24, 26)} == {"leave free: SPI"}
    assert uses[2] == uses[4] == "leave free"
    assert uses[9] == "ground of strip and buttons"
    assert uses[16] == "free"
    on_18 = {pin: use.words for pin, use in pin_uses(strip_on(18)).items()}
    assert on_18[12] == "data of the strip"
    assert on_18[21] == "free"


# --- the pictures in the README --------------------------------------------------------------------------------------


def test_the_same_board_gives_the_same_bytes() -> None:
    assert wiring_svg(find_board("standard")) == wiring_svg(find_board("standard"))


@pytest.mark.parametrize("file", sorted(board_pictures()))
def test_the_pictures_in_the_readme_are_those_of_the_boards(file: str) -> None:
    kept = BOARD_PICTURES / file
    assert kept.is_file(), "run `make pictures`"
    assert kept.read_text("utf-8") == board_pictures()[file], "the board has changed: run `make pictures`"
    assert f"pictures/{file}" in (Path(__file__).parents[2] / "hardware" / "README.md").read_text("utf-8")

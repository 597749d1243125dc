"""Board files: the shipped ones are right, and every mistake in another is told with what was expected."""

from __future__ import annotations

import copy
import itertools
import re
import textwrap
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.engine import PLACES
from companion.table.board_check import EL_GRANDE
from hardware import board
from hardware.board import EXAMPLE, SHIPPED, Reader, board_of, example_board, find_board, read_board, shipped_boards
from hardware.errors import BadBoardFile, NoSuchBoard, UnreadableBoardFile, quoted

STANDARD = tomllib.loads((SHIPPED / "standard.toml").read_text())


def mistakes(change: Callable[[dict[str, Any]], object]) -> list[str]:
    """What is wrong with the standard board after a change."""
    data = copy.deepcopy(STANDARD)
    change(data)
    with pytest.raises(BadBoardFile) as caught:
        board_of("test", data, rules=EL_GRANDE)
    return [str(mistake) for mistake in caught.value.mistakes]


@pytest.mark.parametrize("name", ["standard", "buttons-only"])
def test_a_shipped_board_has_everything_in_every_place(name: str) -> None:
    assert name in shipped_boards()
    found = read_board(SHIPPED / f"{name}.toml", rules=EL_GRANDE)
    assert tuple(found.places) == PLACES
    assert all(len(place.lights) >= 3 for place in found.places.values())
    assert {place.marker is None for place in found.places.values() if place.name != "castillo"} == {False}
    assert {place.reader is None for place in found.places.values()} == {name == "buttons-only"}
    gpios = [place.button for place in found.places.values()] + list(found.controls.values())
    assert len(set(gpios)) == 12
    assert not set(gpios) & set(board.SPI_GPIOS)


def test_a_reader_tells_its_place() -> None:
    found = read_board(SHIPPED / "standard.toml")
    assert found.place_of(Reader("west", 1)) == "castilla-la-vieja"
    assert found.place_of(Reader("west", 7)) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda b: b["places"]["aragon"].update(button=4),
            "places.aragon.button: GPIO 4; expected one that places.galicia.button does not have",
        ),
        (
            lambda b: b["controls"].update(undo=20),
            "controls.undo: GPIO 20; expected one that controls.confirm does not have",
        ),
        (
            lambda b: b["places"]["aragon"].update(button=9),
            "places.aragon.button: GPIO 9; expected one that strip.gpio does not have",
        ),
        (
            lambda b: b["places"]["aragon"].update(button=40),
            "places.aragon.button: GPIO 40; expected 2 to 27, which the header has",
        ),
        (lambda b: b["places"]["aragon"].pop("button"), "places.aragon.button: missing; expected a whole number"),
        (
            lambda b: b["places"]["aragon"].update(lights=[12, 99]),
            "places.aragon.lights: light 99; expected 0 to 59: the strip has 60",
        ),
        (
            lambda b: b["places"]["aragon"].update(marker=0),
            "places.aragon.marker: light 0; expected one that places.galicia.lights does not have",
        ),
        (
            lambda b: b["places"]["aragon"].update(lights=[]),
            "places.aragon.lights: []; expected a list of lights such as [0, 1, 2]",
        ),
        (
            lambda b: b["places"]["castillo"].update(marker=3),
            "places.castillo.marker: 3; expected none: the King never stands in the castillo",
        ),
        (
            lambda b: b["places"].update(madrid={}),
            f"places.madrid: an unknown place; expected one of {', '.join(PLACES)}",
        ),
        (
            lambda b: b["places"].pop("granada"),
            "places.granada: missing; expected a table for every region and the castillo",
        ),
        (
            lambda b: b["places"]["aragon"].update(reader="west/9"),
            "places.aragon.reader: reader 9; expected 0 to 2: west has 3",
        ),
        (
            lambda b: b["places"]["aragon"].update(reader="east/0"),
            "places.aragon.reader: hub 'east'; expected one of west, north, south",
        ),
        (
            lambda b: b["places"]["aragon"].update(reader="west/0"),
            "places.aragon.reader: west/0; expected one that places.galicia.reader does not have",
        ),
        (lambda b: b["places"]["aragon"].update(reader="west"), "hub and number such as west/0"),
        (
            lambda b: b["strip"].update(budget_ma=100),
            "strip.budget_ma: 100 mA; expected at least 120: 60 dark lights and one that is lit",
        ),
        (lambda b: b["strip"].update(brightness=1.5), "expected a number above 0 and up to 1"),
        (lambda b: b["strip"].update(gpio=3), "strip.gpio: 3; expected one of 10, 12, 18, 21"),
        (lambda b: b["strip"].update(order="XYZ"), "strip.order: XYZ; expected one of RGB,"),
        (lambda b: b["strip"].update(colour=1), "strip.colour: an unknown key; expected one of gpio, count,"),
        (lambda b: b["strip"].update(driver="laser"), "strip.driver: laser; expected one of neopixel, simulated, spi"),
        (lambda b: b["strip"].update(driver=""), 'strip.driver: ""; expected one of neopixel, simulated, spi'),
        (
            lambda b: b["strip"].update(driver="spi", gpio=18),
            "strip.driver: spi with strip.gpio = 18; expected GPIO 10, or another driver",
        ),
        (lambda b: b["hubs"]["west"].update(chip="pn532"), "hubs.west.chip: pn532; expected one of rc522"),
        (lambda b: b["hubs"]["west"].update(mode="magic"), "hubs.west.mode: magic; expected one of tap, inventory"),
        (
            lambda b: b["hubs"]["west"].pop("port"),
            "hubs.west.port: missing; expected a path such as /dev/serial/by-id/",
        ),
        *(
            (
                lambda b, port=port: b["hubs"]["west"].update(port=port),
                f"hubs.west.port: {said}; expected a path such as /dev/serial/by-id/",
            )
            for port, said in [
                ("", '""'),
                (True, "true"),
                (3, "3"),
                ("COM3", "COM3"),
                ("loop://", "loop://"),
                ("socket://pi:7000", "socket://pi:7000"),
                ("rfc2217://pi:7000", "rfc2217://pi:7000"),
                ("hwgrep://", "hwgrep://"),
                ("hwgrep://(", "hwgrep://("),
            ]
        ),
        (
            lambda b: b["hubs"]["north"].update(port="/dev//serial/by-id/el-grande-west"),
            "hubs.north.port: /dev//serial/by-id/el-grande-west; expected one that hubs.west.port does not have",
        ),
        (
            lambda b: [b["hubs"][hub].update(port="hwgrep://2E8A:0005") for hub in ("west", "south")],
            "hubs.south.port: hwgrep://2E8A:0005; expected one that hubs.west.port does not have",
        ),
        (lambda b: b["strip"].update(count=True), "strip.count: true; expected a whole number"),
        (lambda b: b["strip"].update(order=""), 'strip.order: ""; expected one of RGB,'),
        (lambda b: b["hubs"]["west"].update(readers=5), "hubs.west.readers: 5; expected a whole number from 1 to 4"),
        (lambda b: b.update(hubs=3), "hubs: 3; expected tables such as [hubs.west]"),
        (lambda b: b.update(places=3), "places: 3; expected tables such as [places.north]"),
        (lambda b: b.pop("controls"), "controls: missing; expected a table with confirm, undo"),
        (lambda b: b.update(lamp={}), "lamp: an unknown key; expected one of strip, places, controls, hubs"),
    ],
)
def test_a_mistake_is_told_with_its_key_and_what_was_expected(
    change: Callable[[dict[str, Any]], object], words: str
) -> None:
    assert any(words in mistake for mistake in mistakes(change))


@pytest.mark.parametrize("name", ["", " ", "the west", "west/1", "../west", "west.1", "-west", "wést", "a\nb"])
def test_a_hub_has_a_name_that_commands_and_files_can_have(name: str) -> None:
    def rename(data: dict[str, Any]) -> None:
        data["hubs"][name] = {**data["hubs"]["west"], "port": "/dev/ttyACM9"}

    [mistake] = mistakes(rename)
    expected = "names of letters, digits, _ and, after the first, -, as in [hubs.west]"
    assert mistake == f"hubs: {quoted(name)}; expected {expected}"


@pytest.mark.parametrize("name", ["west", "West-2", "3", "_b"])
def test_a_hub_may_be_called_by_letters_digits_dash_and_underscore(name: str) -> None:
    data = copy.deepcopy(STANDARD)
    data["hubs"][name] = {**data["hubs"]["west"], "port": "/dev/ttyACM9"}
    assert name in board_of("test", data).hubs


def test_all_mistakes_are_told_at_once() -> None:
    def spoil(data: dict[str, Any]) -> None:
        data["places"]["aragon"]["button"] = 4
        data["places"]["sevilla"]["lights"] = [77]
        data["strip"]["budget_ma"] = 10

    assert len(mistakes(spoil)) == 3


@pytest.mark.parametrize("port", ["/dev/ttyACM0", "hwgrep://SER=E66058388345A52A", "hwgrep://2E8A:0005&skip_busy"])
def test_a_port_is_a_path_or_what_it_is_found_by(port: str) -> None:
    data = copy.deepcopy(STANDARD)
    data["hubs"]["west"]["port"] = port
    assert board_of("test", data).hubs["west"].port == port


def test_a_file_is_called_as_it_was_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text("[strip]\n")
    for called in ("mine.toml", "./mine.toml", str(tmp_path / "mine.toml")):
        with pytest.raises(BadBoardFile, match=rf"^{re.escape(called)} has \d+ mistakes:"):
            find_board(called)


def test_a_folder_is_no_board_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableBoardFile, match=f"{tmp_path} cannot be read as a board file: it is a folder"):
        find_board(str(tmp_path))


def test_a_file_that_cannot_be_read_is_told_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(UnreadableBoardFile, match=r"cannot be read as a board file: .*too long"):
        find_board(str(tmp_path / ("x" * 300)))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("standard.toml", "The board that comes with the project is called standard."),
        ("mine.toml", "Choose buttons-only or standard, or give the path of a board file."),
        ("", 'There is no board called "", and no file of that name.'),
    ],
)
def test_a_board_that_is_not_there_is_told_with_those_there_are(
    name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoSuchBoard, match=re.escape(said)):
        find_board(name)


def shown_in(text: str) -> str:
    """The board file that a text shows, indented by four spaces."""
    shown = text[text.index("\n    [strip]") + 1 :]
    lines = itertools.takewhile(lambda line: not line or line.startswith("    "), shown.splitlines())
    return textwrap.dedent("\n".join(lines)).strip() + "\n"


def test_the_module_shows_a_whole_file_which_is_the_example() -> None:
    assert shown_in(board.__doc__ or "") == EXAMPLE.read_text("utf-8")
    assert tuple(example_board().places) == ("north", "south")


def test_the_guide_shows_what_a_file_may_say() -> None:
    data = tomllib.loads(shown_in((SHIPPED.parent / "README.md").read_text("utf-8")))
    keys = {key for table in (data["strip"], data["places"]["galicia"], data["hubs"]["west"]) for key in table}
    example = tomllib.loads(EXAMPLE.read_text("utf-8"))
    assert keys == {
        key for table in (example["strip"], example["places"]["north"], example["hubs"]["hub"]) for key in table
    }
    with pytest.raises(BadBoardFile) as caught:
        board_of("example", data, rules=EL_GRANDE)
    # It has one place and one hub, to be short; all that it says is right.
    assert {mistake.found for mistake in caught.value.mistakes} == {"missing"}


def test_a_board_may_have_any_places_and_controls() -> None:
    found = example_board()
    assert found.places["north"].label == "The North"
    assert found.places["south"].label == "South"
    assert found.controls == {"confirm": 20}


def example(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The contents of the example after a change."""
    data = tomllib.loads(EXAMPLE.read_text("utf-8"))
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda b: b.pop("places"), "places: missing; expected at least one table such as [places.north]"),
        (
            lambda b: b["places"].update({"the west": b["places"].pop("south")}),
            "places: the west; expected names of letters, digits, _ and, after the first, -, as in [places.north]",
        ),
        (
            lambda b: b["controls"].update({"go on": 21}),
            "controls: go on; expected names of letters, digits, _ and, after the first, -, as in confirm = 20",
        ),
        (lambda b: b["controls"].update(north=21), "places.north: north; expected a name that no control has"),
        (lambda b: b["places"]["north"].update(label=""), 'places.north.label: ""; expected a name for people'),
        (lambda b: b["places"]["north"].update(label="x" * 41), "expected a name for people, of at most 40 letters"),
        (lambda b: b["places"]["north"].update(king=3), "places.north.king: an unknown key; expected one of label,"),
        (lambda b: b.update(controls=3), "controls: 3; expected a table of buttons with their GPIO numbers"),
    ],
)
def test_a_mistake_that_is_one_on_any_board_is_found_without_rules(
    change: Callable[[dict[str, Any]], object], words: str
) -> None:
    with pytest.raises(BadBoardFile) as caught:
        board_of("test", example(change))
    (mistake,) = caught.value.mistakes
    assert words in str(mistake)


def test_a_board_file_from_before_may_still_call_the_marker_king() -> None:
    data = copy.deepcopy(STANDARD)
    for place in data["places"].values():
        if "marker" in place:
            place["king"] = place.pop("marker")
    assert board_of("test", data, rules=EL_GRANDE) == board_of("test", STANDARD, rules=EL_GRANDE)
    data["places"]["aragon"]["king"] = 0
    data["places"]["granada"]["marker"] = 59
    with pytest.raises(BadBoardFile) as caught:
        board_of("test", data, rules=EL_GRANDE)
    assert [str(mistake) for mistake in caught.value.mistakes] == [
        "places.aragon.king: light 0; expected one that places.galicia.lights does not have",
        "places.granada.king: 53; expected only marker: king is its old name",
    ]


def test_mistakes_of_the_board_and_of_the_game_are_told_at_once() -> None:
    def spoil(data: dict[str, Any]) -> None:
        data["strip"]["budget_ma"] = 10
        data["places"]["the west"] = {"button": 23, "lights": [59]}
        del data["places"]["granada"]
        del data["places"]["aragon"]["marker"]
        data["controls"]["lamp"] = data["controls"].pop("undo")

    assert [mistake.partition(";")[0] for mistake in mistakes(spoil)] == [
        "strip.budget_ma: 10 mA",
        "places: the west",
        "places.the west: an unknown place",
        "places.aragon.marker: missing",
        "places.granada: missing",
        "controls.lamp: an unknown key",
        "controls.undo: missing",
    ]


def test_a_file_that_is_not_toml_says_where(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[strip\n")
    with pytest.raises(BadBoardFile, match=r"mine.toml has 1 mistake:\n  the file: .*line 1"):
        read_board(file)

"""The drawn map: its regions touch where the engine says they do, nothing lies on anything else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import combinations, pairwise
from math import dist
from typing import NamedTuple, TypedDict

import pytest

from companion.engine.regions import CASTILLO, NEIGHBOURS, PLACES, REGIONS, SEATS
from companion.engine.words import PLACE_NAMES
from hardware.map import MAP_FILE
from tests.support.plane import Point, Segment, apart, area, closer, cross, from_segment, inside, sides

BORDER = 40.0
"""Neighbours share at least this much of a border, and so it is seen: 14 pixels on a phone, whose map is 360 wide."""
GAP = 40.0
"""Others keep at least this far apart."""
SEA = 14.0
"""How far the castillo stays from the land."""
NAMES = PLACE_NAMES | {CASTILLO: "Castillo"}
"""As they stand on the map."""
LETTER = 0.6
"""A letter of a name is at most about this wide, of a size of 1."""
SOCKET = 1.24
"""How wide the socket of a light is, of a light of 1."""
EDGE = 4.0
"""Everything stays this far inside its outline."""


class PlaceData(TypedDict):
    """A place in the file."""

    label: list[int]
    tile: list[int]
    king: list[int] | None
    grande: list[int] | None
    button: list[int]
    kingLight: list[int] | None
    pieces: dict[str, list[int]]
    lights: list[list[int]]
    outline: list[list[int]]


class Sizes(TypedDict):
    """How large things are drawn."""

    piece: float
    grande: float
    king: float
    tile: list[float]
    button: float
    light: float
    label: float


class MapData(TypedDict):
    """The whole file."""

    viewBox: list[int]
    sizes: Sizes
    places: dict[str, PlaceData]


MAP: MapData = json.loads(MAP_FILE.read_text("utf-8"))


def point(numbers: list[int]) -> Point:
    x, y = numbers
    return (float(x), float(y))


def outline(data: MapData, place: str) -> list[Point]:
    return [point(corner) for corner in data["places"][place]["outline"]]


def shared(data: MapData, one: str, other: str) -> float:
    """How long the border of two places is: sides that both of them have."""
    theirs = {frozenset(side) for side in sides(outline(data, other))}
    return sum(dist(*side) for side in sides(outline(data, one)) if frozenset(side) in theirs)


# --- What is wrong with a map ----------------------------------------------------------------------------------------


class Thing(NamedTuple):
    """Something drawn in a place: a line with a half width around it, so that a piece is a line of no length."""

    name: str
    line: Segment
    half: float


def things(data: MapData, place: str) -> Iterator[Thing]:
    """All that is ever drawn in a place at once: the lights of any number of lights are a line."""
    where, sizes = data["places"][place], data["sizes"]

    def wide(name: str, middle: list[int], width: float, height: float) -> Thing:
        x, y = point(middle)
        reach = max(0.0, (width - height) / 2)
        return Thing(name, ((x - reach, y), (x + reach, y)), height / 2)

    yield wide("label", where["label"], LETTER * sizes["label"] * len(NAMES[place]), sizes["label"] * 0.75)
    yield wide("tile", where["tile"], *sizes["tile"])
    yield wide("button", where["button"], sizes["button"], sizes["button"])
    for seat, middle in where["pieces"].items():
        yield wide(seat, middle, sizes["piece"], sizes["piece"])
    # Two Grandes stand side by side.
    if where["grande"]:
        yield wide("grande", where["grande"], 2 * sizes["grande"], sizes["grande"])
    if where["king"]:
        yield wide("king", where["king"], sizes["king"], sizes["king"])
    if where["kingLight"]:
        yield wide("kingLight", where["kingLight"], sizes["light"], sizes["light"])
    for number, (one, other) in enumerate(pairwise(where["lights"])):
        yield Thing(f"lights {number}", (point(one), point(other)), sizes["light"] / 2)


def wrong_borders(data: MapData) -> Iterator[str]:
    """Regions that touch and should not, and the other way round."""
    for one, other in combinations(REGIONS, 2):
        border = shared(data, one, other)
        if REGIONS.index(other) in NEIGHBOURS[REGIONS.index(one)]:
            if border < BORDER:
                yield f"{one} and {other} are neighbours, and share only {border:.0f}"
        elif closer(outline(data, one), outline(data, other), GAP):
            yield f"{one} and {other} are no neighbours, and are too close"
    for region in REGIONS:
        if closer(outline(data, region), outline(data, CASTILLO), SEA):
            yield f"{region} is too close to the castillo"


def wrong_outlines(data: MapData) -> Iterator[str]:
    """Outlines that cross themselves or each other, that come too close to touching, or that leave the picture."""
    x, y, width, height = data["viewBox"]
    for place in PLACES:
        corners = outline(data, place)
        if len(set(corners)) != len(corners):
            yield f"{place} goes through a point twice"
        if any(cross(a, b) for a, b in combinations(sides(corners), 2)):
            yield f"{place} crosses itself"
        if not all(x <= corner[0] <= x + width and y <= corner[1] <= y + height for corner in corners):
            yield f"{place} leaves the picture"
    for one, other in combinations(PLACES, 2):
        ours, theirs = outline(data, one), outline(data, other)
        if any(cross(a, b) for a in sides(ours) for b in sides(theirs)):
            yield f"{one} and {other} cross"
        common = set(ours) & set(theirs)
        if any(inside(corner, theirs) for corner in ours if corner not in common) or any(
            inside(corner, ours) for corner in theirs if corner not in common
        ):
            yield f"{one} and {other} overlap"
        # A border that is not of the same points would have slits, or only look like one.
        if any(
            from_segment(corner, side) < 0.01
            for corners, others in ((ours, theirs), (theirs, ours))
            for corner in corners
            if corner not in common
            for side in sides(others)
        ):
            yield f"{one} and {other} touch without sharing a point"


def wrong_things(data: MapData) -> Iterator[str]:
    """Things that lie outside their place, or on each other."""
    for place in PLACES:
        corners = outline(data, place)
        for thing in things(data, place):
            if not all(inside(end, corners) for end in thing.line):
                yield f"{thing.name} is outside {place}"
            elif min(apart(thing.line, side) for side in sides(corners)) < thing.half + EDGE:
                yield f"{thing.name} is too close to the border of {place}"
        for one, other in combinations(things(data, place), 2):
            if one.name[:6] == other.name[:6] == "lights":
                continue
            if apart(one.line, other.line) < one.half + other.half:
                yield f"{one.name} and {other.name} are too close in {place}"


# --- The map is right ------------------------------------------------------------------------------------------------


def test_every_place_of_the_engine_is_drawn_with_all_that_can_stand_there() -> None:
    assert tuple(MAP["places"]) == PLACES
    for place, where in MAP["places"].items():
        assert tuple(where["pieces"]) == SEATS
        assert len(where["lights"]) > 1
        for thing in (where["king"], where["grande"], where["kingLight"]):
            assert (thing is None) == (place == CASTILLO)


def test_regions_touch_exactly_if_the_engine_says_they_are_neighbours() -> None:
    touching = {frozenset(pair) for pair in combinations(PLACES, 2) if shared(MAP, *pair)}
    assert touching == {frozenset((one, REGIONS[n])) for i, one in enumerate(REGIONS) for n in NEIGHBOURS[i]}
    assert list(wrong_borders(MAP)) == []


def test_outlines_are_simple_and_do_not_overlap() -> None:
    assert list(wrong_outlines(MAP)) == []


def test_everything_lies_in_its_own_place_and_on_nothing_else() -> None:
    assert list(wrong_things(MAP)) == []


def test_pieces_are_large_enough_for_a_phone() -> None:
    px = 360 / MAP["viewBox"][2]
    assert MAP["sizes"]["piece"] * px >= 16
    assert MAP["sizes"]["label"] * px >= 10.5


def test_the_lights_of_a_place_do_not_touch_when_there_are_five() -> None:
    for where in MAP["places"].values():
        length = sum(dist(point(one), point(other)) for one, other in pairwise(where["lights"]))
        assert length / 4 > SOCKET * MAP["sizes"]["light"]


def test_no_region_is_much_smaller_than_another() -> None:
    areas = [area(outline(MAP, region)) for region in REGIONS]
    assert max(areas) < 2 * min(areas)


# --- And would be found wrong ----------------------------------------------------------------------------------------


def move(numbers: list[int], x: int, y: int) -> None:
    numbers[:] = [numbers[0] + x, numbers[1] + y]


def meeting(data: MapData, *places: str) -> list[int]:
    """The point where three places meet."""
    first, *others = (data["places"][place]["outline"] for place in places)
    (corner,) = [corner for corner in first if all(corner in other for other in others)]
    return corner


def a_slit_between_neighbours(data: MapData) -> None:
    for corner in data["places"]["galicia"]["outline"]:
        move(corner, -3, 0)


def a_border_too_short(data: MapData) -> None:
    """Aragon draws back from Castilla la Nueva but for the two ends of their border."""
    theirs = data["places"]["castilla-la-nueva"]["outline"]
    for corner in [corner for corner in data["places"]["aragon"]["outline"] if corner in theirs][1:-1]:
        move(corner, 2, -3)


def four_in_a_corner(data: MapData) -> None:
    """Castilla la Vieja gets a tip along Aragon's border, to where Valencia begins."""
    corners = data["places"]["castilla-la-vieja"]["outline"]
    tip = meeting(data, "valencia", "aragon", "castilla-la-nueva")
    corners.insert(corners.index(meeting(data, "castilla-la-vieja", "aragon", "castilla-la-nueva")), tip)


def a_tower_ashore(data: MapData) -> None:
    for corner in data["places"]["castillo"]["outline"]:
        move(corner, -20, 0)


def a_loop(data: MapData) -> None:
    corners = data["places"]["sevilla"]["outline"]
    corners[3], corners[5] = corners[5], corners[3]


def a_region_over_another(data: MapData) -> None:
    move(meeting(data, "granada", "valencia", "castilla-la-nueva"), 0, -30)


def a_region_inside_another(data: MapData) -> None:
    data["places"]["sevilla"]["outline"] = [[300, 330], [340, 330], [340, 370], [300, 370]]


def a_point_on_a_border_of_one_side_only(data: MapData) -> None:
    """The middle of a side of Galicia's border with Castilla la Vieja that has one."""
    ours, theirs = (data["places"][place]["outline"] for place in ("galicia", "castilla-la-vieja"))
    for index, (one, other) in enumerate(pairwise(ours)):
        middle = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]
        if one in theirs and other in theirs and all(number.is_integer() for number in middle):
            ours.insert(index + 1, [int(number) for number in middle])
            return


def a_region_off_the_picture(data: MapData) -> None:
    move(max(data["places"]["cataluna"]["outline"]), 30, 0)


def a_king_abroad(data: MapData) -> None:
    data["places"]["aragon"]["king"] = data["places"]["valencia"]["king"]


def a_button_on_the_border(data: MapData) -> None:
    data["places"]["granada"]["button"] = list(meeting(data, "granada", "valencia", "castilla-la-nueva"))
    move(data["places"]["granada"]["button"], 0, 20)


def a_piece_on_a_piece(data: MapData) -> None:
    move(data["places"]["castillo"]["pieces"]["red"], 12, 0)


def lights_through_pieces(data: MapData) -> None:
    pieces = data["places"]["pais-vasco"]["pieces"]
    data["places"]["pais-vasco"]["lights"] = [pieces["red"], pieces["brown"]]


@pytest.mark.parametrize(
    ("disturb", "check", "found"),
    [
        (a_slit_between_neighbours, wrong_borders, "galicia and pais-vasco are neighbours, and share only 0"),
        (a_border_too_short, wrong_borders, "aragon and castilla-la-nueva are neighbours, and share only"),
        (four_in_a_corner, wrong_borders, "castilla-la-vieja and valencia are no neighbours, and are too close"),
        (a_tower_ashore, wrong_borders, "valencia is too close to the castillo"),
        (a_loop, wrong_outlines, "sevilla crosses itself"),
        (a_region_over_another, wrong_outlines, "valencia and granada cross"),
        (a_region_inside_another, wrong_outlines, "castilla-la-vieja and sevilla overlap"),
        (a_point_on_a_border_of_one_side_only, wrong_outlines, "touch without sharing a point"),
        (a_region_off_the_picture, wrong_outlines, "cataluna leaves the picture"),
        (a_king_abroad, wrong_things, "king is outside aragon"),
        (a_button_on_the_border, wrong_things, "button is too close to the border of granada"),
        (a_piece_on_a_piece, wrong_things, "red and blue are too close in castillo"),
        (lights_through_pieces, wrong_things, "red and lights 0 are too close in pais-vasco"),
    ],
)
def test_a_disturbed_map_is_found_wrong(
    disturb: Callable[[MapData], None], check: Callable[[MapData], Iterator[str]], found: str
) -> None:
    data = deepcopy(MAP)
    disturb(data)
    assert any(found in mistake for mistake in check(data))

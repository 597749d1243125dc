"""The drawn map: its regions touch where the engine says they do, nothing lies on anything else, all can be seen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from typing import NamedTuple, TypedDict

import pytest

from companion.engine.regions import CASTILLO, NEIGHBOURS, PLACES, REGIONS, SEATS
from companion.words import PLACE_NAMES

Point = tuple[float, float]
Segment = tuple[Point, Point]

STATIC = Path(__file__).parent.parent / "web_remote" / "static"

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


MAP: MapData = json.loads((STATIC / "map.json").read_text("utf-8"))


# --- Geometry --------------------------------------------------------------------------------------------------------


def point(numbers: list[int]) -> Point:
    x, y = numbers
    return (float(x), float(y))


def outline(data: MapData, place: str) -> list[Point]:
    return [point(corner) for corner in data["places"][place]["outline"]]


def sides(corners: list[Point]) -> list[Segment]:
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def turn(a: Point, b: Point, c: Point) -> float:
    """Which way the road from a over b to c turns: above 0, below 0, or straight on."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def cross(one: Segment, other: Segment) -> bool:
    """Whether two segments go through each other; touching at an end or lying on each other is not that."""
    (a, b), (c, d) = one, other
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def from_segment(spot: Point, segment: Segment) -> float:
    """How far a point is from a segment."""
    (ax, ay), (bx, by) = segment
    length = dist(*segment) ** 2
    along = ((spot[0] - ax) * (bx - ax) + (spot[1] - ay) * (by - ay)) / length if length else 0.0
    along = min(1.0, max(0.0, along))
    return dist(spot, (ax + along * (bx - ax), ay + along * (by - ay)))


def apart(one: Segment, other: Segment) -> float:
    """How far two segments are apart."""
    if cross(one, other):
        return 0.0
    return min(
        *(from_segment(end, other) for end in one),
        *(from_segment(end, one) for end in other),
    )


def closer(one: list[Point], other: list[Point], distance: float) -> bool:
    """Whether two outlines come closer than a distance anywhere."""
    return any(near(a, b, distance) and apart(a, b) < distance for a in sides(one) for b in sides(other))


def near(one: Segment, other: Segment, distance: float) -> bool:
    """Whether two segments may be closer than a distance, told quickly by the boxes around them."""
    return all(
        min(a[axis], b[axis]) - distance <= max(c[axis], d[axis])
        and min(c[axis], d[axis]) - distance <= max(a[axis], b[axis])
        for (a, b), (c, d) in ((one, other),)
        for axis in (0, 1)
    )


def inside(spot: Point, corners: list[Point]) -> bool:
    """Whether a point is inside an outline: a ray to the right leaves it an odd number of times."""
    x, y = spot
    odd = False
    for (ax, ay), (bx, by) in sides(corners):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd


def area(corners: list[Point]) -> float:
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in sides(corners))) / 2


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
        assert length / 4 > MAP["sizes"]["light"]


def test_no_region_is_much_smaller_than_another() -> None:
    areas = [area(outline(MAP, region)) for region in REGIONS]
    assert max(areas) < 2 * min(areas)


# --- Its colours -----------------------------------------------------------------------------------------------------


def palettes() -> dict[str, dict[str, str]]:
    """The colours by day and by night."""
    blocks = re.findall(r":root \{(.*?)\}", (STATIC / "map.css").read_text("utf-8"), re.DOTALL)
    day, night = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in blocks)
    return {"day": day, "night": day | night}


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, as WCAG counts it."""
    shares = ((int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)) for colour in (one, other))
    lights = (
        sum(
            weight * (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
            for weight, share in zip((0.2126, 0.7152, 0.0722), rgb, strict=True)
        )
        for rgb in shares
    )
    low, high = sorted(lights)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("time", ["day", "night"])
def test_texts_have_a_contrast_of_four_and_a_half_and_shapes_of_three(time: str) -> None:
    colours = palettes()[time]
    grounds = [colour for name, colour in colours.items() if re.fullmatch(r"map-(\w+-)?ground(-\d)?|map-tower", name)]
    assert len(grounds) == 8
    marks = [colours[f"map-{mark}"] for mark in ("legal", "origin", "wrong", "step", "scored")]
    texts = [(colours["map-ink"], ground) for ground in grounds]
    texts += [(colours["piece-dark-ink"], colours[f"piece-{body}"]) for body in ("yellow", "tile")]
    texts += [(colours["piece-light-ink"], colours[f"piece-{seat}"]) for seat in SEATS if seat != "yellow"]
    shapes = [(line, ground) for line in (colours["piece-edge"], colours["map-border"], *marks) for ground in grounds]
    shapes += [(colours["map-badge-ink"], mark) for mark in marks]
    shapes += [(colours["map-focus"], colours["map-focus-gap"])]
    assert [pair for pair in texts if contrast(*pair) < 4.5] == []
    assert [pair for pair in shapes if contrast(*pair) < 3] == []


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

"""The map as a browser draws it: even in a region as full as can be, nothing overlaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from companion.engine import CARDS
from companion.engine.regions import REGIONS, SEATS
from tests.browser.phones import SCREEN, Device, Phones
from tests.browser.positions import THREE
from tests.browser.served import Serve
from tests.support.arrange import opening
from tests.support.plane import Point, apart, inside, near, sides

GAP = 1.5
"""The least gap between two things, in units of the map: half a pixel on a small phone."""
SMALLEST_PX = 10.0
PHONE_PX = 0.36
"""The size of a map unit when the map is as wide as a small phone."""

# Draws a map of its own into an empty page, and returns how things stand in a place where everything stands at once.
_DRAW = """async ([place, grandes]) => {
  const files = document.querySelector("script[type=module]").src.replace(/[^/]+[/][^/]*$/, "");
  const {drawMap} = await import(`${files}shared/map.js`);
  const {drawLights} = await import(`${files}board/lights.js`);
  const page = JSON.parse(document.getElementById("page").textContent);
  const geometry = await (await fetch(`${files}shared/map.json`)).json();
  const places = Object.keys(page.places);
  const [svg, layer] = [0, 1].map(() => document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  document.body.prepend(svg, layer);
  const map = drawMap(svg, geometry, {names: page.places, values: page.values, label: ({name}) => name});
  const lights = {[place]: {lights: [0, 1, 2, 3, 4], marker: 5}};
  drawLights(layer, geometry, {order: "RGB", count: 6, brightness: 1, places: lights});
  const whole = Object.fromEntries(places.map((place) => [place, 13]));
  const homes = (colour) => (grandes.includes(colour) ? place : null);
  map.update({
    king: place, tiles: {8: place, 4: null}, legal: [place], origin: null, wrong: [],
    seats: Object.fromEntries(
      ["red", "blue", "green", "yellow", "brown"].map((colour) => [
        colour, {regions: whole, castillo: 13, grande: homes(colour)},
      ]),
    ),
  });

  const ROUND = 24;
  // The corners of what is drawn, in the units of the map, and half the width of its stroke.
  const shape = (name, element) => {
    const to = element.ownerSVGElement.getScreenCTM().inverse().multiply(element.getScreenCTM());
    const scale = Math.hypot(to.a, to.b);
    const style = getComputedStyle(element);
    const box = element.getBBox();
    const half = 0.38 * parseFloat(style.fontSize);
    const middle = box.y + box.height / 2;
    const corners = element.localName === "text"
      ? [[box.x, middle - half], [box.x + box.width, middle - half],
         [box.x + box.width, middle + half], [box.x, middle + half]]
      : (element.getAttribute("d") ?? "a").includes("a")
        ? Array.from({length: ROUND}, (_, at) => element.getPointAtLength((element.getTotalLength() * at) / ROUND))
            .map(({x, y}) => [x, y])
        : element.getAttribute("d").slice(1, -1).split("L").map((corner) => corner.split(" ").map(Number));
    const stroke = element.localName !== "text" && style.stroke !== "none" ? parseFloat(style.strokeWidth) / 2 : 0;
    return {
      name,
      corners: corners.map(([x, y]) => new DOMPoint(x, y).matrixTransform(to)).map(({x, y}) => [x, y]),
      half: stroke * scale,
    };
  };
  // Not to be seen behind the next.
  setTimeout(() => [svg, layer].forEach((each) => each.remove()));
  const group = svg.querySelector(`[data-place="${place}"]`);
  const here = [
    ["name", group.querySelector(".name")],
    ["button", group.querySelector(".badge circle")],
    ...[...group.querySelectorAll("[data-piece]")].filter((piece) => !piece.querySelector(".absent"))
      .map((piece) => [piece.dataset.piece, piece.querySelector(".body")]),
    ...[...svg.querySelectorAll(".mover[data-piece]")].filter((piece) => !piece.querySelector(".absent"))
      .flatMap((piece) => [...piece.querySelectorAll(".body")].map((body) => [piece.dataset.piece, body])),
    ...[...layer.querySelectorAll(".socket")].map((socket, at) => [at < 5 ? "light" : "light of the King", socket]),
  ];
  return {
    outline: geometry.places[place].outline,
    things: here.map(([name, element]) => shape(name, element)),
  };
}"""


class Thing(NamedTuple):
    """Something drawn: its corners, and half the width of its stroke."""

    name: str
    corners: list[Point]
    half: float


def between(one: Thing, other: Thing) -> float:
    """Returns the gap between two things; zero or less when they touch."""
    if any(inside(corner, other.corners) for corner in one.corners[:1]) or inside(other.corners[0], one.corners):
        return -1.0
    far = 20.0
    for a in sides(one.corners):
        for b in sides(other.corners):
            if near(a, b, far):
                far = min(far, apart(a, b))
    return far - one.half - other.half


def drawn(device: Device, region: str, grandes: Sequence[str]) -> tuple[list[Point], list[Thing]]:
    """Returns a region's outline, and everything drawn in it when it is as full as can be."""
    told: dict[str, Any] = device.page.evaluate(_DRAW, [region, grandes])
    things = [Thing(each["name"], [(x, y) for x, y in each["corners"]], each["half"]) for each in told["things"]]
    return [(float(x), float(y)) for x, y in told["outline"]], things


def on_each_other(things: Sequence[Thing]) -> Iterator[str]:
    """Yields things that touch, or nearly do."""
    for one, other in combinations(things, 2):
        if one.name != other.name and (gap := between(one, other)) < GAP:
            yield f"{one.name} and {other.name} are {gap:.1f} apart"


def on_the_border(things: Sequence[Thing], outline: list[Point]) -> Iterator[str]:
    """Yields things that are not entirely inside their region."""
    for thing in things:
        reach = thing.half + GAP
        if not all(inside(corner, outline) for corner in thing.corners) or any(
            apart(a, b) < reach for a in sides(thing.corners) for b in sides(outline) if near(a, b, reach)
        ):
            yield f"{thing.name} is on the border"


@pytest.fixture
def screen(serve: Serve, phones: Phones) -> Device:
    device = phones.new(serve(opening(THREE)), SCREEN)
    device.open("/table")
    device.after(0)
    return device


@pytest.mark.parametrize("grandes", [SEATS, SEATS[:3], SEATS[2:], SEATS[1:3]], ids=" ".join)
def test_everything_that_can_stand_in_a_region_at_once_is_told_apart(grandes: Sequence[str], screen: Device) -> None:
    found = []
    for region in REGIONS:
        outline, things = drawn(screen, region, grandes)
        names = Counter(thing.name.split()[0] for thing in things)
        assert names == {
            "name": 1,
            "button": 1,
            "caballero": 5,
            "grande": len(grandes),
            "king": 5,
            "tile": 1,
            "light": 6,
        }
        found += [f"{region}: {each}" for each in (*on_each_other(things), *on_the_border(things, outline))]
    assert not found, "\n".join(found)


def test_grandes_of_any_colours_are_told_apart(screen: Device) -> None:
    for count in range(2, len(SEATS) + 1):
        for grandes in combinations(SEATS, count):
            _, things = drawn(screen, "aragon", grandes)
            assert list(on_each_other([thing for thing in things if thing.name.startswith("grande")])) == []


def test_three_grandes_are_large_enough_for_a_phone(screen: Device) -> None:
    """Only two cards move a Grande, so no more than three ever meet."""
    assert sum(card.copies for card in CARDS.values() if card.name == "grande") == 2
    for grandes in combinations(SEATS, 3):
        for name, corners, _ in drawn(screen, "aragon", grandes)[1]:
            if name.startswith(("caballero", "grande")):
                wide = max(x for x, _ in corners) - min(x for x, _ in corners)
                assert wide * PHONE_PX >= SMALLEST_PX, name

"""Points and lines in a plane: whether they cross, how far they are apart, what lies inside what."""

from __future__ import annotations

from math import dist

Point = tuple[float, float]
Segment = tuple[Point, Point]


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

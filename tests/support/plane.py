"""Points and lines in a plane: whether they cross, how far apart they are, what is inside what."""

from __future__ import annotations

from math import dist

Point = tuple[float, float]
Segment = tuple[Point, Point]


def sides(corners: list[Point]) -> list[Segment]:
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def turn(a: Point, b: Point, c: Point) -> float:
    """Returns which way the path from a via b to c turns: above 0, below 0, or 0 for straight on."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def cross(one: Segment, other: Segment) -> bool:
    """Returns whether two segments cross; touching at an end or overlapping does not count."""
    (a, b), (c, d) = one, other
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def from_segment(spot: Point, segment: Segment) -> float:
    """Returns how far a point is from a segment."""
    (ax, ay), (bx, by) = segment
    length = dist(*segment) ** 2
    along = ((spot[0] - ax) * (bx - ax) + (spot[1] - ay) * (by - ay)) / length if length else 0.0
    along = min(1.0, max(0.0, along))
    return dist(spot, (ax + along * (bx - ax), ay + along * (by - ay)))


def apart(one: Segment, other: Segment) -> float:
    """Returns how far apart two segments are."""
    if cross(one, other):
        return 0.0
    return min(
        *(from_segment(end, other) for end in one),
        *(from_segment(end, one) for end in other),
    )


def closer(one: list[Point], other: list[Point], distance: float) -> bool:
    """Returns whether two outlines come closer than a distance anywhere."""
    return any(near(a, b, distance) and apart(a, b) < distance for a in sides(one) for b in sides(other))


def near(one: Segment, other: Segment, distance: float) -> bool:
    """Returns whether two segments may be closer than a distance: a quick check of the boxes around them."""
    return all(
        min(a[axis], b[axis]) - distance <= max(c[axis], d[axis])
        and min(c[axis], d[axis]) - distance <= max(a[axis], b[axis])
        for (a, b), (c, d) in ((one, other),)
        for axis in (0, 1)
    )


def inside(spot: Point, corners: list[Point]) -> bool:
    """Returns whether a point is inside an outline: a ray to the right crosses it an odd number of times."""
    x, y = spot
    odd = False
    for (ax, ay), (bx, by) in sides(corners):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd


def area(corners: list[Point]) -> float:
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in sides(corners))) / 2

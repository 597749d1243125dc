"""What is measured, as pure functions of times: spreads, frames, bounces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import ceil
from statistics import median
from typing import Final

from hardware.buttons import Edge
from hardware.lights import FRAME_S, SentFrame
from hardware.serial_log import SerialLine

SETTLED_S: Final = 0.05
"""A contact that has not changed for this long has settled; no finger is as fast, and no good contact as slow."""
LATE_S: Final = FRAME_S * 1.5
"""A frame is late when it begins later than this after the one before."""

Figures = dict[str, "float | int | str | bool | Figures | list[str] | None"]
"""Measured values under their names, which carry the unit; some are grouped."""


@dataclass(frozen=True)
class Spread:
    """How long something takes, over many times."""

    count: int
    median_ms: float
    p99_ms: float
    longest_ms: float

    @classmethod
    def of(cls, times_s: Sequence[float]) -> Spread:
        """Returns the spread of at least one time.

        >>> Spread.of([0.001, 0.002, 0.010])
        Spread(count=3, median_ms=2.0, p99_ms=10.0, longest_ms=10.0)
        """
        ordered = sorted(times_s)
        # The smallest time that 99 of 100 do not exceed.
        p99_s = ordered[ceil(len(ordered) * 0.99) - 1]
        return cls(len(ordered), as_ms(median(ordered)), as_ms(p99_s), as_ms(ordered[-1]))

    def figures(self) -> Figures:
        """Returns the spread for a report."""
        return asdict(self)


def as_ms(seconds: float) -> float:
    """Returns a time in milliseconds, to the microsecond.

    >>> as_ms(0.0123456)
    12.346
    """
    return round(seconds * 1000, 3)


# --- frames ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FrameTimes:
    """How frames went out: how long the driver took for each, and how many came late."""

    driver: Spread
    late: int

    @classmethod
    def of(cls, frames: Sequence[SentFrame]) -> FrameTimes:
        """Returns the times of at least one frame of an animation.

        >>> FrameTimes.of([SentFrame(0.0, 0.002), SentFrame(0.033, 0.035), SentFrame(0.1, 0.102)])
        FrameTimes(driver=Spread(count=3, median_ms=2.0, p99_ms=2.0, longest_ms=2.0), late=1)
        """
        late = sum(after.began_s - before.began_s > LATE_S for before, after in pairwise(frames))
        return cls(Spread.of([frame.ended_s - frame.began_s for frame in frames]), late)

    def figures(self) -> Figures:
        """Returns the times for a report."""
        return {**self.driver.figures(), "late": self.late}


# --- contacts --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Burst:
    """The edges of a contact that closes or opens: one if it does not bounce, otherwise an odd number."""

    edges: int
    quiet_after_ms: float
    """From the first edge to the last."""
    longest_pause_ms: float
    """The longest time without an edge in between. Debouncing has to wait longer than that."""

    @classmethod
    def of(cls, edges: Sequence[Edge]) -> Burst:
        """Returns what a series of edges amounts to."""
        pauses_s = [after.at_s - before.at_s for before, after in pairwise(edges)]
        return cls(len(edges), as_ms(edges[-1].at_s - edges[0].at_s), as_ms(max(pauses_s, default=0.0)))


@dataclass(frozen=True)
class MeasuredPress:
    """One press of a button, as its contact saw it."""

    closing: Burst
    opening: Burst
    held_ms: float
    """From the first edge of the closing to the first of the opening."""

    @property
    def longest_pause_ms(self) -> float:
        """The longest time without an edge while the contact bounced."""
        return max(self.closing.longest_pause_ms, self.opening.longest_pause_ms)

    def figures(self) -> Figures:
        """Returns the press for a report."""
        return {"closing": asdict(self.closing), "opening": asdict(self.opening), "held_ms": self.held_ms}


def measured_press(edges: Sequence[Edge]) -> MeasuredPress | None:
    """Returns the press that the edges of one contact show. Returns `None` when they are not one press.

    >>> times = (True, 0.0), (False, 0.001), (True, 0.003), (False, 0.120)
    >>> press = measured_press([Edge("north", closed, at_s) for closed, at_s in times])
    >>> press.closing
    Burst(edges=3, quiet_after_ms=3.0, longest_pause_ms=2.0)
    >>> press.opening.edges, press.held_ms
    (1, 120.0)
    """
    bursts: list[list[Edge]] = []
    for edge in edges:
        if not bursts or edge.at_s - bursts[-1][-1].at_s >= SETTLED_S:
            bursts.append([])
        bursts[-1].append(edge)
    if len(bursts) != 2 or not bursts[0][-1].closed or bursts[1][-1].closed:
        return None
    closing, opening = bursts
    return MeasuredPress(Burst.of(closing), Burst.of(opening), as_ms(opening[0].at_s - closing[0].at_s))


# --- hubs ------------------------------------------------------------------------------------------------------------


def sent_again(lines: Sequence[SerialLine]) -> int:
    """Returns how many events a hub had to send again, because no answer came in time.

    >>> sent_again([SerialLine(1, 0.0, "hub", "3F2A91C0 1 seen 2 04A1B2C3*AFE342B3")] * 3)
    2
    """
    events = [line.text for line in lines if line.speaker == "hub" and line.good and not line.routine]
    return len(events) - len(set(events))

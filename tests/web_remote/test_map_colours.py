"""The colours of the map and the pieces: everything can be told from what lies below it, by day and by night."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.engine.regions import SEATS

STYLES = Path(__file__).parents[2] / "web_remote" / "static" / "shared" / "map.css"


def palettes() -> dict[str, dict[str, str]]:
    """The colours by day and by night."""
    blocks = re.findall(r":root \{(.*?)\}", STYLES.read_text("utf-8"), re.DOTALL)
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

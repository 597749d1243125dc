"""The patterns of the lights as pure functions of the scene and the time, and the current they draw.

A frame is a colour for every light of the strip: red, green and blue from 0 to 255, as they go to the wire. Gamma and
brightness are already applied, and a frame never draws more than the budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi
from typing import Final

from hardware.board import FULL_MA, IDLE_MA, Board
from hardware.ports import Pattern, Scene, Show

Colour = tuple[int, int, int]
Frame = list[Colour]

BLACK: Final = (0, 0, 0)

SHADES: Final[dict[str, tuple[float, float, float]]] = {
    "red": (1.0, 0.0, 0.0),
    "blue": (0.0, 0.1, 1.0),
    "green": (0.0, 0.9, 0.1),
    "yellow": (1.0, 0.7, 0.0),
    "brown": (0.6, 0.0, 0.8),
    "white": (1.0, 1.0, 1.0),
}
"""The red, green and blue of each colour of a scene. Light cannot be brown, so brown is shown as violet."""

GAMMA: Final = 2.2
BREATH_S: Final = 2.0
PULSE_S: Final = 1.2
CHASE_S: Final = 0.8
BLINK_S: Final = 0.25
WAVE_S: Final = 1.5
DIM: Final = 0.35
FADE: Final = 0.25
"""What is left of a place's own light while the wave is elsewhere."""

_STILL: Final = (Pattern.DIM, Pattern.STEADY)
_GAMMA_TABLE: Final = tuple(round(255 * (step / 255) ** GAMMA) for step in range(256))


PRESSED: Final = Show(Pattern.STEADY)


def moving(scene: Scene) -> bool:
    """Returns whether a scene needs more than one frame."""
    return scene.wave or any(show.pattern not in _STILL for show in scene.places.values())


def frame(scene: Scene, board: Board, now_s: float) -> Frame:
    """Returns the colour of every light at a point in time.

    >>> from hardware.board import example_board
    >>> scene = Scene({"north": Show(Pattern.STEADY, "red")}, marker="south")
    >>> lights = frame(scene, example_board(), now_s=0.0)
    >>> lights[0], lights[5], lights[9]
    ((56, 0, 0), (0, 0, 0), (56, 56, 56))
    """
    lights: Frame = [BLACK] * board.strip.count
    brightness = board.strip.brightness
    for index, (name, place) in enumerate(board.places.items()):
        show = PRESSED if name in scene.pressed else scene.places.get(name)
        wave = _wave(now_s, index, len(board.places)) if scene.wave else 0.0
        for number, light in enumerate(place.lights):
            own = _level(show, now_s, number, len(place.lights)) if show else 0.0
            if scene.wave and wave > own:
                lights[light] = _lit("white", wave * brightness)
            elif show and own:
                lights[light] = _lit(show.colour, own * brightness * (FADE if scene.wave else 1.0))
        if place.marker is not None and name == scene.marker:
            lights[place.marker] = _lit("white", brightness)
    return within_budget(lights, board.strip.budget_ma)


def _level(show: Show, now_s: float, number: int, count: int) -> float:
    """Returns how bright one light of a place is, from 0 to 1."""
    match show.pattern:
        case Pattern.BREATHE:
            return 0.25 + 0.75 * _swing(now_s, BREATH_S)
        case Pattern.DIM:
            return DIM
        case Pattern.PULSE:
            return _swing(now_s, PULSE_S)
        case Pattern.CHASE:
            head = now_s % CHASE_S / CHASE_S * count
            return max(0.0, 1.0 - ((head - number) % count) / max(2.0, count / 2))
        case Pattern.BLINK:
            return 1.0 if now_s % BLINK_S < BLINK_S / 2 else 0.0
        case Pattern.STEADY:
            return 1.0


def _swing(now_s: float, period_s: float) -> float:
    """Returns a value that swings from 0 to 1 and back."""
    return (1 - cos(2 * pi * now_s / period_s)) / 2


def _wave(now_s: float, index: int, count: int) -> float:
    """Returns how much of the wave is at a place; it runs through the places in order, again and again."""
    head = now_s % WAVE_S / WAVE_S * count
    apart = min((head - index) % count, (index - head) % count)
    return max(0.0, 1.0 - apart / 1.5)


def _lit(colour: str, level: float) -> Colour:
    red, green, blue = SHADES[colour]
    scale = 255 * min(1.0, level)
    return _GAMMA_TABLE[round(red * scale)], _GAMMA_TABLE[round(green * scale)], _GAMMA_TABLE[round(blue * scale)]


# --- Current ---------------------------------------------------------------------------------------------------------


def current_ma(lights: Sequence[Colour]) -> float:
    """Returns the current of a frame: each light draws a little when dark, and up to 60 mA at full white."""
    lit = sum(red + green + blue for red, green, blue in lights)
    return len(lights) * IDLE_MA + lit * (FULL_MA - IDLE_MA) / (3 * 255)


def within_budget(lights: Frame, budget_ma: float) -> Frame:
    """Returns the frame, dimmed as a whole if it would draw more than the budget."""
    drawn = current_ma(lights)
    if drawn <= budget_ma:
        return lights
    idle = len(lights) * IDLE_MA
    share = max(0.0, budget_ma - idle) / (drawn - idle)
    # Rounded down: rounding up a few hundred colours could exceed the budget again.
    return [(int(red * share), int(green * share), int(blue * share)) for red, green, blue in lights]

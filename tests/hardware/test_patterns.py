"""The lights: each pattern looks as it should, and no frame ever draws more than the budget."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import PLACES
from hardware.board import SHIPPED, Board, read_board
from hardware.patterns import BLACK, BLINK_S, BREATH_S, PULSE_S, WAVE_S, current_ma, frame, moving, within_budget
from hardware.ports import COLOURS, DARK, Pattern, Scene, Show

BOARD = read_board(SHIPPED / "standard.toml")

SCENES = st.builds(
    Scene,
    places=st.dictionaries(
        st.sampled_from(PLACES), st.builds(Show, st.sampled_from(list(Pattern)), st.sampled_from(COLOURS))
    ),
    marker=st.none() | st.sampled_from(PLACES[:-1]),
    wave=st.booleans(),
)


def lit(scene: Scene, now_s: float, place: str = "aragon", board: Board = BOARD) -> list[tuple[int, int, int]]:
    """The lights of one place."""
    lights = frame(scene, board, now_s)
    return [lights[light] for light in board.places[place].lights]


def test_nothing_is_lit_in_the_dark() -> None:
    assert set(frame(DARK, BOARD, 1.0)) == {BLACK}
    assert not moving(DARK)


def test_a_marker_is_one_white_steady_light() -> None:
    scene = Scene(marker="granada")
    lights = frame(scene, BOARD, 0.3)
    (only,) = [index for index, colour in enumerate(lights) if colour != BLACK]
    assert only == BOARD.places["granada"].marker
    assert len(set(lights[only])) == 1
    assert lights == frame(scene, BOARD, 1.7)
    assert not moving(scene)


def test_breathing_rises_and_falls_in_its_colour_and_is_never_dark() -> None:
    scene = Scene({"aragon": Show(Pattern.BREATHE, "red")})
    low, high = lit(scene, 0.0)[0], lit(scene, BREATH_S / 2)[0]
    assert 0 < low[0] < high[0]
    assert high[1:] == (0, 0)
    assert set(lit(scene, 0.4, "granada")) == {BLACK}
    assert moving(scene)


def test_dim_is_steady_and_darker_than_steady_light() -> None:
    scene = Scene({"aragon": Show(Pattern.DIM, "green")})
    assert lit(scene, 0.0) == lit(scene, 0.9)
    assert not moving(scene)
    assert sum(lit(scene, 0.0)[0]) < sum(lit(Scene({"aragon": Show(Pattern.STEADY, "green")}), 0.0)[0])


def test_a_pulse_goes_dark_and_bright_slowly() -> None:
    scene = Scene({"aragon": Show(Pattern.PULSE, "blue")})
    assert set(lit(scene, 0.0)) == {BLACK}
    assert lit(scene, PULSE_S / 2)[0][2] > 30


def test_a_chase_runs_through_the_lights_of_the_place() -> None:
    scene = Scene({"aragon": Show(Pattern.CHASE, "yellow")})
    brightest = [max(range(5), key=lambda n: sum(lit(scene, 0.01 + step * 0.16)[n])) for step in range(5)]
    assert brightest == [0, 1, 2, 3, 4]


def test_a_blink_is_all_or_nothing_in_its_colour() -> None:
    scene = Scene({"aragon": Show(Pattern.BLINK, "red")})
    on, off = lit(scene, 0.0), lit(scene, BLINK_S * 0.6)
    assert all(red > 0 and green == blue == 0 for red, green, blue in on)
    assert set(off) == {BLACK}


def test_a_wave_goes_through_all_places_in_order() -> None:
    scene = Scene(wave=True)
    for number, place in enumerate(PLACES):
        now_s = WAVE_S * number / len(PLACES)
        sums = {name: sum(lit(scene, now_s, name)[0]) for name in PLACES}
        assert max(sums, key=lambda name: sums[name]) == place


def test_brown_shines_violet() -> None:
    red, green, blue = lit(Scene({"aragon": Show(Pattern.STEADY, "brown")}), 0.0)[0]
    assert red > 0
    assert green == 0
    assert blue > 0


def test_brightness_dims_everything() -> None:
    dim = replace(BOARD, strip=replace(BOARD.strip, brightness=0.2))
    scene = Scene({"aragon": Show(Pattern.STEADY, "white")})
    assert sum(lit(scene, 0.0, board=dim)[0]) < sum(lit(scene, 0.0)[0]) / 3


def test_the_estimate_of_the_current_is_what_the_data_sheet_says() -> None:
    assert current_ma([BLACK] * 10) == 10
    assert current_ma([(255, 255, 255)] * 10) == pytest.approx(600)
    assert current_ma([(255, 0, 0)]) == pytest.approx(1 + 59 / 3)


@given(SCENES, st.floats(0, 1000), st.floats(121, 4000), st.floats(0.01, 1))
def test_no_frame_draws_more_than_the_budget(scene: Scene, now_s: float, budget: float, brightness: float) -> None:
    strip = replace(BOARD.strip, budget_ma=budget, brightness=brightness)
    lights = frame(scene, replace(BOARD, strip=strip), now_s)
    assert len(lights) == strip.count
    assert all(0 <= part <= 255 for colour in lights for part in colour)
    assert current_ma(lights) <= budget


def test_a_frame_over_the_budget_is_darkened_as_a_whole() -> None:
    lights = within_budget([(200, 100, 0)] * 100, 1000)
    assert len(set(lights)) == 1
    red, green, blue = lights[0]
    assert red / green == pytest.approx(2, rel=0.05)
    assert blue == 0
    assert 950 < current_ma(lights) <= 1000


@given(SCENES, st.floats(0, 100), st.floats(0, 100))
def test_a_scene_that_does_not_move_is_one_frame(scene: Scene, one_s: float, other_s: float) -> None:
    if not moving(scene):
        assert frame(scene, BOARD, one_s) == frame(scene, BOARD, other_s)

"""The devices on the simulated board: buttons on mock pins, lights with captured bytes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.board import SHIPPED, Strip, read_board
from hardware.buttons import GpioButtons
from hardware.contacts import HOLD_S, STUCK_S
from hardware.drivers.lights import Pixels, open_strip
from hardware.errors import PinsOutOfReach, StripOutOfReach
from hardware.lights import StripLights
from hardware.patterns import current_ma
from hardware.ports import DARK, Fault, Gesture, Pattern, Press, Scene, Show, Trouble
from hardware.simulated.board import HandClock, SimulatedBoard
from hardware.simulated.strip import SimulatedStrip

BOARD = read_board(SHIPPED / "buttons-only.toml")
LEGAL = Scene({"granada": Show(Pattern.BREATHE, "red")}, marker="aragon")
STILL = Scene({"granada": Show(Pattern.DIM, "red")}, marker="aragon")


@pytest.fixture
def board() -> Iterator[SimulatedBoard]:
    with SimulatedBoard(BOARD, by_hand=True) as board:
        yield board


# --- Buttons --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("button", [*BOARD.places, *BOARD.controls])
def test_every_button_tells_its_name(board: SimulatedBoard, button: str) -> None:
    board.press(button)
    board.advance(0.1)
    assert board.gestures == [Press(button)]


def test_a_bouncing_contact_is_one_press(board: SimulatedBoard) -> None:
    board.bounce("granada", 20)
    board.advance(0.2)
    board.release("granada")
    board.advance(0.5)
    assert board.gestures == [Press("granada")]


def test_a_long_press_follows_its_press(board: SimulatedBoard) -> None:
    board.press("undo", seconds=HOLD_S + 0.1)
    assert board.gestures == [Press("undo"), Press("undo", long=True)]


def test_a_press_is_long_after_eight_tenths_of_a_second(board: SimulatedBoard) -> None:
    board.press("undo", seconds=None)
    board.advance(0.79)
    assert board.gestures == [Press("undo")]
    board.advance(0.06)
    assert board.gestures == [Press("undo"), Press("undo", long=True)]


def test_two_buttons_at_once_are_two_presses(board: SimulatedBoard) -> None:
    board.press("granada", seconds=None)
    board.press("sevilla", seconds=HOLD_S + 0.1)
    board.release("granada")
    board.advance(1.0)
    assert sorted(map(repr, board.gestures)) == sorted(
        repr(Press(name, held)) for name in ("granada", "sevilla") for held in (False, True)
    )


def test_a_stuck_button_is_one_trouble_and_the_others_work(board: SimulatedBoard) -> None:
    board.press("granada", seconds=None)
    board.advance(STUCK_S + 60.0, slice_s=0.1)
    board.press("sevilla")
    board.release("granada")
    board.advance(0.1)
    assert board.gestures == [
        Press("granada"),
        Press("granada", long=True),
        Trouble(Fault.STUCK_BUTTON, "granada"),
        Press("sevilla"),
        Trouble(Fault.STUCK_BUTTON, "granada", over=True),
    ]


def test_a_contact_that_flutters_is_told_and_told_when_it_is_steady(board: SimulatedBoard) -> None:
    for step in range(600):
        (board.press if step % 2 == 0 else board.release)("granada", *[None] * (step % 2 == 0))
        board.advance(0.004, slice_s=0.002)
    assert board.gestures == [Trouble(Fault.RESTLESS_BUTTON, "granada")]
    board.advance(3.0)
    assert board.gestures[1:] == [Trouble(Fault.RESTLESS_BUTTON, "granada", over=True)]


def test_a_pin_that_cannot_be_read_is_told_once_and_the_others_work(
    board: SimulatedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = True

    class Broken:
        @property
        def is_active(self) -> bool:
            if broken:
                raise OSError("no such line")
            return True

        def close(self) -> None:
            pass

    real = board.buttons._buttons["aragon"]
    monkeypatch.setitem(board.buttons._buttons, "aragon", Broken())
    for place in ("galicia", "aragon", "granada"):
        board.press(place, seconds=None)
    board.advance(5.0)
    presses = [gesture for gesture in board.gestures if isinstance(gesture, Press) and not gesture.long]
    assert presses == [Press("galicia"), Press("granada")]
    assert [gesture for gesture in board.gestures if isinstance(gesture, Trouble)] == [
        Trouble(Fault.DEAD_BUTTON, "aragon", "no such line")
    ]
    broken = False
    board.advance(2.0)
    assert Trouble(Fault.DEAD_BUTTON, "aragon", over=True) in board.gestures
    real.close()


def test_the_repr_of_buttons_names_those_that_are_not_open(board: SimulatedBoard) -> None:
    board.press("granada", seconds=None)
    board.advance(0.1)
    assert repr(board.buttons) == "<GpioButtons buttons: 12 contacts, granada down>"
    board.buttons.close()
    assert repr(board.buttons) == "<GpioButtons buttons: closed>"


def test_closing_buttons_frees_their_pins_and_may_be_done_twice() -> None:
    factory = MockFactory()
    with GpioButtons(BOARD, factory, by_hand=True) as buttons:
        pass
    buttons.close()
    GpioButtons(BOARD, factory, by_hand=True).close()


def test_a_pin_that_is_taken_is_named_and_none_is_kept() -> None:
    factory = MockFactory()
    with GpioButtons(BOARD, factory, by_hand=True), pytest.raises(PinsOutOfReach, match="GPIO 4, button of galicia"):
        GpioButtons(BOARD, factory, by_hand=True)
    GpioButtons(BOARD, factory, by_hand=True).close()


def test_without_pins_the_group_to_join_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    with pytest.raises(PinsOutOfReach, match="in the group gpio"):
        GpioButtons(BOARD)


# --- Lights ---------------------------------------------------------------------------------------------------------


def test_the_bytes_of_the_strip_are_in_its_order() -> None:
    board, strip = read_board(SHIPPED / "standard.toml"), SimulatedStrip()
    with StripLights(board, strip.open, HandClock(), by_hand=True) as lights:
        lights.show(Scene({"galicia": Show(Pattern.STEADY, "red")}))
        lights.poll()
        red = strip.colours()[0][0]
        assert red > 0
        assert strip.data[:3] == bytes([0, red, 0])  # green first
        assert len(strip.data) == 3 * board.strip.count


def test_a_scene_is_shown_and_the_kings_light_with_it(board: SimulatedBoard) -> None:
    board.lights.show(LEGAL)
    board.advance(0.5)
    assert all(red > 0 and not green and not blue for red, green, blue in board.colours("granada"))
    assert board.marked() == ["aragon"]


def test_while_something_moves_there_are_30_frames_a_second(board: SimulatedBoard) -> None:
    board.lights.show(LEGAL)
    board.advance(1.0)
    before = board.strip.frames
    board.advance(10.0, slice_s=0.001)
    assert board.strip.frames - before == pytest.approx(300, abs=3)


def test_a_press_is_acknowledged_in_white_for_a_moment_and_then_no_frames_come(board: SimulatedBoard) -> None:
    board.lights.show(STILL)
    board.advance(0.1)
    before = board.colours("sevilla")
    board.lights.acknowledge("sevilla")
    board.advance(0.02)
    assert all(red == green == blue > 0 for red, green, blue in board.colours("sevilla"))
    board.advance(0.3)
    assert board.colours("sevilla") == before
    assert board.lights.poll() is None


def test_while_nothing_moves_there_are_no_frames(board: SimulatedBoard) -> None:
    board.lights.show(STILL)
    board.advance(0.1)
    before = board.strip.frames
    board.advance(60.0, slice_s=0.5)
    assert board.strip.frames == before
    assert board.lights.poll() is None


def test_no_frame_draws_more_than_the_budget(board: SimulatedBoard) -> None:
    board.lights.show(Scene({name: Show(Pattern.STEADY, "white") for name in BOARD.places}, marker="aragon", wave=True))
    drawn = []
    for _ in range(60):
        board.advance(0.05)
        drawn.append(current_ma(board.strip.colours()))
    assert 0 < max(drawn) <= BOARD.strip.budget_ma


def test_losing_the_strip_is_told_once_and_the_scene_comes_back_with_it(board: SimulatedBoard) -> None:
    board.lights.show(LEGAL)
    board.advance(0.1)
    board.strip.lost = True
    board.lights.show(STILL)
    board.press("granada")
    board.advance(20.0, slice_s=0.1)
    assert board.gestures == [Trouble(Fault.LOST_STRIP, "lights", "the strip was unplugged"), Press("granada")]
    assert "lost" in repr(board.lights)
    board.strip.lost = False
    board.advance(31.0, slice_s=0.1)
    assert board.gestures[2:] == [Trouble(Fault.LOST_STRIP, "lights", over=True)]
    assert any(map(any, board.colours("granada")))


def test_a_strip_that_is_not_there_at_the_start_is_told_and_lit_when_it_comes() -> None:
    strip, clock, told = SimulatedStrip(), HandClock(), list[Gesture]()
    strip.lost = True
    with StripLights(BOARD, strip.open, clock, by_hand=True, patient=True) as lights:
        lights.show(STILL)
        lights.listen(told.append)
        assert told == [Trouble(Fault.LOST_STRIP, "lights", "the strip was unplugged")]
        assert lights.poll() == pytest.approx(1.0)
        for _ in range(12):
            clock.now_s += 5.0
            lights.poll()
        assert len(told) == 1
        strip.lost = False
        clock.now_s += 30.0
        lights.poll()
        assert told[1:] == [Trouble(Fault.LOST_STRIP, "lights", over=True)]
        assert any(strip.data)
    assert not any(strip.data)


def test_a_strip_that_is_not_there_at_the_start_is_an_error_to_whoever_wants_to_see_it() -> None:
    strip = SimulatedStrip()
    strip.lost = True
    with pytest.raises(OSError, match="the strip was unplugged"):
        StripLights(BOARD, strip.open, by_hand=True)


def test_the_trouble_of_a_strip_out_of_reach_is_its_reason_alone() -> None:
    def refuse(strip: Strip) -> Pixels:
        raise StripOutOfReach("No module named 'board'")

    told: list[Gesture] = []
    with StripLights(BOARD, refuse, HandClock(), by_hand=True, patient=True) as lights:
        lights.listen(told.append)
    assert told == [Trouble(Fault.LOST_STRIP, "lights", "No module named 'board'")]


def test_a_lost_strip_is_tried_less_and_less_often(board: SimulatedBoard) -> None:
    tries: list[float] = []
    real = board.strip.open
    board.strip.lost = True

    def counted(strip: object) -> object:
        tries.append(board.lights._clock())
        return real(strip)  # type: ignore[arg-type]

    board.lights._open = counted  # type: ignore[assignment]
    board.lights.show(STILL)
    board.advance(120.0, slice_s=0.25)
    pauses = [later - earlier for earlier, later in pairwise(tries)]
    assert pauses == sorted(pauses)
    assert pauses[-1] == pytest.approx(30.0, abs=0.5)
    assert len(tries) < 10


@pytest.mark.parametrize(
    "scene",
    [Scene({"granada": Show(Pattern.BREATHE, "pink")}), Scene({"atlantis": Show(Pattern.BREATHE)}), Scene(marker="x")],
)
def test_a_scene_that_cannot_be_shown_is_refused_where_it_was_made(board: SimulatedBoard, scene: Scene) -> None:
    with pytest.raises(ValueError, match="no place or colour is called"):
        board.lights.show(scene)


def test_a_strip_that_failed_gives_its_pin_back(board: SimulatedBoard) -> None:
    freed: list[bool] = []
    pixels = board.lights._pixels
    assert pixels is not None
    pixels.pin.deinit = lambda: freed.append(True)  # type: ignore[method-assign]
    board.strip.lost = True
    board.lights.show(STILL)
    board.advance(0.1)
    assert freed == [True]


def test_closing_the_lights_leaves_the_strip_dark() -> None:
    strip = SimulatedStrip()
    lights = StripLights(BOARD, strip.open, HandClock(), by_hand=True)
    lights.show(STILL)
    lights.poll()
    assert any(strip.data)
    lights.close()
    lights.close()
    assert not any(strip.data)
    assert repr(lights) == "<StripLights lights: closed>"


def test_the_repr_of_lights_tells_what_they_draw(board: SimulatedBoard) -> None:
    board.lights.show(DARK)
    board.advance(0.1)
    assert repr(board.lights) == "<StripLights lights: 60 lights, 60 of 2500 mA>"


def test_without_a_strip_the_package_and_the_group_are_named() -> None:
    with pytest.raises(StripOutOfReach, match="join the group spi"):
        open_strip(BOARD.strip)


# --- In threads of their own -----------------------------------------------------------------------------------------


def test_a_press_lights_a_place_without_anybody_moving_the_clock() -> None:
    import threading

    done = threading.Event()
    with SimulatedBoard(BOARD) as board:
        drawn = board.strip.write

        def answer(gesture: Gesture) -> None:
            board.lights.show(STILL)

        def write(data: bytes) -> None:
            drawn(data)
            if any(data):
                done.set()

        board.strip.write = write  # type: ignore[method-assign]
        board.listen(answer)
        board.press("granada", seconds=None)
        assert done.wait(5.0)
        assert board.gestures[0] == Press("granada")


def test_a_listener_that_fails_does_not_stop_the_device(caplog: pytest.LogCaptureFixture) -> None:
    import threading

    done = threading.Event()
    with SimulatedBoard(BOARD) as board:

        def fail(gesture: Gesture) -> None:
            if gesture == Press("sevilla"):
                done.set()
            else:
                raise ValueError("a mistake")

        board.buttons.listen(fail)
        board.press("granada", seconds=None)
        while not caplog.records:
            done.wait(0.01)
        board.press("sevilla", seconds=None)
        assert done.wait(5.0)
    assert "a listener of buttons failed at Press" in caplog.text


def test_whoever_listens_late_is_told_what_is_amiss(board: SimulatedBoard) -> None:
    board.strip.lost = True
    board.lights.show(STILL)
    board.advance(0.1)
    late: list[Gesture] = []
    board.lights.listen(late.append)
    assert late == [Trouble(Fault.LOST_STRIP, "lights", "the strip was unplugged")]


def test_presses_last_as_long_as_they_are_said_to_in_real_time() -> None:
    with SimulatedBoard(BOARD) as board:
        board.press("granada", seconds=0.05)
        board.press("sevilla", seconds=0.05)
    assert board.gestures == [Press("granada"), Press("sevilla")]

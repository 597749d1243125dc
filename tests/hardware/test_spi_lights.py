"""The driver `spi`, down to the bits: what the kernel is asked to send, and whether lights can read it."""

from __future__ import annotations

import errno
import itertools
import os
import struct
from collections.abc import Callable, Iterator
from ctypes import string_at
from dataclasses import replace
from pathlib import Path

import Adafruit_PureIO.spi
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware.board import ORDERS, Board, Strip, find_board
from hardware.drivers.lights import Pixels, open_strip, spi
from hardware.errors import StripOutOfReach
from hardware.lights import StripLights
from hardware.ports import Fault, Pattern, Scene, Show, Trouble
from hardware.simulated.board import HandClock
from hardware.simulated.strip import SimulatedStrip

STANDARD = find_board("standard")
ON_SPI = replace(STANDARD.strip, driver="spi")
Colour = tuple[int, int, int]

# linux/spi/spidev.h
SPI_IOC_WR_MODE, SPI_IOC_WR_BITS_PER_WORD, SPI_IOC_WR_MAX_SPEED_HZ = 0x40016B01, 0x40016B03, 0x40046B04
SPI_IOC_MESSAGE_1 = 0x40206B00
SPI_IOC_TRANSFER = struct.Struct("=QQIIHBBBBBx")
"""Its fields begin with the addresses of what to send and to receive, the length and the speed."""


class Kernel:
    """The part of Linux that serves a device of SPI, as far as a driver may notice it."""

    def __init__(self, device: Path) -> None:
        self.device = device
        self.bufsiz = 4096
        self.settings: dict[int, int] = {}
        self.sent: list[bytes] = []
        self.failure: OSError | None = None

    def ioctl(self, handle: int, request: int, argument: bytes) -> int:
        os.fstat(handle)  # fails unless the device is open
        if request != SPI_IOC_MESSAGE_1:
            assert request in (SPI_IOC_WR_MODE, SPI_IOC_WR_BITS_PER_WORD, SPI_IOC_WR_MAX_SPEED_HZ), hex(request)
            self.settings[request] = int.from_bytes(argument, "little")
            return 0
        address, received, length, *others = SPI_IOC_TRANSFER.unpack(argument)
        assert (received, others) == (0, [0] * len(others)), "sends only, in the way that was set before"
        if self.failure:
            raise self.failure
        if length > self.bufsiz:
            raise OSError(errno.EMSGSIZE, os.strerror(errno.EMSGSIZE))
        self.sent.append(string_at(address, length))
        return len(self.sent[-1])


def device_at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a file that the driver takes for the device of SPI."""
    device = folder / "spidev0.0"
    device.touch()
    monkeypatch.setattr(spi, "SPI_DEVICE", str(device))
    return device


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """A machine with a device of SPI."""
    kernel = Kernel(device_at(tmp_path, monkeypatch))
    monkeypatch.setattr(Adafruit_PureIO.spi, "ioctl", kernel.ioctl)
    return kernel


@pytest.fixture
def opened(kernel: Kernel) -> Iterator[Callable[[Strip], Pixels]]:
    """Opens strips, and closes them at the end."""
    strips: list[Pixels] = []

    def opener(strip: Strip) -> Pixels:
        strips.append(open_strip(strip))
        return strips[-1]

    yield opener
    for pixels in strips:
        pixels.deinit()


def shown(pixels: Pixels, colours: list[Colour]) -> None:
    pixels[:] = colours
    pixels.show()


# --- Timing ----------------------------------------------------------------------------------------------------------


def bcm2835_hz(clock_hz: int, wanted_hz: int) -> float:
    """What drivers/spi/spi-bcm2835.c makes of a frequency: the next even divider up."""
    divider = -(-clock_hz // wanted_hz)
    return clock_hz / (divider + divider % 2)


def designware_hz(clock_hz: int, wanted_hz: int) -> float:
    """What drivers/spi/spi-dw-core.c makes of a frequency."""
    return clock_hz / (-(-clock_hz // wanted_hz) + 1 & 0xFFFE)


# The clock under SPI, with the settings that the doctor asks for; on a Pi 5 it is the RP1's own.
PIS = {
    "3": (bcm2835_hz, 250_000_000),
    "Zero 2": (bcm2835_hz, 250_000_000),
    "4": (bcm2835_hz, 500_000_000),
    "5": (designware_hz, 200_000_000),
}

# In µs, of all of them: how long the line is high for a zero and a one, and how long a bit takes.
LIGHTS = {
    "WS2812B": ((0.25, 0.55), (0.65, 0.95), (0.65, 1.85)),
    "WS2812B-V5": ((0.22, 0.38), (0.58, 1.0), (0.8, 2.0)),
}
RESET_US = 280.0
"""Of the newest lights; the older ones need 50."""


def runs(sent: bytes) -> list[tuple[str, int]]:
    """The levels of the data line, each with the number of SPI's bits it lasts."""
    bits = "".join(f"{byte:08b}" for byte in sent)
    return [(level, len(list(same))) for level, same in itertools.groupby(bits)]


def read_by_lights(sent: bytes, hertz: float, kind: str) -> bytes:
    """The bytes that lights read from the wire, by how long it is high; every time must be one that they allow."""
    zero, one, period = LIGHTS[kind]
    us = 1e6 / hertz
    before, *signal = runs(sent)
    assert before[0] == "0", "the line rests low"
    assert before[1] * us >= RESET_US
    bits = ""
    for number, ((level, high), (_, low)) in enumerate(zip(signal[::2], signal[1::2], strict=True)):
        assert level == "1"
        is_last = number == len(signal) // 2 - 1
        high_us, low_us = high * us, low * us
        bit = "0" if zero[0] <= high_us <= zero[1] else "1"
        assert bit == "0" or one[0] <= high_us <= one[1], f"{high_us} µs is neither a zero nor a one"
        if is_last:
            assert low_us >= RESET_US, "the lights take the frame over"
        else:
            assert period[0] <= high_us + low_us <= period[1]
        bits += bit
    return bytes(int(bits[start : start + 8], 2) for start in range(0, len(bits), 8))


@pytest.mark.parametrize("lights", LIGHTS)
@pytest.mark.parametrize("kind", PIS)
def test_every_pi_sends_what_every_kind_of_light_reads(
    kind: str, lights: str, kernel: Kernel, opened: Callable[[Strip], Pixels]
) -> None:
    shown(opened(replace(ON_SPI, count=3)), [(255, 0, 0), (1, 2, 3), (0, 85, 170)])
    divided, clock_hz = PIS[kind]
    hertz = divided(clock_hz, kernel.settings[SPI_IOC_WR_MAX_SPEED_HZ])
    assert hertz == spi.FREQUENCY_HZ
    assert read_by_lights(kernel.sent[-1], hertz, lights) == bytes([0, 255, 0, 2, 1, 3, 85, 0, 170])


@pytest.mark.parametrize(("set_for", "really"), [(400, 250), (250, 400), (500, 200)])
def test_a_core_clock_that_changes_makes_the_signal_unreadable(
    set_for: int, really: int, kernel: Kernel, opened: Callable[[Strip], Pixels]
) -> None:
    # This is what the doctor's check of core_freq is for.
    shown(opened(replace(ON_SPI, count=1)), [(255, 0, 1)])
    hertz = bcm2835_hz(set_for * 10**6, spi.FREQUENCY_HZ) * really / set_for
    with pytest.raises(AssertionError):
        read_by_lights(kernel.sent[-1], hertz, "WS2812B")


def test_the_clock_need_not_be_exact(kernel: Kernel, opened: Callable[[Strip], Pixels]) -> None:
    shown(opened(replace(ON_SPI, count=1)), [(255, 0, 1)])
    for hertz in (0.9 * spi.FREQUENCY_HZ, spi.FREQUENCY_HZ, 1.06 * spi.FREQUENCY_HZ):
        for lights in LIGHTS:
            assert read_by_lights(kernel.sent[-1], hertz, lights) == bytes([0, 255, 1])


COLOURS = st.tuples(*[st.integers(0, 255)] * 3)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.sampled_from(ORDERS), colours=st.lists(COLOURS, min_size=1, max_size=8))
def test_both_drivers_send_the_lights_the_same_bytes(order: str, colours: list[Colour], kernel: Kernel) -> None:
    strip = replace(ON_SPI, count=len(colours), order=order)
    by_spi = open_strip(strip)
    shown(by_spi, colours)
    read = read_by_lights(kernel.sent[-1], spi.FREQUENCY_HZ, "WS2812B")
    by_spi.deinit()
    neopixel = SimulatedStrip()
    shown(neopixel.open(replace(strip, driver="neopixel")), colours)
    assert read == neopixel.data
    simulated = SimulatedStrip()
    shown(simulated.open(strip), colours)
    assert read == simulated.data


@pytest.mark.parametrize(
    ("order", "colour", "expected"),
    [
        ("GRB", (1, 2, 3), [2, 1, 3]),
        ("RGB", (1, 2, 3), [1, 2, 3]),
        ("GRBW", (1, 2, 3), [2, 1, 3, 0]),
        ("GRBW", (9, 9, 9), [0, 0, 0, 9]),
        ("RGBW", (9, 9, 9), [0, 0, 0, 9]),
    ],
)
def test_colours_go_in_the_order_of_the_strip_and_white_by_its_own_light(
    order: str, colour: Colour, expected: list[int], kernel: Kernel, opened: Callable[[Strip], Pixels]
) -> None:
    shown(opened(replace(ON_SPI, count=1, order=order)), [colour])
    assert list(read_by_lights(kernel.sent[-1], spi.FREQUENCY_HZ, "WS2812B")) == expected


# --- The device ------------------------------------------------------------------------------------------------------


def test_sixty_lights_fit_into_the_buffer_that_every_system_has(
    kernel: Kernel, opened: Callable[[Strip], Pixels]
) -> None:
    shown(opened(ON_SPI), [(255, 255, 255)] * 60)
    assert len(kernel.sent) == 1, "a frame in pieces would have pauses, which lights take for its end"
    assert len(kernel.sent[0]) == spi.frame_bytes(ON_SPI) == 1908
    assert kernel.settings == {
        SPI_IOC_WR_MODE: 0,
        SPI_IOC_WR_BITS_PER_WORD: 8,
        SPI_IOC_WR_MAX_SPEED_HZ: spi.FREQUENCY_HZ,
    }


@pytest.mark.parametrize(("order", "most"), [("GRB", 151), ("GRBW", 113)])
def test_more_lights_than_the_buffer_holds_are_refused_and_never_sent_in_pieces(
    order: str, most: int, kernel: Kernel, opened: Callable[[Strip], Pixels]
) -> None:
    shown(opened(replace(ON_SPI, count=most, order=order)), [(1, 2, 3)] * most)
    assert len(kernel.sent) == 1
    pixels = opened(replace(ON_SPI, count=most + 1, order=order))
    with pytest.raises(StripOutOfReach, match=r"need 41\d\d bytes at once.*spidev\.bufsiz"):
        pixels.show()
    assert len(kernel.sent) == 1
    kernel.bufsiz = 32768
    pixels.show()
    assert len(kernel.sent) == 2


def test_the_biggest_strip_fits_into_the_buffer_that_the_doctor_recommends() -> None:
    from companion.doctor.bufsiz import RECOMMENDED

    assert spi.frame_bytes(replace(ON_SPI, count=1000, order="GRBW")) <= RECOMMENDED


def test_a_frame_is_long_enough_for_dma_even_with_one_light(kernel: Kernel, opened: Callable[[Strip], Pixels]) -> None:
    # spi-bcm2835.c feeds up to 96 bytes by hand, with a pause after each.
    opened(replace(ON_SPI, count=1)).show()
    assert len(kernel.sent[0]) > 96


def test_a_strip_that_is_closed_is_dark_and_gives_its_device_back(kernel: Kernel) -> None:
    open_files = set(os.listdir("/proc/self/fd"))
    pixels = open_strip(replace(ON_SPI, count=1))
    shown(pixels, [(1, 2, 3)])
    pixels.deinit()
    pixels.pin.deinit()
    assert read_by_lights(kernel.sent[-1], spi.FREQUENCY_HZ, "WS2812B") == bytes(3)
    assert set(os.listdir("/proc/self/fd")) == open_files


def test_a_strip_that_fails_is_opened_again(kernel: Kernel) -> None:
    clock, told = HandClock(), list[object]()
    board = replace(STANDARD, strip=ON_SPI)
    open_files = set(os.listdir("/proc/self/fd"))
    with StripLights(board, clock=clock, by_hand=True) as lights:
        lights.listen(told.append)
        lights.show(Scene({"granada": Show(Pattern.STEADY, "red")}))
        lights.poll()
        assert granada_is_red(kernel, board)
        kernel.failure = OSError(errno.EIO, os.strerror(errno.EIO))
        lights.show(Scene({"granada": Show(Pattern.STEADY, "blue")}))
        lights.poll()
        kernel.failure = None
        lights.show(Scene({"granada": Show(Pattern.STEADY, "red")}))
        clock.now_s += 5.0
        lights.poll()
        assert granada_is_red(kernel, board)
    assert [(each.fault, each.over) for each in told if isinstance(each, Trouble)] == [
        (Fault.LOST_STRIP, False),
        (Fault.LOST_STRIP, True),
    ]
    assert set(os.listdir("/proc/self/fd")) == open_files


def granada_is_red(kernel: Kernel, board: Board) -> bool:
    """Whether the last frame has red in granada, no brighter than the board file says, and nothing anywhere else."""
    read = read_by_lights(kernel.sent[-1], spi.FREQUENCY_HZ, "WS2812B")
    lit = {number: tuple(read[3 * number : 3 * number + 3]) for number in range(60) if any(read[3 * number :][:3])}
    assert set(lit) == set(board.places["granada"].lights)
    return all(0 < red <= 255 * board.strip.brightness and not green and not blue for green, red, blue in lit.values())


@pytest.mark.parametrize(
    ("number", "said"), [(errno.EACCES, "Permission denied"), (errno.ENXIO, "No such device or address")]
)
def test_a_device_that_cannot_be_opened_is_told_with_its_reason(
    number: int, said: str, kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: str, flags: int) -> int:
        raise OSError(number, os.strerror(number), path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refused)
        with pytest.raises(StripOutOfReach) as caught:
            open_strip(ON_SPI)
    assert caught.value.why == f"{kernel.device}: {said}"


def test_without_spi_the_missing_device_is_named() -> None:
    with pytest.raises(StripOutOfReach, match=r"/dev/spidev0\.0 does not exist"):
        open_strip(ON_SPI)


def test_a_device_that_is_not_spi_is_closed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The real kernel refuses what only SPI understands.
    device_at(tmp_path, monkeypatch)
    open_files = set(os.listdir("/proc/self/fd"))
    with pytest.raises(StripOutOfReach, match="Inappropriate ioctl for device"):
        open_strip(ON_SPI)
    assert set(os.listdir("/proc/self/fd")) == open_files


@pytest.mark.parametrize("gpio", [12, 18, 21])
def test_a_strip_on_another_pin_is_refused_with_the_pin_that_spi_has(gpio: int) -> None:
    with pytest.raises(StripOutOfReach, match=f"SPI sends on GPIO 10, and the strip is on GPIO {gpio}"):
        open_strip(replace(ON_SPI, gpio=gpio))

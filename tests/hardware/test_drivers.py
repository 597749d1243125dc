"""The registries of drivers: every file is in its list, every name has its file, and a board uses the one it names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import hardware.drivers
from firmware.chips import CHIPS as DRIVEN_CHIPS
from hardware.board import example_board
from hardware.drawing.parts import chips_of, parts
from hardware.drawing.svg import KINDS
from hardware.drivers.chips import CHIPS, chip_facts
from hardware.drivers.lights import LIGHT_DRIVERS, Output, driver_of, open_strip, output_of
from hardware.errors import StripOutOfReach
from hardware.link import UNNAMED_CHIP, HubLink, start_words
from hardware.models import Pi, pi_of
from hardware.ports import Pattern, Scene, Show
from hardware.simulated.board import SimulatedBoard

FOLDER = Path(hardware.drivers.__file__).parent
BOARD = example_board()


def files(folder: str, *others: str) -> set[str]:
    """The drivers in a folder; `others` are what they share."""
    return {file.stem for file in (FOLDER / folder).glob("*.py")} - {"__init__", *others}


def test_every_light_driver_is_in_the_list() -> None:
    assert files("lights", "output", "pixels") == set(LIGHT_DRIVERS)


def test_every_chip_has_its_facts_and_its_driver_on_the_hub() -> None:
    assert files("chips", "facts") == set(CHIPS) == set(DRIVEN_CHIPS)


def test_what_a_hub_has_that_names_no_chip_is_what_older_files_and_hubs_mean() -> None:
    assert (CHIPS[0], UNNAMED_CHIP) == ("rc522", "rc522")


PI4, PI5 = pi_of("Raspberry Pi 4 Model B Rev 1.4"), pi_of("Raspberry Pi 5 Model B Rev 1.0")
# Of each: the driver that the board file names, if any, the pin, the Pi, the driver in use, and what makes the signal.
CHOICES: list[tuple[str, int, Pi | None, str, Output]] = [
    ("", 10, PI4, "spi", Output.SPI),
    ("", 10, PI5, "spi", Output.SPI),
    ("", 10, None, "spi", Output.SPI),
    ("", 12, PI4, "neopixel", Output.PWM),
    ("", 18, PI4, "neopixel", Output.PWM),
    ("", 21, PI4, "neopixel", Output.PCM),
    ("", 18, PI5, "neopixel", Output.PIO),
    ("neopixel", 10, PI4, "neopixel", Output.SPI),
    ("neopixel", 10, PI5, "neopixel", Output.PIO),
    ("spi", 10, PI5, "spi", Output.SPI),
    ("simulated", 10, PI4, "simulated", Output.NONE),
]


@pytest.mark.parametrize(("named", "gpio", "pi", "driver", "output"), CHOICES)
def test_the_driver_is_the_one_named_or_the_one_for_the_pin_and_the_pi(
    named: str, gpio: int, pi: Pi | None, driver: str, output: Output
) -> None:
    strip = replace(BOARD.strip, driver=named, gpio=gpio)
    assert driver_of(strip, pi) == driver
    assert output_of(strip, pi) is output


@pytest.mark.parametrize("driver", LIGHT_DRIVERS)
def test_on_the_simulated_board_no_driver_opens_a_device(driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.drivers.lights.spi.SpidevBus", None)
    strip = replace(BOARD.strip, driver=driver)
    with SimulatedBoard(replace(BOARD, strip=strip), by_hand=True) as board:
        board.lights.show(Scene({"north": Show(Pattern.STEADY, "red")}))
        board.advance(0.1)
        colours = board.strip.colours()
        assert [number for number, colour in enumerate(colours) if any(colour)] == [0, 1, 2, 3]
        assert all(red and not green and not blue for red, green, blue in colours[:4])
        board.strip.lost = True
        board.lights.show(Scene({"north": Show(Pattern.STEADY, "blue")}))
        board.advance(0.1)
        assert board.lights.why_lost == "the strip was unplugged"


@pytest.mark.parametrize("chip", CHIPS)
def test_the_facts_of_a_chip_fit_together(chip: str) -> None:
    facts = chip_facts(chip)
    assert set(facts.wires) <= set(facts.pins)
    assert set(facts.wires.values()) <= set(KINDS)
    assert {"ground", "3v3"} <= set(facts.wires.values())
    assert 0 < facts.resting_ma < facts.field_ma


def test_a_strip_is_opened_by_the_driver_that_its_board_file_names() -> None:
    pixels = open_strip(replace(BOARD.strip, driver="simulated"))
    pixels[:] = [(1, 2, 3)] * BOARD.strip.count
    pixels.show()
    pixels.deinit()
    for driver in ("neopixel", "spi"):
        with pytest.raises(StripOutOfReach):
            open_strip(replace(BOARD.strip, driver=driver))


def test_the_parts_of_a_board_are_those_of_its_chips() -> None:
    assert chips_of(BOARD) == {"rc522": 2}
    counts = {part.what: part.count for part in parts(BOARD, {})}
    assert counts[chip_facts("rc522").part] == 2


def test_a_chip_other_than_the_rc522_is_named_in_start() -> None:
    hub = BOARD.hubs["hub"]
    assert start_words(hub) == ("start", "tap", 2)
    assert start_words(replace(hub, chip="pn532")) == ("start", "tap", 2, "pn532")
    link = HubLink(replace(hub, chip="pn532"), 0.0, requests=7)
    assert link.outgoing(0.0).startswith(b"host 8 start tap 2 pn532*")


def test_a_hub_that_does_not_know_the_chip_is_lost_with_its_reason() -> None:
    hub = replace(BOARD.hubs["hub"], chip="pn532")
    with SimulatedBoard(replace(BOARD, hubs={"hub": hub}), by_hand=True) as board:
        board.advance(1.0)
        (trouble,) = board.gestures
    assert "it cannot do what the board file says of it" in repr(trouble)

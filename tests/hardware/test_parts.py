"""The parts list and the power sum: nothing is forgotten, and the fuse and the supply fit the strip."""

from __future__ import annotations

import copy
import tomllib

import pytest

from companion.cli.board import parts_report, tagged_pieces
from hardware.board import MOST_READERS, SHIPPED, Board, board_of, find_board
from hardware.drawing.parts import (
    FUSES_A,
    PI_POWER,
    PICO_3V3_MA,
    PICO_MA,
    SUPPLIES_A,
    parts,
    power,
    readers_ma,
)
from hardware.drivers.chips import chip_facts

README = SHIPPED.parent / "README.md"
RC522 = chip_facts("rc522")


def with_budget(budget_ma: float) -> Board:
    data = tomllib.loads((SHIPPED / "buttons-only.toml").read_text("utf-8"))
    data["strip"]["budget_ma"] = budget_ma
    return board_of("test", data)


def counts(board: Board) -> dict[str, int]:
    return {part.what: part.count for part in parts(board, tagged_pieces())}


def test_the_standard_board_has_all_its_parts() -> None:
    found = counts(find_board("standard"))
    wanted = {
        "Raspberry Pi": 1,
        "microSD card": 1,
        "push button": 12,
        "NeoPixel light (WS2812B, 5 V, GRB)": 60,
        "supply 5 V, 4 A": 1,
        "fuse 3.15 A, slow, 5 x 20 mm": 1,
        "capacitor 1000 µF, 6.3 V or more": 1,
        "level shifter 74AHCT125, DIP-14": 1,
        "resistor 470 Ω, 1/4 W": 1,
        "Raspberry Pi Pico, with pin headers": 3,
        "USB cable, A to micro-B, data": 3,
        "RC522 reader module, 13.56 MHz": 10,
        "tag sticker, ISO 14443 A (NTAG213)": 158,
    }
    assert {what: found.get(what) for what in wanted} == wanted


def test_a_board_without_readers_needs_no_hubs_and_no_tags() -> None:
    whats = " ".join(counts(find_board("buttons-only")))
    assert not any(word in whats for word in ("Pico", "RC522", "tag", "USB"))


def test_a_reader_that_no_place_has_is_not_bought() -> None:
    data = copy.deepcopy(tomllib.loads((SHIPPED / "standard.toml").read_text("utf-8")))
    del data["places"]["castillo"]["reader"]
    board = board_of("test", data)
    assert counts(board)["RC522 reader module, 13.56 MHz"] == 9
    assert power(board).hubs_ma["north"] == PICO_MA + RC522.field_ma + 2 * RC522.resting_ma


def test_the_tags_are_those_of_the_pieces_that_the_program_has() -> None:
    found = parts(find_board("standard"), {"20 coins": 20, "3 boats": 3})
    (tags,) = (part for part in found if part.what.startswith("tag sticker"))
    assert (tags.count, tags.note) == (23, "20 coins, 3 boats")


def test_a_board_without_controls_has_a_button_per_place() -> None:
    data = tomllib.loads((SHIPPED / "examples" / "two-places.toml").read_text("utf-8"))
    del data["controls"]
    (button,) = (part for part in parts(board_of("test", data), {}) if part.what == "push button")
    assert (button.count, button.note) == (2, "closes while pressed; one per place")


def test_what_breaks_or_gets_lost_has_spares() -> None:
    spares = {part.what.split()[0] for part in parts(find_board("standard"), tagged_pieces()) if part.spare}
    assert {"push", "NeoPixel", "fuse", "level", "resistor", "RC522", "tag"} <= spares


def test_the_sum_is_the_lights_the_pi_and_each_hub() -> None:
    sums = power(find_board("standard"))
    assert sums.strip_ma == 2500
    assert sums.hubs_ma == {"west": 153, "north": 167, "south": 153}
    pi_4 = next(model for model in PI_POWER if model.name == "4B")
    assert sums.pi_ma(pi_4) == 600 + 473
    assert sums.total_ma(pi_4) == 2500 + 600 + 473


def test_every_pi_can_feed_the_hubs_of_the_standard_board() -> None:
    sums = power(find_board("standard"))
    for model in PI_POWER:
        assert sums.usb_ma <= model.usb_ma
        assert sums.pi_ma(model) <= model.supply_a * 1000


@pytest.mark.parametrize("budget_ma", [130, 500, 1000, 1999, 2000, 2500, 3150, 4000, 7900, 12_000, 15_900])
def test_the_fuse_is_the_next_above_the_budget_and_the_supply_can_blow_it(budget_ma: float) -> None:
    sums = power(with_budget(budget_ma))
    assert sums.fuse_a is not None
    assert sums.supply_a is not None
    assert budget_ma / 1000 < sums.fuse_a
    assert not any(budget_ma / 1000 < fuse < sums.fuse_a for fuse in FUSES_A)
    assert sums.supply_a >= max(sums.fuse_a, 1.25 * budget_ma / 1000)
    assert sums.supply_a in SUPPLIES_A


def test_a_strip_too_big_for_one_fuse_is_to_be_split() -> None:
    board = with_budget(40_000)
    assert power(board).supply_a is None
    assert "Split the strip" in parts_report(board)


def test_four_readers_taking_turns_want_less_than_a_pico_gives() -> None:
    assert readers_ma(RC522, MOST_READERS) < PICO_3V3_MA / 2
    assert MOST_READERS * RC522.field_ma >= PICO_3V3_MA


def test_the_readme_has_the_parts_of_the_standard_board() -> None:
    kept = README.read_text("utf-8")
    wanted = "\n".join(f"    {line}".rstrip() for line in parts_report(find_board("standard")).splitlines())
    assert wanted in kept, "put the output of `companion board parts` into hardware/README.md"

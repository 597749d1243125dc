"""The driver of the RC522 against a chip that is simulated to its registers: it finds every tag, and never hangs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.hub import Crowded, ReaderError
from firmware.rc522 import checksum
from tests.support.reader_rig import MOST_ACCESSES, TX_CONTROL, Modules, ReaderRig, stand_ins

CRC_LOW, COMMAND = 0x22, 0x01

ONE, TWO, LONG = "86A083EE", "169A0A3B", "04A1B2C3D4E5F6"


@pytest.fixture(scope="module")
def modules() -> Iterator[Modules]:
    with stand_ins() as found:
        yield found


# Tags.


@pytest.mark.parametrize("gap_us", [100, 1000, 5000])
@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("tag", [ONE, TWO, LONG, "00000000", "FFFFFFFF", "00000000000000", "FFFFFFFFFFFFFF"])
def test_one_tag_is_found_by_every_scan_and_none_after_it_is_gone(
    modules: Modules, tag: str, many: bool, gap_us: int
) -> None:
    rig = ReaderRig(modules, gap_us=gap_us)
    assert rig.scan(many) == []
    rig.put(tag)
    for _ in range(3):
        assert rig.scan(many) == [tag]
        assert rig.took_ms < 50
    rig.take(tag)
    assert rig.scan(many) == []


ALIKE = [
    (ONE, TWO),
    (ONE, LONG),
    (LONG, LONG[:8]),
    ("00000000", "00000080"),
    ("00000000", "01000000"),
    ("FFFFFFFF", "FFFFFF7F"),
    ("A1B2C3D4", "A1B2C354"),
    ("04A1B2C3D4E5F6", "04A1B2C3D4E5F7"),
    ("04A1B2C3D4E5F6", "04A1B2C3D4E576"),
    ("04A1B2C3D4E5F6", "04A132C3D4E5F6"),
    ("04A1B2C3D4E5F6", "05A1B2C3D4E5F6"),
    ("88A1B2C3D4E5F6", "88A1B2C3D4E5F7", "87A1B2C3"),
    ("00000000", "01000000", "02000000", "03000000", "80000000", "00000080"),
    ("04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "04A1B2C4D4E5F6", "04A1B3C3D4E5F6", "04A1B2C3", "05A1B2C3"),
]


@pytest.mark.parametrize("collided_bit", [0, 1])
@pytest.mark.parametrize("tags", ALIKE, ids=" ".join)
def test_tags_that_are_alike_are_told_apart_or_are_a_crowd(
    modules: Modules, tags: tuple[str, ...], collided_bit: int
) -> None:
    rig = ReaderRig(modules, *tags)
    rig.chip.collided_bit = collided_bit
    for _ in range(2):
        assert rig.scan(many=True) == sorted(tags)
        with pytest.raises(Crowded):
            rig.scan()


@st.composite
def crowds(draw: st.DrawFn) -> list[str]:
    """Two to six tags; many share all but a bit with another."""
    tags: list[bytes] = [draw(st.binary(min_size=size, max_size=size)) for size in draw(sizes)]
    for near in draw(st.lists(st.integers(0, 55), max_size=3)):
        tag = bytearray(tags[near % len(tags)])
        tag[near // 8 % len(tag)] ^= 1 << near % 8
        tags.append(bytes(tag))
    # At these places 88 stands for a longer number.
    return sorted({tag.hex().upper() for tag in tags if tag[0 if len(tag) == 4 else 3] != 0x88})[:6]


sizes = st.lists(st.sampled_from((4, 7)), min_size=2, max_size=4)


@settings(max_examples=40, deadline=None)
@given(crowds(), st.sampled_from((0, 1)), st.sampled_from((100, 1000, 5000)))
def test_up_to_six_tags_at_once_are_all_found(modules: Modules, tags: list[str], collided: int, gap_us: int) -> None:
    rig = ReaderRig(modules, *tags, gap_us=gap_us)
    rig.chip.collided_bit = collided
    assert rig.scan(many=True) == tags
    if len(tags) > 1:
        with pytest.raises(Crowded):
            rig.scan()


def test_sixteen_tags_are_found_within_half_a_second(modules: Modules) -> None:
    tags = sorted(f"04A1B2{3 * number:02X}D4E507" for number in range(16))
    rig = ReaderRig(modules, *tags)
    assert rig.scan(many=True) == tags
    assert rig.took_ms < 500


# Noise and hands.


@pytest.mark.parametrize("many", [False, True])
@settings(max_examples=25, deadline=None)
@given(noise=st.lists(st.booleans(), max_size=40))
def test_noise_makes_no_tag_up_and_the_next_scan_is_good(modules: Modules, many: bool, noise: list[bool]) -> None:
    tags = sorted([ONE, LONG]) if many else [LONG]
    rig = ReaderRig(modules, *tags)
    left = list(noise)
    rig.chip.noise = lambda: left.pop() if left else False
    for _ in range(3):
        assert set(rig.scan(many)) <= set(tags)
    rig.chip.noise = 0
    assert rig.scan(many) == tags


def test_noise_without_end_finds_nothing_and_ends(modules: Modules) -> None:
    rig = ReaderRig(modules, ONE, LONG)
    rig.chip.noise = lambda: True
    assert rig.scan(many=True) == []
    assert rig.scan() == []
    assert rig.took_ms < 100


@pytest.mark.parametrize("at", range(1, 420, 13))
def test_a_tag_that_is_taken_or_put_in_the_middle_of_a_scan_spoils_at_most_that_scan(modules: Modules, at: int) -> None:
    rig = ReaderRig(modules, ONE, TWO, LONG)
    rig.scan(many=True)
    rig.at = {at: lambda: rig.take(TWO)}
    assert set(rig.scan(many=True)) <= {ONE, TWO, LONG}
    assert rig.scan(many=True) == sorted([ONE, LONG])
    rig.at = {at: lambda: rig.put(TWO)}
    assert set(rig.scan(many=True)) <= {ONE, TWO, LONG}
    assert rig.scan(many=True) == sorted([ONE, TWO, LONG])


# Chips that fail.


@pytest.mark.parametrize("level", [0x00, 0xFF])
def test_a_chip_that_is_not_there_is_an_error_at_once(modules: Modules, level: int) -> None:
    rig = ReaderRig(modules, ONE)
    rig.chip.dead, rig.chip.dead_level = True, level
    for work in (rig.reader.scan(False), rig.reader.scan(True), rig.reader.test()):
        with pytest.raises(ReaderError, match="no chip"):
            rig.run(work)
        assert rig.accesses <= 5
    rig.chip.dead = False
    assert rig.scan() == [ONE]


def freeze(rig: ReaderRig) -> None:
    rig.chip.frozen = True


def die_high(rig: ReaderRig) -> None:
    rig.chip.dead, rig.chip.dead_level = True, 0xFF


def die_low(rig: ReaderRig) -> None:
    rig.chip.dead, rig.chip.dead_level = True, 0x00


def starve(rig: ReaderRig) -> None:
    rig.chip.reset_now()


@pytest.mark.parametrize("gap_us", [100, 1000, 5000])
@pytest.mark.parametrize("many", [False, True])
def test_a_frozen_chip_is_an_error_after_25_ms_and_others_have_their_turn(
    modules: Modules, many: bool, gap_us: int
) -> None:
    rig = ReaderRig(modules, ONE, gap_us=gap_us)
    for _ in range(2):
        freeze(rig)
        with pytest.raises(ReaderError, match="never ends"):
            rig.scan(many)
        assert 25 <= rig.took_ms < 60
        with pytest.raises(ReaderError, match="never ends"):
            rig.run(rig.reader.test())
        rig.chip.frozen = False
        assert rig.scan(many) == [ONE]


@pytest.mark.parametrize("fault", [freeze, die_high, die_low, starve])
@pytest.mark.parametrize("at", range(1, 300, 11))
def test_a_chip_that_fails_in_the_middle_of_a_scan_makes_no_tag_up_and_is_set_up_again(
    modules: Modules, at: int, fault: Callable[[ReaderRig], None]
) -> None:
    rig = ReaderRig(modules, ONE, LONG)
    rig.scan(many=True)
    rig.at = {at: lambda: fault(rig)}
    with contextlib.suppress(ReaderError):
        assert set(rig.scan(many=True)) <= {ONE, LONG}
    assert rig.took_ms < 150
    rig.chip.frozen = rig.chip.dead = False
    assert rig.scan(many=True) == sorted([ONE, LONG])


def test_a_brown_out_between_two_scans_is_noticed(modules: Modules) -> None:
    rig = ReaderRig(modules, ONE)
    for _ in range(3):
        assert rig.scan() == [ONE]
        starve(rig)


@pytest.mark.parametrize("turns", range(1, 12))
def test_a_scan_that_is_given_up_leaves_the_field_off(modules: Modules, turns: int) -> None:
    rig = ReaderRig(modules, ONE, TWO, LONG)
    work = rig.reader.scan(many=True)
    next(work)
    for _ in range(turns):
        rig.machine.elapse(1000)
        work.send(rig.machine.now_us() // 1000)
    work.close()
    assert not rig.chip.read(TX_CONTROL) & 3
    assert rig.scan(many=True) == sorted([ONE, TWO, LONG])


# The test of itself.


@pytest.mark.parametrize("version", [0x88, 0x91, 0x92, 0xB2])
def test_a_sound_chip_passes_and_tells_its_version(modules: Modules, version: int) -> None:
    rig = ReaderRig(modules, ONE)
    rig.chip.version = version
    assert rig.run(rig.reader.test()) == f"ok version {version:02X}"
    assert rig.longest <= MOST_ACCESSES
    assert not rig.chip.read(TX_CONTROL) & 3
    assert rig.scan() == [ONE]


@pytest.mark.parametrize(
    ("register", "value", "why"),
    [
        (0x09, 0x5A, "memory wrong"),
        (0x0A, 63, "memory wrong"),
        (CRC_LOW, 0x00, "arithmetic wrong"),
        (TX_CONTROL, 0x80, "antenna off"),
        (COMMAND, 0x30, "reset never ends"),
    ],
)
def test_a_chip_with_a_broken_part_fails_and_tells_which(modules: Modules, register: int, value: int, why: str) -> None:
    rig = ReaderRig(modules)
    read = rig.chip.read
    rig.chip.read = lambda address: value if address == register else read(address)
    with pytest.raises(ReaderError, match=why):
        rig.run(rig.reader.test())
    assert rig.took_ms < 50


def test_the_checksum_is_that_of_iso_14443() -> None:
    """The examples of the standard, annex B."""
    assert checksum(b"\x00\x00") == b"\xa0\x1e"
    assert checksum(b"\x12\x34") == b"\x26\xcf"

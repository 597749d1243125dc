"""The simulated MFRC522 does what its data sheet says, and its tags what ISO 14443-3 says, register by register."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

STAND_INS = Path(__file__).parents[2] / "hardware" / "simulated" / "micropython"

COMMAND, COM_I_EN, COM_IRQ, DIV_IRQ, ERROR, STATUS_1, STATUS_2, FIFO, LEVEL = 1, 2, 4, 5, 6, 7, 8, 9, 0x0A
WATER, CONTROL, FRAMING, COLL, MODE, TX_MODE, RX_MODE = 0x0B, 0x0C, 0x0D, 0x0E, 0x11, 0x12, 0x13
TX_CONTROL, TX_ASK = 0x14, 0x15
CRC_H, CRC_L, T_MODE, T_PRE, RELOAD_H, RELOAD_L, AUTO_TEST, VERSION = 0x21, 0x22, 0x2A, 0x2B, 0x2C, 0x2D, 0x36, 0x37
IDLE, MEM, CALC_CRC, TRANSMIT, NO_CHANGE, RECEIVE, TRANSCEIVE, SOFT_RESET = 0, 1, 3, 4, 7, 8, 0x0C, 0x0F
TX, RX, IDLE_IRQ, LO_ALERT, ERR, TIMER = 0x40, 0x20, 0x10, 0x04, 0x02, 0x01

CLASSIC = bytes.fromhex("86A083EE")
OTHER = bytes.fromhex("169A0A3B")
NTAG = bytes.fromhex("04A1B2C3D4E5F6")


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any, Any]]:
    """The stand-ins under the names MicroPython knows them by, for one test only."""
    names = ("machine", "chip", "tags")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(str(STAND_INS))
    machine, chip, tags = (importlib.import_module(name) for name in names)
    yield machine, chip, tags
    machine.reset_all()
    for name in names:
        sys.modules.pop(name, None)


class ChipRig:
    """One chip on a bus, a few words to talk to it, and nothing of a driver."""

    def __init__(self, modules: tuple[Any, Any, Any]) -> None:
        self.machine, chip, self.tags = modules
        self.chip = chip.Chip()
        self.select = self.machine.Pin(5, self.machine.Pin.OUT, value=1)
        self.reset = self.machine.Pin(6, self.machine.Pin.OUT, value=1)
        self.machine.attach(0, 5, self.chip, 6)
        self.spi = self.machine.SPI(0, baudrate=4_000_000)
        self.machine.elapse(5_000)

    def transfer(self, *out: int) -> bytes:
        into = bytearray(len(out))
        self.select(0)
        self.spi.write_readinto(bytes(out), into)
        self.select(1)
        return bytes(into)

    def read(self, address: int) -> int:
        return self.transfer(0x80 | address << 1, 0)[1]

    def write(self, address: int, *values: int) -> None:
        self.transfer(address << 1, *values)

    def field_on(self) -> None:
        """What a driver sets up: a timeout of 25 ms, CRC_A, full modulation, the antenna, and time for the tags."""
        for address, value in (
            (T_MODE, 0x80), (T_PRE, 0xA9), (RELOAD_H, 0x03), (RELOAD_L, 0xE8), (TX_ASK, 0x40), (MODE, 0x3D),
            (TX_CONTROL, 0x83),
        ):  # fmt: skip
            self.write(address, value)
        self.machine.elapse(6_000)

    def begin(self, data: bytes, bits: int = 0, align: int = 0) -> None:
        self.write(COMMAND, IDLE)
        self.write(COM_IRQ, 0x7F)
        self.write(LEVEL, 0x80)
        self.write(FIFO, *data)
        self.write(COMMAND, TRANSCEIVE)
        self.write(FRAMING, align << 4 | bits)
        self.write(FRAMING, 0x80 | align << 4 | bits)

    def exchange(self, data: bytes, bits: int = 0, align: int = 0) -> bytes | None:
        """Send a frame and wait for the answer; None is the timer running out."""
        self.begin(data, bits, align)
        for _ in range(2_000):
            irq = self.read(COM_IRQ)
            if irq & RX:
                return bytes(self.read(FIFO) for _ in range(self.read(LEVEL)))
            if irq & TIMER:
                return None
        raise AssertionError("neither an answer nor the timer")

    def request(self, code: int = 0x26) -> bytes | None:
        return self.exchange(bytes((code,)), bits=7)

    def chosen(self, level: int, part: bytes) -> bytes | None:
        """SELECT of one cascade level by its four bytes."""
        bcc = part[0] ^ part[1] ^ part[2] ^ part[3]
        return self.exchange(self.tags.with_crc(bytes((level, 0x70)) + part + bytes((bcc,))))

    def halt(self) -> bytes | None:
        return self.exchange(self.tags.with_crc(b"\x50\x00"))

    def put(self, uid: bytes, **kind: Any) -> Any:
        tag = self.tags.Tag(uid, **kind)
        self.chip.put(tag)
        self.machine.elapse(6_000)
        return tag


@pytest.fixture
def rig(modules: tuple[Any, Any, Any]) -> ChipRig:
    return ChipRig(modules)


@pytest.fixture
def live(rig: ChipRig) -> ChipRig:
    rig.field_on()
    return rig


# Registers and the bus.


def test_the_version_register_tells_the_chip(rig: ChipRig) -> None:
    assert rig.read(VERSION) == 0x92
    rig.chip.version = 0x91
    assert rig.read(VERSION) == 0x91


RESET_VALUES = [
    (COMMAND, 0x20), (COM_I_EN, 0x80), (3, 0x00), (COM_IRQ, 0x14), (DIV_IRQ, 0x00), (ERROR, 0x00), (STATUS_1, 0x21),
    (STATUS_2, 0x00), (LEVEL, 0x00), (WATER, 0x08), (CONTROL, 0x10), (FRAMING, 0x00), (COLL, 0xA0), (MODE, 0x3F),
    (TX_MODE, 0x00), (RX_MODE, 0x00), (TX_CONTROL, 0x80), (TX_ASK, 0x00), (0x16, 0x10), (0x17, 0x84), (0x18, 0x84),
    (0x19, 0x4D), (0x1C, 0x62), (0x1D, 0x00), (0x1F, 0xEB), (CRC_H, 0xFF), (CRC_L, 0xFF), (0x24, 0x26), (0x26, 0x48),
    (0x27, 0x88), (0x28, 0x20), (0x29, 0x20), (T_MODE, 0), (T_PRE, 0), (RELOAD_H, 0), (RELOAD_L, 0), (AUTO_TEST, 0x40),
]  # fmt: skip


@pytest.mark.parametrize("how", ["soft", "pin", "brown-out"])
def test_a_reset_brings_every_register_to_its_value(rig: ChipRig, how: str) -> None:
    for register in (COM_I_EN, WATER, MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK, 0x26, T_MODE, T_PRE, RELOAD_L):
        rig.write(register, 0x03)
    if how == "soft":
        rig.write(COMMAND, SOFT_RESET)
    elif how == "pin":
        rig.reset(0)
        rig.reset(1)
    else:
        rig.chip.reset_now()
    rig.machine.elapse(2_000)
    assert [(address, rig.read(address)) for address, _ in RESET_VALUES] == RESET_VALUES


def test_a_starting_chip_shows_power_down_and_hears_nothing(rig: ChipRig) -> None:
    rig.write(COMMAND, SOFT_RESET)
    assert rig.read(COMMAND) & 0x10
    rig.machine.elapse(100)
    assert rig.read(COMMAND) == 0x20
    rig.write(COMMAND, SOFT_RESET)
    rig.write(WATER, 0x11)
    rig.machine.elapse(100)
    assert rig.read(WATER) == 0x08


def test_in_reset_the_chip_does_not_drive_the_bus(rig: ChipRig) -> None:
    rig.reset(0)
    assert rig.read(VERSION) == 0xFF


def test_a_read_of_many_bytes_takes_an_address_for_each(rig: ChipRig) -> None:
    assert rig.transfer(0x80 | VERSION << 1, 0x80 | MODE << 1, 0x80 | 0x26 << 1, 0)[1:] == b"\x92\x3f\x48"


def test_a_read_happens_with_its_address_byte_so_a_read_must_end_with_zero(rig: ChipRig) -> None:
    rig.write(FIFO, 1, 2, 3)
    assert rig.transfer(0x92, 0x92, 0)[1:] == b"\x01\x02"
    assert rig.read(LEVEL) == 1
    rig.write(LEVEL, 0x80)
    rig.write(FIFO, 1, 2, 3)
    assert rig.transfer(0x92, 0x92)[1:] == b"\x01"
    assert rig.read(LEVEL) == 1


@pytest.mark.parametrize("settings", [{"polarity": 1}, {"phase": 1}, {"baudrate": 12_000_000}, {"firstbit": 0}])
def test_only_spi_mode_0_up_to_10_mhz_is_understood(rig: ChipRig, settings: dict[str, int]) -> None:
    rig.spi = rig.machine.SPI(0, **settings)
    assert rig.read(VERSION) != 0x92


@pytest.mark.parametrize("address", [ERROR, STATUS_1, CRC_H, CRC_L, VERSION, 0x2E, 0x2F])
def test_what_is_read_only_stays(rig: ChipRig, address: int) -> None:
    before = rig.read(address)
    rig.write(address, 0x55)
    assert rig.read(address) == before


def test_irq_bits_are_set_with_set1_and_cleared_without(rig: ChipRig) -> None:
    rig.write(COM_IRQ, 0x7F)
    assert rig.read(COM_IRQ) == 0
    rig.write(COM_IRQ, 0x80 | RX | TIMER)
    assert rig.read(COM_IRQ) == RX | TIMER
    rig.write(COM_IRQ, TIMER)
    assert rig.read(COM_IRQ) == RX
    rig.write(COM_I_EN, 0x80 | RX)
    assert rig.read(STATUS_1) & 0x10


# The FIFO.


def test_the_fifo_gives_back_what_was_written(rig: ChipRig) -> None:
    rig.write(FIFO, *range(10))
    assert rig.read(LEVEL) == 10
    assert [rig.read(FIFO) for _ in range(10)] == list(range(10))
    assert rig.read(LEVEL) == 0


def test_flush_empties_the_fifo_and_reads_as_zero(rig: ChipRig) -> None:
    rig.write(FIFO, 1, 2, 3)
    rig.write(LEVEL, 0x80)
    assert rig.read(LEVEL) == 0


def test_the_65th_byte_overflows_and_flush_forgets_it(rig: ChipRig) -> None:
    rig.write(FIFO, *range(64))
    assert rig.read(ERROR) == 0
    rig.write(FIFO, 99)
    assert rig.read(LEVEL) == 64
    assert rig.read(ERROR) == 0x10
    assert rig.read(COM_IRQ) & ERR
    rig.write(LEVEL, 0x80)
    assert rig.read(ERROR) == 0


@pytest.mark.parametrize(("length", "alerts"), [(4, 0x01), (5, 0x00), (59, 0x00), (60, 0x02)])
def test_the_water_level_raises_the_alerts(rig: ChipRig, length: int, alerts: int) -> None:
    rig.write(WATER, 4)
    rig.write(FIFO, *bytes(length))
    assert rig.read(STATUS_1) & 0x03 == alerts


def test_mem_keeps_25_bytes_through_a_reset(rig: ChipRig) -> None:
    rig.write(FIFO, *range(25))
    rig.write(COM_IRQ, 0x7F)
    rig.write(COMMAND, MEM)
    rig.machine.elapse(10)
    assert rig.read(COM_IRQ) & IDLE_IRQ
    assert rig.read(LEVEL) == 0
    rig.write(COMMAND, SOFT_RESET)
    rig.machine.elapse(100)
    rig.write(COMMAND, MEM)
    rig.machine.elapse(10)
    assert [rig.read(FIFO) for _ in range(rig.read(LEVEL))] == list(range(25))


# CRC and self test.


@pytest.mark.parametrize(("data", "low", "high"), [("0000", 0xA0, 0x1E), ("1234", 0x26, 0xCF), ("5000", 0x57, 0xCD)])
def test_the_coprocessor_finds_crc_a(rig: ChipRig, data: str, low: int, high: int) -> None:
    rig.write(MODE, 0x3D)
    rig.write(DIV_IRQ, 0x04)
    rig.write(FIFO, *bytes.fromhex(data))
    rig.write(COMMAND, CALC_CRC)
    rig.machine.elapse(100)
    assert rig.read(DIV_IRQ) & 0x04
    assert (rig.read(CRC_L), rig.read(CRC_H)) == (low, high)
    assert rig.read(COMMAND) & 0x0F == CALC_CRC, "it ends only when told to"


def test_the_reset_preset_of_the_crc_is_ffff(rig: ChipRig) -> None:
    rig.write(FIFO, 0, 0)
    rig.write(COMMAND, CALC_CRC)
    rig.machine.elapse(100)
    assert (rig.read(CRC_L), rig.read(CRC_H)) != (0xA0, 0x1E)


def test_the_self_test_leaves_64_known_bytes(rig: ChipRig) -> None:
    rig.write(FIFO, *bytes(25))
    rig.write(COMMAND, MEM)
    rig.write(AUTO_TEST, 0x09)
    rig.write(FIFO, 0)
    rig.write(COMMAND, CALC_CRC)
    rig.machine.elapse(5_000)
    assert rig.read(LEVEL) == 64
    assert [rig.read(FIFO) for _ in range(4)] == [0x00, 0xEB, 0x66, 0xBA]


# Commands and timer.


def test_an_unknown_command_ends_at_once(rig: ChipRig) -> None:
    rig.write(COM_IRQ, 0x7F)
    rig.write(COMMAND, 0x05)
    assert rig.read(COMMAND) & 0x0F == IDLE
    assert rig.read(COM_IRQ) & IDLE_IRQ


def test_the_host_stopping_a_command_does_not_raise_idle(live: ChipRig) -> None:
    live.begin(b"\x26", bits=7)
    live.write(COMMAND, IDLE)
    assert not live.read(COM_IRQ) & IDLE_IRQ


def test_without_a_tag_the_timer_runs_out_and_nothing_else(live: ChipRig) -> None:
    started = live.machine.now_us()
    assert live.request() is None
    assert live.read(COM_IRQ) == TX | LO_ALERT | TIMER
    assert live.read(COMMAND) & 0x0F == TRANSCEIVE, "it ends only when told to"
    assert 25_000 < live.machine.now_us() - started < 25_800


@pytest.mark.parametrize(
    ("prescaler", "reload", "even", "cycles"),
    [(0xA9, 1000, False, 339 * 1001), (0xD3E, 30, False, 6781 * 31), (0, 0, False, 1), (0xA9, 1000, True, 340 * 1001)],
)
def test_the_timer_counts_reload_plus_one_of_its_periods(
    rig: ChipRig, prescaler: int, reload: int, even: bool, cycles: int
) -> None:
    rig.write(0x19, 0x5D if even else 0x4D)
    rig.write(T_MODE, prescaler >> 8)
    rig.write(T_PRE, prescaler & 0xFF)
    rig.write(RELOAD_H, reload >> 8)
    rig.write(RELOAD_L, reload & 0xFF)
    rig.write(COM_IRQ, 0x7F)
    rig.chip.write(CONTROL, 0x40)
    us = cycles * 25 // 339
    if us:
        rig.chip.elapse(us - 1)
        assert not rig.chip.read(COM_IRQ) & TIMER
        assert rig.chip.read(STATUS_1) & 0x08
    rig.chip.elapse(2)
    assert rig.chip.read(COM_IRQ) & TIMER
    assert not rig.chip.read(STATUS_1) & 0x08


def test_the_timer_stops_with_the_fifth_bit_of_an_answer(live: ChipRig) -> None:
    live.put(CLASSIC)
    assert live.request() is not None
    live.machine.elapse(50_000)
    assert not live.read(COM_IRQ) & TIMER


def test_start_send_counts_only_as_an_edge_during_transceive(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.write(FIFO, 0x26)
    live.write(FRAMING, 0x87)
    live.write(COM_IRQ, 0x7F)
    live.write(COMMAND, TRANSCEIVE)
    live.machine.elapse(30_000)
    assert not live.read(COM_IRQ) & TX
    live.write(FRAMING, 0x07)
    live.write(FRAMING, 0x87)
    live.machine.elapse(30_000)
    assert live.read(COM_IRQ) & (TX | RX) == TX | RX


@pytest.mark.parametrize(("code", "delay"), [(0x26, 1172), (0x52, 1236)], ids=["last bit 0", "last bit 1"])
def test_frames_and_the_delay_between_take_their_time_on_the_air(live: ChipRig, code: int, delay: int) -> None:
    """A short frame is 8 bits long with its start, the ATQA 19 bits with start and parity."""
    live.put(CLASSIC)
    live.begin(bytes((code,)), bits=7)
    ends = {TX: 8 * 128, RX: 8 * 128 + delay + 19 * 128}
    seen: dict[int, int] = {}
    for us in range(500):
        for irq in ends:
            if live.chip.read(COM_IRQ) & irq:
                seen.setdefault(irq, us)
        live.chip.elapse(1)
    assert seen[TX] == pytest.approx(ends[TX] / 13.56, abs=2)
    assert seen[RX] == pytest.approx(ends[RX] / 13.56, abs=2)


def test_transmit_ends_by_itself_and_receive_hears_the_answer(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.write(COM_IRQ, 0x7F)
    live.write(FRAMING, 0x07)
    live.write(FIFO, 0x26)
    live.write(COMMAND, TRANSMIT)
    live.machine.elapse(60)
    assert live.read(COM_IRQ) & (TX | IDLE_IRQ) == TX | IDLE_IRQ
    live.write(COMMAND, RECEIVE)
    live.machine.elapse(300)
    assert live.read(COM_IRQ) & RX
    assert live.read(COMMAND) & 0x0F == IDLE
    assert [live.read(FIFO), live.read(FIFO)] == [0x04, 0x00]


def test_a_receiver_switched_off_hears_nothing(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.begin(b"\x26", bits=7)
    live.write(COMMAND, 0x20 | NO_CHANGE)
    live.machine.elapse(30_000)
    assert live.read(COM_IRQ) & (RX | TIMER) == TIMER


def test_writing_the_fifo_while_waiting_for_an_answer_is_an_error(live: ChipRig) -> None:
    live.request()
    live.write(FIFO, 1)
    assert live.read(ERROR) == 0x80


def test_with_no_field_a_frame_waits_and_the_timer_does_not_start(rig: ChipRig) -> None:
    rig.field_on()
    rig.write(TX_CONTROL, 0x80)
    rig.begin(b"\x26", bits=7)
    rig.machine.elapse(100_000)
    assert rig.read(COM_IRQ) & (TX | TIMER) == 0
    assert rig.read(STATUS_2) & 0x07 == 2
    rig.write(TX_CONTROL, 0x83)
    rig.machine.elapse(30_000)
    assert rig.read(COM_IRQ) & (TX | TIMER) == TX | TIMER


# Tags.


@pytest.mark.parametrize(("uid", "atqa"), [(CLASSIC, b"\x04\x00"), (NTAG, b"\x44\x00")])
def test_a_tag_answers_reqa_with_its_atqa(live: ChipRig, uid: bytes, atqa: bytes) -> None:
    tag = live.put(uid)
    assert live.request() == atqa
    assert live.read(COM_IRQ) == TX | RX | LO_ALERT
    assert live.read(CONTROL) & 0x07 == 0
    assert live.read(ERROR) == 0
    assert tag.state == "READY"


def test_reqa_of_eight_bits_is_no_reqa(live: ChipRig) -> None:
    live.put(CLASSIC)
    assert live.exchange(b"\x26") is None


def test_anticollision_gives_the_uid_and_its_check_byte(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.request()
    assert live.exchange(b"\x93\x20") == CLASSIC + b"\x4b"
    assert live.read(COLL) & 0x20, "no collision, no place of it"


def test_select_gives_the_sak_with_its_crc(live: ChipRig) -> None:
    tag = live.put(CLASSIC)
    live.request()
    assert live.chosen(0x93, CLASSIC) == b"\x08\xb6\xdd"
    assert tag.state == "ACTIVE"


def test_a_seven_byte_uid_comes_in_two_levels(live: ChipRig) -> None:
    tag = live.put(NTAG)
    live.request()
    first = live.exchange(b"\x93\x20")
    assert first is not None
    assert first[:4] == b"\x88" + NTAG[:3]
    assert live.chosen(0x93, first[:4]) == b"\x04\xda\x17"
    second = live.exchange(b"\x95\x20")
    assert second is not None
    assert second[:4] == NTAG[3:]
    assert live.chosen(0x95, second[:4]) == b"\x00\xfe\x51"
    assert tag.state == "ACTIVE"


def test_the_chip_can_add_and_check_the_crc_itself(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.request()
    live.write(TX_MODE, 0x80)
    live.write(RX_MODE, 0x80)
    assert live.exchange(b"\x93\x70" + CLASSIC + b"\x4b") == b"\x08"
    assert live.read(ERROR) == 0


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param("937086A083EE4B0000", id="bad CRC"),
        pytest.param("937086A083EE4B", id="no CRC"),
        pytest.param("bad check byte", id="bad check byte"),
        pytest.param("9520", id="another level"),
        pytest.param("932886", id="impossible number of bits"),
        pytest.param("933087", id="not its UID"),
    ],
)
def test_a_ready_tag_is_silent_to_what_is_not_for_it_and_idle_again(live: ChipRig, frame: str) -> None:
    tag = live.put(CLASSIC)
    live.request()
    wrong = live.tags.with_crc(b"\x93\x70" + CLASSIC + b"\x4c")
    assert live.exchange(wrong if frame == "bad check byte" else bytes.fromhex(frame)) is None
    assert tag.state == "IDLE"


def test_an_active_tag_is_silent_to_reqa_and_then_answers(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.request()
    live.chosen(0x93, CLASSIC)
    assert live.request() is None
    assert live.request() == b"\x04\x00"


def test_a_halted_tag_wakes_for_wupa_alone(live: ChipRig) -> None:
    tag = live.put(CLASSIC)
    live.request()
    live.chosen(0x93, CLASSIC)
    assert live.halt() is None
    assert tag.state == "HALT"
    assert live.request() is None
    assert live.request(0x52) == b"\x04\x00"
    assert tag.state == "READY*"
    live.chosen(0x93, CLASSIC)
    assert tag.state == "ACTIVE*"
    live.request()
    assert tag.state == "HALT", "from the starred states it falls back to HALT"
    live.request(0x52)
    live.chosen(0x93, OTHER)
    assert tag.state == "HALT"


def test_hlta_with_a_bad_crc_does_not_halt(live: ChipRig) -> None:
    tag = live.put(CLASSIC)
    live.request()
    live.chosen(0x93, CLASSIC)
    live.exchange(b"\x50\x00\x00\x00")
    assert tag.state == "IDLE"


@pytest.mark.parametrize("uid", [bytes(3), bytes(10), b"\x88abc", b"\x04ab\x88cde"])
def test_a_uid_that_cannot_be_is_refused(modules: tuple[Any, Any, Any], uid: bytes) -> None:
    with pytest.raises(ValueError, match="UID"):
        modules[2].Tag(uid)


# The field.


def test_a_field_that_goes_off_makes_tags_forget(live: ChipRig) -> None:
    tag = live.put(CLASSIC)
    live.request()
    live.chosen(0x93, CLASSIC)
    live.halt()
    live.write(TX_CONTROL, 0x80)
    assert tag.state == "POWER-OFF"
    live.write(TX_CONTROL, 0x83)
    live.machine.elapse(6_000)
    assert live.request() == b"\x04\x00"


def test_a_tag_is_deaf_for_its_first_5_ms_of_field(live: ChipRig) -> None:
    live.write(T_PRE, 0x10)  # a timeout shorter than that
    live.chip.put(live.tags.Tag(CLASSIC))
    live.machine.elapse(4_000)
    assert live.request() is None
    assert live.request() == b"\x04\x00"


@pytest.mark.parametrize(
    ("address", "value"),
    [
        pytest.param(TX_ASK, 0x00, id="not 100 % ASK"),
        pytest.param(TX_MODE, 0x10, id="212 kbit/s out"),
        pytest.param(RX_MODE, 0x10, id="212 kbit/s in"),
        pytest.param(0x1D, 0x10, id="no parity"),
        pytest.param(0x24, 0x15, id="pauses too short"),
    ],
)
def test_without_type_a_modulation_no_tag_answers(live: ChipRig, address: int, value: int) -> None:
    live.put(CLASSIC)
    live.write(address, value)
    assert live.request() is None


@pytest.mark.parametrize("control", [0x80, 0x81, 0x82, 0x03])
def test_a_field_takes_both_drivers_one_inverted(rig: ChipRig, control: int) -> None:
    rig.field_on()
    rig.write(TX_CONTROL, control)
    rig.write(MODE, 0x1D)  # send even so
    rig.put(CLASSIC)
    assert rig.request() is None


def test_soft_power_down_switches_the_field_off(live: ChipRig) -> None:
    tag = live.put(CLASSIC)
    live.request()
    live.write(COMMAND, 0x10)
    assert live.read(COMMAND) & 0x10
    assert tag.state == "POWER-OFF"
    live.write(COMMAND, 0x00)
    assert live.read(COMMAND) & 0x10, "it wakes slowly"
    live.machine.elapse(6_000)
    assert live.request() == b"\x04\x00"


def test_a_lifted_tag_is_gone_at_once_and_comes_back_fresh(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.request()
    tag = live.chip.take(CLASSIC)
    assert live.exchange(b"\x93\x20") is None
    live.chip.put(tag)
    with pytest.raises(ValueError, match="already"):
        live.chip.put(tag)
    live.machine.elapse(6_000)
    assert live.request() == b"\x04\x00"
    with pytest.raises(ValueError, match="no tag"):
        live.chip.take(NTAG)


# Collisions.


def test_two_tags_collide_at_the_first_bit_in_which_they_differ(live: ChipRig) -> None:
    """The case of a question on NXP's forum: 86 and 16 differ in the fifth bit, IRQ 66, error 08, place 05."""
    live.put(CLASSIC)
    live.put(OTHER)
    assert live.request() == b"\x04\x00", "equal ATQA do not collide"
    live.write(COLL, 0x00)
    answer = live.exchange(b"\x93\x20")
    assert live.read(COM_IRQ) == TX | RX | LO_ALERT | ERR
    assert live.read(ERROR) == 0x08
    assert live.read(COLL) == 0x05
    assert answer is not None
    assert answer[0] & 0x0F == 0x06, "the bits before it are good"
    assert answer[0] >> 5 == 0, "the bits after it are cleared"
    assert answer[1:] == bytes(4)


@pytest.mark.parametrize("after", [0x00, 0x80])
def test_values_after_a_collision_are_kept_only_if_asked_for(live: ChipRig, after: int) -> None:
    live.put(bytes.fromhex("01FFFFFF"))
    live.put(bytes.fromhex("00FFFFFF"))
    live.request()
    live.write(COLL, after)
    answer = live.exchange(b"\x93\x20")
    assert answer is not None
    assert answer[1:4] == (b"\xff\xff\xff" if after else bytes(3))


@pytest.mark.parametrize(
    ("one", "other", "place"),
    [
        ("00000000", "01000000", 1),
        ("00000000", "80000000", 8),
        ("00000001", "00000000", 25),
        ("00000080", "00000000", 0),
    ],
)
def test_the_place_counts_from_1_and_0_is_the_32nd_bit(live: ChipRig, one: str, other: str, place: int) -> None:
    live.put(bytes.fromhex(one))
    live.put(bytes.fromhex(other))
    live.request()
    live.exchange(b"\x93\x20")
    assert live.read(COLL) & 0x3F == place


def test_different_atqa_collide(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.put(NTAG)
    live.request()
    assert live.read(ERROR) == 0x08
    assert live.read(COLL) & 0x3F == 7


@pytest.mark.parametrize("first", [0, 1])
def test_a_part_of_the_uid_chooses_one_tag_and_rx_align_places_the_rest(live: ChipRig, first: int) -> None:
    tags = [live.put(OTHER), live.put(CLASSIC)]
    live.request()
    known = 0x06 | OTHER[0] & 0x10 if not first else 0x06
    wanted = OTHER if known & 0x10 else CLASSIC
    answer = live.exchange(bytes((0x93, 0x25, known)), bits=5, align=5)
    assert answer is not None
    assert bytes((known | answer[0],)) + answer[1:4] == wanted
    assert answer[0] & 0x1F == 0, "what the chip did not receive it does not fill in"
    assert live.read(ERROR) == 0
    assert live.read(CONTROL) & 0x07 == 0
    assert [tag.state for tag in tags if tag.uid != wanted] == ["IDLE"]


def test_without_rx_align_the_rest_is_out_of_place(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.request()
    answer = live.exchange(b"\x93\x25\x06", bits=5)
    assert answer is not None
    assert answer[0] & 0x07 == CLASSIC[0] >> 5
    assert live.read(CONTROL) & 0x07 == 3


@pytest.mark.parametrize(("known", "place"), [(3, 5), (8, 5), (10, 5)])
def test_the_place_of_a_later_collision_includes_rx_align_but_not_whole_bytes(
    live: ChipRig, known: int, place: int
) -> None:
    """NXP's own library and the data sheet of the MFRC631 count from the first byte in the FIFO, and so does this."""
    base = bytes.fromhex("A5C30000") if known > 3 else bytes.fromhex("A5000000")
    byte = known // 8
    other = bytearray(base)
    other[byte] ^= 1 << 4
    live.put(base)
    live.put(bytes(other))
    live.request()
    part = bytearray(base[: byte + (1 if known % 8 else 0)])
    if known % 8:
        part[-1] &= (1 << known % 8) - 1
    live.exchange(bytes((0x93, 0x20 + (byte << 4) + known % 8)) + part, bits=known % 8, align=known % 8)
    assert live.read(ERROR) == 0x08
    assert live.read(COLL) & 0x3F == place


def test_many_tags_are_told_apart_by_halting_one_after_another(live: ChipRig) -> None:
    """A search by hand, always towards the one: it finds every tag once, 4 and 7 bytes, alike but for the last bit."""
    uids = {bytes.fromhex(uid) for uid in ("A1B2C3D4", "A1B2C354", "04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "00000001")}
    for uid in uids:
        live.put(uid)

    found = set()
    while live.request() is not None:
        uid = b""
        for level in (0x93, 0x95):
            bits: list[int] = []
            while len(bits) < 32:
                whole, rest = divmod(len(bits), 8)
                answer = live.exchange(
                    bytes((level, (2 + whole << 4) + rest)) + live.tags.to_bytes(bits), bits=rest, align=rest
                )
                assert answer is not None
                heard = live.tags.to_bits(answer, 8 * len(answer))[rest:]
                if live.read(ERROR) & 0x08:
                    place = live.read(COLL)
                    assert not place & 0x20
                    heard = [*heard[: ((place & 0x1F) or 32) - rest - 1], 1]
                bits += heard
            part = live.tags.to_bytes(bits[:32])
            sak = live.chosen(level, part)
            assert sak is not None
            uid += part[1:] if sak[0] & 0x04 else part
            if not sak[0] & 0x04:
                break
        found.add(uid)
        live.halt()
        # Those that were passed over fell back to IDLE with the first frame that was not theirs.
        assert len(found) <= len(uids)
    assert found == uids


# Faults.


@pytest.mark.parametrize("level", [0x00, 0xFF])
def test_a_dead_chip_reads_as_one_level(rig: ChipRig, level: int) -> None:
    rig.chip.dead = True
    rig.chip.dead_level = level
    assert rig.read(VERSION) == level
    rig.write(WATER, 0x11)
    rig.chip.dead = False
    assert rig.read(WATER) == 0x08


def test_a_frozen_chip_answers_but_ends_nothing(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.chip.frozen = True
    live.begin(b"\x26", bits=7)
    live.machine.elapse(1_000_000)
    assert live.read(VERSION) == 0x92
    assert live.read(COM_IRQ) & (TX | RX | TIMER | IDLE_IRQ) == 0


def test_noise_spoils_as_many_answers_as_told(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.chip.noise = 1
    assert live.request() == b"\x05\x00"
    assert live.read(ERROR) == 0x02
    assert live.read(COM_IRQ) & ERR
    live.request()
    assert live.request() == b"\x04\x00"
    assert live.read(ERROR) == 0


def test_noise_fails_a_crc_that_the_chip_checks(live: ChipRig) -> None:
    live.put(CLASSIC)
    live.request()
    live.write(RX_MODE, 0x80)
    live.chip.noise = lambda: True
    live.chosen(0x93, CLASSIC)
    assert live.read(ERROR) == 0x06


def test_after_a_brown_out_the_antenna_is_off_and_tags_forget(live: ChipRig) -> None:
    tag = live.put(CLASSIC)
    live.request()
    live.chip.reset_now()
    assert live.read(TX_CONTROL) == 0x80
    assert tag.state == "POWER-OFF"


# Pins and bus.


def test_pins_of_one_number_are_one_pin(modules: tuple[Any, Any, Any]) -> None:
    machine = modules[0]
    one, other = machine.Pin(3, machine.Pin.OUT), machine.Pin(3)
    assert one() == 0, "as on a Pico nothing is high before it is set"
    other.on()
    assert one.value() == 1
    one.off()
    assert other() == 0
    assert machine.Pin(4, machine.Pin.IN, machine.Pin.PULL_UP).value() == 1


def test_a_bus_with_no_chip_selected_reads_high(rig: ChipRig) -> None:
    assert rig.spi.read(2) == b"\xff\xff"


def test_two_chips_selected_at_once_spoil_the_answer_and_are_counted(rig: ChipRig) -> None:
    other = type(rig.chip)(version=0x0D)
    second = rig.machine.Pin(7, rig.machine.Pin.OUT, value=1)
    rig.machine.attach(0, 7, other, 6)
    rig.machine.elapse(5_000)
    assert rig.read(VERSION) == 0x92
    assert rig.machine.conflicts == 0
    second(0)
    assert rig.read(VERSION) == 0x92 & 0x0D
    assert rig.machine.conflicts == 1
    second(1)
    assert rig.read(VERSION) == 0x92


def test_a_select_pin_that_nobody_raised_selects(rig: ChipRig) -> None:
    rig.machine.attach(0, 8, type(rig.chip)(), 6)
    rig.read(VERSION)
    assert rig.machine.conflicts == 1


def test_two_buses_do_not_disturb_each_other(rig: ChipRig) -> None:
    rig.machine.attach(1, 8, type(rig.chip)(), 6)
    rig.machine.elapse(5_000)
    assert rig.read(VERSION) == 0x92
    assert rig.machine.conflicts == 0


@pytest.mark.parametrize(("baudrate", "us"), [(1_000_000, 20 + 16), (4_000_000, 20 + 4)])
def test_every_access_takes_time(rig: ChipRig, baudrate: int, us: int) -> None:
    spi = rig.machine.SPI(0, baudrate)
    before = rig.machine.now_us()
    spi.write(b"\x00\x00")
    assert rig.machine.now_us() - before == us


def test_reset_all_forgets_chips_and_levels(rig: ChipRig) -> None:
    rig.machine.reset_all()
    assert rig.machine.Pin(5).value() == 0
    assert rig.spi.read(1) == b"\xff"

"""The RC522 tag reader (NXP MFRC522) over SPI: finds the ISO 14443 type A tags in its field.

Register numbers and bits are those of the data sheet. Nothing here blocks: where the chip needs time, the generators
yield and are resumed with the time in milliseconds.
"""

from firmware.hub import Crowded, ReaderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Protocol

    class Bus(Protocol):
        """What we use of `machine.SPI`."""

        def write(self, buf: bytes) -> object: ...
        def write_readinto(self, write_buf: bytes, read_buf: bytearray) -> object: ...

    class Line(Protocol):
        """What we use of `machine.Pin`."""

        def value(self, x: int) -> object: ...


# Registers.
_COMMAND = 0x01
_COM_IRQ = 0x04
_DIV_IRQ = 0x05
_ERROR = 0x06
_FIFO_DATA = 0x09
_FIFO_LEVEL = 0x0A
_BIT_FRAMING = 0x0D
_COLL = 0x0E
_MODE = 0x11
_TX_CONTROL = 0x14
_TX_ASK = 0x15
_CRC_RESULT_HIGH = 0x21
_CRC_RESULT_LOW = 0x22
_RF_CFG = 0x26
_T_MODE = 0x2A
_T_PRESCALER = 0x2B
_T_RELOAD_HIGH = 0x2C
_T_RELOAD_LOW = 0x2D
_VERSION = 0x37

# Commands of the chip.
_IDLE = 0x00
_CALC_CRC = 0x03
_TRANSCEIVE = 0x0C
_SOFT_RESET = 0x0F

# Bits.
_POWER_DOWN = 0x10
_FLUSH = 0x80
_START_SEND = 0x80
_FIELD_ON = 0x83
_FIELD_OFF = 0x80
_TIMER_BY_ITSELF = 0x80
_FULL_ASK = 0x40
_IRQ_TIMER = 0x01
_IRQ_ERROR = 0x02
_IRQ_DONE = 0x30
_CRC_DONE = 0x04
_GARBLED = 0x13
"""Overflow, parity or protocol error."""
_COLLISION = 0x08
_NO_POSITION = 0x20

# Commands to the tags.
_REQUEST = b"\x26"
"""Calls the tags that are not asleep."""
_HALT = b"\x50\x00"
_SELECT = (0x93, 0x95)
_CASCADE = 0x88
"""Precedes the first three bytes of a number that is longer than four."""
_MORE = 0x04
"""In the answer to a select: the number goes on."""

_SETUP = (
    # The timer starts by itself after sending, and ticks every 25 us: 20 ticks are 0.5 ms, and a tag answers after
    # 0.1 ms.
    (_T_MODE, _TIMER_BY_ITSELF),
    (_T_PRESCALER, 0xA9),
    (_T_RELOAD_HIGH, 0),
    (_T_RELOAD_LOW, 20),
    (_TX_ASK, _FULL_ASK),
    # Checksums begin with 6363 hex, as type A requires.
    (_MODE, 0x3D),
    # The highest receiver gain: small tags answer faintly.
    (_RF_CFG, 0x70),
    # Bits after a collision read as zero.
    (_COLL, 0x00),
    (_TX_CONTROL, _FIELD_OFF),
)

_POLLS = 24
"""How often a register is read before others get their turn: about a millisecond on a Pico."""
_EXCHANGES = 8
"""The most exchanges with tags before others get their turn."""
_PATIENCE_MS = 25
_WARM_UP_MS = 6
"""How long the field is on before the tags listen."""
_MOST_TAGS = 16
_MOST_ROUNDS = 66
"""A first collision, two guesses per bit after it, and the answer."""


class RC522:
    """One reader on a bus that it may share, with a select line of its own (active low)."""

    def __init__(self, bus: "Bus", select: "Line") -> None:
        self._bus = bus
        self._select = select
        self._answer = bytearray(2)
        self._collided_at = _NO_POSITION
        self._exchanges = 0

    # The interface of a reader.

    def scan(self, many: bool) -> "Generator[None, int, list[str]]":
        """Returns the numbers of the tags in the field, which is on only during the scan."""
        yield from self._ready()
        self._write(_TX_CONTROL, _FIELD_ON)
        try:
            yield from _pause(_WARM_UP_MS)
            tags: list[str] = []
            silent = 0
            while len(tags) < (_MOST_TAGS if many else 1) and silent < 2:
                tag = yield from self._next(many)
                if tag and tag not in tags:
                    tags.append(tag)
                else:
                    # Once more, in case a tag was misread.
                    silent += 1
            return tags
        finally:
            self._write(_TX_CONTROL, _FIELD_OFF)

    def test(self) -> "Generator[None, int, str]":
        """Tests the chip's version, memory, arithmetic and antenna. Returns the result."""
        yield from self._start()
        pattern = bytes((number * 7 + 3) & 0xFF for number in range(64))
        self._write(_FIFO_LEVEL, _FLUSH)
        self._send_bytes(pattern)
        if self._read_bytes(self._read(_FIFO_LEVEL)) != pattern:
            raise ReaderError("memory wrong")
        if (yield from self._chip_checksum(b"\x00\x00")) != b"\xa0\x1e":
            raise ReaderError("arithmetic wrong")
        self._write(_TX_CONTROL, _FIELD_ON)
        field = self._read(_TX_CONTROL)
        self._write(_TX_CONTROL, _FIELD_OFF)
        if field != _FIELD_ON:
            raise ReaderError("antenna off")
        return f"ok version {self._read(_VERSION):02X}"

    # Set-up.

    def _ready(self) -> "Generator[None, int, None]":
        """Makes sure that the chip is there and set up: one that lost power for a moment has forgotten everything,
        and one that was out of reach for a moment still has its field on.
        """
        self._check_version()
        for register, value in ((_TX_ASK, _FULL_ASK), (_T_MODE, _TIMER_BY_ITSELF), (_TX_CONTROL, _FIELD_OFF)):
            if self._read(register) != value:
                yield from self._start()
                return

    def _check_version(self) -> None:
        version = self._read(_VERSION)
        if version in (0x00, 0xFF):
            raise ReaderError("no chip")

    def _start(self) -> "Generator[None, int, None]":
        self._check_version()
        self._write(_COMMAND, _SOFT_RESET)
        began_ms = yield
        now_ms = began_ms
        while self._read(_COMMAND) & _POWER_DOWN:
            if now_ms - began_ms > _PATIENCE_MS:
                raise ReaderError("reset never ends")
            now_ms = yield
        for register, value in _SETUP:
            self._write(register, value)

    # Tags.

    def _next(self, many: bool) -> "Generator[None, int, str | None]":
        """Returns the number of a tag that was not listed yet and puts it to sleep; `None` when no tag answers well."""
        answer, collided = yield from self._transceive(_REQUEST, 7)
        if not answer:
            return None
        if collided and not many:
            raise Crowded
        return (yield from self._number_of(many))

    def _number_of(self, many: bool) -> "Generator[None, int, str | None]":
        """Selects a tag that was called, level by level, and puts it to sleep. Returns its number."""
        number = b""
        way = [_REQUEST]
        for level in _SELECT:
            part = yield from self._part(level, many, way)
            if part is None:
                return None
            frame = bytes([level, 0x70]) + part
            way.append(frame + checksum(frame))
            answer, _ = yield from self._transceive(way[-1])
            if len(answer) != 3 or checksum(answer[:1]) != answer[1:]:
                return None
            if not answer[0] & _MORE:
                yield from self._transceive(_HALT + checksum(_HALT))
                number += part[:4]
                return "".join(f"{byte:02X}" for byte in number)
            if part[0] != _CASCADE:
                return None
            number += part[1:4]
        return None

    def _part(self, level: int, many: bool, way: "list[bytes]") -> "Generator[None, int, bytes | None]":
        """Returns four bytes of a number and their check byte, from one of the tags; `way` is how we got here."""
        known, bits, guessed = bytearray(5), 0, False
        for _ in range(_MOST_ROUNDS):
            answer, collided = yield from self._ask(level, known, bits)
            if collided and not many:
                raise Crowded
            if collided and bits == 0:
                # Continue with the tags that have a 1 where they first differ.
                if self._collided_at & _NO_POSITION:
                    return None
                bits = (self._collided_at & 0x1F) or 32
                known[: len(answer)] = answer
                _clear_from(known, bits)
                _set_bit(known, bits - 1, 1)
            elif collided and bits < 32:
                # Sources disagree on where a later position counts from, so go one bit at a time.
                _set_bit(known, bits, 1)
                bits, guessed = bits + 1, True
            elif answer:
                return _joined(known, bits, answer)
            elif guessed:
                _set_bit(known, bits - 1, 0)
                guessed = False
                # A tag that receives another's number stops listening, so call it again the same way.
                for step in way:
                    yield from self._transceive(step, 7 if step is _REQUEST else 0)
            else:
                return None
        return None

    def _ask(self, level: int, known: bytearray, bits: int) -> "Generator[None, int, tuple[bytes, bool]]":
        """Asks all tags whose number begins with the known bits for the rest of it."""
        whole, left = bits // 8, bits % 8
        frame = bytes([level, 0x20 + (whole << 4) + left]) + bytes(known[: whole + (1 if left else 0)])
        return (yield from self._transceive(frame, left, left))

    # The chip.

    def _transceive(
        self, frame: bytes, last_bits: int = 0, align: int = 0
    ) -> "Generator[None, int, tuple[bytes, bool]]":
        """Sends a frame. Returns the answer, empty if there was none, and whether several tags answered differently."""
        self._exchanges += 1
        if self._exchanges % _EXCHANGES == 0:
            yield
        self._write(_COMMAND, _IDLE)
        self._write(_COM_IRQ, 0x7F)
        self._write(_FIFO_LEVEL, _FLUSH)
        self._send_bytes(frame)
        self._write(_BIT_FRAMING, align << 4 | last_bits)
        self._write(_COMMAND, _TRANSCEIVE)
        self._write(_BIT_FRAMING, _START_SEND | align << 4 | last_bits)
        irq = yield from self._wait(_COM_IRQ, _IRQ_DONE | _IRQ_TIMER, _IRQ_ERROR)
        # Read everything first: the next command, even the idle one, clears it.
        error, self._collided_at = self._read(_ERROR), self._read(_COLL)
        answer = b"" if not irq & _IRQ_DONE or error & _GARBLED else self._read_bytes(self._read(_FIFO_LEVEL) & 0x7F)
        self._write(_BIT_FRAMING, 0)
        self._write(_COMMAND, _IDLE)
        return answer, bool(answer) and bool(error & _COLLISION)

    def _chip_checksum(self, data: bytes) -> "Generator[None, int, bytes]":
        """Returns the checksum of some bytes, computed by the chip."""
        self._write(_COMMAND, _IDLE)
        self._write(_DIV_IRQ, _CRC_DONE)
        self._write(_FIFO_LEVEL, _FLUSH)
        self._send_bytes(data)
        self._write(_COMMAND, _CALC_CRC)
        yield from self._wait(_DIV_IRQ, _CRC_DONE)
        self._write(_COMMAND, _IDLE)
        return bytes([self._read(_CRC_RESULT_LOW), self._read(_CRC_RESULT_HIGH)])

    def _wait(self, register: int, wanted: int, excuse: int = 0) -> "Generator[None, int, int]":
        """Waits for one of the wanted bits. A chip that sets none is stuck, unless it sets an `excuse` bit."""
        began_ms = -1
        while True:
            for _ in range(_POLLS):
                bits = self._read(register)
                if bits & wanted:
                    return bits
            now_ms = yield
            if began_ms < 0:
                began_ms = now_ms
            elif now_ms - began_ms > _PATIENCE_MS:
                if bits & excuse:
                    return 0
                raise ReaderError("a command never ends")

    def _send_bytes(self, data: bytes) -> None:
        self._select.value(0)
        self._bus.write(bytes([_FIFO_DATA << 1]) + data)
        self._select.value(1)

    def _read_bytes(self, count: int) -> bytes:
        if not count:
            return b""
        answer = bytearray(count + 1)
        self._select.value(0)
        # Each byte sent requests the one that comes with the next.
        self._bus.write_readinto(bytes([0x80 | _FIFO_DATA << 1] * count + [0]), answer)
        self._select.value(1)
        return bytes(answer[1:])

    def _write(self, register: int, value: int) -> None:
        self._select.value(0)
        self._bus.write(bytes([register << 1, value]))
        self._select.value(1)

    def _read(self, register: int) -> int:
        self._select.value(0)
        self._bus.write_readinto(bytes([0x80 | register << 1, 0]), self._answer)
        self._select.value(1)
        return self._answer[1]


def checksum(data: bytes) -> bytes:
    """Returns the checksum of ISO 14443 type A, low byte first."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF
        byte = (byte ^ byte << 4) & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return bytes([crc & 0xFF, crc >> 8 & 0xFF])


def _pause(ms: int) -> "Generator[None, int, None]":
    began_ms = yield
    now_ms = began_ms
    while now_ms - began_ms < ms:
        now_ms = yield


def _joined(known: bytearray, bits: int, answer: bytes) -> "bytes | None":
    """Joins known bits and the answer that follows into five bytes; `None` unless the check byte is right."""
    whole, left = bits // 8, bits % 8
    if len(answer) != 5 - whole:
        return None
    joined = bytearray(known[:whole]) + bytearray(answer)
    mask = (1 << left) - 1
    joined[whole] = known[whole] & mask | joined[whole] & ~mask & 0xFF
    return bytes(joined) if joined[0] ^ joined[1] ^ joined[2] ^ joined[3] == joined[4] else None


def _set_bit(data: bytearray, index: int, value: int) -> None:
    if value:
        data[index // 8] |= 1 << index % 8
    else:
        data[index // 8] &= ~(1 << index % 8) & 0xFF


def _clear_from(data: bytearray, bits: int) -> None:
    for index in range(bits, len(data) * 8):
        _set_bit(data, index, 0)

"""A stand-in for MicroPython's `machine`: pins, and an SPI bus with simulated readers."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from chip import Chip

ACCESS_US = 20  # what MicroPython itself takes for a call
FASTEST = 10_000_000  # the fastest that the chip's SPI can follow

conflicts = 0  # accesses in which two chips drove the bus at once

_pins: dict[int, list[int]] = {}  # for each pin: mode, pull, output
_chips: list[tuple[int, int, int, "Chip"]] = []  # bus, select, reset, chip
_now_ns = 0
_told_us = 0


class Pin:
    """A pin of the microcontroller by its GP number; all Pin objects with the same number are the same pin.

    A pin that is not set up reads low, as on an RP2040 after a reset: a reader is then selected, and in reset.
    """

    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2

    def __init__(self, id: int, mode: int = -1, pull: int = -1, value: int | None = None) -> None:  # noqa: A002
        self.id = id
        pin = _pins.setdefault(id, [Pin.IN, Pin.PULL_DOWN, 0])
        before = _level(id)
        if value is not None:
            pin[2] = 1 if value else 0
        if mode != -1:
            pin[0] = mode
            pin[1] = pull
        _settle(id, before)

    def value(self, x: int | None = None) -> int | None:
        if x is None:
            return _level(self.id)
        before = _level(self.id)
        _pins[self.id][2] = 1 if x else 0
        _settle(self.id, before)
        return None

    def __call__(self, x: int | None = None) -> int | None:
        return self.value(x)

    def on(self) -> None:
        self.value(1)

    def off(self) -> None:
        self.value(0)


class SPI:
    """A bus; the select pins decide which chip listens."""

    LSB = 0
    MSB = 1

    def __init__(
        self,
        id: int,  # noqa: A002
        baudrate: int = 1_000_000,
        *,
        polarity: int = 0,
        phase: int = 0,
        bits: int = 8,
        firstbit: int = MSB,
        sck: Pin | None = None,
        mosi: Pin | None = None,
        miso: Pin | None = None,
    ) -> None:
        self.id = id
        self._baudrate = baudrate
        # A chip clocked too fast, or on the wrong edge, understands nothing.
        self._understood = baudrate <= FASTEST and (polarity, phase, bits, firstbit) == (0, 0, 8, SPI.MSB)

    def write(self, buf: bytes) -> None:
        self._transfer(bytes(buf))

    def read(self, n: int, write: int = 0) -> bytes:
        return bytes(self._transfer(bytes([write] * n)))

    def readinto(self, buf: bytearray, write: int = 0) -> None:
        buf[:] = self._transfer(bytes([write] * len(buf)))

    def write_readinto(self, out: bytes, into: bytearray) -> None:
        if len(out) != len(into):
            raise ValueError("buffers must be the same length")
        into[:] = self._transfer(out)

    def deinit(self) -> None:
        pass

    def _transfer(self, out: bytes) -> bytearray:
        global conflicts
        listening = [
            chip for bus, select, reset, chip in _chips if bus == self.id and not _level(select) and _level(reset)
        ]
        if len(listening) > 1:
            conflicts += 1
        _pass(ACCESS_US * 1000 + len(out) * (8_000_000_000 // self._baudrate))
        answer = bytearray()
        for byte in out:
            level = 0xFF
            for chip in listening:
                level &= chip.exchange(byte) if self._understood else 0
            answer.append(level)
        return answer


def _unique_id() -> bytes:
    return bytes(8)


unique_id = _unique_id  # tests may replace it


def attach(bus: int, select: int, chip: "Chip", reset: int) -> None:
    """Attach a chip to a bus: its select pin is active low, and a low reset pin means power-down."""
    if any(on == bus and pin == select for on, pin, _, _ in _chips):
        raise ValueError("bus " + str(bus) + " has a chip selected by pin " + str(select) + " already")
    _chips.append((bus, select, reset, chip))
    chip.power(bool(_level(reset)))


def reset_all() -> None:
    """Forget all chips, levels and conflicts, and set the clock to zero."""
    global conflicts, _now_ns, _told_us
    _chips.clear()
    _pins.clear()
    conflicts = _now_ns = _told_us = 0


def elapse(us: int) -> None:
    """Let time pass for every attached chip."""
    _pass(us * 1000)


def now_us() -> int:
    """Returns how much time has passed since the last `reset_all`."""
    return _now_ns // 1000


def _pass(ns: int) -> None:
    global _now_ns, _told_us
    _now_ns += ns
    whole = _now_ns // 1000 - _told_us
    if whole:
        _told_us += whole
        for _, _, _, chip in _chips:
            chip.elapse(whole)


def _level(number: int) -> int:
    pin = _pins.get(number)
    if pin is None:
        return 0
    if pin[0] == Pin.OUT:
        return pin[2]
    return 1 if pin[1] == Pin.PULL_UP else 0


def _settle(number: int, before: int) -> None:
    """Notify the chips on this pin if its level has changed."""
    level = _level(number)
    if level == before:
        return
    for _, select, reset, chip in _chips:
        if number == select:
            chip.select()
        if number == reset:
            chip.power(bool(level))

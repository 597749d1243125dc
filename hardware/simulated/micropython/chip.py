"""The MFRC522 reader chip at register level, as in its data sheet, with the tags in its field."""

import registers as reg
from tags import Tag, crc, mixed, to_bits, to_bytes, with_crc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Chip:
    """One reader on its SPI bus, running at 106 kbit/s type A.

    The bus calls `select`, `exchange` and `power`; `elapse` lets its time pass. `put` and `take` move tags.

    Faults on demand: `dead` (MISO stuck at `dead_level`), `frozen` (no command ends and the timer never fires),
    `noise` (how many of the next answers arrive with a wrong bit, or a function that says so of each), `reset_now()`.
    `collided_bit` is the value of a bit that two tags sent differently; the data sheet does not specify it.
    """

    def __init__(self, version: int = 0x92) -> None:
        self.version = version
        self.field: list[Tag] = []
        self.dead = False
        self.dead_level = 0xFF
        self.frozen = False
        self.noise: int | Callable[[], bool] = 0
        self.collided_bit = 1
        self._now = 0
        self._fraction = 0
        self._buffer = bytes(reg.BUFFER_SIZE)
        self._powered = True
        self._starting = False
        self._carrier = False
        self._address: int | None = None
        self._out = 0
        self._events = {
            "up": self._up, "sent": self._sent, "answer": self._answered, "fifth bit": self._stop_timer,
            "received": self._received, "timer": self._timer_ran_out, "crc": self._crc_done, "mem": self._mem_done,
        }  # fmt: skip
        self._clear()

    # Tags and faults.

    def put(self, tag: Tag) -> None:
        """Lay a tag on the reader."""
        if tag in self.field:
            raise ValueError("tag " + tag.uid.hex() + " lies on this reader already")
        self.field.append(tag)
        if self._carrier:
            tag.power_on(self._now)

    def take(self, uid: bytes) -> Tag:
        """Lift the tag with this UID off the reader."""
        for tag in self.field:
            if tag.uid == uid:
                self.field.remove(tag)
                tag.power_off()
                return tag
        raise ValueError("no tag " + uid.hex() + " lies on this reader")

    def reset_now(self) -> None:
        """A brown-out: every register returns to its reset value without notice."""
        self._clear()

    def _clear(self) -> None:
        self._registers = [reg.RESET.get(address, 0) for address in range(64)]
        self._fifo = bytearray()
        self._due: dict[str, int] = {}
        self._command = reg.IDLE
        self._receiver_off = True
        self._power_down = False
        self._starting = False
        self._modem = reg.RESTING
        self._status_1 = reg.CRC_READY
        self._crc = 0
        self._frame: list[int] = []
        self._frame_began = 0
        self._answer: list[int] = []
        self._collision: int | None = None
        self._timer_period = 1
        self._switch_carrier()

    # The pins.

    def power(self, on: bool) -> None:
        """Pin NRSTPD: low is power-down, and rising starts the chip from reset."""
        if on == self._powered and not on:
            return
        self._powered = on
        self._clear()
        if on:
            self._start(reg.OSCILLATOR + reg.CRYSTAL)

    def select(self) -> None:
        """Either edge of the select pin ends a transfer; the next byte is an address."""
        self._address = None
        self._out = 0xA5  # the data sheet promises nothing for the first byte

    def exchange(self, mosi: int) -> int:
        """Transfers one SPI byte each way."""
        if self.dead:
            return self.dead_level
        out = self._out
        self._out = 0
        if self._address is None:
            self._address = mosi
            self._out = self._fetch(mosi)
        elif self._address & 0x80:
            self._out = self._fetch(mosi)
        elif not self._address & 1:
            self.write(self._address >> 1, mosi)
        return out

    def _fetch(self, address: int) -> int:
        """A read happens with its address byte, before anyone clocks the value out; bit 0 must be zero."""
        return self.read(address >> 1 & 0x3F) if address & 0x81 == 0x80 else 0

    # Time.

    def elapse(self, us: int) -> None:
        """Let this many microseconds pass."""
        self._fraction += us * 339
        target = self._now + self._fraction // 25
        self._fraction %= 25
        while self._due and not self.frozen:
            name = min(self._due, key=self._due.__getitem__)
            if self._due[name] > target:
                break
            self._now = max(self._now, self._due.pop(name))
            self._events[name]()
        self._now = target

    def _start(self, cycles: int) -> None:
        self._starting = True
        self._due["up"] = self._now + cycles

    def _up(self) -> None:
        self._starting = False

    # The registers.

    def read(self, address: int) -> int:
        """Returns the value of a register; reading FIFO_DATA takes a byte out."""
        if address == reg.COMMAND:
            asleep = self._power_down or self._starting
            return (reg.RCV_OFF if self._receiver_off else 0) | (reg.POWER_DOWN if asleep else 0) | self._command
        if address == reg.STATUS_1:
            return self._status_1 | self._irq_line() | (0x08 if "timer" in self._due else 0) | self._alerts() >> 2
        if address == reg.STATUS_2:
            return self._registers[reg.STATUS_2] | self._modem
        if address == reg.FIFO_DATA:
            byte = self._fifo[0] if self._fifo else 0
            self._fifo = self._fifo[1:]
            self._note_level()
            return byte
        if address == reg.FIFO_LEVEL:
            return len(self._fifo)
        if address in (reg.T_COUNTER_H, reg.T_COUNTER_L) and "timer" in self._due:
            count = max(0, self._due["timer"] - self._now - 1) // self._timer_period
            return count >> 8 if address == reg.T_COUNTER_H else count & 0xFF
        if address == reg.VERSION:
            return self.version
        return self._registers[address]

    def write(self, address: int, value: int) -> None:
        """Write a register; while the chip starts, writes are ignored."""
        if self._starting:
            return
        if address == reg.COMMAND:
            self._write_command(value)
        elif address in (reg.COM_IRQ, reg.DIV_IRQ):
            marked = value & (0x7F if address == reg.COM_IRQ else 0x14)
            self._registers[address] = self._registers[address] & ~marked | (marked if value & 0x80 else 0)
        elif address == reg.FIFO_DATA:
            self._push(value)
        elif address == reg.FIFO_LEVEL:
            if value & 0x80:
                self._fifo = bytearray()
                self._registers[reg.ERROR] &= ~reg.BUFFER_OVFL
                self._note_level()
        elif address == reg.CONTROL:
            if value & 0x80:
                self._stop_timer()
            elif value & 0x40:
                self._start_timer()
        elif address == reg.BIT_FRAMING:
            rising = value & 0x80 and not self._registers[reg.BIT_FRAMING] & 0x80
            self._registers[reg.BIT_FRAMING] = value & 0xF7
            if rising and self._command == reg.TRANSCEIVE and self._modem == reg.AWAIT_START:
                self._send()
        else:
            mask = reg.WRITABLE.get(address, 0)
            self._registers[address] = self._registers[address] & ~mask | value & mask
            if address == reg.TX_CONTROL:
                self._switch_carrier()

    def _irq_line(self) -> int:
        common = self._registers[reg.COM_IRQ] & self._registers[reg.COM_I_EN] & 0x7F
        return 0x10 if common or self._registers[reg.DIV_IRQ] & self._registers[reg.DIV_I_EN] & 0x14 else 0

    def _alerts(self) -> int:
        water = self._registers[reg.WATER_LEVEL]
        level = len(self._fifo)
        return (reg.HI_ALERT if reg.FIFO_SIZE - level <= water else 0) | (reg.LO_ALERT if level <= water else 0)

    def _note_level(self) -> None:
        self._registers[reg.COM_IRQ] |= self._alerts()

    def _request(self, irq: int) -> None:
        self._registers[reg.COM_IRQ] |= irq

    def _fail(self, error: int) -> None:
        self._registers[reg.ERROR] |= error
        self._request(reg.ERR_IRQ)

    def _push(self, byte: int) -> None:
        if self._modem in (reg.LISTENING, reg.RECEIVING):
            self._fail(reg.WR_ERR)
        self._store(bytes((byte,)))
        if self._command == reg.CALC_CRC and not self._self_testing():
            self._feed_crc()

    def _store(self, data: bytes) -> None:
        room = reg.FIFO_SIZE - len(self._fifo)
        self._fifo += data[:room]
        if len(data) > room:
            self._fail(reg.BUFFER_OVFL)
        self._note_level()

    # Commands.

    def _write_command(self, value: int) -> None:
        command = value & 0x0F
        self._receiver_off = bool(value & reg.RCV_OFF)
        asleep = bool(value & reg.POWER_DOWN) and command != reg.SOFT_RESET
        if asleep != self._power_down:
            # The oscillator stops, and everything with it. It takes time to wake, and the rest of the write is lost.
            self._power_down = asleep
            self._due.clear()
            self._command = reg.IDLE
            self._modem = reg.RESTING
            self._switch_carrier()
            if not asleep:
                self._start(reg.OSCILLATOR)
            return
        if command == reg.NO_CMD_CHANGE or asleep:
            return

        # Whatever ran is cut off; tags that were receiving a frame see it break off.
        if self._modem == reg.SENDING:
            self._tell_tags([])
        for name in ("sent", "fifth bit", "received", "crc", "mem"):
            self._due.pop(name, None)
        self._modem = reg.RESTING
        self._registers[reg.ERROR] = 0
        self._command = command

        if command == reg.SOFT_RESET:
            if not self.frozen:
                self._clear()
                self._start(reg.OSCILLATOR)
        elif command in (reg.MEM, reg.RANDOM_ID):
            self._due["mem"] = self._now + reg.BUFFER_SIZE
        elif command == reg.CALC_CRC:
            self._calculate()
        elif command == reg.TRANSMIT:
            self._send()
        elif command == reg.RECEIVE:
            self._listen()
        elif command == reg.TRANSCEIVE:
            self._modem = reg.AWAIT_START
        elif command == reg.MF_AUTHENT:
            raise NotImplementedError("the simulated tags have no keys: MFAuthent is not simulated")
        elif command != reg.IDLE:
            self._finish()

    def _finish(self) -> None:
        """A command that ends by itself, or that the chip does not know, returns the chip to IDLE and is reported."""
        self._command = reg.IDLE
        self._modem = reg.RESTING
        self._request(reg.IDLE_IRQ)

    def _mem_done(self) -> None:
        """MEM fills the internal buffer from the FIFO, or an empty FIFO from the buffer."""
        if self._command == reg.RANDOM_ID:
            self._buffer = bytes(range(10)) + self._buffer[10:]
        elif self._fifo:
            self._buffer = (bytes(self._fifo) + bytes(reg.BUFFER_SIZE))[: reg.BUFFER_SIZE]
            self._fifo = self._fifo[reg.BUFFER_SIZE :]
            self._note_level()
        else:
            self._store(self._buffer)
        self._finish()

    def _self_testing(self) -> bool:
        return self._registers[reg.AUTO_TEST] & 0x0F == 0x09

    def _calculate(self) -> None:
        self._status_1 = 0
        if self._self_testing():
            self._due["crc"] = self._now + reg.SELF_TEST
            return
        if self._registers[reg.MODE] & 0x80:
            raise NotImplementedError("the data sheet is not clear on MSBFirst: it is not simulated")
        self._crc = reg.CRC_PRESETS[self._registers[reg.MODE] & 0x03]
        if self._fifo:
            self._feed_crc()

    def _feed_crc(self) -> None:
        """The coprocessor consumes the FIFO, and continues with every byte that comes later."""
        self._status_1 = 0
        self._crc = crc(bytes(self._fifo), self._crc)
        self._due["crc"] = max(self._now, self._due.get("crc", 0)) + reg.CRC_BYTE * len(self._fifo)
        self._fifo = bytearray()
        self._note_level()

    def _crc_done(self) -> None:
        if self._self_testing():
            sound = not any(self._buffer) and self._fifo == b"\x00" and self.version in reg.SELF_TESTS
            self._fifo = bytearray(reg.SELF_TESTS[self.version] if sound else bytes(reg.FIFO_SIZE))
            self._note_level()
        else:
            self._registers[reg.CRC_RESULT_H] = self._crc >> 8
            self._registers[reg.CRC_RESULT_L] = self._crc & 0xFF
        self._status_1 = reg.CRC_READY | (0 if self._crc else reg.CRC_OK)
        self._registers[reg.DIV_IRQ] |= reg.CRC_IRQ

    # The timer.

    def _start_timer(self) -> None:
        prescaler = (self._registers[reg.T_MODE] & 0x0F) << 8 | self._registers[reg.T_PRESCALER]
        even = self._registers[reg.DEMOD] & 0x10 and self.version == 0x92
        self._timer_period = 2 * prescaler + (2 if even else 1)
        reload = self._registers[reg.T_RELOAD_H] << 8 | self._registers[reg.T_RELOAD_L]
        self._due["timer"] = self._now + self._timer_period * (reload + 1)

    def _stop_timer(self) -> None:
        count = self.read(reg.T_COUNTER_H), self.read(reg.T_COUNTER_L)
        self._registers[reg.T_COUNTER_H], self._registers[reg.T_COUNTER_L] = count
        self._due.pop("timer", None)

    def _timer_ran_out(self) -> None:
        if self._registers[reg.T_MODE] & 0x10:  # TAutoRestart: it begins again instead of ending
            self._start_timer()
            return
        self._registers[reg.T_COUNTER_H] = self._registers[reg.T_COUNTER_L] = 0
        self._request(reg.TIMER_IRQ)

    # The air.

    def _switch_carrier(self) -> None:
        """There is a field if both drivers are on and one of them is inverted: in phase they would cancel out."""
        control = self._registers[reg.TX_CONTROL]
        drivers = control & 0x03 == 0x03 and control & 0xC0 in (0x40, 0x80)
        on = drivers and self._powered and not self._power_down
        if on == self._carrier:
            return
        self._carrier = on
        for tag in self.field:
            if on:
                tag.power_on(self._now)
            else:
                tag.power_off()
        if on and self._modem == reg.AWAIT_FIELD:
            self._send()
        if not on:
            self._due.pop("answer", None)

    def _send(self) -> None:
        """Send what is in the FIFO; while TxWaitRF holds, not without a field."""
        if not self._fifo:
            return
        if self._registers[reg.MODE] & 0x20 and not self._carrier:
            self._modem = reg.AWAIT_FIELD
            return
        data = bytes(self._fifo)
        count = len(data) * 8 - -self._registers[reg.BIT_FRAMING] % 8
        if self._registers[reg.TX_MODE] & 0x80:
            data = with_crc(data)
            count = len(data) * 8
        self._fifo = bytearray()
        self._note_level()
        self._frame = to_bits(data, count)
        self._frame_began = self._now
        self._modem = reg.SENDING
        # A start bit, the bits, and a parity bit after each whole byte.
        self._due["sent"] = self._now + reg.BIT * (1 + count + count // 8)

    def _tell_tags(self, frame: list[int]) -> list[list[int]]:
        """Every tag receives the frame, if a type A tag can decode it. Returns their answers."""
        registers = self._registers
        clear = (
            registers[reg.TX_ASK] & 0x40  # 100 % modulation
            and not registers[reg.TX_MODE] & 0x78  # 106 kbit/s, not inverted
            and not registers[reg.MF_RX] & 0x10  # parity
            and 27 <= registers[reg.MOD_WIDTH] <= 40  # a pause of 28 to 41 periods
        )
        if not clear or not self._carrier:
            return []
        answers = [tag.hear(frame, self._frame_began) for tag in self.field]
        return [answer for answer in answers if answer is not None]

    def _sent(self) -> None:
        self._request(reg.TX_IRQ)
        if self._registers[reg.T_MODE] & 0x80:  # TAuto
            self._start_timer()
        answers = self._tell_tags(self._frame)
        if answers:
            self._answer, self._collision = mixed(answers)
            self._due["answer"] = self._now + (reg.DELAY_AFTER_ONE if self._frame[-1] else reg.DELAY_AFTER_ZERO)
        if self._command == reg.TRANSMIT:
            self._finish()
        else:
            self._listen()

    def _listen(self) -> None:
        self._modem = reg.LISTENING
        self._registers[reg.ERROR] &= ~reg.RECEIVER_ERRORS
        self._registers[reg.COLL] = self._registers[reg.COLL] & 0x80 | 0x20

    def _answered(self) -> None:
        """An answer begins; it is lost if the receiver is off or the command was stopped."""
        if self._modem != reg.LISTENING or self._receiver_off or self._registers[reg.RX_MODE] & 0x70:
            return
        self._modem = reg.RECEIVING
        self._due["received"] = self._now + reg.BIT * (1 + len(self._answer) + (len(self._answer) + 7) // 8)
        if self._registers[reg.T_MODE] & 0x80:
            self._due["fifth bit"] = self._now + 5 * reg.BIT

    def _received(self) -> None:
        bits = list(self._answer)
        align = self._registers[reg.BIT_FRAMING] >> 4 & 7

        if self._collision is not None:
            self._fail(reg.COLL_ERR)
            bits[self._collision] = self.collided_bit
            if not self._registers[reg.COLL] & 0x80:  # ValuesAfterColl
                bits[self._collision + 1 :] = [0] * (len(bits) - self._collision - 1)
            # The place is counted from the first bit of the first byte in the FIFO, so RxAlign is part of it.
            place = align + self._collision + 1
            if place <= 32:
                self._registers[reg.COLL] = self._registers[reg.COLL] & 0x80 | place & 0x1F
        if self._noisy():
            bits[0] ^= 1
            self._fail(reg.PARITY_ERR)
        if self._registers[reg.RX_MODE] & 0x80:  # RxCRCEn: the CRC is checked and kept from the FIFO
            data = to_bytes(bits)
            if len(bits) < 24 or len(bits) % 8 or data != with_crc(data[:-2]):
                self._fail(reg.CRC_ERR)
            bits = bits[:-16]

        self._registers[reg.CONTROL] = 0x10 | (align + len(bits)) % 8
        self._store(to_bytes([0] * align + bits))
        self._request(reg.RX_IRQ)
        if self._command == reg.RECEIVE:
            self._finish()
        else:
            self._modem = reg.AWAIT_START

    def _noisy(self) -> bool:
        if callable(self.noise):
            return bool(self.noise())
        if self.noise > 0:
            self.noise -= 1
            return True
        return False

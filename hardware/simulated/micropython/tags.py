"""ISO 14443-3 type A tags as a reader sees them: their states, and the bits they answer."""

REQA = 0x26
WUPA = 0x52
SELECT = (0x93, 0x95)  # one code for each cascade level
WHOLE_UID = 0x70  # the number of valid bits that turns an ANTICOLLISION into a SELECT
CASCADE_TAG = 0x88
NOT_COMPLETE = 0x04

POWER_OFF = "POWER-OFF"
IDLE = "IDLE"
READY = "READY"
ACTIVE = "ACTIVE"
HALT = "HALT"
READY_STAR = "READY*"
ACTIVE_STAR = "ACTIVE*"

# The tag's clock is the carrier of the field, 13.56 MHz.
CHARGE = 67_800  # 5 ms of field before a tag must listen

# The state a tag falls back to when it receives a frame that is not for it.
FALL_BACK = {READY: IDLE, ACTIVE: IDLE, READY_STAR: HALT, ACTIVE_STAR: HALT}


def crc(data: bytes, preset: int = 0x6363) -> int:
    """Returns the CRC of ISO 14443-3; with the default preset, CRC_A. It goes over the air low byte first."""
    value = preset
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ 0x8408 if value & 1 else value >> 1
    return value


def with_crc(data: bytes) -> bytes:
    """Returns a frame of whole bytes, followed by its CRC_A."""
    value = crc(data)
    return bytes(data) + bytes((value & 0xFF, value >> 8))


def to_bits(data: bytes, count: int) -> list[int]:
    """Returns the first bits of the data in the order they are sent: lowest bit of each byte first."""
    return [data[n >> 3] >> (n & 7) & 1 for n in range(count)]


def to_bytes(bits: list[int]) -> bytes:
    """Returns bits in the order they are sent as bytes; the last byte is padded with zeros."""
    data = bytearray((len(bits) + 7) // 8)
    for n, bit in enumerate(bits):
        data[n >> 3] |= bit << (n & 7)
    return bytes(data)


def mixed(answers: list[list[int]]) -> tuple[list[int], int | None]:
    """Returns what a reader receives from simultaneous answers: the bits, and the first that two tags sent differently.

    A bit sent both ways loads the field in both halves; it is passed on as a one.
    """
    longest = max(answers, key=len)
    bits = []
    collision: int | None = None
    for n in range(len(longest)):
        sent = [answer[n] for answer in answers if n < len(answer)]
        if collision is None and min(sent) != max(sent):
            collision = n
        bits.append(max(sent))
    return bits, collision


HLTA = to_bits(with_crc(b"\x50\x00"), 32)


class Tag:
    """One tag: four bytes of UID are a MIFARE Classic, seven an NTAG213, unless stated otherwise.

    It does what ISO 14443-3 requires of every tag, up to being selected and halted, and has no memory: it treats a
    READ or an authentication as a frame that is not for it.

    `state` is one of the names above. A tag newly in a field stays in POWER-OFF until the first frame that begins
    5 ms later.
    """

    def __init__(self, uid: bytes, sak: int | None = None, atqa: bytes | None = None) -> None:
        if len(uid) not in (4, 7):
            raise ValueError("a UID here has 4 or 7 bytes, not " + str(len(uid)))
        if uid[0 if len(uid) == 4 else 3] == CASCADE_TAG:
            raise ValueError("no UID has 0x88 at this place, it would be read as the cascade tag: " + uid.hex())
        single = len(uid) == 4
        self.uid = bytes(uid)
        self.sak = (0x08 if single else 0x00) if sak is None else sak
        self.atqa = (b"\x04\x00" if single else b"\x44\x00") if atqa is None else atqa
        parts = [self.uid] if single else [bytes((CASCADE_TAG,)) + self.uid[:3], self.uid[3:]]
        self._levels = [part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],)) for part in parts]
        self._level = 0
        self._charged_at: int | None = None
        self.state = POWER_OFF

    def __repr__(self) -> str:
        return "<Tag " + self.uid.hex() + " " + self.state + ">"

    def power_on(self, now: int) -> None:
        """A field reaches the tag."""
        self._charged_at = now + CHARGE

    def power_off(self) -> None:
        """The field is gone, and with it everything the tag knew."""
        self._charged_at = None
        self.state = POWER_OFF

    def hear(self, frame: list[int], began: int) -> list[int] | None:
        """Take a frame that began at this time. Returns the bits of the answer, or None for silence."""
        if self._charged_at is None or began < self._charged_at:
            return None
        if self.state == POWER_OFF:
            self.state = IDLE

        answer = None
        if len(frame) == 7:
            answer = self._requested(to_bytes(frame)[0])
        elif self.state in (READY, READY_STAR):
            answer = self._selected(frame)
        elif self.state in (ACTIVE, ACTIVE_STAR) and frame == HLTA:
            self.state = HALT
            return None

        if answer is None:
            self.state = FALL_BACK.get(self.state, self.state)
        return answer

    def _requested(self, code: int) -> list[int] | None:
        if not (code == WUPA and self.state in (IDLE, HALT)) and not (code == REQA and self.state == IDLE):
            return None
        self.state = READY_STAR if self.state == HALT else READY
        self._level = 0
        return to_bits(self.atqa, 16)

    def _selected(self, frame: list[int]) -> list[int] | None:
        """Answer ANTICOLLISION with the bits the reader does not know, SELECT with the SAK."""
        data = to_bytes(frame)
        if len(frame) < 16 or data[0] != SELECT[self._level]:
            return None
        own = to_bits(self._levels[self._level], 40)

        if data[1] == WHOLE_UID:
            if frame[16:56] != own or frame != to_bits(with_crc(data[:7]), 72):
                return None
            if self._level + 1 < len(self._levels):
                self._level += 1
                return to_bits(with_crc(bytes((NOT_COMPLETE,))), 24)
            self.state = ACTIVE_STAR if self.state == READY_STAR else ACTIVE
            return to_bits(with_crc(bytes((self.sak,))), 24)

        known = (data[1] >> 4) * 8 + (data[1] & 0x0F) - 16
        if data[1] & 0x0F > 7 or not 0 <= known < 40 or len(frame) != 16 + known or frame[16:] != own[:known]:
            return None
        return own[known:]

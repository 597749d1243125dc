"""The lines between a hub and its host: made, checked, and cut out of a stream of bytes.

This file runs on both sides, in MicroPython and in CPython. PROTOCOL.md describes the form:

    3F2A91C0 17 seen 2 04A1B2C3*563C55B4
"""

import binascii

LONGEST = 1200
"""The most bytes of a line; a longer one is thrown away."""

_HEX = "0123456789ABCDEF"


def make_line(sender: str, number: int, *words: object) -> bytes:
    """A line ready to be sent."""
    text = " ".join([sender, str(number)] + [str(word) for word in words]).encode()
    return b"%s*%s\n" % (text, _checksum(text))


def read_line(line: bytes) -> "list[str] | None":
    """Sender, number, word and arguments of a line; `None` if it did not arrive as it was sent."""
    text, checksum = line[:-9], line[-9:]
    if checksum != b"*" + _checksum(text):
        return None
    for byte in text:
        if not 32 <= byte < 127 or byte == 42:
            return None
    words = text.decode().split(" ")
    if len(words) < 3 or "" in words or not is_number(words[1]):
        return None
    if words[0] != "host" and not (len(words[0]) == 8 and _is_hexadecimal(words[0])):
        return None
    return words


def is_number(text: str) -> bool:
    """Whether a word is a whole number, written in the one way there is."""
    return text.isdigit() and len(text) < 10 and str(int(text)) == text


def is_tag(text: str) -> bool:
    """Whether a word is the number of a tag: 4 or 7 bytes in hexadecimal."""
    return len(text) in (8, 14) and _is_hexadecimal(text)


def _is_hexadecimal(text: str) -> bool:
    return all(letter in _HEX for letter in text)


def _checksum(text: bytes) -> bytes:
    return b"%08X" % (binascii.crc32(text) & 0xFFFFFFFF)


class Lines:
    """Cuts a stream of bytes into lines, however they arrive."""

    def __init__(self) -> None:
        self._rest = b""
        self._skipping = False

    def feed(self, data: bytes) -> "list[bytes]":
        """The lines that end in what has arrived now, without their line ends."""
        parts = (self._rest + data).split(b"\n")
        self._rest = parts.pop()
        if self._skipping and parts:
            # This is the end of a line that had become too long.
            parts.pop(0)
            self._skipping = False
        if len(self._rest) > LONGEST:
            self._rest = b""
            self._skipping = True
        return [part for part in parts if part and len(part) <= LONGEST]

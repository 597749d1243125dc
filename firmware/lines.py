"""The lines between a hub and its host: makes them, checks them, and cuts them out of a stream of bytes.

This file runs on both sides, in MicroPython and in CPython. PROTOCOL.md describes the format:

    3F2A91C0 17 seen 2 04A1B2C3*563C55B4
"""

import binascii

LONGEST = 1200
"""The most bytes in a line; longer ones are discarded."""

_HEX = "0123456789ABCDEF"


def make_line(sender: str, number: int, *words: object) -> bytes:
    """Returns a line ready to be sent."""
    text = " ".join([sender, str(number)] + [str(word) for word in words]).encode()
    return b"%s*%s\n" % (text, _checksum(text))


def read_line(line: bytes) -> "list[str] | None":
    """Returns sender, number, word and arguments of a line, or `None` when it did not arrive as it was sent."""
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
    """Returns whether a word is a whole number in its canonical form."""
    return text.isdigit() and len(text) < 10 and str(int(text)) == text


def is_tag(text: str) -> bool:
    """Returns whether a word is the number of a tag: 4 or 7 bytes in hexadecimal."""
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
        """Returns the lines completed by this data, without their line ends."""
        parts = (self._rest + data).split(b"\n")
        self._rest = parts.pop()
        if self._skipping and parts:
            # The end of a line that was too long.
            parts.pop(0)
            self._skipping = False
        if len(self._rest) > LONGEST:
            self._rest = b""
            self._skipping = True
        return [part for part in parts if part and len(part) <= LONGEST]

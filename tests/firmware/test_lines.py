"""The lines between hub and host are as firmware/PROTOCOL.md says, to the byte."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.lines import LONGEST, Lines, is_number, is_tag, make_line, read_line
from tests.support.hub_rig import line

PROTOCOL = Path(__file__).parents[2] / "firmware" / "PROTOCOL.md"
EXAMPLES = re.findall(r"^    (\S+ \d+ .*\*[0-9A-F]{8})$", PROTOCOL.read_text(), re.MULTILINE)

WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="*"), min_size=1, max_size=12)
SENDERS = st.one_of(st.just("host"), st.integers(0, 0xFFFFFFFF).map("{:08X}".format))
NUMBERS = st.integers(0, 999_999_999)


def test_the_protocol_has_examples() -> None:
    assert len(EXAMPLES) == 15


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_line_in_the_protocol_is_a_good_line(example: str) -> None:
    text, _, checksum = example.rpartition("*")
    assert f"{zlib.crc32(text.encode()):08X}" == checksum
    words = read_line(example.encode())
    assert words == text.split(" ")
    assert make_line(words[0], int(words[1]), *words[2:]) == example.encode() + b"\n"


def checked(text: bytes) -> bytes:
    """A line whose checksum is right, whatever else is not."""
    return b"%s*%08X" % (text, zlib.crc32(text))


GOOD = checked(b"3F2A91C0 17 seen 2 04A1B2C3")

NOT_LINES = {
    "nothing": b"",
    "no words, but a checksum": checked(b""),
    "a checksum alone": GOOD[-9:],
    "no checksum": b"3F2A91C0 17 seen 2 04A1B2C3",
    "no star": GOOD.replace(b"*", b""),
    "another checksum": GOOD[:-1] + (b"5" if GOOD[-1:] == b"4" else b"4"),
    "a checksum of seven digits": GOOD[:-1],
    "a checksum of nine digits": GOOD + b"0",
    "a checksum in small letters": GOOD[:-8] + GOOD[-8:].lower(),
    "a carriage return": GOOD + b"\r",
    "a carriage return that is reckoned in": checked(b"host 1 test\r"),
    "a second star": checked(b"3F2A91C0 17 seen 2*04A1B2C3"),
    "a line in a line": checked(GOOD),
    "a tab": checked(b"3F2A91C0 17 seen\t2 04A1B2C3"),
    "a zero byte": checked(b"3F2A91C0 17 seen 2 04A1B2C3\x00"),
    "a delete": checked(b"host 1 test\x7f"),
    "a letter beyond ASCII": checked("host 1 tést".encode()),
    "a byte beyond ASCII": checked(b"host 1 test\xff"),
    "two spaces": checked(b"3F2A91C0 17  seen 2 04A1B2C3"),
    "a space before": checked(b" 3F2A91C0 17 seen 2 04A1B2C3"),
    "a space behind": checked(b"3F2A91C0 17 seen 2 04A1B2C3 "),
    "no word": checked(b"3F2A91C0 17"),
    "no number": checked(b"3F2A91C0 seen 2 04A1B2C3"),
    "a number with a leading zero": checked(b"3F2A91C0 017 seen 2 04A1B2C3"),
    "a number with a sign": checked(b"3F2A91C0 -17 seen 2 04A1B2C3"),
    "a number with a plus": checked(b"3F2A91C0 +17 seen 2 04A1B2C3"),
    "a number with an underscore": checked(b"3F2A91C0 1_7 seen 2 04A1B2C3"),
    "a number of ten digits": checked(b"host 1000000000 test"),
    "a sender in small letters": checked(b"3f2a91c0 17 seen 2 04A1B2C3"),
    "a sender of seven digits": checked(b"3F2A91C 17 seen 2 04A1B2C3"),
    "a sender of nine digits": checked(b"3F2A91C00 17 seen 2 04A1B2C3"),
    "a sender that is no number": checked(b"3F2A91G0 17 seen 2 04A1B2C3"),
    "a sender that is neither": checked(b"hub 17 seen 2 04A1B2C3"),
    "a host in capitals": checked(b"HOST 1 test"),
}


@pytest.mark.parametrize("not_a_line", NOT_LINES.values(), ids=NOT_LINES)
def test_a_line_that_is_not_exactly_so_is_not_there(not_a_line: bytes) -> None:
    assert read_line(GOOD) == ["3F2A91C0", "17", "seen", "2", "04A1B2C3"]
    assert read_line(not_a_line) is None


@pytest.mark.parametrize("cut", range(len(GOOD)))
def test_a_line_that_lost_its_beginning_or_its_end_is_not_there(cut: int) -> None:
    assert read_line(GOOD[:cut]) is None
    assert cut == 0 or read_line(GOOD[cut:]) is None
    assert read_line(GOOD[:cut] + GOOD[cut + 1 :]) is None, "nor one that lost a byte in the middle"


@pytest.mark.parametrize("bit", range(8 * len(GOOD)))
def test_one_turned_bit_is_always_noticed(bit: int) -> None:
    spoilt = bytearray(GOOD)
    spoilt[bit // 8] ^= 1 << bit % 8
    assert read_line(bytes(spoilt)) is None


@given(SENDERS, NUMBERS, st.lists(WORDS, min_size=1, max_size=6))
def test_what_is_made_is_read_again(sender: str, number: int, words: list[str]) -> None:
    made = make_line(sender, number, *words)
    assert made == line(" ".join([sender, str(number), *words]))
    assert read_line(made[:-1]) == [sender, str(number), *words]


@given(st.binary(max_size=60))
def test_noise_is_not_a_line(noise: bytes) -> None:
    assert read_line(noise) is None


@given(st.data())
def test_lines_come_out_whole_however_they_arrive(data: st.DataObject) -> None:
    sent = data.draw(st.lists(st.tuples(SENDERS, NUMBERS, WORDS), max_size=8))
    stream = b"".join(make_line(*words) for words in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    lines, got = Lines(), []
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        got += lines.feed(stream[begin:end])
    assert [read_line(raw) for raw in got] == [[sender, str(number), word] for sender, number, word in sent]


@pytest.mark.parametrize("chunk", [1, 7, 64, 1199, 1200, 1201, 5000])
@pytest.mark.parametrize(
    ("length", "passes"), [(1199, True), (1200, True), (1201, False), (2401, False), (5000, False)]
)
def test_a_line_of_more_than_1200_bytes_is_not_there_and_the_next_one_is(length: int, passes: bool, chunk: int) -> None:
    assert LONGEST == 1200
    long = checked(b"host 1 " + b"x" * (length - len(b"host 1 ") - 9))
    assert len(long) == length
    stream = long + b"\n" + GOOD + b"\n"
    lines, got = Lines(), []
    for begin in range(0, len(stream), chunk):
        got += lines.feed(stream[begin : begin + chunk])
    assert got == ([long] if passes else []) + [GOOD]


def test_an_endless_line_takes_no_memory() -> None:
    lines = Lines()
    for _ in range(100):
        assert lines.feed(b"x" * 256) == []
    assert all(len(value) <= LONGEST for value in vars(lines).values() if isinstance(value, bytes))
    assert lines.feed(b"\n" + GOOD + b"\n") == [GOOD]


def test_a_line_whose_end_was_cut_off_spoils_the_next_one_only() -> None:
    assert [read_line(raw) for raw in Lines().feed(GOOD[:10] + GOOD + b"\n" + GOOD + b"\n")] == [None, read_line(GOOD)]


@pytest.mark.parametrize(
    ("word", "number", "tag"),
    [
        ("0", True, False), ("7", True, False), ("10", True, False), ("00", False, False), ("01", False, False),
        ("", False, False), ("-1", False, False), ("1.0", False, False), ("1e3", False, False),
        ("04A1B2C3", False, True), ("04A1B2C3D4E5F6", False, True), ("12345678", True, True),
        ("04a1b2c3", False, False), ("04A1B2C", False, False), ("04A1B2C3D4", False, False), ("04A1B2G3", False, False),
        ("04A1B2C3D4E5F60718", False, False), ("dead", False, False), ("crowd", False, False),
    ],
)  # fmt: skip
def test_what_is_a_number_and_what_a_tag(word: str, number: bool, tag: bool) -> None:
    assert is_number(word) is number
    assert is_tag(word) is tag

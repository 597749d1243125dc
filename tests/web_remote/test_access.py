"""The codes: how long they are, who is slowed down for guessing, and tokens that nobody keeps but the phone."""

from __future__ import annotations

import pytest

import web_remote.access
from web_remote.access import (
    ALPHABET,
    FIRST_WAIT_S,
    FORGIVEN_S,
    FREE_TRIES,
    JOIN_LENGTH,
    KNOCKS,
    LONGEST_WAIT_S,
    TABLE_LENGTH,
    AccessCodes,
    WaitForCode,
    WrongCodes,
    known_by,
    new_token,
    seats_of,
    shown_code,
)

EVENING_S = 6 * 3600.0


class Clock:
    def __init__(self) -> None:
        self.now_s = 50.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def codes(clock: Clock) -> AccessCodes:
    return AccessCodes(clock)


WRONG = "000000000"
"""Opens nothing: codes contain no zero."""


def guess_until_slowed(codes: AccessCodes, address: str) -> None:
    for _ in range(FREE_TRIES):
        assert codes.try_join(WRONG, address) is False
    with pytest.raises(WaitForCode):
        codes.try_join(WRONG, address)


def test_either_code_lets_a_phone_sit_down_but_only_the_tables_own_does_more(codes: AccessCodes) -> None:
    assert codes.try_join(codes.join_code, "192.0.2.1")
    assert codes.try_join(codes.table_code, "192.0.2.1")
    assert codes.try_join(codes.join_token, "192.0.2.1")
    assert codes.try_table(codes.table_code, "192.0.2.1")
    for number, code in enumerate((codes.join_code, codes.join_token, "", "Ⅻ")):
        assert codes.try_table(code, f"192.0.2.{number + 2}") is False
    assert codes.try_join("", "192.0.2.8") is False


def test_codes_may_be_typed_as_people_type_them(codes: AccessCodes) -> None:
    for typed in (shown_code(codes.join_code), codes.join_code.lower(), " ".join(codes.join_code)):
        assert codes.try_join(typed, "192.0.2.1")
    assert not set("01ILOU") & set(ALPHABET), "characters that are taken for others"


def test_guessing_is_hopeless_within_an_evening_from_however_many_addresses() -> None:
    # From one address: as many tries as it gets in six hours.
    wrong, now_s, tries = WrongCodes(), 0.0, 0
    while now_s < EVENING_S:
        now_s += wrong.wait_s("192.0.2.1", now_s)
        wrong.count("192.0.2.1", now_s)
        tries += 1
    assert tries <= 45
    join_codes, table_codes = len(ALPHABET) ** JOIN_LENGTH, len(ALPHABET) ** TABLE_LENGTH
    assert join_codes / tries > 4e11
    # From a /16 network, and from so many that only the server itself limits them: 500 answers a second.
    assert join_codes / (tries * 65_536) > 6e6
    assert join_codes / (500 * EVENING_S) > 1.8e6
    assert table_codes / (500 * EVENING_S) > 4e10


def test_an_address_that_guesses_wrong_waits_longer_and_longer(codes: AccessCodes, clock: Clock) -> None:
    guess_until_slowed(codes, "192.0.2.1")
    waits = []
    for _ in range(8):
        with pytest.raises(WaitForCode) as slowed:
            # Not even the right one counts now: else every guess would still be answered.
            codes.try_join(codes.join_code, "192.0.2.1")
        waits.append(slowed.value.wait_s)
        with pytest.raises(WaitForCode):
            codes.try_table(codes.table_code, "192.0.2.1")
        clock.now_s += slowed.value.wait_s
        assert codes.try_join(WRONG, "192.0.2.1") is False
    assert waits == [FIRST_WAIT_S * 2**number for number in range(6)] + [LONGEST_WAIT_S] * 2
    # After a while without a guess, it is as good as any other.
    clock.now_s += FORGIVEN_S + 1
    assert codes.try_join(WRONG, "192.0.2.1") is False
    assert codes.try_join(codes.join_code, "192.0.2.1")


def test_wrong_codes_from_many_addresses_slow_down_no_other(codes: AccessCodes) -> None:
    for number in range(200):
        guess_until_slowed(codes, f"198.51.100.{number}")
    before = codes.join_code
    assert codes.try_join(codes.join_code, "192.0.2.1")
    assert codes.try_join(WRONG, "192.0.2.2") is False
    assert codes.try_join(codes.join_code, "192.0.2.2"), "a typing mistake keeps nobody waiting"
    assert codes.join_code == before, "a code that people have read stays valid"


def test_whoever_scans_the_qr_code_gets_in_even_where_somebody_guessed(codes: AccessCodes) -> None:
    guess_until_slowed(codes, "192.0.2.1")
    assert codes.try_join(codes.join_token, "192.0.2.1")


def test_a_machine_with_a_whole_ipv6_network_counts_as_one(codes: AccessCodes) -> None:
    for number in range(FREE_TRIES):
        assert codes.try_join(WRONG, f"2001:db8::{number:x}") is False
    with pytest.raises(WaitForCode):
        codes.try_join(WRONG, "2001:db8::ffff")
    assert codes.try_join(codes.join_code, "2001:db8:0:1::1")


def test_who_knows_one_code_cannot_guess_the_other_any_faster(codes: AccessCodes) -> None:
    for _ in range(FREE_TRIES):
        assert codes.try_join(codes.join_code, "192.0.2.1")
        assert codes.try_table(WRONG, "192.0.2.1") is False
    with pytest.raises(WaitForCode):
        codes.try_table(WRONG, "192.0.2.1")


def test_knocking_is_limited_for_each_address_and_does_not_count_as_guessing(codes: AccessCodes, clock: Clock) -> None:
    at_once, every_s = KNOCKS
    assert [codes.may_knock("192.0.2.1") for _ in range(at_once + 2)] == [True] * at_once + [False] * 2
    assert all(codes.may_knock(f"198.51.100.{number}") for number in range(100))
    assert codes.try_join(codes.join_code, "192.0.2.1")
    clock.now_s += every_s
    assert codes.may_knock("192.0.2.1")


def test_what_is_remembered_of_those_who_were_wrong_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_remote.access, "REMEMBERED", 100)
    wrong = WrongCodes()
    for number in range(250):
        wrong.count(f"198.51.100.{number}", float(number))
    assert len(wrong) == 100


def test_a_token_is_known_by_what_tells_nothing_about_it(codes: AccessCodes) -> None:
    token, other = new_token(), new_token()
    assert token != other
    assert len(token) >= 32
    holders = {"red": known_by(token), "blue": known_by(other), "green": known_by(token)}
    assert token not in str(holders)
    assert seats_of(token, holders) == ["red", "green"]
    for nobody in (None, "", "x", known_by(token)):
        assert seats_of(nobody, holders) == []
    codes.trust(token)
    assert codes.trusts(token)
    assert not codes.trusts(known_by(token))
    assert not codes.trusts(None)
    assert not codes.trusts("")
    assert token not in str(vars(codes))

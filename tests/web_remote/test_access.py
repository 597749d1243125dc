"""The codes: codes, how often one may guess them, and tokens that nobody keeps but the phone."""

from __future__ import annotations

import pytest

from web_remote.access import ALL_TRIES, CHANGED_AFTER, MINUTE_S, TRIES, AccessCodes, known_by, new_token, seats_of


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


def wrong(codes: AccessCodes) -> str:
    """Returns a code that opens nothing."""
    return next(code for code in ("000000", "000001", "000002") if code not in (codes.join_code, codes.table_code))


def test_either_code_lets_a_phone_sit_down_but_only_the_tables_own_does_more(codes: AccessCodes) -> None:
    assert codes.try_join(codes.join_code, "a")
    assert codes.try_join(codes.table_code, "a")
    assert codes.try_table(codes.table_code, "a")
    assert codes.try_table(codes.join_code, "a") is False
    assert codes.try_join("", "a") is False
    assert codes.try_join("Ⅻ", "a") is False


def test_codes_are_digits_and_the_tables_own_is_the_longer(codes: AccessCodes) -> None:
    assert codes.join_code.isdecimal()
    assert len(codes.join_code) == 6
    assert codes.table_code.isdecimal()
    assert len(codes.table_code) == 8


def test_an_address_may_be_wrong_a_few_times_a_minute(codes: AccessCodes, clock: Clock) -> None:
    for _ in range(TRIES):
        assert codes.try_join(wrong(codes), "a") is False
    assert codes.try_join(wrong(codes), "a") is None
    # Not even the right one counts now: else every guess would still be answered.
    assert codes.try_join(codes.join_code, "a") is None
    assert codes.try_table(codes.table_code, "a") is None
    assert codes.try_join(codes.join_code, "b")
    clock.now_s += MINUTE_S + 1
    assert codes.try_join(codes.join_code, "a")


def test_who_knows_one_code_cannot_guess_the_other_any_faster(codes: AccessCodes) -> None:
    for _ in range(TRIES):
        assert codes.try_table(wrong(codes), "a") is False
        codes.try_join(codes.join_code, "a")
    assert codes.try_table(wrong(codes), "a") is None


def test_many_addresses_together_may_not_be_wrong_more_often(codes: AccessCodes, clock: Clock) -> None:
    answers = [codes.try_join(wrong(codes), f"2001:db8::{number:x}") for number in range(200)]
    assert answers.count(False) == ALL_TRIES
    assert answers.count(None) == 200 - ALL_TRIES
    assert codes.try_join(codes.join_code, "b") is None
    clock.now_s += MINUTE_S + 1
    assert codes.try_join(codes.join_code, "b")


def test_both_codes_change_after_many_wrong_ones_and_phones_that_are_in_stay_in(
    codes: AccessCodes, clock: Clock
) -> None:
    token, before = new_token(), (codes.join_code, codes.table_code)
    codes.trust(token)
    for number in range(CHANGED_AFTER):
        clock.now_s += MINUTE_S
        assert (codes.join_code, codes.table_code) == before
        assert codes.try_join("no", f"{number}") is False
    assert codes.join_code != before[0]
    assert codes.table_code != before[1]
    assert codes.try_join(before[0], "z") is False
    assert codes.trusts(token)


def test_that_the_codes_are_others_is_told_once_and_they_can_be_read_then(clock: Clock) -> None:
    told: list[str] = []
    guarded = AccessCodes(clock, lambda: told.append(guarded.join_code))
    for _ in range(CHANGED_AFTER + 1):
        clock.now_s += MINUTE_S
        guarded.try_join("no", "a")
    assert told == [guarded.join_code]
    assert guarded.try_join(told[0], "b")


def test_knocking_is_limited_as_guessing_is_and_does_not_count_as_such(codes: AccessCodes, clock: Clock) -> None:
    assert [codes.may_knock("a") for _ in range(TRIES + 2)] == [True] * TRIES + [False] * 2
    assert codes.may_knock("b")
    assert codes.try_join(codes.join_code, "a")
    clock.now_s += MINUTE_S + 1
    assert codes.may_knock("a")
    assert sum(codes.may_knock(f"{number}") for number in range(100)) == ALL_TRIES - 1


def test_what_is_remembered_of_those_who_were_wrong_does_not_grow(codes: AccessCodes, clock: Clock) -> None:
    for number in range(5000):
        clock.now_s += 1
        codes.try_join("no", f"{number}")
        codes.may_knock(f"{number}")
    assert len(codes._guesses) <= ALL_TRIES
    assert len(codes._knocks) <= ALL_TRIES


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

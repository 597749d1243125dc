"""Phones add numbers to the deals: hashes first, so that neither the table's owner nor the last phone can choose."""

from __future__ import annotations

import hashlib
from pathlib import Path

from companion.engine import TABLE, Game
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.storage.notes import MixNote, PhoneNote
from companion.table.fair_deal import Mix, mixes_in, wrong_deals
from companion.table.mixing import FIRST_S, LATER_S, MixAnswer
from companion.table.moment import MixStep
from companion.table.options import Options
from companion.table.replies import Outcome
from companion.table.seat_requests import TakeSeat
from tests.support.table_rig import TableRig, table_rig
from tests.table.test_fair_deal import SEED, play_on

TWO = (PhoneNote("red", "phone-r"), PhoneNote("blue", "phone-b"))
RED, BLUE, OTHER = "11" * 32, "22" * 32, "33" * 32


def hashed(number: str) -> str:
    return hashlib.sha256(bytes.fromhex(number)).hexdigest()


def send(rig: TableRig, phone: str, value: str, mix_round: int | None = None) -> Outcome:
    call = rig.public.mix_call
    mix_round = (call.round if call else 0) if mix_round is None else mix_round
    rig.table.post(MixAnswer(phone, mix_round, value), rig.replies.append)
    rig.table.poll()
    rig.table.poll()
    return rig.replies[-1].outcome


def add(rig: TableRig, **numbers: str) -> None:
    """All phones of a round send their hashes, and then their numbers."""
    for phone, number in numbers.items():
        assert send(rig, f"phone-{phone}", hashed(number)) is Outcome.ACCEPTED
    for phone, number in numbers.items():
        assert send(rig, f"phone-{phone}", number) is Outcome.ACCEPTED


def game() -> Game:
    return Game(("red", "blue"), rounds=6)


def options() -> Options:
    return Options(guided=False)


def dealt(rig: TableRig) -> int:
    return sum(move.seat == TABLE for move in rig.game.moves)


def test_the_first_deal_waits_for_the_numbers_of_all_phones(tmp_path: Path) -> None:
    with table_rig(tmp_path, game(), options(), seed=SEED, notes=TWO) as rig:
        assert dealt(rig) == 0
        assert rig.public.fairness.commitment == hashed(SEED.partition(":")[2])
        call = rig.public.mix_call
        assert call is not None
        assert call.step is MixStep.HASH
        add(rig, r=RED, b=BLUE)
        assert rig.public.mix_call is None
        assert dealt(rig) > 0
        assert rig.public.fairness.mixes == (Mix(0, {"red": RED, "blue": BLUE}),)
        play_on(rig, 10_000)
        assert list(wrong_deals(rig.game, rig.session.fairness)) == []
    with open_database(tmp_path / "table.db") as database:
        assert mixes_in(Journal(database).load(1).notes) == rig.public.fairness.mixes


def test_no_number_is_shown_or_taken_before_all_hashes_are_known(tmp_path: Path) -> None:
    with table_rig(tmp_path, game(), options(), seed=SEED, notes=TWO) as rig:
        send(rig, "phone-r", hashed(RED))
        # It is taken for a hash, if at all: red's own stands.
        send(rig, "phone-r", RED)
        assert rig.public.mix_call is not None
        assert rig.public.mix_call.hashes == {"red": hashed(RED)}
        send(rig, "phone-b", hashed(BLUE))
        assert rig.public.mix_call.step is MixStep.NUMBER
        assert rig.public.mix_call.hashes == {"red": hashed(RED), "blue": hashed(BLUE)}
        assert dealt(rig) == 0


def test_the_last_phone_cannot_fit_its_number_to_the_others(tmp_path: Path) -> None:
    with table_rig(tmp_path, game(), options(), seed=SEED, notes=TWO) as rig:
        for phone, number in (("phone-r", RED), ("phone-b", BLUE)):
            send(rig, phone, hashed(number))
        send(rig, "phone-r", RED)
        assert send(rig, "phone-b", OTHER) is Outcome.REFUSED
        assert dealt(rig) == 0
        assert send(rig, "phone-b", BLUE) is Outcome.ACCEPTED
        assert rig.public.fairness.mixes == (Mix(0, {"red": RED, "blue": BLUE}),)


def test_a_phone_that_does_not_answer_in_time_is_left_out_and_holds_nobody_up(tmp_path: Path) -> None:
    with table_rig(tmp_path, game(), options(), seed=SEED, notes=TWO) as rig:
        send(rig, "phone-r", hashed(RED))
        rig.pass_s(FIRST_S - 0.1)
        assert dealt(rig) == 0
        rig.pass_s(0.1)
        assert send(rig, "phone-b", hashed(BLUE)) is Outcome.REFUSED
        send(rig, "phone-r", RED)
        assert dealt(rig) > 0
        assert rig.public.fairness.mixes == (Mix(0, {"red": RED}),)


def test_with_phones_that_are_all_silent_the_cards_come_after_two_seconds(tmp_path: Path) -> None:
    with table_rig(tmp_path, game(), options(), seed=SEED, notes=TWO) as rig:
        assert rig.table.poll() == FIRST_S
        rig.pass_s(FIRST_S)
        assert dealt(rig) > 0
        assert rig.public.fairness.mixes == ()


def test_a_phone_that_keeps_its_number_back_is_missing_from_the_list(tmp_path: Path) -> None:
    with table_rig(tmp_path, game(), options(), seed=SEED, notes=TWO) as rig:
        send(rig, "phone-r", hashed(RED))
        send(rig, "phone-b", hashed(BLUE))
        send(rig, "phone-r", RED)
        rig.pass_s(FIRST_S)
        assert rig.public.fairness.mixes == (Mix(0, {"red": RED}),)
        assert dealt(rig) > 0


def test_without_phones_and_without_secrets_nothing_is_waited_for(tmp_path: Path) -> None:
    for number, (seed, notes, real) in enumerate(((SEED, (), False), ("7", TWO, False), (SEED, TWO, True))):
        folder = tmp_path / str(number)
        folder.mkdir()
        with table_rig(folder, game(), Options(guided=False, real_cards=real), seed=seed, notes=notes) as rig:
            assert rig.public.mix_call is None
            assert dealt(rig) > 0 or real


def test_a_phone_that_joins_later_is_mixed_in_for_later_deals_together_with_all_others(tmp_path: Path) -> None:
    with table_rig(tmp_path, game(), options(), seed=SEED, notes=TWO[:1]) as rig:
        add(rig, r=RED)
        play_on(rig, 20)
        before = len(rig.game.moves)
        rig.table.post(TakeSeat("blue", "phone-b"))
        rig.table.poll()
        rig.table.poll()
        add(rig, r=OTHER, b=BLUE)
        assert rig.public.fairness.mixes[1:] == (Mix(before, {"red": OTHER, "blue": BLUE}),)
        play_on(rig, 10_000)
        assert rig.game.over
        assert list(wrong_deals(rig.game, rig.session.fairness)) == []


def test_a_phone_that_joins_later_cannot_replace_the_numbers_of_the_others(tmp_path: Path) -> None:
    with table_rig(tmp_path, game(), options(), seed=SEED, notes=TWO[:1]) as rig:
        add(rig, r=RED)
        rig.table.post(TakeSeat("blue", "phone-b"))
        rig.table.poll()
        rig.table.poll()
        moves = len(rig.game.moves)
        play_on(rig, 1)
        assert len(rig.game.moves) > moves, "nothing waits for a later round"
        send(rig, "phone-b", hashed(BLUE))
        rig.pass_s(LATER_S)
        assert rig.public.mix_call is None
        assert rig.public.fairness.mixes == (Mix(0, {"red": RED}),)


def test_what_nobody_asked_for_is_refused(tmp_path: Path) -> None:
    with table_rig(tmp_path, game(), options(), seed=SEED, notes=TWO) as rig:
        call = rig.public.mix_call
        assert call is not None
        assert send(rig, "stranger", hashed(OTHER)) is Outcome.REFUSED
        assert send(rig, "phone-r", "short") is Outcome.REFUSED
        assert send(rig, "phone-r", hashed(RED), call.round + 1) is Outcome.REFUSED
        send(rig, "phone-r", hashed(RED))
        send(rig, "phone-r", hashed(OTHER))
        assert rig.public.mix_call is not None
        assert rig.public.mix_call.hashes == {"red": hashed(RED)}, "the first answer counts"


def test_a_phone_with_two_seats_adds_one_number(tmp_path: Path) -> None:
    notes = (PhoneNote("red", "phone-r"), PhoneNote("blue", "phone-r"))
    with table_rig(tmp_path, game(), options(), seed=SEED, notes=notes) as rig:
        add(rig, r=RED)
        assert rig.public.fairness.mixes == (Mix(0, {"red": RED}),)


def test_the_numbers_count_after_a_restart(tmp_path: Path) -> None:
    notes = (*TWO, MixNote(0, {"red": RED, "blue": BLUE}))
    with table_rig(tmp_path, game(), options(), seed=SEED, notes=notes) as rig:
        rig.pass_s(FIRST_S)  # the phones are asked again, and do not answer
        play_on(rig, 10_000)
        assert list(wrong_deals(rig.game, rig.session.fairness)) == []
        assert rig.public.fairness.mixes == (Mix(0, {"red": RED, "blue": BLUE}),)

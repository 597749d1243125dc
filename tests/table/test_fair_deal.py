"""Deals that nobody can know or choose: from a secret seed, and checked afterwards by anybody."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.engine import TABLE, Game, deal
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.storage.notes import CommitmentNote, MixNote, Note
from companion.table import fair_deal
from companion.table.fair_deal import Fairness, Mix, bots_seed, chooser, is_secret, new_seed, notes_at_begin
from companion.table.moment import plain
from companion.table.options import Options
from tests.support.random_games import Player
from tests.support.table_rig import TableRig, table_rig

SEED = "hmac-sha256:" + "5e" * 32
NUMBERS = {"red": "11" * 32, "blue": "22" * 32}


def play_on(rig: TableRig, moves: int, seed: int = 4) -> None:
    """Plays this many moves of people, at random."""
    player = Player(Random(seed))
    for _ in range(moves):
        if rig.game.over:
            return
        move = player.choose(rig.game.legal_moves())
        rig.pass_s(60)
        rig.say(move.seat, " ".join((move.verb, *move.args)))


def dealt_game(folder: Path, moves: int = 10_000, notes: tuple[Note, ...] = (), seed: str = SEED) -> TableRig:
    """Returns a table at which a short game was played up to a move."""
    folder.mkdir(exist_ok=True)
    with table_rig(folder, Game(("red", "blue"), rounds=6), Options(guided=False), seed=seed, notes=notes) as rig:
        play_on(rig, moves)
        return rig


# --- Seeds ------------------------------------------------------------------------------------------------------------


def test_a_seed_has_256_bits_from_the_system_and_is_told_from_a_plain_number() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(is_secret(seed) and len(bytes.fromhex(fair_deal.digits(seed))) == 32 for seed in seeds)
    assert not is_secret("123456789")


def test_the_commitment_is_the_plain_sha_256_of_the_seed() -> None:
    [note] = notes_at_begin(SEED)
    assert note == CommitmentNote(hashlib.sha256(bytes.fromhex("5e" * 32)).hexdigest(), 0)
    assert notes_at_begin("7") == []


def test_a_deal_is_an_hmac_of_the_seed_over_the_move_and_the_phones_numbers() -> None:
    key, mixes = bytes.fromhex("5e" * 32), [Mix(0, {"red": "00" * 32}), Mix(12, NUMBERS)]
    message = f"deal 17 0 blue={'22' * 32} red={'11' * 32}"
    digest = int.from_bytes(hmac.digest(key, message.encode(), "sha256"), "big")
    for count in (2, 9, 10, 13):
        assert chooser(SEED, 17, mixes).choice(range(count)) == digest % count
    assert chooser(SEED, 11, mixes).choice(range(9**9)) != chooser(SEED, 11, mixes[1:]).choice(range(9**9))


def test_every_choice_is_equally_likely() -> None:
    drawn = Counter(chooser(SEED, number).choice("abcdefg") for number in range(7000))
    assert set(drawn) == set("abcdefg")
    assert all(880 < count < 1120 for count in drawn.values())  # 4 standard deviations


def test_a_digest_that_would_favour_the_first_choices_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = iter([b"\xff" * 32, (2**256 - 1 - 2**256 % 9).to_bytes(32, "big")])
    monkeypatch.setattr(fair_deal, "_hmac", lambda seed, message: next(digests))
    assert 2**256 % 9
    assert chooser(SEED, 0).choice(range(9)) == 8


def test_the_bots_seed_and_the_deals_tell_nothing_about_each_other() -> None:
    # Both are digests under the key, of messages that cannot be the same.
    assert bots_seed(SEED) == int.from_bytes(hmac.digest(bytes.fromhex("5e" * 32), b"bots", "sha256"), "big")
    own = f"hmac-sha256:{bots_seed(SEED):064x}"
    known = [chooser(SEED, number).choice(range(9)) for number in range(200)]
    guesses = [chooser(own, number).choice(range(9)) for number in range(200)]
    legacy = [chooser(str(bots_seed(SEED)), number).choice(range(9)) for number in range(200)]
    for guessed in (guesses, legacy):
        assert sum(map(int.__eq__, known, guessed)) < 50  # 22 by chance


# --- At a table -------------------------------------------------------------------------------------------------------


def test_a_game_of_an_earlier_version_is_dealt_as_it_always_was(tmp_path: Path) -> None:
    with table_rig(tmp_path, Game(("red", "blue"), rounds=6), seed="123456789") as rig:
        play_on(rig, 40)
    again = Game(("red", "blue"), rounds=6)
    for index, move in enumerate(rig.game.moves):
        if move.seat == TABLE:
            assert deal(again, Random(f"123456789 {index}")) == move
        else:
            again.play(move)
    assert rig.public.fairness == Fairness(secret=False)


def test_the_cards_are_the_same_after_a_restart(tmp_path: Path) -> None:
    notes = (MixNote(0, NUMBERS),)
    whole = dealt_game(tmp_path / "whole", 60, notes).game
    dealt_game(tmp_path / "cut", 30, notes)
    with open_database(tmp_path / "cut" / "table.db") as database:
        kept = Journal(database).load(1)
        assert kept.seed == SEED
    again = kept.game
    for index, move in enumerate(whole.moves[len(again.moves) :], start=len(again.moves)):
        if move.seat == TABLE:
            assert deal(again, chooser(kept.seed, index, fair_deal.mixes_in(kept.notes))) == move
        else:
            again.play(move)


def test_the_same_card_comes_after_an_undo(tmp_path: Path) -> None:
    with table_rig(tmp_path, Game(("red", "blue"), rounds=6), Options(guided=False), seed=SEED) as rig:
        play_on(rig, 60)
        numbers = [index for index, move in enumerate(rig.game.moves) if move.seat == TABLE]
        game, last = rig.game.copy(), numbers[-1]
        dealt = game.moves[last]
        while len(game.moves) > last:
            game.undo()
        assert deal(game, chooser(SEED, last)) == dealt


def test_a_finished_game_is_shown_to_be_fair_and_one_with_other_cards_is_not(tmp_path: Path) -> None:
    rig = dealt_game(tmp_path, notes=(MixNote(0, NUMBERS),))
    game, fairness = rig.game, rig.session.fairness
    assert game.over
    assert fair_deal.keeps_commitment(fairness)
    assert fair_deal.deals_in(game) > 20
    assert list(fair_deal.wrong_deals(game, fairness)) == []
    # Another seed, other numbers, no numbers, or a commitment to another seed.
    assert list(fair_deal.wrong_deals(game, replace(fairness, seed="5f" * 32)))
    assert list(fair_deal.wrong_deals(game, replace(fairness, mixes=(Mix(0, {"red": "12" * 32}),))))
    assert list(fair_deal.wrong_deals(game, replace(fairness, mixes=())))
    assert not fair_deal.keeps_commitment(replace(fairness, seed="5f" * 32))


def test_the_seed_is_in_no_moment_before_the_end_and_published_at_the_end(tmp_path: Path) -> None:
    rig = dealt_game(tmp_path)
    secrets = ("5e" * 32, str(bots_seed(SEED)), f"{bots_seed(SEED):x}", str(int("5e" * 32, 16)))
    commitment = hashlib.sha256(bytes.fromhex("5e" * 32)).hexdigest()
    under_way = [moment for moment in rig.display.moments if not moment.public.view["over"]]
    assert len(under_way) > 100
    for moment in under_way:
        text = json.dumps(plain(replace(moment, holders={})))
        assert not [secret for secret in secrets if secret in text]
        assert commitment in text
    assert rig.public.fairness.seed == "5e" * 32

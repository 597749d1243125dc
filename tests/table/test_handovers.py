"""Seats that change hands: the new player sees the seat's secrets from its next decision on, and everybody is told."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.table.journal_writer import JournalWriter
from companion.table.moment import plain
from companion.table.options import Options
from companion.table.phone_input import ChangePlayer
from companion.table.replies import Outcome
from companion.table.seat_guard import GONE_S, PhonePresence
from companion.table.seat_requests import Knock, TakeSeat
from companion.table.session import Session
from tests.support.arrange import play, turn_of
from tests.support.random_games import Player
from tests.support.table_rig import TableRig, table_rig

THREE = ("red", "blue", "green")
BOARD = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}


def dialling() -> Game:
    """Returns a game in which blue and green are to set their dials."""
    return play(turn_of("secret-all-home", THREE, board=BOARD), "red special")


def retaken() -> Game:
    """Returns a game in which red has taken a power card back in secret, and blue is to move."""
    game = turn_of("power-back", THREE, hands={"red": [1, 2, 3, 12]}, rounds=6)
    return play(game, "red special", "red retake 11")


def do(rig: TableRig, gesture: TakeSeat | Knock | PhonePresence | ChangePlayer) -> Outcome:
    rig.table.post(gesture, rig.replies.append)
    rig.table.poll()
    rig.table.poll()
    return rig.replies[-1].outcome


def seen(rig: TableRig, seat: str) -> str:
    """Returns all that a seat is shown, as text."""
    moment = rig.moment
    return json.dumps(plain({"public": moment.public, "own": moment.seen_by(seat)}))


# --- What the new player sees -----------------------------------------------------------------------------------------


def test_a_dial_stays_hidden_from_whoever_takes_the_seat_over(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling()) as rig:
        do(rig, TakeSeat("blue", "first"))
        rig.say("blue", "dial aragon")
        assert rig.moment.seen_by("blue").view["turn"]["own_dial"] == "aragon"
        assert do(rig, TakeSeat("blue", "", by_phone="first")) is Outcome.ACCEPTED
        do(rig, TakeSeat("blue", "second"))
        assert rig.moment.holders == {"blue": "second"}
        assert rig.moment.seen_by("blue").view["turn"]["own_dial"] is None
        assert "blue dial aragon" not in seen(rig, "blue")
        # The dials are turned over, and then everybody sees them.
        rig.say("green", "dial sevilla")
        assert "blue dial aragon" in seen(rig, "red")


def test_the_same_phone_that_comes_back_sees_its_own_dial(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling()) as rig:
        do(rig, TakeSeat("blue", "first"))
        rig.say("blue", "dial aragon")
        do(rig, TakeSeat("blue", "", by_phone="first"))
        do(rig, TakeSeat("blue", "first"))
        assert rig.moment.seen_by("blue").view["turn"]["own_dial"] == "aragon"
        # But not when somebody else has had the seat in between.
        do(rig, TakeSeat("blue", "", by_phone="first"))
        do(rig, TakeSeat("blue", "second"))
        do(rig, TakeSeat("blue", "", by_phone="second"))
        do(rig, TakeSeat("blue", "first"))
        assert rig.moment.seen_by("blue").view["turn"]["own_dial"] is None


def test_a_card_taken_back_is_hidden_until_the_seats_next_decision(tmp_path: Path) -> None:
    with table_rig(tmp_path, retaken(), Options(guided=False)) as rig:
        do(rig, TakeSeat("red", "first"))
        assert rig.moment.seen_by("red").view["seats"]["red"]["hand"] == [1, 2, 3, 11, 12]
        while "red" in rig.game.to_act:
            rig.insist("red", *[line for line in ("end", "done", "place castillo") if f"red {line}" in legal(rig)][:1])
        assert do(rig, TakeSeat("red", "second", over=True)) is Outcome.ACCEPTED
        assert rig.moment.seen_by("red").view["seats"]["red"]["hand"] is None
        assert "red retake 11" not in seen(rig, "red")
        assert not [choice for choice in rig.moment.seen_by("red").undo if "11" in str(choice.words)]
        # Until red is asked again: then it must know its hand.
        for _ in range(200):
            if "red" in rig.game.to_act:
                break
            seat = rig.game.to_act[0]
            rig.insist(seat, legal(rig, seat)[-1].partition(" ")[2])
        assert "red" in rig.game.to_act
        assert rig.moment.seen_by("red").view["seats"]["red"]["hand"] is not None


def legal(rig: TableRig, seat: str = "red") -> list[str]:
    return [move.text for move in rig.game.legal_moves(seat)]


def test_what_the_new_player_decides_is_theirs_to_see(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling()) as rig:
        do(rig, TakeSeat("blue", "first"))
        rig.pass_s(GONE_S)
        assert do(rig, TakeSeat("blue", "second", over=True)) is Outcome.ACCEPTED
        rig.say("blue", "dial sevilla")
        assert rig.moment.seen_by("blue").view["turn"]["own_dial"] == "sevilla"


def test_what_is_hidden_stays_hidden_over_a_restart(tmp_path: Path) -> None:
    rng = Random(3)
    game, player = Game(THREE), Player(rng)
    while game.legal_moves()[0].verb != "dial":
        game.play(player.choose(game.legal_moves()))
    with table_rig(tmp_path, game) as rig:
        do(rig, TakeSeat("blue", "first"))
        rig.say("blue", "dial aragon")
        rig.pass_s(GONE_S)
        do(rig, TakeSeat("blue", "second", over=True))
        assert rig.session.veiled("blue")
    with open_database(tmp_path / "table.db") as database:
        journal = Journal(database)
        kept = journal.load(1)
        again = Session(kept, JournalWriter(journal, 1, kept.entries), Options())
    assert again.veiled("blue")
    assert not again.veiled("green")


def test_a_notice_and_a_hint_for_the_player_before_are_not_for_the_next(tmp_path: Path) -> None:
    game = turn_of("secret-all-home", THREE, board={"aragon": {"blue": 1}, "sevilla": {"green": 1, "blue": 1}})
    with table_rig(tmp_path, game) as rig:
        do(rig, TakeSeat("green", "first"))
        rig.say("red", "special")
        assert "Sevilla" in str(rig.prompt("green").notice) or "sevilla" in str(rig.prompt("green").notice)
        do(rig, TakeSeat("green", "", by_phone="first"))
        do(rig, TakeSeat("green", "second"))
        assert rig.prompt("green").notice is None
        assert "green dial sevilla" not in seen(rig, "green")
        rig.say("blue", "hint")
        assert rig.moment.seen_by("blue").hint is not None
        do(rig, TakeSeat("blue", "third"))
        do(rig, TakeSeat("blue", "", by_phone="third"))
        do(rig, TakeSeat("blue", "fourth"))
        assert rig.moment.seen_by("blue").hint is None


# --- While a secret is at stake ---------------------------------------------------------------------------------------


def test_from_bot_to_person_and_back_shows_no_dial(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling(), Options(players={"blue": "easy"}, pace="fast")) as rig:
        rig.pass_s(2)
        rig.think("blue dial aragon")
        assert str(rig.game.moves[-1]) == "blue dial aragon"
        rig.change_player("blue", "person")
        assert rig.notices == ["The bot that plays blue decides in secret now. Change the seat after that."]
        assert "blue" not in rig.moment.seats
        rig.say("green", "dial sevilla")
        rig.change_player("blue", "person")
        assert rig.replies[-1].outcome is Outcome.ACCEPTED
        assert rig.notices == ["A person plays blue now.", "Changed at the table."]


def test_a_bots_hidden_hand_is_not_shown_by_taking_its_decision(tmp_path: Path) -> None:
    game = turn_of("power-back", THREE, hands={"red": [1, 2, 3, 12]})
    play(game, "red special")
    game.play("red retake 11")
    with table_rig(tmp_path, game, Options(players={"red": "easy"}, pace="fast")) as rig:
        assert "red" in rig.game.to_act
        rig.change_player("red", "person")
        assert rig.replies[-1].outcome is Outcome.REFUSED
        assert "red" not in rig.moment.seats


def test_while_dials_are_set_a_seat_is_taken_over_only_if_its_phone_agrees(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling()) as rig:
        do(rig, TakeSeat("blue", "first"))
        do(rig, PhonePresence("first", here=True))
        rig.pass_s(10 * GONE_S)
        assert do(rig, TakeSeat("blue", "second", over=True)) is Outcome.REFUSED
        assert rig.notices == ["blue decides in secret now, so blue's phone is asked first."]
        assert rig.moment.holders == {"blue": "first"}
        assert str(rig.prompt("blue").asked) == "Give your seat away?"
        rig.say("blue", "no")
        assert rig.moment.holders == {"blue": "first"}
        do(rig, TakeSeat("blue", "second", over=True))
        rig.say("blue", "yes")
        assert rig.moment.holders == {"blue": "second"}


def test_the_table_neither_frees_a_seat_nor_gives_it_to_a_bot_without_asking_its_phone(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling()) as rig:
        do(rig, TakeSeat("blue", "first"))
        do(rig, PhonePresence("first", here=True))
        assert do(rig, TakeSeat("blue", "", by_phone="the machine")) is Outcome.REFUSED
        rig.change_player("blue", "easy")
        assert rig.replies[-1].outcome is Outcome.REFUSED
        assert rig.moment.holders == {"blue": "first"}
        rig.say("blue", "yes")
        assert rig.session.options.player("blue") == "easy"


def test_held_buttons_and_knocks_do_not_get_around_it(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling()) as rig:
        do(rig, TakeSeat("blue", "first"))
        do(rig, PhonePresence("first", here=True))
        rig.say("blue", "dial aragon")
        rig.hold("galicia")
        assert rig.public.seats_open
        assert do(rig, TakeSeat("blue", "second")) is Outcome.REFUSED
        assert rig.moment.holders == {"blue": "first"}


def test_a_phone_that_has_been_gone_for_a_minute_is_not_asked(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling()) as rig:
        do(rig, TakeSeat("blue", "first"))
        do(rig, PhonePresence("first", here=True))
        rig.pass_s(100)
        do(rig, PhonePresence("first", here=False))
        rig.pass_s(GONE_S - 1)
        assert do(rig, TakeSeat("blue", "second", over=True)) is Outcome.REFUSED
        rig.pass_s(1)
        assert do(rig, TakeSeat("blue", "second", over=True)) is Outcome.ACCEPTED


def test_at_any_other_time_a_seat_changes_hands_at_once(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s", THREE)) as rig:
        do(rig, TakeSeat("blue", "first"))
        do(rig, PhonePresence("first", here=True))
        assert do(rig, TakeSeat("blue", "second", over=True)) is Outcome.ACCEPTED
        rig.change_player("blue", "easy")
        rig.change_player("blue", "person")
        assert rig.replies[-1].outcome is Outcome.ACCEPTED


# --- What everybody is told -------------------------------------------------------------------------------------------


def test_everybody_is_told_who_changed_what(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s", THREE)) as rig:
        do(rig, TakeSeat("red", "r"))
        do(rig, TakeSeat("blue", "first"))
        assert rig.notices == []
        steps = (
            (TakeSeat("blue", "second", over=True), ["Another phone plays blue now.", "Changed at the table."]),
            (TakeSeat("blue", "", by_phone="r"), ["blue's seat is free now.", "Changed by red."]),
            (ChangePlayer("blue", "hard", "r"), ["A bot plays blue now.", "Changed by red."]),
            (ChangePlayer("blue", "person", "x"), ["A person plays blue now.", "Changed at the table."]),
            (TakeSeat("blue", "first"), ["Another phone plays blue now.", "Changed at the table."]),
        )
        for gesture, told in steps:
            do(rig, gesture)
            assert rig.notices == told
        assert [[str(line) for line in each.words] for each in rig.public.handovers] == [told for _, told in steps]

"""Phones take seats: by a code that was checked before, or by the button that lights up; kept over a restart."""

from __future__ import annotations

from pathlib import Path

from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.table.options import Options
from companion.table.replies import Outcome
from companion.table.seat_requests import KNOCK_S, OPEN_S, Knock, KnockToManage, TakeSeat
from companion.table.session import holders_after
from hardware.ports import Pattern, Press
from tests.support.arrange import at, play, turn_of
from tests.support.table_rig import TableRig, placing, table_rig


def do(rig: TableRig, gesture: TakeSeat | Knock | KnockToManage) -> None:
    rig.table.post(gesture)
    rig.table.poll()


def lit_button(rig: TableRig) -> str:
    (place,) = rig.lit(Pattern.CHASE)
    return place


def test_a_phone_keeps_its_seat_and_its_name_over_a_restart(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        do(rig, TakeSeat("red", "abc", "  Ann \n of the  table, and many more"))
        do(rig, TakeSeat("blue", "abc"))
        assert rig.moment.holders == {"red": "abc", "blue": "abc"}
        assert rig.session.options.names == {"red": "Ann of the table, an"}
        do(rig, TakeSeat("blue", ""))
        assert rig.moment.holders == {"red": "abc"}
        do(rig, TakeSeat("nobody", "abc"))
    with open_database(tmp_path / "table.db") as database:
        kept = Journal(database).load(1)
    assert holders_after(kept.notes) == {"red": "abc"}
    assert Options.from_json(kept.options).after(kept.notes).names == {"red": "Ann of the table, an"}


def test_the_button_that_lights_up_lets_a_phone_in_and_does_nothing_else(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        legal, before = rig.lit(Pattern.BREATHE), rig.game.moves
        do(rig, Knock("blue", "abc", "Bo"))
        assert rig.public.knocking == "blue"
        assert lit_button(rig) not in legal
        assert rig.scene.places[lit_button(rig)].colour == "blue"
        assert rig.lit(Pattern.BREATHE) == legal
        rig.press(lit_button(rig))
        assert rig.moment.holders == {"blue": "abc"}
        assert rig.session.options.names == {"blue": "Bo"}
        assert rig.public.knocking is None
        assert rig.lit(Pattern.CHASE) == set()
        assert rig.game.moves == before


def test_other_buttons_play_on_while_a_phone_waits_and_it_does_not_wait_for_ever(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        do(rig, Knock("blue", "abc"))
        place = lit_button(rig)
        rig.press("castillo")
        assert at(rig.game, "castillo", "red") == 1
        assert lit_button(rig) == place
        rig.pass_s(KNOCK_S)
        assert rig.lit(Pattern.CHASE) == set()
        rig.press(place)
        assert rig.moment.holders == {}


def test_a_press_lets_nobody_in_where_another_phone_sat_down_meanwhile(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        before = rig.game.moves
        do(rig, Knock("blue", "abc", "Bo"))
        do(rig, TakeSeat("blue", "xyz", "Ann"))
        rig.press(lit_button(rig))
        assert rig.moment.holders == {"blue": "xyz"}
        assert rig.session.options.names == {"blue": "Ann"}
        assert rig.notices == ["Another phone has blue's seat: nobody was let in."]
        # It was the lit button, and is dark now; nothing was played by it.
        assert rig.lit(Pattern.CHASE) == set()
        assert rig.game.moves == before


def test_a_press_lets_in_the_phone_that_has_the_seat_already_and_any_while_the_seats_are_open(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        do(rig, Knock("blue", "abc", "Bo"))
        do(rig, TakeSeat("blue", "abc"))
        rig.press(lit_button(rig))
        assert rig.session.options.names == {"blue": "Bo"}
        rig.hold("galicia")  # the King stands there: it means nothing else
        do(rig, Knock("blue", "xyz"))
        rig.press(lit_button(rig))
        assert rig.moment.holders == {"blue": "xyz"}


def test_a_press_lets_nobody_in_where_a_bot_plays_meanwhile(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        do(rig, Knock("blue", "abc"))
        rig.change_player("blue", "easy")
        rig.press(lit_button(rig))
        assert rig.moment.holders == {}
        assert rig.notices == ["A bot plays blue now: nobody was let in."]


def test_what_another_phone_holds_is_not_taken_by_one_that_comes_with_a_code_or_knocks(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        do(rig, TakeSeat("blue", "abc"))
        do(rig, TakeSeat("blue", "xyz"))
        assert rig.moment.holders == {"blue": "abc"}
        do(rig, Knock("blue", "xyz"))
        assert rig.lit(Pattern.CHASE) == set()
        rig.hold("galicia")
        do(rig, TakeSeat("blue", "xyz"))
        assert rig.moment.holders == {"blue": "xyz"}


def test_a_seat_that_is_given_to_a_bot_has_no_phone_any_more_also_after_a_restart(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        do(rig, TakeSeat("blue", "abc", "Bo"))
        do(rig, TakeSeat("green", "abc"))
        rig.change_player("blue", "easy")
        assert rig.moment.holders == {"green": "abc"}
        assert rig.notices == ["A bot plays blue now.", "Changed at the table."]
        do(rig, TakeSeat("blue", "abc"))
        assert rig.moment.holders == {"green": "abc"}
    with open_database(tmp_path / "table.db") as database:
        assert holders_after(Journal(database).load(1).notes) == {"green": "abc"}


def test_a_seat_that_goes_back_to_a_person_is_free(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        do(rig, TakeSeat("blue", "abc"))
        rig.change_player("blue", "easy")
        rig.change_player("blue", "person")
        assert rig.moment.holders == {}
        do(rig, TakeSeat("blue", "xyz"))
        assert rig.moment.holders == {"blue": "xyz"}


def test_a_bots_seat_and_one_that_is_not_there_are_not_knocked_for(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), Options(players={"blue": "easy"})) as rig:
        for seat in ("blue", "brown"):
            do(rig, Knock(seat, "abc"))
            assert rig.lit(Pattern.CHASE) == set()


def test_a_button_that_means_nothing_held_down_opens_the_seats_for_a_while(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        rig.press("castillo")
        rig.table.post(Press("castillo", long=True))
        rig.table.poll()
        assert not rig.public.seats_open  # that was a placement
        rig.hold("galicia")  # the King stands there
        assert rig.public.seats_open
        rig.pass_s(OPEN_S)
        assert not rig.public.seats_open


def test_who_may_veto_and_touches_a_map_is_told_to_answer_first(tmp_path: Path) -> None:
    with table_rig(tmp_path, play(turn_of("king", vetoes=["blue"]), "red special")) as rig:
        rig.say("blue", "touch granada")
        assert str(rig.prompt("blue").notice) == "No place to choose now: answer the question first."


def test_a_touch_on_a_map_is_a_press_of_whose_turn_it_is(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("move-3", ("red", "blue"), board={"aragon": {"red": 1}})) as rig:
        assert set(rig.prompt("red").touch) == rig.lit(Pattern.BREATHE)
        assert rig.prompt("blue").touch == ()
        rig.say("blue", "touch castillo")
        assert str(rig.prompt("blue").notice) == "It's red's turn."
        rig.say("red", "touch castillo")
        assert at(rig.game, "castillo", "red") == 1
        rig.say("red", "special", "touch aragon")
        assert rig.prompt("red").origin == "aragon"
        assert set(rig.prompt("red").touch) == rig.lit(Pattern.BREATHE)
        rig.say("red", "touch granada")
        assert str(rig.game.moves[-2]) == "red move red aragon granada" or at(rig.game, "granada", "red") == 1


def test_who_spoke_learns_whether_it_was_in_time(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        version = rig.moment.version
        rig.say("red", "place castillo", version=version)
        rig.say("red", "place castillo", version=version)
        assert [reply.is_late for reply in rig.replies] == [False, True]
        assert [reply.outcome for reply in rig.replies] == [Outcome.ACCEPTED, Outcome.REFUSED]


def test_a_press_of_the_button_that_is_lit_white_lets_a_phone_manage_the_table(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        before = rig.game.moves
        do(rig, KnockToManage("abc"))
        assert rig.public.knocking == "table"
        assert rig.scene.places[lit_button(rig)].colour == "white"
        assert rig.notices == ["A phone wants to set up a game: press the button that is lit white."]
        rig.press(lit_button(rig))
        assert rig.moment.managers == {"abc"}
        assert rig.moment.holders == {}
        assert rig.public.knocking is None
        assert rig.game.moves == before


def test_a_seat_is_taken_over_only_by_who_may(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        do(rig, TakeSeat("red", "abc"))
        do(rig, TakeSeat("red", "def"))
        assert rig.moment.holders == {"red": "abc"}
        do(rig, TakeSeat("red", "def", over=True))
        assert rig.moment.holders == {"red": "def"}
        rig.change_player("blue", "easy")
        do(rig, TakeSeat("blue", "def", over=True))
        assert rig.moment.holders == {"red": "def"}


def test_that_somebody_has_joined_is_no_alarm_and_is_gone_with_the_next_gesture(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        do(rig, TakeSeat("red", "abc"))
        do(rig, TakeSeat("blue", "def"))
        assert list(map(str, rig.public.mentions)) == ["red has joined.", "blue has joined."]
        assert rig.notices == []
        rig.press("castillo")
        assert rig.public.mentions == ()

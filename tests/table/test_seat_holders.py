"""Phones take seats: by a code that was checked before, or by the button that lights up; kept over a restart."""

from __future__ import annotations

from pathlib import Path

from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.table.options import Options
from companion.table.seat_holders import KNOCK_S, OPEN_S, Knock, Seated, holders_after
from companion.table.table import Said
from hardware.ports import Pattern, Press
from tests.support.arrange import at, turn_of
from tests.support.table_rig import Bench, at_a_bench, placing


def do(bench: Bench, gesture: Seated | Knock) -> None:
    bench.table.post(gesture)
    bench.table.poll()


def door(bench: Bench) -> str:
    (place,) = bench.lit(Pattern.CHASE)
    return place


def test_a_phone_keeps_its_seat_and_its_name_over_a_restart(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        do(bench, Seated("red", "abc", "  Ann \n of the  table, and many more"))
        do(bench, Seated("blue", "abc"))
        assert bench.board.holders == {"red": "abc", "blue": "abc"}
        assert bench.table.options.names == {"red": "Ann of the table, an"}
        do(bench, Seated("blue", ""))
        assert bench.board.holders == {"red": "abc"}
        do(bench, Seated("nobody", "abc"))
    with open_database(tmp_path / "table.db") as database:
        kept = Journal(database).load(1)
    assert holders_after(kept.notes) == {"red": "abc"}
    assert Options.from_json(kept.options).after(kept.notes).names == {"red": "Ann of the table, an"}


def test_the_button_that_lights_up_lets_a_phone_in_and_does_nothing_else(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        legal, before = bench.lit(Pattern.BREATHE), bench.game.moves
        do(bench, Knock("blue", "abc", "Bo"))
        assert bench.board.knocking == "blue"
        assert door(bench) not in legal
        assert bench.scene.places[door(bench)].colour == "blue"
        assert bench.lit(Pattern.BREATHE) == legal
        bench.press(door(bench))
        assert bench.board.holders == {"blue": "abc"}
        assert bench.table.options.names == {"blue": "Bo"}
        assert bench.board.knocking is None
        assert bench.lit(Pattern.CHASE) == set()
        assert bench.game.moves == before


def test_other_buttons_play_on_while_a_phone_waits_and_it_does_not_wait_for_ever(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        do(bench, Knock("blue", "abc"))
        place = door(bench)
        bench.press("castillo")
        assert at(bench.game, "castillo", "red") == 1
        assert door(bench) == place
        bench.pass_s(KNOCK_S)
        assert bench.lit(Pattern.CHASE) == set()
        bench.press(place)
        assert bench.board.holders == {}


def test_a_press_lets_nobody_in_where_another_phone_sat_down_meanwhile(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        before = bench.game.moves
        do(bench, Knock("blue", "abc", "Bo"))
        do(bench, Seated("blue", "xyz", "Ann"))
        bench.press(door(bench))
        assert bench.board.holders == {"blue": "xyz"}
        assert bench.table.options.names == {"blue": "Ann"}
        assert bench.notices == ["Another phone has the seat of blue: nobody was let in."]
        # It was the door's button, and is dark now; nothing was played by it.
        assert bench.lit(Pattern.CHASE) == set()
        assert bench.game.moves == before


def test_a_press_lets_in_the_phone_that_has_the_seat_already_and_any_while_the_seats_are_open(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        do(bench, Knock("blue", "abc", "Bo"))
        do(bench, Seated("blue", "abc"))
        bench.press(door(bench))
        assert bench.table.options.names == {"blue": "Bo"}
        bench.hold("galicia")  # the King stands there: it means nothing else
        do(bench, Knock("blue", "xyz"))
        bench.press(door(bench))
        assert bench.board.holders == {"blue": "xyz"}


def test_a_press_lets_nobody_in_where_a_bot_plays_meanwhile(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        do(bench, Knock("blue", "abc"))
        bench.say("red", "player blue easy")
        bench.press(door(bench))
        assert bench.board.holders == {}
        assert bench.notices == ["A bot plays blue now: nobody was let in."]


def test_what_another_phone_holds_is_not_taken_by_one_that_comes_with_a_code_or_knocks(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        do(bench, Seated("blue", "abc"))
        do(bench, Seated("blue", "xyz"))
        assert bench.board.holders == {"blue": "abc"}
        do(bench, Knock("blue", "xyz"))
        assert bench.lit(Pattern.CHASE) == set()
        bench.hold("galicia")
        do(bench, Seated("blue", "xyz"))
        assert bench.board.holders == {"blue": "xyz"}


def test_a_seat_that_is_given_to_a_bot_has_no_phone_any_more_also_after_a_restart(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        do(bench, Seated("blue", "abc", "Bo"))
        do(bench, Seated("green", "abc"))
        bench.say("red", "player blue easy")
        assert bench.board.holders == {"green": "abc"}
        assert bench.notices == ["A bot plays blue now."]
        do(bench, Seated("blue", "abc"))
        assert bench.board.holders == {"green": "abc"}
    with open_database(tmp_path / "table.db") as database:
        assert holders_after(Journal(database).load(1).notes) == {"green": "abc"}


def test_a_seat_that_goes_back_to_a_person_is_free(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        do(bench, Seated("blue", "abc"))
        bench.say("red", "player blue easy", "player blue person")
        assert bench.board.holders == {}
        do(bench, Seated("blue", "xyz"))
        assert bench.board.holders == {"blue": "xyz"}


def test_a_bots_seat_and_one_that_is_not_there_are_not_knocked_for(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), Options(players={"blue": "easy"})) as bench:
        for seat in ("blue", "brown"):
            do(bench, Knock(seat, "abc"))
            assert bench.lit(Pattern.CHASE) == set()


def test_a_button_that_means_nothing_held_down_opens_the_seats_for_a_while(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        bench.press("castillo")
        bench.table.post(Press("castillo", long=True))
        bench.table.poll()
        assert not bench.board.seats_open  # that was a placement
        bench.hold("galicia")  # the King stands there
        assert bench.board.seats_open
        bench.pass_s(OPEN_S)
        assert not bench.board.seats_open


def test_a_touch_on_a_map_is_a_press_of_whose_turn_it_is(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, turn_of("move-3", ("red", "blue"), board={"aragon": {"red": 1}})) as bench:
        assert set(bench.prompt("red").touch) == bench.lit(Pattern.BREATHE)
        assert bench.prompt("blue").touch == ()
        bench.say("blue", "touch castillo")
        assert str(bench.prompt("blue").told) == "It is not your turn."
        bench.say("red", "touch castillo")
        assert at(bench.game, "castillo", "red") == 1
        bench.say("red", "special", "touch aragon")
        assert bench.prompt("red").origin == "aragon"
        assert set(bench.prompt("red").touch) == bench.lit(Pattern.BREATHE)
        bench.say("red", "touch granada")
        assert str(bench.game.moves[-2]) == "red move red aragon granada" or at(bench.game, "granada", "red") == 1


def test_who_spoke_learns_whether_it_was_in_time(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        version = bench.board.version
        heard: list[bool] = []
        for _ in range(2):
            bench.table.post(Said("red", "place castillo", version, heard.append))
            bench.table.poll()
        assert heard == [True, False]

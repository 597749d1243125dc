"""Lessons: each comes when there is something to explain, is true, and is given once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.engine import EDITIONS, Game, Message, deal
from companion.engine.regions import PLACES, RECRUITS
from companion.engine.scoring import payout
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.storage.notes import LessonNote
from companion.table.journal_writer import JournalWriter
from companion.table.lesson_progress import READING_S
from companion.table.lessons import LESSONS, NAMES, POINTERS, TOPICS, Look, lesson_for
from companion.table.moment import LessonWords
from companion.table.options import Options
from companion.table.scoring_show import ScoringShow, ShowFrame
from companion.table.seat_requests import TakeSeat
from companion.table.session import Session
from companion.translations import LANGUAGES, Translator
from hardware.ports import DARK, Pattern, Show
from tests.support.arrange import FOUR, opening, play, put, turn_of
from tests.support.table_rig import THREE, TableRig, journalled, table_rig

TAUGHT = Options(pace="fast", guided=False, teach=True)
START = ("you", "home", "aim", "power")
"""The lessons before the first power card."""


def look(game: Game, seat: str, **more: object) -> Look:
    return Look(game.view(seat), **more)  # type: ignore[arg-type]


def given(game: Game, seat: str, **more: object) -> dict[str, LessonWords]:
    """Every lesson that could be given now, by name."""
    lessons = {lesson.name: lesson.words(look(game, seat, **more)) for lesson in LESSONS}
    return {name: words for name, words in lessons.items() if words is not None}


def said(words: LessonWords) -> str:
    return str(words.words)


def current(rig: TableRig, seat: str = "red") -> str | None:
    lesson = rig.moment.seen_by(seat).lesson
    return None if lesson is None else lesson.name


# --- When each lesson comes ------------------------------------------------------------------------------------------


def test_every_lesson_has_a_name_of_its_own_and_points_at_something_there_is() -> None:
    assert len(NAMES) == len(LESSONS)
    assert {lesson.topic for lesson in LESSONS} == set(TOPICS)
    assert {lesson.points_at for lesson in LESSONS} <= set(POINTERS)


def test_before_the_first_power_card_come_who_is_who_how_to_win_and_a_card_to_try() -> None:
    game = opening(THREE)
    lessons = given(game, "red")
    assert list(lessons) == ["you", "home", "aim", "power"]
    assert said(lessons["you"]).startswith("This is you, red:")
    assert said(lessons["you"]).endswith("after the last scoring, in round 9, wins.")
    assert lessons["home"].place == game.snapshot()["seats"]["red"]["grande"]
    assert lessons["aim"].place == "castilla-la-nueva"
    assert said(lessons["power"]).endswith("Try 7: it brings 3.")


@pytest.mark.parametrize(("rounds", "last"), [(9, "round 9"), (6, "round 6")])
def test_the_goal_says_after_which_round_the_game_is_won(rounds: int, last: str) -> None:
    game, rng = Game(THREE, rounds=rounds), Random(1)
    while game.to_act == ("table",):
        deal(game, rng)
    assert last in said(given(game, game.to_act[0])["you"])


@pytest.mark.parametrize(
    ("seats", "paid"),
    [
        (FOUR[:2], "7/4/2 means 7 points for the most; with two players, nobody else gets any."),
        (FOUR[:3], "7/4/2 means 7 points for the most and 4 for second; with three players, third gets nothing."),
        (FOUR, "7/4/2 means 7 points for the most, 4 for second and 2 for third."),
    ],
)
def test_the_three_numbers_of_a_region_are_explained_for_this_many_players(seats: tuple[str, ...], paid: str) -> None:
    assert said(given(opening(seats), seats[0])["aim"]).endswith(f"In castilla-la-nueva, {paid}")


def test_the_second_power_card_comes_with_what_became_of_the_first() -> None:
    game = turn_of("score-4s", THREE)
    played = game.view("red")["seats"]["red"]["played"][-1]
    rng = Random(2)
    while game.round == 1 or game.to_act != ("red",):
        if game.to_act == ("table",):
            deal(game, rng)
        else:
            game.play([move for move in game.legal_moves() if move.verb not in ("special", "place")][-1])
    assert said(given(game, "red")["used"]).startswith(f"Your {played} is used up")


def test_a_lesson_that_names_an_answer_points_at_that_very_answer() -> None:
    game = play(opening(THREE), "red power 4", "blue power 3")
    assert given(game, "green")["power"].choice == "power 7"
    game.play("green power 2")
    assert given(game, "red")["recruit"].choice == "recruit 4"
    game.play("red recruit 4")
    stack = next(stack for stack, card in game.view("red")["open"].items() if card == "king")
    assert given(game, "red")["card"].choice == f"card {stack}"
    assert given(turn_of("score-4s", THREE), "red")["special"].choice == "special"


def test_the_card_to_try_is_one_that_nobody_has_played() -> None:
    game = play(opening(THREE), "red power 7")
    assert said(given(game, "blue")["power"]).endswith("Try 6: it brings 3.")


def test_a_seat_that_waits_is_told_to_watch_the_others() -> None:
    game = turn_of("score-4s", THREE)
    assert list(given(game, "blue")) == ["others"]
    assert "others" not in given(game, "red")


def test_recruiting_and_action_cards_say_what_there_is_to_take() -> None:
    game = play(opening(THREE), "red power 4", "blue power 3", "green power 2")
    assert said(given(game, "red")["recruit"]).startswith("Your power card brings up to 4 caballeros")
    game.play("red recruit 4")
    assert said(given(game, "red")["card"]).endswith("Try king: with it you place up to 5.")
    assert "hint" not in given(game, "red", hints=True)  # later


def test_placing_teaches_the_king_an_empty_region_and_the_castillo() -> None:
    game = turn_of("score-4s", THREE, board={"pais-vasco": {"red": 2, "blue": 1}}, king="aragon")
    lessons = given(game, "red")
    assert list(lessons) == ["special", "king", "empty", "castillo"]
    assert lessons["king"].place == "aragon"
    assert said(lessons["empty"]).startswith("Put a caballero where nobody is yet: in castilla-la-nueva.")
    assert said(lessons["empty"]).endswith("the most pays 7.")
    assert said(lessons["castillo"]).startswith("Try the castillo. It is scored first and pays 5")


def test_a_tile_counts_for_what_a_region_pays() -> None:
    board = {"pais-vasco": {"red": 2, "blue": 1}}
    game = turn_of("score-4s", THREE, board=board, king="aragon", tiles={"8": "valencia"})
    assert said(given(game, "red")["empty"]).endswith(
        "in valencia. One is enough for the most there, and the most pays 8."
    )


def test_a_tie_says_what_it_pays_and_what_one_more_would() -> None:
    board = {"aragon": {"red": 2, "blue": 2}}
    game = turn_of("score-4s", THREE, board=board, king="valencia", grandes={"red": "sevilla"})
    assert said(given(game, "red")["tie"]) == (
        "You are tied with blue in aragon. Ties score the next lower place: you would get 4. With one "
        "more there, you would get 5."
    )


def test_the_home_of_the_grande_counts_in_a_tie() -> None:
    board = {"aragon": {"red": 2, "blue": 2}}
    game = turn_of("score-4s", THREE, board=board, king="valencia", grandes={"red": "aragon"})
    assert said(given(game, "red")["tie"]).endswith("you would get 7.")


def test_second_pays_too_except_with_two_players() -> None:
    board = {"aragon": {"blue": 3}}
    game = turn_of("score-4s", THREE, board=board, king="valencia")
    assert said(given(game, "red")["second"]) == (
        "blue leads in aragon with 3. Second pays too: one caballero there would get you 4."
    )
    assert "second" not in given(turn_of("score-4s", THREE[:2], board=board, king="valencia"), "red")


def test_the_special_action_is_explained_before_anything_is_placed() -> None:
    lesson = lesson_for(look(turn_of("score-4s", THREE, king="valencia"), "red"), ())
    assert lesson is not None
    assert said(lesson).startswith("score-4s is your special action.")


def test_whoever_may_veto_is_told_what_that_is() -> None:
    game = put(turn_of("score-4s", THREE), vetoes=["blue"])
    game.play("red special")
    assert list(given(game, "blue")) == ["veto"]


def test_the_dial_suggests_a_region_where_one_would_lead() -> None:
    board = {"castillo": {"red": 2, "blue": 1}, "aragon": {"blue": 1}, "granada": {"blue": 2}}
    game = scoring_of(board, king="castilla-la-nueva")
    lessons = given(game, "red")
    assert list(lessons) == ["dial", "dial-try"]
    assert (lessons["dial-try"].points_at, lessons["dial-try"].place) == ("dial", "castilla-la-vieja")  # it pays 6
    assert said(lessons["dial-try"]).startswith("You have 2 in the castillo.")


def test_who_has_nobody_in_the_castillo_is_not_told_where_to_send_them() -> None:
    assert list(given(scoring_of({"castillo": {"blue": 1}, "aragon": {"red": 1}}), "red")) == ["dial"]


def test_a_scoring_names_who_is_paid_and_a_bonus() -> None:
    game = scoring_of({"aragon": {"blue": 3, "red": 1}, "granada": {"green": 1}}, king="granada")
    for seat in THREE:
        game.play(f"{seat} dial sevilla")
    rows = tuple(game.view("red")["scorings"])
    lessons = given(game, "red", scored=rows)
    assert said(lessons["scoring"]).startswith("aragon is scored: blue has the most caballeros there and gets 5")
    assert said(lessons["bonus"]).startswith("green gets 2 more in granada.")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_tie_is_explained_where_it_is_scored_as_the_edition_pays_it(edition: str) -> None:
    board = {"aragon": {"red": 3, "blue": 1, "green": 3, "yellow": 3}, "sevilla": {"red": 1}}
    tied = given_when_scored(board, FOUR, edition)["tied"]
    assert said(tied).startswith("red, green and yellow are tied in aragon.")
    assert ": 4 points each" in said(tied)  # aragon pays 5, 4 and 1


def test_a_tie_for_the_last_rank_that_is_paid_is_explained_and_pays_nothing() -> None:
    board = {"aragon": {"red": 3, "blue": 1, "green": 1}, "sevilla": {"red": 1}}
    assert ": 0 points each" in said(given_when_scored(board, THREE)["tied"])


def test_a_tie_for_a_rank_that_is_not_paid_is_not_worth_a_lesson() -> None:
    assert "tied" not in given_when_scored({"aragon": {"red": 3, "green": 1, "blue": 2}}, THREE)
    board = {"aragon": {"red": 4, "blue": 3, "green": 2, "yellow": 1, "brown": 1}}
    assert "tied" not in given_when_scored(board, (*FOUR, "brown"))


def test_during_a_scoring_only_the_scoring_is_explained() -> None:
    given_then = given_when_scored({"aragon": {"red": 3, "blue": 1}}, THREE)
    assert {lesson.points_at for lesson in given_then.values()} == {"scoring"}


def given_when_scored(
    board: dict[str, dict[str, int]], seats: tuple[str, ...], edition: str = "bigbox-de"
) -> dict[str, LessonWords]:
    """Every lesson that could be given to red while Aragon is shown as scored."""
    game = turn_of("score-5s", seats, edition=edition, board=board, king="granada", grandes={})
    game.play(f"{seats[0]} special")
    rows = [row for row in game.view("red")["scorings"] if row["place"] == "aragon"]
    return given(game, "red", scored=tuple(rows))


def test_after_the_first_scoring_the_castillo_is_empty_again() -> None:
    game = scoring_of({"castillo": {"red": 1}, "aragon": {"blue": 1}})
    for seat in THREE:
        game.play(f"{seat} dial sevilla")
    while game.to_act == ("table",):
        deal(game, Random(1))
    assert "after" in given(game, game.to_act[0])
    assert not any(data["castillo"] for data in game.snapshot()["seats"].values())


def scoring_of(board: dict[str, dict[str, int]], king: str = "galicia") -> Game:
    """Returns a short game in which the dials of its first scoring are to be set."""
    game, rng = Game(THREE, rounds=6), Random(3)
    while game.to_act != THREE:
        if game.to_act == ("table",):
            deal(game, rng)
        else:
            calm = [move for move in game.legal_moves() if move.verb not in ("special", "place")]
            game.play(calm[-1])
    homes = {"red": "granada", "blue": "pais-vasco", "green": "galicia"}
    return put(game, king=king, board=board, grandes=homes)


# --- Whole games: what is said is true, in every language -------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_in_whole_games_every_lesson_is_true_and_translated(edition: str) -> None:
    rng, seats = Random(edition), FOUR[: 2 + list(EDITIONS).index(edition) % 3]
    languages = [Translator(language, edition) for language in LANGUAGES]
    met: set[str] = set()
    for _ in range(3):
        game = Game(seats, edition, 6)
        while not game.over:
            if game.to_act == ("table",):
                deal(game, rng)
                continue
            for seat in seats:
                for name, words in given(game, seat).items():
                    check(name, words, game, seat)
                    if name not in met:
                        met.add(name)
                        check_words(words.words, languages)
            game.play(rng.choice(game.legal_moves()))
    assert met >= {*START, "used", "recruit", "card", "special", "king", "empty", "castillo", "tie", "dial", "dial-try"}


def check(name: str, words: LessonWords, game: Game, seat: str) -> None:
    """Compares what a lesson says with the game itself, not with the view it was computed from."""
    fields, s, index = words.words.fields, game.state, game.seats.index(seat)
    place = PLACES.index(str(fields["place"])) if "place" in fields else -1
    match name:
        case "aim":
            assert fields["first"] == max(s.value(each)[0] for each in range(9))
        case "home":
            assert place == s.grandes[index]
            assert s.board[place][index]
        case "used":
            assert f"{seat} power {fields['number']}" not in map(str, game.legal_moves(seat))
        case "power":
            assert f"{seat} power {fields['number']}" in map(str, game.legal_moves(seat))
            assert fields["count"] == RECRUITS[int(str(fields["number"]))]
        case "king":
            assert place == s.king
        case "empty":
            assert not any(s.board[place])
            assert fields["number"] == s.value(place)[0]
            after = game.copy()
            after.play(f"{seat} place {words.place}")
            assert payout(after.state, place).leader == index
        case "tie" | "second":
            after = game.copy()
            after.play(f"{seat} place {words.place}")
            assert fields["number"] == payout(after.state, place).paid_to(index)
            if name == "tie":
                assert fields["count"] == payout(s, place).paid_to(index)
            else:
                other = game.seats.index(str(fields["other"]))
                assert payout(s, place).leader == payout(after.state, place).leader == other
        case "order":
            assert s.start == game.seats.index(str(fields["seat"]))
        case "dial-try":
            count = game.snapshot()["seats"][seat]["castillo"]
            assert fields["number"] == count
            moved = put(game.copy())
            moved.state.add(place, index, count)
            assert payout(moved.state, place).leader == index


def check_words(message: Message, languages: list[Translator]) -> None:
    said_in = {words.language: words.say(message) for words in languages}
    assert len(set(said_in.values())) == len(LANGUAGES), said_in
    assert not [text for text in said_in.values() if "{" in text or "<" in text]


# --- At the table -----------------------------------------------------------------------------------------------------


def test_one_lesson_at_a_time_until_its_player_has_got_it(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), TAUGHT) as rig:
        for lesson in START:
            assert current(rig) == lesson
            rig.say("red", f"lesson seen {lesson}")
        assert current(rig) is None
        assert current(rig, "blue") is None  # it is not blue's turn
    assert journalled(tmp_path)[-2:] == [
        ("note", '{"lesson": ["red", "aim"]}'), ("note", '{"lesson": ["red", "power"]}'),
    ]  # fmt: skip


def test_a_lesson_is_over_when_its_player_goes_on_and_does_not_come_back(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), TAUGHT) as rig:
        rig.say("red", "power 9")
        assert current(rig, "blue") == "you"  # everybody learns for themselves
        rig.press("undo")
        assert current(rig) == "home"  # taken back, but seen


def test_lessons_can_be_switched_off_and_on(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), TAUGHT) as rig:
        rig.say("red", "lessons off")
        assert current(rig) is None
        assert not rig.moment.seen_by("red").taught
        rig.say("red", "lessons on")
        assert current(rig) == "you"


def test_without_teaching_there_are_no_lessons_until_somebody_wants_them(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE)) as rig:
        assert current(rig) is None
        rig.say("red", "lessons on")
        assert current(rig) == "you"


def test_what_was_learned_survives_a_restart(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), TAUGHT) as rig:
        rig.say("red", "lesson seen you")
        rig.say("red", "power 9")
    with open_database(tmp_path / "table.db") as database:
        journal = Journal(database)
        kept = journal.unfinished()
        assert kept is not None
        session = Session(kept, JournalWriter(journal, kept.id, kept.entries), TAUGHT)
        assert set(session.lessons.had("red")) == {"you", "home"}
        assert next(note for note in kept.notes if isinstance(note, LessonNote)) == LessonNote("red", "you")


def test_nothing_is_explained_while_a_refusal_or_a_confirmation_is_shown(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s", THREE, king="valencia"), TAUGHT) as rig:
        assert current(rig) == "special"
        rig.say("red", "place galicia")
        assert rig.prompt("red").notice is not None
        assert current(rig) is None
        rig.say("red", "place castillo")
        assert current(rig) is not None
        rig.say("red", "confirm")
        assert "yes" in rig.choices("red")
        assert current(rig) is None


def test_an_unknown_lesson_is_no_command(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), TAUGHT) as rig:
        rig.say("red", "lesson seen everything")
        assert rig.prompt("red").notice is not None


def test_the_lights_point_at_the_place_of_a_lesson_unless_it_is_lit_already(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s", THREE, king="valencia"), TAUGHT) as rig:
        rig.say("red", "lesson seen special")
        assert rig.scene.places["valencia"] == Show(Pattern.DIM, "white")
        rig.say("red", "lesson seen king")
        lesson = rig.moment.seen_by("red").lesson
        assert lesson is not None
        assert lesson.name == "empty"
        assert lesson.place is not None
        assert rig.scene.places[lesson.place] == Show(Pattern.BREATHE, "red")
        assert "valencia" not in rig.scene.places


def test_lessons_follow_one_another_in_the_order_of_the_list() -> None:
    game = turn_of("score-4s", THREE, king="valencia")
    had: list[str] = []
    while (lesson := lesson_for(look(game, "red"), had)) is not None:
        had.append(lesson.name)
    assert had[:4] == ["special", "king", "empty", "castillo"]


# --- Advice and waiting ----------------------------------------------------------------------------------------------


def may_ask(rig: TableRig) -> bool:
    return rig.moment.seen_by("red").may_ask


def test_nobody_else_gives_advice_while_a_lesson_suggests_something(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), TAUGHT) as rig:
        for lesson in START:
            assert current(rig) == lesson
            assert may_ask(rig) == (lesson != "power")
            rig.say("red", f"lesson seen {lesson}")
        assert may_ask(rig)


def test_a_lesson_about_hints_comes_with_the_hint_it_is_about() -> None:
    assert [lesson.suggests for lesson in LESSONS if lesson.points_at == "hint"] == [False]


def test_nothing_is_suggested_while_a_hint_is_read(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), TAUGHT) as rig:
        rig.say("red", "hint")
        for lesson in START[:-1]:
            rig.say("red", f"lesson seen {lesson}")
        assert current(rig) is None


def watching(rig: TableRig, phone: bool = True) -> None:
    """Lets blue, a bot, think about its turn while red, perhaps at a phone, is told to watch."""
    if phone:
        rig.table.post(TakeSeat("red", "a phone"))
    rig.table.poll()
    assert current(rig) == "others"


WATCHED = Options(players={"blue": "easy", "green": "easy"}, pace="slow", guided=False, teach=True)


def blue_plays() -> Game:
    return put(turn_of("score-5s", ("blue", "red", "green")), board={"aragon": {"red": 3, "blue": 1}})


def test_a_bot_waits_until_a_lesson_has_been_read(tmp_path: Path) -> None:
    with table_rig(tmp_path, blue_plays(), WATCHED) as rig:
        watching(rig)
        rig.think("blue place castillo")
        before = len(rig.game.moves)
        rig.pass_s(20)
        assert len(rig.game.moves) == before
        rig.say("red", "lesson seen others")
        rig.think("blue place castillo")
        rig.pass_s(2)
        assert str(rig.game.moves[-1]) == "blue place castillo"


def test_a_phone_that_sleeps_stops_nobody_for_longer_than_30_s(tmp_path: Path) -> None:
    with table_rig(tmp_path, blue_plays(), WATCHED) as rig:
        watching(rig)
        rig.think("blue place castillo")
        before = len(rig.game.moves)
        rig.pass_s(5)
        due_s = rig.table.poll()
        assert due_s == pytest.approx(READING_S - 6)
        assert len(rig.game.moves) == before
        rig.pass_s(READING_S - 6)
        assert len(rig.game.moves) == before + 1


@pytest.mark.parametrize(("pace", "phone"), [("instant", True), ("slow", False)])
def test_nobody_waits_at_once_or_for_a_seat_without_a_phone(tmp_path: Path, pace: str, phone: bool) -> None:
    with table_rig(tmp_path, blue_plays(), replace(WATCHED, pace=pace)) as rig:
        watching(rig, phone)
        rig.think("blue place castillo")
        rig.pass_s(2)
        assert str(rig.game.moves[-1]) == "blue place castillo"


def test_who_says_next_does_not_want_to_wait(tmp_path: Path) -> None:
    with table_rig(tmp_path, blue_plays(), replace(WATCHED, pace="step")) as rig:
        watching(rig)
        rig.think("blue place castillo")
        rig.say("red", "next")
        assert str(rig.game.moves[-1]) == "blue place castillo"


def test_a_scoring_waits_until_each_lesson_about_it_has_been_read(tmp_path: Path) -> None:
    board = {"aragon": {"red": 3, "blue": 1, "green": 1}, "pais-vasco": {"blue": 2}}
    game = turn_of("score-5s", THREE, board=board, king="granada", grandes={"red": "aragon"})
    with table_rig(tmp_path, game, WATCHED) as rig:
        rig.table.post(TakeSeat("red", "a phone"))
        rig.insist("red", "special")
        assert rig.public.shows_scoring
        assert current(rig) is None  # not before the first place
        lessons = []
        for _ in range(100):
            if (lesson := current(rig)) is not None and rig.public.shows_scoring:
                place = rig.public.scoring
                rig.pass_s(10)
                assert (rig.public.scoring, current(rig)) == (place, lesson)
                rig.say("red", f"lesson seen {lesson}")
                lessons.append((place, lesson))
            rig.pass_s(0.5)
        assert not rig.public.shows_scoring
        assert lessons == [("pais-vasco", "scoring"), ("aragon", "tied"), ("aragon", "bonus")]


def test_after_a_scoring_has_waited_every_other_place_has_its_time() -> None:
    show = ScoringShow()
    show.add([ShowFrame(DARK, 2.0, 1, "aragon"), ShowFrame(DARK, 2.0, 2, "granada")], 0.0)
    show.hold()
    show.advance(26.0)
    assert show.frame is not None
    assert show.frame.place == "granada"
    assert show.due_s() == 28.0

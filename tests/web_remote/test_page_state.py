"""What a page shows: a pure function of a moment at the table, with nothing in it that its viewer may not know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

import web_remote.display
from companion.engine import CARDS, CASTILLO, REGIONS, Game
from companion.translations import LANGUAGES, Translator
from tests.support.arrange import opening, play, put, turn_of
from tests.support.moments import moment_of
from tests.support.random_games import SEEDS, decisions, finished, games
from tests.support.table_rig import placing
from tests.support.web_rig import with_pages
from web_remote.page_state import LOG_LINES, SCORINGS, SOURCES, seat_state, shared_state
from web_remote.page_types import PageYou, SharedState

THREE = ("red", "blue", "green")


def shared(game: Game, language: str = "en") -> SharedState:
    return shared_state(7, moment_of(game), Translator(language, game.edition))


def of_seat(game: Game, seat: str, language: str = "en") -> PageYou:
    return seat_state(moment_of(game), seat, Translator(language, game.edition))


def scores(state: SharedState) -> dict[str, int]:
    return {seat["colour"]: seat["score"] for seat in state["seats"]}


# --- What is hidden ---------------------------------------------------------------------------------------------------


def test_the_castillo_is_closed_unless_the_house_rule_opens_it() -> None:
    for house, seen in (((), None), (("open-castillo",), 2)):
        game = turn_of("move-3", THREE, house=house, board={CASTILLO: {"red": 2}, "aragon": {"red": 1}})
        (red,) = [seat for seat in shared(game)["seats"] if seat["colour"] == "red"]
        assert red["castillo"] == seen
        assert CASTILLO not in red["regions"]


def test_a_seat_is_told_its_own_hand_and_everybody_only_how_many_cards_there_are() -> None:
    game = turn_of("power-back", THREE, hands={"red": [3, 7, 12], "blue": [5]})
    assert of_seat(game, "red")["hand"] == [3, 7, 12]
    assert of_seat(game, "blue")["hand"] == [5]
    state = shared(game)
    assert {seat["colour"]: seat["cards"] for seat in state["seats"]} == {"red": 3, "blue": 1, "green": 12}
    assert not [key for seat in state["seats"] for key in seat if key == "hand"]
    assert "you" not in state


def test_a_dial_is_shown_to_its_seat_alone_until_it_is_turned() -> None:
    game = turn_of(
        "secret-all-home", THREE, board={"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}
    )
    play(game, "red special", "blue dial aragon")
    assert of_seat(game, "blue")["dial"] == "aragon"
    assert of_seat(game, "green")["dial"] is None
    assert [seat["colour"] for seat in shared(game)["seats"] if seat["dialled"]] == ["blue"]
    for language in LANGUAGES:
        assert Translator(language, game.edition).place("aragon") not in shared(game, language)["log"][-1]
    play(game, "green dial sevilla")
    assert of_seat(game, "blue")["dial"] is None
    assert shared(game)["log"][-2:] == ["blue dials Aragón", "green dials Sevilla"]


def test_the_dial_of_an_earlier_scoring_is_not_shown_as_that_of_this_one() -> None:
    game = next(game for game, move in decisions(11) if move.verb == "dial" and len(game.scorings) > 12)
    for seat in game.seats:
        if seat in game.to_act:
            assert of_seat(game, seat)["dial"] is None


def test_a_power_card_that_may_not_be_played_says_who_has_played_it() -> None:
    game = Game(THREE)
    while not (game.questions[0].kind == "power" and game.view(None)["turn"]["power"]):
        game.play(game.legal_moves()[0])
    played = game.view(None)["turn"]["power"]
    (asked,) = game.to_act
    (first,) = played
    assert of_seat(game, asked)["refused_cards"] == {str(played[first]): first}
    legal = {move.number for move in game.legal_moves()}
    assert set(of_seat(game, asked)["hand"] or ()) - legal == set(played.values())
    for other in set(game.seats) - {asked}:
        assert of_seat(game, other)["refused_cards"] == {}


def test_who_may_stop_a_step_is_told_which_it_is() -> None:
    game = turn_of("move-3", THREE, board={"aragon": {"red": 1}, "sevilla": {"blue": 1}}, vetoes=["blue"])
    play(game, "red special", "blue allow", "red move blue sevilla granada")
    assert shared(game)["turn"]["step"] == "red moves blue from Sevilla to Granada"
    play(game, "blue allow")
    assert shared(game)["turn"]["step"] is None


def test_the_card_in_play_is_told_with_its_stack() -> None:
    assert shared(turn_of("move-3", THREE))["turn"]["stack"] == CARDS["move-3"].stack
    assert shared(opening(THREE))["turn"]["stack"] is None


# --- Points -----------------------------------------------------------------------------------------------------------


@pytest.mark.games
@games(40)
@given(SEEDS)
def test_the_points_of_all_scorings_make_the_scores_and_the_chart_ends_with_them(seed: int) -> None:
    game = finished(seed)
    state = shared(game)
    assert state["over"]
    assert state["winners"] == [seat for seat in game.seats if game.scores[seat] == max(game.scores.values())]
    chart = state["chart"]
    assert chart["points"][-1]["totals"] == game.scores
    for seat, sources in chart["sources"].items():
        assert set(sources) == set(SOURCES)
        assert sum(sources.values()) == game.scores[seat]
        assert all(points >= 0 for points in sources.values())
    moves = [point["move"] for point in chart["points"]]
    assert moves == sorted(set(moves))
    for before, after in zip(chart["points"], chart["points"][1:], strict=False):
        assert all(before["totals"][seat] <= after["totals"][seat] for seat in game.seats)


@pytest.mark.games
@games(10)
@given(SEEDS)
def test_the_chart_says_at_which_move_each_round_began(seed: int) -> None:
    began, before = [], 0
    for number, (game, _) in enumerate(decisions(seed)):
        if game.round != before:
            began.append(number)
            before = game.round
    assert shared(finished(seed))["chart"]["rounds"] == began


@pytest.mark.games
@games(15)
@given(SEEDS)
def test_what_each_new_scoring_says_is_what_the_scores_rise_by(seed: int) -> None:
    seen, before = 0, dict[str, int]()
    for game, _ in decisions(seed):
        if len(game.scorings) == seen:
            before = game.scores
            continue
        state = shared(game)
        new = state["scorings"][seen - state["scorings_from"] :]
        assert len(new) == len(game.scorings) - seen <= SCORINGS
        rise = {seat: sum(each["points"].get(seat, 0) for each in new) for seat in game.seats}
        assert {seat: before[seat] + rise[seat] for seat in game.seats} == scores(state)
        seen, before = len(game.scorings), game.scores


def test_a_scoring_counts_the_kings_region_and_the_home_of_the_grande() -> None:
    board = {"aragon": {"red": 3, "blue": 1}}
    game = turn_of("score-4s", THREE, board=board, grandes={"red": "aragon"})
    put(game, king="aragon")
    while not game.scorings:
        move = next((move for move in game.legal_moves() if move.verb in ("special", "done", "end")), None)
        game.play(move or game.legal_moves()[0])
    for scoring, told in zip(game.scorings, shared(game)["scorings"], strict=True):
        leader = game.seats[scoring.leader] if scoring.leader >= 0 else None
        for seat, points in told["points"].items():
            bonus = scoring.king_bonus + scoring.grande_bonus if seat == leader else 0
            assert points == scoring.points[game.seats.index(seat)] + bonus


# --- Pure, whole and small --------------------------------------------------------------------------------------------


@pytest.mark.games
@games(6)
@given(SEEDS)
def test_every_state_of_a_game_is_json_in_every_language_and_the_same_when_asked_again(seed: int) -> None:
    for number, (game, _) in enumerate(decisions(seed)):
        if number % 29:
            continue
        language = list(LANGUAGES)[number // 29 % len(LANGUAGES)]
        for seat in (None, *game.seats):
            state = shared(game, language) if seat is None else of_seat(game, seat, language)
            text = json.dumps(state)
            again = shared(game, language) if seat is None else of_seat(game, seat, language)
            assert json.dumps(again) == text
            assert len(text) < 40_000


def test_the_log_tells_what_was_scored_by_which_move() -> None:
    game = turn_of("score-one", THREE, board={"aragon": {"red": 2, "blue": 1}})
    play(game, "red special", "red score aragon")
    *_, move, scoring = shared(game)["log"]
    assert move == "red has Aragón scored"
    assert scoring == "Aragón is scored: red 5, blue 4"


def test_a_page_is_told_the_end_of_the_log_and_where_it_begins() -> None:
    game = finished(5)
    state = shared(game)
    assert len(state["log"]) == LOG_LINES
    assert state["log_from"] + LOG_LINES == len(game.moves) + len(game.scorings)
    early = shared(Game(THREE))
    assert early["log_from"] == 0


def test_places_to_touch_are_everybodys_to_see_and_only_regions_of_the_board(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        phone = web.browser("red")
        state = phone.state("red")
        assert set(state["touch"]) == set(state["you"]["prompt"]["touch"]) <= {*REGIONS, CASTILLO}
        assert state["waiting_for"] == ["red"]
        assert state["version"] == web.rig.session.version


def test_no_state_tells_which_phone_holds_a_seat(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        phone = web.browser("red", "blue")
        for seat in ("", "red", "blue"):
            text = json.dumps(phone.state(seat))
            assert all(holder not in text for holder in web.holders.values())
        assert [seat["colour"] for seat in phone.state()["seats"] if seat["held"]] == ["red", "blue"]


def test_a_state_is_made_once_however_many_pages_want_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with with_pages(tmp_path, placing()) as web:
        now = web.display.latest
        made: list[str] = []
        monkeypatch.setattr(web_remote.display, "seat_state", lambda moment, seat, words: made.append(seat))
        assert now.text("red", "en") == now.text("red", "en")
        assert made == ["red"]
        monkeypatch.undo()
        assert now.text("red", "en") != now.text("", "en")
        assert json.loads(now.text("red", "nl")) == now.state("red", "nl")

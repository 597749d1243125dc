"""What a page shows: a pure function of a moment at the table, with nothing in it that its viewer may not know."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

import web_remote.display
from companion.engine import CARDS, CASTILLO, PLACES, REGIONS, Game, Message
from companion.engine.regions import CABALLEROS
from companion.translations import LANGUAGES, Translator
from tests.support.arrange import opening, play, put, turn_of
from tests.support.moments import moment_of
from tests.support.random_games import SEEDS, decisions, finished, games
from tests.support.table_rig import placing
from tests.support.web_rig import with_pages
from web_remote.page_history import LATEST, whole_history
from web_remote.page_state import SOURCES, seat_state, shared_state
from web_remote.page_types import PageGain, PageYou, SharedState

THREE = ("red", "blue", "green")


def shared(game: Game, language: str = "en") -> SharedState:
    return shared_state(7, moment_of(game), Translator(language, game.edition))


def of_seat(game: Game, seat: str, language: str = "en") -> PageYou:
    return seat_state(moment_of(game), seat, Translator(language, game.edition))


def told(game: Game, language: str = "en") -> list[str]:
    """The whole history, line by line."""
    turns = whole_history(moment_of(game).public, Translator(language, game.edition))["turns"]
    return [step["words"] for turn in turns for step in turn["steps"]]


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
        assert Translator(language, game.edition).place("aragon") not in told(game, language)[-1]
    play(game, "green dial sevilla")
    assert of_seat(game, "blue")["dial"] is None
    assert told(game)[-2:] == ["Blue dials Aragón", "Green dials Sevilla"]


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
    assert shared(game)["turn"]["step"] == "Red moves one of Blue's from Sevilla to Granada"
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


def total(gain: PageGain) -> int:
    return gain["rank"] + gain["king"] + gain["grande"]


@pytest.mark.games
@games(15)
@given(SEEDS)
def test_scores_rise_place_by_place_as_they_are_shown_and_no_page_tells_more(seed: int) -> None:
    seen, before = 0, dict[str, int]()
    for game, _ in decisions(seed):
        if len(game.scorings) > seen:
            whole = moment_of(game).public
            for shown in range(seen, len(game.scorings) + 1):
                place = PLACES[game.scorings[shown - 1].place] if shown > seen else None
                public = replace(whole, scorings_shown=shown, shows_scoring=True, scoring=place)
                state = shared_state(7, replace(moment_of(game), public=public), Translator())
                show = state["scoring"]
                assert show is not None
                assert show["place"] == place
                if game.scorings[seen].occasion == "general" and shown <= seen + 1:
                    # What is in the castillo leaves it only after that has been shown.
                    assert [seat["castillo"] for seat in state["seats"]] == list(game.scorings[seen].counts)
                    for seat in state["seats"]:
                        outside = seat["court"] + seat["province"] + sum(seat["regions"].values())
                        assert outside + (seat["castillo"] or 0) == CABALLEROS
                rise = {seat: sum(total(row["gains"][seat]) for row in show["rows"] if seat in row["gains"])
                        for seat in game.seats}  # fmt: skip
                new = [scoring for scoring in game.scorings[seen:] if scoring.move == game.scorings[shown - 1].move]
                if len(new) == len(game.scorings) - seen:
                    assert {seat: before[seat] + rise[seat] for seat in game.seats} == scores(state)
                told = [step["line"] for turn in state["history"]["turns"] for step in turn["steps"]]
                assert sum(line.startswith("scored") for line in told) <= shown
                assert not state["over"]
            seen = len(game.scorings)
        before = game.scores
        assert shared(game)["scoring"] is None


def test_a_scoring_says_what_is_for_the_rank_the_king_and_the_grande() -> None:
    game = turn_of("score-4s", THREE, board={"aragon": {"red": 3, "blue": 1}}, grandes={"red": "aragon"})
    put(game, king="aragon")
    payout = shared(game)["payouts"]["aragon"]
    assert payout["values"] == [5, 4, 1]
    assert payout["counts"] == {"red": 3, "blue": 1}
    assert payout["gains"] == {
        "red": {"rank": 5, "king": 2, "grande": 2},
        "blue": {"rank": 4, "king": 0, "grande": 0},
    }
    put(game, tiles={"8": "aragon"})
    assert shared(game)["payouts"]["aragon"]["values"] == [8, 4, 0]


def test_what_the_castillo_would_pay_is_told_only_when_it_is_open() -> None:
    for house, known in (((), False), (("open-castillo",), True)):
        game = turn_of("move-3", THREE, house=house, board={CASTILLO: {"red": 2}})
        assert (CASTILLO in shared(game)["payouts"]) == known


@pytest.mark.parametrize(("rounds", "left"), [(9, [3, 3, 2, 1, 3, 2, 1, 3, 2, 1]), (6, [2, 2, 1, 2, 1, 2, 1])])
def test_the_rounds_until_the_next_scoring_count_this_one_too(rounds: int, left: list[int]) -> None:
    game, found = Game(THREE, rounds=rounds), list[int]()
    last = -1
    while not game.over:
        if game.round != last:
            found.append(shared(game)["rounds_to_scoring"])
            last = game.round
        game.play(game.legal_moves()[0])
    assert found == left
    assert shared(game)["rounds_to_scoring"] == 0


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


def test_the_history_tells_what_was_scored_by_which_move() -> None:
    game = turn_of("score-one", THREE, board={"aragon": {"red": 2, "blue": 1}})
    play(game, "red special", "red score aragon")
    assert told(game)[-3:] == ["Red uses «Score one»", "Red scores Aragón", "Aragón is scored: Red 5, Blue 4"]


def test_a_page_is_sent_the_latest_turns_and_can_tell_whether_it_has_missed_any() -> None:
    game = finished(5)
    latest = shared(game)["history"]
    whole = whole_history(moment_of(game).public, Translator("en", game.edition))
    assert whole["first"] == whole["before"] == 0
    assert len(latest["turns"]) == LATEST
    assert latest["turns"] == whole["turns"][latest["first"] :]
    assert latest["before"] == whole["turns"][latest["first"] - 1]["last"]
    assert whole["turns"][-1]["last"] == len(game.moves)
    assert shared(Game(THREE))["history"] == {"first": 0, "before": 0, "turns": []}


def test_a_turn_is_summed_up_with_the_reason_of_its_bot_once_it_is_over() -> None:
    game = play(turn_of("king", THREE), "red special", "red king granada")
    public = moment_of(game).public
    reasons = {len(game.moves): Message("to win {place}", {"place": "granada"}), 1: Message("to choose early", {})}
    assert whole_history(replace(public, reasons=reasons), Translator())["turns"][-1]["summary"] is None
    play(game, "red end")
    turn = whole_history(replace(moment_of(game).public, reasons=reasons), Translator())["turns"][-1]
    assert turn["summary"] == "Red took «The King» and moved the King to Granada, to win Granada."
    assert (turn["seat"], turn["card"], turn["title"], turn["stack"]) == ("red", "king", "The King", 5)


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

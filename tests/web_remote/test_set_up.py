"""Setting up a game: before the first one, between two, and by whom; the token of the machine; the last result."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine import EDITIONS, HOUSE_RULES
from companion.storage.tags import TagRegistry
from companion.table.fair_deal import Fairness
from companion.table.game_result import GameResult
from companion.table.game_wish import GameWish, seated
from companion.table.gestures import Gesture
from companion.table.lobby import Lobby
from companion.table.options import PERSON, Options
from companion.table.replies import SendReply
from hardware.board import find_board
from hardware.ports import Pattern, Press
from hardware.simulated.board import SimulatedBoard
from tests.support.random_games import finished
from tests.support.table_rig import RecordedLights, placing
from tests.support.web_rig import HOST, PHONE, Browser, WebRig, with_pages
from web_remote.access import AccessCodes
from web_remote.app import WITHOUT_A_GAME, make_app
from web_remote.context import WebContext
from web_remote.display import WebDisplay
from web_remote.new_texts import EDITION_WORDS, HOUSE_WORDS
from web_remote.set_up_api import page_wish

WISH = GameWish(players=seated(("red", "blue", "green"), people=2), names={"red": "Ann"}, rounds=6, language="nl")


class LobbyRig:
    """Pages at a table without a game."""

    def __init__(self) -> None:
        self.lights = RecordedLights()
        self.display = WebDisplay(lambda: 100.0)
        self.lobby = Lobby(self.lights, [self.display], Random(1), lambda: 100.0)
        self.lobby.poll()
        self.begun: list[GameWish] = []
        self.context = WebContext(self.display, self.post, AccessCodes(lambda: 100.0), begin=self.begun.append)
        self.app = make_app(self.context)

    def post(self, gesture: Gesture, reply: SendReply | None = None) -> None:
        self.lobby.post(gesture, reply)
        self.lobby.poll()

    def browser(self, address: str = PHONE, host: str = HOST) -> Browser:
        return Browser(self.app.test_client(use_cookies=False), address, host)

    def at_the_machine(self) -> Browser:
        browser = self.browser("127.0.0.1", "localhost:8000")
        browser.get(f"/?t={self.context.codes.machine_token}")
        return browser

    @property
    def lit_button(self) -> str:
        places = self.lights.scenes[-1].places
        (place,) = (place for place, show in places.items() if show.pattern is Pattern.CHASE)
        return place


@pytest.fixture
def board() -> Iterator[SimulatedBoard]:
    with SimulatedBoard(find_board("buttons-only"), TagRegistry()) as simulated:
        yield simulated


@pytest.fixture
def lobby() -> LobbyRig:
    return LobbyRig()


def begin(browser: Browser, wish: GameWish = WISH, **more: object) -> tuple[int, Any]:
    answer = browser.post("/table/begin", **{**page_wish(wish), **more})
    return answer.status_code, answer.json


def data_of(browser: Browser, path: str) -> dict[str, Any]:
    text = browser.get(path).get_data(as_text=True)
    data = json.loads(text.partition('id="page">')[2].partition("</script>")[0])
    assert isinstance(data, dict)
    return data


# --- Before the first game -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/join", "/phone", "/table", "/board"])
def test_before_there_is_a_game_every_page_leads_to_where_one_is_set_up(lobby: LobbyRig, path: str) -> None:
    answer = lobby.browser().get(path)
    assert (answer.status_code, answer.location) == (302, "/new")


def test_what_needs_a_game_is_refused_before_there_is_one(lobby: LobbyRig) -> None:
    answering = 0
    for rule in lobby.app.url_map.iter_rules():
        if rule.endpoint in WITHOUT_A_GAME or rule.endpoint.partition(".")[0] in WITHOUT_A_GAME:
            continue
        answering += 1
        method = "POST" if "POST" in (rule.methods or set()) else "GET"
        answer = lobby.at_the_machine().ask(method, rule.rule.replace("<seat>", "red"))
        assert answer.status_code == 302 or (answer.status_code, answer.json) == (409, {"error": "no game"})
    assert answering > 10


def test_what_works_without_a_game_never_fails(lobby: LobbyRig) -> None:
    for path in ("/new", "/result", "/me", "/workshop"):
        assert lobby.at_the_machine().get(path).status_code in (200, 302)
    assert lobby.browser().get("/nowhere").status_code == 404


def test_the_set_up_page_suggests_what_there_is_to_choose_in_its_language(lobby: LobbyRig) -> None:
    lobby.display.open_lobby(WISH)
    data = data_of(lobby.at_the_machine(), "/new?language=de")
    assert data["table"]
    set_up = data["set_up"]
    assert set_up["wish"] == {**page_wish(WISH), "language": "de"}
    assert set_up["editions"].keys() == EDITIONS.keys()
    assert set_up["house"].keys() == set(HOUSE_RULES)
    assert set_up["colours"]["red"] == "Rot"
    assert (set_up["playing"], set_up["in_game"]) == (False, 0)


def test_every_edition_and_house_rule_has_words() -> None:
    assert EDITION_WORDS.keys() == EDITIONS.keys()
    assert HOUSE_WORDS.keys() == set(HOUSE_RULES)


def test_whoever_may_manage_begins_the_game_that_was_wished_for(lobby: LobbyRig) -> None:
    assert begin(lobby.browser()) == (403, {"error": "table"})
    assert begin(lobby.at_the_machine()) == (200, {"ok": True})
    assert lobby.begun == [WISH]


def test_a_wish_that_cannot_be_played_is_refused_in_words(lobby: LobbyRig) -> None:
    seats = [{"colour": seat, "player": PERSON, "name": "Ann"} for seat in ("red", "blue")]
    status, answer = begin(lobby.at_the_machine(), seats=seats)
    assert (status, answer["ok"]) == (200, False)
    assert answer["why"] == "Two players are called Ann. Give one of them another name."
    assert begin(lobby.at_the_machine(), seats=seats[:1])[1]["ok"] is False
    assert lobby.begun == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"seats": "red"},
        {"seats": [1]},
        {"seats": [{"colour": "red", "player": PERSON}]},
        {"seats": [{"colour": "red", "player": PERSON, "name": ""}] * 2},
        {"seats": [{"colour": "red", "player": PERSON, "name": "\u202eknalb"}]},
        {"seats": [{"colour": "red", "player": PERSON, "name": "A" * 21}]},
        {"rounds": "9"},
        {"house": [1]},
        {"house": None},
        {"veto_s": 10**400},
        {"veto_s": -1},
        {"language": "la"},
        {"pace": 3},
    ],
)
def test_what_no_page_would_send_is_a_bad_request(lobby: LobbyRig, wrong: dict[str, Any]) -> None:
    assert begin(lobby.at_the_machine(), **wrong)[0] == 400
    assert lobby.begun == []


def test_the_stream_says_that_there_is_no_game_and_then_sends_the_first_state(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as pages:
        moment = pages.display.now
        lobby = LobbyRig()
        with lobby.browser().listen() as stream:
            assert stream.next().startswith("retry")
            assert stream.next() == 'event: lobby\ndata: {"knocking": false}\n\n'
            lobby.browser().post("/table/knock")
            assert stream.next() == 'event: lobby\ndata: {"knocking": true}\n\n'
            lobby.display.show(moment)
            assert '"game":1' in stream.next()
        assert lobby.browser().get("/table").status_code == 200


# --- Who may manage --------------------------------------------------------------------------------------------------


def test_the_printed_address_lets_a_browser_manage_and_leaves_no_trace_of_its_token(lobby: LobbyRig) -> None:
    browser, token = lobby.browser(), lobby.context.codes.machine_token
    answer = browser.get(f"/?t={token}")
    assert (answer.status_code, answer.location) == (302, "/")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert token not in str(answer.headers)
    assert browser.token
    assert browser.token != token
    assert browser.get("/me").json == {"seats": [], "table": True}
    assert begin(browser)[0] == 200


@pytest.mark.parametrize("token", ["", "wrong", "ü", "x" * 500])
def test_a_wrong_token_lets_nobody_in(lobby: LobbyRig, token: str) -> None:
    browser = lobby.browser()
    assert browser.get("/", query_string={"t": token}).location == "/"
    assert browser.get("/me").json == {"seats": [], "table": False}
    assert begin(browser) == (403, {"error": "table"})


def test_the_table_code_lets_a_phone_set_up_the_game(lobby: LobbyRig) -> None:
    phone = lobby.browser()
    assert phone.post("/table/open", code=lobby.context.codes.table_code).status_code == 200
    assert begin(phone)[0] == 200


def test_without_a_screen_a_press_of_the_lit_button_does(lobby: LobbyRig) -> None:
    phone, other = lobby.browser(), lobby.browser()
    assert phone.post("/table/knock").status_code == 200
    assert begin(phone)[0] == 403
    lobby.post(Press(lobby.lit_button))
    assert phone.get("/me").json == {"seats": [], "table": True}
    assert begin(phone)[0] == 200
    assert begin(other)[0] == 403


def test_knocking_is_limited_and_means_nothing_on_a_board_that_anybody_may_press(
    lobby: LobbyRig, board: SimulatedBoard
) -> None:
    answers = [lobby.browser().post("/table/knock").status_code for _ in range(8)]
    assert answers[0] == 200
    assert answers[-1] == 429
    lobby.context.simulated = board
    answer = lobby.browser().post("/table/knock")
    assert (answer.status_code, answer.json) == (404, {"error": "the board is simulated"})


# --- While a game is under way ---------------------------------------------------------------------------------------


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[WebRig]:
    options = Options(names={"red": "Ann"}, guided=False)
    with with_pages(tmp_path, placing(), options) as rig:
        yield rig


@pytest.fixture
def over(tmp_path: Path) -> Iterator[WebRig]:
    game = next(game for game in map(finished, range(100)) if len(game.seats) == 3)
    with with_pages(tmp_path, game, Options(names={game.seats[0]: "Ann"}, guided=False)) as rig:
        yield rig


def wished(rig: WebRig) -> list[GameWish]:
    found: list[GameWish] = []
    rig.context.begin = found.append
    return found


def test_a_game_under_way_is_set_aside_only_by_who_says_so(pages: WebRig) -> None:
    found = wished(pages)
    machine = pages.at_the_machine()
    assert begin(machine) == (409, {"error": "not over"})
    assert begin(machine, aside="yes")[0] == 400
    assert found == []
    assert begin(machine, aside=True) == (200, {"ok": True})
    assert found == [WISH]


def test_the_set_up_page_is_filled_in_with_the_game_under_way(pages: WebRig) -> None:
    set_up = data_of(pages.at_the_machine(), "/new")["set_up"]
    assert [seat["colour"] for seat in set_up["wish"]["seats"]] == ["red", "blue", "green"]
    assert set_up["wish"]["seats"][0]["name"] == "Ann"
    assert (set_up["playing"], set_up["in_game"]) == (True, 1)


def test_in_a_game_too_a_press_lets_a_phone_manage(pages: WebRig) -> None:
    phone = pages.browser()
    phone.post("/table/knock")
    assert phone.state()["knocking"] == "table"
    (place,) = pages.rig.lit(Pattern.CHASE)
    pages.rig.press(place)
    assert phone.get("/me").json == {"seats": [], "table": True}


def test_a_seat_is_taken_over_by_the_printed_address_alone_and_the_other_browser_loses_it(
    pages: WebRig, board: SimulatedBoard
) -> None:
    first, stranger, second = pages.browser("red"), pages.browser(), pages.browser()
    pages.context.simulated = board
    second.get(f"/?t={pages.context.codes.machine_token}")
    assert second.post("/join", seat="red", name="", code="").status_code == 409
    answer = stranger.post("/join", seat="red", name="", code=pages.context.codes.join_code, over=True)
    assert (answer.status_code, answer.json) == (403, {"error": "table"})
    with first.listen("/events?seat=red") as stream:
        stream.next(), stream.next()
        assert second.post("/join", seat="red", name="", code="", over=True).status_code == 200
        assert stream.next() == "event: gone\ndata: {}\n\n"
    assert second.get("/me").json == {"seats": ["red"], "table": True}
    assert first.get("/me").json == {"seats": [], "table": False}


def test_at_a_real_board_nobody_takes_a_seat_over_that_way(pages: WebRig) -> None:
    pages.browser("red")
    machine = pages.at_the_machine()
    assert machine.post("/join", seat="red", name="", code="", over=True).status_code == 403


def test_where_only_bots_play_one_watches(tmp_path: Path) -> None:
    options = Options(players=dict.fromkeys(("red", "blue", "green"), "easy"), guided=False)
    with with_pages(tmp_path, placing(), options) as pages:
        assert pages.at_the_machine().get("/").location == "/table"


# --- When a game is over ---------------------------------------------------------------------------------------------


def test_whoever_played_may_play_again_and_nobody_else(over: WebRig) -> None:
    seat = over.rig.game.seats[0]
    assert over.browser().post("/table/new").status_code == 403
    assert over.browser(seat).post("/table/new").status_code == 200
    assert over.again == 1
    assert begin(over.browser(seat)) == (403, {"error": "table"})


def test_a_game_result_need_not_be_set_aside(over: WebRig) -> None:
    found = wished(over)
    assert begin(over.at_the_machine())[0] == 200
    assert found == [WISH]


def test_everybody_may_see_the_result_with_its_names_points_and_sources(over: WebRig) -> None:
    game = over.rig.game
    data = data_of(over.browser(), "/result")
    result = data["result"]
    assert {seat["colour"]: seat["score"] for seat in result["seats"]} == game.scores
    assert result["seats"][0]["name"] == "Ann"
    assert result["winners"] == list(game.winners)
    for seat, score in game.scores.items():
        assert sum(result["chart"]["sources"][seat].values()) == score
    assert "state" not in data


def test_the_last_result_stays_until_another_game_is_over(pages: WebRig) -> None:
    stranger = pages.browser()
    assert stranger.get("/result").location == "/"
    assert not data_of(stranger, "/table")["has_result"]
    game = finished(3)
    pages.display.remember(GameResult(9, game.view(None), Options(names={game.seats[0]: "Cleo"}), Fairness(True)))
    data = data_of(stranger, "/result")
    assert data["has_result"]
    assert data["result"]["game"] == 9
    assert data["result"]["seats"][0]["name"] == "Cleo"


def test_the_last_result_is_there_before_the_next_game_is(lobby: LobbyRig) -> None:
    game = finished(3)
    lobby.display.remember(GameResult(9, game.view(None), Options(), Fairness(True)))
    assert data_of(lobby.browser(), "/result")["result"]["winners"] == list(game.winners)
    assert data_of(lobby.browser(), "/new")["has_result"]

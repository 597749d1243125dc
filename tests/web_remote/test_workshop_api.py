"""The workshop page: only with the table code, it has the game wait, and what it gives away is no secret."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.doctor import Case
from companion.doctor.equipment import PlayingEquipment
from companion.storage.tags import TagRegistry
from companion.workshop import Enrolment, Parts, Workshop
from hardware.board import find_board
from hardware.ports import DARK
from hardware.simulated.board import SimulatedBoard
from tests.doctor.test_doctor import machine_of
from tests.support.arrange import turn_of
from tests.support.table_rig import placing
from tests.support.web_rig import Browser, WebRig, with_pages
from tests.web_remote.test_hostile import values

GETS = ("events", "serial", "bundle")
POSTS: dict[str, dict[str, object]] = {
    "look": {}, "take": {}, "light": {"step": 0}, "stay": {}, "give-back": {}, "enrol": {"piece": "king"},
    "finish": {}, "forget": {"tag": "AA000001"}, "new-piece": {},
}  # fmt: skip


def open_workshop(web: WebRig, board: SimulatedBoard, folder: Path) -> Workshop:
    """A workshop at a simulated board, whose gestures go to the table too."""
    equipment = PlayingEquipment(board.buttons, board.lights, board.pieces, pause=lambda seconds: None)
    case = Case(machine_of(folder, {}), equipment, "standard", board.board, simulated=True)
    known = TagRegistry()
    board.listen(web.post)
    parts = Parts(board.buttons, board.lights, board.pieces)
    workshop = Workshop(parts, case, web.post, Enrolment(folder / "tags.db", known), known)
    web.rig.add_display(workshop)
    web.context.workshop, web.context.simulated = workshop, board
    return workshop


@pytest.fixture
def board() -> Iterator[SimulatedBoard]:
    with SimulatedBoard(find_board("standard"), by_hand=True) as board:
        board.advance(1.0)
        yield board


@pytest.fixture
def web(tmp_path: Path, board: SimulatedBoard) -> Iterator[WebRig]:
    with with_pages(tmp_path, placing()) as web:
        workshop = open_workshop(web, board, tmp_path)
        yield web
        workshop.close()


def keeper(web: WebRig) -> Browser:
    """The browser of somebody who typed the table's code."""
    browser = web.browser()
    assert browser.post("/table/open", code=web.context.codes.table_code).status_code == 200
    return browser


def state(browser: Browser) -> dict[str, Any]:
    """What the page is told first."""
    with browser.listen("/workshop/events?language=en") as stream:
        assert stream.next().startswith("retry")
        told = json.loads(stream.next().removeprefix("data: "))
        assert isinstance(told, dict)
        return told


# --- Who may ---------------------------------------------------------------------------------------------------------


def test_without_the_table_code_the_page_only_asks_for_it_and_nothing_else_answers(web: WebRig) -> None:
    for browser in (web.browser(), web.browser("red")):
        page = browser.get("/workshop")
        assert page.status_code == 200
        assert 'id="unlock"' in page.text
        assert "galicia" not in page.text.partition('"plan"')[2]
        assert [browser.get(f"/workshop/{path}").status_code for path in GETS] == [403] * len(GETS)
        assert [browser.post(f"/workshop/{path}", **data).status_code for path, data in POSTS.items()] == [403] * len(
            POSTS
        )
    assert not web.rig.public.tried


def test_with_the_table_code_it_opens_and_at_the_machine_itself_too(web: WebRig) -> None:
    for browser in (keeper(web), web.at_the_machine()):
        page = browser.get("/workshop?language=nl")
        assert 'id="unlock"' not in page.text
        assert "Bevestigen" in page.text.partition('"plan"')[2]
        assert state(browser)["held"] is False


def test_without_a_workshop_there_is_none(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        browser = keeper(web)
        assert browser.get("/workshop").status_code == 200
        assert browser.post("/workshop/take").status_code == 404


# --- What it does ----------------------------------------------------------------------------------------------------


def test_the_game_waits_while_the_board_is_tried_and_phones_are_told(web: WebRig, board: SimulatedBoard) -> None:
    browser, red = keeper(web), web.browser("red")
    legal = next(iter(web.rig.scene.places))
    moves = web.rig.game.moves
    assert browser.post("/workshop/take").status_code == 200
    assert web.rig.scene == DARK
    assert "workshop" in red.state("red")["notices"][0]
    board.press(legal)
    board.advance(0.1)
    assert web.rig.game.moves == moves
    assert state(browser)["buttons"][legal]["short"] == 1
    assert browser.post("/workshop/light", step=1).status_code == 200
    assert list(web.rig.scene.places) == [list(board.board.places)[1]]
    assert state(browser)["step"] == 1
    assert browser.post("/workshop/stay").status_code == 200
    assert browser.post("/workshop/give-back").status_code == 200
    assert not web.rig.public.tried
    board.press(legal)
    board.advance(0.1)
    assert len(web.rig.game.moves) > len(moves)


def test_pieces_are_enrolled_on_a_simulated_board_with_made_up_tags(web: WebRig) -> None:
    browser = keeper(web)
    assert browser.post("/workshop/enrol", piece="red-caballero", afresh=False).status_code == 200
    for _ in range(2):
        assert browser.post("/workshop/new-piece").status_code == 200
    told = await_state(browser, lambda told: (told["enrolment"]["batch"] or {}).get("count") == 2)
    tag = told["enrolment"]["said"][0].split()[0]
    assert browser.post("/workshop/finish").status_code == 200
    assert browser.post("/workshop/forget", tag=tag.lower()).status_code == 200
    await_state(browser, lambda told: told["enrolment"]["counts"]["red-caballero"] == 1)


def await_state(browser: Browser, there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    with browser.listen("/workshop/events?language=en") as stream:
        for _ in range(50):
            kind, _, data = stream.next().partition(": ")
            if kind == "data" and there(told := json.loads(data)):
                assert isinstance(told, dict)
                return told
    raise AssertionError("that was never told")


def test_the_page_is_told_in_its_language(web: WebRig) -> None:
    browser = keeper(web)
    browser.post("/workshop/look")
    with browser.listen("/workshop/events?language=de") as stream:
        for _ in range(50):
            kind, _, data = stream.next().partition(": ")
            if kind == "data" and not (told := json.loads(data))["looking"]:
                break
    assert "Knöpfe" in str(told["findings"])


def test_what_the_hubs_said_is_told_once(web: WebRig, board: SimulatedBoard) -> None:
    browser = keeper(web)
    board.tap("0A0B0C0D", "aragon")
    answer = browser.get("/workshop/serial").json
    assert answer is not None
    assert any(" seen " in line["text"] for line in answer["lines"])
    last = "&".join(
        f"{hub}={max(line['number'] for line in answer['lines'] if line['hub'] == hub)}" for hub in board.hubs
    )
    again = browser.get(f"/workshop/serial?{last}&x=y&north=%ff").json
    assert again is not None
    assert again["lines"] == []


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("light", {"step": 10_000}),
        ("light", {"step": "0"}),
        ("light", {}),
        ("enrol", {"piece": "queen"}),
        ("enrol", {"piece": "king", "afresh": "yes"}),
        ("forget", {"tag": "nothing"}),
        ("forget", {}),
    ],
)
def test_what_no_page_would_send_is_refused(web: WebRig, path: str, data: dict[str, object]) -> None:
    assert keeper(web).post(f"/workshop/{path}", **data).status_code == 400


@pytest.mark.slow
@settings(
    max_examples=300, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(
    path=st.sampled_from([path for path in POSTS if path != "new-piece"]),
    data=st.dictionaries(st.sampled_from(["step", "piece", "afresh", "tag", "x"]), values, max_size=3),
)
def test_nothing_that_is_sent_makes_the_workshop_fail(web: WebRig, path: str, data: dict[str, object]) -> None:
    assert keeper_of(web).post(f"/workshop/{path}", **data).status_code in (200, 400, 413)


def keeper_of(web: WebRig) -> Browser:
    browser = web.browser()
    browser.token = "the-token-of-the-table"
    web.context.codes.trust(browser.token)
    return browser


# --- Secrets ---------------------------------------------------------------------------------------------------------


def bundle(browser: Browser) -> dict[str, str]:
    answer = browser.get("/workshop/bundle")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.data)) as files:
        return {Path(name).name: files.read(name).decode() for name in files.namelist()}


def test_the_support_bundle_tells_no_dial_no_token_no_code_and_no_name(tmp_path: Path) -> None:
    told = []
    for dial in ("granada", "sevilla"):
        folder = tmp_path / dial
        game = turn_of("secret-two-home", ("red", "blue", "green"))
        game.play("red special")
        with (
            SimulatedBoard(find_board("standard"), by_hand=True) as board,
            with_pages(folder, game) as web,
        ):
            board.advance(1.0)
            workshop = open_workshop(web, board, folder)
            seat = game.to_act[0]
            phone = web.browser(seat)
            phone.post("/join", seat=seat, name="Ann-Katrien", code=web.context.codes.join_code)
            assert phone.say(seat, f"dial {dial}").status_code == 200
            browser = keeper(web)
            files = bundle(browser)
            everything = "".join(files.values())
            secrets = (
                phone.token,
                browser.token,
                web.context.codes.join_code,
                web.context.codes.table_code,
                "Ann-Katrien",
            )
            assert [secret for secret in secrets if secret and secret in everything] == []
            assert str(folder) not in everything
            told.append(files["game.json"])
            workshop.close()
    assert told[0] == told[1]

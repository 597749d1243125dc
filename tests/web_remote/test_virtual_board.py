"""The virtual board over HTTP: its lights are the strip's bytes, its buttons and tags make a real board's gestures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest
from flask.testing import FlaskClient

from companion.engine.pieces import Piece, PieceKind
from companion.storage.tags import simulated_tags
from companion.table.seat_requests import TakeSeat
from hardware.board import find_board
from hardware.contacts import HOLD_S, STUCK_S
from hardware.ports import Gesture, Pattern, Press, Scene, Show, Tap
from hardware.simulated.board import SimulatedBoard
from tests.support.table_rig import TAP, TableRig, placing, table_rig
from web_remote import virtual_board
from web_remote.access import known_by, new_token
from web_remote.app import make_app
from web_remote.context import COOKIE, WebContext
from web_remote.display import WebDisplay
from web_remote.stream_slots import STREAMS

TAGS = {piece: tag for tag, piece in reversed(simulated_tags().items())}
RED = TAGS[Piece(PieceKind.CABALLERO, "red")]
TOKEN = new_token()
ELSEWHERE: Final[dict[str, Any]] = {
    "base_url": "http://192.168.1.2:8000",
    "environ_base": {"REMOTE_ADDR": "192.168.1.9"},
}
"""Somebody elsewhere in the house."""


class Visit:
    """A table with a simulated board, and a browser in which red plays."""

    def __init__(self, rig: TableRig, simulated: SimulatedBoard | None) -> None:
        self.rig = rig
        display = WebDisplay()
        rig.table.post(TakeSeat("red", known_by(TOKEN)))
        rig.table.poll()
        display.show(rig.moment)
        self.context = WebContext(display, rig.table.post, simulated=simulated, tags=TAGS)
        self._app = make_app(self.context)
        self.browser = self.new_browser(TOKEN)

    def new_browser(self, token: str = "") -> FlaskClient:
        browser = self._app.test_client()
        if token:
            browser.set_cookie(COOKIE, token, domain="192.168.1.2")
        return browser

    def manage(self) -> Visit:
        """Gives red's browser the rights of the table."""
        self.context.codes.trust(TOKEN)
        return self

    def post(self, what: str, body: object, browser: FlaskClient | None = None) -> int:
        return (browser or self.browser).post(f"/board/{what}", json=body, **ELSEWHERE).status_code


Begin = Callable[[SimulatedBoard | None], Visit]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    with ExitStack() as stack:

        def visit(simulated: SimulatedBoard | None) -> Visit:
            rig = stack.enter_context(table_rig(tmp_path, placing(), modes=TAP))
            return Visit(rig, simulated)

        yield visit


@pytest.fixture
def hands() -> Iterator[SimulatedBoard]:
    with SimulatedBoard(find_board("standard"), by_hand=True) as board:
        yield board


@pytest.fixture
def keys() -> Iterator[SimulatedBoard]:
    """A board without readers: its time goes faster."""
    with SimulatedBoard(find_board("buttons-only"), by_hand=True) as board:
        yield board


# --- Lights ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["standard", "buttons-only"])
def test_the_layout_is_that_of_the_board_file(name: str, begin: Begin) -> None:
    board = find_board(name)
    with SimulatedBoard(board, by_hand=True) as hands:
        layout = begin(hands).browser.get("/board/layout", **ELSEWHERE).get_json()
    assert (layout["order"], layout["count"]) == (board.strip.order, board.strip.count)
    assert layout["brightness"] == board.strip.brightness
    assert layout["places"] == {
        place.name: {"lights": list(place.lights), "marker": place.marker, "reader": place.reader is not None}
        for place in board.places.values()
    }


def test_every_frame_is_the_bytes_that_the_strip_was_given(begin: Begin, keys: SimulatedBoard) -> None:
    stream = begin(keys).browser.get("/board/lights", buffered=False, **ELSEWHERE)
    assert stream.mimetype == "text/event-stream"
    told = iter(stream.response)
    assert _text(next(told)).startswith("retry:")
    for colour in ("red", "yellow"):
        keys.lights.show(Scene({"granada": Show(Pattern.STEADY, colour)}, marker="galicia"))
        keys.advance(0.1)
        assert _text(next(told)) == f"data: {keys.strip.data.hex()}\n\n"
    lit = bytes.fromhex(keys.strip.data.hex())
    first = 3 * keys.board.places["granada"].lights[0]
    green, red, blue = lit[first : first + 3]
    assert red > green > blue == 0
    stream.close()


def test_a_stream_of_lights_counts_among_all_streams(begin: Begin, keys: SimulatedBoard) -> None:
    visit = begin(keys)
    taken = [visit.context.streams.take(f"phone {number}", known=True) for number in range(STREAMS)]
    assert visit.browser.get("/board/lights", **ELSEWHERE).status_code == 503
    assert taken[0] is not None
    taken[0].leave()
    visit.browser.get("/board/lights", buffered=False, **ELSEWHERE).close()
    assert len(visit.context.streams) == STREAMS - 1, "a stream that ends leaves its place to another"


# --- Buttons and pieces ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("button", ["granada", "castillo", "confirm", "undo"])
def test_a_button_of_the_page_is_a_button_of_the_board(button: str, begin: Begin, keys: SimulatedBoard) -> None:
    visit = begin(keys).manage()
    assert visit.post("button", {"button": button, "down": True}) == 200
    keys.advance(0.1)
    assert visit.post("button", {"button": button, "down": False}) == 200
    keys.advance(2.0)
    assert keys.gestures == [Press(button)]


def test_a_button_that_stays_down_is_pressed_long(begin: Begin, keys: SimulatedBoard) -> None:
    visit = begin(keys)
    visit.post("button", {"button": "undo", "down": True})
    keys.advance(0.7)
    assert keys.gestures == [Press("undo")]
    keys.advance(0.2)
    assert keys.gestures == [Press("undo"), Press("undo", long=True)]
    visit.post("button", {"button": "undo", "down": False})
    keys.advance(STUCK_S)
    assert len(keys.gestures) == 2, "and it is up again"


def test_on_a_simulated_board_only_the_table_can_hold_down_the_button_of_a_place(
    begin: Begin, keys: SimulatedBoard
) -> None:
    visit = begin(keys)
    keys.listen(visit.rig.table.post)
    galicia = {"button": "galicia"}  # the King stands there: it means nothing else
    for _ in range(20):
        visit.post("button", {**galicia, "down": True})
        keys.advance(HOLD_S / 5)
        visit.rig.table.poll()
    assert keys.gestures == [], "a guest's press is short, however long it lasts and however often it comes"
    assert visit.rig.notices, "but it is a press"
    assert not visit.rig.public.seats_open
    visit.manage().post("button", {**galicia, "down": True})
    keys.advance(2 * HOLD_S)
    visit.rig.table.poll()
    assert visit.rig.public.seats_open


def test_a_piece_held_to_a_reader_is_a_tap(begin: Begin, hands: SimulatedBoard) -> None:
    visit = begin(hands)
    assert visit.post("tag", {"piece": "red-caballero", "place": "aragon", "put": True}) == 200
    hands.advance(0.4)
    assert hands.gestures == [Tap(RED, "aragon")]
    assert visit.post("tag", {"piece": "red-caballero", "place": "aragon", "put": False}) == 200
    hands.advance(0.4)
    assert hands.gestures == [Tap(RED, "aragon"), Tap(RED, "aragon", gone=True)]


class HandTimer:
    """A timer that runs out when the test says so."""

    started: ClassVar[list[HandTimer]] = []

    def __init__(self, seconds: float, function: Callable[[], None]) -> None:
        self.seconds = seconds
        self.function = function
        self.cancelled = False

    def start(self) -> None:
        self.started.append(self)

    def cancel(self) -> None:
        self.cancelled = True

    def run_out(self) -> None:
        if not self.cancelled:
            self.function()


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> list[HandTimer]:
    monkeypatch.setattr(virtual_board, "Timer", HandTimer)
    monkeypatch.setattr(HandTimer, "started", [])
    return HandTimer.started


def test_what_a_page_holds_is_let_go_if_the_page_goes_away(
    begin: Begin, hands: SimulatedBoard, timers: list[HandTimer]
) -> None:
    visit = begin(hands).manage()
    visit.post("button", {"button": "granada", "down": True})
    visit.post("tag", {"piece": "king", "place": "sevilla", "put": True})
    hands.advance(0.4)
    assert all(HOLD_S < timer.seconds < STUCK_S for timer in timers), "a long press can be made, and no button sticks"
    for timer in timers:
        timer.run_out()
    hands.advance(2 * HOLD_S)
    king = TAGS[Piece(PieceKind.KING)]
    assert set(hands.gestures) == {Press("granada"), Tap(king, "sevilla"), Tap(king, "sevilla", gone=True)}


def test_what_was_let_go_and_is_held_again_is_not_let_go_early(
    begin: Begin, keys: SimulatedBoard, timers: list[HandTimer]
) -> None:
    visit = begin(keys).manage()
    for down in (True, False, True):
        visit.post("button", {"button": "granada", "down": down})
        keys.advance(0.1)
    first, second = timers
    first.run_out()
    keys.advance(1.0)
    assert keys.gestures == [Press("granada"), Press("granada"), Press("granada", long=True)]
    visit.post("button", {"button": "granada", "down": False})
    assert second.cancelled


def test_with_its_own_threads_a_board_in_the_browser_plays_moves(begin: Begin) -> None:
    with SimulatedBoard(find_board("standard"), known=simulated_tags()) as hands:
        visit = begin(hands).manage()
        table = visit.rig.table
        hands.listen(table.post)

        def placed() -> int:
            table.wait(0.02)
            return visit.rig.game.view(None)["seats"]["red"]["regions"]["pais-vasco"]

        visit.post("tag", {"piece": "red-caballero", "place": "pais-vasco", "put": True})
        _until(lambda: placed() == 1, "a piece is set down by its tag")
        visit.post("tag", {"piece": "red-caballero", "place": "pais-vasco", "put": False})
        _until(lambda: Tap(RED, "pais-vasco", gone=True) in hands.gestures, "and its reader is free again")
        visit.post("button", {"button": "pais-vasco", "down": True})
        _until(lambda: placed() == 2, "another by a button")
        _until(lambda: Press("pais-vasco", long=True) in hands.gestures, "which is held down")
        visit.post("button", {"button": "pais-vasco", "down": False})


# --- Who may, and what is refused ------------------------------------------------------------------------------------

GOOD = {
    "button": {"button": "granada", "down": True},
    "tag": {"piece": "king", "place": "granada", "put": True},
}


def test_only_who_holds_a_seat_or_manages_the_table_may_touch_the_board(begin: Begin, keys: SimulatedBoard) -> None:
    visit = begin(keys)
    for stranger in (visit.new_browser(), visit.new_browser(new_token())):
        assert [visit.post(what, body, stranger) for what, body in GOOD.items()] == [403, 403]
        for page in ("layout", "lights"):
            assert stranger.get(f"/board/{page}", **ELSEWHERE).status_code == 403
    keys.advance(0.5)
    assert keys.gestures == []
    keeper = new_token()
    visit.context.codes.trust(keeper)
    assert visit.post("button", {"button": "granada", "down": False}, visit.new_browser(keeper)) == 200
    assert visit.new_browser().get("/board/layout").status_code == 403, "being at the machine proves nothing"


def test_beside_a_real_board_there_is_no_virtual_one(begin: Begin) -> None:
    visit = begin(None)
    assert [visit.post(what, body) for what, body in GOOD.items()] == [404, 404]
    for page in ("layout", "lights"):
        assert visit.browser.get(f"/board/{page}", **ELSEWHERE).status_code == 404
    assert visit.browser.get("/board", **ELSEWHERE).headers["Location"] == "/join"


NONSENSE: Final[list[tuple[str, object]]] = [
    ("button", {}),
    ("button", []),
    ("button", "granada"),
    ("button", {"button": "granada"}),
    ("button", {"button": "granada", "down": 1}),
    ("button", {"button": "portugal", "down": True}),
    ("button", {"button": ["granada"], "down": True}),
    ("button", {"button": None, "down": True}),
    ("tag", {}),
    ("tag", {"piece": "king", "place": "granada"}),
    ("tag", {"piece": "king", "place": "granada", "put": "yes"}),
    ("tag", {"piece": "king", "place": "confirm", "put": True}),
    ("tag", {"piece": "king", "place": {"granada": 1}, "put": True}),
    ("tag", {"piece": "queen", "place": "granada", "put": True}),
    ("tag", {"piece": ["king"], "place": "granada", "put": True}),
    ("tag", {"piece": RED, "place": "granada", "put": True}),
]


def test_nonsense_is_refused_and_changes_nothing(begin: Begin, hands: SimulatedBoard) -> None:
    visit = begin(hands)
    assert [visit.post(what, body) for what, body in NONSENSE] == [400] * len(NONSENSE)
    assert visit.browser.post("/board/button", data=b"\xff{", **ELSEWHERE).status_code == 400
    hands.advance(1.0)
    assert hands.gestures == []


def test_a_place_without_a_reader_sees_no_piece(begin: Begin, keys: SimulatedBoard) -> None:
    assert begin(keys).post("tag", GOOD["tag"]) == 400


def test_other_pages_cannot_press_our_buttons(begin: Begin, keys: SimulatedBoard) -> None:
    visit = begin(keys)
    answer = visit.browser.post(
        "/board/button", json=GOOD["button"], headers={"Origin": "http://elsewhere.example"}, **ELSEWHERE
    )
    assert answer.status_code == 403
    keys.advance(0.5)
    assert keys.gestures == list[Gesture]()


def _text(chunk: object) -> str:
    return chunk.decode() if isinstance(chunk, bytes) else str(chunk)


def _until(happened: Callable[[], bool], what: str) -> None:
    end_s = time.monotonic() + 10
    while not happened():
        assert time.monotonic() < end_s, what
        time.sleep(0.01)

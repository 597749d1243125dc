"""Streams of pages: a hidden page closes its own, ten tabs work, and a page that returns is up to date at once."""

from __future__ import annotations

from contextlib import ExitStack
from http.client import HTTPConnection

from tests.browser.phones import SCREEN, Phones
from tests.browser.positions import BOARD, THREE
from tests.browser.served import PATIENCE_S, Serve, Served
from tests.support.arrange import opening, turn_of
from web_remote.context import COOKIE
from web_remote.stream_slots import OF_ONE_SENDER, STREAMS

# A browser without a window shows every page: what it says of a tab is put in its mouth.
_HIDDEN = """(hidden) => {
  Object.defineProperty(document, "hidden", {configurable: true, get: () => hidden});
  Object.defineProperty(document, "visibilityState", {configurable: true, get: () => hidden ? "hidden" : "visible"});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def only(table: Served, count: int) -> None:
    """Waits until only this many pages still have a stream."""
    streams = table.context.streams
    with streams._changed:
        closed = streams._changed.wait_for(lambda: len(streams) == count, PATIENCE_S)
    assert closed, f"{len(streams)} streams, and not {count}"


def test_ten_tabs_of_one_phone_work(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.sit("red")
    phone.see('[data-key="power7"]')
    tabs = [phone.page]
    for _ in range(9):
        tabs[-1].evaluate(_HIDDEN, True)
        tab = phone.context.new_page()
        tab.goto(f"{table.address}/phone")
        tab.locator('[data-key="power7"]').wait_for()
        tabs.append(tab)
    only(table, 1)
    tabs[-1].locator('[data-key="power7"]').tap()
    tabs[-1].get_by_text("Waiting for Blue").wait_for()
    # The first one was hidden all the while: it shows what it was shown, and the new when it is seen again.
    assert phone.question == "Play a power card"
    tabs[-1].evaluate(_HIDDEN, True)
    tabs[0].evaluate(_HIDDEN, False)
    phone.read("Waiting for Blue", "#question")
    only(table, 1)


def test_a_page_that_is_seen_again_is_told_and_can_act_at_once(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.sit("blue")
    phone.read("Waiting for Red", "#question")
    phone.page.evaluate(_HIDDEN, True)
    only(table, 0)
    table.say("red", "power 13")
    table.shown("blue")
    assert phone.question == "Waiting for Red"
    phone.page.evaluate(_HIDDEN, False)
    phone.see('[data-key="power7"]')
    phone.tap('[data-key="power7"]')
    phone.read("Waiting for Green", "#question")


def test_a_page_that_one_goes_back_to_listens_again(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.sit("red")
    phone.see('[data-key="power7"]')
    phone.page.evaluate("() => window.dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    only(table, 0)
    with phone.page.expect_request("**/events*"):
        phone.page.evaluate("() => window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    phone.open("/table")
    phone.after(0)
    phone.page.go_back()
    phone.see('[data-key="power7"]')
    phone.tap('[data-key="power7"]')
    phone.read("Waiting for Blue", "#question")


def test_a_phone_whose_seat_is_freed_is_told_also_when_it_was_hidden_meanwhile(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    seen, hidden = phones.new(table), phones.new(table)
    hidden.allowed.append("status of 403")
    seen.sit("red")
    hidden.sit("blue")
    seen.up_to_date()
    hidden.up_to_date()
    hidden.page.evaluate(_HIDDEN, True)
    table.free("red")
    table.free("blue")
    seen.page.wait_for_url("**/join?gone=*")
    seen.read("This seat is free again: another phone may have taken it.")
    hidden.page.evaluate(_HIDDEN, False)
    hidden.page.wait_for_url("**/join?gone=*")


def test_when_too_many_pages_are_open_the_page_says_so(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.allowed.append("status of 503")
    phone.page.clock.install()
    taken = [table.context.streams.take(f"phone {number}", known=True) for number in range(STREAMS)]
    phone.sit("red")
    phone.see("#connection")
    for _ in range(4):
        with phone.page.expect_response("**/events*"):
            phone.page.clock.run_for(30_000)
    phone.read("Too many pages are open at this table.", "#connection")
    phone.picture("phone-too-many", whole=False)
    for slot in taken:
        assert slot is not None
        slot.leave()
    phone.page.clock.run_for(30_000)
    phone.see('[data-key="power7"]')
    phone.see("#connection", "hidden")


def test_a_page_whose_stream_another_page_of_its_phone_took_waits_until_somebody_turns_to_it(
    serve: Serve, phones: Phones
) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.sit("red")
    phone.see('[data-key="power7"]')
    with ExitStack() as stack:
        # Six newer ones: the page's own was the oldest.
        for _ in range(OF_ONE_SENDER):
            line = HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE_S)
            stack.callback(line.close)
            line.request("GET", "/events?seat=red", headers={"Cookie": f"{COOKIE}={phone.token}"})
            answer = stack.enter_context(line.getresponse())
            assert answer.readline() == b"retry: 1000\n"
        phone.read("The table is open on too many pages of this browser.", "#connection")
        only(table, OF_ONE_SENDER)
        asked: list[str] = []
        phone.page.on("request", lambda request: asked.append(request.url))
        phone.page.clock.install()
        phone.page.clock.run_for(60_000)
        assert asked == [], "it does not fight for its place"
        phone.page.locator("#connection").click()
        phone.see("#connection", "hidden")
        only(table, OF_ONE_SENDER)


# Counts how often the line about the connection is taken away while the lights go on.
_TAKEN_AWAY = """() => new Promise((done) => {
  const line = document.getElementById("connection");
  let times = 0;
  let frames = 0;
  new MutationObserver(() => (times += Number(line.hidden))).observe(line, {attributeFilter: ["hidden"]});
  new MutationObserver(() => (frames += 1) > 20 && done(times))
    .observe(document.querySelector(".shining"), {attributes: true, subtree: true});
})"""


def test_the_board_says_that_a_stream_is_lost_though_the_other_goes_on(serve: Serve, phones: Phones) -> None:
    table = serve(turn_of("score-4s", THREE, board=BOARD, court={"red": 3}))
    screen = phones.new(table, SCREEN)
    screen.allowed.append("ERR_FAILED")
    screen.page.emulate_media(reduced_motion="no-preference")
    screen.sit("red", path="/board")
    screen.see("#question.mine")
    screen.page.route("**/events*", lambda route: route.abort())
    screen.page.evaluate("() => window.dispatchEvent(new Event('online'))")
    screen.see("#connection")
    assert screen.page.evaluate(_TAKEN_AWAY) == 0
    screen.page.unroute("**/events*")
    screen.see("#connection", "hidden")


def test_a_phone_shows_what_is_asked_before_its_stream_has_told_anything(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.page.route("**/events*", lambda route: None)
    phone.sit("red")
    phone.read("Play a power card", "#question")
    phone.tap('[data-key="power4"]')
    table.shown("blue")
    phone.page.unroute_all(behavior="ignoreErrors")

"""From the printed address to a game: set-up, taking the seat over, playing again, other settings, the last result."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.journal import Entry, Journal, Kept
from companion.table.options import Options
from companion.translations import LANGUAGES
from tests.browser.phones import LARGE, PICTURES, SCREEN, SMALL
from tests.browser.started import Started, browsing, started
from tests.support.random_games import finished

START = "#form .go button"


def set_up(page: Page, table: Started) -> None:
    """Opens the printed address at a table without a game."""
    page.goto(table.printed)
    page.wait_for_url("**/new")
    page.wait_for_selector(".row")


def kept(folder: Path, number: int) -> Kept:
    with open_database(folder / "table.db") as database:
        return Journal(database).load(number)


def nearly_over(folder: Path) -> Game:
    """Stores a game of two people that is over but for its last move, as if the power had gone out. Returns its end."""
    whole = next(game for game in map(finished, range(200)) if len(game.seats) == 2 and game.moves[-1].verb == "dial")
    options = Options(names={whole.seats[0]: "Ann"}, guided=False, veto_s=0.0, pace="instant")
    with open_database(folder / "table.db") as database:
        journal = Journal(database)
        number = journal.begin(Game(whole.seats, whole.edition, whole.rounds, whole.house), options.as_json(), 7)
        moves = whole.moves[:-1]
        journal.append(number, [Entry("move", m.text, "table" if m.seat == "table" else "person") for m in moves], 0)
    return whole


def test_the_first_visit_sets_up_a_game_and_one_button_starts_it(tmp_path: Path, browser: Browser) -> None:
    with started(tmp_path) as table, browsing(browser) as page:
        set_up(page, table)
        assert "t=" not in page.url
        page.fill('[data-key="name-0"]', "Ann")
        page.click('.row:nth-child(4) [aria-label="Remove Yellow"]')
        page.select_option('[data-key="player-1"]', "easy")
        page.check("[name=rounds][value='6']")
        page.select_option("[name=pace]", "instant")
        page.click("#more summary")
        page.check("[value=open-castillo]")
        page.click(START)
        page.wait_for_url("**/board")
        expect(page.locator("#phone header strong")).to_have_text("Ann")
        expect(page.locator("#question.mine")).to_be_visible()
        page.locator('[data-key^="power"]:not([aria-disabled=true])').last.click()
        expect(page.locator("#question.mine")).to_be_visible()
    game = kept(tmp_path, 1)
    assert game.game.seats == ("red", "blue", "green")
    assert (game.game.rounds, game.game.house) == (6, ("open-castillo",))
    assert game.options["players"] == {"red": "person", "blue": "easy", "green": "normal"}
    assert any(move.seat == "red" and move.verb == "power" for move in game.game.moves)


def test_teach_me_starts_a_guided_game_at_once(tmp_path: Path, browser: Browser) -> None:
    with started(tmp_path) as table, browsing(browser) as page:
        set_up(page, table)
        page.click("#teach")
        page.wait_for_url("**/board")
        expect(page.locator("#phone .lesson")).to_contain_text("This is you", timeout=30_000)
    game = kept(tmp_path, 1)
    assert (len(game.game.seats), game.game.rounds) == (3, 6)
    assert (game.options["teach"], game.options["pace"]) == (True, "slow")


def test_seats_are_added_and_recoloured_and_a_wrong_wish_says_why(tmp_path: Path, browser: Browser) -> None:
    with started(tmp_path) as table, browsing(browser) as page:
        set_up(page, table)
        page.get_by_role("button", name="Add a player").click()
        expect(page.locator(".row")).to_have_count(5)
        expect(page.get_by_role("button", name="Add a player")).to_be_hidden()
        page.select_option('[data-key="colour-0"]', "yellow")
        expect(page.locator('[data-key="colour-3"]')).to_have_value("red")
        page.fill('[data-key="name-0"]', "Ann")
        page.fill('[data-key="name-1"]', "Ann")
        page.click(START)
        expect(page.get_by_role("alert")).to_have_text("Two players are called Ann. Give one of them another name.")
        # What was entered survives another language.
        page.select_option("#language", "de")
        expect(page.locator("h1")).to_have_text("Ein neues Spiel")
        expect(page.locator('[data-key="name-0"]')).to_have_value("Ann")
        expect(page.locator(".row")).to_have_count(5)
        page.fill('[data-key="name-1"]', "")
        page.keyboard.press("Enter")
        page.wait_for_url("**/board")
    assert kept(tmp_path, 1).game.seats == ("yellow", "blue", "green", "red", "brown")
    assert kept(tmp_path, 1).options["language"] == "de"


def connected(page: Page) -> None:
    """Waits until a page's stream has brought something: a seat lost before that is an error in its console."""
    page.wait_for_function("() => document.body.dataset.number")


def test_another_browser_with_the_printed_address_takes_the_seat_over_and_the_first_may_take_it_back(
    tmp_path: Path, browser: Browser
) -> None:
    with started(tmp_path) as table, browsing(browser) as first, browsing(browser) as second:
        set_up(first, table)
        first.click(START)
        first.wait_for_url("**/board")
        connected(first)
        second.goto(table.printed)
        second.wait_for_url("**/join")
        second.get_by_role("button", name="Play here").click()
        second.wait_for_url("**/board")
        connected(second)
        first.wait_for_url("**/join?gone=red")
        expect(first.get_by_role("alert")).to_have_text("This seat is now played on another screen.")
        first.get_by_role("button", name="Play here").click()
        first.wait_for_url("**/board")
        second.wait_for_url("**/join?gone=red")


def test_a_stranger_on_the_network_waits_for_the_game_and_takes_nothing(tmp_path: Path, browser: Browser) -> None:
    with started(tmp_path) as table, browsing(browser) as page, browsing(browser, SMALL) as stranger:
        stranger.goto(table.address)
        stranger.wait_for_url("**/new")
        stranger.get_by_text("Waiting for somebody to set up the game").wait_for()
        assert stranger.locator("#form").count() == 0
        set_up(page, table)
        page.click(START)
        page.wait_for_url("**/board")
        stranger.wait_for_url("**/join")
        expect(stranger.locator(".seat input")).to_be_disabled()
        assert stranger.get_by_role("button", name="Play here").count() == 0


def test_a_phone_sets_up_the_game_with_the_table_code(tmp_path: Path, browser: Browser) -> None:
    with started(tmp_path) as table, browsing(browser, LARGE) as phone:
        phone.goto(table.address)
        phone.fill("#unlock input", table.table_code)
        phone.get_by_role("button", name="Unlock").click()
        phone.click(START)
        phone.wait_for_url("**/join")
        phone.locator(".seat").click()
        phone.get_by_role("button", name="Join").or_(phone.locator("#form [type=submit]")).first.click()
        phone.wait_for_url("**/board")


def test_a_phone_plays_again_and_every_page_follows_and_other_settings_are_filled_in(
    tmp_path: Path, browser: Browser
) -> None:
    whole = nearly_over(tmp_path)
    seat, last = whole.moves[-1].seat, whole.moves[-1].args[0]
    with (
        started(tmp_path) as table,
        browsing(browser, LARGE) as phone,
        browsing(browser, SCREEN) as screen,
        browsing(browser) as board,
    ):
        screen.goto(table.printed)
        screen.goto(f"{table.address}/table")
        screen.locator("#sit img").first.wait_for()
        for page in (phone, board):
            page.goto(table.printed)
            page.wait_for_url("**/join")
        for page, colour in ((phone, seat), (board, next(each for each in whole.seats if each != seat))):
            page.locator(f".seat-{colour}").click()
            page.locator("#form [type=submit]").click()
            page.wait_for_url("**/board")
        phone.goto(f"{table.address}/phone")
        phone.locator(f'.dial [data-place="{last}"], .dial .sector').first.wait_for()
        phone.evaluate(
            """async ([seat, line]) => {
              const state = await (await fetch("/state")).json();
              await fetch("/say", {method: "POST", headers: {"Content-Type": "application/json"},
                body: JSON.stringify({seat, line, version: state.version, number: state.number})});
            }""",
            [seat, f"dial {last}"],
        )
        for page in (phone, board, screen):
            expect(page.locator(".ranking li").first).to_be_visible()
            expect(page.locator(".lines")).to_be_visible()
        screen.locator("#log summary").click()
        expect(screen.locator("#log section").nth(3)).to_be_attached()
        screen.locator("#log summary").click()
        phone.get_by_role("button", name="Play again").click()
        for page in (phone, board, screen):
            expect(page.locator(".ranking")).to_be_hidden()
        expect(screen.locator("#players .score").first).to_contain_text("0")
        # Only the set-up of the new game is in its history.
        screen.locator("#log summary").click()
        expect(screen.locator("#log section")).to_have_count(2)
        # The last result is still there, and other settings begin with those of the last game.
        screen.get_by_role("link", name="The last result").click()
        expect(screen.locator(".ranking li")).to_have_count(2)
        screen.goto(f"{table.address}/new")
        expect(screen.locator(".row")).to_have_count(2)
        screen.click(START)
        expect(screen.locator("#aside")).to_be_visible()
        screen.get_by_role("button", name="Set it aside and start").click()
        screen.wait_for_url(lambda url: not url.endswith("/new"))
        expect(phone.locator("#question")).not_to_be_empty()
    with open_database(tmp_path / "table.db") as database:
        games = Journal(database).games()
    assert [game.set_aside for game in games] == [False, True, False]
    assert games[0].winners
    # And after a restart.
    with open_database(tmp_path / "table.db") as database:
        Journal(database).set_aside(3)
    with started(tmp_path) as table, browsing(browser, SMALL) as stranger:
        stranger.goto(f"{table.address}/result")
        expect(stranger.locator(".ranking")).to_contain_text("Ann")
        stranger.goto(f"{table.address}/new")
        stranger.get_by_role("link", name="The last result").wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_set_up_page_fits_every_screen_in_every_language(tmp_path: Path, browser: Browser, language: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with started(tmp_path) as table, browsing(browser) as page:
        set_up(page, table)
        for name, size in (("phone", SMALL), ("tablet", {"width": 820, "height": 1180}), ("tv", SCREEN)):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.goto(f"{table.address}/new?language={language}")
            page.wait_for_selector(".row")
            page.click("#more summary")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.screenshot(path=PICTURES / f"new-{name}-{language}.png", full_page=True)

"""Nothing lost by accident, on the pages: questions in private, an undo that says what it takes back, a veto."""

from __future__ import annotations

from playwright.sync_api import expect

from companion.engine import Game
from tests.browser.phones import SCREEN, Device, Phones
from tests.browser.positions import KINDS, THREE
from tests.browser.served import Serve
from tests.support.arrange import opening, play, turn_of


def placed() -> Game:
    """Red has placed one, so that the King would end placing."""
    return play(turn_of("king", THREE, court={"red": 4}), "red place castillo")


def moves(table_game: Game, count: int) -> list[str]:
    return [str(move) for move in table_game.moves[-count:]]


def prominent(phone: Device) -> list[str]:
    return phone.page.locator("#phone .answers button.main").all_text_contents()


def test_the_special_action_that_ends_placing_is_asked_about_on_the_own_phone(serve: Serve, phones: Phones) -> None:
    table = serve(placed())
    red, blue = phones.new(table), phones.new(table)
    red.sit("red")
    blue.sit("blue")
    red.read("Place up to 3 more, or use «The King» (this ends placing)", "#question")
    red.read("Use «The King» (this ends placing)", ".answers")
    red.tap('[data-key="special"]')
    red.read("Use «The King»? This ends placing.", "#question")
    red.read("Caballeros not placed: 3.", ".notices")
    assert prominent(red) == ["No, go back"]
    assert "not placed" not in (blue.page.text_content("body") or "")
    red.tap('[data-key="no"]')
    red.read("Place up to 3 more", "#question")
    assert moves(table.game, 1) == ["red place castillo"]
    red.tap('[data-key="special"]')
    red.tap('[data-key="yes"]')
    red.read("Where does the King go?", "#question")
    assert moves(table.game, 1) == ["red special"]


def test_the_end_of_the_turn_is_asked_about_on_the_own_phone(serve: Serve, phones: Phones) -> None:
    table = serve(placed())
    red = phones.new(table)
    red.sit("red")
    red.tap('[data-key="end"]')
    red.read("End your turn?", "#question")
    red.read("The special action of «The King» not used.", ".notices")
    red.tap('[data-key="yes"]')
    red.read("Waiting for", "#question")
    assert "red end" in map(str, table.game.moves)


def test_the_end_of_the_turn_is_not_prominent_while_something_else_can_be_done(serve: Serve, phones: Phones) -> None:
    to_place = play(turn_of("king", THREE, court={"red": 4}), "red special", "red king granada")
    to_move = play(turn_of("move-3", THREE, board={"aragon": {"red": 2}}), "red special", "red move red aragon granada")
    for game in (placed(), to_place, to_move):
        red = phones.new(serve(game))
        red.sit("red")
        red.see('[data-key="end"]')
        assert prominent(red) == []


def test_the_kings_place_and_another_on_the_map_use_his_card(serve: Serve, phones: Phones) -> None:
    table = serve(turn_of("king", THREE, court={"red": 4}))
    red = phones.new(table)
    red.sit("red")
    red.see('.map [data-place="galicia"]')
    table.say("red", "touch galicia")
    red.up_to_date()
    red.place("granada")
    red.read("Place up to 4 more, or end your turn", "#question")
    assert moves(table.game, 2) == ["red special", "red king granada"]


def test_undo_says_what_it_takes_back_and_a_vote_says_who_asks_for_what(serve: Serve, phones: Phones) -> None:
    table = serve(placed())
    red, blue, screen = phones.new(table), phones.new(table), phones.new(table, SCREEN)
    red.sit("red")
    blue.sit("blue")
    screen.open("/table")
    red.read("Undo: you placed one in the castillo", ".controls")
    expect(red.page.locator(".controls .main")).to_have_count(0)
    blue.read("Ask to undo: red places one in the castillo", ".controls")
    blue.tap('[data-key="undo"]')
    red.read("blue wants to undo 1 move. OK?", "#question")
    red.read("red places one in the castillo", ".notices")
    assert prominent(red) == ["OK, undo it"]
    screen.read("blue wants to undo 1 move. OK?", "#prompt")
    screen.read("red places one in the castillo", "#notices")
    red.tap('[data-key="disagree"]')
    red.read("Place up to 3 more", "#question")
    red.tap('[data-key="undo"]')
    red.read("Place up to 4, or use «The King»", "#question")


def test_a_veto_question_shows_the_step_the_card_and_three_answers(serve: Serve, phones: Phones) -> None:
    (kind,) = [kind for kind in KINDS if kind.name == "veto"]
    table = serve(kind.game(), kind.options)
    blue = phones.new(table)
    blue.sit("blue")
    blue.read("Veto red's «Move 3»?", "#question")
    blue.read("Move up to 3 caballeros of any colour.", ".notices")
    blue.read("from Sevilla to Granada", ".notices")
    words = blue.page.locator(".answers .words button").all_text_contents()
    assert words == ["Veto it", "Allow", "Allow the whole action"]
    assert prominent(blue) == ["Allow"]
    assert "Allowed when time is up." not in (blue.page.text_content("body") or "")


def test_a_tap_that_is_refused_is_answered_on_that_phone_alone(serve: Serve, phones: Phones) -> None:
    table = serve(turn_of("score-4s", THREE))
    red, screen = phones.new(table), phones.new(table, SCREEN)
    red.sit("red")
    screen.open("/table")
    table.say("red", "touch granada")
    red.read("it does not border the King's region", ".notices")
    screen.up_to_date()
    assert "does not border" not in (screen.page.text_content("body") or "")


def test_why_a_place_cannot_be_chosen_is_told_until_the_game_goes_on(serve: Serve, phones: Phones) -> None:
    board = {"granada": {"red": 2, "blue": 1}}
    table = serve(turn_of("score-4s", THREE, board=board, court={"red": 4}))
    red = phones.new(table)
    red.sit("red")
    red.see('.map [data-place="granada"]')
    red.place("granada")
    red.read("it does not border the King's region", ".place-panel .why")
    red.read("gets 6 (caballeros here: 2).", ".place-panel .payout")
    shape, line = (red.page.locator(f".payout li:first-child {part}").bounding_box() for part in (".icon", "span"))
    assert shape is not None
    assert line is not None
    assert shape["height"] <= line["height"]
    red.picture("phone-place-panel")
    table.say("red", "place castillo")
    red.up_to_date()
    expect(red.page.locator(".place-panel .why")).to_have_count(0)
    red.read("gets 6 (caballeros here: 2).", ".place-panel .payout")


def test_open_cards_are_offered_once(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    red = phones.new(table)
    red.sit("red")
    red.see('[data-key="power7"]')
    heading = red.page.locator("#phone").get_by_text("Open cards", exact=True)
    expect(heading.filter(visible=True)).to_have_count(1)
    red.tap('[data-key="power7"]')
    red.see('[data-key="power7"]', "detached")
    expect(heading.filter(visible=True)).to_have_count(1)

"""Sounds and the browser's voice: off by default, one switch away, never a secret, and nothing piles up."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from companion.engine import Game
from tests.browser.phones import SCREEN, Device, Phones
from tests.browser.positions import ALONE, BOARD, THREE, dials
from tests.browser.served import Serve, Served
from tests.support.arrange import opening, turn_of
from tests.support.random_games import Player

# Keeps what is played and said, in place of a loudspeaker: the browser's own audio context and speech stay in between.
EARS: Final = """(() => {
  window.tones = [];
  window.contexts = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) {
    tones.push(Math.round(this.frequency.value));
    return start.call(this, when);
  };
  const Context = window.AudioContext;
  window.AudioContext = class extends Context { constructor() { super(); contexts += 1; } };
  window.said = [];
  window.language = "";
  window.slow = false;
  let saying = null;
  const end = () => { const over = saying; saying = null; over?.onend?.(new Event("end")); };
  window.done = end;
  speechSynthesis.speak = (words) => {
    if (!words.text) return;
    said.push(words.text);
    language = words.lang;
    saying = words;
    if (!slow) setTimeout(end, 0);
  };
  speechSynthesis.cancel = () => { if (saying) said.push("(cut off)"); saying = null; };
})();"""
TURN, PLACED, LOCKED, SCORING, END = [587, 784], [330], [988, 659], [523, 659], [523, 659, 784, 1047]
REFUSED: Final = [220, 175]


def listening(phones: Phones, table: Served, *seats: str, path: str = "/phone", sound: bool = True) -> Device:
    """Returns a device with ears, on which somebody has switched on sounds and speech."""
    device = phones.new(table, SCREEN)
    device.context.add_init_script(EARS)
    device.allowed.append("was preloaded using link preload but not used")
    if seats:
        device.sit(*seats, path=path)
    else:
        device.open(path)
    device.after(0)
    if sound:
        if path != "/table":
            device.page.get_by_text("Help", exact=True).click()
        device.page.get_by_role("checkbox", name="Sounds").check()
        device.page.get_by_role("checkbox", name="Read aloud").check()
        device.page.wait_for_function("() => tones.length >= 2 && said.length >= 1")
        device.page.evaluate("() => { tones.length = 0; said.length = 0; }")
    return device


def tones(device: Device, wanted: list[int]) -> None:
    """Waits until a sound was played, and forgets what was."""
    device.page.wait_for_function("(wanted) => tones.join(' ').endsWith(wanted.join(' '))", arg=wanted)
    device.page.evaluate("() => tones.length = 0")


def says(device: Device, words: str) -> None:
    """Waits until something is said that contains these words."""
    device.page.wait_for_function("(words) => said.some((each) => each.includes(words))", arg=words)


def said(device: Device) -> list[str]:
    return list(device.page.evaluate("() => said.splice(0)"))


def test_nothing_is_heard_unless_somebody_wants_it(serve: Serve, phones: Phones) -> None:
    table = serve(turn_of("score-4s", THREE, board=BOARD, court={"red": 3}))
    phone = listening(phones, table, "red", sound=False)
    table.say("red", "place castillo")
    phone.up_to_date()
    assert phone.page.evaluate("() => [tones, said, contexts]") == [[], [], 0]


def test_the_switches_are_remembered_and_there_is_one_audio_context(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = listening(phones, table, "red")
    assert phone.page.evaluate("() => contexts") == 1
    phone.page.reload()
    phone.after(0)
    phone.page.get_by_text("Help", exact=True).click()
    assert phone.page.get_by_role("checkbox", name="Sounds").is_checked()
    assert phone.page.get_by_role("checkbox", name="Read aloud").is_checked()
    assert phone.page.evaluate("() => contexts") == 1


def test_each_thing_that_happens_has_its_own_sound(serve: Serve, phones: Phones) -> None:
    game = turn_of("score-one", THREE, board={"aragon": {"red": 2, "blue": 1}}, court={"red": 3})
    # So that the place being scored is shown for as long as it takes to look.
    table = serve(game, replace(ALONE, pace="step"))
    phone = listening(phones, table, "red")
    phone.page.get_by_text("The map in words").click()
    phone.page.get_by_role("list", name="The map in words").get_by_role("button", name="Galicia").click()
    tones(phone, REFUSED)
    table.say("red", "place castillo")
    tones(phone, PLACED)
    table.say("red", "special")
    table.say("red", "yes")
    table.say("red", "touch aragon")
    tones(phone, SCORING)


def test_a_turn_that_comes_is_heard_and_its_question_is_read(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    first = table.now.public.waiting_for[0]
    (other,) = [seat for seat in THREE if seat != first][:1]
    phone = listening(phones, table, other)
    table.say(first, "power 5")
    if other not in table.now.public.waiting_for:
        table.say(table.now.public.waiting_for[0], "power 6")
    tones(phone, TURN)
    says(phone, "Play a power card")


def test_a_phone_never_says_what_is_on_its_dial(serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    phone = listening(phones, table, "red")
    phone.page.get_by_label("Region", exact=True).select_option("sevilla")
    phone.click(".dialling button")
    phone.click(".dialling button")
    phone.read("Your dial is set.")
    tones(phone, LOCKED)
    assert not [words for words in said(phone) if "Sevilla" in words]


def test_the_table_screen_reads_turns_scorings_and_questions_in_its_language(serve: Serve, phones: Phones) -> None:
    table = serve(turn_of("score-one", THREE, board={"aragon": {"red": 2, "blue": 1}}, court={"red": 3}))
    screen = listening(phones, table, path="/table")
    table.say("red", "special")
    says(screen, "a region to score")
    table.say("red", "touch aragon")
    says(screen, "Aragón is scored: Red 5, Blue 4")
    table.say("red", "end")
    table.say("red", "yes")
    says(screen, "Red took «Score one»")
    assert screen.page.evaluate("() => language") == "en"


_SPEAK: Final = """async ([news, question]) => {
  const { href } = document.querySelector("link[rel=modulepreload]");
  (await import(new URL("../shared/speech.js", href))).speak(news, question);
}"""


def test_a_question_cuts_off_what_was_said_before_and_news_does_not_pile_up(serve: Serve, phones: Phones) -> None:
    phone = listening(phones, serve(opening(THREE)), "red")
    phone.page.evaluate("() => { slow = true; }")
    for news in ("one", "two", "three", "four"):
        phone.page.evaluate(_SPEAK, [[news], ""])
    for _ in range(4):
        phone.page.evaluate("() => done()")
    assert said(phone) == ["one", "three", "four"]
    phone.page.evaluate(_SPEAK, [["five"], ""])
    phone.page.evaluate(_SPEAK, [["six"], ""])
    phone.page.evaluate(_SPEAK, [["seven"], "What now?"])
    says(phone, "seven")
    phone.page.evaluate("() => done()")
    assert said(phone) == ["five", "(cut off)", "seven", "What now?"]


def test_the_end_is_heard_and_the_winner_is_named(serve: Serve, phones: Phones) -> None:
    whole, player = Game(("red", "blue"), rounds=6), Player(Random(5))
    while not whole.over:
        whole.play(player.choose(whole.legal_moves()))
    game = Game(whole.seats, rounds=6)
    *before, last = whole.moves
    for move in before:
        game.play(move)
    table = serve(game)
    screen = listening(phones, table, path="/table")
    table.say(last.seat, " ".join((last.verb, *last.args)))
    tones(screen, END)
    says(screen, "win")


def test_the_board_has_the_switches_with_a_seat_and_without(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    listening(phones, table, "red", path="/board")
    watching = phones.new(table, SCREEN)
    watching.open("/table")
    assert watching.post("/table/open", code=table.codes.table_code) == 200
    watching.open("/board")
    watching.page.get_by_role("checkbox", name="Sounds").check()
    watching.page.get_by_role("checkbox", name="Read aloud").check()


def test_the_focus_is_never_lost_when_the_page_changes(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    first = table.now.public.waiting_for[0]
    phone = phones.new(table)
    phone.sit(first)
    phone.page.get_by_role("button", name="Power card 7").press("Enter")
    phone.read("Waiting for", "#question")
    asked = phone.page.get_by_role("group", name="What to do now")
    assert asked.evaluate("(group) => group === document.activeElement")
    # Whoever asks about a place comes back to it.
    phone.page.get_by_text("The map in words").click()
    place = phone.page.get_by_role("list", name="The map in words").get_by_role("button", name="Granada")
    place.press("Enter")
    phone.page.get_by_role("button", name="Close", exact=True).press("Enter")
    assert place.evaluate("(button) => button === document.activeElement")

"""A player who knows no rules: reads a phone's page and touches something that can be touched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

from playwright.sync_api import TimeoutError as TooLate

from tests.browser.phones import Device

# All that can be done on the page now; only what is to be seen counts.
_LOOK: Final = """() => {
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  const keys = seen("#phone .answers [data-key]:not([aria-disabled=true]), #phone .guide [data-key]");
  return {
    number: Number(document.body.dataset.number ?? -1),
    question: document.getElementById("question")?.textContent ?? "",
    words: keys.map((each) => each.getAttribute("data-key")),
    places: seen("#phone .map .offered").map((each) => each.getAttribute("data-place")),
    dial: seen("#phone .dial .sector:not(.closed)").length,
    cover: seen("#phone .cover button").length > 0,
    over: seen("#phone .ranking").length > 0,
  };
}"""


class Look(NamedTuple):
    """What a player sees on the phone."""

    number: int
    question: str
    words: list[str]
    places: list[str]
    dial: int
    cover: bool
    over: bool

    @property
    def asked(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.words or self.places or self.dial or self.cover)


class Thumb:
    """Plays on one phone.

    :param rng: the source of its random choices.
    :param board: a virtual board, whose buttons it presses now and then.
    """

    def __init__(self, phone: Device, rng: Random, board: Device | None = None) -> None:
        self.phone = phone
        self._rng = rng
        self._board = board

    def look(self) -> Look:
        """Reads the page and returns what is on it."""
        return Look(**self.phone.page.evaluate(_LOOK))

    def act(self, look: Look) -> None:
        """Does one of the possible things, and waits until the table has answered."""
        phone, rng = self.phone, self._rng
        touched = "the page"
        if look.cover:
            phone.tap("#phone .cover button")
        elif look.dial:
            phone.tap(f".dial .sector:not(.closed) >> nth={rng.randrange(look.dial)}")
            dial = phone.page.locator(".dial").element_handle()
            phone.tap(".dialling button")
            phone.tap(".dialling button")
            # Others set theirs meanwhile: that something is new does not mean that this one is set.
            dial.wait_for_element_state("hidden")
        elif look.places and (not look.words or rng.random() < 0.8):
            touched = place = rng.choice(look.places)
            if self._board is None or rng.random() < 0.5:
                phone.place(place)
            else:
                touched = f"the button of {place}"
                self._board.click(f'[data-button="{place}"]')
        else:
            touched = rng.choice(look.words)
            phone.tap(f'#phone [data-key="{touched}"]')
        try:
            phone.after(look.number)
        except TooLate as error:
            served = phone.served
            told = f"{look} {self.look()} {served.latest} {served.board.gestures[-6:]}"
            raise AssertionError(f"nothing came of touching {touched}: {told}") from error


def play_on(thumbs: Sequence[Thumb], most: int = 2000, until: Callable[[], bool] = lambda: False) -> int:
    """Plays to the end, or until a condition is met, everybody on their own phone. Returns the number of touches."""
    for count in range(most):
        if until():
            return count
        looks = [thumb.look() for thumb in thumbs]
        if all(look.over for look in looks):
            return count
        newest = max(look.number for look in looks)
        for thumb, look in zip(thumbs, looks, strict=True):
            if look.number < newest:
                thumb.phone.after(newest - 1)
                break
            if look.asked:
                thumb.act(look)
                break
        else:
            served = thumbs[0].phone.served
            if served.now.public.all_shown:
                for thumb in thumbs:
                    thumb.phone.see("#phone .ranking")
                continue
            if served.now.public.shows_scoring:
                served.say(next(iter(served.now.seats)), "next")
            thumbs[0].phone.after(newest)
    raise AssertionError(f"no end after {most} touches")

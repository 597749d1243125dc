"""A player who hears the page and never sees it: finds everything by role and name, and goes by what is announced."""

from __future__ import annotations

from random import Random
from typing import Final

from playwright.sync_api import Locator
from playwright.sync_api import TimeoutError as TooLate

from tests.browser.phones import Device

# What a screen reader announces, by the rules it goes by: a live region counts only if it was there before it changed;
# `status` and `alert` are read whole, the others only what is new in them.
SCREEN_READER: Final = """(() => {
  const LIVE = "[role=status], [role=alert], [role=log], [aria-live]:not([aria-live=off])";
  const seen = (each) => each.isConnected && each.checkVisibility();
  const whole = (region) =>
    region.getAttribute("aria-atomic") === "true" ||
    (region.matches("[role=status], [role=alert]") && region.getAttribute("aria-atomic") !== "false");
  const said = (node) => (node.textContent ?? "").replace(/\\s+/g, " ").trim();
  window.heard = [];
  let known = new Set();
  const watch = () => (known = new Set([...document.querySelectorAll(LIVE)].filter(seen)));
  const observer = new MutationObserver((changes) => {
    const spoken = new Map();
    for (const { type, target, addedNodes } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(LIVE);
      if (!region || !known.has(region) || !seen(region)) continue;
      const parts = spoken.get(region) ?? new Set();
      spoken.set(region, parts);
      if (whole(region)) parts.add(region);
      else if (type === "characterData") parts.add(target);
      else for (const node of addedNodes) if (node.isConnected) parts.add(node);
    }
    for (const parts of spoken.values())
      for (const node of parts)
        if (![...parts].some((other) => other !== node && other.contains(node)) && said(node)) heard.push(said(node));
    watch();
  });
  const begin = () => {
    watch();
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();"""
_FOCUSED: Final = "() => document.activeElement !== null && document.activeElement !== document.body"


class Listener:
    """Plays on one phone with a keyboard and a screen reader.

    :param rng: the source of its random choices.
    """

    def __init__(self, phone: Device, rng: Random) -> None:
        self.page = phone.page
        self._rng = rng
        self.heard: list[str] = []
        """Everything that was announced since the phone's page was opened."""
        phone.context.add_init_script(SCREEN_READER)

    def join(self, address: str, colour: str, name: str, code: str) -> None:
        """Takes a seat with the code, as somebody tells it."""
        page = self.page
        page.goto(address)
        page.get_by_role("radio", name=colour).check()
        page.get_by_role("textbox", name="Your name").fill(name)
        page.get_by_role("textbox", name="Code on the table screen").fill(code)
        page.get_by_role("button", name="Sit down here").press("Enter")
        self.asked.wait_for()
        # The map in words stays open for the rest of the game.
        page.get_by_text("The map in words").press("Enter")

    @property
    def asked(self) -> Locator:
        """The part of the page that asks."""
        return self.page.get_by_role("group", name="What to do now")

    @property
    def question(self) -> str:
        """The question, or whom everybody waits for."""
        return self.page.get_by_role("heading", level=1).inner_text()

    @property
    def over(self) -> bool:
        """Whether the page shows the result."""
        return self.question == "The result"

    @property
    def places(self) -> Locator:
        """The places in words."""
        return self.page.get_by_role("list", name="The map in words").get_by_role("button")

    def listen(self) -> list[str]:
        """Returns what was announced since the last time."""
        fresh: list[str] = self.page.evaluate("() => heard.splice(0)")
        self.heard += fresh
        return fresh

    def wait(self) -> list[str]:
        """Waits until something is announced, and returns it."""
        self.page.wait_for_function("() => heard.length > 0")
        return self.listen()

    def press(self, what: Locator) -> list[str]:
        """Presses Enter on something, and returns what is announced then. The focus must not get lost."""
        name = what.inner_text()
        self.listen()
        what.press("Enter")
        try:
            told = self.wait()
        except TooLate as error:
            raise AssertionError(f"nothing was announced after {name!r}: {self.question} {self.heard[-6:]}") from error
        assert self.page.evaluate(_FOCUSED), f"the focus is lost after {name!r}"
        return told

    def act(self) -> None:
        """Does one of the possible things, found by role and name; waits if there is nothing to do."""
        places = self.places.filter(has_text="Can be chosen")
        buttons = self.asked.get_by_role("button", disabled=False)
        count, answers = places.count(), buttons.count()
        if self.over:
            # The game ended while the page was being read: what can be pressed now begins another.
            return
        # Once there is something to do, nothing changes before it is done.
        dial = self.asked.get_by_role("combobox", name="Region")
        if dial.count():
            self._set_dial(dial)
        elif count and (not answers or self._rng.random() < 0.8):
            self.press(places.nth(self._rng.randrange(count)))
        elif answers:
            self.press(buttons.nth(self._rng.randrange(answers)))
        else:
            self.wait()

    def _set_dial(self, dial: Locator) -> None:
        asked, options = self.question, dial.get_by_role("option").all_inner_texts()
        region = self._rng.choice(options)
        dial.select_option(label=region)
        again = f"Tap again to set {region}"
        assert again in self.press(self.asked.get_by_role("button", name="Set the dial"))
        self.press(self.asked.get_by_role("button", name=again))
        # Others set theirs meanwhile: what was announced may have been about them.
        while dial.count() and self.question == asked:
            self.wait()

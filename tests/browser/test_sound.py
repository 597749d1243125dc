"""Sound: one audio context for a page, which starts in a tap, and nothing is heard before."""

from __future__ import annotations

from tests.browser.phones import Phones
from tests.browser.positions import THREE
from tests.browser.served import Serve
from tests.support.arrange import opening
from web_remote.texts import TEXTS

# Counts the contexts and the tones of a page.
_COUNT = """
  window.made = {contexts: 0, tones: 0};
  const Real = window.AudioContext;
  window.AudioContext = class extends Real {
    constructor() { super(); window.made.contexts += 1; }
    createOscillator() { window.made.tones += 1; return super.createOscillator(); }
  };
"""


def test_a_turn_is_heard_by_one_context_that_was_started_in_a_tap(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.context.add_init_script(_COUNT)
    phone.sit("blue")
    phone.see("#question")
    phone.tap(".menu summary")
    phone.page.get_by_role("checkbox", name=TEXTS["sound"]).check()
    phone.page.wait_for_function("() => window.made.tones > 0")
    before = phone.page.evaluate("() => window.made.tones")
    table.say("red", "power 13")
    phone.see('[data-key="power7"]')
    phone.page.wait_for_function("(before) => window.made.tones > before", arg=before)
    assert phone.page.evaluate("() => window.made.contexts") == 1

    # After a reload nobody has touched the page: its turn comes in silence, and the tap that answers wakes the sound.
    phone.page.reload()
    phone.see('[data-key="power7"]')
    assert phone.page.evaluate("() => window.made") == {"contexts": 0, "tones": 0}
    phone.tap('[data-key="power7"]')
    phone.read("Waiting for Green", "#question")
    phone.page.wait_for_function("() => window.made.contexts === 1")

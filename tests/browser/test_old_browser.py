"""A browser that is too old for the pages says so, in a plain sentence."""

from __future__ import annotations

from tests.browser.phones import Phones
from tests.browser.positions import THREE
from tests.browser.served import Serve
from tests.support.arrange import opening


def test_an_old_browser_is_told_which_one_the_pages_need(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    old, young = phones.new(table), phones.new(table)
    old.context.add_init_script("delete window.structuredClone")
    for device in (old, young):
        device.open("/join")
        device.see(".seat-red")
    old.read("This browser is too old for these pages. Use Safari 15.4, Firefox 115,", "#old-browser")
    young.see("#old-browser", "hidden")
    old.picture("old-browser", whole=False)

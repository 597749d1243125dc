"""Scorings are shown on the phone too, not only on the table screen."""

from __future__ import annotations

from tests.browser.phones import Phones
from tests.browser.positions import THREE
from tests.browser.served import Serve
from tests.support.arrange import turn_of


def test_what_was_scored_stands_on_the_phone_until_its_player_goes_on(serve: Serve, phones: Phones) -> None:
    table = serve(turn_of("score-one", THREE, board={"aragon": {"red": 2, "blue": 1}}, court={"red": 3}))
    phone, other = phones.new(table), phones.new(table)
    phone.sit("red")
    other.sit("blue")
    other.see("#question")
    phone.tap('[data-key="special"]')
    phone.see('.map [data-place="aragon"].legal')
    phone.place("aragon")
    for device in (phone, other):
        device.read("red +5, blue +4", ".scored")
    phone.picture("phone-scored")
    phone.tap('[data-key="end"]')
    phone.see(".scored :text('+5')", "detached")

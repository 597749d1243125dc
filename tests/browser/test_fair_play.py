"""Fair play in a real browser, by plain HTTP: phones add numbers, and everybody can read how cards are dealt."""

from __future__ import annotations

from companion.table.fair_deal import hash_of, is_number, new_seed
from companion.table.moment import PublicMoment
from tests.browser.phones import Phones
from tests.browser.positions import dials
from tests.browser.served import PATIENCE_S, Serve, Served


def mixed(table: Served, *seats: str) -> PublicMoment:
    """Waits until the numbers of these seats have been mixed in."""
    number = -1
    while True:
        now = table.context.display.after(number, PATIENCE_S)
        assert now is not None, f"never mixed in: {seats}, but {table.now.public.fairness}"
        mixes = now.moment.public.fairness.mixes
        if mixes and set(mixes[-1].numbers) == set(seats):
            return now.moment.public
        number = now.number


def test_every_phone_adds_a_number_of_its_own_and_shows_them_all(serve: Serve, phones: Phones) -> None:
    table = serve(dials(), seed=new_seed())
    red = phones.new(table)
    red.sit("red")
    first = mixed(table, "red").fairness.mixes[-1].numbers
    blue = phones.new(table)
    blue.sit("blue")
    second = mixed(table, "red", "blue").fairness.mixes[-1].numbers
    numbers = {*first.values(), *second.values()}
    assert len(numbers) == 3, "another number each time"
    assert all(is_number(number) and hash_of(number) for number in numbers)
    for phone in (red, blue):
        phone.page.locator("details:has(.fair-play) > summary").click()
        for number in second.values():
            phone.read(number, ".fair-play")

"""What a player sees of the game in the terminal: the board, the round, and what a move changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.cli.text_tables import table
from companion.engine import REGIONS, Message, Move, phrase
from companion.engine.regions import PLACE_INDEX, ROUNDS, TILE_VALUES, TILES, VALUES
from companion.engine.views import SeatView, View
from companion.translations import Translator

DIALS_TURNED: Final = Message("The dials are turned over", {})
LEGEND: Final = phrase(
    "On the board: (K) the King, * a Grande, ? hidden in the castillo; after each place, what each rank scores."
)


def round_title(view: View, translator: Translator) -> str:
    """Returns the number of the round in words."""
    number = view["round"]
    if not number:
        return translator.in_words("Set-up")
    length = view["setup"]["rounds"]
    if length == 9:
        return translator.in_words("Round {number} of {length}", number=number, length=length)
    played = ROUNDS[length].index(number) + 1
    return translator.in_words("Round {number} ({played} of {length})", number=number, played=played, length=length)


def board(view: View, translator: Translator) -> str:
    """Returns everything on the table that a player looks at before moving."""
    parts = [round_title(view, translator), _places(view, translator)]
    turn = view["turn"]
    if turn["power"]:
        played = turn["order"] or list(turn["power"])
        order = phrase("Order of play: {played}") if turn["order"] else phrase("Power cards: {played}")
        cards = ", ".join(f"{translator.seat(seat)} ({turn['power'][seat]})" for seat in played)
        parts.append(translator.say(Message(order, {"played": cards})))
    holders = [translator.seat(seat) for seat, data in view["seats"].items() if data["vetoes"]]
    if holders:
        parts.append(translator.in_words("Veto card: {holders}", holders=", ".join(holders)))
    if view["open"]:
        cards = " · ".join(f"{stack} {translator.card(card).title}" for stack, card in view["open"].items())
        parts.append(translator.in_words("Open cards: {cards}", cards=cards))
    hand = view["seats"][view["viewer"]]["hand"] if view["viewer"] else None
    if hand:
        parts.append(translator.in_words("Your power cards: {cards}", cards=" ".join(map(str, hand))))
    return "\n".join(parts)


def _places(view: View, translator: Translator) -> str:
    seats = view["seats"]
    tiles = {place: TILE_VALUES[TILES.index(tile)] for tile, place in view["tiles"].items()}
    paid = min(len(seats) - 1, 3)
    rows = []
    for region in REGIONS:
        cells = (
            f"{data['regions'][region] or '.'}" + ("*" if data["grande"] == region else " ") for data in seats.values()
        )
        rows.append((_named(region, tiles, view["king"], paid, translator), *cells))
    towers = ("?" if data["castillo"] is None else str(data["castillo"]) for data in seats.values())
    rows.append((_named("castillo", tiles, None, paid, translator), *(f"{tower} " for tower in towers)))
    rows.append((translator.in_words("court"), *(f"{data['court']} " for data in seats.values())))
    rows.append((translator.in_words("province"), *(f"{data['province']} " for data in seats.values())))
    rows.append((translator.in_words("points"), *(f"{data['score']} " for data in seats.values())))
    return table(("", *(f"{translator.seat(seat)} " for seat in seats)), rows)


def _named(
    place: str,
    tiles: dict[str | None, tuple[int, int, int]],
    king: str | None,
    paid: int,
    translator: Translator,
) -> str:
    values = "/".join(map(str, (tiles.get(place) or VALUES[PLACE_INDEX[place]])[:paid]))
    return f"{translator.place(place)} {values}" + (" (K)" if place == king else "")


def changes(before: View, after: View, translator: Translator) -> Iterator[str]:
    """Yields what changed besides the points, seat by seat."""
    for seat, old in before["seats"].items():
        moved = list(_moved(old, after["seats"][seat], translator))
        if moved:
            yield f"{translator.seat(seat)}: {', '.join(moved)}"


def _moved(old: SeatView, new: SeatView, translator: Translator) -> Iterator[str]:
    for region, number in old["regions"].items():
        if new["regions"][region] != number:
            yield f"{translator.place(region)} {number} → {new['regions'][region]}"
    if new["court"] != old["court"]:
        yield translator.in_words("court") + f" {old['court']} → {new['court']}"
    if new["province"] != old["province"]:
        yield translator.in_words("province") + f" {old['province']} → {new['province']}"


def took(move: Move, card: str, translator: Translator) -> str:
    """Says that somebody took an action card."""
    return translator.in_words("{seat} takes {card} (stack {number})", seat=move.seat, card=card, number=move.number)

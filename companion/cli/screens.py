"""What a player sees of the game in the terminal: the board, the round, and what a move changed."""

from __future__ import annotations

from collections.abc import Iterator

from companion.cli.tables import table
from companion.engine import REGIONS
from companion.engine.regions import PLACE_INDEX, ROUNDS, TILE_VALUES, TILES, VALUES
from companion.engine.views import ScoringView, SeatView, View
from companion.words import CARD_WORDS, PLACE_NAMES

LEGEND = "(K) the King, * a Grande, ? hidden in the castillo; behind a place what each rank is paid."


def round_title(view: View) -> str:
    """Where in the game we are."""
    number = view["round"]
    if not number:
        return "Set-up"
    length = view["setup"]["rounds"]
    if length == 9:
        return f"Round {number} of 9"
    return f"Round {number} ({ROUNDS[length].index(number) + 1} of {length})"


def board(view: View) -> str:
    """Everything on the table that a person looks at before moving."""
    parts = [round_title(view), _places(view)]
    turn = view["turn"]
    if turn["power"]:
        played = turn["order"] or list(turn["power"])
        order = "Order of play" if turn["order"] else "Power cards"
        parts.append(f"{order}: " + ", ".join(f"{seat} ({turn['power'][seat]})" for seat in played))
    holders = [seat for seat, data in view["seats"].items() if data["vetoes"]]
    if holders:
        parts.append(f"Veto card: {', '.join(holders)}")
    if view["open"]:
        cards = (f"{stack} {CARD_WORDS[card].title}" for stack, card in view["open"].items())
        parts.append("Open cards: " + " · ".join(cards))
    hand = view["seats"][view["viewer"]]["hand"] if view["viewer"] else None
    if hand:
        parts.append("Your power cards: " + " ".join(map(str, hand)))
    return "\n".join(parts)


def _places(view: View) -> str:
    seats = view["seats"]
    tiles = {place: TILE_VALUES[TILES.index(tile)] for tile, place in view["tiles"].items()}
    paid = min(len(seats) - 1, 3)
    rows = []
    for region in REGIONS:
        cells = (
            f"{data['regions'][region] or '.'}" + ("*" if data["grande"] == region else " ") for data in seats.values()
        )
        rows.append((_named(region, tiles, view["king"], paid), *cells))
    towers = ("?" if data["castillo"] is None else str(data["castillo"]) for data in seats.values())
    rows.append((_named("castillo", tiles, None, paid), *(f"{tower} " for tower in towers)))
    rows.append(("court", *(f"{data['court']} " for data in seats.values())))
    rows.append(("province", *(f"{data['province']} " for data in seats.values())))
    rows.append(("points", *(f"{data['score']} " for data in seats.values())))
    return table(("", *(f"{seat} " for seat in seats)), rows)


def _named(place: str, tiles: dict[str | None, tuple[int, int, int]], king: str | None, paid: int) -> str:
    values = "/".join(map(str, (tiles.get(place) or VALUES[PLACE_INDEX[place]])[:paid]))
    return f"{PLACE_NAMES[place]} {values}" + (" (K)" if place == king else "")


def changes(before: View, after: View) -> Iterator[str]:
    """What changed beside the points, seat by seat."""
    for seat, old in before["seats"].items():
        moved = list(_moved(old, after["seats"][seat]))
        if moved:
            yield f"{seat}: {', '.join(moved)}"


def _moved(old: SeatView, new: SeatView) -> Iterator[str]:
    for region, number in old["regions"].items():
        if new["regions"][region] != number:
            yield f"{PLACE_NAMES[region]} {number} → {new['regions'][region]}"
    if new["court"] != old["court"]:
        yield f"court {old['court']} → {new['court']}"
    if new["province"] != old["province"]:
        yield f"province {old['province']} → {new['province']}"


def scored(scoring: ScoringView) -> str:
    """One scoring in a line; of the castillo also what was in it."""
    gains = dict(scoring["points"])
    if scoring["leader"]:
        gains[scoring["leader"]] += scoring["king_bonus"] + scoring["grande_bonus"]
    points = ", ".join(f"{seat} {gain}" for seat, gain in gains.items() if gain) or "nothing"
    inside = ""
    if scoring["place"] == "castillo":
        held = ", ".join(f"{seat} {number}" for seat, number in scoring["counts"].items() if number)
        inside = f" (in it: {held or 'nobody'})"
    return f"{PLACE_NAMES[scoring['place']]} is scored{inside}: {points}"

"""What scripts need to know about the game itself, taken from the rules and the bots so that no script copies it."""

from __future__ import annotations

from typing import Final

from companion.bots import LEVELS
from companion.engine.regions import (
    PLACES,
    RECRUITS,
    REGIONS,
    ROUNDS,
    SCORING_ROUNDS,
    SEATS,
    TILE_VALUES,
    TILES,
    VALUES,
)
from companion.table.options import PACES, PERSON
from web_remote.page_state import SOURCES
from web_remote.page_types import GameFacts

RANDOM: Final = "random"
PLAYERS: Final = (PERSON, *(level for level in LEVELS if level != RANDOM), RANDOM)
"""Who may play a seat, in the order they are offered; the random bot comes last because few people want it."""


def game_facts() -> GameFacts:
    """Returns the facts under the names that scripts use."""
    return {
        "colours": list(SEATS),
        "regions": list(REGIONS),
        "values": {place: list(values) for place, values in zip(PLACES, VALUES, strict=True)},
        "tiles": [{"tile": tile, "values": list(values)} for tile, values in zip(TILES, TILE_VALUES, strict=True)],
        "recruits": list(RECRUITS),
        "rounds": {str(length): list(rounds) for length, rounds in ROUNDS.items()},
        "scoring_rounds": list(SCORING_ROUNDS),
        "sources": list(SOURCES),
        "players": list(PLAYERS),
        "paces": list(PACES),
    }

"""The map of Spain as data: regions, neighbours, values; and the colours and power cards."""

from __future__ import annotations

from typing import Final

SEATS: Final = ("red", "blue", "green", "yellow", "brown")
TABLE: Final = "table"
"""The seat that plays chance: deals and shuffles."""

# One row per region, in the order of the scoring track: the values for first, second and third, then the neighbours.
# If your board is printed differently, correct it here.
_MAP: Final[dict[str, tuple[tuple[int, int, int], tuple[str, ...]]]] = {
    "galicia": ((4, 2, 0), ("pais-vasco", "castilla-la-vieja")),
    "pais-vasco": ((5, 3, 1), ("galicia", "castilla-la-vieja", "aragon")),
    "aragon": (
        (5, 4, 1),
        ("pais-vasco", "castilla-la-vieja", "castilla-la-nueva", "valencia", "cataluna"),
    ),
    "cataluna": ((4, 2, 1), ("aragon", "valencia")),
    "castilla-la-vieja": ((6, 4, 2), ("galicia", "pais-vasco", "aragon", "castilla-la-nueva")),
    "castilla-la-nueva": (
        (7, 4, 2),
        ("castilla-la-vieja", "aragon", "valencia", "granada", "sevilla"),
    ),
    "valencia": ((5, 3, 2), ("cataluna", "aragon", "castilla-la-nueva", "granada")),
    "sevilla": ((4, 3, 1), ("castilla-la-nueva", "granada")),
    "granada": ((6, 3, 1), ("sevilla", "castilla-la-nueva", "valencia")),
}

REGIONS: Final = tuple(_MAP)
CASTILLO: Final = "castillo"
PLACES: Final = (*REGIONS, CASTILLO)
"""Where a caballero can stand; the engine counts places by their index in this tuple."""

PLACE_INDEX: Final = {name: index for index, name in enumerate(PLACES)}
TOWER: Final = PLACE_INDEX[CASTILLO]
ALL_REGIONS: Final = tuple(range(len(REGIONS)))
NOWHERE: Final = -1
"""The index for "not on the board": a tile beside the board, or a Grande or King not yet set up."""

NEIGHBOURS: Final = tuple(tuple(sorted(PLACE_INDEX[name] for name in neighbours)) for _, neighbours in _MAP.values())
VALUES: Final = (*(values for values, _ in _MAP.values()), (5, 3, 1))
"""What first, second and third score in each place; the castillo comes last."""

TILES: Final = ("8", "4")
TILE_VALUES: Final = ((8, 4, 0), (4, 0, 0))

CABALLEROS: Final = 30
"""How many caballeros a seat has in play; the thirty-first marks the score."""
COURT_AT_START: Final = 7
HOME_AT_START: Final = 2

POWER_CARDS: Final = tuple(range(1, 14))
RECRUITS: Final = (0, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0)
"""How many caballeros a power card brings, indexed by its number; no card has the number 0."""

STACKS: Final = (1, 2, 3, 4, 5)
SCORING_ROUNDS: Final = (3, 6, 9)
ROUNDS: Final = {9: (1, 2, 3, 4, 5, 6, 7, 8, 9), 6: (2, 3, 5, 6, 8, 9)}
"""The rounds played, by the length of the game."""

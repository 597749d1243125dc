"""What El Grande needs on a board: the nine regions and the castillo, marker lights for the King, two controls.

The hardware reads any board file and does not know the game. It is given these rules so that mistakes of both kinds
are reported together:

>>> from hardware.board import find_board
>>> len(find_board("standard", EL_GRANDE).places)
10
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from companion.engine import CASTILLO, PLACES

CONTROLS: Final = ("confirm", "undo")
"""The buttons beside the board."""

_PLACE_WANTED: Final = "a table for every region and the castillo"
_LIGHT_WANTED: Final = "a whole number: the light that shows that the King stands here"


class ElGrandeBoardRules:
    """The rules that the hardware checks a board file against, in addition to its own."""

    old_keys: Mapping[str, str] = MappingProxyType({"king": "marker"})

    def mistakes(
        self, places: Collection[str], markers: Mapping[str, str], controls: Collection[str]
    ) -> Iterator[tuple[str, str, str]]:
        """Yields each mistake: its key in the file, what was found there and what was expected.

        >>> rules = ElGrandeBoardRules()
        >>> for mistake in rules.mistakes([*PLACES, "madrid"], dict.fromkeys(PLACES[:-1], "5"), ["confirm"]):
        ...     print(mistake[:2])
        ('places.madrid', 'an unknown place')
        ('controls.undo', 'missing')

        :param places: the names of the places.
        :param markers: the marker light of each place that has one, as the file writes it.
        :param controls: the names of the controls.
        """
        for place in places:
            if place not in PLACES:
                yield f"places.{place}", "an unknown place", f"one of {', '.join(PLACES)}"
        for place in PLACES:
            if place not in places:
                yield f"places.{place}", "missing", _PLACE_WANTED
            elif place == CASTILLO and place in markers:
                yield f"places.{place}.marker", markers[place], "none: the King never stands in the castillo"
            elif place != CASTILLO and place not in markers:
                yield f"places.{place}.marker", "missing", _LIGHT_WANTED
        if not controls:
            yield "controls", "missing", f"a table with {', '.join(CONTROLS)}"
            return
        for control in controls:
            if control not in CONTROLS:
                yield f"controls.{control}", "an unknown key", f"one of {', '.join(CONTROLS)}"
        for control in CONTROLS:
            if control not in controls:
                yield f"controls.{control}", "missing", "a whole number"


EL_GRANDE: Final = ElGrandeBoardRules()

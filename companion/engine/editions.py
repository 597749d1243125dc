"""The five editions: one table of everything that differs between them."""

from __future__ import annotations

from typing import Final, NamedTuple


class Edition(NamedTuple):
    """One printed edition, and its ruling on each point where the editions differ."""

    name: str
    language: str
    ties_take_all_ranks: bool
    """Whether seats that share a rank use up one rank each; otherwise they use up two together."""
    score_one_castillo: bool
    """Whether `score-one` may choose the castillo."""
    court_recalls: bool
    """Whether `court-2` may bring caballeros from regions when the province has too few."""
    court_in_full: bool
    """Whether `court-2` must bring two, or all that the province holds."""
    one_each_in_full: bool
    """Whether `one-each-home` must take one from every seat that has one."""
    expel_nowhere: bool
    """Whether dialling the region you are expelled from sends your caballeros to the court; otherwise it is illegal."""


_YES, _NO = True, False

EDITIONS: Final = {
    edition.name: edition
    for edition in (
        #       name             language  ties   score  court  court  one    expel
        #                                  all    cast.  recall full   each   court
        Edition("classic-nl",     "nl",    _NO,   _YES,  _NO,   _NO,   _NO,   _NO),
        Edition("classic-fr",     "fr",    _YES,  _YES,  _NO,   _YES,  _YES,  _NO),
        Edition("bigbox-de",      "de",    _NO,   _NO,   _YES,  _NO,   _NO,   _YES),
        Edition("bigbox-nl",      "nl",    _NO,   _NO,   _YES,  _NO,   _NO,   _NO),
        Edition("anniversary-es", "es",    _NO,   _NO,   _YES,  _NO,   _NO,   _NO),
    )
}  # fmt: skip
DEFAULT_EDITION: Final = "bigbox-de"

STRICT_DIAL: Final = "strict-dial"
OPEN_CASTILLO: Final = "open-castillo"
HOUSE_RULES: Final = (STRICT_DIAL, OPEN_CASTILLO)

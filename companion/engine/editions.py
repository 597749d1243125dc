"""The five editions: one table of all that differs between them."""

from __future__ import annotations

from typing import Final, NamedTuple


class Edition(NamedTuple):
    """One printed edition, and how it settles what the others settle otherwise."""

    name: str
    language: str
    ties_take_all_ranks: bool
    """After seats that share a rank, the next has the rank by the seats ahead (else: the one after the rank paid)."""
    score_one_castillo: bool
    """`score-one` may choose the castillo."""
    court_recalls: bool
    """`court-2` may bring home from regions what the province lacks."""
    court_in_full: bool
    """`court-2` brings two, or all the province holds."""
    one_each_in_full: bool
    """`one-each-home` takes one of every seat that has one."""
    expel_nowhere: bool
    """Dialling the region one is expelled from sends the caballeros to the court (else: refused)."""


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

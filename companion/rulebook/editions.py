"""The editions and house rules in words: what each is called, and every point where editions differ."""

from __future__ import annotations

from typing import Final

from companion.engine import Message, phrase
from companion.engine.editions import EDITIONS, OPEN_CASTILLO, STRICT_DIAL, Edition
from companion.rulebook.entries import Difference

EDITION_NAMES: Final = {
    "classic-nl": phrase("First edition (Dutch)"),
    "classic-fr": phrase("First edition (French)"),
    "bigbox-de": phrase("Big Box (German)"),
    "bigbox-nl": phrase("Big Box (Dutch)"),
    "anniversary-es": phrase("20th anniversary (Spanish)"),
}

DIFFERENCES: Final = {
    "ties_take_all_ranks": Difference(
        phrase("Tied players use up one rank each"),
        phrase("Tied players use up one rank each: after three tied for first, the next player is fourth."),
        phrase("However many tie, they use up two ranks: after three tied for first, the next player is third."),
    ),
    "score_one_castillo": Difference(
        Message("{card} can score the castillo", {"card": "score-one"}),
        phrase("The castillo may be chosen."),
        phrase("The castillo may not be chosen."),
    ),
    "court_recalls": Difference(
        Message("{card} can bring caballeros from regions", {"card": "court-2"}),
        phrase("If your province is too small, you may bring the rest from regions, as when you recruit."),
        phrase("They come from your province only."),
    ),
    "court_in_full": Difference(
        Message("{card} must bring all it can", {"card": "court-2"}),
        phrase("You must bring 2, or all that your province has."),
        phrase("You may bring fewer."),
    ),
    "one_each_in_full": Difference(
        Message("{card} must take from everybody", {"card": "one-each-home"}),
        phrase("You must take one of every other player who has one there."),
        phrase("You may leave some players out."),
    ),
    "expel_nowhere": Difference(
        Message("{card}: dialling the same region leads to the court", {"card": "expel"}),
        phrase("Whoever dials the region they have to leave takes those caballeros back to the court."),
        phrase("The region they have to leave cannot be dialled."),
    ),
}
"""Every point where editions differ, by the field of the engine's `Edition`."""

HOUSE_RULE_WORDS: Final = {
    STRICT_DIAL: phrase("Strict dial: in a general scoring, the King's region cannot be dialled."),
    OPEN_CASTILLO: phrase("Open castillo: everybody can see how many caballeros are in it."),
}


def so_in(edition: str, rule: str) -> bool:
    """Returns whether an edition says yes to a rule, which is a field of `Edition`.

    >>> so_in("classic-fr", "ties_take_all_ranks"), so_in("bigbox-de", "ties_take_all_ranks")
    (True, False)
    """
    found: Edition = EDITIONS[edition]
    return bool(found._asdict()[rule])

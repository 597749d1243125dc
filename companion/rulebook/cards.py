"""What the rulebook says about each action card beyond its own text, which is in `companion.engine.words`."""

from __future__ import annotations

from typing import Final

from companion.engine import Message, Several, phrase
from companion.engine.regions import REGIONS, TILE_VALUES, VALUES
from companion.rulebook.entries import CardNotes
from companion.rulebook.sections import worth

STACK_WORDS: Final = {
    1: phrase(
        "Most of these move caballeros that are on the board. They come from regions, never from the castillo or a "
        "court, and go to any other region or the castillo, near the King or not. The King's region stays taboo. You "
        "may always stop early."
    ),
    2: phrase("These send the others' caballeros home, to the province, or hold them up."),
    3: phrase(
        "These score regions during your turn. Everybody there is paid, and bonuses count. Score before or after "
        "placing."
    ),
    4: phrase("These change the game in many ways."),
    5: phrase("This stack is the King card alone. It is open in every round."),
}
"""What the cards of a stack have in common."""

_SPREAD: Final = phrase("They may go to different places. The first one you move fixes the region.")
_CHOOSE: Final = phrase("You may choose the King's region too.")
_TOTALS: Final = phrase("Caballeros of all colours count together. The castillo is left out.")
_WORTH: Final = phrase(
    "Without tiles these are {where}. A tile can add a region or take one away; the castillo never counts."
)


def _worth(*firsts: int) -> Message:
    """Returns which regions a card scores as long as no tile lies on the board."""
    regions = (region for region, values in zip(REGIONS, VALUES, strict=False) if values[0] in firsts)
    return Message(_WORTH, {"where": Several(regions)})


CARD_NOTES: Final = {
    "move-3": CardNotes(),
    "move-4": CardNotes(),
    "move-4-own": CardNotes(),
    "move-3-others": CardNotes(),
    "move-2-own-2-others": CardNotes(
        (phrase("In any order, but never more than 2 of your own and 2 of the others'."),)
    ),
    "move-5-from-one": CardNotes((_SPREAD,)),
    "move-own-from-one": CardNotes((_SPREAD,)),
    "extra-2": CardNotes((phrase("Anywhere but in the King's region, and in addition to what you place as usual."),)),
    "own-from-one-or-extra-2": CardNotes(
        (phrase("Your first step decides which of the two it is. You cannot mix them."),)
    ),
    "veto": CardNotes(section="veto"),
    "all-courts-home": CardNotes((phrase("Your own court stays as it is."),)),
    "three-courts-home": CardNotes(
        (phrase("Whoever has fewer at court sends all of them. Your own court stays as it is."),)
    ),
    "one-each-home": CardNotes(
        (phrase("You choose which ones, but none from the King's region or the castillo."),),
        ("one_each_in_full",),
    ),
    "king-is-angry": CardNotes(
        (
            phrase(
                "The player on your left begins, and everybody chooses their own. Nothing leaves the King's region or "
                "the castillo; whoever has fewer than 3 elsewhere sends all of those."
            ),
        )
    ),
    "secret-all-home": CardNotes(
        (phrase("They must dial a region where they have caballeros, and not the King's."),),
        section="castillo",
    ),
    "secret-two-home": CardNotes(
        (
            phrase(
                "They must dial a region where they have 2 or more, and not the King's. Whoever has no such region "
                "dials one with a single caballero, and loses that one."
            ),
        ),
        section="castillo",
    ),
    "score-one": CardNotes((_CHOOSE,), ("score_one_castillo",)),
    "score-4s": CardNotes((_worth(4),)),
    "score-5s": CardNotes((_worth(5),)),
    "score-6s-7s": CardNotes((_worth(6, 7),)),
    "score-castillo": CardNotes((phrase("It is opened, scored and closed again."),), section="castillo"),
    "score-firsts": CardNotes((phrase("Bonuses are paid too. The castillo is left out."),)),
    "score-most": CardNotes((_TOTALS,)),
    "score-fewest": CardNotes((_TOTALS,)),
    "score-one-3": CardNotes((_CHOOSE,), ("score_one_castillo",)),
    "tile": CardNotes(
        (
            Message(
                "The tiles are worth {first} and {second}, instead of what is printed. Lay one from beside the "
                "board, or move one that is on it, even to the castillo. One tile per place; none into or out of the "
                "King's region.",
                {"first": worth(TILE_VALUES[0]), "second": worth(TILE_VALUES[1])},
            ),
        )
    ),
    "power-back": CardNotes(
        (phrase("Even the one you played this round. You need not show which one it is."),),
        section="power-cards",
    ),
    "court-2": CardNotes(rules=("court_recalls", "court_in_full")),
    "grande": CardNotes(
        (phrase("Not into or out of the King's region, and not into the castillo. Grandes may share a region."),)
    ),
    "secret-score": CardNotes(
        (phrase("You dial too, and the King's region is allowed. A region that two players dial is not scored."),),
        section="castillo",
    ),
    "expel": CardNotes(
        (
            phrase(
                "Name any region but the King's. Your own caballeros stay. The others dial in secret; whoever dials "
                "the King's region takes theirs back to the court."
            ),
        ),
        ("expel_nowhere",),
    ),
    "advisor": CardNotes((phrase("Before or after placing, as you like."),), section="king"),
    "king": CardNotes((phrase("Move him first, and you place around his new region."),), section="king"),
}
"""The notes on every card, by its name."""

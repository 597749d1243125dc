"""The 45 action cards as data: name, stack, and number of copies. What each one does is in `special`."""

from __future__ import annotations

from typing import Final, NamedTuple


class Card(NamedTuple):
    """A kind of action card."""

    name: str
    stack: int
    """Its stack, which is also how many caballeros it places."""
    copies: int


KING_CARD: Final = "king"

CARDS: Final = {
    card.name: card
    for card in (
        Card("move-3", 1, 1),
        Card("move-4", 1, 1),
        Card("move-4-own", 1, 1),
        Card("move-3-others", 1, 1),
        Card("move-2-own-2-others", 1, 2),
        Card("move-5-from-one", 1, 2),
        Card("move-own-from-one", 1, 1),
        Card("extra-2", 1, 1),
        Card("own-from-one-or-extra-2", 1, 1),
        Card("veto", 2, 2),
        Card("all-courts-home", 2, 1),
        Card("three-courts-home", 2, 1),
        Card("one-each-home", 2, 1),
        Card("king-is-angry", 2, 1),
        Card("secret-all-home", 2, 1),
        Card("secret-two-home", 2, 1),
        Card("score-one", 2, 3),
        Card("score-4s", 3, 2),
        Card("score-5s", 3, 2),
        Card("score-6s-7s", 3, 1),
        Card("score-castillo", 3, 2),
        Card("score-firsts", 3, 1),
        Card("score-most", 3, 1),
        Card("score-fewest", 3, 1),
        Card("score-one-3", 3, 1),
        Card("tile", 4, 3),
        Card("power-back", 4, 2),
        Card("court-2", 4, 1),
        Card("grande", 4, 2),
        Card("secret-score", 4, 1),
        Card("expel", 4, 1),
        Card("advisor", 4, 1),
        Card(KING_CARD, 5, 1),
    )
}

SHUFFLED_STACKS: Final = (1, 2, 3, 4)
"""The stacks that are shuffled; the fifth is the King card alone."""

DECKS: Final = tuple(
    tuple(card.name for card in CARDS.values() if card.stack == stack for _ in range(card.copies))
    for stack in SHUFFLED_STACKS
)
"""The cards of each shuffled stack, one entry per copy."""

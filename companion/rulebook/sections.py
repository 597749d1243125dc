"""The sections of the rulebook, in the order they are read; every number comes from the engine."""

from __future__ import annotations

from typing import Final

from companion.engine import Message, Several, phrase
from companion.engine.cards import CARDS, DECKS
from companion.engine.regions import (
    CABALLEROS,
    CASTILLO,
    COURT_AT_START,
    HOME_AT_START,
    NEIGHBOURS,
    PLACE_INDEX,
    PLACES,
    POWER_CARDS,
    REGIONS,
    ROUNDS,
    SCORING_ROUNDS,
    STACKS,
    TILE_VALUES,
    VALUES,
)
from companion.engine.scoring import BONUS
from companion.rulebook.entries import Figure, Listing, Note, Picture, Points, Section, Steps

LONG: Final = max(ROUNDS)
SHORT: Final = min(ROUNDS)
KING_IN: Final = "castilla-la-nueva"
"""Where the King stands in the picture of the map."""
OPEN: Final = (*(PLACES[place] for place in NEIGHBOURS[PLACE_INDEX[KING_IN]]), CASTILLO)
"""Where caballeros may be placed then."""
DIALLED: Final = "granada"
"""What the dial in the picture is set to."""


def listed(numbers: tuple[int, ...]) -> str:
    """Returns numbers as they are listed in a sentence.

    >>> listed((3, 6, 9))
    '3, 6, 9'
    """
    return ", ".join(map(str, numbers))


def worth(values: tuple[int, ...]) -> str:
    """Returns the values of a place as they are printed.

    >>> worth((5, 3, 1))
    '5/3/1'
    """
    return "/".join(map(str, values))


_CARD_NUMBERS: Final = {"first": POWER_CARDS[0], "last": POWER_CARDS[-1]}

SECTIONS: Final = (
    Section(
        "aim",
        phrase("The aim of the game"),
        (
            phrase("You want more caballeros in the regions of Spain than anybody else."),
            Message(
                "All regions pay points {times} times in a game, to the players with the most caballeros there. Some "
                "action cards score a few regions in between. Whoever has the most points at the end wins.",
                {"times": len(SCORING_ROUNDS)},
            ),
        ),
    ),
    Section(
        "pieces",
        phrase("The pieces"),
        (
            Figure(
                Picture.PIECES,
                phrase("Each colour has a shape of its own. A Grande carries a star, and the King is a crown."),
            ),
            Points(
                (
                    Message(
                        "Caballeros: {count} in your colour. One more marks your points.",
                        {"count": CABALLEROS},
                    ),
                    phrase("Your Grande, a large piece: it marks your home region and never counts as a caballero."),
                    phrase("The King, one for everybody: his region is taboo."),
                    phrase("The castillo, a tower: what is in it stays hidden until it is scored."),
                    Message(
                        "Power cards: everybody has the numbers {first} to {last}.",
                        _CARD_NUMBERS,
                    ),
                    Message(
                        "Action cards: {count}, in {stacks} stacks.",
                        {"count": sum(card.copies for card in CARDS.values()), "stacks": len(STACKS)},
                    ),
                    phrase("A secret dial each, to choose a region unseen. At this table your phone is your dial."),
                    Message(
                        "Two score tiles, worth {first} and {second}: a tile replaces the values of the place it lies "
                        "in.",
                        {"first": worth(TILE_VALUES[0]), "second": worth(TILE_VALUES[1])},
                    ),
                )
            ),
            phrase(
                "A caballero is in your province (your supply), at your court (ready to be placed), in a region, or in "
                "the castillo."
            ),
        ),
    ),
    Section(
        "places",
        phrase("The map"),
        (
            Message(
                "{count} regions and the castillo. The three values are what the players with the most, the second "
                "most and the third most caballeros get there.",
                {"count": len(REGIONS)},
            ),
            Listing.PLACES,
        ),
    ),
    Section(
        "set-up",
        phrase("Set-up"),
        (
            Steps(
                (
                    phrase("A region is drawn for the King."),
                    Message(
                        "A region is drawn for each player, a different one each and never the King's: your Grande and "
                        "{count} caballeros start there.",
                        {"count": HOME_AT_START},
                    ),
                    Message(
                        "{court} caballeros go to your court; the other {province} wait in your province.",
                        {"court": COURT_AT_START, "province": CABALLEROS - COURT_AT_START - HOME_AT_START},
                    ),
                    Message("Everybody takes power cards {first} to {last}.", _CARD_NUMBERS),
                    Message(
                        "{stacks} stacks of {count} action cards are shuffled. The last stack is the King card alone. "
                        "The score tiles lie beside the board.",
                        {"stacks": len(DECKS), "count": len(DECKS[0])},
                    ),
                    phrase("One player is drawn to play the first power card; or let the youngest play it."),
                )
            ),
            phrase("This table deals and draws for you, and shows where the pieces go."),
        ),
    ),
    Section(
        "round",
        phrase("A round"),
        (
            Message("A game has {count} rounds. Each goes like this:", {"count": LONG}),
            Steps(
                (
                    Message(
                        "The top card of each stack is turned up: {count} action cards to choose from.",
                        {"count": len(STACKS)},
                    ),
                    phrase(
                        "Clockwise from the start player, everybody plays a power card face up. No number may be "
                        "played twice in a round."
                    ),
                    phrase("Everybody takes a turn: first the highest power card, then the next one down."),
                    phrase("Action cards nobody took are put away, and so are the power cards."),
                    phrase("Whoever played the lowest power card starts the next round."),
                    Message(
                        "After rounds {rounds} comes a general scoring.",
                        {"rounds": listed(SCORING_ROUNDS)},
                    ),
                )
            ),
        ),
    ),
    Section(
        "power-cards",
        phrase("Power cards"),
        (
            phrase(
                "Your power card decides when it is your turn, and how many caballeros you may bring to your court. "
                "High cards go early and bring few; low cards go late and bring many."
            ),
            Figure(
                Picture.POWER_CARDS,
                phrase("The large number decides the order; the caballeros below it come to your court."),
            ),
            Listing.POWER_CARDS,
            Message(
                "Each card can be played once. You have {cards} for {rounds} rounds, so plan which to keep.",
                {"cards": len(POWER_CARDS), "rounds": LONG},
            ),
        ),
    ),
    Section(
        "turn",
        phrase("A turn"),
        (
            Steps(
                (
                    phrase(
                        "Recruit: bring caballeros from your province to your court, up to the number on your power "
                        "card."
                    ),
                    phrase("Take one of the open action cards."),
                    phrase(
                        "Place caballeros and use the special action, in either order. Finish one before you begin the "
                        "other. You may skip both."
                    ),
                )
            ),
            Points(
                (
                    phrase(
                        "Province too small? Take all of it, and you may bring the missing caballeros to your court "
                        "from regions: not from the King's region, and not from the castillo."
                    ),
                    Message(
                        "Placing: the number of the stack, {first} to {last}, is how many you may place from your "
                        "court, in regions next to the King's or in the castillo.",
                        {"first": STACKS[0], "last": STACKS[-1]},
                    ),
                    phrase(
                        "Special action: do what the card says. Once you begin, you must do all of it, unless the "
                        "card says “up to”."
                    ),
                    phrase(
                        "The order matters: move the King first, and other regions open. Place first, and a scoring "
                        "may pay you more."
                    ),
                )
            ),
        ),
    ),
    Section(
        "king",
        phrase("The King and his region"),
        (
            Points(
                (
                    phrase(
                        "Taboo: nothing enters or leaves the King's region. No caballero, no Grande and no tile, "
                        "whatever the card. There are no exceptions."
                    ),
                    phrase("Neighbours: you place only in regions that touch his, or in the castillo."),
                    Message(
                        "Bonus: {bonus} more points for the sole leader in his region, whenever it is scored.",
                        {"bonus": BONUS},
                    ),
                )
            ),
            Figure(
                Picture.MAP,
                Message(
                    "The King stands in {king}, which is closed. You may place in {where}.",
                    {"king": KING_IN, "where": Several(OPEN)},
                ),
            ),
            phrase("Only the King card and the royal advisor move the King. His region is scored like any other."),
        ),
    ),
    Section(
        "castillo",
        phrase("The castillo and the secret dial"),
        (
            phrase(
                "The castillo is not a region, and it is always open: wherever the King is, caballeros that you place "
                "or move may go in."
            ),
            phrase("Say how many you throw in. Nobody may look inside, so try to remember."),
            phrase(
                "They come out at a general scoring. Before it, everybody secretly dials a region: all your "
                "caballeros from the castillo go there together. Dial the King's region, and they go to your court "
                "instead."
            ),
            Figure(
                Picture.DIAL,
                Message(
                    "A dial set to {region}. The others see it only when all dials are turned over.",
                    {"region": DIALLED},
                ),
            ),
            Message(
                "The castillo pays {values}, without bonuses. Some action cards use the dials too. A dial that is set "
                "cannot be changed.",
                {"values": worth(VALUES[PLACE_INDEX[CASTILLO]])},
            ),
        ),
    ),
    Section(
        "scoring",
        phrase("Scoring"),
        (
            phrase(
                "Count each player's caballeros in the place; Grandes do not count. Whoever has the most gets the "
                "first value, the second most gets the second, and the third most gets the third. Whoever has none "
                "gets nothing."
            ),
            phrase(
                "Ties: players with the same number all get the next lower value. Whoever comes after them gets the "
                "value below that."
            ),
            Note("ties_take_all_ranks"),
            Message(
                "Bonuses: {bonus} more points if you alone have the most in the King's region, and {bonus} if you "
                "alone have the most where your own Grande stands. You can get both in one region. A tie brings no "
                "bonus.",
                {"bonus": BONUS},
            ),
            phrase("A general scoring goes like this:"),
            Steps(
                (
                    phrase("Everybody sets a secret dial."),
                    phrase("The castillo is scored."),
                    phrase("The dials are turned over, and the castillo empties into the regions dialled."),
                    Message("The regions are scored one by one: {where}.", {"where": Several(REGIONS)}),
                )
            ),
            phrase("Scoring cards score their regions in the same way, with the same bonuses."),
            Listing.EXAMPLES,
        ),
    ),
    Section(
        "players",
        phrase("With 2 or 3 players"),
        (
            Points(
                (
                    phrase("With 2 players only the first value counts: a tie pays nobody."),
                    phrase("With 3 players only the first two values count."),
                    phrase("Bonuses are paid as always."),
                )
            ),
        ),
    ),
    Section("cards", phrase("The action cards"), (Listing.CARDS,)),
    Section(
        "veto",
        phrase("Veto"),
        (
            phrase(
                "Take the veto card and use its special action: it stays in front of you, face up, until you use it or "
                "the next round ends."
            ),
            Points(
                (
                    phrase("It stops one special action of somebody else, when it is announced or at any step."),
                    phrase("The step you object to is undone. Earlier steps stay, and the rest is lost."),
                    phrase("When dials are used, you may still object after they are turned over."),
                    phrase("Placing caballeros can never be stopped, and neither can a veto."),
                    phrase("Keeping the veto card is a special action too: another veto can stop that."),
                )
            ),
        ),
    ),
    Section(
        "end",
        phrase("The end"),
        (
            Message(
                "The game is over after general scoring {count}. Whoever has the most points wins, and players with "
                "equal points share their rank.",
                {"count": len(SCORING_ROUNDS)},
            ),
        ),
    ),
    Section(
        "variants",
        phrase("Short game and house rules"),
        (
            Message(
                "The short game has only {count} rounds: {rounds}. Everything else stays the same.",
                {"count": SHORT, "rounds": listed(ROUNDS[SHORT])},
            ),
            phrase("House rules, for tables that like them:"),
            Listing.HOUSE_RULES,
        ),
    ),
    Section(
        "editions",
        phrase("Editions"),
        (
            phrase(
                "El Grande was printed several times, and a few rules changed. Where they differ, the rule of your "
                "game is marked."
            ),
            Listing.EDITIONS,
        ),
    ),
    Section("terms", phrase("Words of the game"), (Listing.TERMS,)),
)

"""The words of the game, from caballero to veto, each in a sentence or two."""

from __future__ import annotations

from typing import Final

from companion.engine import Message, phrase
from companion.engine.regions import SCORING_ROUNDS, STACKS
from companion.engine.scoring import BONUS
from companion.rulebook.entries import Term
from companion.rulebook.sections import listed

TERMS: Final = {
    "action-card": Term(
        phrase("Action card"),
        phrase("One of the open cards. It lets you place caballeros and use a special action."),
        "cards",
    ),
    "bonus": Term(
        phrase("Bonus"),
        Message(
            "{bonus} more points for the sole leader in the King's region, or where their own Grande stands.",
            {"bonus": BONUS},
        ),
        "scoring",
    ),
    "caballero": Term(
        phrase("Caballero"), phrase("A knight. These are the pieces that count when a place is scored."), "pieces"
    ),
    "castillo": Term(
        phrase("Castillo"),
        phrase("The tower. It is scored like a region, but it is not one, and what is in it stays hidden."),
        "castillo",
    ),
    "court": Term(phrase("Court"), phrase("Your caballeros that are ready to be placed on the board."), "turn"),
    "dial": Term(
        phrase("Dial"),
        phrase("A wheel to choose a region in secret. At this table it is on your phone."),
        "castillo",
    ),
    "general-scoring": Term(
        phrase("General scoring"),
        Message("After rounds {rounds}: the castillo and all regions are scored.", {"rounds": listed(SCORING_ROUNDS)}),
        "scoring",
    ),
    "grande": Term(phrase("Grande"), phrase("Your large piece. The region it stands in is your home."), "pieces"),
    "home": Term(
        phrase("Home region"), phrase("The region where your Grande stands. Lead there for a bonus."), "scoring"
    ),
    "king": Term(phrase("King"), phrase("He decides where you may place: only in the regions next to his."), "king"),
    "moving": Term(
        phrase("Moving"),
        phrase("To take a caballero from one region to another or into the castillo, by a card of stack 1."),
        "cards",
    ),
    "neighbour": Term(phrase("Neighbours"), phrase("Regions that share a border on the map."), "places"),
    "placing": Term(phrase("Placing"), phrase("To put a caballero from your court on the board."), "turn"),
    "power-card": Term(
        phrase("Power card"),
        phrase("Decides when it is your turn, and how many caballeros you may recruit."),
        "power-cards",
    ),
    "province": Term(phrase("Province"), phrase("Your supply. Caballeros that are sent home go there."), "turn"),
    "recruiting": Term(phrase("Recruiting"), phrase("To bring caballeros from your province to your court."), "turn"),
    "region": Term(phrase("Region"), phrase("One of the areas of the map. The castillo is not a region."), "places"),
    "sole-leader": Term(
        phrase("Sole leader"), phrase("The one player who has the most caballeros in a place."), "scoring"
    ),
    "special-action": Term(phrase("Special action"), phrase("What the text of your action card lets you do."), "turn"),
    "stack": Term(
        phrase("Stack"),
        Message(
            "Action cards lie in stacks {first} to {last}. The number is how many caballeros they let you place.",
            {"first": STACKS[0], "last": STACKS[-1]},
        ),
        "cards",
    ),
    "start-player": Term(phrase("Start player"), phrase("Plays the first power card of a round."), "round"),
    "taboo": Term(
        phrase("Taboo"), phrase("The King's region is taboo: nothing goes in, and nothing comes out."), "king"
    ),
    "tile": Term(phrase("Score tile"), phrase("Lies in a place and replaces the values printed there."), "pieces"),
    "turn": Term(phrase("Turn"), phrase("What one player does in a round."), "turn"),
    "veto": Term(phrase("Veto"), phrase("A card you keep, to stop one special action of somebody else."), "veto"),
}
"""The terms by the name in their address, as in `/rules#term-castillo`."""

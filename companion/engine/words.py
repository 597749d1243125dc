"""The English names of places and cards, and what each move means in words; `translations` starts from these."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.engine import Message, Move, phrase
from companion.engine.messages import Field

PLACE_NAMES: Final = {
    "galicia": "Galicia",
    "pais-vasco": "País Vasco",
    "aragon": "Aragón",
    "cataluna": "Cataluña",
    "castilla-la-vieja": "Castilla la Vieja",
    "castilla-la-nueva": "Castilla la Nueva",
    "valencia": "Valencia",
    "sevilla": "Sevilla",
    "granada": "Granada",
    "castillo": "the castillo",
    "court": "the court",
}


class CardWords(NamedTuple):
    """A card in words: its title and what its special action does."""

    title: str
    text: str


CARD_WORDS: Final = {
    "move-3": CardWords(phrase("Move 3"), phrase("Move up to 3 caballeros of any colour.")),
    "move-4": CardWords(phrase("Move 4"), phrase("Move up to 4 caballeros of any colour.")),
    "move-4-own": CardWords(phrase("Move 4 of yours"), phrase("Move up to 4 caballeros of your own.")),
    "move-3-others": CardWords(phrase("Move 3 of theirs"), phrase("Move up to 3 caballeros of other players.")),
    "move-2-own-2-others": CardWords(phrase("Move 2 and 2"), phrase("Move up to 2 of your own and up to 2 of others.")),
    "move-5-from-one": CardWords(
        phrase("Move 5 out"), phrase("Move up to 5 caballeros of any colour out of one region.")
    ),
    "move-own-from-one": CardWords(phrase("Move out"), phrase("Move any number of your own out of one region.")),
    "extra-2": CardWords(
        phrase("Two more"), phrase("Place up to 2 more from your court, in any regions or the castillo.")
    ),
    "own-from-one-or-extra-2": CardWords(
        phrase("Move out or two more"), phrase("Move your own out of one region, or place up to 2 more anywhere.")
    ),
    "veto": CardWords(phrase("Veto"), phrase("Keep this card: stop one special action, this round or the next.")),
    "all-courts-home": CardWords(phrase("Empty courts"), phrase("Everybody else sends their whole court home.")),
    "three-courts-home": CardWords(
        phrase("Three from each court"), phrase("Everybody else sends 3 home from their court.")
    ),
    "one-each-home": CardWords(
        phrase("One of each"), phrase("Send home one caballero of each other player, from any region.")
    ),
    "king-is-angry": CardWords(
        phrase("The King is angry"), phrase("In turn, everybody else sends 3 home, from regions or their court.")
    ),
    "secret-all-home": CardWords(
        phrase("Secret retreat"), phrase("Everybody else dials a region and sends all their caballeros there home.")
    ),
    "secret-two-home": CardWords(
        phrase("Secret leave"), phrase("Everybody else dials a region and sends 2 of their caballeros there home.")
    ),
    "score-one": CardWords(phrase("Score one"), phrase("Choose a region to score.")),
    "score-4s": CardWords(phrase("Score the fours"), phrase("All regions that are now worth 4 are scored.")),
    "score-5s": CardWords(phrase("Score the fives"), phrase("All regions that are now worth 5 are scored.")),
    "score-6s-7s": CardWords(
        phrase("Score sixes and sevens"), phrase("All regions that are now worth 6 or 7 are scored.")
    ),
    "score-castillo": CardWords(
        phrase("Score the castillo"), phrase("The castillo is scored; the caballeros in it stay.")
    ),
    "score-firsts": CardWords(
        phrase("Score the firsts"), phrase("All regions are scored, for the first place only; ties get nothing.")
    ),
    "score-most": CardWords(
        phrase("Score the fullest"),
        phrase("The region with the most caballeros is scored; if several tie, all of them."),
    ),
    "score-fewest": CardWords(
        phrase("Score the emptiest"),
        phrase("The region with the fewest caballeros is scored; empty ones do not count."),
    ),
    "score-one-3": CardWords(phrase("Score one"), phrase("Choose a region to score.")),
    "tile": CardWords(phrase("Score tile"), phrase("Lay one of the two score tiles, or move it.")),
    "power-back": CardWords(
        phrase("Power card back"), phrase("Take one of your played power cards back into your hand.")
    ),
    "court-2": CardWords(phrase("Two to the court"), phrase("Bring up to 2 more caballeros to your court.")),
    "grande": CardWords(phrase("Move the Grande"), phrase("Move your Grande to another region.")),
    "secret-score": CardWords(
        phrase("Secret scoring"), phrase("Everybody dials a region; those dialled only once are scored.")
    ),
    "expel": CardWords(
        phrase("Out of here"), phrase("Choose a region: everybody else leaves it for a region they dial.")
    ),
    "advisor": CardWords(phrase("Royal advisor"), phrase("Move the King to a neighbouring region.")),
    "king": CardWords(phrase("The King"), phrase("Move the King to any other region.")),
}

# What a move means, by verb. {place}, {origin}, {colour}, {number} and {card} are filled in from the move.
_MOVE_WORDS: Final = {
    "home": phrase("{colour} is at home in {place}"),
    "start": phrase("{colour} plays the first power card"),
    "reveal": phrase("stack {number} shows {card}"),
    "power": phrase("{seat} plays power card {number}"),
    "recruit": phrase("{seat} brings {number} to the court"),
    "recall": phrase("{seat} brings one home from {place}"),
    "card": phrase("{seat} takes the card of stack {number}"),
    "place": phrase("{seat} places one in {place}"),
    "special": phrase("{seat} begins the special action"),
    "end": phrase("{seat} ends the turn"),
    "done": phrase("{seat} is done with the special action"),
    "move": phrase("{seat} moves one of {colour}'s from {origin} to {place}"),
    "extra": phrase("{seat} places one more in {place}"),
    "remove": phrase("{seat} sends home one of {colour}'s from {place}"),
    "return": phrase("{seat} sends one home from {place}"),
    "dial": phrase("{seat} dials {place}"),
    "score": phrase("{seat} scores {place}"),
    "tile": phrase("{seat} lays tile {number} in {place}"),
    "retake": phrase("{seat} takes power card {number} back"),
    "grande": phrase("{seat} moves the Grande to {place}"),
    "expel": phrase("{seat} clears {place}"),
    "king": phrase("{seat} moves the King to {place}"),
    "veto": phrase("{seat} vetoes it"),
    "allow": phrase("{seat} allows it"),
}
_TAKES_CARD: Final = phrase("{seat} takes {card}")
_USES_CARD: Final = phrase("{seat} uses {card}")
_MOVES_OWN: Final = phrase("{seat} moves one from {origin} to {place}")
_KING_STARTS: Final = phrase("the King starts in {place}")
_ALLOW_ALL: Final = phrase("{seat} allows the whole action")
_MASKED: Final = {
    "dial": phrase("{seat} sets the dial"),
    "retake": phrase("{seat} takes a power card back"),
}


def move_words(move: Move | str, card: str | None = None) -> Message:
    """Says what a move means. Also accepts a masked line from a view's log.

    >>> str(move_words("green move red aragon castillo"))
    "green moves one of red's from aragon to castillo"
    >>> str(move_words("blue dial ?"))
    'blue sets the dial'
    >>> str(move_words("green card 4", "expel"))
    'green takes expel'

    :param card: the action card that is taken or in play, where it is known.
    """
    if isinstance(move, str):
        seat, verb, *words = move.split()
        if words == ["?"]:
            return Message(_MASKED[verb], {"seat": seat})
        move = Move.parse(move)
    text = _MOVE_WORDS[move.verb]
    if move.verb == "king" and move.seat == "table":
        text = _KING_STARTS
    elif move.args == ("all",):
        text = _ALLOW_ALL
    elif move.verb == "card" and card:
        text = _TAKES_CARD
    elif move.verb == "special" and card:
        text = _USES_CARD
    elif move.verb == "move" and move.colour == move.seat:
        text = _MOVES_OWN
    places = [word for word in move.args if word in PLACE_NAMES]
    fields: dict[str, Field] = {
        "seat": move.seat,
        "colour": move.colour,
        "number": move.number,
        "place": places[-1] if places else "",
        "origin": places[0] if places else "",
        "card": move.args[-1] if move.verb == "reveal" else card or "",
    }
    return Message.using(text, fields)

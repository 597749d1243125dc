"""Words for people: the names of places and cards, and what a move means; English, to be translated."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.engine import Message, Move
from companion.engine.errors import Field

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
    """A card for people: its title and what its special action does."""

    title: str
    text: str


CARD_WORDS: Final = {
    "move-3": CardWords("Move 3", "Move up to 3 caballeros of any colours."),
    "move-4": CardWords("Move 4", "Move up to 4 caballeros of any colours."),
    "move-4-own": CardWords("Move 4 of yours", "Move up to 4 caballeros of your own."),
    "move-3-others": CardWords("Move 3 of theirs", "Move up to 3 caballeros of other players."),
    "move-2-own-2-others": CardWords("Move 2 and 2", "Move up to 2 of your own and up to 2 of others."),
    "move-5-from-one": CardWords("Move 5 out", "Move up to 5 caballeros of any colours out of one region."),
    "move-own-from-one": CardWords("Move out", "Move any number of your own out of one region."),
    "extra-2": CardWords("Two more", "Place up to 2 more from your court, in any regions or the castillo."),
    "own-from-one-or-extra-2": CardWords(
        "Move out or two more", "Move your own out of one region, or place up to 2 more anywhere."
    ),
    "veto": CardWords("Veto", "Keep this card: stop one special action, this round or the next."),
    "all-courts-home": CardWords("Empty courts", "Everybody else sends the whole court home."),
    "three-courts-home": CardWords("Three from each court", "Everybody else sends 3 from the court home."),
    "one-each-home": CardWords("One of each", "Send home one caballero of each other player, from any region."),
    "king-is-angry": CardWords("The King is angry", "Everybody else in turn sends 3 home, from regions or the court."),
    "secret-all-home": CardWords(
        "Secret retreat", "Everybody else dials a region and sends all of their own there home."
    ),
    "secret-two-home": CardWords("Secret leave", "Everybody else dials a region and sends 2 of their own there home."),
    "score-one": CardWords("Score one", "Choose a region: it is scored."),
    "score-4s": CardWords("Score the fours", "All regions worth 4 now are scored."),
    "score-5s": CardWords("Score the fives", "All regions worth 5 now are scored."),
    "score-6s-7s": CardWords("Score sixes and sevens", "All regions worth 6 or 7 now are scored."),
    "score-castillo": CardWords("Score the castillo", "The castillo is scored; what is in it stays."),
    "score-firsts": CardWords(
        "Score the firsts", "All regions are scored, for the first place only; ties get nothing."
    ),
    "score-most": CardWords("Score the fullest", "The region with the most caballeros is scored; all, if they tie."),
    "score-fewest": CardWords("Score the emptiest", "The region with the fewest caballeros, but not none, is scored."),
    "score-one-3": CardWords("Score one", "Choose a region: it is scored."),
    "tile": CardWords("Score tile", "Lay one of the two score tiles, or move it."),
    "power-back": CardWords("Power card back", "Take one of your played power cards back into your hand."),
    "court-2": CardWords("Two to the court", "Bring up to 2 more caballeros to your court."),
    "grande": CardWords("Move the Grande", "Move your Grande to another region."),
    "secret-score": CardWords("Secret scoring", "Everybody dials a region; those dialled only once are scored."),
    "expel": CardWords("Out of here", "Choose a region: everybody else leaves it for a region they dial."),
    "advisor": CardWords("Royal advisor", "Move the King to a neighbouring region."),
    "king": CardWords("The King", "Move the King to any other region."),
}

# What a move says, by verb. {place}, {origin}, {colour}, {number} and {card} are the move's own words.
_MOVE_WORDS: Final = {
    "home": "{colour} is at home in {place}",
    "start": "{colour} plays the first power card",
    "reveal": "stack {number} shows {card}",
    "power": "{seat} plays power card {number}",
    "recruit": "{seat} brings {number} to the court",
    "recall": "{seat} brings one home from {place}",
    "card": "{seat} takes the card of stack {number}",
    "place": "{seat} places one in {place}",
    "special": "{seat} begins the special action",
    "end": "{seat} ends the turn",
    "done": "{seat} leaves it at that",
    "move": "{seat} moves {colour} from {origin} to {place}",
    "extra": "{seat} places one more in {place}",
    "remove": "{seat} sends home one of {colour} from {place}",
    "return": "{seat} sends one home from {place}",
    "dial": "{seat} dials {place}",
    "score": "{seat} has {place} scored",
    "tile": "{seat} lays the tile {number} in {place}",
    "retake": "{seat} takes the power card {number} back",
    "grande": "{seat} moves the Grande to {place}",
    "expel": "{seat} clears {place}",
    "king": "{seat} moves the King to {place}",
    "veto": "{seat} says no",
    "allow": "{seat} allows it",
}
_KING_STARTS: Final = "the King starts in {place}"
_ALLOW_ALL: Final = "{seat} allows all of it"
_MASKED: Final = {
    "dial": "{seat} sets the dial",
    "retake": "{seat} takes a power card back",
}


def move_words(move: Move | str) -> Message:
    """What a move means; a masked line of a view's log too.

    >>> str(say(move_words("green move red aragon castillo")))
    'green moves red from Aragón to the castillo'
    >>> str(say(move_words("blue dial ?")))
    'blue sets the dial'
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
    places = [word for word in move.args if word in PLACE_NAMES]
    fields: dict[str, Field] = {
        "seat": move.seat,
        "colour": move.colour,
        "number": move.number,
        "place": places[-1] if places else "",
        "origin": places[0] if places else "",
        "card": move.args[-1] if move.verb == "reveal" else "",
    }
    return Message.using(text, fields)


_PLACE_FIELDS: Final = ("place", "origin", "king", "region")


def say(message: Message) -> Message:
    """The message with the names that people use for places and cards."""
    fields = dict(message.fields)
    for name, value in fields.items():
        if name in _PLACE_FIELDS:
            fields[name] = PLACE_NAMES.get(str(value), value)
        elif name == "card" and value in CARD_WORDS:
            fields[name] = f"«{CARD_WORDS[str(value)].title}»"
    return Message(message.text, fields)

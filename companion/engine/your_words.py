"""Moves in the words for the player who makes them: what a choice does, and what was just done."""

from __future__ import annotations

from typing import Final

from .messages import Field, Message, phrase
from .moves import Move
from .regions import NOWHERE, PLACES, RECRUITS

# What a choice does, by verb.
_CHOICES: Final = {
    "recruit": phrase("Bring {number} to your court"),
    "recall": phrase("Bring one home from {place}"),
    "card": phrase("Take {card}"),
    "place": phrase("Place one in {place}"),
    "special": phrase("Use {card}"),
    "end": phrase("End your turn"),
    "done": phrase("Done"),
    "move": phrase("Move one of {colour}'s from {origin} to {place}"),
    "extra": phrase("Place one more in {place}"),
    "remove": phrase("Send home one of {colour}'s from {place}"),
    "return": phrase("Send one home from {place}"),
    "dial": phrase("Set your dial to {place}"),
    "score": phrase("Score {place}"),
    "tile": phrase("Lay tile {number} in {place}"),
    "retake": phrase("Take back power card {number}"),
    "grande": phrase("Move your Grande to {place}"),
    "expel": phrase("Clear {place}"),
    "king": phrase("Move the King to {place}"),
    "veto": phrase("Veto it"),
    "allow": phrase("Allow"),
}
_USE_INSTEAD: Final = phrase("Use {card} (this ends placing)")
_MOVE_OWN: Final = phrase("Move one of yours from {origin} to {place}")
_ALLOW_ALL: Final = phrase("Allow the whole action")
_POWER: Final = {
    0: phrase("Play {number} (no caballeros)"),
    1: phrase("Play {number} (1 caballero)"),
}
_POWER_MORE: Final = phrase("Play {number} ({recruits} caballeros)")

# What was done, by verb. A dial is never taken back, so there are no words for it.
_DONE: Final = {
    "power": phrase("you played power card {number}"),
    "recruit": phrase("you brought {number} to your court"),
    "recall": phrase("you brought one home from {place}"),
    "card": phrase("you took {card}"),
    "place": phrase("you placed one in {place}"),
    "special": phrase("you used {card}"),
    "end": phrase("you ended your turn"),
    "done": phrase("you stopped there"),
    "move": phrase("you moved one of {colour}'s from {origin} to {place}"),
    "extra": phrase("you placed one more in {place}"),
    "remove": phrase("you sent home one of {colour}'s from {place}"),
    "return": phrase("you sent one home from {place}"),
    "score": phrase("you scored {place}"),
    "tile": phrase("you laid tile {number} in {place}"),
    "retake": phrase("you took back power card {number}"),
    "grande": phrase("you moved your Grande to {place}"),
    "expel": phrase("you cleared {place}"),
    "king": phrase("you moved the King to {place}"),
    "veto": phrase("you vetoed it"),
    "allow": phrase("you allowed it"),
}
_MOVED_OWN: Final = phrase("you moved one of yours from {origin} to {place}")


def choice_words(move: Move, card: str = "", ends_placing: bool = False) -> Message:
    """Says what a move does, to the player who may choose it.

    >>> str(choice_words(Move.parse("red place granada"))), str(choice_words(Move.parse("red power 7")))
    ('Place one in granada', 'Play 7 (3 caballeros)')
    >>> str(choice_words(Move.parse("red special"), "king", ends_placing=True))
    'Use king (this ends placing)'

    :param card: the action card that the move takes or uses.
    :param ends_placing: whether the player could then no longer place.
    """
    text = _CHOICES.get(move.verb, "")
    if move.verb == "power":
        text = _POWER.get(RECRUITS[move.number], _POWER_MORE)
    elif move.verb == "move" and move.colour == move.seat:
        text = _MOVE_OWN
    elif move.verb == "special" and ends_placing:
        text = _USE_INSTEAD
    elif move.args == ("all",):
        text = _ALLOW_ALL
    return Message.using(text, _fields(move, card))


def done_words(move: Move, card: str = "") -> Message:
    """Says what a move did, to the player who made it.

    >>> str(done_words(Move.parse("red place granada"))), str(done_words(Move.parse("red card 4"), "expel"))
    ('you placed one in granada', 'you took expel')

    :param card: the action card that the move took or used.
    """
    text = _MOVED_OWN if move.verb == "move" and move.colour == move.seat else _DONE[move.verb]
    return Message.using(text, _fields(move, card))


def _fields(move: Move, card: str) -> dict[str, Field]:
    return {
        "colour": move.colour,
        "number": move.number,
        "recruits": RECRUITS[move.number] if move.verb == "power" else 0,
        "place": "court" if move.args == ("court",) else "" if move.place == NOWHERE else PLACES[move.place],
        "origin": "" if move.origin == NOWHERE else PLACES[move.origin],
        "card": card,
    }

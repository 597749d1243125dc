"""Explains why a move is not legal, in words a player can act on.

The list of legal moves decides; this module only finds the words for a move that is not on it. The first table of
functions explains a verb that is not possible now, the second a wrong choice of place, card or number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .cards import CARDS
from .messages import Field, Message, Several, phrase
from .moves import Move
from .regions import NOWHERE, RECRUITS, TABLE, TOWER
from .state import State

_KING_STANDS: Final = phrase("nothing enters or leaves {place}: the King stands there")


def why_not(s: State, move: Move) -> Message:
    """Returns the reason why a move is not legal now."""
    legal = s.legal()
    actors = [s.setup.name(seat) for seat in s.phase.seats(s)]
    if not actors:
        return _say(s, move, "the game is over")
    if move.seat != TABLE and move.seat not in s.setup.index:
        return _say(s, move, "{seat} is not in this game; the players are {seats}", seats=Several(s.setup.seats))
    if move.colour and move.colour not in s.setup.index:
        return _say(s, move, "{colour} is not in this game; the players are {seats}", seats=Several(s.setup.seats))
    if move.seat not in actors:
        if move.verb == "dial" and s.dialling:
            if s.dials[s.setup.index.get(move.seat, -1)] != NOWHERE:
                return _say(s, move, "{seat} has already set the dial, and cannot change it")
            return _say(s, move, "{seat} does not dial now")
        return _say(s, move, "it is not {seat}'s turn: {actors} must act", actors=Several(actors))
    verbs = dict.fromkeys(option.verb for option in legal if option.seat == move.seat)
    if move.verb not in verbs:
        closed = _CLOSED.get(move.verb)
        reason = closed(s, move) if closed else None
        return reason or _say(
            s, move, "'{verb}' is not possible now; {seat} can choose from {verbs}", verbs=Several(verbs)
        )
    return _CHOICES[move.verb](s, move)


def _say(s: State, move: Move, text: str, **fields: Field) -> Message:
    """Makes a message with the fields that most reasons need."""
    known: dict[str, Field] = {
        "seat": move.seat,
        "verb": move.verb,
        "colour": move.colour,
        "number": move.number,
        "place": s.setup.place(move.place),
        "origin": s.setup.place(move.origin),
        "king": s.setup.place(s.king),
        "card": s.card or "",
        **fields,
    }
    return Message.using(text, known)


# --- A verb that is not possible now --------------------------------------------------------------------------------


def _place_closed(s: State, move: Move) -> Message | None:
    if s.phase.kind != "act":
        return None
    if s.placing_closed:
        return _say(s, move, "{seat} cannot place any more: placing ended when the special action began")
    if not s.to_place:
        return _say(s, move, "{seat} has placed as many as {card} allows ({most})", most=CARDS[str(s.card)].stack)
    return _say(s, move, "{seat} has no caballeros in the court to place")


def _special_closed(s: State, move: Move) -> Message | None:
    if s.phase.kind == "act":
        return _say(s, move, "{seat} has used the special action of {card} already")
    if s.special:
        return _say(s, move, "{seat}'s special action is under way")
    return None


def _done_closed(s: State, move: Move) -> Message | None:
    if s.phase.kind == "step":
        return _say(s, move, "{seat} cannot stop here: {card} is carried out as far as possible")
    return None


def _end_closed(s: State, move: Move) -> Message | None:
    if s.phase.kind == "step":
        return _say(s, move, "{seat} must finish the special action of {card} first")
    return None


_CLOSED: Final[dict[str, Callable[[State, Move], Message | None]]] = {
    "place": _place_closed,
    "special": _special_closed,
    "done": _done_closed,
    "end": _end_closed,
}


# --- A wrong choice -------------------------------------------------------------------------------------------------


def _king(s: State, move: Move) -> Message:
    if move.place == s.king:
        return _say(s, move, "the King stands in {king} already")
    return _say(s, move, "the King moves only to a neighbour: {place} does not border {king}")


def _home(s: State, move: Move) -> Message:
    seat = s.setup.seats[s.grandes.index(NOWHERE)]
    if move.colour != seat:
        return _say(s, move, "homes are dealt in the order of the seats: next is {next}", next=seat)
    if move.place == s.king:
        return _say(s, move, "{place} cannot be {colour}'s home: the King stands there")
    other = s.setup.seats[s.grandes.index(move.place)]
    return _say(s, move, "{place} cannot be {colour}'s home: {other} is at home there", other=other)


def _reveal(s: State, move: Move) -> Message:
    stack = s.open.index(None) + 1
    if move.number != stack:
        return _say(s, move, "the stacks are turned up in order: next is stack {stack}", stack=stack)
    return _say(s, move, "{card} has been turned up already in this game", card=move.args[1])


def _power(s: State, move: Move) -> Message:
    if move.number in s.played:
        other = s.setup.seats[s.played.index(move.number)]
        return _say(s, move, "{seat} may not play {number}: {other} has played it this round", other=other)
    return _say(s, move, "{seat} no longer has power card {number}")


def _recruit(s: State, move: Move) -> Message:
    actor = s.actor
    most = s.left if s.special else RECRUITS[s.played[actor]]
    if move.number > most:
        return _say(s, move, "{seat} may bring {most} at most, not {number}", most=most)
    if move.number > s.province[actor]:
        return _say(s, move, "{seat} has only {held} in the province", held=s.province[actor])
    return _say(s, move, "{seat} must bring {most}", most=min(most, s.province[actor]))


def _own_caballeros(s: State, move: Move) -> Message:
    """Explains a move that takes one of the seat's own caballeros out of a region or the court."""
    if move.place == s.king:
        return _say(s, move, _KING_STANDS)
    if move.place == NOWHERE:
        return _say(s, move, "{seat} has no caballeros in the court")
    return _say(s, move, "{seat} has no caballeros in {place}")


def _card(s: State, move: Move) -> Message:
    return _say(s, move, "the card of stack {number} is taken")


def _place(s: State, move: Move) -> Message:
    if move.place == s.king:
        return _say(s, move, "{seat} may not place in {place}: the King stands there")
    return _say(s, move, "{seat} may not place in {place}: it does not border the King's region ({king})")


def _taboo_place(s: State, move: Move) -> Message:
    """Explains a move that can only fail because of the King."""
    return _say(s, move, _KING_STANDS)


def _move(s: State, move: Move) -> Message:
    if move.origin == s.king:
        return _say(s, move, "nothing enters or leaves {origin}: the King stands there")
    if move.place == s.king:
        return _say(s, move, _KING_STANDS)
    if move.colour == move.seat and not s.own_left:
        return _say(s, move, "{seat} may not move more of their own caballeros with {card}")
    if move.colour != move.seat and not s.others_left:
        return _say(s, move, "{seat} may not move more of the others' caballeros with {card}")
    if s.region not in (NOWHERE, move.origin):
        region = s.setup.place(s.region)
        return _say(s, move, "{seat} must take all from one region, and has begun in {region}", region=region)
    return _say(s, move, "{colour} has no caballeros in {origin}")


def _remove(s: State, move: Move) -> Message:
    if move.colour == move.seat:
        return _say(s, move, "{card} is for the other players' caballeros: {seat}'s own stay")
    if s.setup.index[move.colour] not in s.todo:
        return _say(s, move, "one caballero of {colour} has been sent home already")
    if move.place == s.king:
        return _say(s, move, _KING_STANDS)
    return _say(s, move, "{colour} has no caballeros in {place}")


def _dial(s: State, move: Move) -> Message:
    if s.card == "expel":
        return _say(s, move, "{seat} must leave {place}, and so dial another region")
    if s.card is None:
        return _say(s, move, "the King stands in {place}: by the house rule strict-dial it cannot be dialled")
    if move.place == s.king:
        return _say(s, move, _KING_STANDS)
    if s.board[move.place][s.setup.index[move.seat]]:
        return _say(s, move, "{seat} must dial a region with at least 2 of their own caballeros")
    return _say(s, move, "{seat} has no caballeros in {place}")


def _score(s: State, move: Move) -> Message:
    if move.place == TOWER:
        return _say(s, move, "{card} does not score the castillo")
    return _say(s, move, "{card} does not score {place} now")


def _tile(s: State, move: Move) -> Message:
    lies = s.tiles[0 if move.number == 8 else 1]
    if lies == s.king or move.place == s.king:
        return _say(s, move, "nothing enters or leaves {king}: the King stands there")
    return _say(s, move, "there is a tile in {place} already")


def _retake(s: State, move: Move) -> Message:
    return _say(s, move, "{seat} has not played power card {number}, or already has it back")


def _grande(s: State, move: Move) -> Message:
    if move.place == s.king:
        return _say(s, move, _KING_STANDS)
    return _say(s, move, "{seat}'s Grande stands in {place} already")


_CHOICES: Final[dict[str, Callable[[State, Move], Message]]] = {
    "home": _home,
    "reveal": _reveal,
    "power": _power,
    "recruit": _recruit,
    "recall": _own_caballeros,
    "card": _card,
    "place": _place,
    "move": _move,
    "extra": _taboo_place,
    "remove": _remove,
    "return": _own_caballeros,
    "dial": _dial,
    "score": _score,
    "tile": _tile,
    "retake": _retake,
    "grande": _grande,
    "expel": _taboo_place,
    "king": _king,
}

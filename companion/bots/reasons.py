"""Why a bot plays a turn as it does: a clause for people that never gives away a secret.

A reason is computed from what everybody may know, and from nothing else: the bot's own view with its secrets dealt
again at random. So it cannot tell more than the moves themselves.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from companion.bots.planning import Planner
from companion.engine import PLACES, Game, Message, Move, determinise, phrase
from companion.engine.messages import Field
from companion.engine.regions import TOWER
from companion.engine.scoring import payout
from companion.engine.state import State
from companion.engine.views import View, public_log

# Nothing is said about these: a dial, a card taken back, a veto that may or may not come.
SILENT: Final = ("dial", "retake", "veto", "allow", "recruit")
_EARLY: Final = 10
"""A power card from this number on is played to choose early."""

_CARD_AIMS: Final = {
    "veto": phrase("to be able to stop a special action"),
    "power-back": phrase("to get a power card back"),
    "court-2": phrase("to have more caballeros to place"),
}


def because(view: View, move: Move) -> Message | None:
    """Returns what a move is meant to lead to, such as "to win Granada".

    Returns `None` when nothing can or may be said.
    """
    if move.verb in SILENT:
        return None
    game = determinise({**view, "log": public_log(view)}, Random(0))
    if move.verb == "power":
        return _power_aim(game.state, move)
    if move not in game.legal_moves(move.seat):
        return None
    return _turn_aim(game, move)


def _power_aim(s: State, move: Move) -> Message:
    ahead = all(played < move.number for played in s.played)
    if ahead and move.number >= _EARLY:
        return Message("to choose early", {})
    if ahead:
        return Message("hoping to choose early", {})
    return Message("for the caballeros", {})


def _turn_aim(game: Game, move: Move) -> Message | None:
    """Returns the aim of the turn that a move belongs to, from its beginning to its end: planned, or as it was played.

    With `end`, the turn has been played: then its aim is what it has really led to.
    """
    begun = _turn_begun(game)
    if begun is None:
        return None
    ended = _turn_ended(game, move)
    before, after = begun.state, ended.state
    turn = ended.moves[len(begun.moves) :]
    seat = before.setup.index[move.seat]
    points = after.scores[seat] - before.scores[seat]
    if points == 1:
        return Message("to score {number} point at once", {"number": points})
    if points > 0:
        return Message("to score {number} points at once", {"number": points})
    # What others chose by themselves was not the seat's aim.
    theirs = {step.place for step in turn if step.seat != move.seat and step.verb in ("dial", "return")}
    gains = [gain for gain in _gains(before, after, seat) if gain.place not in theirs]
    if gains:
        return _gain_words(before, after, seat, min(gains, key=lambda gain: (-gain.worth, gain.place)))
    carried_out = after.special_used and all(step.verb != "veto" for step in turn)
    text = _CARD_AIMS.get(str(after.card)) if carried_out else None
    return None if text is None else Message(text, {})


def _turn_begun(game: Game) -> Game | None:
    """Returns the game when the turn under way began, with its `recruit`; `None` outside a turn."""
    before = game.copy()
    while before.moves:
        undone = before.undo()
        if undone.verb == "recruit" and before.state.phase.kind == "recruit":
            return before
        if undone.verb in ("end", "power"):
            return None
    return None


def _turn_ended(game: Game, move: Move) -> Game:
    """Returns the game when the seat has played a move and the rest of its turn as planned, except for its `end`."""
    after, planner = game.copy(), Planner()
    if move.verb == "end":
        return after
    after.play(move)
    planner.finish_special(after)
    if after.state.phase.kind == "act":
        return planner.turn(after, move.seat).game
    if after.state.phase.kind == "card":
        turns = planner.turns(after, move.seat, after.legal_moves())
        return max(turns, key=lambda turn: turn.gain).game
    return after


class _Gain(NamedTuple):
    place: int
    worth: float
    own: int
    """How many points more the place would pay the seat if it were scored."""
    rival: int
    """The seat that the place would pay less, or -1."""


def _gains(before: State, after: State, seat: int) -> list[_Gain]:
    """Returns where a turn does a seat good, by what each region would pay before and after."""
    gains = []
    for place in range(TOWER):
        paid, pays = payout(before, place), payout(after, place)
        own = pays.paid_to(seat) - paid.paid_to(seat)
        losses = [
            (paid.paid_to(other) - pays.paid_to(other), other) for other in range(before.setup.count) if other != seat
        ]
        lost, rival = max(losses)
        if own > 0 or (own == 0 and lost > 0):
            gains.append(_Gain(place, own + lost / 2, own, rival if lost > 0 else -1))
    thrown = after.board[TOWER][seat] - before.board[TOWER][seat]
    if thrown > 0:
        gains.append(_Gain(TOWER, thrown / 2, 0, -1))
    return gains


def _gain_words(before: State, after: State, seat: int, gain: _Gain) -> Message:
    fields: dict[str, Field] = {"place": PLACES[gain.place]}
    if gain.place == TOWER:
        return Message("to have caballeros in {place}", fields)
    if gain.own <= 0:
        return Message("to weaken {other} in {place}", {**fields, "other": before.setup.name(gain.rival)})
    now = payout(after, gain.place)
    if now.leader != seat:
        return Message("for a share of {place}", fields)
    if payout(before, gain.place).leader == seat:
        return Message("to make {place} worth more", fields)
    if after.king == gain.place:
        return Message("to win {place} with the King", fields)
    return Message("to win {place}", fields)

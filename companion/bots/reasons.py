"""Why a bot makes a move, in one line for the table screen that never gives away a secret."""

from __future__ import annotations

from typing import Final

from companion.bots.planning import Planner
from companion.engine import CARDS, Game, Message, Move, phrase
from companion.engine.regions import NOWHERE, TOWER

# Nothing is said about these: a dial, a card taken back, a veto that may or may not come.
_SILENT: Final = ("dial", "retake", "veto", "allow", "end", "done", "recruit")

_CARD_REASONS: Final = {
    "king": phrase("{seat} takes the King card to say where the King stands"),
    "veto": phrase("{seat} takes the veto card, to be able to say no"),
    "advisor": phrase("{seat} takes {card} to move the King a little"),
    "power-back": phrase("{seat} takes {card} to have a power card again"),
    "grande": phrase("{seat} takes {card} to move its home"),
}
_STACK_REASONS: Final = {
    1: phrase("{seat} takes {card} to stir the board"),
    2: phrase("{seat} takes {card} to hold the others back"),
    3: phrase("{seat} takes {card} for the points in it now"),
    4: phrase("{seat} takes {card}, and four caballeros to place"),
}


def because(game: Game, move: Move) -> Message | None:
    """Returns the reason for a move about to be played, or `None` when nothing can or may be said."""
    if move.verb in _SILENT:
        return None
    text = _reason(game, move)
    if text is None:
        return None
    s = game.state
    fields: dict[str, str | int] = {
        "seat": move.seat,
        "place": s.setup.place(_kings_goal(game, move) if move.verb == "card" else move.place),
        "origin": s.setup.place(move.origin),
        "colour": move.colour,
        "number": move.number,
        "card": _card(game, move),
        "king": s.setup.place(s.king),
    }
    return Message.using(text, fields)


def _card(game: Game, move: Move) -> str:
    s = game.state
    return str(s.open[move.number - 1]) if move.verb == "card" else s.card or ""


def _reason(game: Game, move: Move) -> str | None:
    s = game.state
    seat = s.setup.index[move.seat]
    match move.verb:
        case "power":
            ahead = all(played < move.number for played in s.played)
            if ahead and move.number >= 10:
                return phrase("{seat} plays {number} to choose early")
            return (
                phrase("{seat} plays {number}, which may be enough")
                if ahead
                else phrase("{seat} plays {number} for the caballeros")
            )
        case "card":
            card = _card(game, move)
            if _kings_goal(game, move) != NOWHERE:
                return phrase("{seat} takes {card} to close {place}")
            if card.startswith("score"):
                return _STACK_REASONS[3]
            return _CARD_REASONS.get(card) or _STACK_REASONS[CARDS[card].stack]
        case "recall":
            return phrase("{seat} brings one home from {place}: it is needed elsewhere")
        case "place" | "extra":
            return _arriving(s.board[move.place], seat, move.place)
        case "move":
            if s.setup.index[move.colour] == seat:
                return _arriving(s.board[move.place], seat, move.place)
            return phrase("{seat} moves {colour} out of {origin}")
        case "remove":
            return phrase("{seat} weakens {colour} in {place}")
        case "return":
            return None
        case "special":
            return phrase("{seat} uses {card}")
        case "score":
            return phrase("{seat} has {place} scored while it is worth it")
        case "tile":
            leads = move.place != TOWER and _leads(s.board[move.place], seat)
            return (
                phrase("{seat} makes {place} worth more")
                if leads and move.number == 8
                else phrase("{seat} changes what {place} pays")
            )
        case "grande":
            return phrase("{seat} makes {place} its home")
        case "expel":
            return phrase("{seat} clears {place} of the others")
        case "king":
            if _leads(s.board[move.place], seat):
                return phrase("{seat} moves the King to close {place}")
            return phrase("{seat} moves the King away from {king}")
    return None


def _kings_goal(game: Game, move: Move) -> int:
    """Returns where the King would go in the turn planned with a card; `NOWHERE` unless the seat would lead there."""
    if _card(game, move) not in ("king", "advisor"):
        return NOWHERE
    (turn,) = Planner().turns(game, move.seat, [move])
    goals = [step.place for step in turn.game.moves[len(game.moves) :] if step.verb == "king"]
    seat = game.state.setup.index[move.seat]
    return goals[0] if goals and _leads(turn.game.state.board[goals[0]], seat) else NOWHERE


def _leads(counts: tuple[int, ...], seat: int) -> bool:
    """Returns whether a seat has more than every other seat."""
    return counts[seat] > max(number for other, number in enumerate(counts) if other != seat)


def _arriving(counts: tuple[int, ...], seat: int, place: int) -> str:
    """Returns the reason for bringing one more caballero to a place."""
    if place == TOWER:
        return phrase("{seat} throws one into the castillo for later")
    others = max(number for other, number in enumerate(counts) if other != seat)
    own = counts[seat] + 1
    if own == 1:
        return phrase("{seat} goes into {place}") if others else phrase("{seat} takes {place} while it is empty")
    if own == others + 1:
        return phrase("{seat} takes the lead in {place}")
    if own > others:
        return phrase("{seat} makes sure of {place}")
    return phrase("{seat} draws level in {place}") if own == others else phrase("{seat} catches up in {place}")

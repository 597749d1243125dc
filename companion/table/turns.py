"""Who is asked, and whose gestures on the board count: pure, from the game and what was agreed."""

from __future__ import annotations

from companion.engine import TABLE, Game
from companion.table.motions import Motion, motions_of
from companion.table.options import PERSON, Options

SECRET = ("dial", "retake")
"""Moves that nobody else is told about in words."""


def persons(game: Game, options: Options) -> list[str]:
    """The seats that people hold."""
    return [seat for seat in game.seats if options.player(seat) == PERSON]


def vetoing(game: Game) -> bool:
    """Whether a step waits for somebody who may object."""
    return any(question.kind == "veto" for question in game.questions)


def dialling(game: Game) -> bool:
    """Whether dials are being set."""
    return any(move.verb == "dial" for move in game.legal_moves())


def secret(game: Game, seat: str) -> bool:
    """Whether what a seat is asked is nobody else's business."""
    return any(move.verb in SECRET for move in game.legal_moves(seat))


def at_turn(game: Game, options: Options) -> str | None:
    """The seat whose gestures on the board count: none while dials are set, a veto is asked for, or a bot plays."""
    if vetoing(game) or dialling(game) or len(game.to_act) != 1:
        return None
    (seat,) = game.to_act
    if seat == TABLE:
        return seat if options.real_cards else None
    return seat if options.player(seat) == PERSON else None


def motions(game: Game, options: Options) -> list[Motion]:
    """The moves that can be shown on the board now."""
    seat = at_turn(game, options)
    return [] if seat is None else motions_of(game.legal_moves(seat), game.snapshot())


def allowed(game: Game) -> Game:
    """The game as it will be if nobody objects; the game itself if nobody is asked."""
    if not vetoing(game):
        return game
    game = game.copy()
    while vetoing(game):
        game.play(f"{game.to_act[0]} allow all")
    return game

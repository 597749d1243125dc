"""Whose turn it is, and whose gestures on the board count, as pure functions of the game and its options."""

from __future__ import annotations

from companion.engine import TABLE, Game
from companion.table.motions import Motion, motions_of
from companion.table.options import PERSON, Options


def persons(game: Game, options: Options) -> list[str]:
    """Returns the seats that people play."""
    return [seat for seat in game.seats if options.player(seat) == PERSON]


def vetoing(game: Game) -> bool:
    """Returns whether a step waits for somebody who may object."""
    return any(question.kind == "veto" for question in game.questions)


def active_seat(game: Game, options: Options) -> str | None:
    """Returns the seat whose gestures on the board count.

    Returns `None` while dials are being set, somebody is asked about a veto, the table deals, or a bot plays.
    """
    if vetoing(game) or game.dialling or len(game.to_act) != 1:
        return None
    (seat,) = game.to_act
    if seat == TABLE:
        return seat if options.real_cards else None
    return seat if options.player(seat) == PERSON else None


def motions(game: Game, options: Options) -> list[Motion]:
    """Returns the moves that can be shown on the board now."""
    seat = active_seat(game, options)
    return [] if seat is None else motions_of(game.legal_moves(seat), game.snapshot())


def begun(game: Game, options: Options) -> Game | None:
    """Returns the game as it will be when the active seat has begun its special action and nobody has objected.

    Returns `None` when that seat cannot begin one, or has no step to take in it.
    """
    seat = active_seat(game, options)
    special = next((move for move in game.legal_moves(seat) if move.verb == "special"), None) if seat else None
    if special is None:
        return None
    after = game.copy()
    after.play(special)
    after = allowed(after)
    return after if after.to_act == (seat,) and after.questions[0].kind == "step" else None


def special_motions(game: Game, options: Options) -> list[Motion]:
    """Returns the motions of pieces that would begin the special action: nothing else can be meant by them.

    A region to score or to clear is left out: there is no piece that says so, and a wrong press must not do it.
    """
    after = begun(game, options)
    return [] if after is None else [motion for motion in motions(after, options) if motion.piece is not None]


def allowed(game: Game) -> Game:
    """Returns the game as it will be if nobody objects, or the game itself when nobody is asked."""
    if not vetoing(game):
        return game
    game = game.copy()
    while vetoing(game):
        game.play(f"{game.to_act[0]} allow all")
    return game

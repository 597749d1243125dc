"""Moments made from a game alone, without a table."""

from __future__ import annotations

from companion.engine import Game
from companion.table.moment import Moment, Prompt, PublicMoment, SeatMoment
from companion.table.options import Options
from hardware.ports import DARK


def moment_of(game: Game, options: Options | None = None) -> Moment:
    """Returns the moment of a game in which nobody is asked anything."""
    numbers = tuple(range(1, len(game.moves) + 1))
    public = PublicMoment(
        game.view(None),
        numbers,
        options or Options(),
        payouts=game.payouts(),
        scorings_shown=len(game.scorings),
        waiting_for=game.to_act,
    )
    seats = {seat: SeatMoment(game.view(seat), Prompt(seat)) for seat in game.seats}
    return Moment(1, len(game.moves), public, seats, {}, DARK)

"""Turns in one sentence, as far as people have been shown what happened."""

from __future__ import annotations

from companion.bots.reasons import SILENT
from companion.engine import Message
from companion.engine.history import TurnHistory
from companion.engine.summary import summary
from companion.engine.views import ScoringView
from companion.table.moment import PublicMoment


def shown_scorings(public: PublicMoment) -> list[ScoringView]:
    """Returns the scorings that people have been shown; the others are not mentioned yet."""
    return public.view["scorings"][: public.scorings_shown]


def summary_of(public: PublicMoment, turn: TurnHistory) -> Message | None:
    """Returns a turn in one sentence, with the bot's reason.

    Returns `None` until it is over and everything in it has been shown, or when there is nothing to sum up.
    """
    shown = shown_scorings(public)
    unshown = public.view["scorings"][len(shown) :]
    if not turn.over or (unshown and turn.lines[-1].at + 1 >= unshown[0]["move"]):
        return None
    return summary(turn, shown, _reason(public, turn))


def _reason(public: PublicMoment, turn: TurnHistory) -> Message | None:
    """Returns the reason that a bot gave with its last decision in a turn; `None` when it gave none.

    What it said before that, or before a veto, was about a turn that went another way.
    """
    reason = None
    for line in turn.lines:
        number = public.numbers[line.at]
        if line.verb == "veto":
            reason = None
        elif line.seat == turn.seat and line.verb not in SILENT and number in public.reasons:
            reason = public.reasons[number]
    return reason

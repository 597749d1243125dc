"""What has happened in a game, in turns, as JSON-ready data: all of it for a page that opens, then the latest."""

from __future__ import annotations

from typing import Final

from companion.engine import CARDS
from companion.engine.history import TurnHistory, history
from companion.engine.views import ScoringView
from companion.table.hints import ASKED_FOR_HINT
from companion.table.moment import PublicMoment
from companion.table.turn_summaries import shown_scorings, summary_of
from companion.translations import Translator
from companion.translations.scorings import scored
from web_remote.page_types import PageHistory, PageHistoryTurn, PageStep

LATEST: Final = 3
"""How many turns come with every state. A page that has missed more asks for the whole history."""


def latest_history(public: PublicMoment, words: Translator) -> PageHistory:
    """Returns the latest turns."""
    turns = history(public.view)
    return _history(public, turns, max(0, len(turns) - LATEST), words)


def whole_history(public: PublicMoment, words: Translator) -> PageHistory:
    """Returns all turns from the set-up on."""
    return _history(public, history(public.view), 0, words)


def _history(public: PublicMoment, turns: list[TurnHistory], first: int, words: Translator) -> PageHistory:
    before = public.numbers[turns[first - 1].lines[-1].at] if first else 0
    by_move: dict[int, list[ScoringView]] = {}
    asides = _asides_by_move(public, words)
    for scoring in shown_scorings(public):
        by_move.setdefault(scoring["move"], []).append(scoring)
    return {
        "first": first,
        "before": before,
        "turns": [_turn(public, turn, by_move, asides, words) for turn in turns[first:]],
    }


def _turn(
    public: PublicMoment,
    turn: TurnHistory,
    by_move: dict[int, list[ScoringView]],
    asides: dict[int, list[PageStep]],
    words: Translator,
) -> PageHistoryTurn:
    steps: list[PageStep] = []
    for line in turn.lines:
        number = public.numbers[line.at]
        steps.append({"number": number, "line": line.line, "words": words.say(line.words)})
        steps += [
            {"number": number, "line": f"scored {scoring['place']}", "words": scored(scoring, words)}
            for scoring in by_move.get(line.at + 1, ())
        ]
        steps += asides.get(number, ())
    return {
        "round": turn.round,
        "kind": turn.kind.value,
        "seat": turn.seat,
        "card": turn.card,
        "title": words.card(turn.card).title if turn.card else None,
        "stack": CARDS[turn.card].stack if turn.card else None,
        "last": public.numbers[turn.lines[-1].at],
        "steps": steps,
        "summary": _summary(public, turn, words),
    }


def _asides_by_move(public: PublicMoment, words: Translator) -> dict[int, list[PageStep]]:
    """Returns hints and seats that changed hands, by the number of the journal entry of the last move before."""
    told = [(use.after, f"{use.seat} hint", words.in_words(ASKED_FOR_HINT, seat=use.seat)) for use in public.hints]
    told += [(each.after, f"{each.seat} handover", " ".join(map(words.say, each.words))) for each in public.handovers]
    asides: dict[int, list[PageStep]] = {}
    for after, line, said in sorted(told):
        last = max((number for number in public.numbers if number <= after), default=None)
        if last is not None:
            asides.setdefault(last, []).append({"number": last, "line": line, "words": said})
    return asides


def _summary(public: PublicMoment, turn: TurnHistory, words: Translator) -> str | None:
    sentence = summary_of(public, turn)
    return None if sentence is None else words.say(sentence)

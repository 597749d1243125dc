"""What a page shows, as JSON-ready data: a pure function of a moment, a viewer and a language.

Everything in it is public except `you`, which is sent to one seat only.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from companion.engine import CARDS, CASTILLO, TABLE, Message
from companion.engine.scoring import GENERAL
from companion.engine.views import Asked, ScoringView, View
from companion.table.moment import Choice, Moment, Prompt, PublicMoment
from companion.translations import Translator
from companion.translations.scorings import scored
from web_remote.page_types import (
    ChartPoint,
    PageCard,
    PageChart,
    PageChoice,
    PageDeal,
    PageQuestion,
    PageScoring,
    PageSeat,
    PageTurn,
    PageYou,
    SharedState,
)

LOG_LINES: Final = 60
SCORINGS: Final = 24
"""How many of the latest scorings a page is sent: more than any single event produces."""

SOURCES: Final = ("general", "castillo", "cards", "king", "grande")
"""Where points come from."""


def shared_state(number: int, moment: Moment, words: Translator) -> SharedState:
    """Returns what everybody may see."""
    public = moment.public
    view = public.view
    scorings = view["scorings"]
    state: SharedState = {
        "number": number,
        "version": moment.version,
        "language": words.language,
        "round": view["round"],
        "rounds": view["setup"]["rounds"],
        "king": view["king"],
        "tiles": view["tiles"],
        "seats": _seats(public, words),
        "open": {stack: _card(name, words) for stack, name in view["open"].items()},
        "turn": _turn(view, words),
        "waiting_for": list(public.waiting_for),
        "asked": [_question(asked, words) for asked in view["asked"] if asked["seat"] != TABLE],
        "touch": list(public.touch),
        "origin": public.origin,
        "guide": [words.say(step) for step in public.guide],
        "step": public.step,
        "notices": [words.say(notice) for notice in public.notices],
        "offers": _choices(public.offers, words),
        "log": _log(view, words)[-LOG_LINES:],
        "log_from": max(0, len(view["log"]) + len(scorings) - LOG_LINES),
        "scorings": [_scoring(scoring, words) for scoring in scorings[-SCORINGS:]],
        "scorings_from": max(0, len(scorings) - SCORINGS),
        "knocking": public.knocking,
        "seats_open": public.seats_open,
        "real_cards": public.options.real_cards,
        "deal": _deal(public.deal, words),
        "over": view["over"],
        "winners": view["winners"],
    }
    if view["over"]:
        state["chart"] = _chart(scorings, view["setup"]["seats"], view["log"])
    return state


def seat_state(moment: Moment, seat: str, words: Translator) -> PageYou:
    """Returns what only one seat may see: its hand, its dial, its question, and the seats its phone holds."""
    seen = moment.seen_by(seat)
    view, prompt = seen.view, seen.prompt
    return {
        "seat": seat,
        "seats": [each for each in view["seats"] if moment.holders.get(each, "") == moment.holders.get(seat)],
        "hand": view["seats"][seat]["hand"],
        "dial": view["turn"]["own_dial"],
        "refused_cards": _taken_power(view, seat),
        "prompt": {
            "asked": words.say(prompt.asked) if prompt.asked is not None else None,
            "kind": next((asked["kind"] for asked in view["asked"] if asked["seat"] == seat), None),
            "choices": _choices(prompt.choices, words),
            "places": _choices(prompt.places, words),
            "touch": list(prompt.touch),
            "origin": prompt.origin,
            "deadline_s": prompt.deadline_s,
            "refusal": words.say(prompt.refusal) if prompt.refusal is not None else None,
        },
    }


def _question(asked: Asked, words: Translator) -> PageQuestion:
    text, fields = asked["message"], asked["fields"]
    return {"seat": asked["seat"], "words": words.say(Message(text, fields))}


def _choices(choices: Iterable[Choice], words: Translator) -> list[PageChoice]:
    return [{"line": choice.line, "words": words.say(choice.words)} for choice in choices]


def _card(name: str, words: Translator) -> PageCard:
    card = words.card(name)
    return {"card": name, "title": card.title, "text": card.text}


def _deal(deal: Prompt | None, words: Translator) -> PageDeal | None:
    """Returns which real card to turn up and everything it can be, or `None` when there is nothing to turn up."""
    if deal is None or deal.asked is None:
        return None
    return {"asked": words.say(deal.asked), "choices": _choices(deal.choices, words)}


def _seats(public: PublicMoment, words: Translator) -> list[PageSeat]:
    view, options = public.view, public.options
    seats: list[PageSeat] = []
    for colour, data in view["seats"].items():
        seats.append(
            {
                "colour": colour,
                "name": words.seat(colour),
                "player": options.player(colour),
                "held": colour in public.held_seats,
                "score": data["score"],
                "court": data["court"],
                "province": data["province"],
                "castillo": data["castillo"],
                "grande": data["grande"],
                "regions": {place: count for place, count in data["regions"].items() if count},
                "cards": data["hand_count"],
                "played": data["played"],
                "power": view["turn"]["power"].get(colour),
                "vetoes": data["vetoes"],
                "dialled": colour in view["turn"]["dialled"],
            }
        )
    return seats


def _turn(view: View, words: Translator) -> PageTurn:
    turn = view["turn"]
    return {
        "actor": turn["actor"],
        "order": turn["order"],
        "start": turn["start"],
        "card": _card(turn["card"], words) if turn["card"] else None,
        "stack": CARDS[turn["card"]].stack if turn["card"] else None,
        "to_place": turn["to_place"],
        "special": turn["special"],
        "left": turn["left"],
        "step": words.move(turn["step"]["move"]) if turn["step"] else None,
    }


def _scoring(scoring: ScoringView, words: Translator) -> PageScoring:
    return {
        "move": scoring["move"],
        "place": scoring["place"],
        "name": words.place(scoring["place"]),
        "counts": {seat: count for seat, count in scoring["counts"].items() if count},
        "points": {seat: sum(parts.values()) for seat, parts in _gains(scoring).items()},
    }


def _gains(scoring: ScoringView) -> dict[str, dict[str, int]]:
    """Returns what each seat got for a place, by source; seats that got nothing are left out."""
    main = "castillo" if scoring["place"] == CASTILLO else "general" if scoring["occasion"] == GENERAL else "cards"
    gains: dict[str, dict[str, int]] = {}
    for seat, points in scoring["points"].items():
        parts = {main: points}
        if seat == scoring["leader"]:
            parts |= {"king": scoring["king_bonus"], "grande": scoring["grande_bonus"]}
        if any(parts.values()):
            gains[seat] = parts
    return gains


def _taken_power(view: View, seat: str) -> dict[str, str]:
    """Returns the power cards in a seat's hand that it may not play now, with who has played each this round."""
    if not any(asked["seat"] == seat and asked["kind"] == "power" for asked in view["asked"]):
        return {}
    hand = view["seats"][seat]["hand"] or []
    return {str(number): who for who, number in view["turn"]["power"].items() if number in hand}


def _log(view: View, words: Translator) -> list[str]:
    """Returns the latest moves in words, each with what it scored."""
    first, lines = max(0, len(view["log"]) - LOG_LINES), []
    by_move: dict[int, list[ScoringView]] = {}
    for scoring in view["scorings"]:
        by_move.setdefault(scoring["move"], []).append(scoring)
    for number, line in enumerate(view["log"][first:], first + 1):
        lines.append(words.move(line))
        lines += [scored(scoring, words) for scoring in by_move.get(number, ())]
    return lines


def _chart(scorings: list[ScoringView], seats: list[str], log: list[str]) -> PageChart:
    """Returns the points of every seat after each event, and where they came from."""
    totals = dict.fromkeys(seats, 0)
    sources = {seat: dict.fromkeys(SOURCES, 0) for seat in seats}
    points: list[ChartPoint] = []
    for scoring in scorings:
        for seat, parts in _gains(scoring).items():
            for source, part in parts.items():
                sources[seat][source] += part
                totals[seat] += part
        if not points or points[-1]["move"] != scoring["move"]:
            points.append({"move": scoring["move"], "totals": {}})
        points[-1]["totals"] = dict(totals)
    return {"points": points, "sources": sources, "rounds": _rounds(log)}


def _rounds(log: list[str]) -> list[int]:
    """Returns the moves at which rounds began: each begins with the turning up of cards."""
    reveals = [line.startswith(f"{TABLE} reveal ") for line in log]
    return [number for number, (before, now) in enumerate(pairwise([False, *reveals])) if now and not before]

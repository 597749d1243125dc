"""What a page shows, as JSON-ready data: a pure function of a moment, a viewer and a language.

Everything in it is public except `you`, which is sent to one seat only.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from companion.engine import CARDS, CASTILLO, TABLE, Message
from companion.engine.moves import COURT
from companion.engine.regions import PLACES, ROUNDS, SCORING_ROUNDS, TILE_VALUES, TILES, VALUES
from companion.engine.scoring import GENERAL
from companion.engine.views import Asked, ScoringView, View, in_castillo, last_dials
from companion.engine.words import move_words
from companion.table.fair_deal import Fairness
from companion.table.game_result import GameResult
from companion.table.moment import Choice, LessonWords, MixCall, Moment, Prompt, PublicMoment, Vote
from companion.translations import Translator
from companion.translations.scorings import gains_of, scored
from web_remote.page_history import latest_history
from web_remote.page_types import (
    ChartPoint,
    PageCard,
    PageChart,
    PageChoice,
    PageDeal,
    PageFairPlay,
    PageGain,
    PageLesson,
    PageQuestion,
    PageResult,
    PageScoring,
    PageScoringShow,
    PageSeat,
    PageTurn,
    PageVote,
    PageYou,
    SharedState,
)

SOURCES: Final = ("general", "castillo", "cards", "king", "grande")
"""Where points come from."""


def shared_state(number: int, moment: Moment, words: Translator) -> SharedState:
    """Returns what everybody may see."""
    public = moment.public
    view = public.view
    over = public.all_shown
    state: SharedState = {
        "number": number,
        "game": moment.game_id,
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
        "mentions": [words.say(line) for line in public.mentions],
        "offers": _choices(public.offers, words),
        "vote": _vote(public.vote, words),
        "history": latest_history(public, words),
        "scoring": _scoring_show(public, words),
        "payouts": {place: _scoring(payout, view, words) for place, payout in public.payouts.items()},
        "rounds_to_scoring": _rounds_to_scoring(view),
        "pace": public.options.pace,
        "knocking": public.knocking,
        "seats_open": public.seats_open,
        "real_cards": public.options.real_cards,
        "deal": _deal(public.deal, words),
        "fair_play": _fair_play(public.fairness, public.options.real_cards, over, public.mix_call),
        "over": over,
        "winners": view["winners"] if over else [],
    }
    if over:
        state["chart"] = _chart(view["scorings"], view["setup"]["seats"], view["log"])
    return state


def page_result(finished: GameResult, words: Translator) -> PageResult:
    """Returns the result of a game."""
    view = finished.view
    return {
        "game": finished.id,
        "seats": [
            {"colour": colour, "name": words.seat(colour), "score": data["score"]}
            for colour, data in view["seats"].items()
        ],
        "winners": view["winners"],
        "chart": _chart(view["scorings"], view["setup"]["seats"], view["log"]),
        "fair_play": _fair_play(finished.fairness, finished.options.real_cards, True),
    }


def seat_state(moment: Moment, seat: str, words: Translator) -> PageYou:
    """Returns what only one seat may see: its hand, its dial, its question, and the seats its phone holds.

    While a page shows a scoring it does not ask how the game goes on: what a thumb is about to touch would move away.
    """
    seen = moment.seen_by(seat)
    view, prompt = seen.view, Prompt(seat) if seen.after_scoring else seen.prompt
    asked = [] if seen.after_scoring else view["asked"]
    return {
        "seat": seat,
        "seats": [each for each in view["seats"] if moment.holders.get(each, "") == moment.holders.get(seat)],
        "hand": view["seats"][seat]["hand"],
        "castillo": in_castillo(view, seat),
        "dial": view["turn"]["own_dial"],
        "refused_cards": _taken_power(view, seat),
        "undo": _choices(seen.undo, words),
        "lesson": _lesson(seen.lesson, words),
        "taught": seen.taught,
        "may_ask": seen.may_ask,
        "hint": None if seen.hint is None else {"words": words.say(seen.hint.words), "place": seen.hint.place},
        "prompt": {
            "asked": words.say(prompt.asked) if prompt.asked is not None else None,
            "details": [words.say(detail) for detail in prompt.details],
            "kind": next((each["kind"] for each in asked if each["seat"] == seat), None),
            "choices": _choices(prompt.choices, words),
            "places": _choices(prompt.places, words),
            "touch": list(prompt.touch),
            "origin": prompt.origin,
            "deadline_s": prompt.deadline_s,
            "notice": words.say(prompt.notice) if prompt.notice is not None else None,
        },
    }


def _lesson(lesson: LessonWords | None, words: Translator) -> PageLesson | None:
    """Returns what a seat is taught now, or `None`."""
    if lesson is None:
        return None
    said = words.say(lesson.words)
    return {
        "name": lesson.name,
        "words": said[:1].upper() + said[1:],
        "points_at": lesson.points_at,
        "place": lesson.place,
        "choice": lesson.choice,
    }


def _question(asked: Asked, words: Translator) -> PageQuestion:
    text, fields = asked["message"], asked["fields"]
    return {"seat": asked["seat"], "words": words.say(Message(text, fields))}


def _choices(choices: Iterable[Choice], words: Translator) -> list[PageChoice]:
    return [{"line": choice.line, "words": words.say(choice.words)} for choice in choices]


def _vote(vote: Vote | None, words: Translator) -> PageVote | None:
    """Returns who wants to undo what, or `None` when nobody does."""
    return None if vote is None else {"words": words.say(vote.words), "moves": [*map(words.say, vote.moves)]}


def _card(name: str, words: Translator) -> PageCard:
    card = words.card(name)
    return {"card": name, "title": card.title, "text": card.text}


def _deal(deal: Prompt | None, words: Translator) -> PageDeal | None:
    """Returns which real card to turn up and everything it can be, or `None` when there is nothing to turn up."""
    if deal is None or deal.asked is None:
        return None
    return {"asked": words.say(deal.asked), "choices": _choices(deal.choices, words)}


def _fair_play(fairness: Fairness, real_cards: bool, over: bool, call: MixCall | None = None) -> PageFairPlay:
    """Returns how the cards are dealt; with the seed when the game is over and its last scoring has been shown."""
    numbers = fairness.mixes[-1].numbers if fairness.mixes else {}
    return {
        "dealt": "real cards" if real_cards else "fair" if fairness.secret else "not secret",
        "commitment": fairness.commitment,
        "numbers": dict(numbers),
        "seed": fairness.seed if over else "",
        "call": None if call is None else {"round": call.round, "step": call.step.value, "hashes": dict(call.hashes)},
    }


def _seats(public: PublicMoment, words: Translator) -> list[PageSeat]:
    view, options = public.view, public.options
    # What people have not been shown yet does not count yet.
    unshown = [_gains(scoring) for scoring in view["scorings"][public.scorings_shown :]]
    still_inside = _still_inside(public)
    seats: list[PageSeat] = []
    for colour, data in view["seats"].items():
        gone_to, number = still_inside.get(colour, ("", 0))
        seats.append(
            {
                "colour": colour,
                "name": words.seat(colour),
                "player": options.player(colour),
                "held": colour in public.held_seats,
                "score": data["score"] - sum(sum(gains.get(colour, {}).values()) for gains in unshown),
                "court": data["court"] - (number if gone_to == COURT else 0),
                "province": data["province"],
                "castillo": number if still_inside else data["castillo"],
                "grande": data["grande"],
                "regions": {
                    place: left
                    for place, count in data["regions"].items()
                    if (left := count - (number if gone_to == place else 0))
                },
                "cards": data["hand_count"],
                "played": data["played"],
                "power": view["turn"]["power"].get(colour),
                "vetoes": data["vetoes"],
                "dialled": colour in view["turn"]["dialled"],
            }
        )
    return seats


def _still_inside(public: PublicMoment) -> dict[str, tuple[str, int]]:
    """Returns the caballeros that a general scoring has moved out of the castillo, until people have been shown it.

    For each seat, where they have gone, and how many. Empty when everything is where it is shown.
    """
    view, shown = public.view, public.scorings_shown
    coming = view["scorings"][shown - 1 if public.scoring == CASTILLO else shown :]
    scored = next((each for each in coming if (each["place"], each["occasion"]) == (CASTILLO, GENERAL)), None)
    if scored is None:
        return {}
    dials = (line.split() for line in last_dials(view["log"][: scored["move"]]))
    return {seat: (COURT if place == view["king"] else place, scored["counts"][seat]) for seat, _, place in dials}


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
        "step": words.say(move_words(turn["step"]["move"], turn["card"])) if turn["step"] else None,
    }


def _scoring(scoring: ScoringView, view: View, words: Translator) -> PageScoring:
    place = scoring["place"]
    tile = next((tile for tile, lies in view["tiles"].items() if lies == place), None)
    return {
        "place": place,
        "values": list(VALUES[PLACES.index(place)] if tile is None else TILE_VALUES[TILES.index(tile)]),
        "counts": {seat: count for seat, count in scoring["counts"].items() if count},
        "gains": {seat: PageGain(**parts) for seat, parts in gains_of(scoring).items()},  # type: ignore[typeddict-item]
        "words": scored(scoring, words),
    }


def _scoring_show(public: PublicMoment, words: Translator) -> PageScoringShow | None:
    """Returns the scoring that is being shown, or `None`."""
    scorings, shown = public.view["scorings"], public.scorings_shown
    if not public.shows_scoring:
        return None
    current = scorings[shown - 1] if public.scoring or public.shows_totals else scorings[shown]
    rows = [scoring for scoring in scorings[:shown] if scoring["move"] == current["move"]]
    general = current["occasion"] == GENERAL
    return {
        "place": public.scoring,
        "card": None if general else _card(current["occasion"], words),
        "rows": [_scoring(row, public.view, words) for row in rows],
        "totals": public.shows_totals,
    }


def _rounds_to_scoring(view: View) -> int:
    """Returns how many rounds are left before the next general scoring, with this one; 0 after the last."""
    rounds = ROUNDS[view["setup"]["rounds"]]
    coming = [number for number in SCORING_ROUNDS if number >= view["round"]]
    if view["over"] or not coming:
        return 0
    return sum(max(view["round"], rounds[0]) <= number <= coming[0] for number in rounds)


def _gains(scoring: ScoringView) -> dict[str, dict[str, int]]:
    """Returns what each seat got for a place, by source; seats that got nothing are left out."""
    main = "castillo" if scoring["place"] == CASTILLO else "general" if scoring["occasion"] == GENERAL else "cards"
    return {
        seat: {main: parts["rank"], "king": parts["king"], "grande": parts["grande"]}
        for seat, parts in gains_of(scoring).items()
    }


def _taken_power(view: View, seat: str) -> dict[str, str]:
    """Returns the power cards in a seat's hand that it may not play now, with who has played each this round."""
    if not any(asked["seat"] == seat and asked["kind"] == "power" for asked in view["asked"]):
        return {}
    hand = view["seats"][seat]["hand"] or []
    return {str(number): who for who, number in view["turn"]["power"].items() if number in hand}


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

"""A turn in one sentence: who did what, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from .history import LogLine, TurnHistory, TurnKind
from .messages import Field, Message, Series, phrase
from .moves import COURT, Move
from .regions import NOWHERE, PLACES
from .views import HIDDEN, ScoringView

MOST_MOVES: Final = 2
"""How many different moves of caballeros a sentence names; more are only counted, by whose they are."""

_DID: Final = phrase("{seat} {deeds}.")
_DID_BECAUSE: Final = phrase("{seat} {deeds}, {why}.")
_DID_BUT: Final = phrase("{seat} {deeds}, but {veto}.")
_DID_BECAUSE_BUT: Final = phrase("{seat} {deeds}, {why}; {veto}.")
_POWER_CARDS: Final = phrase("Power cards: {cards}.")
_SCORED: Final = phrase("General scoring: {points}.")

# What a card does that the steps of its own seat do not show.
_CARD_DEEDS: Final = {
    "veto": phrase("kept a veto"),
    "all-courts-home": phrase("sent the others' courts home"),
    "three-courts-home": phrase("sent 3 home from each of the others' courts"),
    "king-is-angry": phrase("made the others send 3 home"),
    "secret-all-home": phrase("made the others withdraw from a region"),
    "secret-two-home": phrase("made the others withdraw 2"),
    "secret-score": phrase("called a secret scoring"),
}
_STEP_DEEDS: Final = {
    "tile": phrase("laid tile {number} in {place}"),
    "grande": phrase("moved the Grande to {place}"),
    "expel": phrase("cleared {place}"),
    "king": phrase("moved the King to {place}"),
    "retake": phrase("took a power card back"),
}

# What a veto stopped, by the verb of the step that waited for an answer: it has not happened.
_VETOED: Final = {
    "special": phrase("{other} vetoed the special action"),
    "move": phrase("{other} vetoed moving one of {colour}'s from {origin} to {place}"),
    "extra": phrase("{other} vetoed placing one more in {place}"),
    "remove": phrase("{other} vetoed sending home one of {colour}'s from {place}"),
    "return": phrase("{other} vetoed sending home one of {colour}'s from {place}"),
    "dial": phrase("{other} vetoed what the dials showed"),
    "score": phrase("{other} vetoed scoring {place}"),
    "tile": phrase("{other} vetoed laying tile {number} in {place}"),
    "retake": phrase("{other} vetoed taking a power card back"),
    "recruit": phrase("{other} vetoed bringing {number} more to the court"),
    "recall": phrase("{other} vetoed bringing one home from {place}"),
    "grande": phrase("{other} vetoed moving the Grande to {place}"),
    "expel": phrase("{other} vetoed clearing {place}"),
    "king": phrase("{other} vetoed moving the King to {place}"),
}
_VETOED_OWN_MOVE: Final = phrase("{other} vetoed moving one from {origin} to {place}")
_UNFINISHED: Final = {"dial": ("special", "expel"), "return": ("special",)}
"""What has not been carried out either, or not in full, when a veto stops a step of this kind."""


class _Deed(NamedTuple):
    words: Message
    places: frozenset[str] = frozenset()
    """The places where it changed something."""


def summary(turn: TurnHistory, scorings: Iterable[ScoringView], because: Message | None = None) -> Message | None:
    """Returns a turn in one sentence, or `None` when there is nothing to sum up.

    :param scorings: all scorings of the game.
    :param because: why the seat played its turn like that, as a clause such as "to win Granada". It is left out when
        the turn does not bear it out.
    """
    match turn.kind:
        case TurnKind.ACTION:
            return _action(turn, list(scorings), because)
        case TurnKind.POWER:
            played = [Move.parse(line.line) for line in turn.lines if line.verb == "power"]
            cards = [Message("{seat} {number}", {"seat": move.seat, "number": move.number}) for move in played]
            return Message(_POWER_CARDS, {"cards": Series(cards)}) if cards else None
        case TurnKind.SCORING:
            gains = _gains(turn, scorings)
            points = [Message("{seat} +{number}", {"seat": seat, "number": gain}) for seat, gain in gains.items()]
            return Message(_SCORED, {"points": Series(points)}) if points else None
    return None


def _action(turn: TurnHistory, scorings: list[ScoringView], because: Message | None) -> Message | None:
    stopped = _stopped(turn)
    deeds = list(_deeds(turn, stopped, _places_scored(turn, scorings)))
    if not deeds:
        return None
    fields: dict[str, Field] = {"seat": str(turn.seat)}
    if because is not None and not _borne_out(because, deeds, _gains(turn, scorings).get(str(turn.seat), 0)):
        because = None
    if because is not None:
        # What the reason is about comes last, so that the two stand together.
        deeds.sort(key=lambda deed: because.fields.get("place") in deed.places)
        fields["why"] = because
    fields["deeds"] = Series(deed.words for deed in deeds)
    if stopped is None:
        return Message(_DID if because is None else _DID_BECAUSE, fields)
    fields["veto"] = _vetoed(turn, stopped)
    return Message(_DID_BUT if because is None else _DID_BECAUSE_BUT, fields)


def _borne_out(because: Message, deeds: list[_Deed], points: int) -> bool:
    """Returns whether a turn fits its reason: it has done something in the place, and brought the points, named."""
    place, number = because.fields.get("place"), because.fields.get("number", points)
    return number == points and (place is None or any(place in deed.places for deed in deeds))


def _stopped(turn: TurnHistory) -> LogLine | None:
    """Returns the step that a veto stopped, or `None`. There is one special action in a turn, and so one veto."""
    step = None
    for line in turn.lines:
        if line.verb == "veto":
            return step
        if line.verb != "allow":
            step = line
    return None


def _vetoed(turn: TurnHistory, stopped: LogLine) -> Message:
    """Returns who stopped what."""
    other = next(line.seat for line in turn.lines if line.verb == "veto")
    text = _VETOED[stopped.verb]
    if stopped.line.endswith(HIDDEN):
        return Message.using(text, {"other": other})
    move = Move.parse(stopped.line)
    if move.verb == "move" and move.colour == move.seat:
        text = _VETOED_OWN_MOVE
    fields = {**_where(move), "other": other, "number": move.number}
    return Message.using(text, {**fields, "colour": move.colour or move.seat})


def _deeds(turn: TurnHistory, stopped: LogLine | None, scored: list[str]) -> Iterator[_Deed]:
    """Yields what a seat did in its turn, as the predicates of a sentence."""
    unfinished = () if stopped is None else _UNFINISHED.get(stopped.verb, ())
    lines = [line for line in turn.lines if line != stopped and line.verb not in unfinished]
    own = [line for line in lines if line.seat == turn.seat]
    moves = [Move.parse(line.line) for line in own if not line.line.endswith(HIDDEN)]
    for line in own:
        if line.verb == "card" and line.card:
            yield _Deed(Message("took {card}", {"card": line.card}))
    placing = [move for move in moves if move.verb in ("place", "extra")]
    if placing:
        yield _placed(placing)
    yield from _card_deeds(lines)
    yield from _special(own, moves)
    if scored:
        yield _Deed(Message("scored {where}", {"where": Series(scored)}))


def _card_deeds(lines: list[LogLine]) -> Iterator[_Deed]:
    """Yields what the card did that the steps of its own seat do not show."""
    card = next((line.card for line in lines if line.verb == "special"), None)
    if card in _CARD_DEEDS:
        yield _Deed(Message(_CARD_DEEDS[card], {}))
        return
    returned = sum(line.verb == "return" for line in lines)
    if returned:
        yield _Deed(Message("made the others send {number} home in all", {"number": returned}))


def _special(own: list[LogLine], moves: list[Move]) -> Iterator[_Deed]:
    """Yields what the steps of the special action did, without placing and scoring."""
    # Every turn begins with a `recruit`; another one belongs to the special action.
    more = sum([move.number for move in moves if move.verb == "recruit"][1:])
    if more:
        yield _Deed(Message("brought {number} more to the court", {"number": more}))
    yield from _moved([move for move in moves if move.verb == "move"])
    yield from _sent_home([move for move in moves if move.verb == "remove"])
    for line in own:
        if line.verb in _STEP_DEEDS:
            move = Move.parse(line.line) if not line.line.endswith(HIDDEN) else None
            fields: dict[str, Field] = {} if move is None else {**_where(move), "number": move.number}
            places = frozenset() if move is None else _places([move])
            yield _Deed(Message.using(_STEP_DEEDS[line.verb], fields), places)


def _moved(moved: list[Move]) -> Iterator[_Deed]:
    """Yields which caballeros were moved from where to where, or whose they were when it is too much to tell."""
    counts = Counter(moved)
    if len(counts) > MOST_MOVES:
        yield _Deed(Message("moved {whose} caballeros", {"whose": _whose(moved)}), _places(moved))
        return
    own = phrase("moved {count} from {origin} to {place}")
    other = phrase("moved {count} of {colour}'s from {origin} to {place}")
    for move, count in counts.items():
        text = own if move.colour == move.seat else other
        yield _Deed(Message.using(text, {**_where(move), "count": count}), _places([move]))


def _sent_home(removed: list[Move]) -> Iterator[_Deed]:
    """Yields whose caballeros were sent home, and from where unless it is too much to tell."""
    if len(removed) > MOST_MOVES:
        yield _Deed(Message("sent home {whose} caballeros", {"whose": _whose(removed)}), _places(removed))
        return
    for move in removed:
        text = phrase("sent home one of {colour}'s from {place}")
        yield _Deed(Message.using(text, _where(move)), _places([move]))


def _whose(moves: list[Move]) -> Series:
    """Returns how many caballeros of each seat these moves are about, the seat's own first."""
    seat = moves[0].seat
    counts = Counter(move.colour for move in moves)
    own, other = phrase("{count} of their own"), phrase("{count} of {colour}'s")
    return Series(
        Message.using(own if colour == seat else other, {"count": counts[colour], "colour": colour})
        for colour in sorted(counts, key=lambda colour: colour != seat)
    )


def _placed(placing: list[Move]) -> _Deed:
    """Returns how many were placed, and where if it was in one place."""
    places = _places(placing)
    fields: dict[str, Field] = {"number": len(placing), "place": min(places)}
    in_one, anywhere = phrase("placed {number} in {place}"), phrase("placed {number}")
    return _Deed(Message.using(in_one if len(places) == 1 else anywhere, fields), places)


def _where(move: Move) -> dict[str, Field]:
    origin = {} if move.origin == NOWHERE else {"origin": PLACES[move.origin]}
    place = COURT if move.place == NOWHERE else PLACES[move.place]
    return {**origin, "place": place, "colour": move.colour}


def _places(moves: Iterable[Move]) -> frozenset[str]:
    return frozenset(PLACES[place] for move in moves for place in (move.origin, move.place) if place != NOWHERE)


def _places_scored(turn: TurnHistory, scorings: Iterable[ScoringView]) -> list[str]:
    """Returns the places that were scored in a turn, in order."""
    return [scoring["place"] for scoring in _scored_in(turn, scorings)]


def _gains(turn: TurnHistory, scorings: Iterable[ScoringView]) -> dict[str, int]:
    """Returns what each seat got in a turn; seats that got nothing are left out."""
    gains: Counter[str] = Counter()
    for scoring in _scored_in(turn, scorings):
        gains.update(scoring["points"])
        if scoring["leader"]:
            gains[scoring["leader"]] += scoring["king_bonus"] + scoring["grande_bonus"]
    return {seat: gain for seat, gain in gains.items() if gain}


def _scored_in(turn: TurnHistory, scorings: Iterable[ScoringView]) -> list[ScoringView]:
    first, last = turn.lines[0].at + 1, turn.lines[-1].at + 1
    return [scoring for scoring in scorings if first <= scoring["move"] <= last]

"""Snapshots, which hold everything about a game, and views, which hold what one seat may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypedDict

from .cards import DECKS
from .messages import Field
from .moves import Move
from .regions import CABALLEROS, NOWHERE, PLACES, REGIONS, TILES, TOWER
from .scoring import payout
from .state import TABLE_SEAT, Scoring, Setup, State

HIDDEN: Final = "?"
"""Stands in the log for a word that the viewer may not see."""
SECRET_VERBS: Final = ("dial", "retake")
"""Moves whose last word is secret: a dial until it is turned over, a card taken back always."""


class SeatData(TypedDict):
    """One seat in a snapshot."""

    score: int
    court: int
    province: int
    castillo: int
    grande: str | None
    hand: list[int]
    regions: dict[str, int]
    vetoes: int


class Snapshot(TypedDict):
    """Everything about a game now."""

    round: int
    king: str | None
    tiles: dict[str, str | None]
    open: dict[str, str]
    seats: dict[str, SeatData]


class SeatView(TypedDict):
    """One seat as a viewer may see it, with `None` for what is hidden."""

    score: int
    court: int
    province: int
    castillo: int | None
    grande: str | None
    hand: list[int] | None
    hand_count: int
    played: list[int]
    """All power cards the seat has played in this game, in order."""
    regions: dict[str, int]
    vetoes: int


class SetupView(TypedDict):
    """What was agreed before the game."""

    edition: str
    seats: list[str]
    rounds: int
    house: list[str]


class Asked(TypedDict):
    """What a seat is asked: a kind for programs, and a message with its fields for people."""

    seat: str
    kind: str
    message: str
    fields: dict[str, Field]


class StepView(TypedDict):
    """A step of a special action that waits for the holders of veto cards."""

    move: str
    asked: list[str]
    content: list[str]
    """The seats that allow everything in this special action."""


class TurnView(TypedDict):
    """The round and the turn under way."""

    start: str | None
    power: dict[str, int]
    """The power cards played this round."""
    order: list[str]
    actor: str | None
    card: str | None
    to_place: int
    recalls_left: int
    special: str
    """`unused`, `under way` or `used`."""
    left: int
    """How many steps the special action still allows, where it counts them."""
    region: str | None
    """The region that the special action is bound to."""
    step: StepView | None
    dialling: bool
    """Whether dials are being set."""
    dialled: list[str]
    """The seats that have set their dial, while dials are being set."""
    own_dial: str | None
    """The region on the viewer's own dial, while dials are being set."""


class ScoringView(TypedDict):
    """One place scored."""

    move: int
    occasion: str
    place: str
    counts: dict[str, int]
    points: dict[str, int]
    leader: str | None
    king_bonus: int
    grande_bonus: int


class View(TypedDict):
    """What a seat may know: a snapshot without the secrets, and everything that is public."""

    round: int
    king: str | None
    tiles: dict[str, str | None]
    open: dict[str, str]
    seats: dict[str, SeatView]
    viewer: str | None
    setup: SetupView
    to_act: list[str]
    asked: list[Asked]
    legal: list[str]
    """The viewer's own legal moves."""
    turn: TurnView
    seen: dict[str, list[str]]
    """The action cards turned up so far, by stack."""
    scorings: list[ScoringView]
    over: bool
    winners: list[str]
    log: list[str]


def _place(index: int) -> str | None:
    return None if index == NOWHERE else PLACES[index]


def _open_cards(s: State) -> dict[str, str]:
    return {str(stack): card for stack, card in enumerate(s.open, start=1) if card}


def _regions(s: State, seat: int) -> dict[str, int]:
    return {name: counts[seat] for name, counts in zip(REGIONS, s.board, strict=False)}


def _vetoes(s: State, seat: int) -> int:
    return sum(holder == seat for holder, _ in s.vetoes)


def snapshot(s: State) -> Snapshot:
    """Returns everything, secrets included."""
    return {
        "round": s.round,
        "king": _place(s.king),
        "tiles": {tile: _place(place) for tile, place in zip(TILES, s.tiles, strict=True)},
        "open": _open_cards(s),
        "seats": {
            name: {
                "score": s.scores[seat],
                "court": s.court[seat],
                "province": s.province[seat],
                "castillo": s.board[TOWER][seat],
                "grande": _place(s.grandes[seat]),
                "hand": list(s.hands[seat]),
                "regions": _regions(s, seat),
                "vetoes": _vetoes(s, seat),
            }
            for seat, name in enumerate(s.setup.seats)
        },
    }


def view(s: State, moves: Sequence[Move], viewer: int, veiled: bool = False) -> View:
    """Returns what the viewer may know; for `TABLE_SEAT`, what everybody may know.

    :param veiled: whether the viewer has just taken the seat over, and may not know the secrets of the player before.
    """
    setup = s.setup
    knows = TABLE_SEAT if veiled else viewer
    everything = snapshot(s)
    viewer_name = None if viewer == TABLE_SEAT else setup.name(viewer)
    return {
        "round": everything["round"],
        "king": everything["king"],
        "tiles": everything["tiles"],
        "open": everything["open"],
        "seats": {
            name: _seat_view(s, moves, knows, setup.index[name], data) for name, data in everything["seats"].items()
        },
        "viewer": viewer_name,
        "setup": {
            "edition": setup.edition.name,
            "seats": list(setup.seats),
            "rounds": setup.length,
            "house": list(setup.house),
        },
        "to_act": [setup.name(seat) for seat in s.phase.seats(s)],
        "asked": _asked(s),
        "legal": [move.text for move in s.legal() if move.seat == viewer_name],
        "turn": _turn(s, knows),
        "seen": {
            str(stack): sorted((Counter(whole) - Counter(rest)).elements())
            for stack, (whole, rest) in enumerate(zip(DECKS, s.decks, strict=True), start=1)
        },
        "scorings": [_scoring(setup, scoring) for scoring in s.scorings],
        "over": s.phase.kind == "over",
        "winners": winners(s),
        "log": _log(s, moves, None if veiled else viewer_name),
    }


def _seat_view(s: State, moves: Sequence[Move], viewer: int, seat: int, data: SeatData) -> SeatView:
    name = s.setup.name(seat)
    secret_hand = seat != viewer and s.retaken[seat]
    return {
        "score": data["score"],
        "court": data["court"],
        "province": data["province"],
        "castillo": data["castillo"] if s.setup.open_castillo else None,
        "grande": data["grande"],
        "hand": None if secret_hand else data["hand"],
        "hand_count": len(data["hand"]),
        "played": [move.number for move in moves if move.verb == "power" and move.seat == name],
        "regions": data["regions"],
        "vetoes": data["vetoes"],
    }


def _asked(s: State) -> list[Asked]:
    asked: list[Asked] = []
    for seat in s.phase.seats(s):
        message = s.phase.question(s, seat).about
        asked.append(
            {
                "seat": s.setup.name(seat),
                "kind": s.phase.kind,
                "message": message.text,
                "fields": dict(message.fields),
            }
        )
    return asked


def _turn(s: State, viewer: int) -> TurnView:
    setup = s.setup
    names = setup.seats
    acting = s.card is not None or s.phase.kind in ("power", "recruit", "recall", "card")
    return {
        "start": names[s.start] if s.round else None,
        "power": {name: number for name, number in zip(names, s.played, strict=True) if number},
        "order": [names[seat] for seat in s.order],
        "actor": names[s.actor] if acting else None,
        "card": s.card,
        "to_place": s.to_place,
        "recalls_left": s.recalls_left,
        "special": "under way" if s.special else "used" if s.special_used else "unused",
        "left": s.left or s.extra_left,
        "region": _place(s.region),
        "step": _step(s, viewer),
        "dialling": dialling(s),
        "dialled": [names[seat] for seat, region in enumerate(s.dials) if region != NOWHERE and dialling(s)],
        "own_dial": _place(s.dials[viewer]) if dialling(s) and viewer != TABLE_SEAT else None,
    }


def _step(s: State, viewer: int) -> StepView | None:
    if s.pending is None:
        return None
    return {
        "move": masked(s.pending) if _is_secret(s.pending, s.setup.name(viewer)) else s.pending.text,
        "asked": [s.setup.name(seat) for seat in s.asked],
        "content": [s.setup.name(seat) for seat in s.content],
    }


def _scoring(setup: Setup, scoring: Scoring) -> ScoringView:
    return {
        "move": scoring.move,
        "occasion": scoring.occasion,
        "place": PLACES[scoring.place],
        "counts": dict(zip(setup.seats, scoring.counts, strict=True)),
        "points": dict(zip(setup.seats, scoring.points, strict=True)),
        "leader": None if scoring.leader < 0 else setup.seats[scoring.leader],
        "king_bonus": scoring.king_bonus,
        "grande_bonus": scoring.grande_bonus,
    }


def payouts(s: State) -> dict[str, ScoringView]:
    """Returns what each place would pay if it were scored now. A closed castillo is left out."""
    places = range(TOWER + 1 if s.setup.open_castillo else TOWER)
    return {PLACES[place]: _scoring(s.setup, payout(s, place)) for place in places}


def winners(s: State) -> list[str]:
    """Returns the seats with the most points; an empty list until the game is over."""
    if s.phase.kind != "over":
        return []
    return [name for name, score in zip(s.setup.seats, s.scores, strict=True) if score == max(s.scores)]


# --- Secrets ----------------------------------------------------------------------------------------------------------


def dialling(s: State) -> bool:
    """Returns whether dials are being set. Those already set stay secret until the last one is."""
    return bool(s.dialling)


def asks_in_secret(s: State, seat: str) -> bool:
    """Returns whether a seat's answer is secret now."""
    return any(move.verb in SECRET_VERBS for move in s.legal() if move.seat == seat)


def in_castillo(view: View, seat: str) -> int:
    """Returns how many caballeros a seat has in the castillo: all that are nowhere else."""
    own = view["seats"][seat]
    return CABALLEROS - own["court"] - own["province"] - sum(own["regions"].values())


def last_dials(log: Sequence[str]) -> list[str]:
    """Returns the dials at the end of a log, which were turned over together.

    >>> last_dials(["red special", "blue dial aragon", "green dial sevilla"])
    ['blue dial aragon', 'green dial sevilla']
    """
    first = len(log)
    while first and log[first - 1].split()[1] == "dial":
        first -= 1
    return list(log[first:])


# --- The log, with secrets masked -------------------------------------------------------------------------------------


def masked(move: Move) -> str:
    """Returns a move without its secret word.

    >>> masked(Move.parse("blue dial granada"))
    'blue dial ?'
    """
    return f"{move.seat} {move.verb} {HIDDEN}"


def public_log(view: View) -> list[str]:
    """Returns the log of a view as everybody may see it: the viewer's own secrets are masked too."""
    viewer, log = view["viewer"], list(view["log"])
    unturned = len(last_dials(log)) if view["turn"]["dialling"] else 0
    for index, line in enumerate(log):
        seat, verb, *_ = line.split()
        if seat == viewer and (verb == "retake" or index >= len(log) - unturned):
            log[index] = f"{seat} {verb} {HIDDEN}"
    return log


def _is_secret(move: Move, viewer: str | None) -> bool:
    """Returns whether a move is secret from the viewer for good: which card another seat took back."""
    return move.verb == "retake" and move.seat != viewer


def _log(s: State, moves: Sequence[Move], viewer: str | None) -> list[str]:
    log = [masked(move) if _is_secret(move, viewer) else move.text for move in moves]
    # Dials being set stand together at the end of the log, and are turned over together.
    if dialling(s):
        for index in range(len(moves) - 1, -1, -1):
            if moves[index].verb != "dial":
                break
            if moves[index].seat != viewer:
                log[index] = masked(moves[index])
    return log

"""What a situation at the table looks like: to the lights a scene, to the phones questions and choices. All pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from companion.engine import CASTILLO, PLACES, TABLE, Game, Message, Move, Several, phrase
from companion.engine.views import Snapshot
from companion.engine.words import move_words
from companion.table.guide import Step
from companion.table.motions import EMPTY, Hand, Motion, Slot, lit, motion_of
from companion.table.options import Options
from companion.table.prompts import Board, Choice, Prompt
from companion.table.scene import BRING, SCORED, scene_of
from companion.table.turns import persons
from hardware.ports import Scene, Show

MARKER: Final = phrase("The marker of {seat} to {score}.")
WANTS_UNDO: Final = phrase("Take it back? Moves: {count}. Everybody must agree.")
GO_ON_UNSAVED: Final = phrase("Not saved since move {move}. Go on without saving?")
LIES_HERE: Final = phrase("{place}: {pieces}")
WAVE_S: Final = 1.5
SCORED_S: Final = 0.6
"""How long a place is lit as it is scored."""


@dataclass(frozen=True)
class Situation:
    """All that there is to show."""

    game: Game
    snapshot: Snapshot
    options: Options
    version: int
    at_turn: str | None
    """The seat whose gestures on the board count."""
    motions: Sequence[Motion] = ()
    hand: Hand = EMPTY
    choices: tuple[Move, ...] = ()
    slots: tuple[Slot, ...] = ()
    slot_place: str = ""
    steps: Sequence[Step] = ()
    markers: Mapping[str, int] = field(default_factory=dict)
    roll_call: tuple[Message, ...] = ()
    """What should lie where, when a game goes on."""
    undo_count: int = 0
    undo_missing: Collection[str] = ()
    unsaved: Message | None = None
    """Since when nothing can be saved, until the players have decided."""
    told: Mapping[str, Message] = field(default_factory=dict)
    """What single seats are told."""
    wrong: Collection[str] = ()
    listing: bool = False
    """Whether readers list what lies at them, so that the board may be right, and not the game."""
    holders: Mapping[str, str] = field(default_factory=dict)
    knocking: str | None = None
    door: str = ""
    """The place whose button lets a phone in."""
    seats_open: bool = False
    notices: tuple[Message, ...] = ()
    waiting_s: float | None = None


def scene(now: Situation) -> Scene:
    """What the lights show."""
    colour = now.at_turn if now.at_turn is not None and now.at_turn != TABLE else "white"
    places = () if now.choices or now.slots or now.roll_call else tuple(lit(now.motions, now.hand))
    step = now.steps[0] if now.steps else None
    scene = scene_of(now.snapshot, colour, places, now.hand, step, now.wrong, now.options.leader_lights)
    if now.door:
        scene = replace(scene, places={**scene.places, now.door: Show(BRING, now.knocking or "white")})
    return scene


def board(now: Situation) -> Board:
    """What the phones show."""
    guide = [*now.roll_call, *(step.words for step in now.steps)]
    guide += _markers(now.markers)
    offers = (_BOARD_IS_RIGHT,) if now.steps and now.listing else ()
    prompts = {seat: replace(_prompt(now, seat), told=now.told.get(seat)) for seat in persons(now.game, now.options)}
    return Board(
        version=now.version,
        prompts=prompts,
        waiting_for=_waited_for(now),
        guide=tuple(guide),
        notices=now.notices,
        offers=offers,
        holders=now.holders,
        knocking=now.knocking,
        seats_open=now.seats_open,
        step=now.steps[0].way if now.steps else None,
    )


def _waited_for(now: Situation) -> tuple[str, ...]:
    """Who has to do something: who must still agree to an undo, if one is proposed."""
    if now.undo_count:
        return tuple(seat for seat in now.game.seats if seat in now.undo_missing)
    return now.game.to_act


def scoring_shows(game: Game, before: int) -> list[tuple[Scene, float]]:
    """A wave, and then each place that was scored, in the colour of who leads there; with the seconds of each."""
    king = game.snapshot()["king"]
    shows = [(Scene(marker=king, wave=True), WAVE_S)]
    for scoring in game.scorings[before:]:
        colour = game.seats[scoring.leader] if scoring.leader >= 0 else "white"
        shows.append((Scene({PLACES[scoring.place]: Show(SCORED, colour)}, marker=king), SCORED_S))
    return shows


def _markers(scores: Mapping[str, int]) -> list[Message]:
    return [Message(MARKER, {"seat": seat, "score": score}) for seat, score in scores.items()]


def roll_call(game: Game, listed: Collection[str] = ()) -> tuple[Message, ...]:
    """What should lie in each place, for people to check when a game goes on.

    Where a reader lists the pieces it checks by itself. The castillo keeps its secret.
    """
    snapshot, lines = game.snapshot(), []
    closed = () if "open-castillo" in game.house else (CASTILLO,)
    for place in PLACES:
        if place in listed:
            continue
        pieces = [Message("the King", {})] if snapshot["king"] == place else []
        pieces += [
            Message("the tile {which}", {"which": value}) for value, lies in snapshot["tiles"].items() if lies == place
        ]
        for colour, seat in snapshot["seats"].items():
            count = seat["castillo"] if place == CASTILLO else seat["regions"][place]
            count = 0 if place in closed else count
            pieces += [Message("{count} {which}", {"count": count, "which": colour})] if count else []
            pieces += [Message("the {which} Grande", {"which": colour})] if seat["grande"] == place else []
        if pieces:
            lines.append(Message(LIES_HERE, {"place": place, "pieces": Several(pieces)}))
    return (*lines, *_markers(game.scores))


def _prompt(now: Situation, seat: str) -> Prompt:
    if now.unsaved is not None:
        return Prompt(seat, Message(GO_ON_UNSAVED, now.unsaved.fields), (_GO_ON_UNSAVED,))
    if now.undo_count:
        if seat not in now.undo_missing:
            return Prompt(seat)
        return Prompt(seat, Message(WANTS_UNDO, {"count": now.undo_count}), (_AGREE, _DISAGREE))
    for question in now.game.questions:
        if question.seat == seat or (question.seat == TABLE and now.options.real_cards):
            return _question(now, seat, question.seat, question.message)
    return Prompt(seat)


def _question(now: Situation, seat: str, asked: str, message: Message) -> Prompt:
    if now.slots:
        return Prompt(seat, message, tuple(_slot_choice(slot, now.slot_place) for slot in now.slots))
    if now.choices:
        return Prompt(seat, message, tuple(map(_choice, now.choices)))
    on_board: list[Choice] = []
    by_phone: list[Choice] = []
    for move in now.game.legal_moves(asked):
        (by_phone if motion_of(move, now.snapshot) is None else on_board).append(_choice(move))
    touch = () if now.steps or now.roll_call or asked != now.at_turn else tuple(lit(now.motions, now.hand))
    return Prompt(seat, message, tuple(by_phone), tuple(on_board), touch, now.hand.origin, now.waiting_s)


_GO_ON_UNSAVED: Final = Choice("go on unsaved", Message("Go on without saving.", {}))
_BOARD_IS_RIGHT: Final = Choice("board is right", Message("The board is right: let the game follow it.", {}))
_AGREE: Final = Choice("agree", Message("Yes, take them back.", {}))
_DISAGREE: Final = Choice("disagree", Message("No, it stays.", {}))
_SLOT_WORDS: Final = {Slot.ORIGIN: phrase("From {place}."), Slot.TARGET: phrase("To {place}.")}


def _slot_choice(slot: Slot, place: str) -> Choice:
    return Choice(f"{slot.value} {place}", Message(_SLOT_WORDS[slot], {"place": place}))


def _choice(move: Move) -> Choice:
    line = str(move) if move.seat == TABLE else " ".join((move.verb, *move.args))
    return Choice(line, move_words(move))

"""What people are asked and what they can answer, as pure functions of a situation."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from companion.engine import CASTILLO, PLACES, TABLE, Game, Message, Move, Several, phrase
from companion.table.moment import Choice, Prompt
from companion.table.motions import Slot, motion_of, next_places
from companion.table.situation import Situation

MARKER: Final = phrase("The marker of {seat} to {score}.")
WANTS_UNDO: Final = phrase("Take it back? Moves: {count}. Everybody must agree.")
GO_ON_UNSAVED: Final = phrase("Not saved since move {move}. Go on without saving?")
LIES_HERE: Final = phrase("{place}: {pieces}")

_GO_ON_UNSAVED: Final = Choice("go on unsaved", meaning=Message("Go on without saving.", {}))
_BOARD_IS_RIGHT: Final = Choice("board is right", meaning=Message("The board is right: let the game follow it.", {}))
_AGREE: Final = Choice("agree", meaning=Message("Yes, take them back.", {}))
_DISAGREE: Final = Choice("disagree", meaning=Message("No, it stays.", {}))
_SLOT_WORDS: Final = {Slot.ORIGIN: phrase("From {place}."), Slot.TARGET: phrase("To {place}.")}


def prompt_of(now: Situation, seat: str) -> Prompt:
    """Returns what a seat is asked, and why its last answer was refused."""
    return replace(_prompt(now, seat), refusal=now.private.get(seat))


def deal_of(now: Situation) -> Prompt | None:
    """Returns the card to turn up, with real cards; otherwise `None`. What is left in a stack is no secret."""
    for question in now.game.questions:
        if question.seat == TABLE and now.options.real_cards:
            return Prompt(TABLE, question.message, tuple(map(_choice, now.game.legal_moves(TABLE))))
    return None


def guide_of(now: Situation) -> tuple[Message, ...]:
    """Returns what people have to do to the pieces, in words."""
    return (*now.roll_call, *(step.words for step in now.steps), *_markers(now.markers))


def offers_of(now: Situation) -> tuple[Choice, ...]:
    """Returns what anybody may send besides answers to what is asked."""
    return (_BOARD_IS_RIGHT,) if now.steps and now.listing else ()


def waiting_for(now: Situation) -> tuple[str, ...]:
    """Returns who has to do something: those who must still agree to an undo, if one is proposed."""
    if now.undo_count:
        return tuple(seat for seat in now.game.seats if seat in now.undo_missing)
    return now.game.to_act


def roll_call(game: Game, listed: Collection[str] = ()) -> tuple[Message, ...]:
    """Returns what should lie in each place, for people to check when a game goes on.

    Places where a reader lists the pieces are left out, because the reader checks them. The castillo keeps its secret.
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


def _markers(scores: dict[str, int]) -> list[Message]:
    return [Message(MARKER, {"seat": seat, "score": score}) for seat, score in scores.items()]


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
    touch = (
        () if now.steps or now.roll_call or asked != now.active_seat else tuple(next_places(now.motions, now.partial))
    )
    return Prompt(seat, message, tuple(by_phone), tuple(on_board), touch, now.partial.origin, now.deadline_s)


def _slot_choice(slot: Slot, place: str) -> Choice:
    return Choice(f"{slot.value} {place}", meaning=Message(_SLOT_WORDS[slot], {"place": place}))


def _choice(move: Move) -> Choice:
    return Choice(str(move) if move.seat == TABLE else " ".join((move.verb, *move.args)), move)

"""Why a gesture is refused, and what would be lost, in words for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.engine import TABLE, Game, IllegalMove, Message, Move, NotAMove, Several, phrase
from companion.engine.messages import Field
from companion.engine.pieces import WORDS, Piece
from companion.engine.regions import CABALLEROS
from companion.engine.turn import placing_begun
from companion.table.motions import Motion, PartialMove
from hardware.ports import OVER, Trouble

NOT_LIT: Final = phrase("Choose one of the highlighted places.")
OVER_NOW: Final = phrase("The game is over.")
DIAL_FIRST: Final = phrase("Set your dial first.")
DIALS_FIRST: Final = phrase("Dials still to be set: {seat}.")
ANOTHERS_TURN: Final = phrase("It's {seat}'s turn.")
NO_PLACE: Final = phrase("No place to choose now: answer the question first.")
# What has to be done before anything can be placed, by the kind of question.
NOT_YET: Final = {
    "power": phrase("Nothing to place yet: play a power card first."),
    "recruit": phrase("Nothing to place yet: bring caballeros to your court first."),
    "card": phrase("Nothing to place yet: take an action card first."),
}

# The number comes last, so that no word has to agree with it in any language.
NOT_PLACED: Final = phrase("Caballeros not placed: {number}.")
NO_SPECIAL: Final = phrase("The special action of {card} not used.")
NOT_MOVED: Final = phrase("Moves left: {number}.")
MORE_MOVES: Final = phrase("More could be moved.")
NOT_RECALLED: Final = phrase("Not brought home from regions: {number}.")
NOT_RECRUITED: Final = phrase("Not brought to the court: {number}.")
NOT_REMOVED: Final = phrase("Not sent home: {number}.")


def why_not(
    game: Game, seat: str | None, motions: Sequence[Motion], partial: PartialMove, place: str, piece: Piece | None
) -> Message:
    """Returns why a gesture at a place does not fit now, in the engine's words if it has any."""
    motions = [motion for motion in motions if partial.fits(motion)]
    if seat is None or not motions:
        return not_now(game, seat, place)
    fitting = [motion for motion in motions if piece in (None, motion.piece)]
    if not fitting:
        assert piece is not None
        return Message.using(WORDS[piece.kind].not_now, {"which": piece.which})
    # Tries one of the possible moves with this place in it.
    from_there = partial.origin is None and fitting[0].origin_shown and fitting[0].target is not None
    template = next((motion for motion in fitting if motion.target != place), fitting[0]).move
    words = list(template.args)
    words[-2 if from_there else -1] = place
    try:
        game.copy().play(Move(template.seat, template.verb, *words))
    except NotAMove:
        return Message(NOT_LIT, {})
    except IllegalMove as error:
        return error.message
    if piece is not None:
        return Message.using(WORDS[piece.kind].not_now, {"which": piece.which})
    return Message(NOT_LIT, {})


def not_now(game: Game, seat: str | None, place: str) -> Message:
    """Returns why no place can be chosen at all.

    :param seat: the seat whose gestures count, or `None` when nobody's do.
    """
    if seat is None:
        return not_counted(game, None)
    kind = game.questions[0].kind
    if kind == "act" and seat != TABLE:
        try:
            game.copy().play(Move(seat, "place", place))
        except IllegalMove as error:
            return error.message
    return Message(NOT_YET.get(kind, NO_PLACE), {})


def not_counted(game: Game, seat: str | None) -> Message:
    """Returns why a touch does not count: what else is asked of its seat, or who has to act first.

    :param seat: the seat that touched a place on its map, or `None` for a touch on the board, which is anybody's.
    """
    if game.over:
        return Message(OVER_NOW, {})
    if seat in game.to_act:
        return Message(DIAL_FIRST if game.dialling else NO_PLACE, {})
    return Message(DIALS_FIRST if game.dialling else ANOTHERS_TURN, {"seat": Several(game.to_act)})


def lost_by(game: Game, move: Move) -> tuple[Message, ...]:
    """Returns what a move would give up for good; empty when nothing."""
    match move.verb:
        case "end" | "done":
            return tuple(unused(game, move.seat)) if len(game.legal_moves(move.seat)) > 1 else ()
        case "special" if placing_begun(game.state):
            left = min(game.state.to_place, game.state.court[game.state.actor])
            return (Message(NOT_PLACED, {"number": left}),) if left else ()
    return ()


def unused(game: Game, seat: str) -> list[Message]:
    """Returns what a seat would leave unused if it ended its turn, or what it is doing, now."""
    legal = game.legal_moves(seat)
    verbs = {move.verb for move in legal}
    turn, court = game.view(None)["turn"], game.snapshot()["seats"][seat]["court"]
    if {"move", "extra"} <= verbs:
        verbs = {"special"}  # the card allows one or the other, and nothing has been chosen yet
    colours = {move.colour for move in legal if move.verb == "remove"}
    recalls = turn["recalls_left"] or turn["left"]
    many = turn["left"] > CABALLEROS // 2  # the card sets no limit
    lost: dict[str, tuple[str, Field]] = {
        "place": (NOT_PLACED, min(turn["to_place"], court)),
        "special": (NO_SPECIAL, 0),
        "move": (MORE_MOVES if many else NOT_MOVED, turn["left"]),
        "extra": (NOT_PLACED, min(turn["left"], court)),
        "recall": (NOT_RECALLED, recalls),
        "recruit": (NOT_RECRUITED, turn["left"]),
        "remove": (NOT_REMOVED, len(colours)),
    }
    return [
        Message.using(text, {"number": number, "card": turn["card"] or ""})
        for verb, (text, number) in lost.items()
        if verb in verbs
    ]


def trouble_words(trouble: Trouble) -> Message:
    """Returns what is wrong with the board, or that it works again, in words."""
    text = OVER[trouble.fault] if trouble.over else trouble.fault.value
    return Message.using(text, {"where": trouble.where, "hub": trouble.where, "why": trouble.why})

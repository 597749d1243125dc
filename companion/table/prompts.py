"""What people are asked and what they can answer, as pure functions of a situation."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from companion.engine import CASTILLO, PLACES, TABLE, Game, Message, Move, Several, phrase
from companion.engine.game import Question
from companion.engine.regions import TOWER
from companion.engine.views import last_dials
from companion.engine.words import CARD_WORDS, move_words
from companion.engine.your_words import choice_words
from companion.table.moment import Choice, Prompt, Vote
from companion.table.motions import Slot, motion_of, next_places
from companion.table.refusals import lost_by
from companion.table.situation import Situation
from companion.table.turns import persons
from companion.table.undo import UNDO_BEGUN, public_words, undo_of, undo_words

MARKER: Final = phrase("Move {seat}'s score marker to {score}.")
WANTS_UNDO: Final = phrase("{seat} wants to undo {count} moves. OK?")
WANTS_UNDO_ONE: Final = phrase("{seat} wants to undo 1 move. OK?")
IN_TIME: Final = phrase("Allowed when time is up.")
GO_ON_UNSAVED: Final = phrase("Not saved since move {move}. Go on without saving?")
GENERAL_DIAL: Final = phrase("General scoring: first the castillo, then its caballeros go where the dials say.")
INSIDE: Final = phrase("You have {count} in the castillo.")
NOBODY_INSIDE: Final = phrase("You have none in the castillo, so any region will do.")
PLAYS_CARD: Final = phrase("{seat} plays {card}:")
CONCERNED: Final = phrase("You have {count} in {place}.")
LIES_HERE: Final = phrase("{place}: {pieces}")

_GO_ON_UNSAVED: Final = Choice("go on unsaved", meaning=Message("Go on without saving.", {}))
_BOARD_IS_RIGHT: Final = Choice("board is right", meaning=Message("The board is right: let the game follow it.", {}))
_NEXT: Final = Choice("next", meaning=Message("Next", {}))
_SKIP_AHEAD: Final = Choice("next", meaning=Message("Skip ahead", {}))
_CONTINUE: Final = Choice("next", meaning=Message("Continue", {}))
_AGREE: Final = Choice("agree", meaning=Message("OK, undo it", {}))
_DISAGREE: Final = Choice("disagree", meaning=Message("No, keep it", {}))
_NO: Final = Choice("no", meaning=Message("No, go back", {}))
_SLOT_WORDS: Final = {Slot.ORIGIN: phrase("From {place}."), Slot.TARGET: phrase("To {place}.")}


def prompt_of(now: Situation, seat: str) -> Prompt:
    """Returns what a seat is asked, and what concerns it alone."""
    return replace(_prompt(now, seat), notice=now.private.get(seat))


def deal_of(now: Situation) -> Prompt | None:
    """Returns the card to turn up, with real cards; otherwise `None`. What is left in a stack is no secret."""
    for question in now.game.questions:
        if question.seat == TABLE and now.options.real_cards:
            choices = tuple(_choice(now, move) for move in now.game.legal_moves(TABLE))
            return Prompt(TABLE, question.message, choices=choices)
    return None


def guide_of(now: Situation) -> tuple[Message, ...]:
    """Returns what people have to do to the pieces, in words."""
    return (*now.roll_call, *(step.words for step in now.steps), *_markers(now.markers))


def offers_of(now: Situation) -> tuple[Choice, ...]:
    """Returns what anybody may send besides answers to what is asked."""
    right = (_BOARD_IS_RIGHT,) if now.steps and now.listing else ()
    if now.waits_for_next:
        return (*right, _NEXT)
    if now.frames_left:
        return (*right, _SKIP_AHEAD if now.frames_left > 1 else _CONTINUE)
    return right


def vote_of(now: Situation) -> Vote | None:
    """Returns who wants to undo what, or `None` when nobody does."""
    if not now.undo_count:
        return None
    text = WANTS_UNDO_ONE if now.undo_count == 1 else WANTS_UNDO
    words = Message.using(text, {"seat": now.undo_by, "count": now.undo_count})
    return Vote(words, tuple(map(public_words, now.game.moves[-now.undo_count :])))


def undo_offers(now: Situation, seat: str) -> tuple[Choice, ...]:
    """Returns what a seat can undo: its last gesture and its turn, or those of another if everybody agrees."""
    begun = bool(now.choices or now.slots or any(now.partial)) and seat == now.active_seat
    if now.unsaved is not None or now.undo_count or now.game.over:
        return ()
    if begun or (now.held and seat == now.game.view(None)["turn"]["actor"]):
        return (Choice("undo", meaning=UNDO_BEGUN),)
    moves, alone = now.game.moves, len(persons(now.game, now.options)) == 1
    last = undo_of(moves, now.made_by, seat, fixed=now.fixed)
    turn = undo_of(moves, now.made_by, seat, whole_turn=True, fixed=now.fixed)
    offers = []
    if not last.refused:
        offers.append(Choice("undo", meaning=undo_words(moves, last, seat, alone)))
    if not turn.refused and turn.count > last.count:
        offers.append(Choice("undo turn", meaning=undo_words(moves, turn, seat, alone, whole_turn=True)))
    return tuple(offers)


def is_interrupted(now: Situation, seat: str) -> bool:
    """Returns whether a seat has something else to read first: a refusal, a confirmation, a step of the guide."""
    asked = now.unsaved is not None or now.undo_count or seat in now.confirming or seat in now.private
    return bool(asked or now.choices or now.slots or now.roll_call or now.steps)


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
            Message("tile {which}", {"which": value}) for value, lies in snapshot["tiles"].items() if lies == place
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
        return Prompt(seat, Message(GO_ON_UNSAVED, now.unsaved.fields), choices=(_GO_ON_UNSAVED,))
    if vote := vote_of(now):
        if seat not in now.undo_missing:
            return Prompt(seat)
        return Prompt(seat, vote.words, vote.moves, (_AGREE, _DISAGREE))
    if seat in now.confirming:
        sure = now.confirming[seat]
        return Prompt(seat, sure.asked, sure.lost, (Choice("yes", meaning=sure.yes), _NO))
    for question in now.game.questions:
        if question.seat == seat or (question.seat == TABLE and now.options.real_cards):
            return _question(now, seat, question)
    return Prompt(seat)


def _question(now: Situation, seat: str, question: Question) -> Prompt:
    asked, message = question.seat, question.yours
    details = _veto_details(now) if question.kind == "veto" else _dial_details(now, seat)
    if now.slots:
        return Prompt(seat, message, choices=tuple(_slot_choice(slot, now.slot_place) for slot in now.slots))
    if now.choices:
        return Prompt(seat, message, choices=tuple(_choice(now, move) for move in now.choices))
    on_board: list[Choice] = []
    by_phone: list[Choice] = []
    for move in now.game.legal_moves(asked):
        (by_phone if motion_of(move, now.snapshot) is None else on_board).append(_choice(now, move))
    touch = (
        () if now.steps or now.roll_call or asked != now.active_seat else tuple(next_places(now.motions, now.partial))
    )
    return Prompt(seat, message, details, tuple(by_phone), tuple(on_board), touch, now.partial.origin, now.deadline_s)


def _veto_details(now: Situation) -> tuple[Message, ...]:
    """Returns what a veto would stop: the step, by which card, and what happens without an answer."""
    state = now.game.state
    step, card = state.pending, str(state.card)
    assert step is not None
    if step.verb == "dial":
        steps = [move_words(line) for line in last_dials([move.text for move in now.game.moves])]
    else:
        steps = [public_words(step)]
    in_time = () if now.deadline_s is None else (Message(IN_TIME, {}),)
    return (*steps, Message(CARD_WORDS[card].text, {}), *in_time)


def _dial_details(now: Situation, seat: str) -> tuple[Message, ...]:
    """Returns why a seat is asked to set its dial, and how many of its caballeros that concerns; empty otherwise."""
    if not now.game.dialling or not any(move.verb == "dial" for move in now.game.legal_moves(seat)):
        return ()
    state = now.game.state
    own = state.board[state.region if state.card == "expel" else TOWER][state.setup.index[seat]]
    if state.card is None:
        return (Message(GENERAL_DIAL, {}), Message.using(INSIDE if own else NOBODY_INSIDE, {"count": own}))
    card, actor = state.card, state.setup.name(state.actor)
    why = (Message(PLAYS_CARD, {"seat": actor, "card": card}), Message(CARD_WORDS[card].text, {}))
    if card != "expel":
        return why
    return (*why, Message(CONCERNED, {"count": own, "place": PLACES[state.region]}))


def _slot_choice(slot: Slot, place: str) -> Choice:
    return Choice(f"{slot.value} {place}", meaning=Message(_SLOT_WORDS[slot], {"place": place}))


def _choice(now: Situation, move: Move) -> Choice:
    """Returns a move as a choice. What it means is put into words at once only if it depends on the game."""
    if move.seat == TABLE:
        return Choice(str(move), move)
    line, meaning = " ".join((move.verb, *move.args)), None
    if move.verb == "card":
        meaning = choice_words(move, now.snapshot["open"][move.args[0]])
    elif move.verb == "special":
        meaning = choice_words(move, str(now.game.state.card), bool(lost_by(now.game, move)))
    return Choice(line, move, meaning)

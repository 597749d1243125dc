"""Input from the board: people press places and controls, and tap, lift and set down pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.engine import Message, Move, phrase
from companion.engine.pieces import Piece
from companion.storage.tags import TagRegistry
from companion.table import turns
from companion.table.confirmations import CONFIRM, ending, ending_placing, using
from companion.table.live_game import LiveGame
from companion.table.motions import EMPTY, Motion, Slot, Touch
from companion.table.refusals import ANOTHERS_TURN, lost_by, trouble_words, why_not
from companion.table.replies import ACCEPTED, WAITING, Reply
from hardware.ports import Fault, Trouble

if TYPE_CHECKING:
    from hardware.board import Board

FIRST_THE_BOARD: Final = phrase("First the board must match the game: do what the guide says, or press confirm.")
NOTHING_TO_CONFIRM: Final = phrase("There is nothing to confirm.")


@dataclass(frozen=True)
class TagReaders:
    """The tag readers of a board, and the pieces its tags stand for."""

    modes: Mapping[str, str] = field(default_factory=dict)
    """How each place with a reader reads: `tap` or `inventory`."""
    hubs: Mapping[str, str] = field(default_factory=dict)
    """The hub of each place with a reader."""
    tags: TagRegistry = field(default_factory=TagRegistry)

    @classmethod
    def of(cls, board: Board, tags: TagRegistry) -> TagReaders:
        """Returns the tag readers of a board."""
        readers = {place.name: place.reader for place in board.places.values() if place.reader}
        modes = {place: board.hubs[reader.hub].mode for place, reader in readers.items()}
        return cls(modes, {place: reader.hub for place, reader in readers.items()}, tags)


class BoardInput:
    """Turns what is done at the board into moves."""

    def __init__(self, live: LiveGame, readers: TagReaders) -> None:
        self._live = live
        self._readers = readers

    # Places.

    def touch(self, touch: Touch, seat: str | None = None) -> Reply:
        """Takes a press or a tap at a place.

        :param seat: the seat that taps the place on its phone, where it is told why not; `None` for the board itself.
        """
        live = self._live
        if live.session.stuck:
            return live.refuse_at(touch.place, *live.session.trouble)
        if live.session.vetoing:
            live.interaction.hold(touch)
            return WAITING
        if live.guide() or live.interaction.roll_call:
            return self._refuse(touch.place, seat, Message(FIRST_THE_BOARD, {}))
        meant = live.interaction.confirmations.repeated(touch) if seat is None else None
        reply = self._show(touch, seat) if meant is None else meant.do()
        return reply if reply.why is None else self._refuse(touch.place, seat, reply.why)

    def _refuse(self, place: str, seat: str | None, why: Message) -> Reply:
        live = self._live
        return live.refuse_at(place, why) if seat is None else live.refuse_privately(seat, why)

    def tap(self, tag: str, place: str, gone: bool) -> Reply:
        """Takes in that a tag came to a reader or left it. A tag that is not enrolled does not count."""
        live, piece = self._live, self._readers.tags.get(tag)
        if piece is None:
            return ACCEPTED
        if live.pieces.lists(place):
            self._read(tag, piece, place, gone)
            return ACCEPTED
        self.find(tag, place, gone)
        if gone or live.pieces.mode(place, live.clock()) != "tap":
            return ACCEPTED
        if live.guide() and live.pieces.tap(live.game, piece, place):
            return ACCEPTED
        live.announcements.seen()
        live.interaction.confirmations.next_gesture()
        return self.touch(Touch(place, piece, tag=tag))

    def find(self, tag: str, place: str, gone: bool) -> None:
        """Takes in that a tag came or left while nobody was playing: this is not a move, but the table notes it."""
        live, piece = self._live, self._readers.tags.get(tag)
        if piece is None:
            return
        if live.pieces.lists(place):
            live.pieces.read(turns.allowed(live.game), piece, place, gone, live.clock(), tag)
            live.interaction.drop_move()
        elif gone:
            live.leftovers.went(place, piece)
        elif live.pieces.taps(place):
            live.leftovers.came(place, piece, live.clock())

    def release(self) -> None:
        """Takes the held touches, which were shown while somebody could object, once nobody can."""
        live = self._live
        while live.interaction.held and not live.session.vetoing:
            touch = live.interaction.next_held()
            live.interaction.confirmations.next_gesture()
            if touch == CONFIRM:
                self.confirm()
            elif touch.slot is not None:
                self._follow(touch)
            else:
                self.touch(touch)

    def _show(self, touch: Touch, seat: str | None = None) -> Reply:
        """Takes a touch as a move or as part of one, of the special action only if it can mean nothing else."""
        live, session, interaction = self._live, self._live.session, self._live.interaction
        alone, special = not interaction.half_made, interaction.begins_special
        meaning = interaction.take([] if special else session.motions, touch)
        if meaning.refused and (special or alone):
            special = True
            meaning = interaction.take(session.special_motions, touch, begins_special=True)
        if meaning.refused:
            return Reply.refused(self._why_not(touch))
        if meaning.move is None:
            return ACCEPTED
        if special:
            return self.begin_special(meaning.move, touch, seat, alone)
        return live.play(meaning.move, "person")

    def _why_not(self, touch: Touch) -> Message:
        """Returns why a touch does not fit: by the special action if the piece can only be moved by that."""
        live, session, place, piece = self._live, self._live.session, touch.place, touch.piece
        game, motions, half = live.game, live.motions(), live.interaction.partial
        legal = session.motions
        moved = piece is not None and not any(motion.piece == piece for motion in legal)
        if (live.interaction.begins_special or moved) and (after := turns.begun(game, session.options)) is not None:
            special = live.interaction.possible(session.special_motions)
            if piece is None or any(motion.piece == piece for motion in special):
                game, motions = after, special
        elif not live.interaction.half_made:
            motions = legal
        return why_not(game, session.active_seat, motions, half, place, piece)

    # A special action begun by moving its piece.

    def begin_special(self, step: Move, touch: Touch, seat: str | None, alone: bool = False) -> Reply:
        """Begins the special action and takes its first step; asks first if placing would end or may have been meant.

        :param touch: the gesture that says so.
        :param alone: whether it is the only gesture that does.
        """
        live, session = self._live, self._live.session
        motion = next(each for each in session.special_motions if each.move == step)
        do, card = partial(self._use_card, motion), str(live.game.state.card)
        if lost := lost_by(live.game, Move(step.seat, "special")):
            return live.confirm_first(seat, ending_placing(card, lost, touch, do))
        if alone and touch.piece is None and session.motions:
            return live.confirm_first(seat, using(card, step, self._why_not_placed(touch.place), touch, do))
        return do()

    def _why_not_placed(self, place: str) -> Message:
        live, session = self._live, self._live.session
        return why_not(live.game, session.active_seat, session.motions, EMPTY, place, None)

    def _use_card(self, motion: Motion) -> Reply:
        """Plays `special` and then the step, which waits as long as somebody may object."""
        live, before = self._live, len(self._live.game.moves)
        reply = live.play(Move(motion.move.seat, "special"), "person")
        if reply != ACCEPTED:
            return reply
        if live.session.vetoing:
            for touch in motion.touches:
                live.interaction.hold(touch)
            return WAITING
        if motion.move in live.game.legal_moves():
            return live.play(motion.move, "person")
        if motion.move in live.game.moves[before:]:
            live.pieces.moved(motion, live.game, live.clock())  # the only step there was, which the table has taken
        return ACCEPTED

    def _read(self, tag: str, piece: Piece, place: str, gone: bool) -> None:
        """Takes in that a listing reader saw a piece lifted or set down, for the guide or as a move."""
        live, now_s = self._live, self._live.clock()
        guided = bool(live.guide()) or live.session.stuck
        expected = turns.allowed(live.game)
        nearer = live.pieces.read(expected, piece, place, gone, now_s, tag)
        if live.pieces.mode(place, now_s) != "inventory":
            return
        origins = frozenset[str]() if gone else live.pieces.origins(expected, tag, piece, place)
        touch = Touch(place, piece, Slot.ORIGIN if gone else Slot.TARGET, tag, origins)
        if live.interaction.is_put_back(touch):
            live.interaction.drop_move()
        elif guided or nearer or (len(origins) > 1 and live.pieces.puzzling(expected, piece)):
            return  # a step of the guide, or something for the guide to mention
        elif live.session.vetoing:
            live.interaction.hold(touch)
        else:
            self._follow(touch)

    def _follow(self, touch: Touch) -> None:
        """Takes what a reader saw. If it is not a move, it is refused once people have had time to finish."""
        self._live.interaction.confirmations.next_gesture()
        live, reply = self._live, self._show(touch)
        if reply.why is not None:
            live.announcements.doubt_reading(touch.place, reply.why)
        elif reply != WAITING:
            live.announcements.seen()

    # Controls.

    def confirm(self, seat: str | None = None) -> Reply:
        """Ends what can be ended: a step of the guide, the markers, a bot's wait, placing, a special action, the turn.

        :param seat: the seat that confirms, or `None` when that is not known.
        """
        live, session = self._live, self._live.session
        if session.stuck:
            return live.refuse(*session.trouble)
        if live.interaction.roll_call:
            live.interaction.end_roll_call()
        elif steps := live.guide():
            live.pieces.do(steps[0])
        elif live.markers():
            live.pieces.mark(live.game)
        elif session.vetoing:
            live.interaction.hold(CONFIRM)
            return WAITING
        elif live.waits_for_next:
            return live.go_ahead()
        else:
            return self._end(seat)
        return ACCEPTED

    def _end(self, seat: str | None) -> Reply:
        """Ends placing, a special action or the turn; if something would be lost, only when confirmed twice."""
        live, acting = self._live, self._live.session.active_seat
        meant = live.interaction.confirmations.repeated(CONFIRM) if seat is None else None
        if meant is not None:
            return meant.do()
        legal = live.game.legal_moves(acting) if acting else []
        move = next((move for verb in ("done", "end") for move in legal if move.verb == verb), None)
        if acting is None or move is None:
            return live.refuse_to(seat, Message(NOTHING_TO_CONFIRM, {}))
        if seat not in (None, acting):
            return live.refuse_to(seat, Message(ANOTHERS_TURN, {"seat": acting}))
        return self.play(move, seat)

    def play(self, move: Move, seat: str | None) -> Reply:
        """Plays a legal move, if nothing would be lost by it; otherwise asks first."""
        live = self._live
        do = partial(live.play, move, "person")
        confirmation = ending(live.game, move, do)
        return do() if confirmation is None else live.confirm_first(seat, confirmation)

    # Troubles.

    def trouble(self, trouble: Trouble) -> None:
        """Reports that something at the board fails or works again; buttons replace lost readers."""
        live, places = self._live, []
        if trouble.fault is Fault.LOST_HUB:
            places = [place for place, hub in self._readers.hubs.items() if hub == trouble.where]
        elif trouble.fault is Fault.DEAD_READER:
            places = [trouble.where]
        for place in places:
            if trouble.over:
                live.pieces.find(place, live.game, live.clock())
            else:
                live.pieces.lose(place)
                live.leftovers.forget(place)
        live.announcements.say_also(trouble_words(trouble))

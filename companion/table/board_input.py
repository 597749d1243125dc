"""Input from the board: people press places and controls, and tap, lift and set down pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.engine import Message, phrase
from companion.engine.pieces import Piece
from companion.storage.tags import TagRegistry
from companion.table import turns
from companion.table.live_game import LiveGame
from companion.table.motions import Slot, Touch
from companion.table.refusals import trouble_words, unused, why_not
from companion.table.replies import ACCEPTED, WAITING, Reply
from hardware.ports import Fault, Trouble

if TYPE_CHECKING:
    from hardware.board import Board

CONFIRM: Final = Touch("confirm")

FIRST_THE_BOARD: Final = phrase("First the board must match the game: do what the guide says, or press confirm.")
NOTHING_TO_CONFIRM: Final = phrase("There is nothing to confirm.")
NOT_YOURS: Final = phrase("{seat} plays now.")
CONFIRM_AGAIN: Final = phrase("Press confirm again to end it all the same.")


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

    def touch(self, touch: Touch) -> Reply:
        """Takes a press or a tap at a place."""
        live = self._live
        if live.session.stuck:
            return live.refuse_at(touch.place, *live.session.trouble)
        if live.session.vetoing:
            live.interaction.hold(touch)
            return WAITING
        if live.guide() or live.interaction.roll_call:
            return live.refuse_at(touch.place, Message(FIRST_THE_BOARD, {}))
        reply = self._show(touch)
        return reply if reply.why is None else live.refuse_at(touch.place, reply.why)

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
        return self.touch(Touch(place, piece))

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
            if touch == CONFIRM:
                self.confirm()
            elif touch.slot is not None:
                self._follow(touch)
            else:
                self.touch(touch)

    def _show(self, touch: Touch) -> Reply:
        """Takes a touch as a move or as part of one."""
        live, session = self._live, self._live.session
        meaning = live.interaction.take(session.motions, touch)
        if meaning.refused:
            partial = live.interaction.partial
            return Reply.refused(
                why_not(live.game, session.active_seat, live.motions(), partial, touch.place, touch.piece)
            )
        return ACCEPTED if meaning.move is None else live.play(meaning.move, "person")

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
        live, reply = self._live, self._show(touch)
        if reply.why is not None:
            live.announcements.doubt_reading(touch.place, reply.why)
            return
        live.announcements.seen()

    # Controls.

    def confirm(self, seat: str | None = None) -> Reply:
        """Ends what can be ended: a step of the guide, the markers, placing, a special action, the turn.

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
        else:
            return self._end(seat)
        return ACCEPTED

    def _end(self, seat: str | None) -> Reply:
        """Ends placing, a special action or the turn; if something would be lost, only when confirmed twice."""
        live, acting = self._live, self._live.session.active_seat
        legal = live.game.legal_moves(acting) if acting else []
        ending = next((move for verb in ("done", "end") for move in legal if move.verb == verb), None)
        if acting is None or ending is None:
            return live.refuse(Message(NOTHING_TO_CONFIRM, {}))
        if seat not in (None, acting):
            return live.refuse(Message(NOT_YOURS, {"seat": acting}))
        if len(legal) > 1 and not live.interaction.warned:
            live.interaction.warn()
            live.announcements.say(*unused(live.game, acting), Message(CONFIRM_AGAIN, {}))
            return WAITING
        return live.play(ending, "person")

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

"""What people do at the board: they press places and controls, and tap, lift and set down pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine import Message, phrase
from companion.storage.tags import Piece
from companion.table import turns
from companion.table.course import Course
from companion.table.making import Touch
from companion.table.motions import Slot
from companion.table.refusals import trouble_words, unused, why_not
from hardware.ports import Fault, Trouble

CONFIRM: Final = Touch("confirm")

FIRST_THE_BOARD: Final = phrase("First the board must match the game: do what the guide says, or press confirm.")
NOTHING_TO_CONFIRM: Final = phrase("There is nothing to confirm.")
NOT_YOURS: Final = phrase("{seat} plays now.")
CONFIRM_AGAIN: Final = phrase("Press confirm again to end it all the same.")


class Hands:
    """Turns what is done at the board into moves.

    :param hubs: of each place with a reader, the hub it hangs on.
    :param known: what each enrolled tag stands for; more may come to it while the game goes on.
    """

    def __init__(self, course: Course, hubs: Mapping[str, str], known: Mapping[str, Piece]) -> None:
        self._course = course
        self._hubs = dict(hubs)
        self._known = known

    # Places.

    def touch(self, touch: Touch) -> None:
        """Something was shown at a place, by a press or a tap."""
        course = self._course
        if course.keeper.stuck:
            course.refuse(touch.place, *course.keeper.trouble)
        elif course.vetoing:
            course.held.append(touch)
        elif course.guide() or course.roll_call:
            course.refuse(touch.place, Message(FIRST_THE_BOARD, {}))
        elif why := self._show(touch):
            course.refuse(touch.place, why)

    def tap(self, tag: str, place: str, gone: bool) -> None:
        """A tag came to a reader or went from it; one that nobody enrolled does not count."""
        course, piece = self._course, self._known.get(tag)
        if piece is None:
            return
        self.find(tag, place, gone)
        if gone or course.pieces.lists(place) or course.pieces.mode(place, course.clock()) != "tap":
            return
        if not (course.guide() and course.pieces.tap(course.game, piece, place)):
            course.attend()
            self.touch(Touch(place, piece))

    def find(self, tag: str, place: str, gone: bool) -> None:
        """A tag came or went while nobody played: that is no move, but the table knows it from now on."""
        course, piece = self._course, self._known.get(tag)
        if piece is None:
            return
        if course.pieces.lists(place):
            self._read(Touch(place, piece, Slot.ORIGIN if gone else Slot.TARGET), piece)
        elif gone:
            course.lingering.went(place, piece)
        elif course.pieces.taps(place):
            course.lingering.came(place, piece, course.clock())

    def release(self) -> None:
        """What was shown while somebody could object counts as soon as nobody can."""
        course = self._course
        while course.held and not course.vetoing:
            touch = course.held.pop(0)
            if touch == CONFIRM:
                self.confirm()
            elif touch.slot is not None:
                self._follow(touch)
            else:
                self.touch(touch)

    def _show(self, touch: Touch) -> Message | None:
        """Takes what was shown as a move, or a bit of one; why that cannot be, if it cannot."""
        course, motions = self._course, self._course.motions
        shown = course.making.take(motions, touch)
        if shown.refused:
            return why_not(course.game, course.at_turn, motions, course.making.hand, touch.place, touch.piece)
        if shown.move is not None:
            course.play(shown.move, "person")
        return None

    def _read(self, touch: Touch, piece: Piece) -> None:
        """A reader that lists saw a piece lifted or set down: as the guide wants it, or as a move."""
        course, now_s = self._course, self._course.clock()
        guided = bool(course.guide()) or course.keeper.stuck
        expected = turns.allowed(course.game)
        nearer = course.pieces.read(expected, piece, touch.place, touch.slot is Slot.ORIGIN, now_s)
        if course.pieces.mode(touch.place, now_s) != "inventory":
            return
        if course.making.put_back(touch):
            course.making.empty()
        elif guided or nearer:
            return
        elif course.vetoing:
            course.held.append(touch)
        else:
            self._follow(touch)

    def _follow(self, touch: Touch) -> None:
        """Takes what a reader saw; if that is no move, the guide says so when hands have had their time."""
        course, why = self._course, self._show(touch)
        if why is not None:
            course.doubt = (touch.place, why)
            return
        course.attend()
        if course.making.half and touch.slot is Slot.TARGET:
            # It may have been lifted while another piece was on its way.
            moves = course.pieces.meant(course.game, course.options)
            if len(moves) == 1:
                course.play(moves[0], "person")

    # Controls.

    def confirm(self, seat: str | None = None) -> None:
        """Ends what can be ended: a step of the guide, the markers, placing, a special action, the turn.

        :param seat: who says so, if that is known.
        """
        course = self._course
        if course.keeper.stuck:
            course.say(*course.keeper.trouble)
        elif course.roll_call:
            course.roll_call = ()
        elif steps := course.guide():
            course.pieces.do(steps[0])
        elif course.markers():
            course.pieces.mark(course.game)
        elif course.vetoing:
            course.held.append(CONFIRM)
        else:
            self._end(seat)

    def _end(self, seat: str | None) -> None:
        """Ends placing, a special action or the turn; if something would be lost, only when it is said twice."""
        course, acting = self._course, self._course.at_turn
        legal = course.game.legal_moves(acting) if acting else []
        ending = next((move for verb in ("done", "end") for move in legal if move.verb == verb), None)
        if acting is None or ending is None:
            course.say(Message(NOTHING_TO_CONFIRM, {}))
        elif seat not in (None, acting):
            course.say(Message(NOT_YOURS, {"seat": acting}))
        elif len(legal) > 1 and not course.warned:
            course.warned = True
            course.say(*unused(course.game, acting), Message(CONFIRM_AGAIN, {}))
        else:
            course.play(ending, "person")

    # Troubles.

    def trouble(self, trouble: Trouble) -> None:
        """Something is wrong with the board, or is well again: people are told, and buttons take the readers' part."""
        course, places = self._course, []
        if trouble.fault is Fault.LOST_HUB:
            places = [place for place, hub in self._hubs.items() if hub == trouble.where]
        elif trouble.fault is Fault.DEAD_READER:
            places = [trouble.where]
        for place in places:
            if trouble.over:
                course.pieces.find(place, course.game, course.clock())
            else:
                course.pieces.lose(place)
                course.lingering.forget(place)
        words = trouble_words(trouble)
        course.say(*(notice for notice in course.notices if notice != words), words)

"""The table: takes gestures from a queue, turns them into moves, saves them, and shows displays the result.

    gesture ─> move (or half a move, or a refusal with its reason) ─> journal ─> game ─> moment ─> displays

It is the only writer of the game, and works in one thread, the one that calls `poll` and `wait`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from companion.bots.worker import in_short
from companion.engine import Game, Message
from companion.table.announcements import Announcements
from companion.table.board_input import BoardInput, TagReaders
from companion.table.bot_process import Advice, Thought
from companion.table.bot_turn import BotTurn, Thinker
from companion.table.gestures import BEFORE_SHOWING, Gesture, GestureQueue
from companion.table.hints import Hints
from companion.table.interaction import Interaction
from companion.table.journal_writer import SAVED
from companion.table.leftover_tags import LeftoverTags
from companion.table.lights_display import LightsDisplay
from companion.table.live_game import LiveGame
from companion.table.mixing import MixAnswer, Mixing
from companion.table.moment import Display, Moment
from companion.table.moment_builder import MomentBuilder
from companion.table.motions import Touch
from companion.table.phone_input import ChangePlayer, PhoneInput, SeatLine
from companion.table.piece_tracker import PieceTracker
from companion.table.prompts import roll_call
from companion.table.replies import ACCEPTED, WAITING, Reply, SendReply
from companion.table.seat_guard import PhonePresence, SeatGuard
from companion.table.seat_requests import Knock, KnockToManage, SeatRequests, TakeSeat
from companion.table.session import Session
from companion.table.undo_input import UndoInput
from companion.table.veto_clock import VetoClock
from companion.table.workshop_hold import TryBoard, WorkshopHold
from hardware.ports import Fault, Lights, Press, Tap, Trouble

_LOG: Final = logging.getLogger(__name__)


class Table:
    """A game at a table, with everything around it.

    :param session: the game, its journal and what was agreed.
    :param lights: the lights of the board, which are updated first.
    :param displays: the displays that are shown every moment, in this order.
    :param bots: the bots for the seats that people do not play.
    :param readers: the tag readers of the board.
    :param resumed: whether the game was begun before, so that people are asked to check what lies where.
    :param clock: seconds that only go forward.
    :param notices: what people are shown first.
    """

    def __init__(
        self,
        session: Session,
        lights: Lights,
        displays: Sequence[Display] = (),
        bots: Thinker | None = None,
        readers: TagReaders | None = None,
        resumed: bool = False,
        clock: Callable[[], float] = time.monotonic,
        notices: Sequence[Message] = (),
    ) -> None:
        readers = readers or TagReaders()
        guided = session.options.guided
        pieces = PieceTracker(session.game, readers.modes, guided, clock())
        listed = [place for place in readers.modes if pieces.lists(place)]
        to_check = roll_call(session.game, listed) if resumed and guided else ()
        self._live = LiveGame(
            session, Interaction(to_check), Announcements(), pieces, LeftoverTags(), VetoClock(), BotTurn(bots),
            Hints(bots), clock,
        )  # fmt: skip
        self._live.announcements.say(*notices)
        self._board = BoardInput(self._live, readers)
        self._undo = UndoInput(self._live)
        self._guard = SeatGuard(self._live)
        self._phones = PhoneInput(self._live, self._board, self._undo, self._guard)
        self._requests = SeatRequests(self._live, Random(), self._guard)
        self._workshop = WorkshopHold(self._live, self._board)
        self._mixing = Mixing(self._live)
        self._builder = MomentBuilder(self._live, self._requests, self._workshop, self._mixing)
        self._lights = LightsDisplay(lights)
        self._displays = tuple(displays)
        self._failed: set[int] = set()
        """The indices of the displays that failed when they were last shown something."""
        self._clock = clock
        self._gestures = GestureQueue()
        self._replies: list[tuple[SendReply, Reply]] = []
        self._ticked_s = clock()
        """When everything that was due was last done."""
        self._shown: Moment | None = None

    # Current state, for the thread of the table.

    @property
    def game(self) -> Game:
        """The game at its current point."""
        return self._live.game

    @property
    def session(self) -> Session:
        """The game with its journal and what was agreed."""
        return self._live.session

    # Gestures.

    def post(self, gesture: Gesture, reply: SendReply | None = None) -> None:
        """Takes a gesture, from any thread.

        A press is acknowledged with light at once, whatever comes of it.

        :param reply: is called once, in the table's thread, with the reply to the gesture, when everything that follows
            from it is on disk and shown.
        """
        if isinstance(gesture, Press) and not gesture.long:
            self._lights.acknowledge(gesture.button)
        self._gestures.put(gesture, reply)

    def wake(self) -> None:
        """Ends the current wait, or the next one. May be called from any thread."""
        self._gestures.wake()

    def wait(self, seconds: float | None) -> None:
        """Waits for a gesture, at most this many seconds, and then does what is due."""
        self._gestures.wait(seconds)
        self.poll()

    def poll(self) -> float | None:
        """Does everything that is due. Shows what has changed after a few gestures, however many are waiting.

        Returns the seconds until something is due again, or `None` when nothing is due before the next gesture.
        """
        for gesture, reply in self._gestures.take(BEFORE_SHOWING):
            self._take(gesture, reply)
        before, being_read = self.session.version, self._being_read()
        self._tick()
        self._refresh()
        self._send_replies()
        settled = self.session.version == before and self._being_read() == being_read and self._gestures.empty
        return self._due_s() if settled else 0.0

    def _take(self, gesture: Gesture, reply: SendReply | None) -> None:
        answer = self._workshop.takes(gesture) or self._handle(gesture)
        if answer is ACCEPTED and self.session.unsaved:
            # It has taken effect, but only in memory.
            answer = WAITING
        if reply is not None:
            self._replies.append((reply, answer))

    def _handle(self, gesture: Gesture) -> Reply:
        self._attend(gesture)
        answer = self._dispatch(gesture)
        self._board.release()
        return answer

    def _dispatch(self, gesture: Gesture) -> Reply:
        match gesture:
            case Press("undo", True):
                return self._undo.hold()
            case Press(place, True):
                # A refused press that is held down: somebody wants to let a phone in.
                return self._requests.open_seats() if place in self._live.announcements.wrong else ACCEPTED
            case Press("undo"):
                return self._undo.press()
            case Press("confirm"):
                return self._board.confirm()
            case Press(place):
                return ACCEPTED if self._requests.pressed(place) else self._board.touch(Touch(place))
            case Tap(tag, place, gone):
                return self._board.tap(tag, place, gone)
            case SeatLine():
                return self._phones.hear(gesture)
            case ChangePlayer():
                return self._phones.change_player(gesture)
            case TakeSeat():
                return self._requests.take_seat(gesture)
            case Knock() | KnockToManage():
                lit = self._lights.scene
                return self._requests.knock(gesture, lit.places if lit else ())
            case PhonePresence():
                self._guard.notice(gesture)
            case MixAnswer():
                return self._mixing.hear(gesture)
            case TryBoard():
                return self._workshop.hear(gesture)
            case Thought():
                self._live.bot.decided(gesture, self.session.version)
            case Advice():
                self._live.hints.advised(self._live.game, gesture)
            case Trouble():
                self._board.trouble(gesture)
        return ACCEPTED

    def _attend(self, gesture: Gesture) -> None:
        """Removes notices, which have been seen, and warnings, which count only for the very next gesture."""
        if isinstance(gesture, Press | SeatLine):
            self._live.announcements.seen()
        if isinstance(gesture, Press):
            self._live.announcements.end_show()
        match gesture:
            case Press(_, False):
                self._live.interaction.confirmations.next_gesture()
            case SeatLine():
                self._live.interaction.confirmations.forget_warning()

    # Time.

    def _tick(self) -> None:
        live, session, now_s = self._live, self._live.session, self._clock()
        self._ticked_s = now_s
        live.announcements.tick(now_s, self._being_read())
        self._requests.tick(now_s)
        self._workshop.tick(now_s)
        if live.announcements.doubt is not None and live.guide():
            live.announcements.refuse_doubt(now_s)
        if session.try_saving(now_s):
            live.announcements.say(Message(SAVED, {}))
        if session.stuck or self._workshop.held:
            return
        self._mixing.tick(now_s)
        if self._mixing.holds_up_the_first_deal:
            return
        live.go_on()
        if live.interaction.proposal is not None:
            return
        move = live.veto.ran_out(live.game, session.options, now_s) if session.vetoing else None
        if move is not None:
            live.play(move, "table")
        elif (thought := self._bot_move(now_s)) is not None:
            live.bot.made(thought.move)
            live.play(thought.move, "bot", because=thought.because)
        self._board.release()

    def _bot_move(self, now_s: float) -> Thought | None:
        """Returns the move that a bot makes now. It waits for people who move pieces, watch a scoring or read."""
        live, session = self._live, self._live.session
        if live.busy():
            return None
        thought = live.bot.move(live.game, session.options, session.version, now_s)
        watching = live.announcements.frame is not None and session.options.bot_pause_s
        reading = self._being_read() and not live.bot.told(session.version)
        return None if watching or reading else thought

    def _being_read(self) -> bool:
        """Returns whether scorings and bots wait for somebody to read a lesson; at the pace `instant` nothing waits."""
        until_s = self._reading_until_s()
        return until_s is not None and self._clock() < until_s

    def _reading_until_s(self) -> float | None:
        session = self._live.session
        return session.lessons.read_until_s(session.holders) if session.options.bot_pause_s else None

    def _due_s(self) -> float | None:
        """Returns the seconds until something is due. What was due at the last tick was done, or waits for somebody.

        What has become due since then, while people were shown the moment, is due at once.
        """
        live, now_s = self._live, self._clock()
        waits = (
            live.veto, live.bot, live.session, live.pieces, live.announcements, live.leftovers, self._requests,
            self._workshop, self._mixing,
        )  # fmt: skip
        due = [each.due_s() for each in waits] + [self._reading_until_s()]
        left_s = [max(0.0, due_s - now_s) for due_s in due if due_s is not None and due_s > self._ticked_s]
        return min(left_s, default=None)

    # Showing.

    def _refresh(self) -> None:
        """Shows what has changed: the lights first, then every display."""
        now = self._builder.situation()
        scene = self._builder.scene(now)
        self._lights.show(scene)
        moment = self._builder.moment(now, scene)
        last, self._shown = self._shown, moment
        lessons = {seat: seen.lesson.name for seat, seen in moment.seats.items() if seen.lesson is not None}
        self.session.lessons.shown(lessons, self._clock())
        if last is not None and moment.same_for_people(last) and moment.scene == last.scene:
            return
        for index, display in enumerate(self._displays):
            self._show(index, display, moment)

    def _show(self, index: int, display: Display, moment: Moment) -> None:
        """Shows a display a moment. A display that fails is reported and does not affect the others."""
        try:
            display.show(moment)
        except Exception as error:
            if index not in self._failed:
                # Its kind and where it happened; its words might tell what only one seat may know.
                _LOG.error("a display failed: %s", in_short(error))
                self._failed.add(index)
                self.post(Trouble(Fault.FAILED_DISPLAY, type(display).__name__, type(error).__name__))
        else:
            if index in self._failed:
                self._failed.discard(index)
                self.post(Trouble(Fault.FAILED_DISPLAY, type(display).__name__, over=True))

    def _send_replies(self) -> None:
        replies, self._replies = self._replies, []
        for send, reply in replies:
            try:
                send(reply)
            except Exception:
                _LOG.exception("a reply could not be sent")

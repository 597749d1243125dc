"""The table: takes gestures off one queue, turns them into moves, keeps them, and shows what comes of it.

    gesture ─> move (or half a move, or a refusal with its reason) ─> journal ─> game ─> scene and prompts

It is the one writer of the game. All of it happens in `poll`, in one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from queue import Empty, SimpleQueue
from random import Random

from companion.engine import Game, Message
from companion.storage.tags import Piece
from companion.table import showing
from companion.table.board_input import Hands
from companion.table.bot_process import Thought
from companion.table.course import Course
from companion.table.journal_writer import SAVED, Keeper
from companion.table.making import Touch
from companion.table.motions import Hand, Motion
from companion.table.options import Options
from companion.table.phone_input import Listener, Said
from companion.table.piece_tracker import Follower
from companion.table.playing import Playing
from companion.table.prompts import Board, Phones
from companion.table.seat_holders import Joining, Knock, Seated
from companion.table.showing import Situation, roll_call
from companion.table.taking_back import TakingBack
from companion.table.waiting import BotTurn, Thinks
from companion.table.workshop_hold import Trial, Try
from hardware.ports import Gesture, Lights, Press, Scene, Tap, Trouble

Heard = Gesture | Said | Seated | Knock | Thought | Try


class Table:
    """A game at a table, with everything around it.

    :param game: the game, as far as it has gone.
    :param made_by: who made each of its moves: `person`, `bot` or `table`.
    :param fixed: how many of its moves stand for good, because cards were turned up after them.
    :param holders: which phone holds which seat.
    :param modes: of each place with a reader, `tap` or `inventory`.
    :param hubs: of each place with a reader, the hub it hangs on.
    :param known: what each enrolled tag stands for.
    :param resumed: whether the game goes on from before: then people are asked to check what lies where.
    """

    def __init__(
        self,
        game: Game,
        keeper: Keeper,
        options: Options,
        seed: int,
        lights: Lights,
        phones: Phones,
        thinkers: Thinks | None = None,
        modes: Mapping[str, str] | None = None,
        hubs: Mapping[str, str] | None = None,
        known: Mapping[str, Piece] | None = None,
        made_by: Sequence[str] = (),
        fixed: int = 0,
        holders: Mapping[str, str] | None = None,
        resumed: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        modes = modes or {}
        pieces = Follower(game, modes, options.guided, clock())
        playing = Playing(game, keeper, seed, made_by, fixed)
        self._course = Course(game, options, keeper, playing, pieces, BotTurn(thinkers), clock)
        if resumed and options.guided:
            self._course.roll_call = roll_call(game, [place for place in modes if pieces.lists(place)])
        self._hands = Hands(self._course, hubs or {}, known or {})
        self._taking_back = TakingBack(self._course)
        self._joining = Joining(self._course, holders or {}, Random())
        self._trial = Trial(self._course, self._hands)
        self._listener = Listener(self._course, self._hands, self._taking_back, self._joining)
        self._lights = lights
        self._phones = phones
        self._clock = clock
        self._queue: SimpleQueue[Heard | None] = SimpleQueue()
        self._shown: tuple[Scene, Board] | None = None

    # What is the case.

    @property
    def game(self) -> Game:
        """The game, as far as it has gone."""
        return self._course.game

    @property
    def options(self) -> Options:
        """What is agreed: players may change in the middle of a game."""
        return self._course.options

    @property
    def version(self) -> int:
        """The number of entries in the journal."""
        return self._course.version

    @property
    def holders(self) -> Mapping[str, str]:
        """Which phone holds which seat."""
        return self._joining.holders

    @property
    def tried(self) -> bool:
        """Whether the workshop has the board, so that the game waits."""
        return self._trial.scene is not None

    @property
    def made_by(self) -> tuple[str, ...]:
        """Who made each move: `person`, `bot` or `table`."""
        return tuple(self._course.playing.made_by)

    @property
    def hand(self) -> Hand:
        """What has been shown of a move so far."""
        return self._course.making.hand

    @property
    def asking(self) -> bool:
        """Whether a phone is asked what a gesture on the board meant."""
        return self._course.making.asking

    @property
    def motions(self) -> list[Motion]:
        """The moves that can be shown on the board now."""
        return self._course.motions

    # Gestures.

    def post(self, gesture: Heard) -> None:
        """Takes a gesture, from any thread. A press is acknowledged by light at once, whatever becomes of it."""
        if isinstance(gesture, Press) and not gesture.long:
            self._lights.acknowledge(gesture.button)
        self._queue.put(gesture)

    def wake(self) -> None:
        """Ends the wait that is under way, or the next one; from any thread."""
        self._queue.put(None)

    def wait(self, seconds: float | None) -> None:
        """Waits until there is a gesture, or so many seconds, and does what is due."""
        try:
            gesture = self._queue.get(timeout=seconds)
        except Empty:
            gesture = None
        if gesture is not None:
            self._handle(gesture)
        self.poll()

    def poll(self) -> float | None:
        """Does all that is due. Returns the seconds until something is due again; none: until the next gesture."""
        while True:
            try:
                gesture = self._queue.get_nowait()
            except Empty:
                break
            if gesture is not None:
                self._handle(gesture)
        before = self.version
        self._tick()
        self._refresh()
        return self._due_s() if self.version == before and self._queue.empty() else 0.0

    def _handle(self, gesture: Heard) -> None:
        if self._trial.takes(gesture):
            return
        self._attend(gesture)
        match gesture:
            case Press("undo", True):
                self._taking_back.hold()
            case Press(place, True):
                # A press that meant nothing, and now it is held: somebody wants to let a phone in.
                if place in self._course.wrong:
                    self._joining.open_seats()
            case Press("undo"):
                self._taking_back.press()
            case Press("confirm"):
                self._hands.confirm()
            case Press(place) if self._joining.pressed(place):
                pass
            case Press(place):
                self._hands.touch(Touch(place))
            case Tap(tag, place, gone):
                self._hands.tap(tag, place, gone)
            case Trouble():
                self._hands.trouble(gesture)
            case Said():
                self._listener.hear(gesture)
            case Seated():
                self._joining.seat(gesture)
            case Knock():
                self._joining.knock(gesture, self._shown[0].places if self._shown else ())
            case Thought():
                self._course.bot.heard(gesture, self.version)
            case Try():
                self._trial.hear(gesture)
        self._hands.release()

    def _attend(self, gesture: Heard) -> None:
        """What was shown before has been seen; what waits for a second `confirm` waits no longer for any other."""
        if isinstance(gesture, Press | Said):
            self._course.attend()
        if isinstance(gesture, Press | Said | Tap):
            confirmed = gesture == Press("confirm") or (isinstance(gesture, Said) and gesture.line.strip() == "confirm")
            self._course.warned &= confirmed

    # Time.

    def _tick(self) -> None:
        course, now_s = self._course, self._clock()
        course.wrong = {place: until_s for place, until_s in course.wrong.items() if until_s > now_s}
        course.parade.go_on(now_s)
        self._joining.go_on(now_s)
        self._trial.go_on(now_s)
        if course.doubt is not None and course.guide():
            course.refuse(*course.doubt)
            course.doubt = None
        if course.keeper.try_again(now_s):
            course.say(Message(SAVED, {}))
        if course.keeper.stuck or self.tried:
            return
        course.go_on()
        if course.proposal is not None:
            return
        move = course.veto.ran_out(course.game, course.options, now_s) if course.vetoing else None
        if move is not None:
            course.play(move, "table")
        elif not course.busy() and (move := course.bot.move(course.game, course.options, self.version, now_s)):
            course.play(move, "bot")
        self._hands.release()

    def _due_s(self) -> float | None:
        course, now_s = self._course, self._clock()
        waits = (course.veto, course.bot, course.keeper, course.pieces, course.parade, course.lingering)
        at_the_board = (self._joining, self._trial)
        dues = [due_s for each in (*waits, *at_the_board) if (due_s := each.due_s()) is not None]
        dues += course.wrong.values()
        later = [due_s - now_s for due_s in dues if due_s > now_s]
        return min(later) if later else None

    # Showing.

    def _refresh(self) -> None:
        """Shows what has changed, on the lights and on the phones."""
        now = self._situation()
        scene = self._trial.scene or self._course.parade.scene or showing.scene(now)
        if self._shown is None or scene != self._shown[0]:
            # Before the phones' many words are put together: the light is what the eye waits for.
            self._lights.show(scene)
        board = showing.board(now)
        if self._shown is None or board != self._shown[1]:
            self._phones.show(board)
        self._shown = (scene, board)

    def _situation(self) -> Situation:
        course, making, trouble = self._course, self._course.making, self._course.keeper.trouble
        proposal, door = course.proposal, self._joining.door
        return Situation(
            game=course.game,
            snapshot=course.game.snapshot(),
            options=course.options,
            version=course.version,
            at_turn=course.at_turn,
            motions=course.motions,
            hand=making.hand,
            choices=making.choices,
            slots=making.slots,
            slot_place=making.touch.place if making.touch else "",
            steps=course.guide(),
            markers=course.markers(),
            roll_call=course.roll_call,
            undo_count=proposal.count if proposal else 0,
            undo_missing=proposal.missing(course.persons) if proposal else (),
            unsaved=trouble[0] if course.keeper.stuck else None,
            told=course.told,
            wrong=frozenset(course.wrong),
            listing=course.pieces.listing,
            holders=self._joining.holders,
            knocking=door.knock.seat if door.knock else None,
            door=door.place,
            seats_open=bool(door.open_until_s),
            notices=(
                *self._trial.words,
                *trouble,
                *course.lingering.words(course.clock()),
                *(notice for notice in course.notices if notice not in trouble),
                *course.played,
            ),
            waiting_s=course.options.veto_s or None if course.vetoing else None,
        )


__all__ = ["Heard", "Knock", "Said", "Seated", "Table", "Try"]

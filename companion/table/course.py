"""The course of a game at a table: what is under way, what is shown for a while, and what is waited for.

Hands, phones, undo and the clock all work on it. It plays moves, each kept before anybody sees what comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from companion.engine import TABLE, Game, Message, Move
from companion.engine.words import move_words
from companion.storage.journal import Entry
from companion.table import turns
from companion.table.guide import Step
from companion.table.journal_writer import Keeper
from companion.table.leftover_tags import Lingering
from companion.table.making import Making, Touch, motions_shown
from companion.table.motions import Motion, motion_of
from companion.table.options import Options
from companion.table.piece_tracker import Follower
from companion.table.playing import Playing
from companion.table.scoring_show import Parade
from companion.table.showing import scoring_shows
from companion.table.undoing import Proposal
from companion.table.waiting import BotTurn, VetoClock

WRONG_S: Final = 1.5
"""How long a place blinks red."""


class Course:
    """A game that is being played at a table."""

    def __init__(
        self,
        game: Game,
        options: Options,
        keeper: Keeper,
        playing: Playing,
        pieces: Follower,
        bot: BotTurn,
        clock: Callable[[], float],
    ) -> None:
        self.game = game
        self.options = options
        self.keeper = keeper
        self.playing = playing
        self.pieces = pieces
        self.clock = clock

        # What is under way.
        self.making = Making()
        self.warned = False
        """Whether people know what they would lose by ending."""
        self.held: list[Touch] = []
        """What was shown while somebody may object to the step before it."""
        self.proposal: Proposal | None = None
        self.roll_call: tuple[Message, ...] = ()
        """What should lie where, until people have checked it."""

        # What is shown for a while.
        self.wrong: dict[str, float] = {}
        """The places that blink red, and until when."""
        self.doubt: tuple[str, Message] | None = None
        """Where a reader saw what is no move, and why it is none: told when hands have had their time."""
        self.notices: tuple[Message, ...] = ()
        self.played: tuple[Message, ...] = ()
        """What the table has played by itself."""
        self.told: dict[str, Message] = {}
        """What single seats are told."""
        self.parade = Parade()
        self.lingering = Lingering()

        # What is waited for.
        self.asked_at = keeper.version
        """The version from which on an answer to what is asked now counts."""
        self.veto = VetoClock()
        self.bot = bot

    # What is the case.

    @property
    def version(self) -> int:
        """The number of entries in the journal."""
        return self.keeper.version

    @property
    def at_turn(self) -> str | None:
        """The seat whose gestures on the board count."""
        return turns.at_turn(self.game, self.options)

    @property
    def motions(self) -> list[Motion]:
        """The moves that can be shown on the board now."""
        return turns.motions(self.game, self.options)

    @property
    def vetoing(self) -> bool:
        """Whether a step waits for somebody who may object."""
        return turns.vetoing(self.game)

    @property
    def persons(self) -> list[str]:
        """The seats that people hold."""
        return turns.persons(self.game, self.options)

    @property
    def actor(self) -> str | None:
        """The seat whose turn it is, also while others are asked."""
        return self.game.view(None)["turn"]["actor"]

    def guide(self) -> list[Step]:
        """The steps that the guide asks for now: not while somebody makes a move, or may object to one."""
        if self.making.half or self.vetoing or not self.pieces.speaks(self.clock()):
            return []
        return self.pieces.steps(self.game)

    def markers(self) -> dict[str, int]:
        """The score markers to move now."""
        return self.pieces.markers(self.game)

    def busy(self) -> bool:
        """Whether people still have something to do to the pieces."""
        return bool(self.roll_call or self.markers() or self.guide())

    # What is said.

    def say(self, *notices: Message) -> None:
        """Tells everybody something, until somebody does the next thing."""
        self.notices = notices

    def refuse(self, place: str, *why: Message) -> None:
        """Says why not, and has the place blink red."""
        self.wrong[place] = self.clock() + WRONG_S
        self.say(*why)

    def attend(self) -> None:
        """Somebody does something: what was shown before has been seen."""
        self.notices = ()
        self.parade.cut()

    # What happens.

    def play(self, move: Move, by: str, shown: bool = True) -> None:
        """Plays a move and all that follows by itself: kept as a whole before anybody sees any of it.

        :param shown: whether people have moved its piece just now, so that the table must believe it.
        """
        game, snapshot, scorings = self.game, self.game.snapshot(), len(self.game.scorings)
        dropped = motions_shown(game, self.options, self.held) if move.verb == "veto" else []
        entries = self.playing.play(move, by, not self.options.real_cards, self.clock())
        if not entries:
            self.keeper.postpone(partial(self.play, move, by, shown))
            return
        self._tell(entries if by == "table" else entries[1:])
        self.changed(only_dialled=move.verb == "dial" and turns.dialling(game))
        motion = motion_of(move, snapshot)
        made = [motion] if by == "person" and motion is not None and shown else []
        for each in (*made, *dropped):
            self.pieces.moved(each, game, self.clock())
        if move.verb == "veto":
            self.held.clear()
        if game.scorings[scorings:]:
            self.parade.add(scoring_shows(game, scorings), self.clock())

    def go_on(self) -> None:
        """Plays what nobody has to decide, at the very beginning and after a start."""
        entries = self.playing.go_on(not self.options.real_cards, self.clock())
        if entries:
            self._tell(entries)
            self.changed()
        elif self.keeper.stuck:
            self.keeper.postpone(self.go_on)

    def take_back(self, count: int) -> None:
        """Takes moves back."""
        if not self.playing.take_back(count, self.clock()):
            self.keeper.postpone(partial(self.take_back, count))
            return
        self.played = ()
        self.held.clear()
        self.parade.cut()
        self.changed()

    def changed(self, only_dialled: bool = False) -> None:
        """The game is not as it was: what was said or thought about it before does not count any more."""
        self.making.empty()
        self.pieces.settled()
        self.warned = False
        self.doubt = None
        self.proposal = None
        self.told.clear()
        self.veto.forget()
        if not only_dialled:  # the dials of others are nothing to who still has to set one
            self.asked_at = self.version

    def _tell(self, entries: Sequence[Entry]) -> None:
        """Has people told what the table played by itself: not what it dealt, and no secrets."""
        moves = [Move.parse(entry.line) for entry in entries]
        told = [move for move in moves if move.seat != TABLE and move.verb not in turns.SECRET]
        self.played = tuple(map(move_words, told))

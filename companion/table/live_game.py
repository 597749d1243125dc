"""The live game: its session, the interaction under way, the announcements, and the pieces on the board.

Each of them writes its own state. `LiveGame` plays moves and notifies each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from companion.engine import PLACES, Game, Message, Move, phrase
from companion.engine.views import SECRET_VERBS
from companion.engine.words import move_words
from companion.storage.journal import Entry
from companion.table.announcements import Announcements
from companion.table.bot_turn import BotTurn
from companion.table.confirmations import Confirmation
from companion.table.guide import GuideStep
from companion.table.hints import Hints
from companion.table.interaction import Interaction, motions_shown
from companion.table.leftover_tags import LeftoverTags
from companion.table.motions import Motion, motion_of
from companion.table.options import STEP
from companion.table.piece_tracker import PieceTracker
from companion.table.replies import ACCEPTED, WAITING, Reply
from companion.table.scene import scoring_frames
from companion.table.session import Session
from companion.table.turns import allowed
from companion.table.veto_clock import VetoClock

DIAL_FORCED: Final = phrase("Your dial is set to {place}: it was the only choice.")


class LiveGame(NamedTuple):
    """A game in progress at a table, and the owners of everything around it."""

    session: Session
    interaction: Interaction
    announcements: Announcements
    pieces: PieceTracker
    leftovers: LeftoverTags
    veto: VetoClock
    bot: BotTurn
    hints: Hints
    clock: Callable[[], float]

    @property
    def game(self) -> Game:
        """The game at its current point."""
        return self.session.game

    def motions(self) -> list[Motion]:
        """Returns the moves that can be shown on the board now, after what has been shown already.

        If there is nothing to place, or half a move says so, they are those of the special action still to be begun.
        """
        motions = [] if self.interaction.begins_special else self.session.motions
        return self.interaction.possible(motions or self.session.special_motions)

    def guide(self) -> list[GuideStep]:
        """Returns the steps the guide asks for now. Empty while somebody is making a move or may object to one."""
        quiet = self.interaction.half_made or self.session.vetoing or not self.pieces.speaks(self.clock())
        return [] if quiet else self.pieces.steps(self.game)

    def markers(self) -> dict[str, int]:
        """Returns the score markers to move now, by seat, and where to."""
        return self.pieces.markers(self.game)

    def busy(self) -> bool:
        """Returns whether people still have to do something to the pieces."""
        return bool(self.interaction.roll_call or self.markers() or self.guide())

    # Refusing.

    def refuse(self, *why: Message) -> Reply:
        """Shows everybody why something is refused."""
        self.announcements.say(*why)
        return Reply.refused(why[0])

    def refuse_at(self, place: str, *why: Message) -> Reply:
        """Shows everybody why something is refused, and makes its place blink red."""
        self.announcements.refuse(place, *why, now_s=self.clock())
        return Reply.refused(why[0])

    def refuse_to(self, seat: str | None, *why: Message) -> Reply:
        """Shows why something is refused: the seat that sent it, or everybody when it was done at the board."""
        return self.refuse(*why) if seat is None else self.refuse_privately(seat, why[0])

    def refuse_privately(self, seat: str, why: Message) -> Reply:
        """Shows one seat why something is refused."""
        self.announcements.tell(seat, why)
        return Reply.refused(why)

    def confirm_first(self, seat: str | None, confirmation: Confirmation) -> Reply:
        """Asks a seat on its own page whether something is meant, or warns people at the board."""
        if seat is None:
            self.interaction.confirmations.warn(confirmation)
            self.announcements.say(*confirmation.lost, confirmation.press)
        else:
            self.interaction.confirmations.ask(seat, confirmation)
        return WAITING

    def wait_for_disk(self, action: Callable[[], object]) -> Reply:
        """Repeats an action when it can be saved; until then, the reply is that it waits."""
        return WAITING if self.session.postpone(action) else self.refuse(*self.session.trouble)

    # Playing.

    def play(self, move: Move, by: str, shown: bool = True, because: Message | None = None) -> Reply:
        """Plays a move and everything that follows automatically, all saved before anybody sees any of it.

        :param shown: whether people have just moved its piece, so that the table must believe it. Otherwise, a person's
            move explains how the pieces already lie.
        :param because: why a bot makes the move.
        """
        shown = shown and not self.interaction.explains(move)
        game, session, now_s = self.game, self.session, self.clock()
        snapshot, scorings = game.snapshot(), len(game.scorings)
        dropped = motions_shown(game, session.options, self.interaction.held) if move.verb == "veto" else []
        entries = session.play(move, by, now_s, because)
        if not entries:
            return self.wait_for_disk(partial(self.play, move, by, shown, because))
        self._say_played(entries if by == "table" else entries[1:])
        self._changed(only_dialled=move.seat if move.verb == "dial" and game.dialling else "")
        self._tell_forced(entries if by == "table" else entries[1:])
        motion = motion_of(move, snapshot)
        if by == "person" and motion is not None and not shown:
            self.pieces.explained(motion, snapshot)
        made = [motion] if by == "person" and motion is not None and shown else []
        for each in (*made, *dropped):
            self.pieces.moved(each, game, now_s)
        if move.verb == "veto":
            self.interaction.drop_held()
        if session.motions and by == "person":
            self.announcements.end_show()  # the lights are needed
        if game.scorings[scorings:]:
            self.announcements.show_scoring(scoring_frames(game, scorings, session.options.pace), now_s)
        return ACCEPTED

    @property
    def waits_for_next(self) -> bool:
        """Whether the table goes on only when somebody says `next`: with a scoring, or with a bot's move."""
        options = self.session.options
        if self.announcements.frame is not None:
            return options.pace == STEP
        return self.bot.waits(options, self.session.version)

    def go_ahead(self) -> Reply:
        """Goes on, because somebody has said `next`: with the scoring show, or with the move of the bot that waits."""
        if self.announcements.frame is None:
            self.bot.go_ahead(self.session.version)
        elif self.session.options.pace == STEP:
            self.announcements.next_frame(self.clock())
        else:
            self.announcements.skip_ahead(self.clock())
        return ACCEPTED

    def go_on(self) -> None:
        """Plays what nobody has to decide, at the beginning of a game and after a restart."""
        entries = self.session.go_on(self.clock())
        if entries:
            self._say_played(entries)
            self._changed()
        elif self.session.stuck:
            self.session.postpone(self.go_on)

    def take_back(self, count: int) -> Reply:
        """Takes moves back."""
        if not self.session.take_back(count, self.clock()):
            return self.wait_for_disk(partial(self.take_back, count))
        self.announcements.moves_taken_back()
        self.interaction.drop_held()
        self._changed()
        return ACCEPTED

    def seat_changed_hands(self, seat: str) -> None:
        """Drops what was said to the player who had a seat before, and is not for the next one."""
        self.announcements.untell(seat)
        self.interaction.confirmations.answered(seat)
        self.hints.forget(seat)

    def _changed(self, only_dialled: str = "") -> None:
        """Drops everything that was said or asked about the game before it changed.

        :param only_dialled: the seat that has set its dial, if others are still to do so.
        """
        self.hints.game_changed(only_dialled)
        self.interaction.game_changed()
        self.pieces.settled(allowed(self.game))
        self.veto.forget()
        if not only_dialled:  # another's dial changes nothing for a seat that still has to set its own
            self.announcements.game_changed()
            self.session.ask_again()

    def _tell_forced(self, entries: Sequence[Entry]) -> None:
        """Shows a seat what the table dialled for it, because there was only one choice."""
        for move in (Move.parse(entry.line) for entry in entries):
            if move.verb == "dial" and move.seat in self.session.persons:
                self.announcements.tell(move.seat, Message(DIAL_FORCED, {"place": PLACES[move.place]}))

    def _say_played(self, entries: Sequence[Entry]) -> None:
        """Shows people what the table played for them, except secrets."""
        moves = [Move.parse(entry.line) for entry in entries]
        public = [move for move in moves if move.seat in self.session.persons and move.verb not in SECRET_VERBS]
        self.announcements.say_played(map(move_words, public))

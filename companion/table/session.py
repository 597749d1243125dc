"""The session: a game, what was agreed about it, and its journal.

It plays moves together with everything that follows automatically, and each is on disk before anybody sees its effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from companion.engine import TABLE, Game, Message, Move, deal
from companion.storage.journal import Entry, Kept, fixed_by, note_entry
from companion.storage.notes import (
    HintNote,
    LessonNote,
    NameNote,
    Note,
    PaceNote,
    PhoneNote,
    PlayerNote,
    ReasonNote,
    TeachNote,
)
from companion.table.fair_deal import Fairness, chooser, digits, mixes_in
from companion.table.handovers import Handovers
from companion.table.journal_writer import JournalWriter
from companion.table.lesson_progress import LessonProgress
from companion.table.moment import HintUse
from companion.table.motions import Motion
from companion.table.options import Options
from companion.table.turns import active_seat, motions, persons, special_motions, vetoing


def reasons_in(notes: Iterable[Note]) -> dict[int, Message]:
    """Returns why bots made their moves, by the number of the journal entry."""
    return {note.number: Message(note.text, note.fields) for note in notes if isinstance(note, ReasonNote)}


def hints_in(notes: Iterable[Note]) -> tuple[HintUse, ...]:
    """Returns who has asked for hints, and when."""
    return tuple(HintUse(note.seat, note.after) for note in notes if isinstance(note, HintNote))


def holders_after(notes: Iterable[Note]) -> dict[str, str]:
    """Returns which phone holds which seat after the notes of a game."""
    holders: dict[str, str] = {}
    for note in notes:
        if isinstance(note, PhoneNote):
            holders[note.seat] = note.phone
    return {seat: phone for seat, phone in holders.items() if phone}


class Session:
    """A game in progress, with its journal.

    :param kept: the game as saved in the journal.
    :param writer: writes to that journal.
    :param options: what was agreed about the game, including the notes in its journal.
    """

    def __init__(self, kept: Kept, writer: JournalWriter, options: Options) -> None:
        self.id = kept.id
        self._game = kept.game
        self._writer = writer
        self._options = options
        self._holders = holders_after(kept.notes)
        self._reasons = reasons_in(kept.notes)
        self._hints = hints_in(kept.notes)
        self._lessons = LessonProgress(kept.notes)
        self._handovers = Handovers(kept.notes)
        self._seed = kept.seed
        self._fairness = Fairness.of(kept.seed, kept.notes, over=False)
        self._made_by = list(kept.made_by)
        self._numbers = list(kept.numbers)
        self._fixed = kept.fixed
        self._asked_at = writer.version

    # Current state.

    @property
    def game(self) -> Game:
        """The game at its current point."""
        return self._game

    @property
    def options(self) -> Options:
        """What is currently agreed."""
        return self._options

    @property
    def holders(self) -> Mapping[str, str]:
        """Which phone holds which seat. It is replaced and never changed, so any thread may read it."""
        return self._holders

    @property
    def version(self) -> int:
        """The number of entries in the journal."""
        return self._writer.version

    @property
    def made_by(self) -> tuple[str, ...]:
        """Who made each move: `person`, `bot` or `table`."""
        return tuple(self._made_by)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of the journal entry for each move that stands."""
        return tuple(self._numbers)

    @property
    def reasons(self) -> Mapping[int, Message | None]:
        """Why bots made their moves, by the number of the journal entry; `None` where nothing can or may be said."""
        decided = (number for number, by in zip(self._numbers, self._made_by, strict=True) if by == "bot")
        return {number: self._reasons.get(number) for number in decided}

    @property
    def hints(self) -> tuple[HintUse, ...]:
        """Who has asked for hints, and when."""
        return self._hints

    @property
    def lessons(self) -> LessonProgress:
        """What each seat has been taught."""
        return self._lessons

    @property
    def handovers(self) -> Handovers:
        """The seats that have changed hands."""
        return self._handovers

    def veiled(self, seat: str) -> bool:
        """Returns whether a seat has changed hands and its new player may not see its secrets yet."""
        return self._handovers.veiled(seat, self._game, self._numbers, self._made_by)

    @property
    def fairness(self) -> Fairness:
        """What everybody may know about how cards are dealt; with the seed once the game is over."""
        return replace(self._fairness, seed=digits(self._seed)) if self._game.over else self._fairness

    def teaches(self, seat: str) -> bool:
        """Returns whether a seat is given lessons."""
        return self._lessons.teaches(seat, self._options.teach)

    @property
    def fixed(self) -> int:
        """How many moves cannot be undone, because cards were turned up after them."""
        return self._fixed

    @property
    def persons(self) -> list[str]:
        """The seats that people play."""
        return persons(self._game, self._options)

    @property
    def active_seat(self) -> str | None:
        """The seat whose gestures on the board count now, or `None`."""
        return active_seat(self._game, self._options)

    @property
    def motions(self) -> list[Motion]:
        """The moves that can be shown on the board now."""
        return motions(self._game, self._options)

    @property
    def special_motions(self) -> list[Motion]:
        """The moves of pieces that would begin the special action."""
        return special_motions(self._game, self._options)

    @property
    def vetoing(self) -> bool:
        """Whether a step waits for somebody who may object."""
        return vetoing(self._game)

    @property
    def actor(self) -> str | None:
        """The seat whose turn it is, even while others are asked; or `None`."""
        return self._game.view(None)["turn"]["actor"]

    def is_current(self, version: int) -> bool:
        """Returns whether an answer for a version of the game still counts."""
        return self._asked_at <= version <= self.version

    def ask_again(self) -> None:
        """Makes answers to earlier questions invalid, because something else is asked now."""
        self._asked_at = self.version

    # Saving.

    @property
    def stuck(self) -> bool:
        """Whether nothing can be saved and the players have not agreed to go on without saving."""
        return self._writer.stuck

    @property
    def trouble(self) -> tuple[Message, ...]:
        """Since when moves have not been saved, and why. Empty when everything is saved."""
        return self._writer.trouble

    @property
    def unsaved(self) -> bool:
        """Whether something has taken effect that is only in memory."""
        return self._writer.unsaved

    def postpone(self, action: Callable[[], object]) -> bool:
        """Repeats an action that could not be saved, as soon as it can be or the players go on without saving.

        Returns whether it will be: only a limited number can wait.
        """
        return self._writer.postpone(action)

    def go_on_unsaved(self) -> None:
        """Goes on without saving, as the players agreed."""
        self._writer.go_on_in_memory()

    def try_saving(self, now_s: float) -> bool:
        """Tries again to save, if it is time to. Returns whether everything is saved that was not before."""
        return self._writer.try_again(now_s)

    def save_now(self, now_s: float) -> bool:
        """Tries to save at once what is not saved yet. Returns whether everything is saved."""
        self._writer.try_again(now_s, at_once=True)
        return not self._writer.trouble

    def due_s(self) -> float | None:
        """Returns when saving is tried again, or `None` when everything is saved."""
        return self._writer.due_s()

    # Changes.

    def play(self, move: Move, by: str, now_s: float, because: Message | None = None) -> list[Entry]:
        """Plays a move and everything that follows. Returns the moves; empty when they could not be saved."""
        before = len(self._game.moves)
        self._game.play(move)
        moves = [Entry("move", str(move), by), *self._follow_up()]
        notes: list[Note] = []
        if because is not None:
            notes.append(ReasonNote(self.version + 1, because.text, _plain_fields(because)))
        notes += self._lessons.over_by_move(move.seat)
        saved = self._save(moves, before, now_s, [note_entry(note, by) for note in notes])
        if saved:
            self._reasons = {**self._reasons, **reasons_in(notes)}
            self._lessons.take(notes)
            self._lessons.moved(move.seat)
        return saved

    def go_on(self, now_s: float) -> list[Entry]:
        """Plays what nobody has to decide. Returns the moves; empty when there are none or they were not saved."""
        before = len(self._game.moves)
        entries = self._follow_up()
        return self._save(entries, before, now_s) if entries else []

    def take_back(self, count: int, now_s: float) -> bool:
        """Takes moves back. Returns whether that could be saved."""
        if not self._writer.keep([Entry("undo", str(count), "person")], len(self._game.moves), now_s):
            return False
        for _ in range(count):
            self._game.undo()
        del self._made_by[len(self._game.moves) :]
        del self._numbers[len(self._game.moves) :]
        return True

    def note(self, notes: Sequence[Note], now_s: float) -> bool:
        """Notes what people said that is not a move. Returns whether that could be saved.

        What is so already is not written: a phone may say the same thing a thousand times.
        """
        notes = [note for note in notes if self._is_news(note)]
        if not notes:
            return True
        entries = [note_entry(note, "person") for note in notes]
        if not self._writer.keep(entries, len(self._game.moves), now_s):
            return False
        self._options = self._options.after(notes)
        held = [PhoneNote(seat, phone) for seat, phone in self._holders.items()]
        self._holders = holders_after([*held, *notes])
        self._hints += hints_in(notes)
        self._lessons.take(notes)
        self._handovers.take(notes)
        mixes = (*self._fairness.mixes, *mixes_in(notes))
        self._fairness = replace(self._fairness, mixes=mixes)
        return True

    def _is_news(self, note: Note) -> bool:
        """Returns whether a note changes anything."""
        match note:
            case PhoneNote(seat, phone):
                return self._holders.get(seat, "") != phone
            case LessonNote(seat, lesson):
                return lesson not in self._lessons.had(seat)
            case TeachNote(seat, taught):
                return self.teaches(seat) != taught
            case PlayerNote() | NameNote() | PaceNote():
                return self._options.after([note]) != self._options
        return True

    def _save(self, entries: list[Entry], before: int, now_s: float, notes: Sequence[Entry] = ()) -> list[Entry]:
        first = self._writer.version + 1
        if self._writer.keep([*entries, *notes], before, now_s):
            self._made_by += [entry.by for entry in entries]
            self._numbers += range(first, first + len(entries))
            moves = self._game.moves
            cards = [index for index in range(before, len(moves)) if moves[index].seat == TABLE]
            self._fixed = max([self._fixed, *(fixed_by(moves, index) for index in cards)])
            return entries
        while len(self._game.moves) > before:
            self._game.undo()
        return []

    def _follow_up(self) -> list[Entry]:
        """Plays what leaves no choice: cards the table deals, and decisions with one legal move."""
        game, entries = self._game, []
        while not game.over:
            if game.to_act == (TABLE,) and not self._options.real_cards:
                # The same after a restart: a deal depends on the seed, the number of the move and the phones' numbers.
                move = deal(game, chooser(self._seed, len(game.moves), self._fairness.mixes))
            else:
                only = [legal[0] for seat in game.to_act if len(legal := game.legal_moves(seat)) == 1]
                if not only:
                    break
                move = only[0]
                game.play(move)
            entries.append(Entry("move", str(move), "table"))
        return entries


def _plain_fields(message: Message) -> dict[str, str | int]:
    return {name: value for name, value in message.fields.items() if isinstance(value, str | int)}

"""A table to press, tap and send lines to, with a clock that only the test moves and a journal on disk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from companion.engine import Game, Move
from companion.engine.pieces import Piece, PieceKind
from companion.engine.views import View
from companion.storage.database import Database, open_database
from companion.storage.journal import Entry, Journal, Kept
from companion.storage.notes import Note
from companion.storage.tags import TagRegistry, simulated_tags
from companion.table.board_input import TagReaders
from companion.table.bot_process import Thought
from companion.table.fair_deal import notes_at_begin
from companion.table.guide import position_of
from companion.table.journal_writer import JournalFile, JournalWriter
from companion.table.moment import Display, Moment, Prompt, PublicMoment
from companion.table.options import Options
from companion.table.phone_input import ChangePlayer, SeatLine
from companion.table.replies import Reply
from companion.table.session import Session
from companion.table.table import Table
from hardware.ports import DARK, GestureListener, Pattern, Press, Scene, Tap
from tests.support.arrange import NEIGHBOURS, turn_of

TAGS = simulated_tags()
TAG_OF = {piece: [tag for tag, other in TAGS.items() if other == piece] for piece in TAGS.values()}

# A position for buttons and pieces alike: three seats, a few pieces, and readers everywhere.
RED, BLUE, GREEN, KING = (
    Piece(PieceKind.CABALLERO, "red"),
    Piece(PieceKind.CABALLERO, "blue"),
    Piece(PieceKind.CABALLERO, "green"),
    Piece(PieceKind.KING),
)
THREE = ("red", "blue", "green")
BOARD = {"aragon": {"red": 2, "blue": 1}, "sevilla": {"blue": 1, "green": 2}}
INVENTORY = dict.fromkeys(NEIGHBOURS, "inventory") | {"castillo": "inventory"}
TAP = dict.fromkeys(NEIGHBOURS, "tap") | {"castillo": "tap"}


def placing(**pieces: object) -> Game:
    """Returns a game in that position with red to place."""
    return turn_of("score-4s", THREE, **{"board": BOARD, "grandes": {}} | pieces)  # type: ignore[arg-type]


class RecordedLights:
    """Keeps every scene it is given, and every press that was acknowledged."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = [DARK]
        self.acknowledged: list[str] = []

    def show(self, scene: Scene) -> None:
        self.scenes.append(scene)

    def acknowledge(self, place: str) -> None:
        self.acknowledged.append(place)

    def listen(self, listener: GestureListener) -> None: ...

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None: ...


class RecordedDisplay:
    """Keeps every moment it is shown, and passes it on."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self.others: list[Display] = []

    def show(self, moment: Moment) -> None:
        self.moments.append(moment)
        for display in self.others:
            display.show(moment)


class Asked:
    """Bots that think only when the test says so."""

    def __init__(self) -> None:
        self.questions: list[tuple[str, str, tuple[Move, ...], int]] = []
        self.advice: list[tuple[str, str, tuple[Move, ...], int]] = []

    def think(self, seat: str, level: str, view: View, legal: Sequence[Move], version: int) -> None:
        assert view["viewer"] == seat
        self.questions.append((seat, level, tuple(legal), version))

    def advise(self, seat: str, level: str, view: View, legal: Sequence[Move], version: int) -> None:
        assert view["viewer"] == seat
        self.advice.append((seat, level, tuple(legal), version))


def kept_as(
    game: Game, game_id: int, made_by: Sequence[str], notes: tuple[Note, ...] = (), seed: str = "7", fixed: int = 0
) -> Kept:
    """Returns a game as if it came from the journal, even one that was arranged and not played."""
    before, count = len(notes), len(notes) + len(game.moves)
    numbers = tuple(range(before + 1, count + 1))
    return Kept(game_id, game, tuple(made_by), {}, seed, "", None, count, notes, fixed, numbers)


class TableRig:
    """A table, and everything that a person can do at it."""

    database: Database
    """The file of the journal."""

    def __init__(
        self,
        kept: Kept,
        journal: JournalFile,
        options: Options,
        modes: Mapping[str, str] | None = None,
        resumed: bool = False,
        displays: Sequence[Display] = (),
    ) -> None:
        self.now_s = 100.0
        self._modes = modes or {}
        self._lying: dict[tuple[str, Piece], list[str]] = defaultdict(list)
        """The tags that lie in each place."""
        self._lifted: dict[Piece, list[str]] = defaultdict(list)
        """The tags that people hold, the one they took first in front."""
        self._beside = {piece: list(tags) for piece, tags in TAG_OF.items()}
        """The tags beside the board."""
        self.lights, self.display, self.bots = RecordedLights(), RecordedDisplay(), Asked()
        self.replies: list[Reply] = []
        readers = TagReaders(self._modes, dict.fromkeys(self._modes, "north"), TagRegistry(TAGS))
        self.table = Table(
            Session(kept, JournalWriter(journal, kept.id, kept.entries), options),
            self.lights,
            (self.display, *displays),
            self.bots,
            readers,
            resumed,
            clock=lambda: self.now_s,
        )
        self.table.poll()

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def session(self) -> Session:
        return self.table.session

    @property
    def moment(self) -> Moment:
        return self.display.moments[-1]

    @property
    def public(self) -> PublicMoment:
        return self.moment.public

    @property
    def scene(self) -> Scene:
        return self.lights.scenes[-1]

    @property
    def notices(self) -> list[str]:
        return [str(notice) for notice in self.public.notices]

    @property
    def guide(self) -> list[str]:
        return [str(line) for line in self.public.guide]

    def add_display(self, display: Display) -> None:
        """Shows a display the current moment and every one from now on."""
        self.display.others.append(display)
        display.show(self.moment)

    def prompt(self, seat: str) -> Prompt:
        return self.moment.seen_by(seat).prompt

    def choices(self, seat: str) -> list[str]:
        return [choice.line for choice in self.prompt(seat).choices]

    def lit(self, pattern: Pattern) -> set[str]:
        return {place for place, show in self.scene.places.items() if show.pattern is pattern}

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.table.post(Press(button))
            self.table.poll()

    def hold(self, button: str) -> None:
        """Holds a button, as the board reports it: the press, and then the long press."""
        self.press(button)
        self.table.post(Press(button, long=True))
        self.table.poll()

    def tap(self, piece: Piece, *places: str, which: int = 0) -> None:
        """Holds a piece to the readers of some places; `which` tells pieces apart that are alike."""
        tag = TAG_OF[piece][which]
        for place in places:
            self.table.post(Tap(tag, place))
            self.table.post(Tap(tag, place, gone=True))
            self.table.poll()

    def lift(self, piece: Piece, place: str, seen: bool = True) -> str:
        """Picks a piece up and returns its tag; `seen` says whether the reader notices."""
        tag = self._lying[place, piece].pop(0)
        self._lifted[piece].append(tag)
        if seen:
            self.report(tag, place, gone=True)
        return tag

    def put(self, piece: Piece, place: str, tag: str | None = None, seen: bool = True) -> str:
        """Puts a piece down and returns its tag: the one named, else the first that was picked up, else another."""
        held = self._lifted[piece] or self._beside[piece]
        tag = tag or held[0]
        held.remove(tag)
        self._lying[place, piece].append(tag)
        if seen:
            self.report(tag, place)
        return tag

    def take_away(self, piece: Piece) -> None:
        """Puts a piece that was picked up beside the board."""
        self._beside[piece].append(self._lifted[piece].pop(0))

    def report(self, tag: str, place: str, gone: bool = False) -> None:
        """Reports, as a reader would, that a tag came or left."""
        self.table.post(Tap(tag, place, gone))
        self.table.poll()

    def say(self, seat: str, *lines: str, version: int | None = None) -> None:
        for line in lines:
            version_now = self.moment.version if version is None else version
            self.table.post(SeatLine(seat, line, version_now), self.replies.append)
            self.table.poll()

    def insist(self, seat: str, *lines: str) -> None:
        """Says lines and means them: whatever the phone then asks is answered with yes."""
        for line in lines:
            self.say(seat, line)
            if "yes" in self.choices(seat):
                self.say(seat, "yes")

    def change_player(self, seat: str, player: str) -> None:
        """Gives a seat to a bot or to a person, as the table screen does."""
        self.table.post(ChangePlayer(seat, player), self.replies.append)
        self.table.poll()

    def think(self, line: str) -> None:
        """Answers for the bot that was asked last."""
        move = Move.parse(line)
        self.table.post(Thought(move.seat, move, None, self.bots.questions[-1][3]))
        self.pass_s(1.0)

    def pass_s(self, seconds: float) -> None:
        self.now_s += seconds
        self.table.poll()
        self.table.poll()

    def lay_out(self) -> None:
        """Puts every piece where the game has it, for inventory readers."""
        for piece, heap in position_of(self.game.snapshot()).items():
            for place in heap.elements():
                if place in self._modes:
                    self.put(piece, place, seen=self._modes[place] == "inventory")


@contextmanager
def table_rig(
    folder: Path,
    game: Game,
    options: Options | None = None,
    modes: Mapping[str, str] | None = None,
    journal_file: Callable[[Journal], JournalFile] = lambda journal: journal,
    made_by: Sequence[str] = (),
    resumed: bool = False,
    displays: Sequence[Display] = (),
    seed: str = "7",
    notes: Sequence[Note] = (),
) -> Iterator[TableRig]:
    """Yields a table whose game was played up to here by people, or as `made_by` says.

    :param notes: what its journal noted before the first move.
    """
    options = options or Options(pace="fast")
    with open_database(folder / "table.db") as database:
        journal = Journal(database)
        made_by = made_by or ["table" if move.seat == "table" else "person" for move in game.moves]
        empty = Game(game.seats, game.edition, game.rounds, game.house)
        noted = (*notes_at_begin(seed), *notes)
        number = journal.begin(empty, options.as_json(), seed, noted)
        entries = [Entry("move", str(move), by) for move, by in zip(game.moves, made_by, strict=True)]
        journal.append(number, entries, len(noted))
        kept = kept_as(game, number, made_by, noted, seed)
        rig = TableRig(kept, journal_file(journal), options, modes, resumed, displays)
        rig.database = database
        yield rig


def journalled(folder: Path) -> list[tuple[str, str]]:
    """Returns the kind and line of every entry on disk."""
    with open_database(folder / "table.db") as database:
        return [(row[0], row[1]) for row in database.execute("SELECT kind, line FROM entries ORDER BY game, number")]

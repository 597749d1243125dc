"""A table on a bench: hands that press, tap and speak, a clock that only the test moves, and a journal on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from companion.engine import Game, Move
from companion.engine.views import View
from companion.storage.database import open_database
from companion.storage.journal import Entry, Journal
from companion.storage.tags import Piece, simulated_tags
from companion.table.bot_process import Thought
from companion.table.guide import position_of
from companion.table.journal_writer import Diary, Keeper
from companion.table.options import Options
from companion.table.prompts import NOTHING, Board, Prompt
from companion.table.table import Said, Table
from hardware.ports import DARK, GestureListener, Pattern, Press, Scene, Tap
from tests.support.arrange import NEIGHBOURS, turn_of

TAGS = simulated_tags()
TAG_OF = {piece: [tag for tag, other in TAGS.items() if other == piece] for piece in TAGS.values()}

# A position for both hands: three seats, a few pieces, and readers everywhere.
RED, BLUE, GREEN, KING = (
    Piece("caballero", "red"),
    Piece("caballero", "blue"),
    Piece("caballero", "green"),
    Piece("king"),
)
THREE = ("red", "blue", "green")
BOARD = {"aragon": {"red": 2, "blue": 1}, "sevilla": {"blue": 1, "green": 2}}
INVENTORY = dict.fromkeys(NEIGHBOURS, "inventory") | {"castillo": "inventory"}
TAP = dict.fromkeys(NEIGHBOURS, "tap") | {"castillo": "tap"}


def placing(**pieces: object) -> Game:
    """Red is to place, in that position."""
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


class RecordedPhones:
    """Keeps everything that phones were shown."""

    def __init__(self) -> None:
        self.boards: list[Board] = [NOTHING]

    def show(self, board: Board) -> None:
        self.boards.append(board)


class Asked:
    """Bots that think only when the test says so."""

    def __init__(self) -> None:
        self.questions: list[tuple[str, str, tuple[Move, ...], int]] = []

    def think(self, seat: str, level: str, view: View, legal: Sequence[Move], version: int) -> None:
        assert view["viewer"] == seat
        self.questions.append((seat, level, tuple(legal), version))


class Bench:
    """A table, and all that a person can do at it."""

    def __init__(
        self,
        game: Game,
        diary: Diary,
        game_id: int,
        options: Options,
        modes: Mapping[str, str] | None = None,
        made_by: Sequence[str] = (),
        resumed: bool = False,
        seed: int = 7,
        entries: int = 0,
    ) -> None:
        self.now_s = 100.0
        self._modes = modes or {}
        self.lights, self.phones, self.bots = RecordedLights(), RecordedPhones(), Asked()
        self.table = Table(
            game, Keeper(diary, game_id, entries), options, seed, self.lights, self.phones, self.bots,
            modes=modes, hubs=dict.fromkeys(modes or {}, "north"), known=TAGS, made_by=made_by, resumed=resumed,
            clock=lambda: self.now_s,
        )  # fmt: skip
        self.table.poll()

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def board(self) -> Board:
        return self.phones.boards[-1]

    @property
    def scene(self) -> Scene:
        return self.lights.scenes[-1]

    @property
    def notices(self) -> list[str]:
        return [str(notice) for notice in self.board.notices]

    @property
    def guide(self) -> list[str]:
        return [str(line) for line in self.board.guide]

    def prompt(self, seat: str) -> Prompt:
        return self.board.prompts[seat]

    def choices(self, seat: str) -> list[str]:
        return [choice.line for choice in self.prompt(seat).choices]

    def lit(self, pattern: Pattern) -> set[str]:
        return {place for place, show in self.scene.places.items() if show.pattern is pattern}

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.table.post(Press(button))
            self.table.poll()

    def hold(self, button: str) -> None:
        """As the board tells it: the press, and then that it lasts."""
        self.press(button)
        self.table.post(Press(button, long=True))
        self.table.poll()

    def tap(self, piece: Piece, *places: str) -> None:
        for place in places:
            self.table.post(Tap(TAG_OF[piece][0], place))
            self.table.post(Tap(TAG_OF[piece][0], place, gone=True))
            self.table.poll()

    def lift(self, piece: Piece, place: str) -> None:
        self.table.post(Tap(TAG_OF[piece][0], place, gone=True))
        self.table.poll()

    def put(self, piece: Piece, place: str) -> None:
        self.table.post(Tap(TAG_OF[piece][0], place))
        self.table.poll()

    def say(self, seat: str, *lines: str, version: int | None = None) -> None:
        for line in lines:
            self.table.post(Said(seat, line, self.board.version if version is None else version))
            self.table.poll()

    def think(self, line: str) -> None:
        """The bot that was asked last has made up its mind."""
        move = Move.parse(line)
        self.table.post(Thought(move.seat, move, None, self.bots.questions[-1][3]))
        self.pass_s(1.0)

    def pass_s(self, seconds: float) -> None:
        self.now_s += seconds
        self.table.poll()
        self.table.poll()

    def lay_out(self) -> None:
        """Sets every piece down where the game has it, for readers that list them."""
        for piece, heap in position_of(self.game.snapshot()).items():
            for place in heap.elements():
                if self._modes.get(place) == "inventory":
                    self.put(piece, place)


@contextmanager
def at_a_bench(
    folder: Path,
    game: Game,
    options: Options | None = None,
    modes: Mapping[str, str] | None = None,
    diary: Callable[[Journal], Diary] = lambda journal: journal,
    made_by: Sequence[str] = (),
    resumed: bool = False,
) -> Iterator[Bench]:
    """A table whose game was played up to here by people, or as `made_by` says."""
    options = options or Options(bot_pause_s=0.5)
    with open_database(folder / "table.db") as database:
        journal = Journal(database)
        made_by = made_by or ["table" if move.seat == "table" else "person" for move in game.moves]
        empty = Game(game.seats, game.edition, game.rounds, game.house)
        number = journal.begin(empty, options.as_json(), 7)
        entries = [Entry("move", str(move), by) for move, by in zip(game.moves, made_by, strict=True)]
        journal.append(number, entries, 0)
        yield Bench(game, diary(journal), number, options, modes, made_by, resumed, entries=len(entries))


def journalled(folder: Path) -> list[tuple[str, str]]:
    """All entries on disk: their kind and line."""
    with open_database(folder / "table.db") as database:
        return [(row[0], row[1]) for row in database.execute("SELECT kind, line FROM entries ORDER BY game, number")]

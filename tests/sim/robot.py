"""A robot that knows no rules: it reads the lights and the prompts, and presses, taps or sends what they show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final

from companion.engine import Game, Message
from companion.engine.pieces import Piece, PieceKind
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.storage.tags import TagRegistry, simulated_tags
from companion.table.board_input import TagReaders
from companion.table.bot_turn import Thinker
from companion.table.journal_writer import JournalWriter
from companion.table.moment import Choice, Moment, Prompt
from companion.table.motions import STOCK
from companion.table.options import Options
from companion.table.phone_input import SeatLine
from companion.table.session import Session
from companion.table.table import Table
from hardware.board import Board as BoardFile
from hardware.board import find_board
from hardware.ports import Pattern, Press
from hardware.simulated.board import SimulatedBoard
from tests.sim.eyes import look

WAYS: Final = ("buttons", "tap", "inventory", "mixed")
"""How the robot shows places."""


class StuckError(AssertionError):
    """The robot sees nothing that it can do."""


class Screen:
    """The robot's display: keeps the latest moment."""

    def __init__(self) -> None:
        self._moment: Moment | None = None

    def show(self, moment: Moment) -> None:
        """Keeps the moment."""
        self._moment = moment

    @property
    def moment(self) -> Moment:
        """The moment that is shown now."""
        assert self._moment is not None
        return self._moment

    @property
    def guide(self) -> tuple[Message, ...]:
        """What the guide asks to be done with the pieces."""
        return self.moment.public.guide

    @property
    def prompts(self) -> dict[str, Prompt]:
        """What each seat is asked."""
        return self.moment.prompts


@dataclass
class Counts:
    """What the robot did."""

    gestures: int = 0
    """Moving a piece from one place to another counts as one."""
    guide: int = 0


@dataclass
class Robot:
    """Plays at a table until the game is over.

    :param way: how it shows places.
    :param rng: the source of its random choices.
    """

    table: Table
    board: SimulatedBoard
    screen: Screen
    tags: Mapping[str, Piece]
    way: str
    rng: Random
    counts: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        self.unseen: list[str] = []
        """Moves that it has made and the table has not noticed yet."""
        self._said = ""
        """The last move that it made or sent."""
        self._carried: tuple[str, str] = ("", "")
        """Where it last carried a tagged piece from, and to."""
        self._spare: dict[Piece, list[str]] = defaultdict(list)
        for tag, piece in self.tags.items():
            self._spare[piece].append(tag)
        self.lying: dict[tuple[str, Piece], list[str]] = defaultdict(list)
        """For inventory readers: which tags the robot has put down where."""

    def play(self, most: int = 3000) -> None:
        """Plays to the end."""
        for _ in range(most):
            if self.table.game.over:
                return
            self.act()
        raise StuckError(f"no end after {most} gestures")

    def act(self) -> str:
        """Does one thing that lights or prompts ask for. Returns the move it stands for, if the robot knows."""
        self.settle()
        ways = [] if self.way == "inventory" else self._ways()
        if not ways and (self.way == "inventory" or not self.screen.guide):
            # Readers need time, and nothing is lit while a scoring is shown.
            self.rest()
            ways = self._ways()
        shown = self.screen.moment
        if shown.public.guide:
            self.counts.guide += 1
            self._follow(shown)
            return ""
        if not ways:
            raise StuckError(f"{shown} {self.board.lights.scene} {self.table.game.legal_moves()[:4]}")
        meant = [way for way in ways if not isinstance(way, str) and way[1].line == "yes"]
        # It plays at random, so it gives up more than people would; saying that it means it is not another gesture.
        self.counts.gestures += not meant
        chosen = self.rng.choice(meant or ways)
        if isinstance(chosen, str):
            self._press(chosen)
            return ""
        prompt, choice = chosen
        if choice in prompt.places and self._by_pieces:
            self._show(prompt.seat, choice.line)
        else:
            self.table.post(SeatLine(prompt.seat, choice.line, shown.version))
        if choice.line != "yes":  # which only means what was said before
            self._said = choice.line if choice.line.startswith("table ") else f"{prompt.seat} {choice.line}"
        return self._said

    def _ways(self) -> list[tuple[Prompt, Choice] | str]:
        """Returns what lights and prompts offer: lines to send, and places to press or moves with tagged pieces."""
        asked = [prompt for prompt in self.screen.prompts.values() if prompt.asked is not None]
        ways: list[tuple[Prompt, Choice] | str] = [
            (prompt, choice) for prompt in asked for choice in prompt.choices if self._is_true(choice)
        ]
        if self.screen.guide:
            return ways
        spoken = [(prompt, choice) for prompt in asked for choice in prompt.places]
        # It looks at the board when a place is asked for. If none is lit, the strip may be lost; then it sends lines.
        lit = self.lit(Pattern.BREATHE) if spoken and not self._by_pieces else []
        return [*ways, *(lit or spoken)]

    def _is_true(self, choice: Choice) -> bool:
        """Returns whether an answer is what it did, if it is asked whether it carried a piece from or to a place."""
        word, _, place = choice.line.partition(" ")
        origin, target = self._carried
        return not (word == "from" and place == target != origin) and not (word == "to" and place == origin != target)

    @property
    def _by_pieces(self) -> bool:
        """Whether it now shows places with tagged pieces instead of buttons."""
        return self.way in ("tap", "inventory") or (self.way == "mixed" and self.table.session.version % 2 == 1)

    def _press(self, place: str) -> None:
        """Presses a lit place, and then another if the first leads to one."""
        self.push(place)
        self.settle()
        if self.screen.guide:
            return
        seen = look(self.board)
        targets = [place for place, pattern in seen.items() if pattern is Pattern.BREATHE]
        if seen.get(place) is Pattern.PULSE and targets:
            self.push(self.rng.choice(targets))

    def push(self, button: str) -> None:
        """Presses a button for a moment."""
        self.board.press(button, seconds=None)
        self.board.advance(0.05, slice_s=0.05)
        self.board.release(button)
        self.board.advance(0.05, slice_s=0.05)

    def take_back_half(self) -> None:
        """Takes back half a move that somebody has begun by accident, as people do who see a place pulse."""
        self.settle()
        if any(prompt.origin is not None for prompt in self.screen.prompts.values()):
            self.push("undo")
            self.settle()

    def settle(self) -> None:
        """Waits until everything done so far has reached the table."""
        self.board.advance(0.05, slice_s=0.05)
        self.table.poll()

    def rest(self) -> None:
        """Waits until lights, readers and the table have settled."""
        for _ in range(400):
            self.board.advance(0.05, slice_s=0.05)
            due_s = self.table.poll()
            if due_s is None or due_s > 5.0:
                return
        raise StuckError("the table never comes to rest")

    def lit(self, pattern: Pattern) -> list[str]:
        """Returns the places lit in this pattern, as the strip's bytes show."""
        return [place for place, seen in look(self.board).items() if seen is pattern]

    # Pieces.

    def _show(self, seat: str, line: str) -> None:
        """Makes a move with tagged pieces, as the words of the prompt say."""
        verb, *words = line.split()
        if verb in ("score", "expel"):
            self.push(words[0])
        elif verb == "table":
            self.push(words[-1])
        elif verb == "move":
            self._carry(Piece(PieceKind.CABALLERO, words[0]), words[1], words[2])
        elif verb == "remove":
            self._carry(Piece(PieceKind.CABALLERO, words[0]), words[1], STOCK)
        elif verb in ("recall", "return"):
            self._carry(Piece(PieceKind.CABALLERO, seat), words[0], STOCK)
        elif verb in ("king", "grande", "tile"):
            which = {"tile": words[0], "king": ""}.get(verb, seat)
            piece = Piece(PieceKind(verb), which)
            self._carry(piece, self._where(piece), words[-1])
        else:
            self._carry(Piece(PieceKind.CABALLERO, seat), STOCK, words[0])

    def _follow(self, shown: Moment) -> None:
        """Does the first thing the guide asks for: moves the piece if there are readers, else presses `confirm`."""
        fields = shown.public.guide[0].fields
        if self.way != "inventory" or "score" in fields or "pieces" in fields:
            self.push("confirm")
            return
        text = shown.public.guide[0].text
        which = str(fields.get("which", ""))
        kind = PieceKind(
            "caballero" if "count" in fields else "grande" if "Grande" in text else "tile" if "tile" in text else "king"
        )
        piece = Piece(kind, "" if kind == PieceKind.KING else which)
        origin, target = str(fields.get("origin", STOCK)), str(fields.get("place", STOCK))
        for _ in range(int(str(fields.get("count", 1)))):
            source = self._found(piece, origin)
            if source != target:
                self._carry(piece, source, target)
        self.rest()
        if self.screen.guide[:1] == shown.public.guide[:1]:
            # No reader has seen it, or there was nothing to do: it confirms, as people would.
            self.push("confirm")

    def _found(self, piece: Piece, origin: str) -> str:
        """Returns where it finds a piece: where it should be, beside the board, or where it really stands.

        What the table believes to be there may have been shown by a button alone.
        """
        if origin != STOCK and self.lying[origin, piece]:
            return origin
        return STOCK if self._spare[piece] else self._where(piece)

    def _carry(self, piece: Piece, origin: str, target: str) -> None:
        self._carried = (origin, target)
        if self.way == "inventory":
            self._move_tag(piece, origin, target)
            return
        # Pieces that are alike are told apart by their tags, so it takes another one each time.
        tag = self._spare[piece].pop(0)
        self._spare[piece].append(tag)
        for place in (origin, target):
            if place != STOCK and not (piece.kind != "caballero" and place == origin):
                self.board.tap(tag, place)
                self.table.poll()

    def _move_tag(self, piece: Piece, origin: str, target: str) -> None:
        """Picks a tagged piece up and puts it down at its target."""
        tag = self.lying[origin, piece].pop() if origin != STOCK else self._spare[piece].pop()
        if origin != STOCK:
            self.board.take(tag, origin)
            self._wait_for_readers()
        if target == STOCK:
            self._spare[piece].append(tag)
        else:
            self.board.put(tag, target)
            self.lying[target, piece].append(tag)
            self._wait_for_readers()

    def _wait_for_readers(self) -> None:
        self.board.advance(0.7, slice_s=0.05)
        self.table.poll()

    def _where(self, piece: Piece) -> str:
        return next((place for (place, kind), tags in self.lying.items() if kind == piece and tags), STOCK)


def board_for(way: str) -> BoardFile:
    """Returns a board whose readers suit the robot's way."""
    if way == "buttons":
        return find_board("buttons-only")
    board = find_board("standard")
    mode = "inventory" if way == "inventory" else "tap"
    return replace(board, hubs={name: replace(hub, mode=mode) for name, hub in board.hubs.items()})


@contextmanager
def at_a_table(
    folder: Path,
    game: Game,
    way: str,
    seed: int,
    options: Options | None = None,
    bots: Thinker | None = None,
    quick_readers: bool = False,
) -> Iterator[Robot]:
    """Yields a robot at a table with a simulated board and a journal on disk."""
    tags = simulated_tags()
    file, screen = board_for(way), Screen()
    with (
        SimulatedBoard(file, known=tags, by_hand=True, quick_readers=quick_readers) as board,
        open_database(folder / "table.db") as database,
    ):
        options = options or Options(pace="instant")
        journal = Journal(database)
        number = journal.begin(game, options.as_json(), seed)
        session = Session(replace(journal.load(number), game=game), JournalWriter(journal, number, 0), options)
        readers = TagReaders.of(file, TagRegistry(tags))
        table = Table(session, board.lights, (screen,), bots, readers, clock=board.clock)
        board.listen(table.post)
        board.advance(1.0)
        table.poll()
        yield Robot(table, board, screen, tags, way, Random(seed))


__all__ = ["WAYS", "Press", "Robot", "at_a_table"]

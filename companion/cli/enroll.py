"""`companion enroll`: teaches the table which tag is in which piece."""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

import click

from companion.cli.kept_games import warn
from companion.cli.keys import Keys
from companion.cli.options import board_as_typed, board_option
from companion.cli.text_tables import table
from companion.engine.pieces import WHOLE_SET, Piece
from companion.storage.database import default_path, open_database
from companion.storage.tags import Answer, Batch, EnrolOutcome, Tags
from hardware.board import Board
from hardware.ports import OVER, Fault, Gesture, Pieces, Tap, Trouble

if TYPE_CHECKING:
    from hardware.pieces import HubPort

REST_S: Final = 2.0
"""How long nobody taps before a full batch gives way to the next, so that no extra piece lands in the wrong batch."""
POLL_S: Final = 0.1
"""How often the keyboard is checked."""
PATIENCE_S: Final = 3.0
"""How long to wait for a hub to answer before the first batch."""

_CLEAR_LINE: Final = "\r\x1b[K"
_BAR_WIDTH: Final = 30

_ASK: Final = {
    "caballero": "Tap all {which} caballeros at any reader, one after another: {wanted} of them.",
    "grande": "Tap the {which} Grande at any reader.",
    "king": "Tap the King at any reader.",
    "tile": "Tap score tile {which} at any reader.",
}
_FOREWORD: Final = (
    "Every tag is saved as you tap it. Enter ends a batch early; Ctrl-C stops, and you can continue another time."
)


class Console:
    """Shows in the terminal how a batch is going, with a progress bar where possible, and notices Enter."""

    def __init__(self, command: str = "companion enroll", doctor: str = "companion doctor --real") -> None:
        self.command = command
        """The command for the same board and database."""
        self.doctor = doctor
        self.draws = sys.stdout is not None and sys.stdout.isatty()
        self._bar = ""
        self._keys = Keys()

    def say(self, text: str) -> None:
        """Prints a line, above the bar if there is one."""
        click.echo(f"{_CLEAR_LINE if self._bar else ''}{text}")
        click.echo(self._bar, nl=False)

    def begin(self, batch: Batch) -> None:
        """Asks for the pieces of a batch."""
        self.say("\n" + _ASK[batch.piece.kind].format(which=batch.piece.which, wanted=batch.wanted))
        if batch.afresh:
            self.say("Tags you do not tap are removed when the batch ends.")
        elif batch.count:
            self.say(f"{batch.count} are enrolled already, {batch.missing} to go.")
        self._draw(batch)

    def tell(self, batch: Batch, answer: Answer) -> None:
        """Prints the outcome of a tap."""
        if answer.outcome is not EnrolOutcome.NEW or not self.draws:
            remedy = f" If that is wrong: {self.command} --forget {answer.tag}"
            advice = remedy if answer.outcome is EnrolOutcome.ELSEWHERE else ""
            self.say(f"  {batch.count} of {batch.wanted}: {answer.message}{advice}")
        self._draw(batch, str(answer.message) if answer.outcome is EnrolOutcome.NEW else "")

    def end(self, batch: Batch, forgotten: Sequence[str]) -> None:
        """Prints how a batch ended."""
        self.leave_bar()
        pieces = str(batch.piece.all)
        begin = f"{pieces[0].upper()}{pieces[1:]}: "
        if batch.afresh and not batch.tapped:
            self.say(f"{begin}nothing was tapped, so nothing was changed.")
            return
        words = f"{begin}{batch.count} of {batch.wanted} enrolled"
        if batch.missing:
            words += f", {batch.missing} missing. Later: {self.command} --only {selector(batch.piece)}"
        self.say(words if batch.missing else words + ".")
        if forgotten:
            self.say(f"Removed, because they were not tapped: {', '.join(forgotten)}.")

    def entered(self) -> bool:
        """Returns whether Enter was pressed since the last call."""
        # Without a keyboard, full batches end all the same.
        return b"\n" in self._keys.typed()

    def leave_bar(self) -> None:
        """Leaves the bar where it is and continues below it."""
        if self._bar:
            self._bar = ""
            click.echo()

    def _draw(self, batch: Batch, note: str = "") -> None:
        if not self.draws:
            return
        done = _BAR_WIDTH * min(batch.count, batch.wanted) // batch.wanted
        bar = f"[{'#' * done}{'-' * (_BAR_WIDTH - done)}] {batch.count} of {batch.wanted}  {note}"
        self._bar = bar[: shutil.get_terminal_size().columns - 1]
        click.echo(_CLEAR_LINE + self._bar, nl=False)


def run(pieces: Pieces, batches: Sequence[Batch], console: Console, rest_s: float = REST_S) -> None:
    """Enrols one batch after another with the tags tapped at a device, until all batches are finished."""
    # The device reports in its own thread, which must not use the database: hence a queue.
    gestures: SimpleQueue[Gesture] = SimpleQueue()
    pieces.listen(gestures.put)
    _await_hubs(pieces, gestures, console)
    click.echo(_FOREWORD)
    for batch in batches:
        console.begin(batch)
        _fill(batch, gestures, console)
        console.end(batch, batch.finish())
        if batch is batches[-1]:
            return
        while isinstance(tap := _next(gestures, console, rest_s), Tap):
            if batch.missing:
                # It is impossible to know which batch it was meant for.
                console.say(
                    f"  Ignored: {tap.tag} was tapped between two batches. Tap it again when you are asked for it."
                )
            else:
                console.tell(batch, batch.tap(tap.tag))


def _await_hubs(pieces: Pieces, gestures: SimpleQueue[Gesture], console: Console) -> None:
    """Waits until each hub answers or is reported lost, and says which are lost. Fails when none answers.

    A device without hubs is ready at once.
    """
    hubs: Mapping[str, HubPort] = getattr(pieces, "hubs", {})
    silent: set[str] = set()
    taps: list[Gesture] = []
    end_s = time.monotonic() + PATIENCE_S
    while any(name not in silent and not _answers(hub) for name, hub in hubs.items()) and time.monotonic() < end_s:
        try:
            gesture = gestures.get(timeout=POLL_S)
        except Empty:
            continue
        if isinstance(gesture, Trouble) and gesture.fault in (Fault.LOST_HUB, Fault.FOREIGN_HUB):
            (silent.discard if gesture.over else silent.add)(gesture.where)
            console.say(gesture.text)
        else:
            taps.append(gesture)
    if hubs and not any(map(_answers, hubs.values())):
        raise click.ClickException(f"No reader answers. To find out why: {console.doctor}")
    for gesture in taps:
        gestures.put(gesture)


def _answers(hub: HubPort) -> bool:
    return hub.condition == "in step"


def _fill(batch: Batch, gestures: SimpleQueue[Gesture], console: Console) -> None:
    """Takes taps until the batch is full, or somebody presses Enter because there are no more."""
    warned = False
    while batch.missing:
        tap = _next(gestures, console)
        if tap:
            console.tell(batch, batch.tap(tap.tag))
            warned = False
        elif (untapped := len(batch.untapped())) and not warned:
            console.say(
                f"{untapped} enrolled tags have not been tapped. Press Enter again to remove them, or keep tapping."
            )
            warned = True
        else:
            return


def _next(gestures: SimpleQueue[Gesture], console: Console, within_s: float | None = None) -> Tap | None:
    """Returns the next tap, or `None` when Enter comes first or the time is up. Prints troubles meanwhile."""
    end = None if within_s is None else time.monotonic() + within_s
    while end is None or time.monotonic() < end:
        try:
            gesture = gestures.get(timeout=POLL_S)
        except Empty:
            if console.entered():
                return None
            continue
        if isinstance(gesture, Tap) and not gesture.gone:
            return gesture
        # A tag that is not enrolled is no trouble here.
        if isinstance(gesture, Trouble) and gesture.fault in OVER:
            console.say(gesture.text)
    return None


def selector(piece: Piece) -> str:
    """Returns what `--only` calls a piece.

    >>> selector(Piece.parse("red-caballero")), selector(Piece.parse("tile-8"))
    ('red-caballeros', 'tile-8')
    """
    return f"{piece}s" if WHOLE_SET[piece] > 1 else str(piece)


def _selected(value: str) -> Piece:
    for piece in WHOLE_SET:
        if value.lower() in (str(piece), selector(piece)):
            return piece
    raise click.BadParameter(
        f"there are no pieces called '{value}'. Choose from {', '.join(map(selector, WHOLE_SET))}."
    )


class _Repeatable(click.Command):
    """A command that remembers how it was typed, so that it can say how to go on."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["typed"] = shlex.join(("companion", "enroll", *args))
        return super().parse_args(ctx, args)


@click.command(cls=_Repeatable)
@click.option(
    "--only",
    multiple=True,
    type=_selected,
    metavar="PIECES",
    help="Only these pieces: red-caballeros, blue-grande, king, tile-8 and so on. Repeat it for more.",
)
@click.option("--replace", is_flag=True, help="Enrol a batch again: tags you do not tap this time are removed.")
@click.option("--list", "listing", is_flag=True, help="Print what is enrolled and what is missing.")
@click.option(
    "--forget", multiple=True, metavar="TAG", help="Remove a tag, to use it for something else. Repeat it for more."
)
@board_option
@click.option(
    "--database",
    "file",
    type=click.Path(path_type=Path),
    help="The file tags are saved in.  [default: table.db in your data folder]",
)
@click.pass_context
def enroll(
    ctx: click.Context,
    only: tuple[Piece, ...],
    replace: bool,
    listing: bool,
    forget: tuple[str, ...],
    board: Board,
    file: Path | None,
) -> None:
    """Tell the table which tag is in which piece.

    Tap the pieces at any reader of the board, one kind at a time. Pieces of a kind are alike, so it does not matter
    which red caballero is which. Stop whenever you like; the same command continues.

    If you have replaced lost pieces, tap all of that kind again: --replace --only red-caballeros.
    """
    with open_database(file or default_path()) as database:
        warn(database)
        tags = Tags(database)
        if forget:
            _forget(tags, forget)
        if listing:
            click.echo(report(tags, only or WHOLE_SET))
        if forget or listing:
            return
        if not any(place.reader for place in board.places.values()):
            raise click.ClickException(
                f"The board {board.name} has no readers. It is played with its buttons, and needs no tags."
            )
        pieces = only or tuple(WHOLE_SET)
        batches = [Batch(tags, piece, replace) for piece in WHOLE_SET if piece in pieces]
        batches = [batch for batch in batches if batch.missing]
        if not batches:
            click.echo("These are all enrolled already. To replace lost ones use --replace; to see them all, --list.")
            return
        typed = board_as_typed(ctx)
        command = shlex.join(("companion", "enroll", *typed, *(("--database", str(file)) if file else ())))
        console = Console(command, shlex.join(("companion", "doctor", "--real", *typed)))
        try:
            # Imported only now, because it loads the serial port library, which nothing else here needs.
            from hardware.pieces import SerialPieces

            with SerialPieces(board) as device:
                run(device, batches, console)
        except (KeyboardInterrupt, EOFError):
            console.leave_bar()
            click.echo(f"\nSaved so far: {_total(tags)}. To continue: {ctx.meta['typed']}")
            if replace and any(batch.finished for batch in batches):
                click.echo("When you are asked for a batch that is done, press Enter without a tap: it stays as it is.")
            raise click.exceptions.Exit(130) from None
        finally:
            console.leave_bar()
        click.echo(f"\nEnrolled: {_total(tags)}. `{command} --list` shows them.")


def _forget(tags: Tags, words: Sequence[str]) -> None:
    known: dict[str, Piece] = {}
    for word in words:
        tag = word.strip().upper()
        piece = tags.what(tag)
        if piece is None:
            raise click.ClickException(f"The tag {tag} is not enrolled. Nothing was removed.")
        known[tag] = piece
    tags.forget(known)
    for tag, piece in known.items():
        click.echo(f"{tag} was {piece.one}; it is free now.")


def report(tags: Tags, pieces: Collection[Piece] = WHOLE_SET) -> str:
    """Returns a table of what is enrolled and what is missing of some pieces."""
    rows = [
        (selector(piece), str(count), str(WHOLE_SET[piece]), _difference(count - WHOLE_SET[piece]))
        for piece, count in tags.counts().items()
        if piece in pieces
    ]
    return f"{table(('pieces', 'enrolled', 'needed', ''), rows)}\n\n{_total(tags, pieces)}, in {tags.database.path}"


def _difference(more: int) -> str:
    # There are too many after a batch done afresh was interrupted.
    return f"{-more} missing" if more < 0 else f"{more} too many: --replace" if more else ""


def _total(tags: Tags, pieces: Collection[Piece] = WHOLE_SET) -> str:
    counts = tags.counts()
    return f"{sum(counts[piece] for piece in pieces)} of {sum(WHOLE_SET[piece] for piece in pieces)} tags"

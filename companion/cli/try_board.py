"""`companion board try`: tries the lights, buttons and readers of a new board by hand."""

from __future__ import annotations

import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

import click

from companion.cli.options import board_option
from companion.cli.signals import stopping
from companion.cli.text_tables import table
from companion.engine.pieces import Piece
from companion.storage.database import default_path
from companion.storage.errors import DatabaseError
from companion.storage.tags import kept_tags
from companion.workshop.light_steps import light_steps
from hardware.board import Board
from hardware.ports import Buttons, Device, Gesture, Lights, Pieces, Press, Tap, Trouble

if TYPE_CHECKING:
    from hardware.simulated.board import SimulatedBoard

SETTLE_S: Final = 0.1
"""How long a strip may take to report that it fails."""

_simulated_option = click.option("--simulated", is_flag=True, help="Use a simulated board, to see how it works.")


@click.group(name="try")
def try_board() -> None:
    """Try the lights, buttons and readers of a new board.

    See "First power-on" in hardware/README.md. No other program may use the board meanwhile.
    """


def _simulated_board(board: Board, stack: ExitStack) -> SimulatedBoard:
    from hardware.simulated.board import SimulatedBoard

    return stack.enter_context(SimulatedBoard(board))


# --- lights ----------------------------------------------------------------------------------------------------------


@try_board.command()
@board_option
@_simulated_option
def lights(board: Board, simulated: bool) -> None:
    """Light up one place after another.

    First in white, then each King's light, three colours, all at once, and none; at full brightness, within the budget
    of the board file. Each step says how much current the strip should draw. Enter goes on; q and Enter stops.
    """
    full = replace(board, strip=replace(board.strip, brightness=1.0))
    with ExitStack() as stack:
        if simulated:
            device: Lights = _simulated_board(full, stack).lights
        else:
            from hardware.lights import StripLights

            device = stack.enter_context(StripLights(full))
        troubles: SimpleQueue[Gesture] = SimpleQueue()
        device.listen(troubles.put)
        click.echo("Press Enter for the next step, or q and Enter to stop.")
        try:
            for step in light_steps(full):
                device.show(step.scene)
                _tell_troubles(troubles)
                click.echo(f"{step.what}; about {step.current_ma(full):.0f} mA ", nl=False)
                if not _goes_on():
                    break
        except KeyboardInterrupt:
            click.echo()
        _tell_troubles(troubles)


def _goes_on() -> bool:
    """Waits for Enter. Returns whether to go on: not after a line with a q, or at the end of the input."""
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line.endswith("\n") or not sys.stdin.isatty():
        click.echo()
    return bool(line) and "q" not in line.lower()


def _tell_troubles(troubles: SimpleQueue[Gesture]) -> None:
    while True:
        try:
            gesture = troubles.get(timeout=SETTLE_S)
        except Empty:
            return
        if isinstance(gesture, Trouble):
            click.echo(gesture.text)


# --- buttons ---------------------------------------------------------------------------------------------------------


class Presses:
    """Counts the presses of every button, and puts each into words."""

    def __init__(self, board: Board) -> None:
        self.names = (*board.places, *board.controls)
        self.short: Counter[str] = Counter()
        self.long: Counter[str] = Counter()

    def line(self, _at_s: float, gesture: Gesture) -> str | None:
        """Returns the line to print for a gesture, or `None` when there is nothing to print."""
        if isinstance(gesture, Press):
            counter = self.long if gesture.long else self.short
            counter[gesture.button] += 1
            return f"{gesture.button}: {'long press' if gesture.long else 'press'} {counter[gesture.button]}"
        return gesture.text if isinstance(gesture, Trouble) else None

    def report(self) -> str:
        """Returns a table of all counts."""
        rows = [(name, str(self.short[name]), str(self.long[name])) for name in self.names]
        never = [name for name in self.names if not self.short[name]]
        words = f"Never pressed: {', '.join(never)}." if never else "Every button was pressed."
        return f"{table(('button', 'presses', 'long'), rows)}\n\n{words}"


@try_board.command()
@board_option
@_simulated_option
def buttons(board: Board, simulated: bool) -> None:
    """Print and count each press of a button, until Ctrl-C."""
    with ExitStack() as stack:
        if simulated:
            device: Buttons = _simulated_board(board, stack).buttons
        else:
            from hardware.buttons import GpioButtons

            with warnings.catch_warnings():
                # gpiozero warns about each pin library that it cannot use.
                warnings.simplefilter("ignore")
                device = stack.enter_context(GpioButtons(board))
        presses = Presses(board)
        click.echo(f"Press the {len(presses.names)} buttons, one after another. Ctrl-C stops.")
        _listen(device, presses.line)
        click.echo(presses.report())


# --- readers ---------------------------------------------------------------------------------------------------------


class Visits:
    """Puts into words which tag came where, and how long it stayed."""

    def __init__(self, known: Mapping[str, Piece]) -> None:
        self.known = known
        self.came_s: dict[tuple[str, str], float] = {}

    def line(self, at_s: float, gesture: Gesture) -> str | None:
        """Returns the line to print for a gesture, or `None` when there is nothing to print."""
        if isinstance(gesture, Trouble):
            return gesture.text
        if not isinstance(gesture, Tap):
            return None
        piece = self.known.get(gesture.tag)
        words = f"{gesture.place}: {gesture.tag} ({piece.one if piece else 'not enrolled'})"
        visit = (gesture.tag, gesture.place)
        if not gesture.gone:
            self.came_s[visit] = at_s
            return f"{words} came"
        came_s = self.came_s.pop(visit, None)
        return f"{words} went" if came_s is None else f"{words} went after {at_s - came_s:.1f} s"


@try_board.command()
@board_option
@_simulated_option
def readers(board: Board, simulated: bool) -> None:
    """Print each tag that a reader sees come or go, until Ctrl-C."""
    wired = sum(place.reader is not None for place in board.places.values())
    if not wired:
        raise click.ClickException(f"The board {board.name} has no readers.")
    try:
        known = kept_tags(default_path())
    except DatabaseError as error:
        known = {}
        click.echo(f"Pieces cannot be named: {error.cause}")
    with ExitStack() as stack:
        if simulated:
            device: Pieces = _simulated_board(board, stack).pieces
        else:
            from hardware.pieces import SerialPieces

            device = stack.enter_context(SerialPieces(board))
        click.echo(f"Hold tags to the {wired} readers, one after another. Ctrl-C stops.")
        _listen(device, Visits(known).line)


def _listen(device: Device, line_of: Callable[[float, Gesture], str | None]) -> None:
    """Prints what a device reports until somebody presses Ctrl-C."""
    # It reports in its own thread: the time is noted there, everything else is done here.
    reported: SimpleQueue[tuple[float, Gesture] | None] = SimpleQueue()
    device.listen(lambda gesture: reported.put((time.monotonic(), gesture)))
    with stopping(lambda: reported.put(None)):
        while (report := reported.get()) is not None:
            line = line_of(*report)
            if line is not None:
                click.echo(line)
    click.echo()

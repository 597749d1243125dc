"""`companion board`: what a board is made of, how it is wired, and whether its file is correct."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from companion.cli.options import board_name, board_option
from companion.cli.text_tables import table
from companion.cli.try_board import try_board
from companion.engine.pieces import WHOLE_SET
from companion.table.board_check import EL_GRANDE
from hardware.board import Board, find_board, shipped_boards
from hardware.drawing.parts import PI_POWER, PICO_MA, chips_of, parts, power, readers_of_hubs
from hardware.drawing.pinouts import PIN_NAMES, pin_uses
from hardware.drawing.wiring import pin_table_svg, summary, wiring_svg
from hardware.drawing.wiring_hubs import pico_pin, readers_in_use
from hardware.drivers.chips import chip_facts


@click.group()
def board() -> None:
    """Plan, wire and try a board of your own."""


board.add_command(try_board)


@board.command(name="list")
def list_boards() -> None:
    """List the boards that come with the project."""
    boards = [find_board(name, EL_GRANDE) for name in shipped_boards()]
    width = max(len(board.name) for board in boards)
    for board in boards:
        click.echo(f"{board.name.ljust(width)}  {summary(board)}")


@board.command()
@board_option
@click.pass_context
def check(ctx: click.Context, board: Board) -> None:
    """Check a board file, and report all its mistakes at once.

    hardware/README.md explains the format; the files in hardware/boards are examples.
    """
    click.echo(f"{board_name(ctx)} has no mistakes: {summary(board)}.")


@board.command()
@board_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Draw into this folder, which is created if need be.  [default: only print the pins]",
)
def wiring(board: Board, out: Path | None) -> None:
    """Print a board's pins, or draw its wiring as SVG pictures.

    With --out, two pictures are drawn: the whole wiring, and the Pi's 40 pins.
    """
    if out is None:
        click.echo(pins_report(board))
        click.echo("\nTo draw the wiring as pictures:  companion board wiring --out FOLDER")
        return
    out.mkdir(parents=True, exist_ok=True)
    for file, picture in pictures(board).items():
        _write(out / file, picture)
        click.echo(f"Drawn: {out / file}")


def _write(file: Path, text: str) -> None:
    """Writes a file completely or not at all."""
    half = file.with_name(f".{file.name}.part")
    try:
        half.write_text(text, encoding="utf-8")
        half.replace(file)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise click.ClickException(f"Cannot write {file}: {error.strerror or error}.") from None


def pins_report(board: Board) -> str:
    """Returns what is connected to the pins of the Pi, and to those of each hub, as text."""
    used = {pin: use.words for pin, use in pin_uses(board).items() if use.kind not in ("free", "spi")}
    rows = [(str(pin), PIN_NAMES[pin], words) for pin, words in used.items()]
    tables = [f"Raspberry Pi\n\n{table(('pin', 'name', 'connect to'), rows, left=(0, 1, 2))}"]
    for hub in board.hubs.values():
        wires = {wire: part for part, wire in chip_facts(hub.chip).wires.items()}
        pins = [
            (label, *(str(pico_pin(number, wire)) for wire in wires)) for number, label in readers_in_use(board, hub)
        ]
        tables.append(
            f"Pico {hub.name}: the pin for each wire of a reader\n\n{table(('reader', *wires.values()), pins)}"
        )
    return "\n\n".join(tables)


def pictures(board: Board) -> dict[str, str]:
    """Returns the pictures of a board, by file name."""
    return {f"{board.name}-wiring.svg": wiring_svg(board), f"{board.name}-pins.svg": pin_table_svg(board)}


@board.command(name="parts")
@board_option
def list_parts(board: Board) -> None:
    """Print the parts list, and the power supply and fuse it takes."""
    click.echo(parts_report(board))


def tagged_pieces() -> dict[str, int]:
    """Returns the pieces that carry a tag, in words, with the number of tags they need.

    >>> tagged_pieces()
    {'150 caballeros': 150, '5 Grandes': 5, 'the King': 1, '2 tiles': 2}
    """
    counts: Counter[str] = Counter()
    for piece, count in WHOLE_SET.items():
        counts[piece.kind] += count
    words = {"caballero": "{} caballeros", "grande": "{} Grandes", "king": "the King", "tile": "{} tiles"}
    return {words[kind].format(count): count for kind, count in counts.items()}


def parts_report(board: Board) -> str:
    """Returns the parts list and the power budget of a board as text."""
    rows = [
        (f"{part.what}: {part.note}", str(part.count), str(part.spare or "")) for part in parts(board, tagged_pieces())
    ]
    return "\n\n".join((table(("part", "needed", "spare"), rows), *_power_report(board)))


def _power_report(board: Board) -> list[str]:
    """Returns the power budget, one paragraph per entry."""
    sums = power(board)
    readers = readers_of_hubs(board)
    rows = [("lights: the budget of the board file", f"{sums.strip_ma:g}")]
    rows += [(f"hub {name}: a Pico, {readers[name]} readers", f"{ma:g}") for name, ma in sums.hubs_ma.items()]
    rows += [(f"Raspberry Pi {model.name}", f"{model.ma:g}") for model in PI_POWER]
    of_pi = [
        (f"Pi {model.name}", f"{sums.pi_ma(model):g}", f"{model.supply_a:g} A", f"{sums.total_ma(model):g}")
        for model in PI_POWER
    ]
    said = [
        table(("at 5 V", "mA"), rows),
        table(("with a", "Pi and hubs, mA", "supply of the Pi", "all with lights, mA"), of_pi),
        _supply_words(board),
    ]
    if sums.hubs_ma:
        said.append(_hub_words(board))
    return [*said, _basis_words(board)]


def _supply_words(board: Board) -> str:
    sums = power(board)
    if sums.supply_a is None:
        return (
            f"Lights: {sums.strip_ma:g} mA is more than one fuse and supply should carry. Split the strip into\n"
            "several, each with its own fuse and supply, and join all grounds."
        )
    return (
        f"Lights: a supply of 5 V and {sums.supply}, with a fuse of {sums.fuse}, slow. "
        f"All {board.strip.count} lights at full white\nwould draw {board.strip.count * 60} mA: "
        "the program keeps to the budget, and the fuse is for when it does not."
    )


def _hub_words(board: Board) -> str:
    sums = power(board)
    tight = [model.name for model in PI_POWER if sums.usb_ma > model.usb_ma]
    words = f"Hubs: {sums.usb_ma:g} mA from the Pi's USB sockets"
    words += f", too much for {', '.join(tight)}: use a powered USB hub." if tight else "."
    if sums.usb_ma > 600:
        words += " A Pi 5 gives that only on its own 5 A supply."
    return words


def _basis_words(board: Board) -> str:
    words = "Basis: for the Pi the typical current of the bare board in Raspberry Pi's table of power supplies"
    if board.hubs:
        words += f";\n{PICO_MA:g} mA per Pico, where others measure 18 to 38"
    for chip in map(chip_facts, chips_of(board)):
        words += (
            f"; {chip.field_ma:g} mA per reader with its field on, which one\n"
            f"of a hub has at a time, and {chip.resting_ma:g} mA without, {chip.basis}, counted\nat 5 V as at 3.3 V"
        )
    return words + ". Nothing has been measured on a real board yet."

"""`companion hubs`: makes Picos the hubs of a board, one after another as they are plugged in."""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from companion.cli.options import OWN_BOARD, STANDARD, own_board_file
from companion.doctor.machine import is_root
from companion.installation.layout import DATA
from companion.table.board_check import EL_GRANDE
from hardware.board import Board, board_file, find_board
from hardware.board_text import board_text, with_hub_port
from hardware.errors import BoardError, NoTool
from hardware.installing import firmware_files, install, with_port
from hardware.pieces import pico_ports

LOOK_S: Final = 0.5
_NO_PICO: Final = """\
No new Pico has appeared. It needs
  - a USB cable that carries data: many only charge
  - MicroPython: hold BOOTSEL while you plug it in, and copy the .uf2 file for it onto the drive that appears
"""


@click.command()
@click.argument("names", nargs=-1, metavar="[HUB]...")
@click.option(
    "--wait", "wait_s", type=click.FloatRange(0), default=120.0, show_default=True, metavar="SECONDS",
    help="How long to wait for each Pico.",
)  # fmt: skip
def hubs(names: tuple[str, ...], wait_s: float) -> None:
    """Make Picos the hubs of your board, as you plug them in.

    Begin with all Picos unplugged. For each hub of the board, plug in the Pico that is to be it: it gets the firmware,
    and your board file gets its port. Name hubs to do only those. With sudo, it is the board of the installed table.
    """
    file = own_board_file()
    board = _board(file)
    for name in names:
        if name not in board.hubs:
            raise click.BadParameter(f"the board has no hub '{name}'; it has {', '.join(board.hubs)}.")
    failed: dict[str, str] = {}
    with TemporaryDirectory(prefix="el-grande-") as folder:
        built = firmware_files(Path(folder, "built"), click.echo)
        for name in names or tuple(board.hubs):
            try:
                port = _plugged_in(board, name, wait_s)
                install(with_port(board.hubs[name], port), built, lambda text: click.echo(f"  {text}"))
            except NoTool:
                raise
            except (BoardError, OSError) as error:
                failed[name] = str(error)
                click.echo(f"  {name} failed: {error}")
            else:
                _replace(file, with_hub_port(board_text(file), name, port))
                click.echo(f"  {name} runs.")
    if failed:
        raise click.ClickException(f"Try those again that failed:  companion hubs {' '.join(failed)}")
    click.echo(f"All hubs run, and {file} knows their ports. Start the table again to use them.")
    if file.parent == DATA:
        click.echo("  sudo systemctl restart el-grande-table")


def _board(file: Path) -> Board:
    """Returns the board of the data folder. One without hubs is replaced by the standard one, if people want that."""
    board = find_board(str(file), EL_GRANDE) if file.exists() else find_board("buttons-only", EL_GRANDE)
    if board.hubs:
        return board
    click.confirm("This board has no hubs. Use the board `standard`, which has the same pins and lights?", abort=True)
    if file.exists():
        _replace(file.with_name(f"{OWN_BOARD}.before"), file.read_text())
    _replace(file, board_text(board_file(STANDARD)))
    return find_board(str(file), EL_GRANDE)


def _plugged_in(board: Board, name: str, wait_s: float) -> str:
    """Waits until a Pico is plugged in. Returns its port, which stays the same for ever."""
    places = [place.label for place in board.places.values() if place.reader is not None and place.reader.hub == name]
    before = set(pico_ports())
    click.secho(name, bold=True)
    click.echo(f"  Plug in the Pico for {', '.join(places)}.")
    end_s = time.monotonic() + wait_s
    while not (new := sorted(set(pico_ports()) - before)):
        if time.monotonic() > end_s:
            raise click.ClickException(_NO_PICO + f"Then:  companion hubs {name}")
        time.sleep(LOOK_S)
    return new[0]


def _replace(file: Path, text: str) -> None:
    """Writes a file completely or not at all, for the same user as before. Root follows no link in a user's folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f".{file.name}.new")
    new.unlink(missing_ok=True)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
        opened.write(text)
        if file.exists() and hasattr(os, "fchown") and is_root():
            there = file.stat()
            os.fchown(opened.fileno(), there.st_uid, there.st_gid)
    new.replace(file)

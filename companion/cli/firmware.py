"""`companion firmware`: compiles the hubs' firmware and installs it on them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from companion.cli.options import board_option
from hardware.board import PORTS, Board, BoardHub, is_port
from hardware.errors import BoardError, NoTool, OtherProgram, quoted


@click.group()
def firmware() -> None:
    """Compile the hubs' firmware and install it."""


_source_option = click.option(
    "--source", is_flag=True, help="Use source files instead of compiled ones, for MicroPython before 1.23."
)


@firmware.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("build/firmware"),
    show_default=True,
    help="The folder to write to. One from an earlier build is replaced.",
)
@_source_option
def build(out: Path, source: bool) -> None:
    """Compile the firmware, to copy it by hand."""
    from hardware.installing import build

    files = build(out, source)
    size = sum((out / file).stat().st_size for file in files)
    click.echo(f"{len(files)} files, {size} bytes, in {out}.")
    click.echo("To install them on the hubs of a board:  companion firmware install")
    click.echo("Or by hand, on a Pico that shows its prompt:")
    click.echo(f"    cd {out} && mpremote fs cp -r firmware main.py : + reset")


@firmware.command()
@click.argument("hubs", nargs=-1, metavar="[HUB]...")
@board_option
@click.option("--port", help="The serial port, instead of the one in the board file; only for one hub.")
@click.option(
    "--plugged-in",
    is_flag=True,
    help="Install it on every Pico that is plugged in, also for a board without hubs, but over nobody else's program.",
)
@_source_option
def install(hubs: tuple[str, ...], board: Board, port: str | None, plugged_in: bool, source: bool) -> None:
    """Install the firmware on the hubs of a board.

    Without names, all hubs get it. A hub that is running is stopped and then started again. A new Pico needs
    MicroPython first. If one hub fails, the others still get theirs.
    """
    if plugged_in:
        if hubs or port is not None:
            raise click.UsageError("--plugged-in is for every Pico: name neither hubs nor a port.")
        _install("Picos run the firmware", _plugged_in(), source, only_new=True)
    else:
        _install("hubs run", _of_board(hubs, board, port), source, only_new=False)


def _plugged_in() -> list[BoardHub]:
    """Returns the Picos that are plugged in as hubs: with one reader each, for a hub must have one."""
    from hardware.pieces import pico_ports

    found = [BoardHub(port, port, "tap", 1) for port in pico_ports()]
    if not found:
        raise click.ClickException("No Pico is plugged in that runs MicroPython.")
    return found


def _of_board(hubs: tuple[str, ...], board: Board, port: str | None) -> list[BoardHub]:
    """Returns the hubs of a board that were named, or all of them."""
    from hardware.installing import with_port

    if port is not None and not is_port(port):
        raise click.BadParameter(f"{quoted(port)} is not a hub's port; expected {PORTS}.", param_hint="--port")
    if not board.hubs:
        raise click.ClickException(f"The board {board.name} has no hubs, so there is nothing to install.")
    for name in hubs:
        if name not in board.hubs:
            raise click.BadParameter(f"the board has no hub '{name}'; it has {', '.join(board.hubs)}.")
    chosen = [with_port(board.hubs[name], port) for name in dict.fromkeys(hubs or board.hubs)]
    if port and len(chosen) != 1:
        raise click.UsageError("--port is for one hub: name the hub.")
    return chosen


def _install(what: str, chosen: list[BoardHub], source: bool, only_new: bool) -> None:
    """Installs the firmware on hubs.

    :param what: how the sum of those that worked continues.
    :param only_new: leave Picos alone that have a program on them that is not ours.
    """
    from hardware.installing import firmware_files, install

    others = 0
    with TemporaryDirectory(prefix="el-grande-") as folder:
        built = firmware_files(Path(folder, "built"), click.echo, source)
        failed: dict[str, Exception] = {}
        for hub in chosen:
            click.secho(hub.name, bold=True)
            try:
                serial = install(hub, built, lambda text: click.echo(f"  {text}"), only_new)
            except NoTool:
                raise
            except OtherProgram as error:
                others += 1
                click.echo(f"  {error}")
            except (BoardError, OSError) as error:
                failed[hub.name] = error
                click.echo(f"  {hub.name} failed; the reason is at the end.")
            else:
                click.echo(f"  {hub.name} runs. Its serial number is {serial}.")
    said = f"{len(chosen) - len(failed) - others} of {len(chosen)} {what}."
    if failed:
        reasons = (f"  {name}: {error}".replace("\n", "\n    ") for name, error in failed.items())
        raise click.ClickException("\n".join((said, *reasons)))
    click.echo(said)

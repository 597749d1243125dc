"""`companion where`: says where the pages of this machine's table are."""

from __future__ import annotations

import sys
import time
from typing import Final

import click

from companion.installation.running_table import answers
from companion.network import Hotspot, NetworkLink, find_network

_LOOK_S: Final = 0.5


@click.command()
@click.option(
    "--port", type=click.IntRange(1, 65535), default=80, show_default=True, help="The port of the table's pages."
)
@click.option(
    "--wait", "wait_s", type=click.FloatRange(0), default=60.0, show_default=True, metavar="SECONDS",
    help="How long to wait for a table that is starting.",
)  # fmt: skip
def where(port: int, wait_s: float) -> None:
    """Say where the installed table's pages are.

    While the table has opened its own Wi-Fi, root is told its name and password too.
    """
    from web_remote.server import addresses

    _wait_for(port, wait_s)
    first, *others = addresses(port)
    click.echo(f"The table is at {first}" + "".join(f" or {each}" for each in others))
    if (hotspot := _open_hotspot()) is not None:
        click.echo(f"First join its Wi-Fi: {hotspot.name}, password {hotspot.password}")
        _show_code(hotspot.code)
        click.echo(f"Then open {first}")
    _show_code(f"{first}/")


def _open_hotspot() -> Hotspot | None:
    """Returns the table's own Wi-Fi, or `None` when it is closed, or this user may not ask."""
    network = find_network()
    state = network.state if network is not None else None
    return state.hotspot if state is not None and state.link is NetworkLink.HOTSPOT else None


def _show_code(text: str) -> None:
    """Prints a QR code, where its blocks can be written."""
    from companion.cli.web_front import shows_qr_codes

    if shows_qr_codes(sys.stdout):
        import segno

        segno.make(text, error="m").terminal(compact=True, border=1)


def _wait_for(port: int, wait_s: float) -> None:
    """Waits until something answers on a port."""
    end_s, waiting = time.monotonic() + wait_s, False
    while not answers(port):
        if time.monotonic() > end_s:
            raise click.ClickException(
                f"No table answers on port {port}. If it runs as a service, its log says why:  "
                "journalctl -u el-grande-table"
            )
        if not waiting:
            click.echo("Waiting for the table to start")
        waiting = True
        time.sleep(_LOOK_S)

"""`companion network`: the network service. systemd starts it as root; nobody has to type it."""

from __future__ import annotations

import logging
import sys
from contextlib import closing
from pathlib import Path

import click

from companion.cli.service_manager import ServiceManager, socket_given
from companion.cli.signals import stopping
from companion.installation import USER
from companion.network import NetworkControl, NetworkService, Nmcli, kept_hotspot


@click.command(hidden=True)
@click.option(
    "--kept", type=click.Path(path_type=Path), default=Path("/var/lib/el-grande-network"), show_default=True,
    help="Where the name and the password of the table's own Wi-Fi are kept.",
)  # fmt: skip
def network(kept: Path) -> None:
    """Keep this machine reachable, and open a Wi-Fi of its own where it knows none."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    listening = socket_given()
    if listening is None:
        raise click.ClickException("systemd starts this: sudo systemctl start el-grande-network")
    control = NetworkControl(Nmcli(), kept_hotspot(kept))
    manager = ServiceManager()
    ended = False

    def stop() -> None:
        nonlocal ended
        ended = True
        control.wake()

    with stopping(stop), closing(NetworkService(control, listening, _allowed())):
        while not ended:
            manager.beat()
            due_s = control.poll()
            if not ended:
                control.wait(due_s)
        manager.stopping()


def _allowed() -> set[int]:
    """Returns the numbers of the users who may ask: root, and the table's own."""
    import pwd

    try:
        return {0, pwd.getpwnam(USER).pw_uid}
    except KeyError:
        return {0}

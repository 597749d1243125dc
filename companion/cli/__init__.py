"""The command line: the one place that puts everything together."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from io import TextIOWrapper

import click

from companion.cli.accept import accept
from companion.cli.backup import backup
from companion.cli.board import board
from companion.cli.card import card
from companion.cli.doctor import doctor
from companion.cli.enroll import enroll
from companion.cli.exchange import export, import_
from companion.cli.firmware import firmware
from companion.cli.games import games
from companion.cli.hubs import hubs
from companion.cli.install_service import install_service
from companion.cli.network import network
from companion.cli.play import play
from companion.cli.repair import repair
from companion.cli.replay import replay
from companion.cli.restore import restore
from companion.cli.self_check import self_check
from companion.cli.show import show
from companion.cli.simulate import simulate
from companion.cli.tournament import tournament
from companion.cli.update import rollback, update, versions
from companion.cli.verify import verify
from companion.cli.where import where
from companion.engine import EngineError
from companion.storage.errors import DatabaseError
from hardware.errors import BoardError


class _Commands(click.Group):
    """Reports errors of the engine, the board, the database and the system in one line, without a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        _write_what_can_be_written()
        try:
            result = super().invoke(ctx)
            # `None` if it was closed before we began.
            if sys.stdout is not None:
                sys.stdout.flush()
        except (EngineError, BoardError, DatabaseError) as error:
            raise click.ClickException(str(error)) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            where = f" ({error.filename})" if error.filename else ""
            raise click.ClickException(f"{error.strerror}{where}.") from None
        return result


def _write_what_can_be_written() -> None:
    """Replaces characters that the output cannot show, such as arrows on a Windows pipe, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("el-grande-table"), prog_name="companion")
def main() -> None:
    """Play El Grande, look back at your games, and build a board for it.

    Add --help to any command to learn what it does.
    """


main.add_command(play)
main.add_command(simulate)
main.add_command(show)
main.add_command(games)
main.add_command(replay)
main.add_command(verify)
main.add_command(export)
main.add_command(import_)
main.add_command(backup)
main.add_command(restore)
main.add_command(repair)
main.add_command(tournament)
main.add_command(enroll)
main.add_command(board)
main.add_command(doctor)
main.add_command(accept)
main.add_command(firmware)
main.add_command(hubs)
main.add_command(card)
main.add_command(install_service)
main.add_command(network)
main.add_command(where)
main.add_command(update)
main.add_command(versions)
main.add_command(rollback)
main.add_command(self_check)

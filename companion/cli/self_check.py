"""`companion self-check`: a new version checks itself on a copy of the games, before it is switched to."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Final

import click

from companion.bots import make_bot
from companion.cli.table_setup import begin
from companion.doctor import CHECKS, Verdict, examine, run
from companion.doctor.machine import Machine
from companion.engine import TABLE, Game, deal
from companion.installation.running_table import answers
from companion.storage.database import open_database
from companion.storage.entries import Entry
from companion.storage.journal import Journal
from companion.storage.restore import contents_of
from companion.table.fair_deal import new_seed
from companion.table.options import Options

SEATS: Final = ("red", "blue", "green")
PATIENCE_S: Final = 60.0
NOT_OURS: Final = ("port", "configuration")
"""What the running table has for itself, and what belongs to a real board."""


@click.command(name="self-check", hidden=True)
@click.option("--database", type=click.Path(path_type=Path), required=True, help="A copy of the file with the games.")
def self_check(database: Path) -> None:
    """Check that this version works: with a copy of the games, the doctor, one round of bots, and its pages."""
    with open_database(database) as opened:
        contents = contents_of(opened)
        click.echo(f"{contents} can be read")
        play_one_round(Journal(opened))
        click.echo("Bots have played a round")
    examine_machine(database)
    click.echo("The doctor has found nothing wrong")
    serve_pages(database)
    click.echo("The pages are served")


def play_one_round(journal: Journal) -> Game:
    """Lets bots play a round, which is saved like any other."""
    rng, game = Random(1), Game(SEATS)
    number = begin(journal, game, Options(players=dict.fromkeys(SEATS, "easy")), new_seed()).id
    bots = {seat: make_bot("easy", seed=1) for seat in SEATS}
    written = journal.load(number).entries
    while game.round <= 1 and not game.over:
        seat = game.to_act[0]
        if seat == TABLE:
            move, made_by = deal(game, rng), "table"
        else:
            move, made_by = bots[seat].decide(game.view(seat), game.legal_moves(seat)).move, "bot"
            game.play(move)
        journal.append(number, [Entry("move", move.text, made_by)], written)
        written += 1
    assert journal.load(number).game.record() == game.record()
    journal.set_aside(number)
    return game


def examine_machine(database: Path) -> None:
    """Has the doctor check everything that does not need the board, which the running table has."""
    with examine("buttons-only", simulated=True, machine=Machine(database=database)) as case:
        for check in CHECKS:
            for finding in run(check, case) if check.name not in NOT_OURS else ():
                if finding.verdict is Verdict.PROBLEM:
                    raise click.ClickException(str(finding.found))


def serve_pages(database: Path) -> None:
    """Starts the table on a simulated board, and waits until its pages answer."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    command = [sys.executable, "-m", "companion.cli", "play", "--service", "--simulated", "--board", "buttons-only"]
    place = ["--host", "127.0.0.1", "--port", str(port), "--database", str(database)]
    with subprocess.Popen([*command, *place], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as table:
        try:
            end_s = time.monotonic() + PATIENCE_S
            while not answers(port):
                if table.poll() is not None or time.monotonic() > end_s:
                    table.kill()
                    said = table.communicate()[0].strip().splitlines()
                    raise click.ClickException(f"The table does not start: {said[-1] if said else 'it says nothing'}")
                time.sleep(0.2)
        finally:
            table.terminate()
            table.communicate()

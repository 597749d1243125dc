"""`companion replay`: plays a saved game again, move by move."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from companion.cli.kept_games import database_option, kept_game
from companion.cli.options import board_option
from companion.cli.screens import DIALS_TURNED, round_title, took
from companion.cli.table_setup import on_a_pi, opened_lights
from companion.engine import PLACES, Game, Move
from companion.engine.regions import ROUNDS
from companion.engine.views import View, last_dials
from companion.table.options import Options
from companion.table.scene import SCORED
from companion.translations import Translator
from companion.translations.scorings import ended, scored
from hardware.board import Board
from hardware.ports import Scene, Show

PAUSE_S: Final = 1.0
"""The pause between two moves at speed 1."""


class Quit(Exception):
    """Somebody asked to stop."""


class Replay:
    """A game played again from its beginning.

    After each move, `show` gets the game, to read but not to change. Then `tell` gets the move in words, as people at
    the table knew it. `wait` is called before the next move.
    """

    def __init__(
        self,
        whole: Game,
        wait: Callable[[], None],
        show: Callable[[Game], None] = lambda game: None,
        tell: Callable[[str], None] = click.echo,
        first_round: int = 0,
        translator: Translator | None = None,
    ) -> None:
        self.whole = whole
        self.game = Game(whole.seats, whole.edition, whole.rounds, whole.house)
        self.wait = wait
        self.show = show
        self.tell = tell
        self.first_round = first_round
        self.translator = translator or Translator()
        self.told_round = -1

    @property
    def round(self) -> int:
        """The round of the last move shown."""
        return max(self.told_round, 0)

    def run(self) -> None:
        """Plays all moves, silently before the first round that is wanted."""
        for move in self.whole.moves:
            before = self.game.view(None)
            if before["round"] < self.first_round:
                self.game.play(move)
                continue
            if self.told_round >= 0:
                self.wait()
            if before["round"] != self.told_round:
                self.told_round = before["round"]
                self.tell(f"\n{round_title(before, self.translator)}")
            self.game.play(move)
            self.show(self.game)
            for line in self._words(move, before):
                self.tell(f"  {line}")

    def _words(self, move: Move, before: View) -> Iterator[str]:
        view = self.game.view(None)
        if move.verb == "card":
            yield took(move, before["open"][str(move.number)], self.translator)
        elif move.verb == "dial" and not view["turn"]["dialling"]:
            yield self.translator.say(DIALS_TURNED)
            for line in last_dials(view["log"]):
                yield f"  {self.translator.move(line)}"
        else:
            # A card taken back is secret until the end of the game.
            secret = move.verb != "retake" or not self.whole.over
            yield self.translator.move(view["log"][-1] if secret else move)
        for scoring in view["scorings"][len(before["scorings"]) :]:
            yield f"  {scored(scoring, self.translator)}"


def press_enter() -> None:
    """Waits for Enter. Raises `Quit` when somebody types q."""
    answer = click.prompt("", default="", show_default=False, prompt_suffix="")
    if answer.strip().lower() in ("q", "quit"):
        raise Quit


@click.command()
@click.argument("number", type=int)
@click.option(
    "--speed",
    type=click.FloatRange(0.01, 1000),
    default=1,
    show_default=True,
    help="How fast; at 1 a move takes a second, at 2 half a second.",
)
@click.option(
    "--from", "first_round", type=click.IntRange(0, 9), default=0, metavar="ROUND", help="The round to start at."
)
@click.option("--step", is_flag=True, help="Wait for Enter after each move; q stops.")
@click.option("--lights", is_flag=True, help="Show the King and each move on the board's lights too.")
@board_option
@click.option(
    "--simulated/--real", default=None, help="Which board.  [default: real on a Raspberry Pi, simulated elsewhere]"
)
@database_option
@click.pass_context
def replay(
    ctx: click.Context,
    number: int,
    speed: float,
    first_round: int,
    step: bool,
    lights: bool,
    board: Board,
    simulated: bool | None,
    database: Path,
) -> None:
    """Replay a saved game, move by move, in the terminal.

    Moves that were undone are left out. Ctrl-C stops.
    """
    if step and ctx.get_parameter_source("speed") is ParameterSource.COMMANDLINE:
        raise click.UsageError("--step and --speed do not go together: use one of them.")
    if math.isnan(speed):
        raise click.BadParameter("nan is not a speed. Use a number such as 2 or 0.5.", param_hint="--speed")
    kept = kept_game(database, number)
    whole, options = kept.game, Options.from_json(kept.options).after(kept.notes)
    translator = Translator(options.language, whole.edition, options.names)
    _check_round(whole, number, first_round)
    wait = press_enter if step else partial(time.sleep, PAUSE_S / speed)
    again = Replay(whole, wait, first_round=first_round, translator=translator)
    if step:
        click.echo("Enter shows the next move, q stops.")
    try:
        with ExitStack() as stack:
            if lights:
                simulate = not on_a_pi() if simulated is None else simulated
                strip = stack.enter_context(opened_lights(board, simulate))
                again.show = lambda game: strip.show(scene_of_last(game))
            again.run()
    except (Quit, KeyboardInterrupt, click.Abort):
        click.echo(f"\nStopped. To continue from here: companion replay {number} --from {again.round}")
        return
    if whole.over:
        click.echo(f"\n{ended(whole.winners, translator)}")
    else:
        click.echo("\nThe game stops here.")


def scene_of_last(game: Game) -> Scene:
    """Returns a scene with the King, and the places of the last move in its seat's colour. A dial lights no place."""
    move = game.moves[-1]
    colour = move.seat if move.seat in game.seats else "white"
    places = () if move.verb == "dial" else (word for word in move.args if word in PLACES)
    return Scene({place: Show(SCORED, colour) for place in places}, marker=game.snapshot()["king"])


def _check_round(game: Game, number: int, wanted: int) -> None:
    """Refuses a round that was not played."""
    played = ROUNDS[game.rounds][: sum(move.verb == "reveal" and move.number == 1 for move in game.moves)]
    if wanted and wanted not in played:
        there = f"its rounds are {', '.join(map(str, played))}" if played else "it is still in its set-up"
        raise click.BadParameter(f"game {number} has no round {wanted}: {there}.", param_hint="--from")

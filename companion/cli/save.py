"""The game of the terminal, kept in a file: written anew after every move."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

import click

from companion.engine import EngineError, Game

_PEOPLE: Final = "# people:"


class Unfinished(NamedTuple):
    """A game to go on with, and the seats that people hold."""

    game: Game
    people: tuple[str, ...]


class SavedGame:
    """A record in a file. Writing never leaves half a file, and never replaces another game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failure: str | None = None
        """Why the last move is not saved."""

    def unfinished(self) -> Unfinished | None:
        """The game in the file, if there is one that is not over."""
        if self.path.exists() and not self.path.is_file():
            raise click.ClickException(f"{self.path} is not a file that a game can be kept in.")
        try:
            text = self.path.read_text("utf-8-sig")
            game = Game.from_record(text)
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            raise click.ClickException(
                f"{self.path} is not a game: it is not text. Begin another with --new."
            ) from None
        except EngineError as error:
            raise click.ClickException(
                f"{self.path} cannot be read as a game: {error}. Mend it, or begin another with --new."
            ) from None
        except OSError as error:
            raise click.ClickException(f"{self.path} cannot be read: {error.strerror}.") from None
        lines = [line for line in text.splitlines() if line.startswith(_PEOPLE)]
        named = lines[0].removeprefix(_PEOPLE).split() if lines else game.seats[:1]
        return None if game.over else Unfinished(game, tuple(seat for seat in game.seats if seat in named))

    def set_aside(self) -> Path | None:
        """Renames the file that is there, so that a new game does not overwrite it; tells the new name."""
        if not self.path.is_file():
            return None
        written = datetime.fromtimestamp(self.path.stat().st_mtime)
        name = f"{self.path.stem}-{written:%Y%m%d-%H%M%S}"
        kept = self.path.with_name(name + self.path.suffix)
        number = 1
        while kept.exists():
            number += 1
            kept = self.path.with_name(f"{name}-{number}{self.path.suffix}")
        try:
            self.path.rename(kept)
        except OSError as error:
            raise click.ClickException(
                f"{self.path} cannot be renamed to make room for a new game: {error.strerror}. "
                "Use --file for another place."
            ) from None
        return kept

    def write(self, game: Game, people: Iterable[str]) -> None:
        """Saves the game; says once when that fails, and goes on."""
        beside = self.path.with_name(self.path.name + ".new")
        before = self.failure
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("w", encoding="utf-8") as file:
                file.write(f"{_PEOPLE} {' '.join(people)}\n{game.record()}")
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except OSError as error:
            self.failure = f"{self.path}: {error.strerror}"
            if beside.is_file():
                beside.unlink(missing_ok=True)
            if not before:
                warning = f"Not saved: {self.failure}. The game goes on, and every move tries again."
                click.secho(warning, fg="yellow", err=True)
        else:
            self.failure = None
            if before:
                click.echo(f"Saved again, in {self.path}.", err=True)

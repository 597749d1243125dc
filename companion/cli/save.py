"""The game of the terminal, kept in a file: written anew after every move."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import click

from companion.engine import EngineError, Game


class SavedGame:
    """A record in a file. Writing never leaves half a file, and never replaces another game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.complained = False

    def unfinished(self) -> Game | None:
        """The game in the file, if there is one that is not over."""
        try:
            game = Game.from_record(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return None
        except (EngineError, UnicodeDecodeError) as error:
            raise click.ClickException(
                f"{self.path} cannot be read as a game: {error}. Mend it, or begin another with --new."
            ) from None
        except OSError as error:
            raise click.ClickException(f"{self.path} cannot be read: {error.strerror}.") from None
        return None if game.over else game

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

    def write(self, game: Game) -> None:
        """Saves the game; says once when that fails, and goes on."""
        beside = self.path.with_name(self.path.name + ".new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("w", encoding="utf-8") as file:
                file.write(game.record())
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except OSError as error:
            if not self.complained:
                click.secho(
                    f"Not saved: {self.path}: {error.strerror}. The game goes on, and every move tries again.",
                    fg="yellow",
                    err=True,
                )
            self.complained = True
        else:
            if self.complained:
                click.echo(f"Saved again, in {self.path}.", err=True)
            self.complained = False

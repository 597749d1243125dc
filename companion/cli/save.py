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
_SEED: Final = "# seed:"


class Unfinished(NamedTuple):
    """A game to go on with, and the seats that people hold."""

    game: Game
    people: tuple[str, ...]
    seed: int | None
    """Where its cards come from, if that is known."""


class SavedGame:
    """A record in a file. Writing never leaves half a file, and never replaces what somebody else wrote there."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        if self.path.exists() and not self.path.is_file():
            raise click.ClickException(f"{self.path} is not a file that a game can be kept in.")
        self.known = self._stamp()
        self.failure: str | None = None
        """Why the last move is not saved."""

    def unfinished(self) -> Unfinished | None:
        """The game in the file, if there is one that is not over."""
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
        if game.over:
            return None
        named = _noted(text, _PEOPLE)
        people = tuple(seat for seat in game.seats if seat in named) if named is not None else game.seats[:1]
        seed = (_noted(text, _SEED) or [""])[0]
        return Unfinished(game, people, int(seed) if seed.lstrip("-").isdecimal() and len(seed) < 20 else None)

    def _stamp(self) -> tuple[int, int] | None:
        """What tells this file from another that is put in its place."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

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
            self.known = None
        except OSError as error:
            raise click.ClickException(
                f"{self.path} cannot be renamed to make room for a new game: {error.strerror}. "
                "Use --file for another place."
            ) from None
        return kept

    def write(self, game: Game, people: Iterable[str], seed: int) -> None:
        """Saves the game; says once when that fails, and goes on."""
        beside = self.path.with_name(self.path.name + ".new")
        before = self.failure
        try:
            if self._stamp() != self.known:
                raise OSError(0, "somebody else has written there since")
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("w", encoding="utf-8") as file:
                file.write(f"{_PEOPLE} {' '.join(people)}\n{_SEED} {seed}\n{game.record()}")
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
            self.known = self._stamp()
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


def _noted(text: str, note: str) -> list[str] | None:
    """The words of a comment in a record."""
    return next((line.removeprefix(note).split() for line in text.splitlines() if line.startswith(note)), None)

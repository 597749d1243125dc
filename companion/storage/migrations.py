"""The versions of a table's file: what brings a file from each to the next, and what it then looks like."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, Final

from companion.storage.seals import START, game_seals, seals_of

Statement = str | Callable[[Callable[..., list[Any]]], None]
"""Something that changes a file: SQL, or a function that is given one that runs SQL."""
Migration = tuple[Statement, ...]


def _seal_everything(execute: Callable[..., list[Any]]) -> None:
    """Seals what is in a file that has no seals yet, as it is now: what changes from here on is found."""
    games = execute(
        "SELECT id, CAST(begun_at AS BLOB), CAST(finished_at AS BLOB), CAST(header AS BLOB), CAST(options AS BLOB),"
        " CAST(seed AS BLOB) FROM games"
    )
    for game_id, *row in games:
        entries = execute(
            "SELECT number, CAST(kind AS BLOB), CAST(line AS BLOB), CAST(made_by AS BLOB)"
            " FROM entries WHERE game = ? ORDER BY number",
            (game_id,),
        )
        seals = game_seals(game_id, (row[0], row[1], row[2], row[3], row[4]))
        seals |= seals_of(game_id, entries, seals[START])
        for number, seal in seals.items():
            execute("INSERT INTO seals (game, number, seal) VALUES (?, ?, ?)", (game_id, number, seal))


def _staying(*changes: tuple[str, str]) -> tuple[str, ...]:
    """Returns triggers that keep what is in tables as it is."""
    return tuple(
        f"""
            CREATE TRIGGER {table}_stay_on_{change.split()[0].lower()} BEFORE {change} ON {table}
            BEGIN SELECT RAISE(ABORT, 'what is in the journal stays'); END
            """
        for table, change in changes
    )


MIGRATIONS: Final[tuple[Migration, ...]] = (
    (
        """
        CREATE TABLE tags (
            tag TEXT NOT NULL PRIMARY KEY,
            piece TEXT NOT NULL
        ) WITHOUT ROWID
        """,
        "CREATE INDEX tags_by_piece ON tags (piece)",
    ),
    (
        """
        CREATE TABLE games (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            begun_at TEXT NOT NULL,
            finished_at TEXT,
            header TEXT NOT NULL,
            options TEXT NOT NULL,
            seed TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE entries (
            game INTEGER NOT NULL REFERENCES games (id),
            number INTEGER NOT NULL CHECK (number > 0),
            kind TEXT NOT NULL CHECK (kind IN ('move', 'undo', 'note')),
            line TEXT NOT NULL,
            made_by TEXT NOT NULL CHECK (made_by IN ('person', 'bot', 'table')),
            at TEXT NOT NULL,
            PRIMARY KEY (game, number)
        ) WITHOUT ROWID
        """,
        *_staying(
            ("entries", "DELETE"),
            ("entries", "UPDATE"),
            ("games", "DELETE"),
            ("games", "UPDATE OF id, begun_at, header, options, seed"),
        ),
    ),
    (
        """
        CREATE TABLE seals (
            game INTEGER NOT NULL REFERENCES games (id),
            number INTEGER NOT NULL,
            seal BLOB NOT NULL CHECK (length(seal) = 32),
            PRIMARY KEY (game, number)
        ) WITHOUT ROWID
        """,
        # Games from before this version are sealed too, so that there is only one kind of game to look after.
        _seal_everything,
        *_staying(("seals", "DELETE"), ("seals", "UPDATE")),
    ),
)
"""What brings a file from each version to the next. Never change a released one; add another."""


def wrong_schema(found: Sequence[tuple[str, str | None]], version: int, migrations: Sequence[Migration]) -> str:
    """Returns what is wrong with the tables and triggers of a file, or an empty string when they are as they should be.

    A flipped bit in them would make SQLite read something else, or not keep what is to stay.

    :param found: the name of everything in the file, and the SQL that made it.
    :param version: the version that the file says it has.
    """
    there = {name: _words(text or "") for name, text in found}
    expected = dict(_schema(migrations[:version]))
    for name, text in expected.items():
        if there.get(name) != _words(text):
            return f"its part '{name}' was changed"
    statements = [each for migration in migrations[version:] for each in migration if isinstance(each, str)]
    made_later = [made[1] for each in statements if (made := re.match(r"\s*CREATE [A-Z]+ (\w+)", each))]
    later = next((name for name in made_later if name in there), "")
    return f"it has '{later}', which its version does not have" if later else ""


def _words(text: str) -> str:
    return " ".join(text.split())


def _schema(migrations: Sequence[Migration]) -> list[tuple[str, str]]:
    """Returns the name of everything that migrations make, and its SQL as SQLite keeps it."""
    with closing(sqlite3.connect(":memory:")) as made:
        for migration in migrations:
            for statement in migration:
                if isinstance(statement, str):
                    made.execute(statement)
        rows = made.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
        return rows.fetchall()

"""Checks whether every saved game is whole."""

from __future__ import annotations

from collections.abc import Iterator

from companion.doctor.check import Case, Check, Finding
from companion.engine import phrase
from companion.storage.database import look_into
from companion.storage.errors import DatabaseError
from companion.storage.journal import Journal


class SavedGames(Check):
    """Rebuilds all games in the database and checks their seals, without changing it."""

    name = "games"

    def look(self, case: Case) -> Iterator[Finding]:
        try:
            with look_into(case.machine.database) as database:
                if database is None or not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'entries'"):
                    yield self.ok(phrase("There are no saved games yet."))
                    return
                games, warnings = Journal(database).games(), database.warnings
        except DatabaseError as error:
            yield self.unusable(error)
            return
        for warning in warnings:
            yield self.warning(
                warning.text, phrase("Continue the game, and check that the board matches it."), **warning.fields
            )
        for problem in (game.problem for game in games if game.problem is not None):
            yield self.unusable(problem)
        if not warnings and not any(game.problem for game in games):
            yield self.ok(phrase("All {count} saved games are whole."), count=len(games))

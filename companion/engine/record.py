"""Records: a game as text, made of a header and its moves, from which it is rebuilt exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .errors import BadRecord, BadSetup, EngineError
from .regions import ROUNDS
from .state import WRONG_ROUNDS

if TYPE_CHECKING:
    from .game import Game

_KEYS: Final = ("edition", "seats", "rounds", "house")
_NEEDED: Final = ("edition", "seats", "rounds")


def write_record(game: Game) -> str:
    """Returns the record of a game."""
    header = [f"edition: {game.edition}", f"seats: {' '.join(game.seats)}", f"rounds: {game.rounds}"]
    if game.house:
        header.append(f"house: {' '.join(game.house)}")
    return "\n".join([*header, "", *(move.text for move in game.moves), ""])


class _Header:
    """The header of a record, with the line number of each entry."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.lines: dict[str, int] = {}

    def read(self, entry: str, line: int) -> None:
        """Reads one line."""
        key, _, value = (part.strip() for part in entry.partition(":"))
        if key not in _KEYS:
            raise BadRecord(
                line, "there is no '{key}' in a header; the keys are {keys}", key=key, keys=", ".join(_KEYS)
            )
        if key in self.values:
            raise BadRecord(line, "'{key}' is in the header twice", key=key)
        self.values[key] = value
        self.lines[key] = line

    def game(self, kind: type[Game], line: int) -> Game:
        """Returns the game that the header describes, before its first move."""
        for key in _NEEDED:
            if key not in self.values:
                raise BadRecord(line, "the header lacks '{key}'", key=key)
        rounds = self.values["rounds"]
        if rounds not in map(str, ROUNDS):
            raise BadRecord(self.lines["rounds"], WRONG_ROUNDS, rounds=repr(rounds))
        try:
            return kind(
                seats=self.values["seats"].split(),
                edition=self.values["edition"],
                rounds=int(rounds),
                house=self.values.get("house", "").split(),
            )
        except BadSetup as error:
            raise BadRecord(self.lines[error.about], error.message.text, **error.message.fields) from None


def read_record(kind: type[Game], text: str) -> Game:
    """Rebuilds a game from its record. A mistake raises `BadRecord`, which gives the line."""
    header = _Header()
    game: Game | None = None
    number = 0
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.strip()
        if not words or words.startswith("#"):
            continue
        if game is None and ":" in words:
            header.read(words, number)
            continue
        if game is None:
            game = header.game(kind, number)
        try:
            game.play(words)
        except EngineError as error:
            raise BadRecord(number, error.message.text, **error.message.fields) from None
    return game or header.game(kind, number + 1)

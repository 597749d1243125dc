"""Records: a game as text, a header and its moves, that rebuilds it exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .errors import BadRecord, EngineError

if TYPE_CHECKING:
    from .game import Game

_KEYS: Final = ("edition", "seats", "rounds", "house")
_NEEDED: Final = ("edition", "seats", "rounds")


def write_record(game: Game) -> str:
    """The record of a game."""
    header = [f"edition: {game.edition}", f"seats: {' '.join(game.seats)}", f"rounds: {game.rounds}"]
    if game.house:
        header.append(f"house: {' '.join(game.house)}")
    return "\n".join([*header, "", *(move.text for move in game.moves), ""])


def read_record(kind: type[Game], text: str) -> Game:
    """Rebuilds a game from its record; a mistake is told with its line."""
    header: dict[str, str] = {}
    game: Game | None = None
    number = 0
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.strip()
        if not words or words.startswith("#"):
            continue
        if game is None and ":" in words:
            _read_header(header, words, number)
            continue
        if game is None:
            game = _begin(kind, header, number)
        try:
            game.play(words)
        except EngineError as error:
            raise BadRecord(number, error.message.text, **error.message.fields) from None
    return game or _begin(kind, header, number + 1)


def _read_header(header: dict[str, str], line: str, number: int) -> None:
    key, _, value = (part.strip() for part in line.partition(":"))
    if key not in _KEYS:
        raise BadRecord(number, "there is no '{key}' in a header; there are {keys}", key=key, keys=", ".join(_KEYS))
    if key in header:
        raise BadRecord(number, "'{key}' stands twice in the header", key=key)
    header[key] = value


def _begin(kind: type[Game], header: dict[str, str], number: int) -> Game:
    for key in _NEEDED:
        if key not in header:
            raise BadRecord(number, "the header lacks '{key}'", key=key)
    if not header["rounds"].isdecimal():
        raise BadRecord(number, "the header's rounds must be 9 or 6, not '{rounds}'", rounds=header["rounds"])
    try:
        return kind(
            seats=header["seats"].split(),
            edition=header["edition"],
            rounds=int(header["rounds"]),
            house=header.get("house", "").split(),
        )
    except EngineError as error:
        raise BadRecord(number, error.message.text, **error.message.fields) from None

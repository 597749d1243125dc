"""What can go wrong in the engine: every error carries a message, so that it can be translated."""

from __future__ import annotations

from .messages import Field, Message


class EngineError(ValueError):
    """Something asked of the engine that it cannot do; `message` says what and why."""

    def __init__(self, text: str, **fields: Field) -> None:
        self.message = Message(text, fields)
        super().__init__(str(self.message))

    def __reduce__(self) -> tuple[object, ...]:
        # Restored without calling the constructor, so that it survives the trip from a worker process.
        return _restored, (type(self), str(self), dict(self.__dict__))


class IllegalMove(EngineError):
    """A move that the rules do not allow now."""


class NotAMove(IllegalMove):
    """A line that is not a move in any game."""


class BadSetup(EngineError):
    """A game that cannot be set up, because of an unknown edition or too many seats; `about` names the setting."""

    def __init__(self, about: str, text: str, **fields: Field) -> None:
        self.about = about
        super().__init__(text, **fields)


class UnknownSeat(EngineError):
    """A seat that does not play in this game."""


class BadRecord(EngineError):
    """A record that cannot be read: `line` is where, `message` is why."""

    def __init__(self, line: int, text: str, **fields: Field) -> None:
        self.line = line
        super().__init__(text, **fields)

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class NothingToUndo(EngineError):
    """Undo was asked for before the first move."""


def _restored(kind: type[EngineError], words: str, state: dict[str, object]) -> EngineError:
    error = kind.__new__(kind, words)
    error.args = (words,)
    error.__dict__.update(state)
    return error

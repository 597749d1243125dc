"""Opponents: bots of four levels, which see only what their seat may see."""

from __future__ import annotations

from typing import Final

from companion.bots.bot import Bot, Decision, EasyBot, NormalBot, RandomBot
from companion.bots.search import HardBot
from companion.engine import EngineError

LEVELS: Final = ("random", "easy", "normal", "hard")


class UnknownLevel(EngineError):
    """There is no bot of that level."""


def make_bot(level: str, seed: int = 0, seconds: float = 1.0, iterations: int | None = None) -> Bot:
    """Makes a bot of a level.

    The budget is for `hard`: `seconds` per decision, or a number of tries in `iterations`, which makes it repeatable.
    """
    match level:
        case "random":
            return RandomBot(seed)
        case "easy":
            return EasyBot(seed)
        case "normal":
            return NormalBot(seed)
        case "hard":
            return HardBot(seed, seconds, iterations)
    raise UnknownLevel(
        "there is no bot called '{level}'; the bots are {expected}", level=str(level), expected=", ".join(LEVELS)
    )


__all__ = ["LEVELS", "Bot", "Decision", "EasyBot", "HardBot", "NormalBot", "RandomBot", "UnknownLevel", "make_bot"]

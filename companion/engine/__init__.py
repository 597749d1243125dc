"""The rules of El Grande: no clock, no files, no random numbers, no threads."""

from .cards import CARDS, Card
from .chance import deal
from .determinise import determinise
from .editions import DEFAULT_EDITION, EDITIONS, HOUSE_RULES
from .errors import BadRecord, BadSetup, EngineError, IllegalMove, NotAMove, NothingToUndo, UnknownSeat
from .game import Game, Question
from .messages import Message, Several, phrase
from .moves import Move
from .regions import CASTILLO, PLACES, REGIONS, SEATS, TABLE
from .state import Scoring

__all__ = [
    "CARDS", "CASTILLO", "DEFAULT_EDITION", "EDITIONS", "HOUSE_RULES", "PLACES", "REGIONS", "SEATS", "TABLE",
    "BadRecord", "BadSetup", "Card", "EngineError", "Game", "IllegalMove", "Message", "Move", "NotAMove",
    "NothingToUndo", "Question", "Scoring", "Several", "UnknownSeat", "deal", "determinise", "phrase",
]  # fmt: skip

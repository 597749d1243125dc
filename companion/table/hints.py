"""Hints: what a bot would do in a player's place, from what that seat may know, for that seat alone."""

from __future__ import annotations

from typing import Final

from companion.engine import Game, Message, Move, phrase
from companion.engine.regions import NOWHERE, PLACES
from companion.engine.your_words import choice_words
from companion.table.bot_process import Advice
from companion.table.bot_turn import Thinker
from companion.table.moment import HintWords
from companion.table.options import PERSON, Options

LEVEL: Final = "normal"
"""The bot that gives hints."""

NO_HINTS: Final = phrase("Hints are switched off in this game.")
NOTHING_TO_DECIDE: Final = phrase("There is nothing for you to decide now.")
ASKED_FOR_HINT: Final = phrase("{seat} asked for a hint")
THINKING: Final = phrase("Let me think …")
WOULD_CHOOSE: Final = phrase("I'd choose “{choice}”.")
WOULD_CHOOSE_BECAUSE: Final = phrase("I'd choose “{choice}”, {reason}.")


def why_no_hint(game: Game, options: Options, seat: str) -> Message | None:
    """Returns why a seat cannot have a hint now, or `None` when it can."""
    if not options.hints:
        return Message(NO_HINTS, {})
    decides = options.player(seat) == PERSON and len(game.legal_moves(seat)) > 1
    return None if decides else Message(NOTHING_TO_DECIDE, {})


def hint_words(advice: Advice, card: str) -> HintWords:
    """Returns a bot's advice in words.

    :param card: the action card that the move takes or uses, or an empty string.
    """
    move, because = advice.move, advice.because
    choice = choice_words(move, card)
    place = None if move.place == NOWHERE else PLACES[move.place]
    if because is None:
        return HintWords(Message(WOULD_CHOOSE, {"choice": choice}), place)
    return HintWords(Message(WOULD_CHOOSE_BECAUSE, {"choice": choice, "reason": because}), place)


class Hints:
    """The hints that players have asked for, until the game goes on."""

    def __init__(self, thinker: Thinker | None) -> None:
        self._thinker = thinker
        self._asked: dict[str, int] = {}
        """For which version of the game each seat has asked for a hint."""
        self._words: dict[str, HintWords] = {}

    @property
    def possible(self) -> bool:
        """Whether there is anybody to ask."""
        return self._thinker is not None

    def words(self, seat: str) -> HintWords | None:
        """Returns the hint of a seat, or that a bot thinks about it; `None` when it has not asked."""
        if seat not in self._asked:
            return None
        return self._words.get(seat) or HintWords(Message(THINKING, {}))

    def ask(self, game: Game, seat: str, version: int) -> None:
        """Asks a bot for advice. It is shown what the seat may know, and nothing else."""
        assert self._thinker is not None
        self._asked[seat] = version
        self._words.pop(seat, None)
        self._thinker.advise(seat, LEVEL, game.view(seat), game.legal_moves(seat), version)

    def advised(self, game: Game, advice: Advice) -> None:
        """Takes a bot's advice, unless the game has gone on since."""
        if self._asked.get(advice.seat) == advice.version and advice.move in game.legal_moves(advice.seat):
            self._words[advice.seat] = hint_words(advice, _card(game, advice.move))

    def game_changed(self, only_dialled: str = "") -> None:
        """Drops the hints: the game has gone on.

        :param only_dialled: the seat that has set its dial, if nothing else has changed.
        """
        for seat in [only_dialled] if only_dialled else [*self._asked]:
            self.forget(seat)

    def forget(self, seat: str) -> None:
        """Drops the hint of one seat."""
        self._asked.pop(seat, None)
        self._words.pop(seat, None)


def _card(game: Game, move: Move) -> str:
    if move.verb == "card":
        return str(game.view(None)["open"].get(move.args[0], ""))
    return str(game.state.card or "")

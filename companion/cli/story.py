"""A game as a story in rounds: who did what, and what every scoring brought."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from companion.engine import PLACES, Game, Message, Move, Scoring
from companion.engine.views import masked
from companion.engine.words import CARD_WORDS, PLACE_NAMES
from companion.translations import Translator


def story(
    game: Game, names: Mapping[str, str] | None = None, asides: Mapping[int, Sequence[Message]] | None = None
) -> Iterator[str]:
    """Yields the story of a game line by line, from its first move on.

    :param names: what players are called, by seat.
    :param asides: what happened besides the moves, such as hints, by the number of moves made before.
    """
    besides = asides or {}
    words = Translator(names=names or {})
    rules = f", house rules {' and '.join(game.house)}" if game.house else ""
    seats = (f"{words.names[seat]} ({seat})" if seat in words.names else seat for seat in game.seats)
    yield f"{game.edition}, {game.rounds} rounds, seats {', '.join(seats)}{rules}"
    yield ""
    yield "Set-up"
    again = Game(game.seats, game.edition, game.rounds, game.house)
    card = ""
    # Dials not turned over yet, and cards taken back in a game that is not over, are secret.
    unturned = sum(line.endswith("dial ?") for line in game.view(None)["log"])
    for move, same in groupby(game.moves):
        if move.verb == "card":
            card = again.snapshot()["open"][str(move.number)]
        told = len(again.scorings)
        times = 0
        for _ in same:
            yield from (f"    {words.say(line)}" for line in besides.get(len(again.moves), ()))
            again.play(move)
            times += 1
        if move.verb == "end":
            card = ""
        secret = move.verb == "dial" and len(again.moves) > len(game.moves) - unturned
        if secret or (move.verb == "retake" and not game.over):
            yield f"    {words.move(masked(move))}"
        else:
            yield from _told(move, times, card, again.round, words)
        yield from _scored(again, again.scorings[told:], words)
    yield ""
    yield _standing(again, words)


def _told(move: Move, times: int, card: str, number: int, translator: Translator) -> Iterator[str]:
    """Yields the lines for one move, or for the same move several times in a row."""
    words = translator.move(move)
    if move.verb == "reveal":
        if move.number == 1:
            yield ""
            yield f"Round {number}"
        yield f"  {words}"
    elif move.verb == "card":
        yield f"    takes {_title(card)}"
    elif move.verb == "special":
        yield f"    begins the special action: {CARD_WORDS[card].text}"
    elif move.verb == "recruit" and not card:
        yield f"  {translator.seat(move.seat)}'s turn"
        yield f"    brings {move.number} to the court"
    elif move.seat == "table" or move.verb == "power" or (move.verb == "dial" and not card):
        yield f"  {words}"
    elif move.verb != "end":
        yield f"    {words}" + (f", {times} times" if times > 1 else "")


def _scored(game: Game, scorings: Sequence[Scoring], words: Translator) -> Iterator[str]:
    """Yields the lines for the scorings that a move caused."""
    if not scorings:
        return
    general = scorings[0].occasion == "general"
    if general:
        yield "  General scoring"
    for scoring in scorings:
        name = PLACE_NAMES[PLACES[scoring.place]]
        gains = ", ".join(_gains(list(map(words.seat, game.seats)), scoring))
        yield f"    {name} is scored: {gains or 'nothing'}"
    if general:
        yield f"    points: {_points(game, words)}"


def _gains(seats: Sequence[str], scoring: Scoring) -> Iterator[str]:
    bonus = scoring.king_bonus + scoring.grande_bonus
    for seat, points in enumerate(scoring.points):
        if seat == scoring.leader and bonus:
            yield f"{seats[seat]} {points} + {bonus}"
        elif points:
            yield f"{seats[seat]} {points}"


def _standing(game: Game, words: Translator) -> str:
    if not game.over:
        return f"The game goes on: {', '.join(map(words.seat, game.to_act))} to act. Points: {_points(game, words)}"
    if len(game.winners) == 1:
        return f"{words.seat(game.winners[0])} wins: {_points(game, words)}"
    return f"{' and '.join(map(words.seat, game.winners))} share the win: {_points(game, words)}"


def _points(game: Game, words: Translator) -> str:
    return ", ".join(f"{words.seat(seat)} {score}" for seat, score in game.scores.items())


def _title(card: str) -> str:
    return f"«{CARD_WORDS[card].title}»"

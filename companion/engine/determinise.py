"""Makes a whole game from a view: everything the view hides is dealt at random, consistent with what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .game import Game
from .moves import Move
from .regions import POWER_CARDS
from .views import HIDDEN, View

if TYPE_CHECKING:
    from random import Random


def determinise(view: View, rng: Random) -> Game:
    """Returns a game at the same decision as the view, whose own view for that seat equals it.

    Two things can be hidden: dials that are not turned over yet, and which power cards other seats took back. What is
    in the castillo follows from the log, because caballeros go in openly.
    """
    setup = view["setup"]
    game = Game(setup["seats"], setup["edition"], setup["rounds"], setup["house"])
    log = view["log"]
    retaken = _deal_retaken(log, rng)
    for index, line in enumerate(log):
        if not line.endswith(HIDDEN):
            game._play_unchecked(Move.parse(line))
            continue
        seat, verb, _ = line.split()
        if verb == "retake":
            game._play_unchecked(Move(seat, verb, str(retaken[index])))
        else:
            game._play_unchecked(rng.choice(game.legal_moves(seat)))
    return game


def _deal_retaken(log: list[str], rng: Random) -> dict[int, int]:
    """Chooses a power card for each hidden `retake` in the log, such that every card played later was in the hand."""
    dealt: dict[int, int] = {}
    for seat in sorted({line.split()[0] for line in log if line.endswith(f"retake {HIDDEN}")}):
        dealt |= rng.choice(_ways(_power_story(log, seat), POWER_CARDS))
    return dealt


def _power_story(log: list[str], seat: str) -> list[tuple[int, int | None, bool]]:
    """Returns what a seat did with its power cards: index in the log, card played, and whether it took effect.

    The card is `None` for a `retake`. A `retake` has no effect when a veto stopped it.
    """
    story: list[tuple[int, int | None, bool]] = []
    for index, line in enumerate(log):
        words = line.split()
        if words[0] != seat or words[1] not in ("power", "retake"):
            continue
        if words[1] == "power":
            story.append((index, int(words[2]), True))
        else:
            story.append((index, None, not _was_stopped(log, index)))
    return story


def _was_stopped(log: list[str], index: int) -> bool:
    """Returns whether the answers that follow a step end with a veto."""
    for line in log[index + 1 :]:
        verb = line.split()[1]
        if verb != "allow":
            return verb == "veto"
    return False


def _ways(story: list[tuple[int, int | None, bool]], hand: tuple[int, ...]) -> list[dict[int, int]]:
    """Returns all ways to fill in the cards taken back, given a hand and what happens to it."""
    if not story:
        return [{}]
    (index, played, held), *rest = story
    if played is not None:
        if played not in hand:
            return []
        return _ways(rest, tuple(card for card in hand if card != played))
    return [
        {index: card, **way}
        for card in POWER_CARDS
        if card not in hand
        for way in _ways(rest, (*hand, card) if held else hand)
    ]

"""Bot tournaments: seats rotate, all games of a rotation have the same deals, and a stopped run can be resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple

from companion.bots import Bot, make_bot
from companion.bots.simulation import Mean
from companion.engine import SEATS, TABLE, EngineError, Game, deal


@dataclass(frozen=True)
class Match:
    """The terms of a tournament: who plays, the rules, the seed, and the budget of `hard`."""

    bots: tuple[str, ...]
    edition: str
    rounds: int
    house: tuple[str, ...]
    seed: int
    seconds: float
    iterations: int | None

    def seating(self, number: int) -> tuple[str, ...]:
        """Returns the bots by seat in a game; they move on one seat with every game."""
        shift = number % len(self.bots)
        return self.bots[shift:] + self.bots[:shift]

    def deal_number(self, number: int) -> int:
        """Returns the number of the deal a game is played with: the same for a whole rotation."""
        return number // len(self.bots)


class Played(NamedTuple):
    """One game of a tournament."""

    number: int
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    moves: int

    def shares(self) -> tuple[float, ...]:
        """Returns each seat's share of the win: 1 for a single winner, an equal part when several tie."""
        best = max(self.scores)
        return tuple((score == best) / self.scores.count(best) for score in self.scores)


BotMaker = Callable[[int], Bot]
"""Makes a bot from its seed."""

_NO_OTHERS: Final[Mapping[str, BotMaker]] = MappingProxyType({})


def play_game(match: Match, number: int, others: Mapping[str, BotMaker] = _NO_OTHERS) -> Played:
    """Plays one game. Its deals follow from the seed and the deal's number alone, whatever the bots do.

    :param others: what makes the bots that are not built in, by the names that the match has for them.
    """
    seating = match.seating(number)
    seats = SEATS[: len(seating)]
    game = Game(seats, match.edition, match.rounds, match.house)
    seed = match.seed * 1000 + number
    players = {
        seat: others[bot](seed) if bot in others else make_bot(bot, seed, match.seconds, match.iterations)
        for seat, bot in zip(seats, seating, strict=True)
    }
    dealt = 0
    while not game.over:
        seat = game.to_act[0]
        if seat == TABLE:
            deal(game, Random(f"{match.seed}/{match.deal_number(number)}/{dealt}"))
            dealt += 1
        else:
            game.play(players[seat].decide(game.view(seat), game.legal_moves(seat)).move)
    return Played(number, seating, tuple(game.scores.values()), len(game.moves))


# --- The file --------------------------------------------------------------------------------------------------------


class OtherTournament(EngineError):
    """The file holds the results of another tournament."""


class Results:
    """The results of a tournament.

    In a file, one line per game, so that a long run can be stopped and resumed; only in memory when `path` is `None`.
    """

    def __init__(self, path: Path | None, match: Match) -> None:
        self.path = path
        self.match = match
        self.played = {game.number: game for game in self._read()}
        self._lead_in = self._before_the_next()

    def _read(self) -> Iterator[Played]:
        if self.path is None or self._is_new(self.path):
            return
        with self.path.open("r", encoding="utf-8", errors="replace") as file:
            # Whatever else the file may be, no more than this is read of it.
            if file.readline(len(self._head()) + 1).rstrip("\n") != self._head():
                raise OtherTournament(
                    "{path} holds the results of another tournament. Name another --file", path=str(self.path)
                )
            for line in file:
                try:
                    number, bots, scores, moves = json.loads(line)
                except (ValueError, TypeError):
                    continue  # cut off when the run was stopped
                yield Played(number, tuple(bots), tuple(scores), moves)

    def _head(self) -> str:
        return json.dumps(asdict(self.match))

    def to_play(self, games: int) -> list[int]:
        """Returns the numbers of the games still to be played."""
        return [number for number in range(games) if number not in self.played]

    def add(self, game: Played) -> None:
        """Adds the result of a game, and writes it to the file at once."""
        self.played[game.number] = game
        if self.path is None:
            return
        with self.path.open("a", encoding="utf-8") as file:
            file.write(self._lead_in + json.dumps(game) + "\n")
        self._lead_in = ""

    @staticmethod
    def _is_new(path: Path) -> bool:
        return not path.exists() or not path.stat().st_size

    def _before_the_next(self) -> str:
        """Returns what goes before the next result: the head in a new file, a line break where a run was cut off."""
        if self.path is None or self._is_new(self.path):
            return self._head() + "\n"
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return "" if file.read() == b"\n" else "\n"


# --- The table -------------------------------------------------------------------------------------------------------


class Share(NamedTuple):
    """A share of wins with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value * 100:.1f} % ({self.low * 100:.0f}-{self.high * 100:.0f})"


def share(wins: float, games: int) -> Share:
    """Returns a share of wins, with Wilson's interval.

    >>> str(share(30, 40))
    '75.0 % (60-86)'
    """
    z = 1.96
    part = wins / games
    middle = (part + z * z / (2 * games)) / (1 + z * z / games)
    reach = z * (part * (1 - part) / games + z * z / (4 * games * games)) ** 0.5 / (1 + z * z / games)
    return Share(part, max(0.0, middle - reach), min(1.0, middle + reach))


class Standing(NamedTuple):
    """How the bots of one level did."""

    bot: str
    copies: int
    share: Share
    """The share of each copy, when there are several."""
    score: Mean


def standings(games: Iterable[Played]) -> list[Standing]:
    """Returns how each level did, best first."""
    wins: dict[str, list[float]] = {}
    scores: dict[str, list[int]] = {}
    number = 0
    for game in games:
        number += 1
        for bot, part, score in zip(game.bots, game.shares(), game.scores, strict=True):
            wins.setdefault(bot, []).append(part)
            scores.setdefault(bot, []).append(score)
    found = []
    for bot, parts in wins.items():
        copies = len(parts) // number
        found.append(Standing(bot, copies, share(sum(parts) / copies, number), Mean.of(scores[bot])))
    return sorted(found, key=lambda standing: -standing.share.value)


def chart(standings: Sequence[Standing], title: str, level: float) -> str:
    """Draws the win shares as an SVG: one bar each with its interval, and a line where all would be equal."""
    left, right, top, height = 110, 560, 60, 46
    width = right - left

    def x(part: float) -> float:
        return left + part * width

    bottom = top + height * len(standings)
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {bottom + 50}"',
        ' font-family="sans-serif" font-size="14">',
        f'<rect width="640" height="{bottom + 50}" fill="#ffffff"/>',
        f'<text x="{left}" y="30" font-size="16" fill="#222222">{title}</text>',
    ]
    for percent in range(0, 101, 25):
        at = x(percent / 100)
        rows.append(f'<line x1="{at}" y1="{top - 8}" x2="{at}" y2="{bottom}" stroke="#dddddd"/>')
        rows.append(f'<text x="{at}" y="{bottom + 20}" text-anchor="middle" fill="#555555">{percent} %</text>')
    for index, standing in enumerate(standings):
        y = top + index * height
        part = standing.share
        middle = y + 15
        name = standing.bot + (f" (each of {standing.copies})" if standing.copies > 1 else "")
        rows.append(
            f'<rect x="{left}" y="{y}" width="{part.value * width:.1f}" height="30" fill="#3f6fb5">'
            f"<title>{name}: {part}</title></rect>"
        )
        rows.append(
            f'<line x1="{x(part.low):.1f}" y1="{middle}" x2="{x(part.high):.1f}" y2="{middle}" '
            'stroke="#222222" stroke-width="3"/>'
        )
        rows.append(f'<text x="{left - 8}" y="{y + 20}" text-anchor="end" fill="#222222">{standing.bot}</text>')
        rows.append(f'<text x="{right + 8}" y="{y + 20}" fill="#222222">{part.value * 100:.0f} %</text>')
    rows.append(
        f'<line x1="{x(level):.1f}" y1="{top - 8}" x2="{x(level):.1f}" y2="{bottom}" stroke="#b03030" '
        'stroke-dasharray="5 4" stroke-width="2"/>'
    )
    rows.append(f'<text x="{x(level):.1f}" y="{bottom + 38}" text-anchor="middle" fill="#b03030">level</text>')
    return "\n".join([*rows, "</svg>", ""])

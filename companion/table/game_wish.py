"""What people want to play: who sits where, the rules they play by, and how the table behaves.

The command line and the set-up page both make one, so both have the same defaults and the same checks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.engine import DEFAULT_EDITION, SEATS, EngineError, Game, Message, phrase
from companion.engine.views import SetupView
from companion.table.names import NAME_LENGTH, name_problem, tidy_name, without_problems
from companion.table.options import FIRST_GAME, PACES, PERSON, Options
from companion.table.phone_input import PLAYERS
from companion.table.seat_requests import NO_SEAT

DEFAULT_SEATS: Final = 4
DEFAULT_LEVEL: Final = "normal"
LONGEST_VETO_S: Final = 600.0

SAME_NAME: Final = phrase("Two players are called {name}. Give one of them another name.")
LONG_NAME: Final = phrase("{name} is too long for a name: {most} characters at most.")
UNKNOWN_PLAYER: Final = phrase("Who plays {seat}? It must be a person or a bot.")
UNKNOWN_PACE: Final = phrase("The bots cannot play at that pace.")
WRONG_CLOCK: Final = phrase("The veto clock runs from 0 to {most} seconds.")


class BadWish(ValueError):
    """A game that cannot be played; `message` says why."""

    def __init__(self, message: Message) -> None:
        self.message = message
        super().__init__(str(message))


def seated(seats: Sequence[str], people: int = 1, level: str = DEFAULT_LEVEL) -> dict[str, str]:
    """Returns who plays each seat: people take the first ones, bots the others.

    >>> seated(("red", "blue", "green"))
    {'red': 'person', 'blue': 'normal', 'green': 'normal'}
    """
    return {seat: PERSON if index < people else level for index, seat in enumerate(seats)}


@dataclass(frozen=True)
class GameWish:
    """A game that somebody wants to play. One that cannot be played is refused when it is made.

    >>> GameWish().players
    {'red': 'person', 'blue': 'normal', 'green': 'normal', 'yellow': 'normal'}
    >>> GameWish(players={"red": "person"})
    Traceback (most recent call last):
    ...
    companion.table.game_wish.BadWish: El Grande is for 2 to 5 seats, not 1
    """

    players: Mapping[str, str] = field(default_factory=lambda: seated(SEATS[:DEFAULT_SEATS]))
    """Who plays each seat, a person or the level of a bot, in the order they sit."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What players are called, by seat."""
    edition: str = DEFAULT_EDITION
    rounds: int = 9
    house: tuple[str, ...] = ()
    real_cards: bool = False
    leader_lights: bool = False
    veto_s: float = 0.0
    """How long the table waits for a veto; 0 means until it is answered."""
    language: str = "en"
    pace: str = "normal"
    teach: bool = False
    """Whether people are given lessons as they play."""
    hints: bool = True
    """Whether people may ask a bot what it would do."""

    def __post_init__(self) -> None:
        given = {seat: " ".join(name.split()) for seat, name in self.names.items() if name.strip()}
        object.__setattr__(self, "names", given)
        try:
            self.game()
        except EngineError as error:
            raise BadWish(error.message) from None
        for problem in self._problems():
            raise BadWish(problem)
        object.__setattr__(self, "names", {seat: tidy_name(name) for seat, name in given.items()})

    def _problems(self) -> Iterable[Message]:
        for seat, player in self.players.items():
            if player not in PLAYERS:
                yield Message(UNKNOWN_PLAYER, {"seat": seat})
        called: dict[str, str] = {}
        for seat, name in self.names.items():
            if seat not in self.players:
                yield Message(NO_SEAT, {"seat": seat})
            if len(name) > NAME_LENGTH:
                yield Message(LONG_NAME, {"name": name, "most": NAME_LENGTH})
            if name.casefold() in map(str.casefold, called.values()):
                yield Message(SAME_NAME, {"name": name})
            problem = name_problem(seat, name, called)
            if problem is not None:
                yield problem
            called[seat] = name
        if self.pace not in PACES:
            yield Message(UNKNOWN_PACE, {})
        if not math.isfinite(self.veto_s) or not 0 <= self.veto_s <= LONGEST_VETO_S:
            yield Message(WRONG_CLOCK, {"most": int(LONGEST_VETO_S)})

    @classmethod
    def like(cls, setup: SetupView, options: Options) -> GameWish:
        """Returns the wish for a game like one that was played. Of players whose names look the same, one keeps it.

        Whoever has played a guided game has had the lessons.
        """
        players = {seat: options.player(seat) for seat in setup["seats"]}
        return cls(
            players=players,
            names=without_problems({seat: name for seat, name in options.names.items() if seat in players}),
            edition=setup["edition"],
            rounds=setup["rounds"],
            house=tuple(setup["house"]),
            real_cards=options.real_cards,
            leader_lights=options.leader_lights,
            veto_s=min(options.veto_s, LONGEST_VETO_S),
            language=options.language,
            pace=options.pace if options.pace in PACES else "normal",
            hints=options.hints,
        )

    @classmethod
    def first_game(cls, language: str) -> GameWish:
        """Returns the wish for a guided first game."""
        players = seated(SEATS[: FIRST_GAME["seats"]], level=FIRST_GAME["level"])
        return cls(players, rounds=FIRST_GAME["rounds"], pace=FIRST_GAME["pace"], language=language, teach=True)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats, in the order they sit."""
        return tuple(self.players)

    def game(self) -> Game:
        """Returns the game, before its first move."""
        return Game(self.seats, self.edition, self.rounds, self.house)

    def options(self, guided: bool) -> Options:
        """Returns the options of the game.

        :param guided: whether there are real pieces, which the guide has to ask people to move.
        """
        return Options(
            players=dict(self.players),
            names=dict(self.names),
            language=self.language,
            veto_s=self.veto_s,
            leader_lights=self.leader_lights,
            real_cards=self.real_cards,
            guided=guided,
            pace=self.pace,
            teach=self.teach,
            hints=self.hints,
        )

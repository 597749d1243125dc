"""What was agreed about a game at this table, besides its rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from companion.storage.notes import NameNote, Note, PaceNote, PlayerNote

PERSON: Final = "person"

STEP: Final = "step"
PACES: Final[dict[str, float]] = {"slow": 2.5, "normal": 1.2, "fast": 0.5, STEP: 0.5, "instant": 0.0}
"""How long a bot waits before each move, so that people can follow. With `step` it waits for people to say `next`."""

FIRST_GAME: Final[dict[str, Any]] = {"seats": 3, "level": "easy", "rounds": 6, "pace": "slow"}
"""A guided first game, unless people say otherwise: two bots that play easily and slowly, and few rounds."""


@dataclass(frozen=True)
class Options:
    """Who plays, and how the table behaves."""

    players: Mapping[str, str] = field(default_factory=dict)
    """For each seat, `person` or the level of its bot; a seat that is missing is a person."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The players' names, by seat."""
    language: str = "en"
    veto_s: float = 0.0
    """How long people have to answer a veto question; 0 means until they do. Bots answer at once."""
    leader_lights: bool = False
    """Whether each region is lit dimly in the colour that leads there."""
    real_cards: bool = False
    """Whether people deal real cards and enter what was turned up; otherwise the table deals."""
    guided: bool = True
    """Whether there are real pieces, which the guide has to ask people to move."""
    pace: str = "normal"
    """How fast bots play: one of `PACES`."""
    teach: bool = False
    """Whether people are given lessons as they play."""
    hints: bool = True
    """Whether people may ask a bot what it would do."""

    @property
    def bot_pause_s(self) -> float:
        """How long a bot waits before each move."""
        return PACES.get(self.pace, PACES["normal"])

    def player(self, seat: str) -> str:
        """Returns who plays a seat: `person`, or the level of a bot."""
        return self.players.get(seat, PERSON)

    def is_person(self, seat: str) -> bool:
        """Returns whether a person plays a seat."""
        return self.player(seat) == PERSON

    def seated(self, seat: str, player: str) -> Options:
        """Returns the same options with another player at a seat."""
        return replace(self, players={**self.players, seat: player})

    def called(self, seat: str, name: str) -> Options:
        """Returns the same options with another name for a player."""
        return replace(self, names={**self.names, seat: name})

    def after(self, notes: Iterable[Note]) -> Options:
        """Returns the options after the notes of a game: players may have changed in the middle of it."""
        options = self
        for note in notes:
            match note:
                case PlayerNote(seat, player):
                    options = options.seated(seat, player)
                case NameNote(seat, name):
                    options = options.called(seat, name)
                case PaceNote(pace):
                    options = replace(options, pace=pace)
        return options

    def as_json(self) -> dict[str, Any]:
        """Returns the options as data for the journal."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Options:
        """Returns the options from the journal, without those that this version does not know."""
        return cls(**{name: value for name, value in data.items() if name in cls.__dataclass_fields__})

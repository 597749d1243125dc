"""The situation at a table: everything scenes and prompts are made from. Internal; displays get a `Moment`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from companion.engine import Game, Message, Move
from companion.engine.views import ScoringView, Snapshot
from companion.table.confirmations import Confirmation
from companion.table.guide import GuideStep
from companion.table.motions import EMPTY, Motion, PartialMove, Slot
from companion.table.options import Options


@dataclass(frozen=True)
class Situation:
    """Everything there is to show."""

    game: Game
    snapshot: Snapshot
    options: Options
    active_seat: str | None
    """The seat whose gestures on the board count, or `None`."""
    motions: Sequence[Motion] = ()
    partial: PartialMove = EMPTY
    choices: tuple[Move, ...] = ()
    slots: tuple[Slot, ...] = ()
    slot_place: str = ""
    steps: Sequence[GuideStep] = ()
    markers: dict[str, int] = field(default_factory=dict)
    roll_call: tuple[Message, ...] = ()
    """What should lie where, when a game goes on."""
    undo_count: int = 0
    undo_missing: Collection[str] = ()
    undo_by: str = ""
    """The seat that asks for an undo."""
    made_by: Sequence[str] = ()
    """Who made each move: `person`, `bot` or `table`."""
    fixed: int = 0
    """How many moves cannot be undone."""
    held: bool = False
    """Whether gestures wait until nobody can object."""
    confirming: Mapping[str, Confirmation] = field(default_factory=dict)
    """What each seat is asked to confirm."""
    unsaved: Message | None = None
    """Since when nothing can be saved, until the players have decided."""
    private: Mapping[str, Message] = field(default_factory=dict)
    """The notices for single seats."""
    wrong: Collection[str] = ()
    """The places that blink red."""
    listing: bool = False
    """Whether readers list what lies at them, so that the board may be right and the game wrong."""
    knocking: str | None = None
    knock_place: str = ""
    """The place whose button lets a phone in."""
    deadline_s: float | None = None
    waits_for_next: bool = False
    """Whether the table goes on only when somebody says `next`."""
    frames_left: int = 0
    """How many frames of the scoring show are left, with the one that is shown now."""
    scored: tuple[ScoringView, ...] = ()
    """The places scored so far in the scoring that is being shown."""

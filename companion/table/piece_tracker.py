"""Follows the pieces: where they lie as far as the table knows, and so what the guide has to say.

On buttons, and where pieces are tapped, the table believes what people show it. Where a reader lists what lies
there, the reader is right, unless people say by `confirm` that it is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from companion.engine import Game, Move
from companion.engine.pieces import Piece
from companion.table import turns
from companion.table.guide import (
    STOCK,
    GuideStep,
    Position,
    after_motion,
    apart,
    done,
    markers,
    position_of,
    seen,
    steps,
)
from companion.table.motions import Motion
from companion.table.options import Options

SETTLE_S: Final = 1.5
"""How long a difference may last before the guide speaks of it: hands need a moment."""
FIRST_LOOK_S: Final = 5.0
"""How long readers have in the beginning to tell what lies at them."""
MOST_MEANT: Final = 5
"""How many pieces may differ for the board to be believed: as many as the largest card places."""
OLD_NEWS_S: Final = 1.0
"""For how long after a reader is found again a tap at it may be one that was made before."""


class PieceTracker:
    """What the table knows of the pieces.

    :param game: where the pieces should be; where no reader lists them they are there in the beginning.
    :param modes: of each place with a reader, how that reads: `tap` or `inventory`.
    :param guided: whether there are real pieces at all.
    """

    def __init__(self, game: Game, modes: Mapping[str, str], guided: bool, now_s: float = 0.0) -> None:
        self._modes = dict(modes)
        self._guided = guided
        self._position = position_of(game.snapshot())
        self._lists = {place: Counter[Piece]() for place, mode in modes.items() if mode == "inventory"}
        """What readers list, from nothing on: they tell all that lies at them."""
        self._heard: set[str] = set()
        """The places whose reader has told something."""
        self._claimed: dict[str, Counter[Piece]] = {place: Counter() for place in self._lists}
        """What people say lies in a listed place beyond what its reader sees; less than none: what is not there."""
        self._lost: set[str] = set()
        """The places whose reader is lost."""
        self._found_s: dict[str, float] = {}
        self._markers = dict(game.scores)
        self._since_s: float | None = None
        """Since when the board has differed because of what readers saw."""
        if self.steps(game):
            self._since_s = now_s + FIRST_LOOK_S - SETTLE_S

    @property
    def position(self) -> Position:
        """Where the pieces lie, as far as the table knows."""
        return seen(self._position, {place: self._at(place) for place in self._lists if place not in self._lost})

    # Readers that are lost and found.

    def mode(self, place: str, now_s: float) -> str:
        """How a place reads tags now: `tap`, `inventory`, or `buttons` if it does not."""
        mode = self._modes.get(place, "buttons")
        # A tap that is told late was long since shown in another way.
        late = mode == "tap" and place in self._found_s and now_s < self._found_s[place] + OLD_NEWS_S
        return "buttons" if late or place in self._lost else mode

    def lists(self, place: str) -> bool:
        """Whether a place has a reader that lists what lies there, lost or not."""
        return place in self._lists

    @property
    def listing(self) -> bool:
        """Whether any reader lists what lies at it."""
        return bool(self._lists)

    def taps(self, place: str) -> bool:
        """Whether pieces are tapped at the reader of a place, lost or not."""
        return self._modes.get(place) == "tap"

    def lose(self, place: str) -> None:
        """A place's reader is lost: from now on the table believes what people show it there."""
        if place not in self._modes or place in self._lost:
            return
        if place in self._heard:
            self._position = self.position
            self._claimed[place].clear()
        self._lost.add(place)

    def find(self, place: str, game: Game, now_s: float) -> None:
        """A place's reader is back: what it lists is right again."""
        if place in self._lost:
            self._lost.discard(place)
            self._found_s[place] = now_s
            self._settle(game, now_s)

    # What people do.

    def moved(self, motion: Motion, game: Game, now_s: float) -> None:
        """Somebody made a move by hand; where readers list, they should see it soon."""
        self._position = after_motion(self._position, motion)
        if any(place in self._lists and place not in self._lost for place in (motion.origin, motion.target)):
            self._settle(game, now_s)

    def do(self, step: GuideStep) -> None:
        """A step was done, people say."""
        self._position = done(self._position, step)
        for place, count in ((step.origin, -step.count), (step.target, step.count)):
            if place in self._lists and place not in self._lost:
                self._claimed[place][step.piece] += count

    def tap(self, game: Game, piece: Piece, place: str) -> bool:
        """Follows a step of the guide by a tap; whether there was one that it fits."""
        for step in self.steps(game):
            if step.piece != piece or place not in (step.origin, step.target):
                continue
            # On its way to another place it is tapped there too, and has not arrived before.
            if place == step.target or step.target == STOCK:
                self.do(GuideStep(piece, step.origin, step.target))
            return True
        return False

    def read(self, game: Game, piece: Piece, place: str, gone: bool, now_s: float) -> bool:
        """A reader that lists sees a piece come or go; whether that brings the board nearer to the game."""
        before = self._apart(game)
        change = -1 if gone else 1
        self._heard.add(place)
        self._lists[place][piece] += change
        claimed = self._claimed[place]
        if claimed[piece] * change > 0:
            claimed[piece] -= change  # what people said is now seen
            return True
        self._settle(game, now_s)
        return self._apart(game) < before

    # Differences.

    def steps(self, game: Game) -> list[GuideStep]:
        """All steps that make the board match the game."""
        return steps(self.position, position_of(game.snapshot())) if self._guided else []

    def speaks(self, now_s: float) -> bool:
        """Whether a difference has lasted long enough to speak of it."""
        return self._since_s is None or now_s - self._since_s >= SETTLE_S

    def due_s(self) -> float | None:
        """When a difference that is there now will be spoken of."""
        return None if self._since_s is None else self._since_s + SETTLE_S

    def settled(self) -> None:
        """The board agrees with the game, or differs for reasons of the game: nothing to wait for."""
        self._since_s = None

    def markers(self, game: Game) -> dict[str, int]:
        """The score markers to move, by seat, and where to."""
        return markers(self._markers, game.scores) if self._guided else {}

    def mark(self, game: Game) -> None:
        """The score markers were moved, people say."""
        self._markers = dict(game.scores)

    def meant(self, game: Game, options: Options) -> list[Move]:
        """The moves of who is at turn that make the game as the board is; none if there are none that are legal."""
        apart = sum(step.count for step in self.steps(game))
        return (apart <= MOST_MEANT and self._meant(game, options, turns.active_seat(game, options))) or []

    def _meant(self, game: Game, options: Options, seat: str | None) -> list[Move] | None:
        differences = self.steps(game)
        if not differences:
            return []
        if seat is None or turns.active_seat(game, options) != seat:
            return None
        # A step would put its piece back: the move took it the other way.
        back = {(step.piece, step.target, step.origin) for step in differences}
        for motion in turns.motions(game, options):
            if (motion.piece, motion.origin or STOCK, motion.target or STOCK) in back:
                after = game.copy()
                after.play(motion.move)
                rest = self._meant(after, options, seat)
                if rest is not None:
                    return [motion.move, *rest]
        return None

    def _settle(self, game: Game, now_s: float) -> None:
        """Gives hands their time, if the board differs."""
        if not self.steps(game):
            self._since_s = None
        elif self._since_s is None:
            self._since_s = now_s

    def _apart(self, game: Game) -> int:
        """How many pieces are in a place where they should not be, or missing where they should be."""
        return apart(self.position, position_of(game.snapshot()))

    def _at(self, place: str) -> Counter[Piece]:
        """What lies in a listed place: what its reader sees, and what people say."""
        pieces = Counter(self._lists[place])
        pieces.update(self._claimed[place])
        return +pieces

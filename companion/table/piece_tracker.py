"""The piece tracker: where the pieces lie as far as the table knows, and therefore what the guide has to say.

Where there are only buttons, or pieces are tapped, the table believes what people show it. Where a reader lists what
lies there, the reader is right, unless people press `confirm` to say that it is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from companion.engine import PLACES, Game, Move
from companion.engine.pieces import Piece
from companion.engine.views import Snapshot
from companion.table import turns
from companion.table.guide import GuideStep, Position, after_motion, apart, done, markers, position_of, seen, steps
from companion.table.motions import STOCK, Motion
from companion.table.options import Options

SETTLE_S: Final = 1.5
"""How long a difference may last before the guide mentions it: hands need a moment."""
FIRST_LOOK_S: Final = 5.0
"""How long readers have at the start to report what lies at them."""
MOST_MEANT: Final = 5
"""How many pieces may differ for the board to be believed: as many as any card places."""
OLD_NEWS_S: Final = 1.0
"""How long after a reader is found again its taps may be old ones."""


class PieceTracker:
    """What the table knows about the pieces.

    :param game: says where the pieces should be; where no reader lists them, the table assumes that they are there.
    :param modes: how each place with a reader reads: `tap` or `inventory`.
    :param guided: whether there are real pieces at all.
    """

    def __init__(self, game: Game, modes: Mapping[str, str], guided: bool, now_s: float = 0.0) -> None:
        self._modes = dict(modes)
        self._guided = guided
        self._position = position_of(game.snapshot())
        self._lists = {place: Counter[Piece]() for place, mode in modes.items() if mode == "inventory"}
        """What readers list. It starts empty, because readers report everything that lies at them."""
        self._heard: set[str] = set()
        """The places whose reader has reported something."""
        self._claimed: dict[str, Counter[Piece]] = {place: Counter() for place in self._lists}
        """What people say lies in a listed place beyond what its reader sees; negative for what is not there."""
        self._lost: set[str] = set()
        """The places whose reader is lost."""
        self._found_s: dict[str, float] = {}
        self._lies: dict[str, str] = {}
        """Where each tag was last seen, as long as it has not been seen to leave."""
        self._left: dict[str, tuple[str, Piece]] = {}
        """Which place each tag left, as long as such a piece is missing there."""
        self._late: dict[tuple[str, str], Piece] = {}
        """Tags that a reader still lists although another one has seen them since, by tag and place."""
        self._markers = dict(game.scores)
        self._since_s: float | None = None
        """Since when the board has differed from the game because of what readers saw, or `None`."""
        if self.steps(game):
            self._since_s = now_s + FIRST_LOOK_S - SETTLE_S

    @property
    def position(self) -> Position:
        """Where the pieces lie, as far as the table knows."""
        return seen(self._position, {place: self._at(place) for place in self._lists if place not in self._lost})

    # Readers that are lost and found.

    def mode(self, place: str, now_s: float) -> str:
        """Returns how a place reads tags now: `tap`, `inventory`, or `buttons` when it does not."""
        mode = self._modes.get(place, "buttons")
        # A tap reported late has long been shown in another way.
        late = mode == "tap" and place in self._found_s and now_s < self._found_s[place] + OLD_NEWS_S
        return "buttons" if late or place in self._lost else mode

    def lists(self, place: str) -> bool:
        """Returns whether a place has a reader that lists what lies there, lost or not."""
        return place in self._lists

    @property
    def listing(self) -> bool:
        """Whether any reader lists what lies at it."""
        return bool(self._lists)

    def taps(self, place: str) -> bool:
        """Returns whether pieces are tapped at the reader of a place, lost or not."""
        return self._modes.get(place) == "tap"

    def lose(self, place: str) -> None:
        """Marks the reader of a place as lost: from now on, the table believes what people show it there."""
        if place not in self._modes or place in self._lost:
            return
        if place in self._heard:
            self._position = self.position
            self._claimed[place].clear()
        self._lost.add(place)

    def find(self, place: str, game: Game, now_s: float) -> None:
        """Marks the reader of a place as found: what it lists is right again."""
        if place in self._lost:
            self._lost.discard(place)
            self._found_s[place] = now_s
            self._settle(game, now_s)

    # What people do.

    def moved(self, motion: Motion, game: Game, now_s: float) -> None:
        """Notes that somebody made a move by hand; readers that list should see it soon."""
        self._position = after_motion(self._position, motion)
        if any(place in self._lists and place not in self._lost for place in (motion.origin, motion.target)):
            self._settle(game, now_s)

    def do(self, step: GuideStep) -> None:
        """Notes that people say a step is done."""
        self._position = done(self._position, step)
        for place, count in ((step.origin, -step.count), (step.target, step.count)):
            if place in self._lists and place not in self._lost:
                self._claimed[place][step.piece] += count

    def tap(self, game: Game, piece: Piece, place: str) -> bool:
        """Takes a tap as a step of the guide. Returns whether it fits one."""
        for step in self.steps(game):
            if step.piece != piece or place not in (step.origin, step.target):
                continue
            # A piece on its way to another place is tapped there too, and has only arrived then.
            if place == step.target or step.target == STOCK:
                self.do(GuideStep(piece, step.origin, step.target))
            return True
        return False

    def read(self, game: Game, piece: Piece, place: str, gone: bool, now_s: float, tag: str = "") -> bool:
        """Notes that a listing reader saw a piece come or go. Returns whether the board is now closer to the game."""
        before = self._apart(game)
        change = -1 if gone else 1
        self._forget_explained(game)
        self._heard.add(place)
        self._lists[place][piece] += change
        self._track(tag, piece, place, gone)
        claimed = self._claimed[place]
        if claimed[piece] * change > 0:
            claimed[piece] -= change  # what people said is now seen
            return True
        self._settle(game, now_s)
        return self._apart(game) < before

    # Which piece came from where.

    def origins(self, game: Game, tag: str, piece: Piece, place: str) -> frozenset[str]:
        """Returns the places that a piece now at a place may have come from; `STOCK` means off the map.

        It is a single place if the tag was seen to leave it. Otherwise, it is every place where no reader would have
        seen the piece leave.
        """
        missing, left = self._missing(game, piece), self._left_by(piece)
        if tag in self._left:
            origin = self._left[tag][0]
            if origin != place and left[origin] <= missing[origin]:
                return frozenset([origin])
        unsure = {each for each in PLACES if self._unseen(each, piece) or missing[each] != left[each]}
        return frozenset(unsure - {place} | {STOCK})

    def puzzling(self, game: Game, piece: Piece) -> bool:
        """Returns whether a piece of this kind is missing at a reader, and it is not known which one."""
        missing, left = self._missing(game, piece), self._left_by(piece)
        return any(missing[place] != left[place] for place in PLACES if not self._unseen(place, piece))

    def _track(self, tag: str, piece: Piece, place: str, gone: bool) -> None:
        """Remembers where a tag lies, and which place it left."""
        if not tag:
            return
        lay = self._lies.get(tag)
        if gone:
            self._late.pop((tag, place), None)
            if lay in (None, place):
                self._lies.pop(tag, None)
                self._left.setdefault(tag, (place, piece))
            return
        self._lies[tag] = place
        self._late.pop((tag, place), None)
        if tag in self._left and self._left[tag][0] == place:
            del self._left[tag]
        elif lay not in (None, place) and lay not in self._lost:
            self._late[tag, lay] = piece
            self._left.setdefault(tag, (lay, piece))

    def _forget_explained(self, game: Game) -> None:
        """Forgets which place a piece left when none is missing there any longer."""
        for tag, (place, piece) in list(self._left.items()):
            if not self._missing(game, piece)[place]:
                del self._left[tag]

    def _missing(self, game: Game, piece: Piece) -> Counter[str]:
        """Returns how many pieces of a kind are missing in each place."""
        lies = Counter(self.position.get(piece))
        lies.subtract(place for (_, place), late in self._late.items() if late == piece and place not in self._lost)
        return position_of(game.snapshot()).get(piece, Counter[str]()) - lies

    def _left_by(self, piece: Piece) -> Counter[str]:
        """Returns how many tagged pieces of a kind have left each place."""
        return Counter(place for place, left in self._left.values() if left == piece)

    def _unseen(self, place: str, piece: Piece | None) -> bool:
        """Returns whether a piece could leave a place without a reader noticing."""
        blind = place not in self._lists or place in self._lost
        return blind or (piece is not None and self._claimed[place][piece] > 0)

    # Differences.

    def steps(self, game: Game) -> list[GuideStep]:
        """Returns all steps that make the board match the game."""
        return steps(self.position, position_of(game.snapshot())) if self._guided else []

    def speaks(self, now_s: float) -> bool:
        """Returns whether the guide may speak: no difference is so recent that it has to wait."""
        return self._since_s is None or now_s - self._since_s >= SETTLE_S

    def due_s(self) -> float | None:
        """Returns when the guide will mention the current difference, or `None` when there is nothing to wait for."""
        return None if self._since_s is None else self._since_s + SETTLE_S

    def settled(self, game: Game) -> None:
        """Stops waiting: the board matches the game, or differs because the game has changed."""
        self._since_s = None
        self._forget_explained(game)

    def explained(self, motion: Motion, before: Snapshot) -> None:
        """Accepts a move as the explanation of how the pieces lie, where no reader sees them."""
        if motion.piece is None:
            return
        wanted, lies = position_of(before)[motion.piece], self.position[motion.piece]
        for place, step in (
            (motion.origin, GuideStep(motion.piece, motion.origin or STOCK, STOCK)),
            (motion.target, GuideStep(motion.piece, STOCK, motion.target or STOCK)),
        ):
            change = 1 if place == motion.target else -1
            if place is not None and self._unseen(place, None) and (lies[place] - wanted[place]) * change <= 0:
                self._position = done(self._position, step)

    def markers(self, game: Game) -> dict[str, int]:
        """Returns the score markers to move, by seat, and where to."""
        return markers(self._markers, game.scores) if self._guided else {}

    def mark(self, game: Game) -> None:
        """Notes that people say the score markers have been moved."""
        self._markers = dict(game.scores)

    def meant(self, game: Game, options: Options) -> list[tuple[Move, ...]]:
        """Returns all shortest lists of legal moves of the active seat that would make the game match the board.

        Lists of the same moves in another order count once. If there are several, only people can say which one was
        meant: the way the guide pairs pieces that are alike says nothing about which of them went where.
        """
        differences = self.steps(game)
        seat = turns.active_seat(game, options)
        if seat is None or not differences or sum(step.count for step in differences) > MOST_MEANT:
            return []
        found: list[tuple[Move, ...]] = []
        under_way: dict[tuple[Move, ...], tuple[tuple[Move, ...], Game, Position]] = {(): ((), game, self.position)}
        while under_way and not found:
            longer: dict[tuple[Move, ...], tuple[tuple[Move, ...], Game, Position]] = {}
            for moves, reached, board in under_way.values():
                if turns.active_seat(reached, options) != seat:
                    continue
                for motion, after_board in self._towards(board, reached, options):
                    key = tuple(sorted((*moves, motion.move), key=str))
                    if key in longer:
                        continue
                    after = reached.copy()
                    after.play(motion.move)
                    longer[key] = (*moves, motion.move), after, after_board
                    if not steps(after_board, position_of(after.snapshot())):
                        found.append((*moves, motion.move))
            under_way = longer
        return found

    def _towards(self, board: Position, game: Game, options: Options) -> list[tuple[Motion, Position]]:
        """Returns the motions that bring the game closer to the board, each with the board as it would then be.

        A surplus piece at a reader may have come from any place without one, and a missing piece may have gone to any.
        """
        found = []
        wanted = position_of(game.snapshot())
        for motion in turns.motions(game, options):
            piece, origin, target = motion.piece, motion.origin, motion.target
            if piece is None:
                continue
            left = origin is not None and board[piece][origin] < wanted[piece][origin]
            came = target is not None and board[piece][target] > wanted[piece][target]
            if (left and (came or target is None)) or (came and origin is None):
                found.append((motion, board))
            elif came and origin and target and self._unseen(origin, piece) and not self._unseen(target, None):
                found.append((motion, done(board, GuideStep(piece, origin, STOCK))))
            elif left and origin and target and self._unseen(target, None) and not self._unseen(origin, None):
                found.append((motion, done(board, GuideStep(piece, STOCK, target))))
        return found

    def _settle(self, game: Game, now_s: float) -> None:
        """Gives people time to finish, if the board differs from the game."""
        if not self.steps(game):
            self._since_s = None
        elif self._since_s is None:
            self._since_s = now_s

    def _apart(self, game: Game) -> int:
        """Returns the number of surplus and missing pieces in all places."""
        return apart(self.position, position_of(game.snapshot()))

    def _at(self, place: str) -> Counter[Piece]:
        """Returns what lies in a listed place: what its reader sees, corrected by what people say."""
        pieces = Counter(self._lists[place])
        pieces.update(self._claimed[place])
        return +pieces

"""Announcements: what people are shown for a while, on the board, on every page, or on one phone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from companion.engine import Message
from companion.table.scoring_show import ScoringShow, ShowFrame

WRONG_S: Final = 1.5
"""How long a place blinks red."""


class Announcements:
    """Notices, refusals, places that blink red, and the scoring show."""

    def __init__(self) -> None:
        self._notices: tuple[Message, ...] = ()
        self._mentions: tuple[Message, ...] = ()
        self._played: tuple[Message, ...] = ()
        self._private: dict[str, Message] = {}
        self._wrong: dict[str, float] = {}
        self._doubt: tuple[str, Message] | None = None
        self._show = ScoringShow()

    # Notices.

    @property
    def notices(self) -> tuple[Message, ...]:
        """The notices for everybody, until somebody does the next thing."""
        return self._notices

    @property
    def mentions(self) -> tuple[Message, ...]:
        """What is worth a quiet line, such as that somebody has joined, until somebody does the next thing."""
        return self._mentions

    @property
    def played(self) -> tuple[Message, ...]:
        """The moves that the table played by itself after the last move."""
        return self._played

    @property
    def private(self) -> Mapping[str, Message]:
        """The notices for single seats."""
        return self._private

    def say(self, *notices: Message) -> None:
        """Shows everybody these notices instead of the current ones."""
        self._notices = notices

    def mention(self, line: Message) -> None:
        """Shows everybody a quiet line in addition to the current ones: nothing is wrong."""
        self._mentions = (*(each for each in self._mentions if each != line), line)

    def say_also(self, notice: Message) -> None:
        """Shows everybody a notice in addition to the current ones."""
        self._notices = (*(each for each in self._notices if each != notice), notice)

    def say_played(self, moves: Iterable[Message]) -> None:
        """Shows everybody what the table has played by itself."""
        self._played = tuple(moves)

    def tell(self, seat: str, notice: Message) -> None:
        """Shows one seat a notice."""
        self._private[seat] = notice

    def untell(self, seat: str) -> None:
        """Removes the notice for a seat, which has been seen."""
        self._private.pop(seat, None)

    def untell_all(self) -> None:
        """Removes the notices for single seats."""
        self._private.clear()

    def seen(self) -> None:
        """Removes notices and quiet lines: somebody does something, so they have been seen."""
        self._notices = self._mentions = ()

    # Places.

    @property
    def wrong(self) -> frozenset[str]:
        """The places that blink red."""
        return frozenset(self._wrong)

    def refuse(self, place: str, *why: Message, now_s: float) -> None:
        """Shows everybody why something is refused, and makes the place blink red."""
        self._wrong[place] = now_s + WRONG_S
        self.say(*why)

    @property
    def doubt(self) -> tuple[str, Message] | None:
        """The place where a reader saw something that is not a move, and why it is not one; or `None`."""
        return self._doubt

    def doubt_reading(self, place: str, why: Message) -> None:
        """Notes that a reader saw something that is not a move, to be refused once people have had time to finish."""
        self._doubt = (place, why)

    def refuse_doubt(self, now_s: float) -> None:
        """Refuses what a reader saw that is not a move; people have had time to finish."""
        if self._doubt is not None:
            self.refuse(*self._doubt, now_s=now_s)
            self._doubt = None

    # The scoring show.

    @property
    def frame(self) -> ShowFrame | None:
        """The frame of the scoring show that is due now, or `None`."""
        return self._show.frame

    @property
    def frames_left(self) -> int:
        """How many frames of the scoring show are left, with the one that is shown now."""
        return self._show.left

    def show_scoring(self, frames: Iterable[ShowFrame], now_s: float) -> None:
        """Shows frames one after another."""
        self._show.add(frames, now_s)

    def next_frame(self, now_s: float) -> None:
        """Goes on to the next frame of the scoring show."""
        self._show.skip(now_s)

    def skip_ahead(self, now_s: float) -> None:
        """Goes on to the last frame of the scoring show; from there, ends it."""
        self._show.skip_ahead(now_s)

    def end_show(self) -> None:
        """Ends the scoring show, because the lights are needed or somebody has seen enough."""
        self._show.cut()

    # Changes.

    def game_changed(self) -> None:
        """Drops doubts and notices for single seats: they were about the game before it changed."""
        self._doubt = None
        self._private.clear()

    def moves_taken_back(self) -> None:
        """Drops what the table played after moves that were taken back, and their scoring show."""
        self._played = ()
        self._show.cut()

    def tick(self, now_s: float, being_read: bool = False) -> None:
        """Ends what has been shown long enough.

        :param being_read: whether somebody still reads a lesson, so that the scoring show waits.
        """
        self._wrong = {place: until_s for place, until_s in self._wrong.items() if until_s > now_s}
        if being_read:
            self._show.hold()
        else:
            self._show.advance(now_s)

    def due_s(self) -> float | None:
        """Returns when something ends next, or `None` when nothing is shown for a limited time."""
        show_s = self._show.due_s()
        return min([*self._wrong.values(), *([] if show_s is None else [show_s])], default=None)

"""What all requests share: the display they read, the table they post to, and who may do what."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from flask import Request

from companion.engine.pieces import Piece
from companion.table.options import PERSON
from companion.table.replies import Reply, SendReply
from companion.table.table import Gesture
from companion.workshop.recent import RecentLog
from web_remote.access import AccessCodes, known_by, new_token, seats_of
from web_remote.display import WebDisplay
from web_remote.request_checks import host_name, is_loopback
from web_remote.server import STREAMS, WATCHERS

if TYPE_CHECKING:
    from companion.workshop import Workshop
    from hardware.simulated.board import SimulatedBoard

COOKIE: Final = "el_grande"
ANSWER_S: Final = 3.0
"""How long a request waits for the table; after that its page learns from the stream what came of it."""
REMEMBERED: Final = 512
"""How many things that were said are remembered, so that a double tap plays once."""


class Post(Protocol):
    """Posts a gesture to the table; see `Table.post`."""

    def __call__(self, gesture: Gesture, reply: SendReply | None = None) -> None: ...


@dataclass
class WebContext:
    """Shared by all requests."""

    display: WebDisplay
    post: Post
    codes: AccessCodes = field(default_factory=AccessCodes)
    simulated: SimulatedBoard | None = None
    """The simulated board, or `None` when the board is a real one."""
    tags: Mapping[Piece, str] = field(default_factory=dict)
    """A tag for each kind of piece, to be held to simulated readers."""
    play_again: Callable[[], None] = lambda: None
    """Begins another game when this one is over."""
    workshop: Workshop | None = None
    """Where the board is looked over and tried."""
    log: RecentLog = field(default_factory=RecentLog)
    """The program's last warnings."""
    streams: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(STREAMS))

    def __post_init__(self) -> None:
        self.knocked = ""
        """What the phone is known by that knocked last."""
        self._watchers = threading.BoundedSemaphore(WATCHERS)
        self._said: OrderedDict[tuple[str, int, str], None] = OrderedDict()
        self._lock = threading.Lock()

    def ask(self, gesture: Gesture) -> Reply | None:
        """Posts a gesture and waits for the reply. Returns `None` when the table has not come to it in time."""
        replies: list[Reply] = []
        replied = threading.Event()

        def take(reply: Reply) -> None:
            replies.append(reply)
            replied.set()

        self.post(gesture, take)
        return replies[0] if replied.wait(ANSWER_S) else None

    def first_time(self, token: str, number: int, line: str) -> bool:
        """Whether a phone says this for the first time about what it was shown: the same once more is a double tap."""
        key = (known_by(token), number, line)
        with self._lock:
            if key in self._said:
                return False
            self._said[key] = None
            while len(self._said) > REMEMBERED:
                self._said.popitem(last=False)
            return True

    def stream_slot(self, first: bool) -> Callable[[], None] | None:
        """Takes a slot for a stream. Returns what gives it back, or `None` when there is no slot left.

        :param first: whether the stream is a player's or the table's own: some slots are for these alone.
        """
        taken: list[threading.BoundedSemaphore] = []
        for slots in (self.streams,) if first else (self._watchers, self.streams):
            if not slots.acquire(blocking=False):
                for each in taken:
                    each.release()
                return None
            taken.append(slots)

        def leave() -> None:
            while taken:
                taken.pop().release()

        return leave

    # Who asks.

    def seats(self, request: Request) -> list[str]:
        """The seats that the asking phone holds."""
        return seats_of(request.cookies.get(COOKIE), self.display.now.holders)

    def token(self, request: Request) -> str:
        """What the asking phone carries from now on: a new token, unless it holds something by the one it has.

        Somebody else might have given it that one, and know it.
        """
        token = request.cookies.get(COOKIE)
        if token and (self.seats(request) or self.codes.trusts(token) or known_by(token) == self.knocked):
            return token
        return new_token()

    def at_the_machine(self, request: Request) -> bool:
        """Whether who asks sits at this very machine, and came by its own name."""
        return is_loopback(request.remote_addr or "") and is_loopback(host_name(request.host))

    def may_manage(self, request: Request) -> bool:
        """Whether who asks may do what only the table may."""
        return self.at_the_machine(request) or self.codes.trusts(request.cookies.get(COOKIE))

    def free_seats(self) -> list[str]:
        """The seats of people that no phone holds."""
        public = self.display.now.public
        return [
            seat
            for seat in public.view["seats"]
            if public.options.player(seat) == PERSON and seat not in public.held_seats
        ]

    @property
    def language(self) -> str:
        """The table's own language."""
        return self.display.now.public.options.language

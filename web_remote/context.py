"""What all requests share: the display they read, the table they post to, and who may do what."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from flask import Request

from companion.engine.pieces import Piece
from companion.table.game_wish import GameWish
from companion.table.gestures import Gesture
from companion.table.options import PERSON
from companion.table.replies import Reply, SendReply
from companion.translations import Translator
from companion.workshop.recent import RecentLog
from web_remote import senders
from web_remote.access import AccessCodes, known_by, new_token, seats_of
from web_remote.display import WebDisplay
from web_remote.limits import Limits
from web_remote.phone_streams import PhoneStreams
from web_remote.ports import Ports
from web_remote.stream_slots import StreamSlot, StreamSlots

if TYPE_CHECKING:
    from companion.network import NetworkClient
    from companion.workshop import Workshop
    from hardware.simulated.board import SimulatedBoard

COOKIE: Final = senders.COOKIE
ANSWER_S: Final = 3.0
"""How long a request waits for the table; after that its page learns the outcome from the stream."""
REMEMBERED: Final = 512
"""How many lines are remembered, so that a double tap plays once."""


class Post(Protocol):
    """A function that posts a gesture to the table; see `Table.post`."""

    def __call__(self, gesture: Gesture, reply: SendReply | None = None) -> None: ...


@dataclass
class WebContext:
    """What all requests share."""

    display: WebDisplay
    post: Post
    codes: AccessCodes = field(default_factory=AccessCodes)
    simulated: SimulatedBoard | None = None
    """The simulated board, or `None` when the board is a real one."""
    tags: Mapping[Piece, str] = field(default_factory=dict)
    """A tag for each kind of piece, to hold to simulated readers."""
    play_again: Callable[[], None] = lambda: None
    """Starts another game when this one is over."""
    begin: Callable[[GameWish], None] = lambda wish: None
    """Begins a game that somebody wants to play."""
    workshop: Workshop | None = None
    """Where the board is checked and its parts are tried."""
    log: RecentLog = field(default_factory=RecentLog)
    """The program's latest warnings."""
    limits: Limits = field(default_factory=Limits)
    """How often each sender may do what others notice."""
    proxies: Collection[str] = ()
    """The addresses of named proxies; see `web_remote.senders`."""
    network: NetworkClient | None = None
    """What looks after the machine's network; `None` where nothing does."""
    host: str = ""
    """The only address on which the pages are served; empty when they are served on all of them."""
    ports: Ports = field(default_factory=Ports)
    """The ports on which they are served."""

    def __post_init__(self) -> None:
        self.knocked = ""
        """The hash of the token of the phone that knocked last."""
        self.streams = StreamSlots(self.display.wake)
        self.presence = PhoneStreams(self.post)
        """Which phones have a stream open."""
        self._said: OrderedDict[tuple[str, int, str], Reply | None] = OrderedDict()
        self._lock = threading.Lock()

    def ask(self, gesture: Gesture) -> Reply | None:
        """Posts a gesture and returns the reply, or `None` when the table has not replied in time."""
        replies: list[Reply] = []
        replied = threading.Event()

        def take(reply: Reply) -> None:
            replies.append(reply)
            replied.set()

        self.post(gesture, take)
        return replies[0] if replied.wait(ANSWER_S) else None

    def first_time(self, token: str, number: int, line: str) -> bool:
        """Returns whether a phone sends this line for the first time in this state; a second time is a double tap."""
        key = (known_by(token), number, line)
        with self._lock:
            if key in self._said:
                return False
            self._said[key] = None
            while len(self._said) > REMEMBERED:
                self._said.popitem(last=False)
            return True

    def replied(self, token: str, number: int, line: str, reply: Reply | None) -> None:
        """Remembers the table's reply to a line, for a phone that sends it again; `None` when there is none yet."""
        key = (known_by(token), number, line)
        with self._lock:
            if reply is not None and reply.is_too_fast:
                # The table never got it, so it may be sent again.
                self._said.pop(key, None)
            else:
                self._said[key] = reply

    def reply_to(self, token: str, number: int, line: str) -> Reply | None:
        """Returns the table's reply to a line that was sent before, or `None` when there is none yet."""
        with self._lock:
            return self._said.get((known_by(token), number, line))

    # Who sent a request.

    def address(self, request: Request) -> str:
        """Returns the address that a request comes from."""
        return senders.client_address(request.remote_addr or "", request.headers.get, self.proxies)

    def is_known(self, token: str | None) -> bool:
        """Returns whether a token belongs to a phone that was let in: it holds a seat, or may manage the table."""
        return bool(token) and (self._trusts(token) or bool(seats_of(token, self.display.holders)))

    def sender(self, request: Request) -> str:
        """Returns whom limits count a request for: a phone that was let in, or else everybody at an address."""
        token = request.cookies.get(COOKIE)
        if token and self.is_known(token):
            return senders.phone_sender(token)
        return senders.address_sender(self.address(request))

    def stream_slot(self, request: Request) -> StreamSlot | None:
        """Takes a slot for a stream, or returns `None` when there is none left."""
        return self.streams.take(self.sender(request), self.is_known(request.cookies.get(COOKIE)))

    def seats(self, request: Request) -> list[str]:
        """Returns the seats held by the phone that sent the request."""
        if self.display.in_lobby:
            return []
        return seats_of(request.cookies.get(COOKIE), self.display.now.holders)

    def token(self, request: Request) -> str:
        """Returns the token the phone carries from now on: a new one, unless its present token already holds something.

        A token that holds nothing may have been planted by somebody else, who would then know it.
        """
        token = request.cookies.get(COOKIE)
        if token and (self.seats(request) or self._trusts(token) or known_by(token) == self.knocked):
            return token
        return new_token()

    def at_the_machine(self, request: Request) -> bool:
        """Returns whether the sender sits at this machine: its browser has opened the printed address with its token.

        A request that comes from the machine itself proves nothing: a proxy may have forwarded it.
        """
        return self.codes.sits_at_the_machine(request.cookies.get(COOKIE))

    def may_manage(self, request: Request) -> bool:
        """Returns whether the sender may do what only the table may do.

        It has opened the printed address, given the table code, or somebody has pressed the button lit for it.
        """
        return self._trusts(request.cookies.get(COOKIE))

    def may_take_over(self, request: Request) -> bool:
        """Returns whether the sender may take a seat over from another browser: at the machine of a simulated board."""
        return self.simulated is not None and self.may_manage(request)

    def _trusts(self, token: str | None) -> bool:
        return self.codes.trusts(token) or (bool(token) and known_by(str(token)) in self.display.managers)

    def free_seats(self) -> list[str]:
        """Returns the seats of people that no phone holds."""
        public = self.display.now.public
        return [
            seat
            for seat in public.view["seats"]
            if public.options.player(seat) == PERSON and seat not in public.held_seats
        ]

    @property
    def language(self) -> str:
        """The table's own language."""
        return self.display.wish.language if self.display.in_lobby else self.display.now.public.options.language

    def words(self, language: str) -> Translator:
        """Returns the words of a page: in its language, in the terms of the edition, with the players' names."""
        if self.display.in_lobby:
            return Translator(language)
        public = self.display.now.public
        return Translator(language, public.view["setup"]["edition"], public.options.names)

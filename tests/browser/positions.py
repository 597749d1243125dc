"""Every kind of question that a phone can show to red, or to blue if it is about red's move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.engine import Game
from companion.table.options import Options
from tests.browser.phones import Device
from tests.support.arrange import opening, play, turn_of

THREE: Final = ("red", "blue", "green")
BOARD: Final = {"aragon": {"red": 2, "blue": 1}, "sevilla": {"blue": 1, "green": 2}, "granada": {"red": 1}}
ALONE: Final = Options(pace="instant", guided=False, veto_s=0.0)


def _powers() -> Game:
    return play(opening(THREE), "red power 5", "blue power 1", "green power 2")


def _turn(card: str) -> Game:
    return turn_of(card, THREE, board=BOARD, court={"red": 3, "blue": 4, "green": 4})


def _vetoed() -> Game:
    game = turn_of("move-3", THREE, board=BOARD, court={"red": 3}, vetoes=["blue"])
    return play(game, "red special", "blue allow", "red move blue sevilla granada")


def dials() -> Game:
    """Returns a game in which everybody sets a dial."""
    return play(_turn("secret-score"), "red special")


@dataclass(frozen=True)
class Kind:
    """A kind of question, and how it is answered."""

    name: str
    game: Callable[[], Game]
    asked: str
    """The question on the phone."""
    answer: Callable[[Device], None]
    seat: str = "red"
    options: Options = ALONE
    first: tuple[Callable[[Device], None], ...] = ()
    """What leads to the question, if that takes half an answer."""


def _key(line: str) -> Callable[[Device], None]:
    return lambda phone: phone.tap(f'#phone [data-key="{line}"]')


def _place(name: str) -> Callable[[Device], None]:
    return lambda phone: phone.place(name)


def set_dial(phone: Device) -> None:
    """Sets the dial to where it points, with two taps."""
    phone.tap(".dialling button")
    phone.tap(".dialling button.sure")


def turn_to(phone: Device, name: str) -> None:
    """Taps a region on the dial."""
    phone.tap(f'.dial .sector:has-text("{name}")')
    phone.read(name, ".reading")


def _moving() -> Game:
    return play(_turn("move-3"), "red special")


def _placed_all() -> Game:
    return turn_of("score-4s", THREE, board=BOARD, court={"red": 0})


_GUIDED: Final = Options(guided=True, veto_s=0.0)
_PLACING: Final = "Place up to 3"
_MOVING: Final = "Move up to 3 more"

KINDS: Final = (
    Kind("power", lambda: opening(THREE), "Play a power card", _key("power7")),
    Kind("recruit", _powers, "Bring up to 4 caballeros to your court", _key("recruit 3")),
    Kind("card", lambda: play(_powers(), "red recruit 0"), "Take an action card", _key("card 5")),
    Kind("place", lambda: _turn("score-4s"), _PLACING, _place("castillo")),
    Kind("move-from", _moving, _MOVING, _place("sevilla")),
    Kind("move-to", _moving, _MOVING, _place("cataluna"), first=(_place("granada"),)),
    Kind("colour", _moving, _MOVING, _key("move blue aragon cataluna"), first=(_place("aragon"), _place("cataluna"))),
    Kind("dial", dials, "Which region should be scored?", set_dial),
    Kind("veto", _vetoed, "Veto red's", _key("veto"), seat="blue"),
    Kind("special", _placed_all, "Use «Score the fours», or end your turn", _key("special")),
    Kind("guide", lambda: _turn("score-4s"), _PLACING, _key("done"), options=_GUIDED),
)


def ask(kind: Kind, phone: Device) -> None:
    """Makes the phone show the question."""
    phone.sit(kind.seat)
    phone.read(kind.asked, "#question")
    for step in kind.first:
        with phone.answered():
            step(phone)


def ids(kind: Kind) -> str:
    """Returns the name of a kind, for the names of tests."""
    return kind.name

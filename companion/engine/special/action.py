"""The course of a special action: announced, carried out step by step, and stopped by a veto.

    announce ──> (holders asked) ──> begin ──> step ──> (holders asked) ──> effect ──┐
                      │                         ^            │                       │
                      v                         └────────────┼───────────────────────┤
                  vetoed: over <─────────────────────────────┘        no step left: over

A step has not happened yet while the holders of a veto card are asked about it: a veto simply drops it.
"""

from __future__ import annotations

from typing import Final

from ..messages import Field, QuestionWords, phrase
from ..moves import Move
from ..regions import NOWHERE
from ..state import Phase, State


class Special:
    """What one action card does. Like a phase, it keeps its state in the `State` and holds none itself."""

    about = ""
    """What everybody reads about the seat whose step it is; {left} and {extra} are the number of steps left."""
    to = ""
    """What that seat itself is asked."""

    def begin(self, s: State) -> None:
        """Prepares the steps after the announcement, or does what the card does when it has no steps."""

    def seats(self, s: State) -> tuple[int, ...]:
        """Returns the seats that may take the next step."""
        return (s.actor,)

    def steps(self, s: State) -> list[Move]:
        """Returns the legal steps, `done` among them where the card allows it. Empty when the action is over."""
        return []

    def play(self, s: State, move: Move) -> None:
        """Takes a step, or ends the action early."""
        if move.verb == "done":
            finish(s)
        else:
            take_step(s, move)

    def effect(self, s: State, move: Move) -> None:
        """Carries out a step, once no veto can stop it."""
        raise NotImplementedError

    def question(self, s: State, seat: int) -> QuestionWords:
        """Returns what a seat that takes a step is asked."""
        fields: dict[str, Field] = {"seat": s.setup.name(seat), "left": s.left, "extra": s.extra_left}
        return QuestionWords.using(self.about, self.to, fields)


def announce(s: State, move: Move, special: Special) -> None:
    """Begins the acting seat's special action."""
    s.special_used = True
    s.special = special
    s.resume = s.phase
    take_step(s, move)


def holders(s: State) -> tuple[int, ...]:
    """Returns who is asked about a step: other seats with a veto card, clockwise, unless they allowed everything."""
    if not s.vetoes:
        return ()
    held = {seat for seat, _ in s.vetoes}
    return tuple(seat for seat in s.setup.after[s.actor] if seat in held and seat not in s.content)


def take_step(s: State, move: Move) -> None:
    """Takes a step, which waits for those who may object, or happens at once."""
    asked = holders(s)
    if asked:
        s.pending, s.asked, s.phase = move, asked, VETO
    else:
        happen(s, move)


def happen(s: State, move: Move) -> None:
    """Lets a step take effect, then asks for the next step or ends the action."""
    special = s.special
    assert special is not None
    if move.verb == "special":
        special.begin(s)
    else:
        special.effect(s, move)
    steps = special.steps(s)
    if steps:
        s.phase, s.menu = STEP, steps
    else:
        finish(s)


def finish(s: State) -> None:
    """Ends the special action, and goes on with the turn."""
    assert s.resume is not None
    s.phase = s.resume
    s.special = s.resume = s.pending = None
    s.own_left = s.others_left = s.left = s.extra_left = 0
    s.region = NOWHERE
    s.todo = s.asked = s.content = s.dialling = ()


class _Step(Phase):
    """The next step of the special action under way."""

    kind = "step"

    def seats(self, s: State) -> tuple[int, ...]:
        assert s.special is not None
        return s.special.seats(s)

    def legal(self, s: State) -> list[Move]:
        assert s.special is not None
        return s.special.steps(s)

    def play(self, s: State, move: Move) -> None:
        assert s.special is not None
        s.special.play(s, move)

    def question(self, s: State, seat: int) -> QuestionWords:
        assert s.special is not None
        return s.special.question(s, seat)


class _Veto(Phase):
    """The holder of a veto card is asked about the waiting step."""

    kind = "veto"

    def seats(self, s: State) -> tuple[int, ...]:
        return (s.asked[0],)

    def legal(self, s: State) -> list[Move]:
        return list(s.setup.moves[s.asked[0]].answers)

    def play(self, s: State, move: Move) -> None:
        holder, *others = s.asked
        if move.verb == "veto":
            used = next(veto for veto in s.vetoes if veto[0] == holder)
            vetoes = list(s.vetoes)
            vetoes.remove(used)
            s.vetoes = tuple(vetoes)
            finish(s)
            return
        if move.args:
            s.content = (*s.content, holder)
        if others:
            s.asked = tuple(others)
            return
        step = s.pending
        assert step is not None
        s.pending, s.asked = None, ()
        happen(s, step)

    def question(self, s: State, seat: int) -> QuestionWords:
        fields = {"seat": s.setup.name(seat), "actor": s.setup.name(s.actor), "card": str(s.card)}
        return QuestionWords.using(phrase("{seat} may veto {actor}'s {card}"), phrase("Veto {actor}'s {card}?"), fields)


STEP: Final = _Step()
VETO: Final = _Veto()

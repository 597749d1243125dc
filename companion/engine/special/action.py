"""The course of a special action: announced, carried out step by step, and stopped by a veto.

    announce ──> (holders asked) ──> begin ──> step ──> (holders asked) ──> effect ──┐
                      │                         ^            │                       │
                      v                         └────────────┼───────────────────────┤
                  vetoed: over <─────────────────────────────┘        no step left: over

Nothing of a step has happened while holders of a veto card are asked about it: a veto simply forgets it.
"""

from __future__ import annotations

from typing import Final

from ..messages import Field, Message
from ..moves import Move
from ..regions import NOWHERE
from ..state import Phase, State


class Special:
    """What one action card does. Like a phase it holds no state of its own: that is in the `State`."""

    ask: str
    """The question to the seat whose step it is; {left} and {extra} say how many steps there still are."""

    def begin(self, s: State) -> None:
        """The announcement stands: get ready for the steps, or do what the card does without any."""

    def seats(self, s: State) -> tuple[int, ...]:
        """Who takes the next step."""
        return (s.actor,)

    def steps(self, s: State) -> list[Move]:
        """The legal steps now, `done` among them where the card allows it; none when the action is over."""
        return []

    def play(self, s: State, move: Move) -> None:
        """A step was taken, or the action was ended early."""
        if move.verb == "done":
            finish(s)
        else:
            take_step(s, move)

    def effect(self, s: State, move: Move) -> None:
        """What a step does, once no veto stops it."""
        raise NotImplementedError

    def question(self, s: State, seat: int) -> Message:
        """What is asked of a seat that takes a step."""
        fields: dict[str, Field] = {"seat": s.setup.name(seat), "left": s.left, "extra": s.extra_left}
        return Message.using(self.ask, fields)


def announce(s: State, move: Move, special: Special) -> None:
    """The acting seat begins its special action."""
    s.special_used = True
    s.special = special
    s.resume = s.phase
    take_step(s, move)


def holders(s: State) -> tuple[int, ...]:
    """Who must be asked about a step: other seats with a veto card, clockwise, unless they allowed everything."""
    if not s.vetoes:
        return ()
    held = {seat for seat, _ in s.vetoes}
    return tuple(seat for seat in s.setup.after[s.actor] if seat in held and seat not in s.content)


def take_step(s: State, move: Move) -> None:
    """A step was taken: it waits for those who may object, or happens at once."""
    asked = holders(s)
    if asked:
        s.pending, s.asked, s.phase = move, asked, VETO
    else:
        happen(s, move)


def happen(s: State, move: Move) -> None:
    """Lets a step take effect, and goes on with the next or ends the action."""
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
    """The special action is over; the turn goes on."""
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

    def question(self, s: State, seat: int) -> Message:
        assert s.special is not None
        return s.special.question(s, seat)


class _Veto(Phase):
    """A holder of a veto card is asked about the step that waits."""

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

    def question(self, s: State, seat: int) -> Message:
        fields = {"seat": s.setup.name(seat), "actor": s.setup.name(s.actor), "card": str(s.card)}
        return Message("{seat}, will you stop {actor}'s {card}?", fields)


STEP: Final = _Step()
VETO: Final = _Veto()

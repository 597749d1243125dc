"""The cards that use the secret dials."""

from __future__ import annotations

from ..messages import QuestionWords, phrase
from ..moves import Move
from ..regions import NOWHERE
from ..scoring import score
from ..state import State, replaced
from .action import Special, take_step


def set_dial(s: State, move: Move) -> bool:
    """Sets a seat's dial in secret. Returns whether it was the last one."""
    seat = s.setup.index[move.seat]
    s.dials = replaced(s.dials, seat, move.place)
    s.dialling = tuple(other for other in s.dialling if other != seat)
    return not s.dialling


class DialCard(Special):
    """Some seats choose in secret; then all dials are turned over together."""

    def begin(self, s: State) -> None:
        self._ask_dials(s)

    def seats(self, s: State) -> tuple[int, ...]:
        return s.dialling

    def steps(self, s: State) -> list[Move]:
        return [move for seat in s.dialling for move in self.choices(s, seat)]

    def play(self, s: State, move: Move) -> None:
        if move.verb != "dial" or set_dial(s, move):
            take_step(s, move)

    def effect(self, s: State, move: Move) -> None:
        self.turned(s)

    def choices(self, s: State, seat: int) -> list[Move]:
        """Returns what a seat may dial; an empty list when it takes no part."""
        raise NotImplementedError

    def turned(self, s: State) -> None:
        """Carries out what the turned-over dials say."""
        raise NotImplementedError

    def _ask_dials(self, s: State) -> None:
        s.dials = (NOWHERE,) * s.setup.count
        s.dialling = tuple(seat for seat in range(s.setup.count) if self.choices(s, seat))


class SecretHome(DialCard):
    """Each other seat dials a region where it has caballeros: all of them go home, or at most this many."""

    about = phrase("{seat} dials a region to send caballeros home from")
    to = phrase("From which region do your caballeros go home?")

    def __init__(self, most: int | None = None) -> None:
        self.most = most

    def choices(self, s: State, seat: int) -> list[Move]:
        if seat == s.actor:
            return []
        own = [(region, s.board[region][seat]) for region in s.open_regions() if s.board[region][seat]]
        if self.most and any(number >= self.most for _, number in own):
            own = [(region, number) for region, number in own if number >= self.most]
        dial = s.setup.moves[seat].dial
        return [dial[region] for region, _ in own]

    def turned(self, s: State) -> None:
        for seat, region in enumerate(s.dials):
            if region != NOWHERE:
                own = s.board[region][seat]
                s.send_home(region, seat, min(own, self.most or own))


class SecretScore(DialCard):
    """Every seat dials a region; each region dialled exactly once is scored."""

    about = phrase("{seat} dials a region to score")
    to = phrase("Which region should be scored? It counts only if nobody else dials it")

    def choices(self, s: State, seat: int) -> list[Move]:
        return list(s.setup.moves[seat].dial)

    def turned(self, s: State) -> None:
        for region in sorted(s.dials):
            if s.dials.count(region) == 1:
                score(s, region)


class Expel(DialCard):
    """The acting seat names a region, and each other seat there leaves it for a region it dials in secret."""

    about = phrase("{seat} chooses the region that the others must leave")
    to = phrase("Which region must the others leave?")

    def begin(self, s: State) -> None:
        s.left = 1

    def seats(self, s: State) -> tuple[int, ...]:
        return (s.actor,) if s.left else s.dialling

    def steps(self, s: State) -> list[Move]:
        return list(s.setup.moves[s.actor].expel_but[s.king]) if s.left else super().steps(s)

    def effect(self, s: State, move: Move) -> None:
        if move.verb == "expel":
            s.left = 0
            s.region = move.place
            self._ask_dials(s)
        else:
            self.turned(s)

    def choices(self, s: State, seat: int) -> list[Move]:
        if seat == s.actor or not s.board[s.region][seat]:
            return []
        moves = s.setup.moves[seat]
        return list(moves.dial if s.setup.edition.expel_nowhere else moves.dial_but[s.region])

    def turned(self, s: State) -> None:
        for seat, region in enumerate(s.dials):
            if region == NOWHERE:
                continue
            number = s.board[s.region][seat]
            s.add(s.region, seat, -number)
            if region in (s.king, s.region):
                s.court[seat] += number
            else:
                s.add(region, seat, number)

    def question(self, s: State, seat: int) -> QuestionWords:
        if s.left:
            return super().question(s, seat)
        fields = {"seat": s.setup.name(seat), "region": s.setup.place(s.region)}
        return QuestionWords.using(
            phrase("{seat} dials where the caballeros in {region} go"),
            phrase("Where do your caballeros in {region} go?"),
            fields,
        )

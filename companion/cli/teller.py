"""Prints in a terminal what happens: moves as they are made, notices, the guide, the board and the cards."""

from __future__ import annotations

import click

from companion.cli.move_log import told_lines
from companion.cli.screens import board
from companion.engine import CARDS
from companion.engine.history import history
from companion.engine.views import View
from companion.table.moment import Moment, SeatMoment
from companion.table.options import PERSON
from companion.translations import Translator
from companion.translations.scorings import ended

LAST_LINES = 6
"""How many lines of the log are repeated when a game goes on."""


class Teller:
    """Prints what has happened since the last time, without the secrets of people who share the screen."""

    def __init__(self) -> None:
        self.translator = Translator()
        self._shown: Moment | None = None
        self._resumed = False
        self._at_keyboard: str | None = None
        self._board_stale = True
        self._told_notices: tuple[str, ...] = ()
        self._told_guide: tuple[str, ...] = ()
        self._told_hint: str | None = None

    @property
    def now(self) -> Moment:
        """The moment shown last."""
        assert self._shown is not None
        return self._shown

    @property
    def people(self) -> list[str]:
        """The seats that people play."""
        options = self.now.public.options
        return [seat for seat in self.now.public.view["seats"] if options.player(seat) == PERSON]

    @property
    def at_keyboard(self) -> str | None:
        """The seat whose player sits at the keyboard, or `None` when that is not known."""
        return self._at_keyboard

    @property
    def board_stale(self) -> bool:
        """Whether somebody else has done something since the board was last printed."""
        return self._board_stale

    def begin(self, resumed: bool) -> None:
        """Begins a game. A resumed game begins with a reminder of what happened last."""
        self._resumed = resumed

    def hand_to(self, seat: str) -> None:
        """Hands the keyboard to another player."""
        self._at_keyboard = seat
        self._board_stale = True

    def tell(self, moment: Moment) -> bool:
        """Prints what has happened since the last time. Returns whether the game goes on."""
        before, self._shown = self._shown, moment
        public = moment.public
        if before is None:
            self._open()
            before = moment if self._resumed else None
        for line in told_lines(before, moment, self._only_person, self.translator):
            click.echo(f"  {line}")
        self._board_stale |= self._is_stale(before, moment)
        own = moment.seats.get(self._at_keyboard or "")
        private = (own.prompt.notice,) if own is not None and own.prompt.notice is not None else ()
        notices = tuple(self.translator.say(notice) for notice in (*public.notices, *private))
        lately = [self.translator.move(line) for line in public.view["log"][-20:]]
        for notice in notices:
            # What the table played by itself has been printed as a move.
            if notice not in self._told_notices and notice not in lately:
                click.secho(f"  {notice}", fg="yellow")
        self._told_notices = notices
        self._tell_hint(own)
        self._tell_guide(moment)
        if public.view["over"]:
            click.echo("\n" + board(self._view, self.translator))
            click.secho(ended(public.view["winners"], self.translator))
        return not public.view["over"]

    def _open(self) -> None:
        """Takes the players and the language from the first moment."""
        options, setup = self.now.public.options, self.now.public.view["setup"]
        self.translator = Translator(options.language, setup["edition"], options.names)
        self._at_keyboard = self._only_person
        if self._resumed:
            self.show_log(LAST_LINES)

    def _is_stale(self, before: Moment | None, after: Moment) -> bool:
        """Returns whether somebody else has done something between two moments."""
        if before is None:
            return True
        old, new = before.public.view, after.public.view
        others = [line for line in new["log"][len(old["log"]) :] if line.split()[0] != self._at_keyboard]
        return bool(others) or len(new["log"]) < len(old["log"]) or new["scorings"] != old["scorings"]

    def _tell_hint(self, own: SeatMoment | None) -> None:
        """Prints the hint that the player at the keyboard has asked for, once."""
        hint = None if own is None or own.hint is None else self.translator.say(own.hint.words)
        if hint and hint != self._told_hint:
            click.secho(f"  {hint}", fg="green")
        self._told_hint = hint

    def _tell_guide(self, moment: Moment) -> None:
        guide = tuple(self.translator.say(step) for step in moment.public.guide)
        if guide and guide != self._told_guide:
            click.secho("  " + self.translator.in_words("On the board:"), bold=True)
            for step in guide:
                click.echo(f"    {step}")
            for offer in moment.public.offers:
                click.echo(f"  {offer.line}: {self.translator.say(offer.words)}")
        self._told_guide = guide

    def show_log(self, lines: int) -> None:
        """Prints the last moves."""
        only = self._only_person
        view = self.now.seen_by(only).view if only else self.now.public.view
        log = [line for turn in history(view) for line in turn.lines]
        for line in log[-lines:]:
            click.echo(f"  {self.translator.say(line.words)}")

    def show_board(self) -> None:
        """Prints where everything is."""
        title, _, rest = board(self._view, self.translator).partition("\n")
        click.secho(f"\n{title}", bold=True)
        click.echo(rest)
        self._board_stale = False

    def show_cards(self) -> None:
        """Prints the open cards, and the one just taken, with their texts."""
        view = self.now.public.view
        for name in (*view["open"].values(), *filter(None, [view["turn"]["card"]])):
            card = self.translator.card(name)
            click.echo(f"  {CARDS[name].stack} {card.title}: {card.text}")

    @property
    def _view(self) -> View:
        """What the screen may show: the view of the player at the keyboard, or the public one."""
        seat = self._at_keyboard
        return self.now.seats[seat].view if seat and seat in self.now.seats else self.now.public.view

    @property
    def _only_person(self) -> str | None:
        return self.people[0] if len(self.people) == 1 else None

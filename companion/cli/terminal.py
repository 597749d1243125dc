"""The table at a terminal: a display that tells what happens, asks people, and posts what they answer."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

import click

from companion.cli.answers import Words, choices, common_words, folded, labelled, spoken, understand
from companion.cli.keyboard import Keyboard
from companion.cli.move_log import told_lines
from companion.cli.screens import LEGEND, board, ended
from companion.cli.table_setup import Devices
from companion.engine import CARDS, PLACES, TABLE, Message, Move, NotAMove, phrase
from companion.engine.regions import RECRUITS
from companion.engine.views import SECRET_VERBS, View
from companion.table.moment import Moment, Prompt
from companion.table.options import PERSON
from companion.table.phone_input import SeatLine
from companion.table.replies import Reply, SendReply
from companion.table.runner import Runner
from companion.table.session import Session
from companion.table.table import Gesture
from companion.translations import Translator
from hardware.ports import Press

HELP: Final = phrase(
    """\
TypedAnswer with a number of the list, or with words: place granada, move red aragon castillo. Words may be shortened.
  board   show the board again        cards    show the open cards with their texts
  back    take the last word back     undo     take your last move back; undo turn: all of the turn
  log     what happened lately        confirm  as the button: a step of the guide is done, or end placing or the turn
  press   a button of the board       quit     stop; the game is kept"""
)
BUTTONS: Final = (*PLACES, "confirm", "undo")
CLEAR: Final = "\033[H\033[2J\033[3J"
"""Clears the screen, and what scrolled off it."""


class TypedAnswer(str):
    """What somebody typed."""

    __slots__ = ()


class Terminal:
    """A display for people who share one keyboard. It tells and asks in a thread of its own.

    :param post: takes what people do.
    :param stop: ends the program, when the game is over or somebody quits.
    :param keyboard: whether people answer here, rather than only see what happens.
    """

    def __init__(
        self,
        post: Callable[[Gesture, SendReply], None],
        stop: Callable[[], None],
        keyboard: bool = True,
    ) -> None:
        self._post_to_table, self._stop = post, stop
        self._press: Callable[[str], None] = lambda button: None
        self._resumed = False
        self._has_keyboard = keyboard
        self._keyboard: Keyboard | None = None
        self._events: SimpleQueue[Moment | TypedAnswer | Reply | None] = SimpleQueue()
        self._shown: Moment | None = None
        self._translator = Translator()
        self._names: dict[str, str] = {}
        self._at_keyboard: str | None = None
        self._asking: str | None = None
        """The seat whose answer is awaited."""
        self._handing_to: str | None = None
        self._asked: Prompt | None = None
        self._said: Words = ()
        self._board_stale = True
        self._told_notices: tuple[str, ...] = ()
        self._told_guide: tuple[str, ...] = ()
        self._posted = 0
        """How many gestures the table has not replied to: until then nobody is asked anything."""
        self._ended = False
        self._thread: threading.Thread | None = None

    def show(self, moment: Moment) -> None:
        """Tells what happened, and asks what is to be answered, in the terminal's own thread."""
        self._events.put(moment)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="terminal", daemon=True)
            self._thread.start()

    def begin(self, press: Callable[[str], None] | None, resumed: bool) -> None:
        """A game begins, or goes on.

        :param press: presses a button of a simulated board.
        :param resumed: whether it goes on from before, so that people are reminded of what happened last.
        """
        self._press = press or (lambda button: None)
        self._resumed = resumed

    def close(self) -> None:
        """Tells what is still to be told, and ends."""
        if self._thread is not None:
            self._events.put(None)
            self._thread.join()

    def _run(self) -> None:
        while (event := self._events.get()) is not None:
            if self._ended:
                continue
            if not self._take(event):
                self._ended = True
                self._stop()
            elif self._events.empty() and not self._posted:
                self._ask()

    def _take(self, event: Moment | TypedAnswer | Reply) -> bool:
        """Takes one event. Returns whether the game goes on."""
        if isinstance(event, TypedAnswer):
            return self._hear(event)
        if isinstance(event, Moment):
            return self._tell(event)
        self._posted -= 1
        return True

    def _post(self, gesture: Gesture) -> None:
        self._posted += 1
        self._post_to_table(gesture, self._events.put)

    # Current state.

    @property
    def _now(self) -> Moment:
        assert self._shown is not None
        return self._shown

    @property
    def _view(self) -> View:
        """What may be seen on the screen: with several people at it, nobody's secrets."""
        seat = self._at_keyboard
        return self._now.seats[seat].view if seat and seat in self._now.seats else self._now.public.view

    @property
    def _people(self) -> list[str]:
        options = self._now.public.options
        return [seat for seat in self._now.public.view["seats"] if options.player(seat) == PERSON]

    @property
    def _only_person(self) -> str | None:
        return self._people[0] if len(self._people) == 1 else None

    # Telling.

    def _tell(self, moment: Moment) -> bool:
        """Tells what has happened since it was last told. Returns whether the game goes on."""
        before, self._shown = self._shown, moment
        public = moment.public
        if before is None:
            self._open()
            before = moment if self._resumed else None
        for line in told_lines(before, moment, self._only_person, self._translator):
            click.echo(f"  {line}")
        self._board_stale |= self._is_stale(before, moment)
        own = moment.seats.get(self._at_keyboard or "")
        private = (own.prompt.refusal,) if own is not None and own.prompt.refusal is not None else ()
        notices = tuple(self._translator.say(notice) for notice in (*public.notices, *private))
        lately = [self._translator.move(line) for line in public.view["log"][-20:]]
        for notice in notices:
            # What the table played by itself has been told as a move.
            if notice not in self._told_notices and notice not in lately:
                click.secho(f"  {notice}", fg="yellow")
        self._told_notices = notices
        self._tell_guide(moment)
        if public.view["over"]:
            click.echo("\n" + board(self._view, self._translator))
            click.secho(ended(public.view["winners"], self._translator))
        return not public.view["over"]

    def _open(self) -> None:
        """The first moment: from now on it is known who plays, and in which language."""
        options, setup = self._now.public.options, self._now.public.view["setup"]
        self._translator = Translator(options.language, setup["edition"], options.names)
        self._names = self._translator.understood()
        self._at_keyboard = self._only_person
        self._keyboard = Keyboard(self._answered) if self._has_keyboard else None
        if self._resumed:
            self._show_log(6)

    def _is_stale(self, before: Moment | None, after: Moment) -> bool:
        """Whether the board that was printed last does not show what somebody else has done since."""
        if before is None:
            return True
        old, new = before.public.view, after.public.view
        others = [line for line in new["log"][len(old["log"]) :] if line.split()[0] != self._at_keyboard]
        return bool(others) or len(new["log"]) < len(old["log"]) or new["scorings"] != old["scorings"]

    def _tell_guide(self, moment: Moment) -> None:
        guide = tuple(self._translator.say(step) for step in moment.public.guide)
        if guide and guide != self._told_guide:
            click.secho("  " + self._translator.in_words("On the board:"), bold=True)
            for step in guide:
                click.echo(f"    {step}")
            for offer in moment.public.offers:
                click.echo(f"  {offer.line}: {self._translator.say(offer.words)}")
        self._told_guide = guide

    def _show_log(self, lines: int) -> None:
        only = self._only_person
        view = self._now.seen_by(only).view if only else self._now.public.view
        for line in view["log"][-lines:]:
            click.echo(f"  {self._translator.move(line)}")

    def _show_board(self) -> None:
        title, _, rest = board(self._view, self._translator).partition("\n")
        click.secho(f"\n{title}", bold=True)
        click.echo(rest)
        self._board_stale = False

    def _show_cards(self) -> None:
        """Prints the open cards, and the one just taken, with their texts."""
        view = self._now.public.view
        for name in (*view["open"].values(), *filter(None, [view["turn"]["card"]])):
            card = self._translator.card(name)
            click.echo(f"  {CARDS[name].stack} {card.title}: {card.text}")

    # Asking.

    def _ask(self) -> None:
        """Asks the person who is to answer, unless somebody is asked already."""
        if self._keyboard is None:
            return
        prompt = self._wanted()
        if self._asking is not None or self._handing_to is not None:
            if prompt is not None and prompt != self._asked and prompt.seat == self._asking:
                # The board has answered meanwhile, and now something else is asked.
                self._said = ()
                self._show_question(prompt)
        elif prompt is None:
            if self._now.public.guide and self._people:
                self._asking, self._asked = self._people[0], None
                self._keyboard.ask(self._translator.in_words("Enter when the first of these is done (? helps)"))
        elif len(self._people) > 1 and prompt.seat != self._at_keyboard:
            click.echo()
            self._handing_to = prompt.seat
            words = phrase("{seat}, it is your turn: take the keyboard and press Enter")
            self._keyboard.ask(self._translator.in_words(words, seat=prompt.seat))
        else:
            if self._board_stale:
                self._show_board()
            self._show_question(prompt)
            self._asking = prompt.seat
            words = self._translator.in_words("{seat} (? helps)", seat=prompt.seat)
            self._keyboard.ask(words, hidden=self._is_secret(prompt) and sys.stdin.isatty())

    def _wanted(self) -> Prompt | None:
        """The prompt to be answered next: of the person at the keyboard, if that one is asked."""
        prompts = self._now.prompts
        asked = [prompt for prompt in prompts.values() if prompt.asked and (prompt.choices or prompt.places)]
        return next((prompt for prompt in asked if prompt.seat == self._at_keyboard), asked[0] if asked else None)

    def _legal(self, prompt: Prompt) -> list[Move]:
        """The moves that a prompt offers, in the engine's order. Empty when it is about something else."""
        moves = [choice.move for choice in (*prompt.choices, *prompt.places) if choice.move is not None]
        order = {line: index for index, line in enumerate(self._now.seen_by(prompt.seat).view["legal"])}
        return sorted(moves, key=lambda move: order.get(move.text, -1))

    def _is_secret(self, prompt: Prompt) -> bool:
        """Whether the answer is for nobody else to see."""
        legal = self._legal(prompt)
        return bool(legal) and legal[0].verb in SECRET_VERBS and len(self._people) > 1

    def _options(self, prompt: Prompt) -> dict[str, Words]:
        """What can be answered now, by what to type for it."""
        legal = self._legal(prompt)
        if legal:
            return labelled(choices(legal, self._said))
        return {str(number): (choice.line,) for number, choice in enumerate(prompt.choices, start=1)}

    def _show_question(self, prompt: Prompt) -> None:
        self._asked = prompt
        assert prompt.asked is not None
        so_far = f" [{' '.join(self._said)} …]" if self._said else ""
        hidden = ""
        if self._is_secret(prompt) and sys.stdin.isatty():
            hidden = " " + self._translator.in_words("(your typing is not shown)")
        click.secho(f"\n{self._translator.say(prompt.asked)}{so_far}{hidden}", fg="cyan")
        explained = self._translator.language != "en" or not self._legal(prompt)
        meanings = {choice.line: choice for choice in (*prompt.choices, *prompt.places)} if explained else {}
        for label, option in self._options(prompt).items():
            number = label if label.isdecimal() else ""
            choice = meanings.get(" ".join(option))
            note = self._note(option) or (self._translator.say(choice.words) if choice else "")
            click.echo(f"  {number:>2} {' '.join(option)}" + (f"  {note}" if note else ""))

    def _note(self, option: Words) -> str:
        """What an option means, where its words do not say it."""
        view, translator = self._now.public.view, self._translator
        match option:
            case ["power", number]:
                return self._translator.in_words("brings up to {number}", number=RECRUITS[int(number)])
            case ["card", stack]:
                words = translator.card(view["open"][stack])
                return f"{words.title}: {words.text}"
            case ["special"]:
                return translator.card(str(view["turn"]["card"])).text
            case ["end"]:
                turn = view["turn"]
                unplaced = min(turn["to_place"], view["seats"][str(turn["actor"])]["court"])
                lost = [Message("not placed: {number}", {"number": unplaced})] * bool(unplaced)
                lost += [Message("special action not used", {})] * (turn["special"] == "unused")
                return f"({', '.join(map(translator.say, lost))})" if lost else ""
            case ["allow"]:
                return self._translator.in_words("this step; you are asked about the next")
            case ["allow", "all"]:
                return self._translator.in_words("you are not asked again about this special action")
        return ""

    # Answers.

    def _answered(self, answer: str | None) -> None:
        """Somebody answered, or there are no more answers; called in the keyboard's thread."""
        self._events.put(TypedAnswer("quit" if answer is None else answer))

    def _hear(self, answer: str) -> bool:
        """Takes an answer. Returns whether the game goes on."""
        if self._handing_to is not None and answer != "quit":
            self._at_keyboard, self._handing_to = self._handing_to, None
            self._board_stale = True
            if sys.stdout.isatty():
                click.echo(CLEAR, nl=False)
            return True
        seat, self._asking = self._asking or self._people[0], None
        return self._obey(seat, answer.strip())

    def _obey(self, seat: str, answer: str) -> bool:
        """Does what an answer says. Returns whether the game goes on."""
        offers = {offer.line for offer in self._now.public.offers}
        match answer.lower().split():
            case ["quit" | "exit" | "q"]:
                return False
            case ["?" | "h" | "help"]:
                click.echo(f"{self._translator.in_words(HELP)}\n{self._translator.in_words(LEGEND)}")
            case ["board"]:
                self._show_board()
            case ["cards"]:
                self._show_cards()
            case ["log"]:
                self._show_log(15)
            case ["back"]:
                self._said = self._said[:-1]
            case ["undo"] | ["undo", "turn"]:
                self._say(seat, answer.lower())
            case _ if answer.lower() in offers:
                self._say(seat, answer.lower())
            case ["confirm"]:
                self._post(Press("confirm"))
            case ["press", button] if button in BUTTONS:
                self._press(button)
            case []:
                if self._now.public.guide:
                    self._post(Press("confirm"))
            case _:
                self._choose(seat, answer)
        return True

    def _choose(self, seat: str, answer: str) -> None:
        """Answers the question that is open."""
        prompt = self._now.prompts.get(seat)
        if prompt is None or prompt.asked is None:
            return
        options, legal = self._options(prompt), self._legal(prompt)
        if not legal:
            self._say(seat, " ".join(options.get(answer, (answer,))))
            return
        if answer in options:
            found = [move for move in legal if spoken(move)[: len(options[answer])] == options[answer]]
        else:
            answer = answer.removeprefix(f"{seat} ") if not self._said else answer
            found = understand(answer, legal, self._said, self._names)
        if len(found) == 1:
            self._said = ()
            move = found[0]
            self._say(seat, str(move) if move.seat == TABLE else " ".join(spoken(move)))
        elif found:
            self._said = common_words(found)
        elif self._is_secret(prompt):
            self._refuse(self._translator.in_words("That cannot be chosen: give one of the numbers or names above."))
        else:
            self._explain(seat, answer, {move.verb for move in legal})

    def _explain(self, seat: str, answer: str, verbs: set[str]) -> None:
        """Finds out why an answer is not possible: the table says why if it is a move, else it is not one."""
        given = folded(answer, self._names)
        numbered = [f"{verb} {given}" for verb in sorted(verbs)] if given.isdecimal() else []
        for words in (given, " ".join((*self._said, given)), *numbered):
            try:
                Move.parse(f"{seat} {words}")
            except NotAMove as refused:
                if words.partition(" ")[0] in verbs:
                    self._refuse(self._translator.say(refused.message))
                    return
            else:
                self._say(seat, words)
                return
        words = phrase("That is not one of the choices: answer with a number above, or its words; ? helps.")
        self._refuse(self._translator.in_words(words))

    def _refuse(self, why: str) -> None:
        click.secho(f"  {why}", fg="red")

    def _say(self, seat: str, line: str) -> None:
        self._post(SeatLine(seat, line, self._now.version))


class TerminalFront:
    """The terminal as the only front end: the game ends here, and the program with it."""

    def __init__(self, runner: Runner, devices: Devices, keyboard: bool) -> None:
        self._terminal = Terminal(runner.post, runner.stop, keyboard)
        self._devices = devices

    @property
    def displays(self) -> tuple[Terminal]:
        """What the table shows its moments to."""
        return (self._terminal,)

    def begin(self, session: Session, resumed: bool) -> None:
        """A game begins, or goes on."""
        simulated = self._devices.simulated
        self._terminal.begin(simulated.press if simulated else None, resumed and bool(session.game.moves))

    def close(self) -> None:
        """Tells what is still to be told."""
        self._terminal.close()

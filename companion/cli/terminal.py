"""The table at a terminal: tells what happens, asks people, and hears their answers while the board goes on."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Final

import click

from companion.cli.answers import Words, choices, common_words, folded, labelled, spoken, understand
from companion.cli.screens import DIALS_TURNED, LEGEND, board, changes, ended, took
from companion.cli.table_setup import Devices
from companion.engine import CARDS, TABLE, Game, IllegalMove, Message, Move, NotAMove, phrase
from companion.engine.regions import RECRUITS
from companion.engine.views import View
from companion.table.options import PERSON
from companion.table.prompts import NOTHING, Board, Prompt
from companion.table.table import Said, Table
from companion.translations import Translator
from companion.translations.scorings import scored
from hardware.ports import Press

HELP: Final = phrase(
    """\
Answer with a number of the list, or with words: place granada, move red aragon castillo. Words may be shortened.
  board   show the board again        cards    show the open cards with their texts
  back    take the last word back     undo     take your last move back; undo turn: all of the turn
  log     what happened lately        confirm  as the button: a step of the guide is done, or end placing or the turn
  press   a button of the board       quit     stop; the game is kept"""
)

SECRET: Final = ("dial", "retake")


class Keyboard:
    """Reads answers in a thread of its own, so that the table goes on while somebody thinks."""

    def __init__(self, nudge: Callable[[], None]) -> None:
        self._asks: SimpleQueue[tuple[str, bool]] = SimpleQueue()
        self._answers: SimpleQueue[str | None] = SimpleQueue()
        self._nudge = nudge
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def ask(self, prompt: str, hidden: bool = False) -> None:
        """Asks; the answer comes later."""
        self._asks.put((prompt, hidden))

    def heard(self) -> list[str | None]:
        """The answer, if there is one; None in it is the end of all answers."""
        try:
            return [self._answers.get_nowait()]
        except Empty:
            return []

    def _read(self) -> None:
        while True:
            prompt, hidden = self._asks.get()
            try:
                answer = click.prompt(prompt, default="", show_default=False, hide_input=hidden)
            except (click.Abort, EOFError, OSError, ValueError):
                self._answers.put(None)
                self._nudge()
                return
            self._answers.put(answer)
            self._nudge()


class Terminal:
    """What people see and say at one keyboard; to the table it is their phones.

    :param keyboard: whether people answer here, and not only see what happens.
    """

    def __init__(self, keyboard: bool = True) -> None:
        self.shown = NOTHING
        self._has_keyboard = keyboard
        self.at_keyboard: str | None = None
        self._asking: str | None = None
        """The seat whose answer is awaited."""
        self._handing_to: str | None = None
        self._asked: Prompt | None = None
        self._said: Words = ()
        self._board_stale = True
        self._told_notices: tuple[str, ...] = ()
        self._told_guide: tuple[str, ...] = ()
        self._table: Table | None = None
        self._stopped = False
        self.again = False
        """Whether another game is wanted after this one: here, the command is given again for that."""
        self._speak(Translator())

    def _speak(self, translator: Translator) -> None:
        """Tells and asks in a language from now on."""
        self.translator = translator
        self._names = translator.understood()

    def show(self, board: Board) -> None:
        """Keeps what the table shows; it is told when the table rests."""
        self.shown = board

    @property
    def phones(self) -> Terminal:
        """To the table it is the phones."""
        return self

    def run(self, table: Table, devices: Devices) -> None:
        """Plays until the game is over or somebody stops."""
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  # arrow keys and history at the prompt, where the system has them
        self.table = self._table = table
        self._press = devices.press or (lambda button: None)
        self.game = table.game
        self._shadow = self.game.copy()
        self._speak(Translator(table.options.language, self.game.edition, table.options.names))
        people = self.people
        self.at_keyboard = people[0] if len(people) == 1 else None
        if self.game.moves:
            self.show_log(6)
        self._keyboard = Keyboard(table.wake) if self._has_keyboard else None
        while not self._stopped:
            due_s = table.poll()
            self.tell()
            if self.game.over:
                self.tell_end()
                return
            heard = self._keyboard.heard() if self._keyboard else []
            if heard and not self.hear(heard[0]):
                return
            # Asked last: the wake-up of a stop may have been taken by `poll`.
            if not heard and not self.ask() and not self._stopped:
                table.wait(due_s)

    def close(self) -> None:
        """There is nothing to let go of: the terminal was there before us."""

    def stop(self) -> None:
        """Has `run` end soon; from any thread, also before it has begun."""
        self._stopped = True
        if self._table is not None:
            self._table.wake()

    def tell_end(self) -> None:
        """Says how the game ended."""
        click.echo("\n" + board(self.game.view(self.at_keyboard), self.translator))
        click.secho(ended(self.game, self.translator))

    @property
    def people(self) -> list[str]:
        """The seats that people hold."""
        return [seat for seat in self.game.seats if self.table.options.player(seat) == PERSON]

    # Telling.

    def tell(self) -> None:
        """Says what has happened since it was last said."""
        moves = self.game.moves
        if self._shadow.moves != moves[: len(self._shadow.moves)]:
            while self._shadow.moves != moves[: len(self._shadow.moves)]:
                self._shadow.undo()
            click.echo("  " + self.translator.in_words("Taken back."))
            self._board_stale = True
        for move in moves[len(self._shadow.moves) :]:
            before = self._shadow.view(None)
            self._shadow.play(move)
            self.tell_move(self._shadow, move, before)
        lately = [self.translator.move(line) for line in self._shadow.view(None)["log"][-20:]]
        own = self.shown.prompts.get(self.at_keyboard or "")
        told = (own.told,) if own is not None and own.told is not None else ()
        notices = tuple(self.translator.say(notice) for notice in (*self.shown.notices, *told))
        for notice in notices:
            # What the table played by itself has been told as a move.
            if notice not in self._told_notices and notice not in lately:
                click.secho(f"  {notice}", fg="yellow")
        self._told_notices = notices
        guide = tuple(self.translator.say(step) for step in self.shown.guide)
        if guide and guide != self._told_guide:
            click.secho("  " + self.translator.in_words("On the board:"), bold=True)
            for step in guide:
                click.echo(f"    {step}")
            for offer in self.shown.offers:
                click.echo(f"  {offer.line}: {self.translator.say(offer.words)}")
        self._told_guide = guide

    def tell_move(self, game: Game, move: Move, before: View) -> None:
        """Says what a move did, without the secrets of anybody who shares the screen."""
        view = game.view(None)
        told = len(before["scorings"])
        if move.verb == "dial" and not view["turn"]["dialled"]:
            self.tell_dials(view["log"])
        else:
            own = game.view(self.at_keyboard) if len(self.people) == 1 else view
            words = self.translator.move(own["log"][-1])
            if move.verb == "card":
                words = took(move, str(view["turn"]["card"]), self.translator)
            click.echo(f"  {words}")
        if move.verb in ("special", "allow", "dial"):
            for line in changes(before, view, self.translator):
                click.echo(f"    {line}")
        for scoring in view["scorings"][told:]:
            click.echo(f"    {scored(scoring, self.translator)}")
        if move.seat != self.at_keyboard or len(view["scorings"]) > told:
            self._board_stale = True

    def tell_dials(self, log: Sequence[str]) -> None:
        """Says what all the dials show that were turned over together."""
        dials: list[str] = []
        for line in reversed(log):
            if line.split()[1] != "dial":
                break
            dials.insert(0, line)
        click.echo(f"  {self.translator.say(DIALS_TURNED)}")
        for line in dials:
            click.echo(f"    {self.translator.move(line)}")

    def show_log(self, lines: int) -> None:
        """Prints the last moves."""
        viewer = self.at_keyboard if len(self.people) == 1 else None
        for line in self.game.view(viewer)["log"][-lines:]:
            click.echo(f"  {self.translator.move(line)}")

    def show_board(self) -> None:
        """Prints where everything is."""
        title, _, rest = board(self.game.view(self.at_keyboard), self.translator).partition("\n")
        click.secho(f"\n{title}", bold=True)
        click.echo(rest)
        self._board_stale = False

    def show_cards(self) -> None:
        """Prints the open cards, and the one just taken, with their texts."""
        view = self.game.view(None)
        for name in (*view["open"].values(), *filter(None, [view["turn"]["card"]])):
            card = self.translator.card(name)
            click.echo(f"  {CARDS[name].stack} {card.title}: {card.text}")

    # Asking.

    def ask(self) -> bool:
        """Asks the person who is to answer, if nobody is asked yet; whether it did."""
        if self._keyboard is None:
            return False
        prompt = self.wanted()
        if self._asking is not None or self._handing_to is not None:
            if prompt is not None and prompt != self._asked and prompt.seat == self._asking:
                # The board has answered meanwhile, and now it is about something else.
                self._said = ()
                self.show_question(prompt)
            return False
        if prompt is None and not self.shown.guide:
            return False
        if prompt is None:
            self._asking = self.people[0]
            self._asked = None
            self._keyboard.ask(self.translator.in_words("Enter when the first of these is done (? helps)"))
            return True
        if len(self.people) > 1 and prompt.seat != self.at_keyboard:
            click.echo()
            self._handing_to = prompt.seat
            self._keyboard.ask(
                self.translator.in_words("{seat}, it is your turn: take the keyboard and press Enter", seat=prompt.seat)
            )
            return True
        if self._board_stale:
            self.show_board()
        self.show_question(prompt)
        self._asking = prompt.seat
        words = self.translator.in_words("{seat} (? helps)", seat=prompt.seat)
        self._keyboard.ask(words, hidden=self.secret(prompt) and sys.stdin.isatty())
        return True

    def wanted(self) -> Prompt | None:
        """The prompt to be answered next: of who sits at the keyboard, if that one is asked."""
        asked = [prompt for prompt in self.shown.prompts.values() if prompt.asked and (prompt.choices or prompt.places)]
        return next((prompt for prompt in asked if prompt.seat == self.at_keyboard), asked[0] if asked else None)

    def legal(self, prompt: Prompt) -> list[Move]:
        """The moves that a prompt offers; none if it is about something else."""
        lines = {choice.line for choice in (*prompt.choices, *prompt.places)}
        seat = TABLE if any(line.startswith(f"{TABLE} ") for line in lines) else prompt.seat
        moves = self.game.legal_moves(seat) if seat in self.game.to_act else []
        return [move for move in moves if {str(move), " ".join(spoken(move))} & lines]

    def secret(self, prompt: Prompt) -> bool:
        """Whether the answer is for nobody else to see."""
        legal = self.legal(prompt)
        return bool(legal) and legal[0].verb in SECRET and len(self.people) > 1

    def options(self, prompt: Prompt) -> dict[str, Words]:
        """What can be answered now, by what to type for it."""
        legal = self.legal(prompt)
        if legal:
            return labelled(choices(legal, self._said))
        return {str(number): (choice.line,) for number, choice in enumerate(prompt.choices, start=1)}

    def show_question(self, prompt: Prompt) -> None:
        """Prints what is asked and what can be answered."""
        self._asked = prompt
        assert prompt.asked is not None
        so_far = f" [{' '.join(self._said)} …]" if self._said else ""
        hidden = ""
        if self.secret(prompt) and sys.stdin.isatty():
            hidden = " " + self.translator.in_words("(your typing is not shown)")
        click.secho(f"\n{self.translator.say(prompt.asked)}{so_far}{hidden}", fg="cyan")
        meanings = {choice.line: self.translator.say(choice.words) for choice in (*prompt.choices, *prompt.places)}
        explained = self.translator.language != "en" or not self.legal(prompt)
        for label, option in self.options(prompt).items():
            number = label if label.isdecimal() else ""
            meaning = meanings.get(" ".join(option), "") if explained else ""
            note = self.note(option) or meaning
            click.echo(f"  {number:>2} {' '.join(option)}" + (f"  {note}" if note else ""))

    def hear(self, answer: str | None) -> bool:
        """Takes an answer; whether the game goes on."""
        if answer is None:
            return False
        if self._handing_to is not None:
            self.at_keyboard, self._handing_to = self._handing_to, None
            self._board_stale = True
            if sys.stdout.isatty():
                click.echo("\033[H\033[2J\033[3J", nl=False)  # the screen, and what scrolled off it
            return True
        seat, self._asking = self._asking, None
        assert seat is not None
        return self.obey(seat, answer.strip())

    def obey(self, seat: str, answer: str) -> bool:
        """Does what an answer says; whether the game goes on."""
        match answer.lower().split():
            case ["quit" | "exit" | "q"]:
                return False
            case ["?" | "h" | "help"]:
                click.echo(f"{self.translator.in_words(HELP)}\n{self.translator.in_words(LEGEND)}")
            case ["board"]:
                self.show_board()
            case ["cards"]:
                self.show_cards()
            case ["log"]:
                self.show_log(15)
            case ["back"]:
                self._said = self._said[:-1]
            case ["undo"] | ["undo", "turn"]:
                self.say(seat, answer.lower())
            case _ if answer.lower() in {offer.line for offer in self.shown.offers}:
                self.say(seat, answer.lower())
            case ["confirm"]:
                self.table.post(Press("confirm"))
            case ["press", button] if button in self._buttons():
                self._press(button)
            case []:
                if self.shown.guide:
                    self.table.post(Press("confirm"))
            case _:
                self.choose(seat, answer)
        return True

    def choose(self, seat: str, answer: str) -> None:
        """Answers the question that is open."""
        prompt = self.shown.prompts.get(seat)
        if prompt is None or prompt.asked is None:
            return
        options, legal = self.options(prompt), self.legal(prompt)
        if not legal:
            line = " ".join(options.get(answer, (answer,)))
            self.say(seat, line)
            return
        if answer in options:
            found = [move for move in legal if spoken(move)[: len(options[answer])] == options[answer]]
        else:
            answer = answer.removeprefix(f"{seat} ") if not self._said else answer
            found = understand(answer, legal, self._said, self._names)
        if len(found) == 1:
            self._said = ()
            move = found[0]
            self.say(seat, str(move) if move.seat == TABLE else " ".join(spoken(move)))
        elif found:
            self._said = common_words(found)
        else:
            click.secho(f"  {self.refusal(seat, answer, self.secret(prompt))}", fg="red")

    def say(self, seat: str, line: str) -> None:
        """Says a line to the table."""
        self.table.post(Said(seat, line, self.shown.version))

    def refusal(self, seat: str, answer: str, secret: bool) -> str:
        """Why an answer is no move: by the rules if it is one, else how to answer."""
        if secret:
            return self.translator.in_words("That cannot be chosen: give one of the numbers or names above.")
        asked = {move.verb for move in self.game.legal_moves(seat)} if seat in self.game.to_act else set()
        given = folded(answer, self._names)
        numbered = [f"{verb} {given}" for verb in sorted(asked)] if given.isdecimal() else []
        for words in (given, " ".join((*self._said, given)), *numbered):
            try:
                self.game.copy().play(f"{seat} {words}")
            except NotAMove as refused:
                if words.partition(" ")[0] in asked:
                    return self.translator.say(refused.message)
            except IllegalMove as refused:
                return self.translator.say(refused.message)
        return self.translator.in_words(
            "That is not one of the choices: answer with a number above, or its words; ? helps."
        )

    def note(self, option: Words) -> str:
        """What an option means, where its words do not say it."""
        s, translator = self.game.state, self.translator
        match option:
            case ["power", number]:
                return translator.in_words("brings up to {number}", number=RECRUITS[int(number)])
            case ["card", stack]:
                words = translator.card(str(s.open[int(stack) - 1]))
                return f"{words.title}: {words.text}"
            case ["special"]:
                return translator.card(str(s.card)).text
            case ["end"]:
                unplaced = min(s.to_place, s.court[s.actor])
                lost = [Message("not placed: {number}", {"number": unplaced})] * bool(unplaced)
                lost += [Message("special action not used", {})] * (not s.special_used)
                return f"({', '.join(map(translator.say, lost))})" if lost else ""
            case ["allow"]:
                return translator.in_words("this step; you are asked about the next")
            case ["allow", "all"]:
                return translator.in_words("you are not asked again about this special action")
        return ""

    def _buttons(self) -> set[str]:
        return {*self.game.snapshot()["seats"][self.game.seats[0]]["regions"], "castillo", "confirm", "undo"}

"""Asks people at a terminal what they want to do, and interprets what they answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

import click

from companion.cli.answers import Words, choices, common_words, folded, labelled, spoken, understand
from companion.cli.screens import LEGEND
from companion.cli.teller import Teller
from companion.engine import PLACES, TABLE, Message, Move, NotAMove, phrase
from companion.engine.regions import RECRUITS
from companion.engine.views import SECRET_VERBS
from companion.table.gestures import Gesture
from companion.table.moment import Prompt
from companion.table.phone_input import SeatLine
from hardware.ports import Press

HELP: Final = phrase(
    """\
Type a number from the list, or words: place granada, move red aragon castillo.
You can shorten words: pl gra.
  board    show the board again
  cards    show the open cards with their texts
  log      show the latest moves
  hint     ask what a bot would do
  back     remove the last word you typed
  undo     undo your last move; undo turn: your whole turn
  confirm  same as the button: the step is done, or end placing or your turn
  press    press a button on the board, such as press granada
  quit     stop; the game is saved"""
)
BUTTONS: Final = (*PLACES, "confirm", "undo")
CLEAR: Final = "\033[H\033[2J\033[3J"
"""Clears the screen and the scrollback."""


class Questions:
    """The open question at the keyboard.

    :param teller: prints the game, and knows what was shown last.
    :param ask: shows a prompt at the keyboard; with `True`, what is typed is not shown.
    :param post: takes what people do.
    """

    def __init__(self, teller: Teller, ask: Callable[[str, bool], None], post: Callable[[Gesture], None]) -> None:
        self._teller = teller
        self._ask_keyboard = ask
        self._post = post
        self._press: Callable[[str], None] = lambda button: None
        self._asking: str | None = None
        """The seat whose answer is awaited."""
        self._handing_to: str | None = None
        self._asked: Prompt | None = None
        self._said: Words = ()

    def press_with(self, press: Callable[[str], None] | None) -> None:
        """Sets what presses the buttons of a simulated board; `None` when the board is real."""
        self._press = press or (lambda button: None)

    def ask(self) -> None:
        """Asks the person who has to answer, unless somebody has been asked already."""
        prompt = self.wanted()
        if self._asking is not None or self._handing_to is not None:
            if prompt is not None and prompt != self._asked and prompt.seat == self._asking:
                # The question was answered on the board meanwhile, and now there is another one.
                self._said = ()
                self._show_question(prompt)
        elif prompt is None:
            if self._teller.now.public.guide and self._teller.people:
                self._asking, self._asked = self._teller.people[0], None
                self._ask_keyboard(
                    self._teller.translator.in_words("Press Enter when the first of these is done (? for help)"), False
                )
        elif len(self._teller.people) > 1 and prompt.seat != self._teller.at_keyboard:
            click.echo()
            self._handing_to = prompt.seat
            words = phrase("{seat}, it is your turn: take the keyboard and press Enter")
            self._ask_keyboard(self._teller.translator.in_words(words, seat=prompt.seat), False)
        else:
            if self._teller.board_stale:
                self._teller.show_board()
            self._show_question(prompt)
            self._asking = prompt.seat
            words = self._teller.translator.in_words("{seat} (? for help)", seat=prompt.seat)
            self._ask_keyboard(words, self._is_secret(prompt) and sys.stdin.isatty())

    def wanted(self) -> Prompt | None:
        """Returns the prompt to answer next, first of the person at the keyboard; `None` when nobody is asked."""
        prompts = self._teller.now.prompts
        asked = [prompt for prompt in prompts.values() if prompt.asked and (prompt.choices or prompt.places)]
        return next(
            (prompt for prompt in asked if prompt.seat == self._teller.at_keyboard), asked[0] if asked else None
        )

    def _legal(self, prompt: Prompt) -> list[Move]:
        """Returns the moves a prompt offers, in the engine's order. Empty when it is about something else."""
        moves = [choice.move for choice in (*prompt.choices, *prompt.places) if choice.move is not None]
        order = {line: index for index, line in enumerate(self._teller.now.seen_by(prompt.seat).view["legal"])}
        return sorted(moves, key=lambda move: order.get(move.text, -1))

    def _is_secret(self, prompt: Prompt) -> bool:
        """Returns whether nobody else may see the answer."""
        legal = self._legal(prompt)
        return bool(legal) and legal[0].verb in SECRET_VERBS and len(self._teller.people) > 1

    def options(self, prompt: Prompt) -> dict[str, Words]:
        """Returns the possible answers, by what to type for them."""
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
            hidden = " " + self._teller.translator.in_words("(your typing is not shown)")
        click.secho(f"\n{self._teller.translator.say(prompt.asked)}{so_far}{hidden}", fg="cyan")
        for detail in prompt.details:
            click.echo(f"  {self._teller.translator.say(detail)}")
        lesson = self._teller.now.seen_by(prompt.seat).lesson
        if lesson is not None:
            click.secho(f"  {self._teller.translator.say(lesson.words)}", fg="yellow")
            read_on = self._teller.translator.in_words("Press Enter to read on.")
            click.echo(f"  {read_on}")
        explained = self._teller.translator.language != "en" or not self._legal(prompt)
        meanings = {choice.line: choice for choice in (*prompt.choices, *prompt.places)} if explained else {}
        for label, option in self.options(prompt).items():
            number = label if label.isdecimal() else ""
            choice = meanings.get(" ".join(option))
            note = self._note(option) or (self._teller.translator.say(choice.words) if choice else "")
            click.echo(f"  {number:>2} {' '.join(option)}" + (f"  {note}" if note else ""))

    def _note(self, option: Words) -> str:
        """Returns what an option means, or an empty string when its words say enough."""
        view, translator = self._teller.now.public.view, self._teller.translator
        match option:
            case ["power", number]:
                return self._teller.translator.in_words("brings up to {number}", number=RECRUITS[int(number)])
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
                return self._teller.translator.in_words("only this step; you will be asked about the next one")
            case ["allow", "all"]:
                return self._teller.translator.in_words("you will not be asked again about this special action")
        return ""

    # Answers.

    def hear(self, answer: str) -> bool:
        """Takes an answer. Returns whether the game goes on."""
        if self._handing_to is not None and answer != "quit":
            self._teller.hand_to(self._handing_to)
            self._handing_to = None
            if sys.stdout.isatty():
                click.echo(CLEAR, nl=False)
            return True
        seat, self._asking = self._asking or self._teller.people[0], None
        return self._obey(seat, answer.strip())

    def _obey(self, seat: str, answer: str) -> bool:
        """Does what an answer says. Returns whether the game goes on."""
        offers = {offer.line for offer in self._teller.now.public.offers}
        match answer.lower().split():
            case ["quit" | "exit" | "q"]:
                return False
            case ["?" | "h" | "help"]:
                click.echo(f"{self._teller.translator.in_words(HELP)}\n{self._teller.translator.in_words(LEGEND)}")
            case ["board"]:
                self._teller.show_board()
            case ["cards"]:
                self._teller.show_cards()
            case ["log"]:
                self._teller.show_log(15)
            case ["back"]:
                self._said = self._said[:-1]
            case ["hint"] | ["undo"] | ["undo", "turn"]:
                self._say(seat, answer.lower())
            case _ if answer.lower() in offers:
                self._say(seat, answer.lower())
            case ["confirm"]:
                self._post(Press("confirm"))
            case ["press", button] if button in BUTTONS:
                self._press(button)
            case []:
                lesson = self._teller.now.seen_by(seat).lesson
                if self._teller.now.public.guide:
                    self._post(Press("confirm"))
                elif lesson is not None:
                    self._say(seat, f"lesson seen {lesson.name}")
            case _:
                self._choose(seat, answer)
        return True

    def _choose(self, seat: str, answer: str) -> None:
        """Answers the open question."""
        prompt = self._teller.now.prompts.get(seat)
        if prompt is None or prompt.asked is None:
            return
        options, legal = self.options(prompt), self._legal(prompt)
        if not legal:
            self._say(seat, " ".join(options.get(answer, (answer,))))
            return
        if answer in options:
            found = [move for move in legal if spoken(move)[: len(options[answer])] == options[answer]]
        else:
            answer = answer.removeprefix(f"{seat} ") if not self._said else answer
            found = understand(answer, legal, self._said, self._teller.translator.understood())
        if len(found) == 1:
            self._said = ()
            move = found[0]
            self._say(seat, str(move) if move.seat == TABLE else " ".join(spoken(move)))
        elif found:
            self._said = common_words(found)
        elif self._is_secret(prompt):
            self._refuse(
                self._teller.translator.in_words("You cannot choose that. Type one of the numbers or names above.")
            )
        else:
            self._explain(seat, answer, {move.verb for move in legal})

    def _explain(self, seat: str, answer: str, verbs: set[str]) -> None:
        """Finds out why an answer is not possible. If it is a move, it is posted, and the table says why."""
        given = folded(answer, self._teller.translator.understood())
        numbered = [f"{verb} {given}" for verb in sorted(verbs)] if given.isdecimal() else []
        for words in (given, " ".join((*self._said, given)), *numbered):
            try:
                Move.parse(f"{seat} {words}")
            except NotAMove as refused:
                if words.partition(" ")[0] in verbs:
                    self._refuse(self._teller.translator.say(refused.message))
                    return
            else:
                self._say(seat, words)
                return
        words = phrase("That is not one of the choices. Type a number from the list, or its words; ? for help.")
        self._refuse(self._teller.translator.in_words(words))

    def _refuse(self, why: str) -> None:
        click.secho(f"  {why}", fg="red")

    def _say(self, seat: str, line: str) -> None:
        self._post(SeatLine(seat, line, self._teller.now.version))

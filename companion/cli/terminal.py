"""A game at the keyboard: shows the board, asks people, and plays chance and the bots."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from random import Random
from typing import Final

import click

from companion.bots import make_bot
from companion.cli.answers import Words, choices, common_words, folded, labelled, spoken, understand
from companion.cli.save import SavedGame
from companion.cli.screens import LEGEND, board, changes, scored
from companion.engine import CARDS, CASTILLO, PLACES, TABLE, Game, IllegalMove, Message, Move, NotAMove, deal
from companion.engine.regions import RECRUITS
from companion.engine.views import View
from companion.words import CARD_WORDS, move_words, say

HELP: Final = f"""\
Answer with a number of the list, or with words: place granada, move red aragon castillo. Words may be shortened.
  board   show the board again        cards   show the open cards with their texts
  back    take the last word back     undo    take your last move back
  log     what happened lately        quit    stop; the game is saved
On the board: {LEGEND}"""

_SECRET: Final = ("dial", "retake")


class Quit(Exception):
    """Somebody asked to stop."""


class Terminal:
    """One game at the keyboard."""

    def __init__(self, game: Game, people: Iterable[str], seed: int, saved: SavedGame, level: str = "normal") -> None:
        self.game = game
        self.people = tuple(people)
        self.seed = seed
        self.saved = saved
        self.bot = make_bot(level, seed)
        self.at_keyboard: str | None = self.people[0] if len(self.people) == 1 else None
        self.board_stale = True

    def run(self) -> None:
        """Plays until the game is over or somebody stops."""
        if self.game.moves:
            self.show_log(6)
        try:
            while not self.game.over:
                self.one_move()
        except (Quit, click.Abort, EOFError, KeyboardInterrupt):
            self.saved.write(self.game, self.people, self.seed)
            if self.saved.failure:
                click.secho(f"\nStopped, and NOT saved: {self.saved.failure}.", fg="red")
            else:
                click.echo(f"\nSaved in {self.saved.path}. `companion play` goes on with it.")
            return
        click.echo("\n" + board(self.game.view(self.at_keyboard)))
        winners = self.game.winners
        click.secho(f"The game is over: {' and '.join(winners)} {'wins' if len(winners) == 1 else 'share the win'}.")

    def one_move(self) -> None:
        """Plays the next move, whoever has it."""
        game = self.game
        seat = self.next_seat()
        legal = game.legal_moves(seat)
        before = game.view(None)
        why: Message | None = None
        move: Move | None
        if seat == TABLE:
            move = deal(game, self.rng())
        else:
            if seat not in self.people:
                move, why = self.bot.decide(game.view(seat), legal)
            elif len(legal) == 1 and legal[0].verb != "end":
                move = legal[0]
            else:
                move = self.ask(seat, legal)
            if move is None:
                return
            game.play(move)
        self.saved.write(game, self.people, self.seed)
        self.tell(move, before, why)

    def rng(self) -> Random:
        """Chance for the next deal: it follows from the seed and how much was dealt, whatever people do."""
        return Random(f"{self.seed}/{sum(move.seat == TABLE for move in self.game.moves)}")

    def next_seat(self) -> str:
        """Who is asked next; while dials are being set, people first."""
        to_act = self.game.to_act
        return next((seat for seat in to_act if seat in self.people), to_act[0])

    # Telling.

    def tell(self, move: Move, before: View, why: Message | None = None) -> None:
        """Says what a move did and why, without the secrets of anybody who shares the screen."""
        view = self.game.view(None)
        told = len(before["scorings"])
        turned_over = move.verb == "dial" and not view["turn"]["dialled"]
        if turned_over:
            self.tell_dials(view["log"])
        else:
            own = self.game.view(self.at_keyboard) if len(self.people) == 1 else view
            words = str(say(move_words(own["log"][-1])))
            if move.verb == "card":
                words = f"{move.seat} takes «{CARD_WORDS[str(view['turn']['card'])].title}» (stack {move.number})"
            reason = f" — {str(say(why)).removeprefix(f'{move.seat} ')}" if why else ""
            click.echo(f"  {words}" + click.style(reason, dim=True))
        if move.verb in ("special", "allow", "dial"):
            for line in changes(before, view):
                click.echo(f"    {line}")
        for scoring in view["scorings"][told:]:
            click.echo(f"    {scored(scoring)}")
        if move.seat != self.at_keyboard or len(view["scorings"]) > told:
            self.board_stale = True

    def tell_dials(self, log: list[str]) -> None:
        """Says what all the dials show that were turned over together."""
        dials: list[str] = []
        for line in reversed(log):
            if line.split()[1] != "dial":
                break
            dials.insert(0, line)
        click.echo("  The dials are turned over")
        for line in dials:
            click.echo(f"    {say(move_words(line))}")

    def show_log(self, lines: int) -> None:
        """Prints the last moves."""
        viewer = self.at_keyboard if len(self.people) == 1 else None
        for line in self.game.view(viewer)["log"][-lines:]:
            click.echo(f"  {say(move_words(line))}")

    def show_board(self) -> None:
        """Prints where everything is."""
        title, _, rest = board(self.game.view(self.at_keyboard)).partition("\n")
        click.secho(f"\n{title}", bold=True)
        click.echo(rest)
        self.board_stale = False

    def show_cards(self) -> None:
        """Prints the open cards, and the one just taken, with their texts."""
        view = self.game.view(None)
        for name in (*view["open"].values(), *filter(None, [view["turn"]["card"]])):
            click.echo(f"  {CARDS[name].stack} {CARD_WORDS[name].title}: {CARD_WORDS[name].text}")

    # Asking.

    def ask(self, seat: str, legal: list[Move]) -> Move | None:
        """Asks a person for a move; None when a command changed the game instead."""
        self.hand_over(seat)
        if self.board_stale:
            self.show_board()
        secret = legal[0].verb in _SECRET and len(self.people) > 1
        said: Words = ()
        while True:
            options = labelled(choices(legal, said))
            self.show_question(seat, said, options, secret)
            answer = self.read(seat, secret).strip()
            match answer.lower():
                case "":
                    if len(legal) == 1:
                        return legal[0]
                case "quit" | "exit" | "q":
                    raise Quit
                case "?" | "h" | "help":
                    click.echo(HELP)
                case "board":
                    self.show_board()
                case "cards":
                    self.show_cards()
                case "log":
                    self.show_log(15)
                case "back":
                    said = said[:-1] if len(choices(legal, said[:-1])) > 1 else ()
                case "undo":
                    if self.undo(seat):
                        return None
                case _:
                    if answer in options:
                        found = [move for move in legal if spoken(move)[: len(options[answer])] == options[answer]]
                    else:
                        found = understand(answer.removeprefix(f"{seat} ") if not said else answer, legal, said)
                    if len(found) == 1:
                        return found[0]
                    if found:
                        said = common_words(found)
                    else:
                        click.secho(f"  {self.refusal(seat, answer, said, secret)}", fg="red")

    def show_question(self, seat: str, said: Words, options: dict[str, Words], secret: bool) -> None:
        """Prints what is asked and what can be answered."""
        question = next(question for question in self.game.questions if question.seat == seat)
        so_far = f" [{' '.join(said)} …]" if said else ""
        hidden = " (your typing is not shown)" if secret and sys.stdin.isatty() else ""
        click.secho(f"\n{say(question.message)}{so_far}{hidden}", fg="cyan")
        for label, option in options.items():
            number = label if label.isdecimal() else ""
            click.echo(f"  {number:>2} {' '.join(option)}{self.note(option)}")

    def refusal(self, seat: str, answer: str, said: Words, secret: bool) -> str:
        """Why an answer is no move: by the rules if it is one, else how to answer."""
        if secret:
            return "That cannot be chosen: give one of the numbers or names above."
        asked = {move.verb for move in self.game.legal_moves(seat)}
        given = folded(answer)
        numbered = [f"{verb} {given}" for verb in sorted(asked)] if given.isdecimal() else []
        for words in (given, " ".join((*said, given)), *numbered):
            try:
                self.game.copy().play(f"{seat} {words}")
            except NotAMove as refused:
                if words.partition(" ")[0] in asked:
                    return str(refused)
            except IllegalMove as refused:
                return str(say(refused.message))
        return "That is not one of the choices: answer with a number above, or its words; ? helps."

    def hand_over(self, seat: str) -> None:
        """Makes sure that the right person looks at the screen, where several play."""
        if len(self.people) > 1 and seat != self.at_keyboard:
            click.echo()
            click.prompt(f"{seat}, it is your turn: take the keyboard and press Enter", default="", show_default=False)
            if sys.stdout.isatty():
                click.echo("\033[H\033[2J\033[3J", nl=False)  # the screen, and what scrolled off it
            self.at_keyboard = seat
            self.board_stale = True

    def read(self, seat: str, secret: bool) -> str:
        """Reads an answer; a secret one is not shown where others can look on."""
        hidden = secret and sys.stdin.isatty()
        answer: str = click.prompt(f"{seat} (? helps)", default="", show_default=False, hide_input=hidden)
        return answer

    def note(self, option: Words) -> str:
        """What an option means, where its words do not say it."""
        s = self.game.state
        match option:
            case ["power", number]:
                return f"  brings up to {RECRUITS[int(number)]}"
            case ["card", stack]:
                words = CARD_WORDS[str(s.open[int(stack) - 1])]
                return f"  {words.title}: {words.text}"
            case ["special"]:
                return f"  {CARD_WORDS[str(s.card)].text}"
            case ["end"]:
                unplaced = min(s.to_place, s.court[s.actor])
                lost = [f"{unplaced} not placed"] * bool(unplaced) + ["special action not used"] * (not s.special_used)
                return f"  ({', '.join(lost)})" if lost else "  (Enter does)"
            case ["allow"]:
                return "  this step; you are asked about the next"
            case ["allow", "all"]:
                return "  you are not asked again about this special action"
        return ""

    # Taking back.

    def undo(self, seat: str) -> bool:
        """Takes the person's own last move back, if nothing was revealed by it or after it."""
        moves = self.game.moves
        last = next((number for number in range(len(moves) - 1, -1, -1) if not self.was_forced(number)), -1)
        if last < 0 or moves[last].seat != seat or any(move.seat != seat for move in moves[last:]):
            click.secho(
                "  That cannot be taken back: somebody else has acted since, or a card was turned up.", fg="red"
            )
            return False
        if moves[last].verb == "dial" or self.castillo_seen_since(last):
            click.secho("  That cannot be taken back: it has shown what was hidden.", fg="red")
            return False
        while len(self.game.moves) > last:
            self.game.undo()
        self.saved.write(self.game, self.people, self.seed)
        self.board_stale = True
        click.echo("  Taken back.")
        return True

    def was_forced(self, number: int) -> bool:
        """Whether a move was the only legal one, and so was played for its seat."""
        before = self.game.copy()
        while len(before.moves) > number:
            before.undo()
        move = self.game.moves[number]
        return move.verb != "end" and len(before.legal_moves(move.seat)) == 1

    def castillo_seen_since(self, number: int) -> bool:
        """Whether the castillo was lifted by a move or after it."""
        scorings = (scoring for scoring in self.game.scorings if scoring.move > number)
        return any(PLACES[scoring.place] == CASTILLO for scoring in scorings)

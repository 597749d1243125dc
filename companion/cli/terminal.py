"""A game at the keyboard: shows the board, asks people, and plays chance and the other seats."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from random import Random
from typing import Final

import click

from companion.cli.save import SavedGame
from companion.cli.tables import table
from companion.engine import CARDS, REGIONS, TABLE, Game, IllegalMove, Move, deal
from companion.engine.regions import RECRUITS
from companion.engine.views import View
from companion.words import CARD_WORDS, PLACE_NAMES, move_words, say

MOST_LISTED: Final = 16
"""With more choices than this, they are asked for word by word."""

HELP: Final = """\
Answer with a number, or with the words of a move: place granada, move red aragon castillo.
  board   show the board again        cards   show the open cards with their texts
  back    to the words before         undo    take your last move back
  log     what happened lately        quit    stop; the game is saved"""


class Quit(Exception):
    """Somebody asked to stop."""


class Terminal:
    """One game at the keyboard."""

    def __init__(self, game: Game, people: Iterable[str], seed: int, saved: SavedGame) -> None:
        self.game = game
        self.people = tuple(people)
        self.seed = seed
        self.saved = saved
        self.at_keyboard: str | None = self.people[0] if len(self.people) == 1 else None
        self.board_stale = True

    def run(self) -> None:
        """Plays until the game is over or somebody stops."""
        try:
            while not self.game.over:
                self.one_move()
        except (Quit, click.Abort, EOFError, KeyboardInterrupt):
            self.saved.write(self.game)
            click.echo("\nStopped." if self.saved.complained else f"\nSaved in {self.saved.path}.")
            return
        self.show_board()
        best = " and ".join(self.game.winners)
        click.secho(
            f"The game is over: {best} {'wins' if len(self.game.winners) == 1 else 'share the win'}.", bold=True
        )

    def one_move(self) -> None:
        """Plays the next move, whoever has it."""
        game = self.game
        seat = self.next_seat()
        legal = game.legal_moves(seat)
        scored = len(game.scorings)
        if seat == TABLE:
            move = deal(game, self.rng())
        elif seat not in self.people:
            move = self.rng().choice(legal)
            game.play(move)
        elif len(legal) == 1:
            move = legal[0]
            game.play(move)
        else:
            chosen = self.ask(seat, legal)
            if chosen is None:
                return
            move = chosen
            game.play(move)
        self.saved.write(game)
        self.tell(move, scored)

    def rng(self) -> Random:
        """Chance for the next move: it follows from the seed and the number of the move."""
        return Random(f"{self.seed}/{len(self.game.moves)}")

    def next_seat(self) -> str:
        """Who is asked next; while dials are being set, people first."""
        to_act = self.game.to_act
        return next((seat for seat in to_act if seat in self.people), to_act[0])

    # Telling.

    def tell(self, move: Move, scored: int) -> None:
        """Says what a move did, without the secrets of others."""
        view = self.game.view(self.at_keyboard)
        words = str(say(move_words(view["log"][-1])))
        if move.verb == "card":
            words = f"{move.seat} takes «{CARD_WORDS[str(view['turn']['card'])].title}» (stack {move.number})"
        click.echo(f"  {words}")
        if move.seat != self.at_keyboard or len(view["scorings"]) > scored:
            self.board_stale = True
        for scoring in view["scorings"][scored:]:
            gains = dict(scoring["points"])
            if scoring["leader"]:
                bonus = scoring["king_bonus"] + scoring["grande_bonus"]
                gains[scoring["leader"]] += bonus
            points = ", ".join(f"{seat} {gain}" for seat, gain in gains.items() if gain)
            click.echo(f"    {PLACE_NAMES[scoring['place']]} is scored: {points or 'nothing'}")

    def show_board(self) -> None:
        """Prints where everything is."""
        view = self.game.view(self.at_keyboard)
        self.board_stale = False
        click.echo()
        click.secho(f"Round {view['round']} of 9" if view["round"] else "Set-up", bold=True)
        click.echo(board_table(view))
        if view["open"]:
            cards = (f"{stack} {CARD_WORDS[card].title}" for stack, card in view["open"].items())
            click.echo("Open cards: " + " · ".join(cards))
        hand = view["seats"][self.at_keyboard]["hand"] if self.at_keyboard else None
        if hand:
            click.echo("Your power cards: " + " ".join(map(str, hand)))

    def show_cards(self) -> None:
        """Prints the open cards, and the one just taken, with their texts."""
        view = self.game.view(None)
        names = [*view["open"].values(), *filter(None, [view["turn"]["card"]])]
        for name in names:
            click.echo(f"  {CARDS[name].stack} {CARD_WORDS[name].title}: {CARD_WORDS[name].text}")

    # Asking.

    def ask(self, seat: str, legal: list[Move]) -> Move | None:
        """Asks a person for a move; None when a command changed the game instead."""
        self.hand_over(seat)
        if self.board_stale:
            self.show_board()
        said: tuple[str, ...] = ()
        while True:
            options = choices(legal, said)
            question = next(question for question in self.game.questions if question.seat == seat)
            click.secho(f"\n{say(question.message)}" + (f" [{' '.join(said)} …]" if said else ""), fg="cyan")
            for number, option in enumerate(options, start=1):
                click.echo(f"  {number:2} {' '.join(option)}{self.note(option)}")
            answer = self.read(seat, legal[0].verb).lower().split()
            match answer:
                case []:
                    continue
                case ["quit" | "exit" | "q"]:
                    raise Quit
                case ["?" | "h" | "help"]:
                    click.echo(HELP)
                case ["board"]:
                    self.show_board()
                case ["cards"]:
                    self.show_cards()
                case ["log"]:
                    for line in self.game.view(seat)["log"][-15:]:
                        click.echo(f"  {say(move_words(line))}")
                case ["back"]:
                    said = ()
                case ["undo"]:
                    if self.undo(seat):
                        return None
                case [digits] if digits.isdecimal() and 1 <= int(digits) <= len(options):
                    words = options[int(digits) - 1]
                    found = [move for move in legal if spoken(move) == words]
                    if found:
                        return found[0]
                    said = words
                case _:
                    words = tuple(answer[1:] if answer[0] == seat else answer)
                    if said and words[0] != said[0]:
                        words = (*said, *words)
                    if any(spoken(move)[: len(words)] == words and spoken(move) != words for move in legal):
                        said = words
                        continue
                    try:
                        self.game.copy().play(" ".join((seat, *words)))
                    except IllegalMove as refused:
                        click.secho(f"  {say(refused.message)}", fg="red")
                        continue
                    return Move(seat, *words)

    def hand_over(self, seat: str) -> None:
        """Makes sure that the right person looks at the screen, where several play."""
        if len(self.people) > 1 and seat != self.at_keyboard:
            click.echo()
            click.pause(f"{seat}, it is your turn: take the keyboard and press a key")
            if sys.stdout.isatty():
                click.clear()
            self.at_keyboard = seat
            self.board_stale = True

    def read(self, seat: str, verb: str) -> str:
        """Reads an answer; a secret one is not shown where others can look on."""
        secret = verb in ("dial", "retake") and len(self.people) > 1 and sys.stdin.isatty()
        answer: str = click.prompt(f"{seat} (? helps)", default="", show_default=False, hide_input=secret)
        return answer

    def note(self, option: tuple[str, ...]) -> str:
        """What an option means, where its words do not say it."""
        view = self.game.view(None)
        match option:
            case ["power", number]:
                return f"  brings up to {RECRUITS[int(number)]}"
            case ["card", stack]:
                words = CARD_WORDS[view["open"][stack]]
                return f"  {words.title}: {words.text}"
            case ["special"]:
                return f"  {CARD_WORDS[str(view['turn']['card'])].text}"
        return ""

    def undo(self, seat: str) -> bool:
        """Takes the person's own last move back, if nothing of others and no card came after it."""
        moves = self.game.moves
        last = next((number for number in range(len(moves) - 1, -1, -1) if not self.was_forced(number)), -1)
        if last < 0 or moves[last].seat != seat or any(move.seat != seat for move in moves[last:]):
            click.secho(
                "  That cannot be taken back: somebody else has acted since, or a card was turned up.", fg="red"
            )
            return False
        while len(self.game.moves) > last:
            self.game.undo()
        self.saved.write(self.game)
        self.board_stale = True
        click.echo("  Taken back.")
        return True

    def was_forced(self, number: int) -> bool:
        """Whether a move was the only legal one, and so was played for its seat."""
        before = self.game.copy()
        while len(before.moves) > number:
            before.undo()
        return len(before.legal_moves(self.game.moves[number].seat)) == 1


def spoken(move: Move) -> tuple[str, ...]:
    """A move's words without its seat."""
    return (move.verb, *move.args)


def choices(legal: list[Move], said: tuple[str, ...]) -> list[tuple[str, ...]]:
    """What can be said next: whole moves if they are few, else the next word.

    >>> choices([Move("red", "power", "1"), Move("red", "power", "2")], ())
    [('power', '1'), ('power', '2')]
    """
    fitting = [words for words in map(spoken, legal) if words[: len(said)] == said]
    if len(fitting) <= MOST_LISTED:
        return fitting
    next_words = list(dict.fromkeys(words[: len(said) + 1] for words in fitting))
    return choices(legal, next_words[0]) if len(next_words) == 1 else next_words


def board_table(view: View) -> str:
    """The board as a table: places down, seats across; (K) the King, * a Grande."""
    seats = view["seats"]
    tiles = {place: tile for tile, place in view["tiles"].items()}
    rows = []
    for region in REGIONS:
        king = " (K)" if view["king"] == region else ""
        tile = f" [{tiles[region]}]" if region in tiles else ""
        cells = (
            f"{data['regions'][region] or '.'}" + ("*" if data["grande"] == region else " ") for data in seats.values()
        )
        rows.append((PLACE_NAMES[region] + king + tile, *cells))
    castillo = f" [{tiles['castillo']}]" if "castillo" in tiles else ""
    hidden = ("?" if data["castillo"] is None else str(data["castillo"]) for data in seats.values())
    rows.append(("the castillo" + castillo, *(f"{cell} " for cell in hidden)))
    rows.append(("court", *(f"{data['court']} " for data in seats.values())))
    rows.append(("province", *(f"{data['province']} " for data in seats.values())))
    rows.append(("points", *(f"{data['score']} " for data in seats.values())))
    return table(("", *(f"{seat} " for seat in seats)), rows)

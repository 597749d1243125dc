"""Nobody sees a dial: games that differ only in what one seat picked send everybody else the same bytes.

Two tables play the same random game over HTTP, all seats by phones. When a seat sets a dial or takes a card back, it
picks something else at the second table. From then on until the pick comes to light, every byte is compared that
anybody else is sent: states in every language, streams, answers, pages, errors, the lights and the log.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

import web_remote.context
from companion.engine import SEATS, Game, Move
from companion.table.options import Options
from companion.translations import LANGUAGES
from tests.support.arrange import turn_of
from tests.support.random_games import LONGER, Player
from tests.support.web_rig import Browser, Stream, WebRig, with_pages

SECRETS = ("dial", "retake")


@dataclass
class Table:
    """One of two tables, and all who sit at it."""

    web: WebRig
    browsers: dict[str, Browser]
    streams: dict[str, Stream]
    shown: int = 0
    sent: dict[str, list[bytes]] = field(default_factory=dict)
    """All that anybody was sent, by seat; without a seat: who only watches."""

    @property
    def game(self) -> Game:
        return self.web.rig.game

    def do(self, seat: str, line: str) -> None:
        """A player does something on a phone; all that comes of it goes to whom it is sent."""
        answer = self.browsers[seat].say(seat, line)
        self.sent.setdefault(seat, []).append(answer.data)
        assert answer.status_code in (200, 202, 409)
        self.read()

    def read(self) -> None:
        """What the streams have to tell."""
        number = self.web.display.latest.number
        if number == self.shown:
            return
        self.shown = number
        for seat, stream in self.streams.items():
            self.sent.setdefault(seat, []).append(stream.next().encode())

    def look_around(self, secretive: str, languages: tuple[str, ...]) -> None:
        """Everybody else asks for all there is, and for what they may not have; and tries to take things back."""
        for seat, browser in self.browsers.items():
            if seat == secretive:
                continue
            heard = self.sent.setdefault(seat, [])
            asked = [f"/state?seat={seat}&language={language}" for language in languages]
            asked += [f"/state?seat={secretive}", f"/events?seat={secretive}", "/", "/table", "/phone", "/join", "/me"]
            asked += [
                "/static/0/shared/base.css",
                "/board/layout",
                "/qr/red.svg",
                f"/static/{secretive}",
                "/log",
                "/..%2f",
            ]
            for path in asked:
                answer = browser.get(path)
                heard.append(answer.status.encode() + str(answer.headers).encode() + answer.data)
            for path, data in (
                ("/say", {"seat": secretive, "line": "undo", "version": self.web.rig.moment.version, "number": 0}),
                ("/join", {"seat": secretive, "code": "", "name": "x"}),
                ("/leave", {"seat": secretive}),
                ("/table/say", {"line": "confirm", "version": 0}),
                ("/say", {"seat": seat or "red", "line": "dial", "version": "x", "number": 0}),
            ):
                answer = browser.post(path, **data)
                heard.append(answer.status.encode() + answer.data)
            if seat:
                for line in ("undo", "undo turn", "disagree", "dial granada x", "retake"):
                    self.do(seat, line)

    def since(self, secretive: str, marks: dict[str, int]) -> dict[str, list[bytes]]:
        """All that others were sent since."""
        return {seat: sent[marks.get(seat, 0) :] for seat, sent in self.sent.items() if seat != secretive}

    def marks(self) -> dict[str, int]:
        return {seat: len(sent) for seat, sent in self.sent.items()}


@contextmanager
def table(folder: Path, game: Game) -> Iterator[Table]:
    """A table at which every seat is a phone's, and one more browser watches."""
    folder.mkdir(parents=True)
    with with_pages(folder, game, Options(veto_s=0, guided=False)) as web, ExitStack() as stack:
        browsers = {seat: web.browser(seat) for seat in game.seats} | {"": web.browser()}
        streams = {}
        for number, (seat, browser) in enumerate(browsers.items()):
            language = list(LANGUAGES)[number % len(LANGUAGES)]
            streams[seat] = stack.enter_context(browser.listen(f"/events?seat={seat}&language={language}"))
            streams[seat].next()
        made = Table(web, browsers, streams)
        made.read()
        yield made


def line_of(move: Move) -> str:
    return " ".join((move.verb, *move.args))


def another(game: Game, move: Move) -> Move | None:
    """What the seat could have picked as well."""
    others = [other for other in game.legal_moves(move.seat) if other.verb == move.verb and other != move]
    return others[-1] if others else None


@pytest.fixture(autouse=True)
def _same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens that do not differ between two tables by themselves."""
    monkeypatch.setattr(web_remote.context, "new_token", lambda: "a-token-for-anybody-who-comes")


def compare(
    folder: Path,
    game: Game,
    pick: Move,
    other: Move,
    rest: list[str],
    caplog: pytest.LogCaptureFixture,
    languages: tuple[str, ...] = tuple(LANGUAGES),
) -> int:
    """Plays from a position with two picks; how many bytes were compared."""
    sent: list[dict[str, list[bytes]]] = []
    logs, lights = [], []
    for number, picked in enumerate((pick, other)):
        with table(folder / str(number), game.copy()) as at:
            caplog.clear()
            marks, scenes = at.marks(), len(at.web.rig.lights.scenes)
            at.do(pick.seat, line_of(picked))
            assert at.game.moves[len(game.moves)] == picked
            at.look_around(pick.seat, languages)
            for line in rest:
                seat, _, words = line.partition(" ")
                at.do(seat, words)
                at.look_around(pick.seat, languages[:1])
            sent.append(at.since(pick.seat, marks))
            logs.append(caplog.text)
            lights.append(at.web.rig.lights.scenes[scenes:])
            own = b"".join(at.sent[pick.seat])
            assert picked.args[0].encode() in own  # what is compared would show it
    assert sent[0].keys() == sent[1].keys()
    for seat, first in sent[0].items():
        assert first == sent[1][seat], seat
    assert logs[0] == logs[1]
    assert lights[0] == lights[1]
    return sum(len(each) for sent_to in sent[0].values() for each in sent_to)


@pytest.mark.games
@pytest.mark.parametrize("seed", range(3 * LONGER))
def test_no_byte_of_a_whole_game_tells_anybody_elses_pick(
    seed: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    rng = Random(seed)
    game, player = Game(rng.sample(SEATS, rng.choice((3, 4))), rounds=6), Player(rng)
    compared = dials = 0
    while legal := game.legal_moves():
        move = player.choose(legal)
        other = another(game, move) if move.verb in SECRETS else None
        after = game.copy()
        after.play(move)
        # The last to dial turns them all; and where only one region is to be had there is nothing to hide.
        if other is not None and (move.verb != "dial" or after.dialling):
            rest = _the_others(after, move) if move.verb == "dial" else []
            compared += compare(tmp_path / f"{len(game.moves)}", game, move, other, rest, caplog, ("en", "nl"))
            dials += move.verb == "dial"
        game.play(move)
    assert dials >= 2
    assert compared > 100_000


def _the_others(game: Game, secret: Move) -> list[str]:
    """What the others dial, but for the last of them, who would turn all dials."""
    lines: list[str] = []
    game = game.copy()
    while True:
        move = game.legal_moves()[0]
        after = game.copy()
        after.play(move)
        if not after.dialling:
            return lines
        lines.append(str(move))
        game = after


def test_no_byte_tells_a_dial_in_any_language(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    board = {"aragon": {"blue": 1, "green": 1, "yellow": 1}, "sevilla": {"blue": 1, "green": 1, "yellow": 1}}
    game = turn_of("secret-all-home", board=board)
    game.play("red special")
    for number, (seat, rest) in enumerate((("blue", ["green dial sevilla"]), ("green", ["blue dial aragon"]))):
        first, second = (Move.parse(f"{seat} dial {place}") for place in ("aragon", "sevilla"))
        assert compare(tmp_path / f"{number}", game, first, second, rest, caplog) > 100_000


@pytest.mark.slow
def test_no_byte_tells_which_card_was_taken_back_however_long_the_game_goes_on(tmp_path: Path) -> None:
    game = turn_of("power-back", ("red", "blue", "green"), rounds=6, hands={"red": [1, 2, 3, 4, 5, 6, 7, 8]})
    game.play("red special")
    rng, moves = Random(4), 0
    with table(tmp_path / "one", game.copy()) as one, table(tmp_path / "two", game.copy()) as two:
        one.do("red", "retake 10")
        two.do("red", "retake 11")
        assert one.game.moves != two.game.moves
        # Red plays on with the cards that it has at both tables.
        while common := [move for move in one.game.legal_moves() if move in two.game.legal_moves()]:
            move = rng.choice(common)
            if move.verb == "retake":
                break
            moves += 1
            for at in (one, two):
                at.do(move.seat, line_of(move))
                if moves % 20 == 0:
                    at.look_around("red", ("en", "fr"))
            assert one.since("red", {}) == two.since("red", {})
    assert moves > 100


def test_a_dial_that_was_refused_is_told_to_its_own_phone_alone(tmp_path: Path) -> None:
    board = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}
    game = turn_of("secret-all-home", ("red", "blue", "green"), board=board)
    game.play("red special")
    with table(tmp_path / "one", game) as at:
        marks = at.marks()
        for line in ("dial granada", "dail granada", "dial granada now", "granada"):
            at.do("blue", line)
        for seat, sent in at.since("blue", marks).items():
            prompts = [each for each in sent if b'"notice":"' in each]
            assert prompts == [], seat
        assert any(b'"notice":"' in each for each in at.sent["blue"][marks["blue"] :])


def test_all_dials_are_told_to_all_at_once_when_the_last_is_set(tmp_path: Path) -> None:
    board = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}
    game = turn_of("secret-all-home", ("red", "blue", "green"), board=board)
    game.play("red special")
    with table(tmp_path / "one", game) as at:
        at.do("blue", "dial aragon")
        at.do("green", "dial sevilla")
        for seat, sent in at.sent.items():
            states = [json.loads(each.decode().partition("data: ")[2]) for each in sent if b"data: " in each]
            logs = [[step["words"] for step in state["history"]["turns"][-1]["steps"]] for state in states]
            *_, before, after = logs
            assert "Arag" not in before[-1], seat
            assert "Arag" in after[-2], seat

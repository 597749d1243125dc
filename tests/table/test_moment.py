"""Moments: plain values without a game in them, the lights before them, and displays that may skip or fail."""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path
from random import Random
from types import FunctionType, MethodType, ModuleType

import pytest

from companion.engine import Game, Move
from companion.engine.state import Setup, State
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.table.moment import Moment, news, plain
from companion.table.options import Options
from companion.table.phone_input import SeatLine
from companion.table.session import Session
from companion.table.table import Table
from companion.table.threaded_display import ThreadedDisplay
from hardware.ports import Pattern, Scene, Trouble
from tests.support.arrange import play, turn_of
from tests.support.random_games import Player
from tests.support.table_rig import THREE, TableRig, placing, table_rig

FORBIDDEN = (Game, State, Setup, Session, Table)
"""What no moment may lead to: it would show everything."""


def reachable(root: object) -> Iterator[object]:
    """Everything that can be reached from an object; classes, modules and functions are the program's, not its."""
    seen, waiting = {id(root)}, [root]
    while waiting:
        each = waiting.pop()
        yield each
        for other in gc.get_referents(each):
            if id(other) not in seen and not isinstance(other, type | ModuleType | FunctionType | MethodType):
                seen.add(id(other))
                waiting.append(other)


def play_whole_game(rig: TableRig, seed: int) -> Iterator[tuple[Move, Moment]]:
    """Plays by phone to the end; yields each move with the moment that came of it."""
    player = Player(Random(seed))
    while not rig.game.over:
        move = player.choose(rig.game.legal_moves())
        rig.insist(move.seat, " ".join((move.verb, *move.args)))
        yield move, rig.moment
        rig.pass_s(10)


@pytest.mark.parametrize("seed", range(3))
def test_no_moment_of_a_whole_game_leads_to_a_game_or_holds_a_secret(seed: int, tmp_path: Path) -> None:
    with table_rig(tmp_path, Game(THREE, rounds=6), Options(veto_s=0, guided=False)) as rig:
        dials: dict[str, str] = {}
        for move, moment in play_whole_game(rig, seed):
            assert [each for each in reachable(moment) if isinstance(each, FORBIDDEN)] == []
            if move.verb == "dial":
                dials[move.seat] = move.text
            if not rig.game.dialling:
                dials.clear()
            texts = [str(each) for each in rig.game.moves]
            retaken = [line for line in texts if line.split()[1] == "retake"]
            # Everything that is shown is JSON, and none of it tells another's dial or a card taken back.
            public = json.dumps(plain(moment.public))
            for secret in dials.values():
                # The same place may have been on this dial before.
                assert public.count(f'"{secret}"') == texts.count(secret) - 1
            assert not [secret for secret in retaken if f'"{secret}"' in public]
            for seat in moment.seats:
                own = json.dumps(plain(moment.seen_by(seat)))
                others = [line for other, line in dials.items() if other != seat]
                assert all(own.count(f'"{secret}"') == texts.count(secret) - 1 for secret in others)
                assert not [line for line in retaken if not line.startswith(seat) and f'"{line}"' in own]
                view = moment.seen_by(seat).view
                assert view["viewer"] == seat
                assert view["turn"]["own_dial"] == (dials[seat].split()[-1] if seat in dials else None)


def test_a_game_in_a_moment_would_be_found(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        leaky = [rig.moment, {"deep": [rig.game]}]
        assert [each for each in reachable(leaky) if isinstance(each, Game)] == [rig.game]


def test_a_moment_is_never_changed(tmp_path: Path) -> None:
    with table_rig(tmp_path, Game(THREE, rounds=6), Options(veto_s=0, guided=False)) as rig:
        texts = [(moment, json.dumps(plain(moment))) for _, moment in zip(range(60), _moments(rig), strict=False)]
        rig.say("red", "undo")
        assert all(json.dumps(plain(moment)) == text for moment, text in texts)
        with pytest.raises(FrozenInstanceError):
            rig.moment.version = 0  # type: ignore[misc]


def _moments(rig: TableRig) -> Iterator[Moment]:
    for _, moment in play_whole_game(rig, 5):
        yield moment


def test_seats_of_bots_are_shown_nothing(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), Options({"blue": "easy"})) as rig:
        assert set(rig.moment.seats) == {"red", "green"}
        with pytest.raises(KeyError):
            rig.moment.seen_by("blue")


# --- What is the same, and what happened -----------------------------------------------------------------------------


def test_a_frame_of_the_scoring_show_changes_only_what_has_been_shown(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-one", THREE, board={"aragon": {"red": 2}}), Options(guided=False)) as rig:
        rig.say("red", "special", "score aragon")
        first = rig.moment
        rig.pass_s(1.6)
        then = rig.moment
        assert first.scene != then.scene
        assert (first.public.scorings_shown, first.public.scoring) == (0, None)
        assert (then.public.scorings_shown, then.public.scoring) == (1, "aragon")
        assert then.public.view is first.public.view
        assert then.seats is first.seats
        rig.pass_s(1.6)
        assert (rig.public.scorings_shown, rig.public.scoring) == (1, None)


def test_while_a_scoring_is_shown_questions_can_wait_and_anybody_may_skip_it(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-one", THREE, board={"aragon": {"red": 2}}), Options(guided=False)) as rig:
        assert not rig.moment.seats["blue"].after_scoring
        rig.say("red", "special", "score aragon")
        assert rig.public.shows_scoring
        assert rig.moment.seats["blue"].after_scoring
        assert [(offer.line, str(offer.words.text)) for offer in rig.public.offers] == [("next", "Skip ahead")]
        rig.say("blue", "next")
        assert (rig.public.scoring, str(rig.public.offers[0].words)) == ("aragon", "Continue")
        rig.say("blue", "next")
        assert not rig.public.shows_scoring
        assert not rig.moment.seats["blue"].after_scoring
        assert rig.public.offers == ()


def test_when_several_places_were_scored_their_totals_are_shown_last(tmp_path: Path) -> None:
    board = {"galicia": {"red": 2}, "sevilla": {"blue": 2}}
    with table_rig(tmp_path, turn_of("score-4s", THREE, board=board), Options(guided=False)) as rig:
        rig.say("red", "special")
        rig.say("green", "next")
        assert rig.public.shows_totals
        assert rig.public.scoring is None
        assert rig.public.scorings_shown == len(rig.game.scorings) > 1
        assert [str(offer.words) for offer in rig.public.offers] == ["Continue"]
        rig.pass_s(5.1)
        assert not rig.public.shows_scoring


def test_skipping_a_scoring_that_is_over_is_no_mistake(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-one", THREE, board={"aragon": {"red": 2}}), Options(guided=False)) as rig:
        rig.say("red", "special", "score aragon")
        shown = rig.moment.version
        rig.say("red", "end")
        rig.say("blue", "next", version=shown)
        assert rig.prompt("blue").notice is None


def test_an_interruption_does_not_wait_for_a_scoring(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-one", THREE, board={"aragon": {"red": 2}}), Options(guided=False)) as rig:
        rig.say("red", "special", "score aragon")
        rig.say("green", "undo")
        assert rig.public.shows_scoring
        assert not rig.moment.seats["blue"].after_scoring
        assert rig.moment.prompts["blue"].asked is not None


def test_what_happened_is_found_whatever_was_skipped_and_an_undo_is_news(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), Options(guided=False)) as rig:
        start = rig.public
        rig.press("castillo", "pais-vasco")
        what = news(start, rig.public)
        assert (what.undone, what.lines) == (0, ("red place castillo", "red place pais-vasco"))
        both = rig.public
        rig.press("undo")
        assert news(both, rig.public)[:2] == (1, ())
        # The same move once more is the same line, but it is news.
        rig.press("pais-vasco")
        assert rig.public.view["log"] == both.view["log"]
        assert news(both, rig.public)[:2] == (1, ("red place pais-vasco",))
        assert news(None, rig.public).lines == tuple(rig.public.view["log"])


def test_dials_that_are_turned_over_are_news(tmp_path: Path) -> None:
    both = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}
    game = play(turn_of("secret-all-home", THREE, board=both), "red special")
    with table_rig(tmp_path, game, Options(guided=False)) as rig:
        rig.say("blue", "dial aragon")
        masked = rig.public
        assert masked.view["log"][-1] == "blue dial ?"
        rig.say("green", "dial sevilla")
        what = news(masked, rig.public)
        assert what.revealed == ("blue dial aragon",)
        assert what.lines[0] == "green dial sevilla"


def test_the_number_of_every_move_is_that_of_its_entry_also_after_a_restart(tmp_path: Path) -> None:
    with table_rig(tmp_path, Game(("red", "blue")), Options(guided=False)) as rig:
        for _ in range(6):
            seat = rig.game.to_act[0]
            rig.say(seat, rig.choices(seat)[-1])
        rig.say(rig.game.moves[-1].seat, "undo")
        numbers = rig.public.numbers
    assert len(numbers) == len(rig.game.moves)
    with open_database(tmp_path / "table.db") as database:
        assert Journal(database).load(1).numbers == numbers


# --- Displays --------------------------------------------------------------------------------------------------------


class Noting:
    """A display that notes what it was shown, and in which order with the lights."""

    def __init__(self, notes: list[str]) -> None:
        self.notes = notes

    def show(self, moment: Moment) -> None:
        self.notes.append("display")


def test_the_lights_are_shown_everything_first(tmp_path: Path) -> None:
    notes: list[str] = []
    with table_rig(tmp_path, placing(), displays=(Noting(notes),)) as rig:
        show = rig.lights.show

        def note(scene: Scene) -> None:
            notes.append("lights")
            show(scene)

        rig.lights.show = note  # type: ignore[method-assign]
        notes.clear()
        rig.press("galicia")
        assert notes == ["lights", "display"]


class Failing:
    """A display that fails until it is repaired."""

    def __init__(self) -> None:
        self.broken = True
        self.shown = 0

    def show(self, moment: Moment) -> None:
        self.shown += 1
        if self.broken:
            raise RuntimeError("a secret might be in here: granada")


def test_a_display_that_fails_is_reported_once_and_stops_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    display = Failing()
    words = "A display failed: Failing (RuntimeError). The game goes on without it."
    with table_rig(tmp_path, placing(), displays=(display,)) as rig:
        rig.table.poll()
        assert rig.notices == [words]
        rig.press("castillo")
        assert str(rig.game.moves[-1]) == "red place castillo"
        assert words not in rig.notices
        display.broken = False
        rig.press("pais-vasco")
        rig.table.poll()
        assert rig.notices == ["A display works again: Failing."]
    assert display.shown > 3


def test_a_display_sees_the_effect_of_a_gesture_before_its_reply_is_sent(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        before = rig.moment.version
        versions: list[int] = []
        rig.table.post(SeatLine("red", "place castillo", before), lambda _: versions.append(rig.moment.version))
        rig.table.poll()
        assert versions == [before + 1]


@pytest.mark.parametrize(
    ("seat", "line", "outcome", "why"),
    [
        ("red", "place castillo", "accepted", None),
        ("red", "place galicia", "refused", "the King stands there"),
        ("blue", "touch castillo", "refused", "It's red's turn."),
        ("red", "confirm", "waiting", None),
        ("red", "board is right", "refused", "The board matches the game already."),
    ],
)
def test_every_line_gets_one_reply(seat: str, line: str, outcome: str, why: str | None, tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        rig.say(seat, line)
        [reply] = rig.replies
        assert reply.outcome.value == outcome
        assert (reply.why is None) if why is None else why in str(reply.why)


def test_a_deadline_is_a_time_and_not_what_is_left_of_it(tmp_path: Path) -> None:
    game = play(turn_of("king", THREE, vetoes=["blue"]), "red special")
    with table_rig(tmp_path, game, Options(veto_s=10)) as rig:
        deadline_s = rig.prompt("blue").deadline_s
        assert deadline_s == rig.now_s + 10
        rig.pass_s(4)
        assert rig.prompt("blue").deadline_s == deadline_s
        assert rig.lit(Pattern.BREATHE) == set()


# --- Displays with a thread of their own -----------------------------------------------------------------------------


class Slow:
    """A display that is busy until it is released."""

    def __init__(self) -> None:
        self.versions: list[int] = []
        self.busy, self.released = threading.Event(), threading.Event()

    def show(self, moment: Moment) -> None:
        self.versions.append(moment.version)
        self.busy.set()
        assert self.released.wait(20)


def test_a_slow_display_in_its_thread_delays_nobody_and_skips_to_the_latest(tmp_path: Path) -> None:
    slow, troubles = Slow(), list[Trouble]()
    with table_rig(tmp_path, placing()) as rig:
        threaded = ThreadedDisplay(slow, troubles.append)
        rig.add_display(threaded)
        assert slow.busy.wait(20)
        first = rig.moment.version
        rig.press("castillo", "castillo", "pais-vasco")
        assert rig.moment.version == first + 3
        assert slow.versions == [first]
        slow.released.set()
        threaded.close()
        assert slow.versions == [first, first + 3]
        assert troubles == []


def test_a_display_that_fails_in_its_thread_posts_a_trouble(tmp_path: Path) -> None:
    failing, troubles = Failing(), list[Trouble]()
    with table_rig(tmp_path, placing()) as rig:
        threaded = ThreadedDisplay(Failing(), troubles.append)
        threaded.show(rig.moment)
        threaded.close()
        assert [(trouble.where, trouble.why) for trouble in troubles] == [("Failing", "RuntimeError")]
        threaded = ThreadedDisplay(failing, rig.table.post)
        failing.broken = True
        threaded.show(rig.moment)
        threaded.close()
        rig.table.poll()
        assert rig.notices == ["A display failed: Failing (RuntimeError). The game goes on without it."]

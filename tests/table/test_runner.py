"""The runner: one loop for every front end, which stops, plays again, and refuses what comes between two games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.table.game_wish import GameWish
from companion.table.lobby import Lobby
from companion.table.phone_input import SeatLine
from companion.table.replies import Outcome, Reply
from companion.table.runner import Runner, SameAgain
from tests.support.table_rig import RecordedLights, placing, table_rig


@dataclass
class FirstBeat:
    """Does something as soon as the table runs, in its own thread: no sooner, and without waiting."""

    action: Callable[[], None] | None = None
    beat_s: float | None = None

    def beat(self) -> None:
        action, self.action = self.action, None
        if action is not None:
            action()


def test_it_runs_until_somebody_stops_or_wants_to_play_again(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        beat = FirstBeat()
        runner = Runner(beat)
        beat.action = runner.play_again
        assert runner.run(rig.table) == SameAgain()
        beat.action = runner.stop
        assert runner.run(rig.table) is None


def test_a_game_that_is_wished_for_comes_next_after_the_lobby_as_after_a_table(tmp_path: Path) -> None:
    wish = GameWish(rounds=6)
    with table_rig(tmp_path, placing()) as rig:
        beat = FirstBeat()
        runner = Runner(beat)
        for loop in (Lobby(RecordedLights()), rig.table):
            beat.action = lambda: runner.begin(wish)
            assert runner.run(loop) == wish


def test_what_is_wished_for_between_two_games_comes_too_late(tmp_path: Path) -> None:
    # Two phones press "Play again" at the same time: the second must not set the new game aside.
    with table_rig(tmp_path, placing()) as rig:
        beat = FirstBeat()
        runner = Runner(beat)
        runner.play_again()
        runner.begin(GameWish())
        beat.action = runner.stop
        assert runner.run(rig.table) is None


def test_a_stop_before_it_runs_is_not_lost(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        runner = Runner()
        runner.stop()
        assert runner.run(rig.table) is None


def test_what_is_posted_while_it_runs_gets_its_reply_and_between_games_is_too_late(tmp_path: Path) -> None:
    replies: list[Reply] = []
    beat = FirstBeat()
    runner = Runner(beat)

    def take(reply: Reply) -> None:
        replies.append(reply)
        runner.stop()

    with table_rig(tmp_path, placing()) as rig:
        line = SeatLine("red", "place castillo", rig.moment.version)
        runner.post(line, replies.append)
        [early] = replies
        assert early.is_late
        beat.action = lambda: runner.post(line, take)
        runner.run(rig.table)
        assert replies[-1].outcome is Outcome.ACCEPTED
        assert str(rig.game.moves[-1]) == "red place castillo"

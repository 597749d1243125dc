"""A phone that floods the table is slowed, and nobody else: gestures take turns, and only what is new is written."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.table.gestures import BEFORE_SHOWING, MOST_WAITING, GestureQueue, sender_of
from companion.table.lobby import Lobby
from companion.table.options import Options
from companion.table.phone_input import WISHES, ChangePlayer, SeatLine
from companion.table.replies import TOO_FAST, Outcome, Reply
from companion.table.seat_requests import Knock, KnockToManage, TakeSeat
from hardware.ports import Press
from tests.support.table_rig import RecordedLights, TableRig, journalled, placing, table_rig


@pytest.fixture
def queue() -> GestureQueue:
    return GestureQueue()


def taken(queue: GestureQueue, most: int = 100) -> list[str]:
    return [sender_of(gesture) for gesture, _ in queue.take(most)]


def line(seat: str, text: str = "undo") -> SeatLine:
    return SeatLine(seat, text, 0)


# --- Taking turns -----------------------------------------------------------------------------------------------------


def test_senders_take_turns_and_each_ones_gestures_stay_in_order(queue: GestureQueue) -> None:
    for number in range(5):
        queue.put(line("red", f"{number}"), None)
    queue.put(line("blue"), None)
    queue.put(Press("granada"), None)
    queue.put(Press("aragon"), None)
    got = [gesture for gesture, _ in queue.take(100)]
    assert [sender_of(each) for each in got[:4]] == ["seat red", "seat blue", "board", "seat red"]
    assert [each.line for each in got if isinstance(each, SeatLine) and each.seat == "red"] == list("01234")
    assert [each for each in got if isinstance(each, Press)] == [Press("granada"), Press("aragon")]
    assert queue.empty


def test_a_phone_with_too_many_gestures_waiting_is_refused_at_once_and_nobody_else_is(queue: GestureQueue) -> None:
    replies: list[Reply] = []
    for _ in range(MOST_WAITING + 3):
        queue.put(line("red"), replies.append)
    assert replies == [Reply.refused(TOO_FAST)] * 3
    for _ in range(100):
        queue.put(Press("granada"), replies.append)
    queue.put(line("blue"), replies.append)
    queue.put(TakeSeat("green", "abc"), replies.append)
    assert len(replies) == 3
    assert taken(queue).count("seat red") == MOST_WAITING


def test_every_phone_has_turns_of_its_own(queue: GestureQueue) -> None:
    for gesture in (
        line("red"), TakeSeat("red", "abc"), TakeSeat("red", ""), Knock("red", "def"), KnockToManage("ghi"),
        ChangePlayer("red", "easy"), Press("undo"),
    ):  # fmt: skip
        queue.put(gesture, None)
    got = taken(queue)
    assert len(set(got)) == len(got) == 7


def test_the_queue_waits_until_something_comes_or_somebody_wakes_it(queue: GestureQueue) -> None:
    queue.wait(0.0)
    for stir in (lambda: queue.put(Press("granada"), None), queue.wake):
        threading.Timer(0.01, stir).start()
        queue.wait(None)
        assert len(taken(queue)) in (0, 1)


# --- The table --------------------------------------------------------------------------------------------------------


def test_the_table_shows_again_after_a_few_gestures_however_many_wait(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        shown = len(rig.display.moments)
        for number in range(60):
            rig.table.post(Knock(("red", "blue")[number // BEFORE_SHOWING % 2], f"phone {number}"))
        handled = 0
        while rig.table.poll() == 0.0:
            handled += 1
        assert handled >= 60 // BEFORE_SHOWING
        assert len(rig.display.moments) - shown >= 60 // BEFORE_SHOWING


def test_a_phone_that_floods_delays_another_by_less_than_one_showing(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        version = rig.moment.version
        for number in range(200):
            rig.table.post(SeatLine("blue", f"nonsense {number}", version))
        rig.table.post(SeatLine("red", "place castillo", version), rig.replies.append)
        rig.table.poll()
        assert [reply.outcome for reply in rig.replies] == [Outcome.ACCEPTED]


def test_a_lobby_that_is_flooded_shows_again_too() -> None:
    lobby = Lobby(RecordedLights())
    for number in range(BEFORE_SHOWING + 1):
        lobby.post(KnockToManage(f"{number}"))
    assert lobby.poll() == 0.0
    assert lobby.poll() != 0.0


# --- The journal ------------------------------------------------------------------------------------------------------


def written(rig: TableRig, folder: Path) -> int:
    return len(journalled(folder))


def test_joining_again_a_thousand_times_writes_nothing(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        rig.table.post(TakeSeat("red", "abc", "Ann"))
        rig.table.poll()
        before, version, shown = written(rig, tmp_path), rig.moment.version, len(rig.display.moments)
        replies: list[Reply] = []
        for _ in range(1000):
            rig.table.post(TakeSeat("red", "abc", " Ann "), replies.append)
            rig.table.poll()
        assert {reply.outcome for reply in replies} == {Outcome.ACCEPTED}
        assert written(rig, tmp_path) == before
        assert rig.moment.version == version
        assert len(rig.display.moments) == shown


@pytest.mark.parametrize(
    "said", ["pace normal", "lessons off", "lesson seen goal", "lesson seen board", "hint", "next"]
)
def test_saying_the_same_thing_again_writes_nothing(tmp_path: Path, said: str) -> None:
    with table_rig(tmp_path, placing()) as rig:
        rig.say("red", said)
        before = written(rig, tmp_path)
        for _ in range(50):
            rig.say("red", said)
        assert written(rig, tmp_path) == before


def test_the_same_player_again_writes_nothing(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        rig.change_player("blue", "easy")
        before = written(rig, tmp_path)
        rig.change_player("blue", "easy")
        assert written(rig, tmp_path) == before
        rig.change_player("blue", "person")
        # Who plays now, and that the seat has changed hands.
        assert written(rig, tmp_path) == before + 2


def test_a_seat_that_changes_its_mind_all_the_time_is_slowed_and_another_is_not(tmp_path: Path) -> None:
    at_once, every_s = WISHES
    with table_rig(tmp_path, placing(), Options(pace="normal")) as rig:
        before = written(rig, tmp_path)
        for number in range(40):
            rig.say("red", ("pace slow", "pace fast", "lessons on", "lessons off")[number % 4])
        assert written(rig, tmp_path) - before == at_once
        assert rig.replies[-1] == Reply.refused(TOO_FAST)
        assert rig.public.notices == (), "nobody else is told"
        rig.say("blue", "pace step")
        assert rig.session.options.pace == "step"
        rig.pass_s(every_s)
        rig.say("red", "pace slow")
        assert rig.session.options.pace == "slow"

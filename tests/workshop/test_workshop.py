"""The workshop: a board is looked over live, its parts are tried, pieces are enrolled, and a report tells no secret."""

from __future__ import annotations

import io
import json
import logging
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from companion.doctor import CHECKS, Case
from companion.doctor.equipment import PlayingEquipment
from companion.engine import Game
from companion.engine.pieces import Piece, PieceKind
from companion.storage.database import open_database
from companion.storage.tags import TagRegistry, Tags
from companion.table.moment import Moment
from companion.table.replies import ACCEPTED, SendReply
from companion.table.workshop_hold import TryBoard
from companion.translations import Translator
from companion.workshop import Enrolment, Parts, RecentLog, Workshop, support_bundle
from hardware.ports import DARK, Scene
from hardware.simulated.board import SimulatedBoard
from tests.doctor.test_doctor import machine_of
from tests.support.moments import moment_of

ENGLISH = Translator("en")
KING, TILE, RED = Piece(PieceKind.KING), Piece(PieceKind.TILE, "8"), Piece(PieceKind.CABALLERO, "red")
PATIENCE_S = 20.0


@dataclass
class Shop:
    """A workshop at a simulated board, and what it asked of the table."""

    board: SimulatedBoard
    workshop: Workshop
    known: TagRegistry
    wishes: list[TryBoard] = field(default_factory=list)

    @property
    def scene(self) -> Scene | None:
        return self.wishes[-1].scene if self.wishes else None

    def state(self) -> dict[str, Any]:
        return self.workshop.state(ENGLISH)

    def await_state(self, there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Waits until the workshop's threads have come so far."""
        number = -1
        while not there(state := self.state()):
            before = number
            number = self.workshop.after(number, PATIENCE_S)
            assert number != before, f"nothing more happened: {state}"
        return state


def held(tried: bool) -> Moment:
    """A moment in which the table lets the board be tried, or does not."""
    moment = moment_of(Game(("red", "blue")))
    return replace(moment, public=replace(moment.public, tried=tried))


@pytest.fixture
def shop(simulated_board: SimulatedBoard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    board, known, wishes = simulated_board, TagRegistry(), list[TryBoard]()
    # The doctor lets time go on in a thread of its own, and so does the test: one after the other.
    advance, one_clock = board.advance, threading.RLock()

    def let_go_on(seconds: float) -> None:
        with one_clock:
            advance(seconds)

    monkeypatch.setattr(board, "advance", let_go_on)
    equipment = PlayingEquipment(board.buttons, board.lights, board.pieces, pause=let_go_on)
    case = Case(machine_of(tmp_path, {}), equipment, "standard", board.board, simulated=True)

    def post(wish: TryBoard, reply: SendReply) -> None:
        wishes.append(wish)
        workshop.show(held(wish.scene is not None))
        reply(ACCEPTED)

    workshop = Workshop(
        Parts(board.buttons, board.lights, board.pieces),
        case,
        post,
        Enrolment(tmp_path / "table.db", known),
        known,
    )
    yield Shop(board, workshop, known, wishes)
    workshop.close()


# --- looking ---------------------------------------------------------------------------------------------------------


def test_the_doctors_checks_are_told_one_after_another(shop: Shop) -> None:
    shop.workshop.look()
    assert shop.state()["looking"]
    state = shop.await_state(lambda state: not state["looking"])
    assert list(dict.fromkeys(each["check"] for each in state["findings"])) == [check.name for check in CHECKS]
    assert {each["verdict"] for each in state["findings"] if each["check"] == "hubs"} == {"ok"}


@pytest.mark.slow
def test_a_cable_that_is_pulled_is_seen_without_asking_while_somebody_looks(shop: Shop) -> None:
    with shop.workshop.watched():
        shop.workshop.look()
        shop.await_state(lambda state: not state["looking"])
        shop.board.hubs["north"].unplug()
        shop.board.advance(1.0)
        state = shop.await_state(lambda state: any(each["verdict"] == "problem" for each in state["findings"]))
        assert "The hub north" in state["troubles"][0]
        state = shop.await_state(lambda state: not state["looking"])
        problems = [each for each in state["findings"] if each["verdict"] == "problem"]
        assert "The hub north is not connected" in str(problems)
        assert state["readers"]["aragon"]["condition"] == "lost"
        shop.board.hubs["north"].plug()
        shop.board.advance(8.0)
        state = shop.await_state(lambda state: not state["looking"] and not state["troubles"])
        assert not [each for each in state["findings"] if each["verdict"] == "problem"]


def test_while_nobody_looks_nothing_is_looked_over_by_itself(shop: Shop) -> None:
    shop.board.hubs["north"].unplug()
    shop.board.advance(1.0)
    assert not shop.state()["looking"]
    assert shop.state()["findings"] == []
    assert shop.state()["troubles"] != []


# --- trying ----------------------------------------------------------------------------------------------------------


def test_each_light_is_shown_by_itself_and_the_board_is_given_back(shop: Shop) -> None:
    assert (shop.state()["held"], shop.state()["step"]) == (False, None)
    shop.workshop.take()
    assert shop.scene == DARK
    plan = shop.workshop.plan(ENGLISH)
    for number, step in enumerate(plan["steps"]):
        shop.workshop.light(number)
        assert shop.state()["step"] == number
        if step["place"]:
            assert shop.scene is not None
            assert list(shop.scene.places) == [step["place"]]
    assert plan["steps"][0] == {"words": "Galicia: lights 0, 1, 2, 3, 4", "ma": 125, "place": "galicia"}
    assert [part["place"] for part in plan["places"]] == list(shop.board.board.places)
    before = len(shop.wishes)
    shop.workshop.stay()
    assert shop.wishes[before:] == [TryBoard(DARK)]
    shop.workshop.give_back()
    assert shop.wishes[-1] == TryBoard(None)
    shop.workshop.stay()
    assert shop.wishes[-1] == TryBoard(None)


def test_presses_and_tags_are_counted_only_while_the_board_is_tried(shop: Shop) -> None:
    shop.board.press("granada")
    shop.board.tap("0A0B0C0D", "aragon")
    assert shop.state()["buttons"]["granada"] == {"short": 0, "long": 0, "down": False}
    shop.workshop.take()
    shop.board.press("granada")
    shop.board.advance(0.1)
    shop.board.press("undo", seconds=2.0)
    shop.known.learn("0A0B0C0D", KING)
    for tag in ("0A0B0C0D", "11223344"):
        shop.board.tap(tag, "aragon")
    shop.board.put("0A0B0C0D", "castillo")
    shop.board.advance(0.5)
    state = shop.state()
    assert state["buttons"]["granada"] == {"short": 1, "long": 0, "down": False}
    assert state["buttons"]["undo"]["long"] == 1
    assert state["readers"]["aragon"] == {
        "condition": "in step", "dead": False, "tag": "11223344", "piece": "", "times": 2, "here": False,
    }  # fmt: skip
    assert (state["readers"]["castillo"]["piece"], state["readers"]["castillo"]["here"]) == ("The King", True)
    shop.workshop.give_back()
    shop.workshop.take()
    assert shop.state()["buttons"]["granada"]["short"] == 0


def test_a_button_is_seen_to_be_down_and_a_dead_reader_is_told(shop: Shop) -> None:
    shop.workshop.take()
    shop.board.press("sevilla", seconds=None)
    shop.board.hubs["north"].break_reader(1)
    shop.board.advance(3.0)
    place = next(
        name for name, place in shop.board.board.places.items()
        if place.reader and (place.reader.hub, place.reader.number) == ("north", 1)
    )  # fmt: skip
    assert shop.state()["buttons"]["sevilla"]["down"]
    assert shop.state()["readers"][place]["dead"]


# --- enrolling -------------------------------------------------------------------------------------------------------


def test_pieces_are_enrolled_by_taps_at_any_reader_and_known_to_the_game_at_once(shop: Shop, tmp_path: Path) -> None:
    shop.workshop.enrol(TILE, afresh=False)
    shop.board.tap("AA000001", "granada")
    state = shop.await_state(lambda state: state["enrolment"]["said"] != [])
    assert state["enrolment"]["said"] == [
        "AA000001 is score tile 8 now.", "Done: score tile 8. 1 of 1 enrolled.",
    ]  # fmt: skip
    assert state["enrolment"]["batch"] is None
    assert shop.known.snapshot() == {"AA000001": TILE}
    shop.workshop.enrol(RED, afresh=False)
    for tag, place in (("BB000001", "aragon"), ("BB000002", "castillo"), ("AA000001", "aragon")):
        shop.board.tap(tag, place)
    state = shop.await_state(lambda state: "Refused" in " ".join(state["enrolment"]["said"]))
    assert state["enrolment"]["batch"] == {
        "piece": "red-caballero", "words": "The red caballeros", "wanted": 30, "count": 2, "afresh": False,
        "untapped": 0,
    }  # fmt: skip
    shop.workshop.give_back()
    state = shop.await_state(lambda state: state["enrolment"]["batch"] is None)
    assert state["enrolment"]["counts"]["red-caballero"] == 2
    with open_database(tmp_path / "table.db") as database:
        assert (
            Tags(database).snapshot() == {"AA000001": TILE, "BB000001": RED, "BB000002": RED} == shop.known.snapshot()
        )


def test_a_batch_afresh_forgets_what_was_not_tapped_only_at_its_end(shop: Shop, tmp_path: Path) -> None:
    with open_database(tmp_path / "table.db") as database:
        for tag in ("BB000001", "BB000002"):
            Tags(database).enrol(tag, RED)
            shop.known.learn(tag, RED)
    shop.workshop.enrol(RED, afresh=True)
    shop.board.tap("BB000001", "granada")
    state = shop.await_state(lambda state: (state["enrolment"]["batch"] or {}).get("count") == 1)
    assert state["enrolment"]["batch"]["untapped"] == 1
    assert len(shop.known) == 2
    shop.workshop.enrolment.finish()
    shop.await_state(lambda state: state["enrolment"]["batch"] is None)
    assert shop.known.snapshot() == {"BB000001": RED}


def test_a_workshop_that_is_left_in_the_middle_of_a_batch_forgets_nothing(shop: Shop, tmp_path: Path) -> None:
    with open_database(tmp_path / "table.db") as database:
        for tag in ("BB000001", "BB000002"):
            Tags(database).enrol(tag, RED)
            shop.known.learn(tag, RED)
    ways: list[Callable[[], None]] = [shop.workshop.give_back, lambda: shop.workshop.show(held(False))]
    for leave in ways:
        shop.workshop.enrol(RED, afresh=True)
        shop.board.tap("BB000001", "granada")
        shop.await_state(lambda state: (state["enrolment"]["batch"] or {}).get("count") == 1)
        leave()
        # Somebody plays.
        shop.board.press("granada")
        shop.board.advance(0.1)
        state = shop.await_state(lambda state: state["enrolment"]["batch"] is None)
        assert "nothing was forgotten" in state["enrolment"]["said"][0]
        assert len(shop.known) == 2
        assert state["enrolment"]["counts"]["red-caballero"] == 2


def test_taps_without_a_batch_enrol_nothing_and_a_full_set_is_said(shop: Shop) -> None:
    shop.workshop.take()
    shop.board.tap("AA000001", "granada")
    shop.workshop.enrol(KING, afresh=False)
    shop.board.tap("AA000002", "granada")
    shop.await_state(lambda state: state["enrolment"]["counts"].get("king") == 1)
    shop.workshop.enrol(KING, afresh=False)
    state = shop.await_state(lambda state: "are enrolled" in " ".join(state["enrolment"]["said"]))
    assert shop.known.snapshot() == {"AA000002": KING}
    assert state["enrolment"]["batch"] is None


def test_a_tag_can_be_forgotten_and_one_that_is_not_there_is_told(shop: Shop) -> None:
    shop.workshop.enrol(KING, afresh=False)
    shop.board.tap("AA000002", "granada")
    shop.await_state(lambda state: state["enrolment"]["counts"].get("king") == 1)
    shop.workshop.enrolment.forget("AA000002")
    state = shop.await_state(lambda state: "Forgotten" in " ".join(state["enrolment"]["said"]))
    assert state["enrolment"]["said"] == ["Forgotten: AA000002, which was the King."]
    assert shop.known.snapshot() == {}
    shop.workshop.enrolment.forget("AA000002")
    shop.await_state(lambda state: state["enrolment"]["said"] == ["The tag AA000002 is not enrolled."])


def test_practice_on_a_simulated_board_leaves_the_game_and_the_file_alone(tmp_path: Path) -> None:
    known = TagRegistry()
    with Enrolment(None, known) as enrolment:
        done = _waiter(enrolment)
        enrolment.begin(KING)
        enrolment.tap("AA000002")
        done(lambda: enrolment.state(ENGLISH)["counts"].get("king") == 1)
        assert enrolment.state(ENGLISH)["practice"]
        assert enrolment.learned == {"AA000002": KING}
    assert known.snapshot() == {}
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_takes_nothing_is_told_and_enrolment_goes_on_when_it_does(tmp_path: Path) -> None:
    file = tmp_path / "table.db"
    file.write_text("my diary")
    with Enrolment(file, TagRegistry()) as enrolment:
        done = _waiter(enrolment)
        enrolment.begin(KING)
        done(lambda: bool(enrolment.state(ENGLISH)["said"]))
        assert "is not a database" in enrolment.state(ENGLISH)["said"][0]
        file.unlink()
        enrolment.begin(KING)
        enrolment.tap("AA000002")
        done(lambda: enrolment.state(ENGLISH)["counts"].get("king") == 1)


def _waiter(enrolment: Enrolment) -> Callable[[Callable[[], bool]], None]:
    changed = threading.Condition()

    def tell() -> None:
        with changed:
            changed.notify_all()

    def wait(there: Callable[[], bool]) -> None:
        with changed:
            assert changed.wait_for(there, PATIENCE_S)

    enrolment.changed = tell
    return wait


# --- finding faults --------------------------------------------------------------------------------------------------


def test_the_serial_log_is_told_in_order_and_only_what_is_new(shop: Shop) -> None:
    shop.board.tap("0A0B0C0D", "aragon")
    lines = shop.workshop.serial({})
    assert {line["hub"] for line in lines} == set(shop.board.hubs)
    seen = [line for line in lines if " seen " in line["text"]]
    assert [(line["hub"], line["speaker"], line["good"]) for line in seen] == [("north", "hub", True)]
    last = {line["hub"]: line["number"] for line in lines}
    shop.board.hubs["north"].babble(b"what?\n")
    shop.board.advance(0.1)
    new = [line for line in shop.workshop.serial(last) if not line["routine"]]
    assert [(line["text"], line["good"]) for line in new] == [("what?", False)]


def unpacked(bundle: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(bundle)) as files:
        return {Path(name).name: files.read(name).decode() for name in files.namelist()}


def test_the_support_bundle_has_all_that_helps(shop: Shop) -> None:
    shop.workshop.look()
    shop.await_state(lambda state: not state["looking"])
    log = RecentLog()
    log.handle(logging.makeLogRecord({"name": "hardware", "levelno": logging.ERROR, "levelname": "ERROR", "msg": "ow"}))
    files = unpacked(
        support_bundle(
            shop.workshop.case, shop.workshop.findings(), shop.workshop.serial({}), log.lines, {"round": 3, "king": "x"}
        )
    )
    assert set(files) == {
        "README.txt", "doctor.json", "machine.json", "board.toml", "serial.txt", "log.txt", "game.json",
    }  # fmt: skip
    assert {each["check"] for each in json.loads(files["doctor.json"])} == {check.name for check in CHECKS}
    assert "el-grande-table" in json.loads(files["machine.json"])["packages"]
    assert "[places.granada]" in files["board.toml"]
    assert " start tap " in files["serial.txt"]
    assert "ERROR hardware: ow" in files["log.txt"]
    assert json.loads(files["game.json"])["round"] == 3


def test_an_error_in_the_log_is_told_without_its_words_and_a_folder_without_its_user(
    shop: Shop, tmp_path: Path
) -> None:
    log = RecentLog()
    try:
        raise ValueError("red has dialled granada")
    except ValueError as error:
        raised = (ValueError, error, error.__traceback__)
    words = "failed in /home/ann/x and /root"
    log.handle(logging.makeLogRecord({"name": "table", "levelname": "ERROR", "msg": words, "exc_info": raised}))
    assert "dialled" not in log.lines[0]
    assert "ValueError in test_workshop.py" in log.lines[0]
    text = str(unpacked(support_bundle(shop.workshop.case, [], [], log.lines, {"file": str(tmp_path / "home" / "x")})))
    assert "ann" not in text
    assert "failed in ~/x and ~" in text
    assert str(tmp_path) not in text

"""The report of a new board: complete, readable again, and without anything that is nobody else's business."""

from __future__ import annotations

import json
import platform
from dataclasses import replace
from pathlib import Path

import pytest

from companion.acceptance import PARTS, AcceptanceReport, NotAReport, PartRecord, PartState, walk
from companion.acceptance.bench import SKIP, Bench
from companion.acceptance.checks import hidden
from companion.acceptance.hands import TAGS
from companion.acceptance.part import AcceptancePart
from companion.doctor import Machine
from companion.engine import Message
from companion.engine.pieces import Piece
from companion.storage.database import open_database
from companion.storage.tags import Tags
from companion.workshop.scrubbing import without_secrets
from hardware.board import example_board, find_board
from hardware.errors import PinsOutOfReach
from tests.support.bench_rig import CTRL_C, bench_rig, problems


def test_a_good_board_passes_every_part_in_order(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        rig.walk()
        document = json.loads(rig.report.document(rig.bench))
    assert list(document["parts"]) == [part.name for part in PARTS]
    assert {part["state"] for part in document["parts"].values()} == {"done"}
    assert document["counts"]["problem"] == 0
    assert (document["kind"], document["schema"]) == ("el-grande-acceptance", 1)
    assert document["subject"]["board"]["strip"]["count"] == 10
    assert document["subject"]["board"]["simulated"] is True


def test_a_report_can_be_read_again(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        rig.walk()
        text = rig.report.document(rig.bench)
        again = AcceptanceReport.of(text)
        assert again.document(rig.bench) == text
    assert list(again.finished()) == [part.name for part in PARTS]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "my diary",
        "[]",
        "3",
        "{}",
        '{"kind": "el-grande-acceptance"}',
        '{"kind": "el-grande-acceptance", "schema": 99}',
        '{"kind": "el-grande-acceptance", "schema": 1, "subject": {}, "made_at": "", "parts": {"lights": 3}}',
    ],
)
def test_anything_else_is_not_a_report(text: str) -> None:
    with pytest.raises(NotAReport):
        AcceptanceReport.of(text)


# --- secrets ---------------------------------------------------------------------------------------------------------

USER, HOST, SERIAL, NETWORK = "annemarie", "kitchen-table", "e66058388345a52a", "Casa Annemarie 5G"
PORT = f"/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_{SERIAL}-if00"


def test_nothing_that_was_planted_is_in_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "node", lambda: HOST)
    home = tmp_path / "home" / USER
    with open_database(home / "table.db") as database:
        Tags(database).enrol(TAGS[0], Piece.parse("king"))
    file = home / f"{USER}s-board.toml"
    file.write_text("")
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "hostname").write_text(HOST)
    (tmp_path / "etc" / "wpa_supplicant.conf").write_text(NETWORK)
    board = replace(find_board("standard"), name=f"{USER}s-board")
    with bench_rig(tmp_path, board=board) as rig:
        machine = replace(rig.bench.machine, database=home / "table.db", user=USER)
        hubs = {name: replace(hub, port=PORT) for name, hub in rig.bench.board.hubs.items()}
        bench = replace(
            rig.bench,
            machine=machine,
            board=replace(rig.bench.board, hubs=hubs),
            board_name=str(file),
            board_option=f" --board {file}",
        )
        report = AcceptanceReport.about(bench)
        walk([Confused(), *PARTS], bench, report)
        document = report.document(bench)
        hub_serials = [port.link.serial for port in rig.simulated.pieces.hubs.values()]
    for secret in (
        USER,
        HOST,
        SERIAL,
        NETWORK,
        *TAGS,
        *hub_serials,
        str(tmp_path),
        "192.168.1.7",
        "tok3n",
        "Annemarie",
    ):
        assert secret not in document, secret
    assert "…" in document
    assert json.loads(document)["subject"]["board"]["name"] == "a board file of their own"


class Confused(AcceptancePart):
    """A part that talks too much."""

    name = "confused"
    title = "Confused"
    ahead = ""
    by_itself = True

    def walk(self, bench: Bench, record: PartRecord) -> None:
        home = bench.machine.database.parent
        record.problem(f"{USER} at {HOST} ({PORT}) saw {TAGS[0]} in {home}", "http://192.168.1.7:8000/?token=tok3n")
        record.group("deep")["words"] = [f"{TAGS[1]} by {USER}@{HOST}", "SER=" + SERIAL]
        raise ValueError(f"Annemarie dialled granada: {SERIAL}")


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("hub at fe80::ba27:ebff:fe01:2345", "hub at …"),
        ("b8:27:eb:01:23:45 answers", "… answers"),
        ("at 2001:db8:0:1:1:1:1:1", "at …"),
        ("table.local:8000 is at 10.0.0.12", "table.local:8000 is at …"),
        ("seed 9f86d081884c7d659a2feaa0c55ad015", "seed …"),
        ("/home/player/board.toml and /root/x", "~/board.toml and ~/x"),
        # What a report is for stays.
        ("6.12.25+rpt-rpi-v8, 3.13.5, 1.0.0rc2", "6.12.25+rpt-rpi-v8, 3.13.5, 1.0.0rc2"),
        ("reader 2 failed at 12:30:45 (version 92)", "reader 2 failed at 12:30:45 (version 92)"),
        ("galicia, castilla-la-vieja, deadbeef", "galicia, castilla-la-vieja, deadbeef"),
        ("2026-11-18T20:15", "2026-11-18T20:15"),
    ],
)  # fmt: skip
def test_what_points_at_one_machine_is_left_out(text: str, scrubbed: str) -> None:
    assert without_secrets(text, Machine(user="annemarie", database=Path("/x/y/table.db"))) == scrubbed


def test_a_short_or_common_user_name_does_not_spoil_other_words() -> None:
    for user in ("pi", "root"):
        machine = Machine(user=user, database=Path("/x/y/table.db"))
        assert without_secrets("Raspberry pi, as root", machine) == "Raspberry pi, as root"


def test_fields_of_a_finding_that_name_a_person_or_a_machine_are_hidden() -> None:
    inner = Message("the file {file}", {"file": "/home/ann/table.db"})
    message = Message("{user} at {port}: {why}, {count} of port {number}", {
        "user": "ann", "port": "/dev/ttyACM0", "why": inner, "count": 3, "number": 8000,
    })  # fmt: skip
    assert str(hidden(message)) == "… at …: the file …, 3 of port 8000"
    assert str(hidden(Message("Port {port} is free.", {"port": 8000}))) == "Port 8000 is free."


# --- the walk --------------------------------------------------------------------------------------------------------


def test_a_part_that_is_stopped_keeps_what_it_found(tmp_path: Path) -> None:
    with bench_rig(tmp_path, {("press", "south"): [CTRL_C]}) as rig, pytest.raises(KeyboardInterrupt):
        rig.walk("machine", "buttons", "saving")
    assert {name: record.state for name, record in rig.report.records.items()} == {
        "machine": PartState.DONE,
        "buttons": PartState.STOPPED,
    }
    assert rig.report.records["buttons"].group("buttons", "north")["good"] is True


def test_a_part_can_be_skipped_when_it_begins(tmp_path: Path) -> None:
    with bench_rig(tmp_path, {("begin", "buttons"): [SKIP]}) as rig:
        assert rig.walk("buttons").state is PartState.SKIPPED


def test_a_part_whose_devices_cannot_be_opened_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PinsOutOfReach("no module named lgpio")

    with bench_rig(tmp_path) as rig:
        monkeypatch.setattr(rig.bench.devices, "buttons", refuse)
        rig.walk("buttons", "saving")
    buttons, saving = rig.report.records.values()
    assert (buttons.state, saving.state) == (PartState.FAILED, PartState.DONE)
    assert "no module named lgpio" in problems(buttons)[0]


def test_a_bug_in_a_part_is_told_without_its_words(tmp_path: Path) -> None:
    with bench_rig(tmp_path, board=example_board()) as rig:
        walk([Confused()], rig.bench, rig.report)
    record = rig.report.records["confused"]
    assert record.state is PartState.FAILED
    assert problems(record)[-1].startswith("This could not be tried: ValueError in test_report.py")
    assert "dialled" not in problems(record)[-1]

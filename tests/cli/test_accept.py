"""`companion accept`: a builder walks through a board, stops, continues, and gets a report in any case."""

from __future__ import annotations

import importlib
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from companion.acceptance import PARTS, AcceptanceReport
from companion.acceptance.bench import REPEAT, SKIP
from companion.cli import main
from companion.cli.accept import ONLY_GOOD, Acceptance, summary, write_whole
from companion.cli.bench_person import TerminalPerson
from tests.support.bench_rig import CTRL_C, BenchRig, bench_rig
from tests.support.full_disk import small_disk
from tests.support.terminal import OWN_TERMINAL, ProgramInTerminal

ROOT = Path(__file__).parents[2]
# The package has the command under the name of its module.
MODULE = importlib.import_module("companion.cli.accept")
NAMES = [part.name for part in PARTS]
ALL_BUT_BUTTONS = tuple(name for name in NAMES if name != "buttons")


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ("accept", *args), catch_exceptions=False)


def accepted(rig: BenchRig, file: Path, *skip: str, before: AcceptanceReport | None = None) -> int:
    """Runs the command on a bench, and returns its exit code."""
    return Acceptance(rig.bench, file).run(before, skip)


def report_in(file: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return document


def states(file: Path) -> dict[str, str]:
    return {name: part["state"] for name, part in report_in(file)["parts"].items()}


# --- the whole walk --------------------------------------------------------------------------------------------------


def test_a_good_board_is_accepted_and_the_person_knows_where_the_report_is(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    with bench_rig(tmp_path) as rig:
        assert accepted(rig, file) == 0
    assert states(file) == dict.fromkeys(NAMES, "done")
    words = "\n".join(rig.robot.said)
    assert "Everything was tried." in words
    assert f"The report is in {file}." in words
    assert "Not in it: names, codes, addresses, serial numbers, tags, games." in words
    assert "attach it to an issue in the project's repository" in words


def test_a_problem_is_in_the_summary_and_in_the_exit_code(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    with bench_rig(tmp_path) as rig:
        rig.simulated.swap_buttons("north", "south")
        assert accepted(rig, file) == 1
    [problem] = [each for each in report_in(file)["parts"]["buttons"]["remarks"] if each["verdict"] == "problem"]
    assert "they are swapped" in problem["found"]
    words = summary(AcceptanceReport.of(file.read_text("utf-8")))
    assert f"  buttons: {problem['found']}\n      do: {problem['do']}" in words
    assert "buttons     done  1 FAIL" in words


def test_parts_can_be_skipped_from_the_start(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    with bench_rig(tmp_path) as rig:
        assert accepted(rig, file, "lights", "readers", "doctor") == 0
    assert states(file) == {name: "skipped" if name in ("lights", "readers", "doctor") else "done" for name in NAMES}
    assert "Not tried to the end: doctor, lights, readers." in "\n".join(rig.robot.said)


# --- stopping and continuing -----------------------------------------------------------------------------------------


def test_ctrl_c_leaves_a_report_and_a_second_run_keeps_what_is_finished(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    with bench_rig(tmp_path, {("press", "south"): [CTRL_C]}) as rig:
        assert accepted(rig, file) == 130
    assert states(file) == {"machine": "done", "doctor": "done", "lights": "done", "buttons": "stopped"}
    assert "To continue: the same command, companion accept, once more." in rig.robot.said
    with bench_rig(tmp_path) as rig:
        assert accepted(rig, file, before=AcceptanceReport.of(file.read_text("utf-8"))) == 0
    assert states(file) == dict.fromkeys(NAMES, "done")
    assert f"{file} has these parts already: machine, doctor, lights." in rig.robot.said
    assert "lights" not in [task.about for task in rig.robot.asked if task.do == "begin"]


@pytest.mark.parametrize(
    ("answer", "tried"),
    [(REPEAT, ["lights", "buttons", "readers"]), (ONLY_GOOD, ["buttons"]), ("", [])],
    ids=["begin again", "repeat those with problems", "keep"],
)
def test_finished_parts_are_repeated_if_somebody_wants_to(answer: str, tried: list[str], tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    with bench_rig(tmp_path) as rig:
        rig.simulated.swap_buttons("north", "south")
        accepted(rig, file)
    before = AcceptanceReport.of(file.read_text("utf-8"))
    with bench_rig(tmp_path, {("keep", ""): [answer]}) as rig:
        assert accepted(rig, file, before=before) == (0 if tried else 1)
    assert "There were problems with: buttons." in rig.robot.said
    assert [task.about for task in rig.robot.asked if task.do == "begin"] == tried


def test_the_report_of_another_board_is_replaced_only_after_a_question(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    with bench_rig(tmp_path) as rig:
        accepted(rig, file, *ALL_BUT_BUTTONS)
    before = AcceptanceReport.of(file.read_text("utf-8").replace('"count": 10', '"count": 20'))
    with bench_rig(tmp_path, {("replace", ""): [CTRL_C]}) as rig:
        old = file.read_text("utf-8")
        assert accepted(rig, file, before=before) == 130
        assert file.read_text("utf-8") == old
    with bench_rig(tmp_path) as rig:
        assert accepted(rig, file, *ALL_BUT_BUTTONS, before=before) == 0
    assert any("another board" in task.text for task in rig.robot.asked)


def test_every_finished_part_is_saved_at_once(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    seen: list[list[str]] = []
    with bench_rig(tmp_path) as rig:
        say = rig.robot.say

        def watched(text: str = "") -> None:
            if text.startswith("\n==="):
                seen.append(list(states(file)))
            say(text)

        rig.robot.say = watched  # type: ignore[method-assign]
        accepted(rig, file, "lights", "readers")
    assert seen == [NAMES[:count] for count in range(len(NAMES))]


# --- where the report goes -------------------------------------------------------------------------------------------


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_report_that_cannot_be_written_is_printed_instead(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with bench_rig(tmp_path) as rig:
        assert accepted(rig, Path("/dev/full"), *ALL_BUT_BUTTONS) == 1
    words = "\n".join(rig.robot.said)
    assert "The report cannot be written to /dev/full: No space left on device. It will be printed at the end." in words
    assert "The report could not be written to /dev/full: No space left on device.\nHere it is" in words
    printed = capsys.readouterr().out
    document = json.loads(printed[printed.index("{") :])
    assert document["parts"]["buttons"]["state"] == "done"


def test_a_folder_that_is_not_there_is_told_before_the_work(tmp_path: Path) -> None:
    with bench_rig(tmp_path, {("go on", ""): [CTRL_C]}) as rig:
        assert accepted(rig, tmp_path / "nowhere" / "report.json") == 130
    assert any("nowhere/report.json: No such file or directory. It will" in words for words in rig.robot.said)
    assert "=== The machine ===" not in "\n".join(rig.robot.said)


def test_a_disk_that_fills_up_on_the_way_does_not_lose_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with small_disk(tmp_path / "card") as disk, bench_rig(tmp_path) as rig:
        file = disk.folder / "report.json"
        hands = rig.hands

        def fill(task):  # type: ignore[no-untyped-def]
            if task.do == "press":
                disk.fill()
            return hands(task)

        rig.hands = fill  # type: ignore[assignment]
        assert accepted(rig, file, *ALL_BUT_BUTTONS) == 1
        # What was there before is whole.
        assert "buttons" not in states(file)
    assert '"buttons": {\n      "state": "done"' in capsys.readouterr().out


def test_a_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    write_whole(file, "one\n")
    write_whole(file, "two\n")
    assert file.read_text() == "two\n"
    assert os.listdir(tmp_path) == ["report.json"]


def test_a_file_that_is_not_a_report_is_not_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "_at_a_keyboard", lambda: True)
    file = tmp_path / "diary.json"
    file.write_text('{"dear": "diary"}')
    result = run("--simulated", "--out", str(file))
    assert result.exit_code == 1
    assert "already exists, and is not a report of this version. It was not changed." in result.stderr
    assert file.read_text() == '{"dear": "diary"}'
    result = run("--simulated", "--out", str(tmp_path))
    assert f"{tmp_path} is a folder. Name a file in it" in result.stderr


# --- wrong calls -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--skip", "lamps"), "Invalid value for '--skip'"),
        (("--board", "nowhere.toml"), "nowhere.toml"),
        (("--fast",), "No such option"),
        (("lights",), "unexpected extra argument"),
    ],
)
def test_a_wrong_call_says_what_was_wrong(args: tuple[str, ...], words: str) -> None:
    result = run("--simulated", *args)
    assert result.exit_code != 0
    assert words in result.stderr


@pytest.mark.parametrize("kind", ["none", "pipe", "closed"])
def test_without_a_terminal_nothing_begins(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = None if kind == "none" else io.StringIO("\n" * 100)
    if stdin is not None and kind == "closed":
        stdin.close()
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(click.ClickException, match="needs somebody at a keyboard"):
        main.main(["accept", "--simulated"], standalone_mode=False)


@pytest.mark.parametrize("redirected", ["<&-", "</dev/null"])
def test_a_keyboard_that_is_not_there_is_told_in_a_line(redirected: str) -> None:
    command = f"{sys.executable} -m companion.cli accept --simulated {redirected}"
    result = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr.startswith("Error: This command needs somebody at a keyboard")


def test_a_real_board_needs_a_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "_at_a_keyboard", lambda: True)
    monkeypatch.setattr("companion.doctor.machine.read_model", lambda file: "")
    result = run()
    assert result.exit_code == 1
    assert (
        "This machine is not a Raspberry Pi. To see how it works without one: companion accept --sim" in result.stderr
    )


# --- in a terminal ---------------------------------------------------------------------------------------------------

PROGRAM = f"{OWN_TERMINAL}\nfrom companion.cli import main\nmain(sys.argv[1:])"
COMMAND = (sys.executable, "-c", PROGRAM, "accept", "--simulated", "--board", "buttons-only")


def in_terminal(tmp_path: Path, *skip: str) -> ProgramInTerminal:
    skips = [word for name in skip for word in ("--skip", name)]
    environment = {"PYTHONPATH": str(ROOT), "EL_GRANDE_HOME": str(tmp_path / "home")}
    return ProgramInTerminal([*COMMAND, *skips], tmp_path, environment=environment)


def test_a_builder_sees_what_to_do_and_how_much_time_is_left(tmp_path: Path) -> None:
    with in_terminal(tmp_path, "doctor", "lights", "saving") as table:
        table.await_words("=== The machine ===")
        table.await_words("=== The buttons ===")
        table.await_words("> Ready?")
        table.await_words("600 s left; Enter: begin, s: skip this part")
        # The number alone is drawn again, so that nothing that is being typed gets lost.
        table.await_words("\x1b7\r  599\x1b8")
        table.press(b"x\n")
        table.await_words("That is not one of the answers: Enter: begin, s: skip this part.")
        table.await_words("> Ready?")
        table.press(b"\n")
        table.await_words("> Press Galicia once, as you would in a game.")
        table.await_words("(A simulated finger presses it.)")
        table.await_words("galicia: 1 + 1 edges, quiet after 0.0 ms, held 1")
        table.await_words("All 12 buttons work as they should.")
        table.await_words("This board has no readers.")
        table.await_words("The report is in el-grande-acceptance.json.")
        assert table.program.wait(20) == 0
    buttons = report_in(tmp_path / "el-grande-acceptance.json")["parts"]["buttons"]["figures"]["buttons"]
    assert len(buttons) == 12


@pytest.mark.parametrize("stop", [b"\x03", b"\x04", signal.SIGTERM], ids=["Ctrl-C", "Ctrl-D", "SIGTERM"])
def test_stopping_in_a_terminal_leaves_a_report(stop: bytes | int, tmp_path: Path) -> None:
    with in_terminal(tmp_path, "doctor", "lights") as table:
        table.await_words("> Ready?")
        table.await_words("600 s left")
        if isinstance(stop, bytes):
            table.press(stop)
        else:
            os.kill(table.program.pid, stop)
        table.await_words("Stopped.")
        table.await_words("The report is in el-grande-acceptance.json.")
        table.await_words("To continue: the same command")
        assert table.program.wait(20) == 130
    assert states(tmp_path / "el-grande-acceptance.json")["buttons"] == "stopped"
    with in_terminal(tmp_path, "doctor", "lights", "saving") as table:
        table.await_words("el-grande-acceptance.json has these parts already: machine.")
        table.await_words("Enter: keep them, p: repeat those with problems, r: begin again")
        table.press(b"\n")
        table.await_words("> Ready?")
        table.press(SKIP.encode() + b"\n")
        table.await_words("The report is in")


def test_without_a_screen_the_deadline_is_said_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.acceptance import Task

    with open(os.devnull) as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        person = TerminalPerson()
        person.begin(Task("press", "north", "Press it."))
        for left_s in (30.0, 29.0, 28.0):
            assert person.wait(0.0, left_s) is None
        person.end()
    assert capsys.readouterr().out == "> Press it.\n   30 s left; s: skip, r: repeat \n"

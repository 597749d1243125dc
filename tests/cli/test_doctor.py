"""`companion doctor`, as a person types it, and as a program reads it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.doctor import CHECKS, Case, Check, Finding, Machine
from companion.doctor.configuration import Configuration
from companion.doctor.hubs import Hubs
from companion.doctor.pins import Pins
from companion.doctor.tags import EnrolledTags
from hardware.board import SHIPPED

ROOT = Path(__file__).parents[2]


class Healthy(Check):
    """Finds nothing wrong."""

    name = "healthy"

    def look(self, case: Case) -> list[Finding]:
        return [self.ok("All is well.")]


class Worried(Check):
    """Warns."""

    name = "worried"

    def look(self, case: Case) -> list[Finding]:
        return [self.warning("It is {what}.", "Wait until it is not.", what="late")]


class Ill(Check):
    """Finds a problem."""

    name = "ill"

    def look(self, case: Case) -> list[Finding]:
        return [self.problem("Nothing works.", "Do this,\nthen that.")]


class Raising(Check):
    """Fails."""

    name = "raising"

    def look(self, case: Case) -> list[Finding]:
        raise KeyError("what nobody thought of")


def run(*args: str, color: bool = False) -> Result:
    return CliRunner().invoke(main, ["doctor", *args], catch_exceptions=False, color=color)


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    # By its name the command is found, and not its module.
    monkeypatch.setattr(sys.modules["companion.cli.doctor"], "CHECKS", request.param)


def with_checks(*checks: Check) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("checks", [checks], indirect=True)


@pytest.mark.usefixtures("checks")
@with_checks(Healthy(), Worried(), Healthy())
def test_a_warning_is_told_and_does_not_fail() -> None:
    result = run("--simulated")
    assert result.exit_code == 0
    assert result.stdout == (
        "healthy\n"
        "  ok    All is well.\n"
        "worried\n"
        "  warn  It is late.\n"
        "        do: Wait until it is not.\n"
        "healthy\n"
        "  ok    All is well.\n"
        "\n"
        "2 ok, 1 warn, 0 FAIL, 0 skip. Ready to play on the simulated board.\n"
    )


@pytest.mark.usefixtures("checks")
@with_checks(Ill(), Raising(), Healthy())
def test_a_problem_fails_and_the_others_go_on() -> None:
    result = run("--simulated")
    assert result.exit_code == 1
    assert "  FAIL  Nothing works.\n        do: Do this,\n            then that.\n" in result.stdout
    assert "KeyError: 'what nobody thought of'" in result.stdout
    assert "1 ok, 0 warn, 2 FAIL, 0 skip. Start with the first FAIL" in result.stdout


@pytest.mark.usefixtures("checks")
@with_checks(Healthy(), Ill())
def test_json_is_one_document_and_nothing_else() -> None:
    result = run("--simulated", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {
        "schema": 1,
        "board": "standard",
        "simulated": True,
        "counts": {"ok": 1, "warning": 0, "problem": 1, "skipped": 0},
        "findings": [
            {"check": "healthy", "verdict": "ok", "found": "All is well.", "do": ""},
            {"check": "ill", "verdict": "problem", "found": "Nothing works.", "do": "Do this,\nthen that."},
        ],
    }


@pytest.mark.usefixtures("checks")
@with_checks(Healthy())
def test_colour_can_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in run("--simulated", color=True).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run("--simulated", color=True).stdout


@pytest.mark.parametrize("args", [("--port", "0"), ("--port", "many"), ("--unheard-of",), ("anything",)])
def test_a_wrong_argument_is_told_as_such(args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


@pytest.mark.usefixtures("checks")
@with_checks(Configuration(), Pins())
def test_the_mistakes_of_a_board_file_are_findings(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[strip]\ncount = 'many'\n")
    result = run("--board", str(file))
    assert result.exit_code == 1
    assert "strip.count is wrong: many." in result.stdout
    assert "skip  The board file has to be fixed first." in result.stdout


@pytest.mark.usefixtures("checks")
@with_checks(Configuration(), Pins())
@pytest.mark.parametrize("as_json", [True, False])
def test_a_board_that_cannot_be_read_is_a_finding(as_json: bool, tmp_path: Path) -> None:
    for board, said in (("no-such-board", "There is no board called no-such-board"), (str(tmp_path), "it is a folder")):
        result = run("--board", board, *["--json"] * as_json)
        assert result.exit_code == 1
        if as_json:
            document = json.loads(result.stdout)
            assert [finding["verdict"] for finding in document["findings"]] == ["problem", "skipped"]
            assert said in document["findings"][0]["found"]
        else:
            assert said in result.stdout


@pytest.mark.usefixtures("checks")
@with_checks(Healthy())
def test_the_doctor_looks_at_the_board_of_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path))
    (tmp_path / "board.toml").write_text("")
    assert json.loads(run("--simulated", "--json").stdout)["board"] == str(tmp_path / "board.toml")


@pytest.mark.usefixtures("checks")
@with_checks(*CHECKS[3:9], Healthy())
def test_checks_that_are_skipped_for_the_same_reason_are_told_together() -> None:
    result = run("--simulated")
    assert result.stdout.startswith(
        "permissions, spi, core_freq, spidev.bufsiz, sound, pio\n"
        "  skip  This check is only for a Raspberry Pi under a real board.\n"
        "healthy\n"
    )
    assert "1 ok, 0 warn, 0 FAIL, 6 skip" in result.stdout
    assert len(json.loads(run("--simulated", "--json").stdout)["findings"]) == 7


@pytest.mark.usefixtures("checks")
@with_checks(Hubs(), EnrolledTags())
def test_advice_means_the_board_that_was_typed(tmp_path: Path) -> None:
    mine = tmp_path / "my board.toml"
    mine.write_text((SHIPPED / "standard.toml").read_text())
    findings = json.loads(run("--real", "--json", "--board", str(mine)).stdout)["findings"]
    told = " ".join(finding["do"] for finding in findings)
    assert f"companion firmware install west --board '{mine}'" in told
    assert f"companion enroll --board '{mine}' continues" in told


def test_a_closed_output_is_no_reason_for_a_traceback() -> None:
    command = f"exec {sys.executable} -m companion.cli doctor --simulated --board buttons-only >&-"
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    # Somebody else may have the port.
    assert done.returncode in (0, 1)


@pytest.mark.skipif(Machine().pi is not None, reason="there are pins")
@pytest.mark.usefixtures("checks")
@with_checks(Pins())
def test_real_pins_are_tried_where_there_are_none() -> None:
    result = run("--real", "--board", "buttons-only")
    assert result.exit_code == 1
    assert "FAIL  The buttons cannot be reached" in result.stdout


def test_a_newcomer_sees_the_whole_board_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path))
    result = run("--simulated", "--json")
    findings = json.loads(result.stdout)["findings"]
    assert list(dict.fromkeys(finding["check"] for finding in findings)) == [check.name for check in CHECKS]
    # Only what may be amiss on any machine: somebody else may have the port.
    assert {finding["check"] for finding in findings if finding["verdict"] == "problem"} <= {"port", "disk"}

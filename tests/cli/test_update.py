"""`companion update`, `versions`, `rollback` and `self-check`, as they are typed."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.engine import Game
from companion.installation import versions
from companion.installation.update_records import Trial, UpdateOutcome, UpdateRecords
from companion.storage.database import open_database
from companion.storage.journal import Journal

MODULE = sys.modules["companion.cli.update"]
OUTCOME = UpdateOutcome(at="2024-05-01T18:03:22+00:00", version="0.2.0", before="0.1.0", works=True, why="", kept_as="")
TRIAL = Trial("0.2.0", "0.1.0", "", works=True)


def typed(*args: str) -> Result:
    return CliRunner().invoke(main, list(args), catch_exceptions=False)


def test_where_nothing_is_installed_everything_says_so() -> None:
    assert "Nothing was installed" in typed("versions").output
    result = typed("rollback")
    assert result.exit_code == 1
    assert "Run install.sh first" in result.output


def test_an_update_needs_a_file_that_is_there(tmp_path: Path) -> None:
    assert "Name the file of the release" in typed("update").output
    assert "does not exist" in typed("update", str(tmp_path / "release.tar")).output


@pytest.mark.parametrize("command", [["rollback"], ["update", __file__]])
def test_only_root_changes_the_version(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    result = typed(*command)
    assert result.exit_code == 1
    assert f"{' '.join(command)}\n" in result.output
    assert "sudo " in result.output


def test_the_installed_versions_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "Versions", lambda: versions.Versions(tmp_path))
    monkeypatch.setattr(MODULE, "STATE", tmp_path / "state")
    for version in ("0.1.0", "0.2.0", "0.10.0"):
        (tmp_path / "versions" / version).mkdir(parents=True)
        (tmp_path / "versions" / version / versions.COMPLETE).touch()
        versions.Versions(tmp_path).switch(version)
    lines = typed("versions").output.splitlines()
    assert lines[:3] == ["0.1.0", "0.2.0  (companion rollback goes back to it)", "0.10.0  (current)"]


@dataclass
class Installed:
    """A machine with an installed table, whose systemd only notes what it is asked to do."""

    records: UpdateRecords
    programs: Path

    def systemd_run(self, script: str) -> None:
        """Sets what happens in the unit of an update. `$STATE` is the folder of the records."""
        self._program("systemd-run", f"STATE='{self.records.folder}'\n{script}")

    def _program(self, name: str, script: str) -> None:
        program = self.programs / name
        program.write_text(f'#!/bin/bash\necho "{name} $*" >> "{self.programs}/all.ran"\n{script}\n')
        program.chmod(0o755)

    def ran(self) -> list[str]:
        file = self.programs / "all.ran"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installed:
    side_by_side = versions.Versions(tmp_path / "opt")
    side_by_side.folder.mkdir()
    side_by_side.switch("0.1.0")
    programs = tmp_path / "programs"
    programs.mkdir()
    records = UpdateRecords(tmp_path / "state")
    records.folder.mkdir()
    monkeypatch.setattr(MODULE, "Versions", lambda: side_by_side)
    monkeypatch.setattr(MODULE, "STATE", records.folder)
    monkeypatch.setattr(MODULE, "_LOOK_S", 0.01)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    machine = Installed(records, programs)
    machine._program("systemctl", "")
    return machine


def test_an_update_is_over_for_people_when_the_version_works_and_its_unit_goes_on_watching(
    installed: Installed, tmp_path: Path
) -> None:
    ready = UpdateRecords(tmp_path / "ready")
    ready.folder.mkdir()
    ready.save_trial(TRIAL)
    ready.add_outcome(OUTCOME)
    installed.systemd_run(
        f'echo "Version 0.2.0 works." >> "$STATE/progress.log"\ncp "{ready.folder}/outcomes.json" "$STATE"\n'
        f'mv "{ready.folder}/trial.json" "$STATE"\nexec sleep 600'
    )
    result = typed("update", __file__)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [
        "Version 0.2.0 works.",
        "The table runs version 0.2.0. To go back: sudo companion rollback",
    ]
    (command,) = installed.ran()
    assert "--unit el-grande-updating.service" in command
    assert command.endswith(f"/opt/el-grande/current/bin/companion update --in-unit {__file__}")


def test_an_update_that_fails_says_why_and_ends_with_an_error(installed: Installed) -> None:
    installed.systemd_run('echo "Error: The release is damaged." >> "$STATE/progress.log"\nexit 1')
    result = typed("update", __file__)
    assert (result.exit_code, result.output) == (1, "Error: The release is damaged.\n")


def test_while_a_version_is_tried_no_other_unit_is_started(installed: Installed) -> None:
    with installed.records.one_update():
        result = typed("update", __file__)
    assert result.exit_code == 1
    assert "Another version is being installed or tried right now." in result.output
    assert installed.ran() == []


def test_a_rollback_does_not_wait_for_the_end_of_the_watch(installed: Installed) -> None:
    installed.records.save_trial(TRIAL)
    installed.systemd_run("exit 0")
    assert typed("rollback").exit_code == 0
    assert installed.ran()[0] == "systemctl stop el-grande-updating.service el-grande-update.service"
    assert installed.ran()[1].endswith("companion rollback --in-unit")


def test_a_rollback_waits_for_a_version_that_does_not_work_yet(installed: Installed) -> None:
    installed.records.save_trial(Trial("0.2.0", "0.1.0", ""))
    with installed.records.one_update():
        assert "tried right now" in typed("rollback").output
    assert installed.ran() == []


def test_versions_tell_what_is_on_trial_and_where_later_games_are(installed: Installed) -> None:
    installed.records.add_outcome(OUTCOME)
    installed.records.add_outcome({**OUTCOME, "version": "0.1.0", "before": "0.2.0", "kept_as": "/games.db"})
    installed.records.save_trial(TRIAL)
    assert typed("versions").output.splitlines() == [
        "2024-05-01T18:03:22+00:00  0.1.0 to 0.2.0: works",
        "2024-05-01T18:03:22+00:00  0.2.0 to 0.1.0: works (later games are kept in /games.db)",
        "Version 0.2.0 is on trial: if it does not work, version 0.1.0 comes back.",
    ]


BACK = UpdateOutcome(**{**OUTCOME, "works": False, "why": "version 0.1.0 is back, because it crashed 3 times"})
RUNS = "The table runs version 0.2.0"
NOT_IN_USE = "Error: Version 0.2.0 is not in use: version 0.1.0 is back, because it crashed 3 times."


@pytest.mark.parametrize(
    ("outcome", "code", "said"),
    [
        (OUTCOME, 0, f"{RUNS}."),
        ({**OUTCOME, "kept_as": "/a.db"}, 0, f"{RUNS} with older games. What was played since then is kept in /a.db."),
        (BACK, 1, NOT_IN_USE),
        ({**BACK, "kept_as": "/a.db"}, 1, f"{NOT_IN_USE} What was played with it is kept in /a.db."),
    ],
)
def test_what_came_of_an_update_is_told(
    installed: Installed, monkeypatch: pytest.MonkeyPatch, outcome: UpdateOutcome, code: int, said: str
) -> None:
    monkeypatch.setattr(MODULE.Updater, "resume", lambda updater: outcome)
    result = typed("update", "--resume")
    assert result.exit_code == code
    assert result.output.removesuffix(" To go back: sudo companion rollback\n").strip() == said


@pytest.mark.slow
def test_a_version_checks_itself_on_a_copy_of_the_games(tmp_path: Path) -> None:
    file = tmp_path / "table.db"
    with open_database(file) as database:
        Journal(database).begin(Game(("red", "blue")), {}, 7)
    result = typed("self-check", "--database", str(file))
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [
        "1 games and 0 tags can be read",
        "Bots have played a round",
        "The doctor has found nothing wrong",
        "The pages are served",
    ]


def test_a_file_that_cannot_be_read_fails_the_check(tmp_path: Path) -> None:
    (tmp_path / "table.db").write_bytes(os.urandom(5000))
    result = typed("self-check", "--database", str(tmp_path / "table.db"))
    assert result.exit_code == 1
    assert "table.db" in result.output

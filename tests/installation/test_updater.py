"""Updates: a good version takes over, any other leaves the old one in place, and no game is lost on the way."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.installation import versions as versions_module
from companion.installation.errors import BadRelease, NotTrusted
from companion.installation.layout import UPDATER
from companion.installation.system_files import packaged
from companion.installation.update_ports import Health
from companion.installation.updater import HEALTHY_S, LOOK_S, PATIENCE_S, PROBATION_LOOK_S, PROBATION_S
from companion.installation.versions import Versions
from companion.storage.database import MIGRATIONS
from companion.storage.errors import DiskFull
from companion.storage.file_versions import VersionedFile
from tests.installation.makers import Maker
from tests.installation.update_machine import (
    NEW,
    OLD,
    OLDER,
    Machine,
    add_tag,
    begin_game,
    games_in,
    make_machine,
    put,
    tags_in,
)
from tools.release import pack


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    return Maker(tmp_path_factory.mktemp("keys") / "ours")


@pytest.fixture
def machine(tmp_path: Path, maker: Maker) -> Machine:
    machine = make_machine(tmp_path, maker)
    begin_game(machine.file)
    return machine


# --- A version that works --------------------------------------------------------------------------------------------


def test_a_version_that_works_takes_over_and_the_old_one_stays_to_go_back_to(machine: Machine) -> None:
    outcome = machine.updater.update(machine.release)
    assert outcome["works"]
    assert (machine.versions.current, machine.versions.previous) == (NEW, OLD)
    assert machine.steps.done == [
        f"link updater to {OLD}", "save trial",
        "stop", "copy", "go on copying", f"link previous to {OLD}", f"link current to {NEW}",
        "stop", f"set up {NEW}", f"start {NEW}",
        "network", "record", "save trial", "end trial",
    ]  # fmt: skip
    # It was watched for a while, and nothing is left lying around.
    watched_s = machine.service.now_s - machine.service.started_s
    assert watched_s == pytest.approx(HEALTHY_S + PROBATION_S, abs=LOOK_S + PROBATION_LOOK_S)
    assert not (machine.versions.folder / "incoming").exists()
    assert {file.name for file in machine.records.folder.iterdir()} == {
        "lock", "outcomes.json", f"table before {NEW}.db",
    }  # fmt: skip
    assert machine.records.outcomes == [outcome]
    assert games_in(machine.file) == 1
    assert games_in(machine.records.copy_before(NEW)) == 1


def test_an_update_brings_the_files_of_the_system_and_the_network_service(machine: Machine) -> None:
    machine.updater.update(machine.release)
    assert (machine.service.set_up_for, machine.service.network) == (NEW, NEW)
    machine.updater.roll_back()
    assert (machine.service.set_up_for, machine.service.network) == (OLD, OLD)


def test_a_version_works_for_people_before_the_watch_over_it_ends(machine: Machine) -> None:
    seen: list[tuple[bool, bool]] = []

    def look(seconds: float) -> None:
        machine.service.wait(seconds)
        trial = machine.records.trial
        assert trial is not None
        seen.append((trial.works, bool(machine.records.outcomes)))

    replace(machine.updater, wait=look).update(machine.release)
    assert set(seen) == {(False, False), (True, True)}
    assert seen.index((True, True)) == pytest.approx(HEALTHY_S / LOOK_S, abs=1)


# --- A version that does not work ------------------------------------------------------------------------------------


FAILURES: dict[str, tuple[Callable[[float], Health], str, float]] = {
    "never works": (lambda running_s: Health(False, 0), "did not work within 60 s", PATIENCE_S),
    "crashes at once": (lambda running_s: Health(False, int(running_s) + 1), "crashed 3 times", 2.0),
    "works and then crashes": (lambda running_s: Health(running_s < 5, 3 * (running_s >= 8)), "crashed 3 times", 8.0),
    "works now and then": (lambda running_s: Health(running_s % 9 < 8, 0), "did not work within 60 s", PATIENCE_S),
    "ends for good": (lambda running_s: Health(False, 0, running_s >= 4), "it ended with an error", 4.0),
    "crashes every minute": (lambda running_s: Health(True, int(running_s / 60)), "crashed 3 times", 180.0),
    "ends for good after minutes": (lambda running_s: Health(True, 0, running_s >= 100), "ended with an error", 100.0),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_version_that_does_not_work_gives_way_to_the_old_one(machine: Machine, name: str) -> None:
    machine.service.healthy, why, after_s = FAILURES[name]
    began_s = machine.service.now_s
    outcome = machine.updater.update(machine.release)
    assert not outcome["works"]
    assert why in outcome["why"]
    assert f"version {OLD} is back" in outcome["why"]
    assert machine.versions.current == OLD
    assert [step for step in machine.steps.done if step.startswith("start")] == [f"start {NEW}", f"start {OLD}"]
    assert (machine.service.set_up_for, machine.service.network) == (OLD, OLD)
    assert machine.service.now_s - began_s == pytest.approx(after_s, abs=PROBATION_LOOK_S)
    assert machine.records.outcomes[-1] == outcome
    assert [each["works"] for each in machine.records.outcomes[:-1]] == [True] * (after_s > PATIENCE_S)
    assert machine.records.trial is None


def test_a_table_may_crash_twice(machine: Machine) -> None:
    machine.service.healthy = lambda running_s: Health(True, min(2, int(running_s / 20)))
    assert machine.updater.update(machine.release)["works"]


def test_a_version_that_fails_its_own_check_is_never_started(machine: Machine) -> None:
    machine.service.judged = "The table does not start: no module named web_remote"
    outcome = machine.updater.update(machine.release)
    assert "no module named web_remote" in outcome["why"]
    assert machine.versions.current == OLD
    assert machine.steps.done == [f"delete {NEW}", "record"]


def test_a_version_whose_service_cannot_be_set_up_gives_way_to_the_old_one(machine: Machine) -> None:
    machine.service.set_up_says[NEW] = "udevadm is not installed on this machine"
    outcome = machine.updater.update(machine.release)
    assert outcome["why"] == (
        f"version {OLD} is back, because its service could not be set up: udevadm is not installed on this machine"
    )
    assert (machine.versions.current, machine.service.set_up_for, machine.service.is_running) == (OLD, OLD, True)


@pytest.mark.parametrize("fails", ["check", "trial"])
def test_a_failed_version_is_deleted_so_that_a_repaired_release_can_be_installed(machine: Machine, fails: str) -> None:
    machine.service.judged = "it is broken" if fails == "check" else ""
    machine.service.healthy = lambda running_s: Health(False, 0)
    assert not machine.updater.update(machine.release)["works"]
    assert (machine.versions.current, machine.versions.previous) == (OLD, OLDER)
    assert machine.versions.installed() == [OLDER, OLD]
    assert not machine.versions.home(NEW).exists()
    machine.service.judged = ""
    machine.service.healthy = lambda running_s: Health(True, 0)
    assert machine.updater.update(machine.release)["works"]


def test_where_there_was_nothing_to_go_back_to_a_failed_update_adds_nothing(machine: Machine) -> None:
    (machine.versions.folder / "previous").unlink()
    machine.service.healthy = lambda running_s: Health(False, 0)
    machine.updater.update(machine.release)
    with pytest.raises(BadRelease, match="no other version"):
        machine.updater.roll_back()


# --- Games -----------------------------------------------------------------------------------------------------------


def test_if_the_new_version_changed_the_file_the_old_one_gets_its_own_back_and_both_are_kept(machine: Machine) -> None:
    def change_file(version: str) -> None:
        if version == NEW:
            with closing(sqlite3.connect(machine.file)) as file:
                file.execute("PRAGMA user_version = 99")

    machine.service.on_start = change_file
    machine.service.healthy = lambda running_s: Health(False, 0)
    outcome = machine.updater.update(machine.release)
    assert games_in(machine.file) == 1
    (kept,) = machine.file.parent.glob("table*before*.db")
    assert VersionedFile(machine.file).version(kept) == 99
    assert outcome["kept_as"] == str(kept)


def test_moves_made_while_the_new_version_is_installed_and_checked_come_back_too(machine: Machine) -> None:
    """The copy for going back is made when the old table has stopped."""
    machine.service.migrations[OLD] = len(MIGRATIONS) - 1
    machine.file.unlink()
    add_tag(machine.file, "before", len(MIGRATIONS) - 1)
    machine.service.on_stop = lambda: add_tag(machine.file, "last move", machine.service.migrations[OLD])
    machine.service.on_start = lambda version: setattr(machine.service, "on_stop", lambda: None)
    machine.service.healthy = lambda running_s: Health(False, 0)
    machine.updater.update(machine.release)
    assert machine.tags() == {"before", "last move"}


def test_a_file_that_did_not_change_keeps_the_moves_made_with_the_new_version(machine: Machine) -> None:
    machine.service.on_start = lambda version: begin_game(machine.file) if version == NEW else None
    machine.service.healthy = lambda running_s: Health(False, 0)
    outcome = machine.updater.update(machine.release)
    assert games_in(machine.file) == 2
    assert outcome["kept_as"] == ""


def test_a_table_that_was_never_played_on_can_be_updated(machine: Machine) -> None:
    machine.file.unlink()
    assert machine.updater.update(machine.release)["works"]


def test_root_follows_no_link_that_the_tables_user_has_planted(machine: Machine, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("judged", f"table before {NEW}.db"):
        (machine.file.parent / name).symlink_to(elsewhere / ("" if name == "judged" else "file"))
    assert machine.updater.update(machine.release)["works"]
    assert list(elsewhere.iterdir()) == []


# --- Going back ------------------------------------------------------------------------------------------------------


def test_rolling_back_goes_to_the_version_before_and_again_to_the_one_after(machine: Machine) -> None:
    machine.updater.update(machine.release)
    machine.service.on_trial = OLD
    assert machine.updater.roll_back()["works"]
    assert (machine.versions.current, machine.versions.previous) == (OLD, NEW)
    assert machine.updater.roll_back()["works"]
    assert machine.versions.current == NEW


def test_a_failed_rollback_leaves_everything_as_it_was(machine: Machine) -> None:
    machine.updater.update(machine.release)
    machine.service.on_trial = OLD
    machine.service.healthy = lambda running_s: Health(False, 0)
    assert f"version {NEW} is back" in machine.updater.roll_back()["why"]
    assert (machine.versions.current, machine.versions.previous) == (NEW, OLD)
    assert OLD in machine.versions.installed()


@pytest.fixture
def migrated(machine: Machine) -> Machine:
    """A machine whose new version has changed the file, and was played with."""
    machine.service.migrations |= dict.fromkeys((OLDER, OLD), len(MIGRATIONS) - 1)
    machine.file.unlink()
    add_tag(machine.file, "old", len(MIGRATIONS) - 1)
    assert machine.updater.update(machine.release)["works"]
    add_tag(machine.file, "new")
    machine.service.on_trial = OLD
    return machine


def test_a_version_that_cannot_read_the_file_gets_the_games_from_before_and_the_rest_is_kept(
    migrated: Machine,
) -> None:
    said: list[str] = []
    outcome = replace(migrated.updater, say=said.append).roll_back()
    assert outcome["works"]
    assert migrated.versions.current == OLD
    assert migrated.tags() == {"old"}
    assert tags_in(Path(outcome["kept_as"])) == {"old", "new"}
    assert any(f"as they were before version {NEW}; what was played since then is kept" in line for line in said)
    # The new version brings the older games up to date; the others can be restored.
    assert migrated.updater.roll_back()["works"]
    assert migrated.tags() == {"old"}


def test_if_going_back_fails_the_games_of_the_newer_version_are_there_again(migrated: Machine) -> None:
    migrated.service.on_start = lambda version: add_tag(
        migrated.file, version, migrated.service.migrations.get(version)
    )
    migrated.service.healthy = lambda running_s: Health(False, 0)
    outcome = migrated.updater.roll_back()
    assert not outcome["works"]
    assert migrated.versions.current == NEW
    assert migrated.tags() == {"old", "new", NEW}
    assert tags_in(Path(outcome["kept_as"])) == {"old", OLD}


def test_without_a_copy_from_before_a_version_that_cannot_read_the_file_is_refused(migrated: Machine) -> None:
    migrated.records.copy_before(NEW).unlink()
    outcome = migrated.updater.roll_back()
    assert "written by a newer version of this program" in outcome["why"]
    assert (migrated.versions.current, migrated.versions.previous) == (NEW, OLD)
    assert migrated.tags() == {"old", "new"}


def test_a_rollback_ends_the_watch_over_a_version_that_works_so_far(machine: Machine) -> None:
    class Stopped(BaseException):
        """Somebody has stopped the unit that watches."""

    def stop_watching(seconds: float) -> None:
        machine.service.wait(seconds)
        if seconds == PROBATION_LOOK_S:
            raise Stopped

    with pytest.raises(Stopped):
        replace(machine.updater, wait=stop_watching).update(machine.release)
    assert machine.updater.roll_back()["works"]
    assert (machine.versions.current, machine.versions.previous) == (OLD, NEW)
    assert machine.records.trial is None


# --- What is refused -------------------------------------------------------------------------------------------------


def test_nothing_begins_while_another_version_is_installed_or_tried(machine: Machine) -> None:
    with machine.records.one_update(), pytest.raises(BadRelease, match="tried right now"):
        machine.updater.update(machine.release)


def test_while_a_version_is_watched_an_update_says_how_to_go_back_instead(machine: Machine) -> None:
    refused: list[str] = []

    def try_another(seconds: float) -> None:
        machine.service.wait(seconds)
        if seconds == PROBATION_LOOK_S and not refused:
            with pytest.raises(BadRelease) as problem:
                machine.updater.update(machine.release)
            refused.append(str(problem.value))

    assert replace(machine.updater, wait=try_another).update(machine.release)["works"]
    assert refused[0].startswith(f"Version {NEW} works so far and is still being watched.")
    assert "sudo companion rollback" in refused[0]


@pytest.mark.parametrize(
    ("version", "why"),
    [(OLD, "is running already"), ("0.0.9", "is older than 0.1.0"), ("0.1", "is older than 0.1.0")],
)
def test_the_same_and_older_versions_are_refused(
    machine: Machine, maker: Maker, tmp_path: Path, version: str, why: str
) -> None:
    pack(maker.signed(tmp_path / "other", version).folder, tmp_path / "other.tar", 0)
    with pytest.raises(BadRelease, match=why):
        machine.updater.update(tmp_path / "other.tar")
    assert (machine.versions.installed(), machine.steps.done) == ([OLDER, OLD], [])


def test_a_release_that_cannot_be_installed_is_refused_with_the_reason(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine.service, "install", lambda release: "a file is damaged or incomplete")
    with pytest.raises(BadRelease, match=r"could not be installed: a file is damaged or incomplete\.$"):
        machine.updater.update(machine.release)


def test_a_release_of_a_stranger_is_not_even_installed(machine: Machine, tmp_path: Path) -> None:
    stranger = Maker(tmp_path / "stranger")
    with pytest.raises(NotTrusted):
        replace(machine.updater, keys=[stranger.public]).update(machine.release)
    assert machine.versions.installed() == [OLDER, OLD]
    assert not (machine.versions.folder / "incoming").exists()


def test_a_table_that_was_not_installed_cannot_be_updated(machine: Machine) -> None:
    (machine.versions.folder / "current").unlink()
    with pytest.raises(BadRelease, match=r"not installed by install\.sh"):
        machine.updater.update(machine.release)


# --- Versions side by side -------------------------------------------------------------------------------------------


def test_old_versions_are_deleted_but_never_the_current_one_or_the_one_before(tmp_path: Path) -> None:
    versions = Versions(tmp_path)
    for number in range(5):
        put(versions, f"0.{number}.0")
    versions.switch("0.0.0")
    versions.switch("0.1.0")
    assert versions.prune() == ["0.2.0", "0.3.0"]
    assert versions.installed() == ["0.0.0", "0.1.0", "0.4.0"]


def test_the_version_that_runs_cannot_be_deleted(tmp_path: Path) -> None:
    versions = Versions(tmp_path)
    put(versions, OLD)
    versions.switch(OLD)
    with pytest.raises(ValueError, match="is in use"):
        versions.delete(OLD)
    assert versions.installed() == [OLD]


def test_a_version_that_was_not_installed_whole_does_not_count(tmp_path: Path) -> None:
    versions = Versions(tmp_path)
    versions.home("0.1.0").mkdir(parents=True)
    assert versions.installed() == []
    assert versions.current is None


def test_a_switch_is_on_disk_when_it_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str | None] = []
    versions = Versions(tmp_path)
    put(versions, OLD)
    monkeypatch.setattr(versions_module, "sync_folder", lambda folder: synced.append(versions.current))
    versions.switch(OLD)
    assert synced == [OLD]


def test_after_a_power_cut_the_version_from_before_judges_the_one_on_trial(machine: Machine) -> None:
    def look(version: str) -> None:
        if version == NEW:
            assert (machine.versions.folder / "updater").resolve() == machine.versions.home(OLD).resolve()

    machine.service.on_start = look
    assert machine.updater.update(machine.release)["works"]
    assert f"\nExecStart={UPDATER}/bin/companion update --resume\n" in packaged("el-grande-update.service")


# --- Steps that fail -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (f"link updater to {OLD}", "it was not switched to, because Input/output error"),
        ("stop", "it was not switched to, because Input/output error"),
        ("copy", "it was not switched to, because Input/output error"),
        (f"link current to {NEW}", "it was not switched to, because Input/output error"),
        (f"set up {NEW}", f"version {OLD} is back, because Input/output error"),
        (f"start {NEW}", f"version {OLD} is back, because Input/output error"),
    ],
)
def test_whatever_fails_on_the_way_the_old_version_runs_and_the_reason_is_recorded(
    machine: Machine, step: str, why: str
) -> None:
    machine.steps.failing[step] = OSError(5, "Input/output error")
    outcome = machine.updater.update(machine.release)
    assert outcome["why"].startswith(why)
    assert (machine.versions.current, machine.service.is_running) == (OLD, True)
    assert machine.records.outcomes == [outcome]
    assert machine.records.trial is None


@pytest.mark.parametrize("step", ["stop", "put back", f"link current to {OLD}", f"set up {OLD}", "network"])
def test_whatever_fails_on_the_way_back_the_table_runs_and_the_outcome_is_recorded(machine: Machine, step: str) -> None:
    machine.service.migrations[OLD] = len(MIGRATIONS) - 1
    machine.file.unlink()
    add_tag(machine.file, "old", len(MIGRATIONS) - 1)

    def fail_from_now_on(running_s: float) -> Health:
        machine.steps.failing[step] = DiskFull(machine.file)
        return Health(False, 0)

    machine.service.healthy = fail_from_now_on
    outcome = machine.updater.update(machine.release)
    assert machine.service.is_running
    assert machine.steps.done[-2:] == ["record", "end trial"]
    assert outcome["why"].startswith(f"version {OLD} is back, because it did not work within 60 s; There is no room")
    assert machine.versions.installed() == [OLDER, OLD] + [NEW] * (step == f"link current to {OLD}")

"""Updates: a good version takes over, any other leaves the old one in place, and no game is lost on the way."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from companion.engine import Game
from companion.installation.errors import BadRelease, NotTrusted
from companion.installation.updater import HEALTHY_S, LOOK_S, PATIENCE_S, Health, Updater
from companion.installation.versions import COMPLETE, Versions
from companion.storage.database import open_database
from companion.storage.file_versions import VersionedFile
from companion.storage.journal import Journal
from tests.installation.makers import Maker
from tools.release import pack

OLD, NEW = "0.1.0", "0.2.0"


class PowerCut(Exception):
    """The machine has stopped."""


@dataclass
class Service:
    """A table that behaves as a test wants it to. Looks at its health take no time, waiting does."""

    versions: Versions
    healthy: Callable[[float], Health] = lambda running_s: Health(True, 0)
    """How the new version is, some seconds after it was started; the old one always works."""
    judged: str = ""
    now_s: float = 1000.0
    started_s: float = 0.0
    log: list[str] = field(default_factory=list)
    on_start: Callable[[str], None] = lambda version: None

    def stop(self) -> None:
        self.log.append("stop")

    def restart(self) -> None:
        version = str(self.versions.current)
        self.log.append(f"start {version}")
        self.started_s = self.now_s
        self.on_start(version)

    def health(self) -> Health:
        return self.healthy(self.now_s - self.started_s) if self.versions.current == NEW else Health(True, 0)

    def judge(self, program: Path, database: Path) -> str:
        assert program == self.versions.program(self.versions.installed()[-1]) or self.versions.current == NEW
        assert database.exists()
        return self.judged

    def install(self, release: Path) -> str:
        put(self.versions, (release / "VERSION").read_text().strip())
        return ""

    def wait(self, seconds: float) -> None:
        self.now_s += seconds


def put(versions: Versions, version: str) -> None:
    """Installs a version, as install.sh would."""
    (versions.home(version) / "bin").mkdir(parents=True)
    (versions.home(version) / COMPLETE).touch()


@dataclass
class Machine:
    """A machine with an old version, and a release of a newer one."""

    updater: Updater
    service: Service
    versions: Versions
    release: Path
    file: Path


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    return Maker(tmp_path_factory.mktemp("keys") / "ours")


@pytest.fixture
def machine(tmp_path: Path, maker: Maker) -> Machine:
    versions = Versions(tmp_path / "opt")
    put(versions, OLD)
    versions.switch(OLD)
    data = tmp_path / "data"
    data.mkdir()
    with open_database(data / "table.db") as database:
        Journal(database).begin(Game(("red", "blue")), {}, 7)
    service = Service(versions)
    updater = Updater(
        service, VersionedFile(data / "table.db"), versions, data, tmp_path / "state", [maker.public],
        say=lambda words: None, clock=lambda: service.now_s, wait=service.wait,
    )  # fmt: skip
    archive = tmp_path / "release.tar"
    pack(maker.signed(tmp_path / f"el-grande-table-{NEW}", NEW).folder, archive, 0)
    return Machine(updater, service, versions, archive, data / "table.db")


def games_in(file: Path) -> int:
    with open_database(file) as database:
        return len(Journal(database).games())


def test_a_version_that_works_takes_over_and_the_old_one_stays_to_go_back_to(machine: Machine) -> None:
    outcome = machine.updater.update(machine.release)
    assert outcome["works"]
    assert (machine.versions.current, machine.versions.previous) == (NEW, OLD)
    assert machine.service.log == [f"start {NEW}"]
    # It was watched for a while, and nothing is left lying around.
    assert machine.service.now_s - machine.service.started_s == pytest.approx(HEALTHY_S, abs=LOOK_S)
    assert not (machine.versions.folder / "incoming").exists()
    assert not (machine.updater.state / "trial.json").exists()
    assert machine.updater.outcomes() == [outcome]
    assert games_in(machine.file) == 1
    assert games_in(machine.updater.state / f"table before {NEW}.db") == 1


FAILURES: dict[str, tuple[Callable[[float], Health], str, float]] = {
    "never works": (lambda running_s: Health(False, 0), "did not work within 60 s", PATIENCE_S),
    "crashes at once": (lambda running_s: Health(False, int(running_s) + 1), "crashed 3 times", 2.0),
    "works and then crashes": (lambda running_s: Health(running_s < 5, 3 * (running_s >= 8)), "crashed 3 times", 8.0),
    "works now and then": (lambda running_s: Health(running_s % 9 < 8, 0), "did not work within 60 s", PATIENCE_S),
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
    assert machine.service.log == [f"start {NEW}", f"start {OLD}"]
    assert machine.service.now_s - began_s == pytest.approx(after_s, abs=LOOK_S)
    assert machine.updater.outcomes() == [outcome]


def test_a_version_that_fails_its_own_check_is_never_started(machine: Machine) -> None:
    machine.service.judged = "The table does not start: no module named web_remote"
    outcome = machine.updater.update(machine.release)
    assert "no module named web_remote" in outcome["why"]
    assert (machine.versions.current, machine.service.log) == (OLD, [])


def test_if_the_new_version_changed_the_file_the_old_one_gets_its_own_back_and_both_are_kept(machine: Machine) -> None:
    def change_file(version: str) -> None:
        if version == NEW:
            with closing(sqlite3.connect(machine.file)) as file:
                file.execute("PRAGMA user_version = 99")

    machine.service.on_start = change_file
    machine.service.healthy = lambda running_s: Health(False, 0)
    machine.updater.update(machine.release)
    assert machine.service.log == [f"start {NEW}", "stop", f"start {OLD}"]
    assert games_in(machine.file) == 1
    kept = list(machine.file.parent.glob("table*before*.db"))
    assert [VersionedFile(machine.file).version(file) for file in kept] == [99]


def test_a_file_that_did_not_change_keeps_the_moves_made_with_the_new_version(machine: Machine) -> None:
    def play(version: str) -> None:
        if version == NEW:
            with open_database(machine.file) as database:
                Journal(database).begin(Game(("red", "blue")), {}, 8)

    machine.service.on_start = play
    machine.service.healthy = lambda running_s: Health(False, 0)
    machine.updater.update(machine.release)
    assert games_in(machine.file) == 2


@pytest.mark.parametrize("works", [True, False])
def test_a_power_cut_in_the_middle_of_a_trial_is_survived(machine: Machine, works: bool) -> None:
    def cut(version: str) -> None:
        machine.service.on_start = lambda version: None
        raise PowerCut

    machine.service.on_start = cut
    machine.service.healthy = lambda running_s: Health(works, 0)
    with pytest.raises(PowerCut):
        machine.updater.update(machine.release)
    assert machine.versions.current == NEW
    # The machine starts again: the service by itself, and then the unit that goes on with the update.
    machine.service.started_s = machine.service.now_s
    outcome = replace(machine.updater).resume()
    assert outcome is not None
    assert outcome["works"] is works
    assert machine.versions.current == (NEW if works else OLD)
    assert replace(machine.updater).resume() is None


def test_nothing_begins_while_another_version_is_on_trial(machine: Machine) -> None:
    machine.updater.state.mkdir()
    (machine.updater.state / "trial.json").write_text('{"version": "0.2.0", "before": "0.1.0", "copy": ""}')
    with pytest.raises(BadRelease, match="being tried right now"):
        machine.updater.update(machine.release)


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
    assert (machine.versions.installed(), machine.service.log) == ([OLD], [])


def test_a_release_of_a_stranger_is_not_even_installed(machine: Machine, tmp_path: Path) -> None:
    stranger = Maker(tmp_path / "stranger")
    with pytest.raises(NotTrusted):
        replace(machine.updater, keys=[stranger.public]).update(machine.release)
    assert machine.versions.installed() == [OLD]
    assert not (machine.versions.folder / "incoming").exists()


def test_root_follows_no_link_that_the_tables_user_has_planted(machine: Machine, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("judged", f"table before {NEW}.db"):
        (machine.file.parent / name).symlink_to(elsewhere / ("" if name == "judged" else "file"))
    assert machine.updater.update(machine.release)["works"]
    assert list(elsewhere.iterdir()) == []


def test_rolling_back_goes_to_the_version_before_and_again_to_the_one_after(machine: Machine) -> None:
    with pytest.raises(BadRelease, match="no other version"):
        machine.updater.roll_back()
    machine.updater.update(machine.release)
    assert machine.updater.roll_back()["works"]
    assert (machine.versions.current, machine.versions.previous) == (OLD, NEW)
    assert machine.updater.roll_back()["works"]
    assert machine.versions.current == NEW


def test_old_versions_are_deleted_but_never_the_current_one_or_the_one_before(tmp_path: Path) -> None:
    versions = Versions(tmp_path)
    for number in range(5):
        put(versions, f"0.{number}.0")
    versions.switch("0.0.0")
    versions.switch("0.1.0")
    assert versions.prune() == ["0.2.0", "0.3.0"]
    assert versions.installed() == ["0.0.0", "0.1.0", "0.4.0"]


def test_a_version_that_was_not_installed_whole_does_not_count(tmp_path: Path) -> None:
    versions = Versions(tmp_path)
    versions.home("0.1.0").mkdir(parents=True)
    assert versions.installed() == []
    assert versions.current is None


def test_a_table_that_was_not_installed_cannot_be_updated(machine: Machine) -> None:
    (machine.versions.folder / "current").unlink()
    with pytest.raises(BadRelease, match=r"not installed by install\.sh"):
        machine.updater.update(machine.release)

"""Power cuts during updates: whatever the step, the machine ends up with a version that works.

What the outcome says is true, no game is lost, and the files of the system belong to the version that runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.installation.update_ports import Health
from companion.installation.update_records import Trial
from companion.installation.updater import PROBATION_LOOK_S
from companion.storage.database import MIGRATIONS
from tests.installation.makers import Maker
from tests.installation.update_machine import (
    NEW,
    OLD,
    OLDER,
    Machine,
    add_tag,
    make_machine,
    put,
    release_of,
    tags_in,
)

OLD_KNOWS = len(MIGRATIONS) - 1
"""How many migrations of the file the old versions know: the new one knows one more."""
WORKS = pytest.mark.parametrize("works", [True, False], ids=["works", "fails"])


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    return Maker(tmp_path_factory.mktemp("keys") / "ours")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory, where there is one: these machines wait for their disk hundreds of times."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with TemporaryDirectory(dir=memory) as name:
        yield Path(name)


def machine_before(folder: Path, maker: Maker, works: bool) -> Machine:
    """Returns a machine before an update that changes the file."""
    folder.mkdir(parents=True)
    machine = make_machine(folder, maker)
    service = machine.service
    service.migrations |= dict.fromkeys((OLDER, OLD), OLD_KNOWS)
    service.healthy = lambda running_s: Health(works, 0)
    add_tag(machine.file, "before", OLD_KNOWS)
    service.on_start = lambda version: add_tag(machine.file, version, service.migrations.get(version))
    return machine


def machine_after(folder: Path, maker: Maker, works: bool) -> Machine:
    """Returns a machine after an update that has changed the file, with a game since then."""
    machine = machine_before(folder, maker, works=True)
    assert machine.updater.update(machine.release)["works"]
    add_tag(machine.file, "since")
    machine.service.on_trial = OLD
    machine.service.healthy = lambda running_s: Health(works, 0)
    return machine


def check_update(machine: Machine, works: bool, switched: bool) -> None:
    assert machine.records.trial is None
    assert machine.service.is_running
    current = machine.versions.current
    assert machine.service.set_up_for == machine.service.network == current
    assert "before" in machine.tags()
    outcomes = machine.records.outcomes
    if current == NEW:
        assert works
        assert outcomes[-1]["works"]
        assert machine.versions.previous == OLD
        return
    assert current == OLD
    assert machine.versions.previous == OLDER
    assert not works or not switched
    if outcomes:
        reason = "it did not work within 60 s" if switched and not works else "the update was interrupted"
        result = f"version {OLD} is back" if switched else "it was not switched to"
        assert outcomes[-1]["why"] == f"{result}, because {reason}"
        assert (NEW in machine.versions.installed()) is not switched


def check_rollback(machine: Machine, works: bool, switched: bool) -> None:
    assert machine.records.trial is None
    assert machine.service.is_running
    current = machine.versions.current
    assert machine.service.set_up_for == machine.service.network == current
    assert set(machine.versions.installed()) >= {OLD, NEW}
    outcome = machine.records.outcomes[-1]
    if current == OLD:
        assert works
        assert outcome["works"]
        assert machine.versions.previous == NEW
        assert machine.tags() == {"before", OLD}
        assert tags_in(Path(outcome["kept_as"])) >= {"before", "since"}
        return
    assert current == NEW
    assert machine.versions.previous == OLD
    assert not works or not switched
    assert machine.tags() >= {"before", "since"}


@WORKS
def test_at_whatever_step_of_an_update_the_power_fails_it_ends_well(folder: Path, maker: Maker, works: bool) -> None:
    for step in count():
        machine = machine_before(folder / str(step), maker, works)
        was_cut = machine.cut_power_at(step, partial(machine.updater.update, machine.release))
        switched = f"link current to {NEW}" in machine.steps.done
        machine.updater.resume()
        check_update(machine, works, switched)
        assert machine.updater.resume() is None
        if not was_cut:
            break
    assert step > 12


@WORKS
def test_at_whatever_step_of_a_rollback_the_power_fails_it_ends_well(folder: Path, maker: Maker, works: bool) -> None:
    for step in count():
        machine = machine_after(folder / str(step), maker, works)
        was_cut = machine.cut_power_at(step, machine.updater.roll_back)
        switched = f"link current to {OLD}" in machine.steps.done
        machine.updater.resume()
        check_rollback(machine, works, switched)
        assert machine.updater.resume() is None
        if not was_cut:
            break
    assert step > 12


@pytest.mark.slow
@WORKS
@pytest.mark.parametrize("kind", ["update", "rollback"])
def test_the_power_may_fail_again_while_an_update_goes_on(folder: Path, maker: Maker, works: bool, kind: str) -> None:
    """Every pair of steps passes; a part of them is tried here, to save time."""
    make, check, new = {
        "update": (machine_before, check_update, NEW),
        "rollback": (machine_after, check_rollback, OLD),
    }[kind]
    for first in count(1, 3):
        was_cut_first = True
        for second in count(first % 2, 4):
            machine = make(folder / f"{first} {second}", maker, works)
            do = partial(machine.updater.update, machine.release) if kind == "update" else machine.updater.roll_back
            was_cut_first = machine.cut_power_at(first, do)
            switched = f"link current to {new}" in machine.steps.done
            was_cut_again = machine.cut_power_at(second, machine.updater.resume)
            machine.updater.resume()
            check(machine, works, switched)
            if not was_cut_again:
                break
        if not was_cut_first:
            break


@WORKS
def test_a_power_cut_while_a_version_is_watched_does_not_end_the_watch(folder: Path, maker: Maker, works: bool) -> None:
    machine = machine_before(folder / "machine", maker, works=True)
    machine.cut_power_at(step_of(machine, folder, maker, "end trial"), lambda: machine.updater.update(machine.release))
    trial = machine.records.trial
    assert trial is not None
    assert trial.works
    machine.service.healthy = lambda running_s: Health(True, 0 if works else int(running_s / 60))
    outcome = machine.updater.resume()
    assert outcome is not None
    assert outcome["works"] is works
    assert machine.versions.current == (NEW if works else OLD)


def test_a_trial_that_nobody_watches_any_more_is_finished_before_the_next_update(folder: Path, maker: Maker) -> None:
    """As after the unit was killed: the machine need not be restarted."""
    machine = machine_before(folder / "machine", maker, works=False)
    machine.cut_power_at(
        step_of(machine, folder, maker, f"start {NEW}") + 1, lambda: machine.updater.update(machine.release)
    )
    assert machine.versions.current == NEW
    next_one = "0.3.0"
    outcome = machine.updater.update(release_of(maker, next_one))
    assert (outcome["works"], outcome["before"]) == (True, OLD)
    assert [(each["version"], each["works"]) for each in machine.records.outcomes] == [(NEW, False), (next_one, True)]
    assert machine.versions.current == next_one


def test_a_rollback_finishes_the_way_back_that_was_interrupted_and_goes_no_further(folder: Path, maker: Maker) -> None:
    machine = machine_before(folder / "machine", maker, works=False)
    machine.cut_power_at(
        step_of(machine, folder, maker, f"start {NEW}") + 1, lambda: machine.updater.update(machine.release)
    )
    assert f"version {OLD} is back" in machine.updater.roll_back()["why"]
    assert machine.versions.current == OLD


def test_what_was_installed_by_hand_meanwhile_stays(folder: Path, maker: Maker) -> None:
    machine = machine_before(folder / "machine", maker, works=True)
    machine.cut_power_at(
        step_of(machine, folder, maker, f"start {NEW}") + 1, lambda: machine.updater.update(machine.release)
    )
    put(machine.versions, "0.3.0")
    machine.versions.switch("0.3.0")
    outcome = machine.updater.resume()
    assert outcome is not None
    assert outcome["why"] == "version 0.3.0 was installed instead"
    assert machine.versions.current == "0.3.0"
    assert machine.records.trial is None


def test_what_is_installed_by_hand_while_a_version_is_watched_stays(folder: Path, maker: Maker) -> None:
    machine = machine_before(folder / "machine", maker, works=True)
    put(machine.versions, "0.3.0")

    def install(seconds: float) -> None:
        machine.service.wait(seconds)
        if seconds == PROBATION_LOOK_S:
            machine.versions.switch("0.3.0")
            machine.service.healthy = lambda running_s: Health(False, 3)
            machine.service.on_trial = "0.3.0"

    replace(machine.updater, wait=install).update(machine.release)
    assert machine.versions.current == "0.3.0"


def test_what_another_version_has_written_down_is_understood(folder: Path, maker: Maker) -> None:
    """Versions before and after ours know fewer and more about a trial."""
    machine = machine_before(folder / "machine", maker, works=True)
    machine.records.folder.mkdir()
    (machine.records.folder / "trial.json").write_text(
        f'{{"version": "{NEW}", "before": "{OLD}", "copy": "", "unheard_of": 1}}'
    )
    assert machine.records.trial == Trial(NEW, OLD, "")
    outcome = machine.updater.resume()
    assert outcome is not None
    assert "it was not switched to, because the update was interrupted" in outcome["why"]


def test_a_damaged_record_is_taken_for_none(folder: Path, maker: Maker) -> None:
    machine = machine_before(folder / "machine", maker, works=True)
    machine.records.folder.mkdir()
    (machine.records.folder / "trial.json").write_text("{")
    (machine.records.folder / "outcomes.json").write_text("")
    assert (machine.updater.resume(), machine.records.outcomes) == (None, [])


def step_of(machine: Machine, folder: Path, maker: Maker, name: str) -> int:
    """Returns the number of a step, from an update of another machine."""
    other = machine_before(folder / f"for {name}", maker, works=machine.service.healthy(0.0).works)
    other.updater.update(other.release)
    return other.steps.done.index(name)

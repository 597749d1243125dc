"""A machine to update: real folders, links, games and releases, and a table that behaves as a test wants it to."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from companion.engine import Game
from companion.installation.update_ports import Health
from companion.installation.update_records import Trial, UpdateOutcome, UpdateRecords
from companion.installation.updater import Updater
from companion.installation.versions import COMPLETE, Versions
from companion.storage.database import MIGRATIONS, open_database
from companion.storage.errors import NewerFile
from companion.storage.file_versions import VersionedFile
from companion.storage.journal import Journal
from tests.installation.makers import Maker
from tools.release import pack

OLDER, OLD, NEW = "0.0.9", "0.1.0", "0.2.0"


class PowerCut(BaseException):
    """The machine has stopped."""


@dataclass
class Steps:
    """Everything an update does to the machine, in order. At any step the power may fail, or the step itself."""

    cut_at: int | None = None
    """The number of the step at which the power fails."""
    failing: dict[str, Exception] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)

    def __call__(self, name: str) -> None:
        if len(self.done) == self.cut_at:
            self.cut_at = None
            raise PowerCut(name)
        self.done.append(name)
        if name in self.failing:
            raise self.failing[name]


@dataclass(frozen=True)
class StepVersions(Versions):
    """Versions whose links are steps."""

    steps: Steps = field(default_factory=Steps)

    def _link(self, name: str, version: str) -> None:
        self.steps(f"link {name} to {version}")
        super()._link(name, version)

    def delete(self, version: str) -> None:
        self.steps(f"delete {version}")
        super().delete(version)


@dataclass(frozen=True)
class StepRecords(UpdateRecords):
    """Records whose changes are steps."""

    steps: Steps = field(default_factory=Steps)

    def save_trial(self, trial: Trial) -> None:
        self.steps("save trial")
        super().save_trial(trial)

    def end_trial(self) -> None:
        self.steps("end trial")
        super().end_trial()

    def add_outcome(self, outcome: UpdateOutcome) -> None:
        self.steps("record")
        super().add_outcome(outcome)


@dataclass(frozen=True)
class StepFile(VersionedFile):
    """The file of the games. Copies for going back, and putting them back, are steps of a table that has stopped."""

    service: Service
    steps: Steps

    def copy(self, to: Path) -> None:
        if to.parent.name != "judged":
            self.steps("copy")
            assert not self.service.is_running
            to.touch()
            self.steps("go on copying")
        super().copy(to)

    def put_back(self, copy: Path) -> Path | None:
        self.steps("put back")
        assert not self.service.is_running
        kept_as = super().put_back(copy)
        self.steps("games are back")
        return kept_as


@dataclass
class Service:
    """A table that behaves as a test wants it to. Looks at its health take no time, waiting does.

    Each version opens the real file when it starts, and brings it up to date as far as it knows how to.
    """

    versions: Versions
    file: Path
    steps: Steps
    healthy: Callable[[float], Health] = lambda running_s: Health(True, 0)
    """How the version on trial is, some seconds after it was started; all others work."""
    on_trial: str = NEW
    migrations: dict[str, int] = field(default_factory=dict)
    """How many migrations of the file a version knows, if not all."""
    judged: str = ""
    """What is wrong with the version that checks itself."""
    set_up_says: dict[str, str] = field(default_factory=dict)
    """What goes wrong when a version is set up."""
    is_running: bool = True
    can_read: bool = True
    now_s: float = 1000.0
    started_s: float = 0.0
    set_up_for: str = OLD
    """The version that has written the files of the system."""
    network: str = OLD
    """The version that the network service runs."""
    on_start: Callable[[str], None] = lambda version: None
    on_stop: Callable[[], None] = lambda: None

    def stop(self) -> None:
        self.steps("stop")
        if self.is_running:
            self.on_stop()
        self.is_running = False

    def start(self) -> None:
        version = str(self.versions.current)
        self.steps(f"start {version}")
        self.boot()

    def boot(self) -> None:
        """Starts the current version, as the machine does when it starts."""
        version = str(self.versions.current)
        self.is_running, self.started_s = True, self.now_s
        try:
            open_database(self.file, migrations=MIGRATIONS[: self.migrations.get(version)]).close()
            self.can_read = True
        except NewerFile:
            self.can_read = False
        if self.can_read:
            self.on_start(version)

    def health(self) -> Health:
        running_s = self.now_s - self.started_s
        if not self.can_read:
            return Health(False, int(running_s))
        return self.healthy(running_s) if self.versions.current == self.on_trial else Health(True, 0)

    def set_up(self, program: Path) -> str:
        version = program.parents[1].name
        self.steps(f"set up {version}")
        self.set_up_for = version
        return self.set_up_says.get(version, "")

    def restart_network(self) -> None:
        self.steps("network")
        self.network = str(self.versions.current)

    def judge(self, program: Path, database: Path) -> str:
        assert program.parent.is_dir()
        version = program.parents[1].name
        try:
            open_database(database, migrations=MIGRATIONS[: self.migrations.get(version)]).close()
        except NewerFile as error:
            return str(error)
        return self.judged

    def install(self, release: Path) -> str:
        put(self.versions, (release / "VERSION").read_text().strip())
        return ""

    def wait(self, seconds: float) -> None:
        self.now_s += seconds


def put(versions: Versions, version: str) -> None:
    """Installs a version, as install.sh would: nothing is done if it is there already."""
    if version not in versions.installed():
        (versions.home(version) / "bin").mkdir(parents=True)
        (versions.home(version) / COMPLETE).touch()


@dataclass
class Machine:
    """A machine with an old version, an older one to go back to, and a release of a newer one."""

    updater: Updater
    service: Service
    versions: Versions
    records: UpdateRecords
    steps: Steps
    release: Path
    file: Path

    def cut_power_at(self, step: int | None, do: Callable[[], object]) -> bool:
        """Does something, and cuts the power at a step. The machine starts again. Returns whether it came that far."""
        self.steps.done.clear()
        self.steps.cut_at = step
        came_so_far = False
        try:
            do()
        except PowerCut:
            came_so_far = True
            self.service.boot()
            self.service.network = str(self.versions.current)
        self.steps.cut_at = None
        return came_so_far

    def tags(self) -> set[str]:
        """The tags in the file, which the running version can read."""
        assert self.service.can_read
        return tags_in(self.file)


def make_machine(folder: Path, maker: Maker) -> Machine:
    """Makes a machine in an empty folder."""
    steps = Steps()
    versions = StepVersions(folder / "opt", steps)
    for version in (OLDER, OLD):
        put(versions, version)
        versions.switch(version)
    file = folder / "data" / "table.db"
    file.parent.mkdir()
    service = Service(versions, file, steps)
    records = StepRecords(folder / "state", steps)
    updater = Updater(
        service, StepFile(file, service, steps), versions, file.parent, records, [maker.public],
        say=lambda words: None, clock=lambda: service.now_s, wait=service.wait,
    )  # fmt: skip
    steps.done.clear()
    return Machine(updater, service, versions, records, steps, release_of(maker, NEW), file)


def release_of(maker: Maker, version: str) -> Path:
    """Returns a signed release, which is made once."""
    archive = maker.private.with_name(f"{version}.tar")
    if not archive.exists():
        pack(maker.signed(archive.with_suffix(""), version).folder, archive, 0)
    return archive


def begin_game(file: Path) -> None:
    """Begins a game in a file that every version can read."""
    with open_database(file) as database:
        Journal(database).begin(Game(("red", "blue")), {}, 7)


def games_in(file: Path) -> int:
    """Returns the number of games in a file."""
    with open_database(file) as database:
        return len(Journal(database).games())


def add_tag(file: Path, tag: str, migrations: int | None = None) -> None:
    """Writes something that every version of the file has a place for."""
    with open_database(file, migrations=MIGRATIONS[:migrations]) as database:
        database.execute("INSERT OR IGNORE INTO tags VALUES (?, ?)", (tag, "king"))


def tags_in(file: Path) -> set[str]:
    """Returns what was written into a file, of whatever version it is."""
    with closing(sqlite3.connect(file)) as opened:
        return {tag for (tag,) in opened.execute("SELECT tag FROM tags")}

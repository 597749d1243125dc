"""Updates: another version is installed beside the running one, judged on a copy, tried, and taken back if it fails.

Everything runs as root, in a unit of its own. The table's user cannot write where programs are.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypedDict, cast

from companion.installation.errors import BadRelease
from companion.installation.layout import DATA
from companion.installation.release import Release, trusted_keys, unpack
from companion.installation.versions import Versions, order_of

STATE: Final = Path("/var/lib/el-grande-updates")
HEALTHY_S: Final = 10.0
"""How long a new version must work without a break."""
PATIENCE_S: Final = 60.0
"""How long it may take to get there."""
MOST_CRASHES: Final = 3
LOOK_S: Final = 1.0
REMEMBERED: Final = 20
"""How many outcomes are remembered."""


class Health(NamedTuple):
    """How the service is."""

    works: bool
    """Whether it runs and its pages answer."""
    crashes: int
    """How often it has been restarted since it was started."""


class TableService(Protocol):
    """The running table, as an update sees it."""

    def stop(self) -> None: ...

    def restart(self) -> None:
        """Starts the current version. The table stops between two moves, and everything it showed is saved."""

    def health(self) -> Health: ...

    def judge(self, program: Path, database: Path) -> str:
        """Lets a version check itself on a copy of the games. Returns what is wrong; nothing if all is well."""

    def install(self, release: Path) -> str:
        """Installs a release beside the others. Returns what went wrong; nothing if all went well."""


class GameFiles(Protocol):
    """The file of the games, as an update sees it."""

    def copy(self, to: Path) -> None:
        """Copies the file as it is now, while a table uses it."""

    def version(self, file: Path) -> int:
        """Returns the version of a file."""

    def put_back(self, copy: Path) -> None:
        """Puts a copy in the place of the file, and keeps what was there. No table may run."""


class UpdateOutcome(TypedDict):
    """What came of an update."""

    at: str
    version: str
    before: str
    works: bool
    why: str


@dataclass
class Trial:
    """A version that has been switched to and has not proven itself yet."""

    version: str
    before: str
    copy: str


@dataclass
class Updater:
    """Changes the version of the program.

    :param say: takes each line of progress.
    :param clock: seconds that only go forward.
    :param wait: waits for some seconds.
    """

    service: TableService
    games: GameFiles
    versions: Versions = field(default_factory=Versions)
    data: Path = DATA
    state: Path = STATE
    keys: Iterable[Path] = field(default_factory=trusted_keys)
    say: Callable[[str], None] = print
    clock: Callable[[], float] = time.monotonic
    wait: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    # What people ask for.

    def update(self, archive: Path) -> UpdateOutcome:
        """Installs a release and switches to it, if it proves itself."""
        before = self._before()
        self.say("Unpacking and checking the release")
        incoming = self.versions.folder / "incoming"
        shutil.rmtree(incoming, ignore_errors=True)
        incoming.mkdir(parents=True)
        try:
            release = unpack(archive, incoming)
            release.check(self.keys)
            self._compare(release, before)
            self.say(f"Installing version {release.version} beside version {before}")
            if why := self.service.install(release.folder):
                raise BadRelease(f"Version {release.version} could not be installed: {why}")
            version = release.version
        finally:
            shutil.rmtree(incoming, ignore_errors=True)
        return self._try(version, before)

    def roll_back(self) -> UpdateOutcome:
        """Goes back to the version before this one."""
        before, previous = self._before(), self.versions.previous
        if previous is None or previous == before:
            raise BadRelease("There is no other version to go back to. `companion versions` lists what is installed.")
        return self._try(previous, before)

    def resume(self) -> UpdateOutcome | None:
        """Goes on with a trial that a power cut interrupted. Returns `None` when no trial is under way."""
        trial = self._trial()
        if trial is None:
            return None
        self.say(f"Version {trial.version} was being tried when the machine stopped")
        return self._watch(trial)

    def outcomes(self) -> list[UpdateOutcome]:
        """Returns what came of earlier updates, the latest last."""
        return cast("list[UpdateOutcome]", _read(self.state / "outcomes.json") or [])

    # How it is done.

    def _before(self) -> str:
        current = self.versions.current
        if current is None:
            raise BadRelease(
                "This table was not installed by install.sh, so it cannot be updated. Run install.sh first."
            )
        if self._trial() is not None:
            raise BadRelease("Another version is being tried right now. Wait a minute: companion versions")
        return current

    def _compare(self, release: Release, before: str) -> None:
        if release.version == before:
            raise BadRelease(f"Version {before} is running already.")
        if order_of(release.version) < order_of(before):
            raise BadRelease(
                f"Version {release.version} is older than {before}, which is running. To go back: companion rollback"
            )

    def _try(self, version: str, before: str) -> UpdateOutcome:
        """Switches to a version that has been judged, and back if it does not prove itself."""
        self.say(f"Version {version} checks itself on a copy of the games")
        self.state.mkdir(mode=0o755, parents=True, exist_ok=True)
        # Not in the table's own folder: root would follow links that its user has put there.
        judged = self.state / "judged" / "table.db"
        shutil.rmtree(judged.parent, ignore_errors=True)
        judged.parent.mkdir(mode=0o700)
        try:
            self.games.copy(judged)
            _give_to_owner_of(self.data, judged.parent)
            if why := self.service.judge(self.versions.program(version), judged):
                return self._done(version, before, f"it was not switched to, because it failed its own check: {why}")
        finally:
            shutil.rmtree(judged.parent, ignore_errors=True)
        copy = self.state / f"table before {version}.db"
        copy.unlink(missing_ok=True)
        self.games.copy(copy)
        trial = Trial(version, before, str(copy))
        # On disk before the switch: after a power cut, whoever starts next knows that this version is on trial.
        self._write("trial.json", asdict(trial))
        self.say("Switching; the game goes on in a few seconds")
        self.versions.switch(version)
        self.service.restart()
        return self._watch(trial)

    def _watch(self, trial: Trial) -> UpdateOutcome:
        began_s, since_s, why = self.clock(), None, ""
        while True:
            health, now_s = self.service.health(), self.clock()
            if health.crashes >= MOST_CRASHES:
                why = f"it crashed {MOST_CRASHES} times"
                break
            since_s = (now_s if since_s is None else since_s) if health.works else None
            if since_s is not None and now_s - since_s >= HEALTHY_S:
                break
            if now_s - began_s >= PATIENCE_S:
                why = f"it did not work within {PATIENCE_S:.0f} s"
                break
            self.wait(LOOK_S)
        if why:
            self._return_to(trial)
            why = f"version {trial.before} is back, because {why}"
        (self.state / "trial.json").unlink()
        if not why:
            self.versions.prune()
        return self._done(trial.version, trial.before, why)

    def _return_to(self, trial: Trial) -> None:
        self.say(f"Version {trial.version} does not work: going back to {trial.before}")
        self.versions.switch(trial.before)
        file, copy = self.data / "table.db", Path(trial.copy)
        if (
            copy.exists()
            and file.is_file()
            and not file.is_symlink()
            and self.games.version(file) != self.games.version(copy)
        ):
            # The old program cannot read what the new one made of the file.
            self.service.stop()
            self.games.put_back(copy)
        self.service.restart()

    def _done(self, version: str, before: str, why: str) -> UpdateOutcome:
        at = self.now().isoformat(timespec="seconds")
        outcome = UpdateOutcome(at=at, version=version, before=before, works=not why, why=why)
        self._write("outcomes.json", [*self.outcomes(), outcome][-REMEMBERED:])
        return outcome

    def _trial(self) -> Trial | None:
        found = cast("dict[str, str] | None", _read(self.state / "trial.json"))
        return None if found is None else Trial(**found)

    def _write(self, name: str, value: object) -> None:
        new = self.state / f"{name}.new"
        with new.open("w") as file:
            json.dump(value, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.state / name)


def last_outcome(state: Path = STATE) -> UpdateOutcome | None:
    """Returns what came of the last update, or `None` when there was none."""
    outcomes = cast("list[UpdateOutcome]", _read(state / "outcomes.json") or [])
    return outcomes[-1] if outcomes else None


def _read(file: Path) -> object:
    """Returns what a file of ours says, or `None` when it is missing or damaged."""
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError):
        return None


def _give_to_owner_of(folder: Path, path: Path) -> None:
    """Makes the table's user the owner of what root has written for it."""
    owner = folder.stat()
    for each in (path, *path.rglob("*")):
        if (each.lstat().st_uid, each.lstat().st_gid) != (owner.st_uid, owner.st_gid):
            os.chown(each, owner.st_uid, owner.st_gid, follow_symlinks=False)

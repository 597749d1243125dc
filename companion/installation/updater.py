"""Updates: another version is installed beside the running one, judged on a copy, tried, and taken back if it fails.

Everything runs as root, in a unit of its own. The table's user cannot write where programs are. After a power cut the
version from before the update goes on with it, from what `update_records.py` keeps: each step below can be repeated.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from companion.installation.errors import BadRelease, ServiceFailed
from companion.installation.layout import DATA
from companion.installation.release import Release, trusted_keys, unpack
from companion.installation.update_ports import GameFiles, Health, TableService
from companion.installation.update_records import Trial, UpdateOutcome, UpdateRecords
from companion.installation.versions import Versions, order_of
from companion.storage.kept_copies import sync_folder

HEALTHY_S: Final = 10.0
"""How long a new version must work without a break."""
PATIENCE_S: Final = 60.0
"""How long it may take to get there."""
PROBATION_S: Final = 300.0
"""How long its crashes count after that."""
MOST_CRASHES: Final = 3
LOOK_S: Final = 1.0
PROBATION_LOOK_S: Final = 5.0


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
    records: UpdateRecords = field(default_factory=UpdateRecords)
    keys: Iterable[Path] = field(default_factory=trusted_keys)
    say: Callable[[str], None] = print
    clock: Callable[[], float] = time.monotonic
    wait: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    # What people ask for.

    def update(self, archive: Path) -> UpdateOutcome:
        """Installs a release and switches to it, if it proves itself."""
        with self.records.one_update():
            self._finish_earlier_trial()
            before = self._current()
            version = self._install(archive, before)
            return self._try(version, before, is_disposable=True)

    def roll_back(self) -> UpdateOutcome:
        """Goes back to the version before this one."""
        with self.records.one_update():
            earlier = self._finish_earlier_trial()
            if earlier is not None and not earlier["works"]:
                # This was a way back already.
                return earlier
            before, previous = self._current(), self.versions.previous
            if previous is None or previous == before:
                raise BadRelease(
                    "There is no other version to go back to. `companion versions` lists what is installed."
                )
            return self._try(previous, before, is_disposable=False)

    def resume(self) -> UpdateOutcome | None:
        """Goes on with a trial that a power cut interrupted. Returns `None` when no trial is under way."""
        with self.records.one_update():
            trial = self.records.trial
            if trial is None:
                return None
            self.say(f"The trial of version {trial.version} was interrupted, and goes on")
            return self._watch(trial, self._go_on(trial))

    # Before a version is switched to.

    def _current(self) -> str:
        current = self.versions.current
        if current is None:
            raise BadRelease(
                "This table was not installed by install.sh, so it cannot be updated. Run install.sh first."
            )
        return current

    def _install(self, archive: Path, before: str) -> str:
        """Installs a release beside the version that runs. Returns its version."""
        self.say("Unpacking and checking the release")
        incoming = self.versions.folder / "incoming"
        shutil.rmtree(incoming, ignore_errors=True)
        incoming.mkdir(parents=True)
        try:
            release = unpack(archive, incoming)
            release.check(self.keys)
            _compare(release, before)
            self.say(f"Installing version {release.version} beside version {before}")
            if why := self.service.install(release.folder):
                raise BadRelease(f"Version {release.version} could not be installed: {why}.")
            return release.version
        finally:
            shutil.rmtree(incoming, ignore_errors=True)

    def _judge(self, version: str, older_games: Path | None) -> str:
        """Lets a version check itself on a copy of the games. Returns what is wrong; nothing if all is well."""
        self.say(f"Version {version} checks itself on a copy of the games")
        # Not in the table's own folder: root would follow links that its user has put there.
        judged = self.records.folder / "judged" / "table.db"
        shutil.rmtree(judged.parent, ignore_errors=True)
        judged.parent.mkdir(mode=0o700)
        try:
            if older_games is None:
                self.games.copy(judged)
            else:
                shutil.copyfile(older_games, judged)
            _give_to_owner_of(self.data, judged.parent)
            return self.service.judge(self.versions.program(version), judged)
        finally:
            shutil.rmtree(judged.parent, ignore_errors=True)

    def _older_games(self, before: str) -> Path | None:
        """Returns the games for the version before this one, or `None` when it can read the file as it is."""
        kept = self.records.copy_before(before)
        if not self._differs_from(kept) or self.games.version(self._file) < self.games.version(kept):
            return None
        self.say(
            "The version before cannot read the games as they are now. It gets them as they were before version "
            f"{before}; what was played since then is kept"
        )
        return kept

    # The trial.

    def _try(self, version: str, before: str, *, is_disposable: bool) -> UpdateOutcome:
        """Switches to a version that has been judged, and back if it does not prove itself."""
        older_games = None if is_disposable else self._older_games(before)
        if why := self._judge(version, older_games):
            if is_disposable:
                self.versions.delete(version)
            return self._record(version, before, f"it was not switched to, because it failed its own check: {why}")
        copy = self.records.copy_before(version)
        copy.unlink(missing_ok=True)
        trial = Trial(
            version, before, str(copy), self.versions.previous, str(older_games or ""), is_disposable=is_disposable
        )
        try:
            # Both on disk before the switch: whoever starts next knows what is on trial, and who judges it.
            self.versions.appoint_updater(before)
            self.records.save_trial(trial)
            self.say("Switching; the game goes on in a few seconds")
            self.service.stop()
            self._copy_games(copy)
            self.versions.switch(version)
        except Exception as error:
            return self._give_up(trial, _reason(error))
        return self._watch(trial, self._begin(trial))

    def _copy_games(self, copy: Path) -> None:
        """Copies the games of a table that has stopped. A copy that is not complete never has this name."""
        part = copy.with_suffix(".part")
        part.unlink(missing_ok=True)
        self.games.copy(part)
        if part.exists():
            part.replace(copy)
            sync_folder(copy.parent)

    def _finish_earlier_trial(self) -> UpdateOutcome | None:
        """Finishes a trial that nobody watches any more. Returns what came of it, or `None` when there was none."""
        trial = self.records.trial
        if trial is None:
            return None
        if trial.works and not trial.why:
            self._accept()
            return None
        self.say(f"The trial of version {trial.version} was interrupted, and is finished first")
        outcome = self._go_on(trial)
        if outcome["works"]:
            self._accept()
        return outcome

    def _go_on(self, trial: Trial) -> UpdateOutcome:
        """Goes on with an interrupted trial until its version works or is not in use any more."""
        current = self.versions.current
        if current not in (trial.version, trial.before):
            self.records.end_trial()
            return self._record(trial.version, trial.before, f"version {current} was installed instead")
        if trial.why:
            return self._go_back(trial)
        if current == trial.before:
            return self._give_up(trial, "the update was interrupted")
        return self._begin(trial)

    def _begin(self, trial: Trial) -> UpdateOutcome:
        """Starts a version that has been switched to, and waits until it works. Goes back if it does not."""
        try:
            if not trial.works:
                trial = self._start(trial)
            why = self._why_not()
        except Exception as error:
            why = _reason(error)
        if why:
            return self._give_up(trial, why)
        self.service.restart_network()
        # What older games replaced is in the copy, too.
        kept_as = trial.kept_as or (trial.copy if trial.older_games else "")
        return self._record(trial.version, trial.before, "", kept_as)

    def _start(self, trial: Trial) -> Trial:
        """Starts a version with the games it can read and with its own files of the system, which are tried as well."""
        self.service.stop()
        older_games = Path(trial.older_games)
        # After the switch: at a power cut in between, the older version refuses games that are too new for it. The
        # newer one would bring older games up to date as soon as it starts, and nobody could tell them from its own.
        if trial.older_games and self._differs_from(older_games):
            trial = replace(trial, kept_as=str(self.games.put_back(older_games) or ""))
            self.records.save_trial(trial)
        if why := self.service.set_up(self.versions.program(trial.version)):
            raise ServiceFailed(f"its service could not be set up: {why}")
        self.service.start()
        return trial

    def _why_not(self) -> str:
        """Waits until the version works. Returns why it does not; nothing if it does."""
        began_s, since_s = self.clock(), None
        while True:
            health, now_s = self.service.health(), self.clock()
            if why := _crash(health):
                return why
            since_s = (now_s if since_s is None else since_s) if health.works else None
            if since_s is not None and now_s - since_s >= HEALTHY_S:
                return ""
            if now_s - began_s >= PATIENCE_S:
                return f"it did not work within {PATIENCE_S:.0f} s"
            self.wait(LOOK_S)

    def _watch(self, trial: Trial, outcome: UpdateOutcome) -> UpdateOutcome:
        """Goes on counting the crashes of a version that works, and goes back if there are too many."""
        if not outcome["works"]:
            return outcome
        self.say(
            f"Version {trial.version} works. It is watched for {PROBATION_S / 60:.0f} more minutes: if it crashes "
            f"{MOST_CRASHES} times, version {trial.before} comes back by itself"
        )
        trial = replace(trial, works=True)
        self.records.save_trial(trial)
        end_s = self.clock() + PROBATION_S
        # Somebody may run install.sh meanwhile.
        while self.clock() < end_s and self.versions.current == trial.version:
            if why := _crash(self.service.health()):
                return self._give_up(trial, why)
            self.wait(PROBATION_LOOK_S)
        self._accept()
        return outcome

    def _accept(self) -> None:
        """Ends the trial of a version that has proven itself."""
        self.records.end_trial()
        self.versions.prune()

    # The way back.

    def _give_up(self, trial: Trial, reason: str) -> UpdateOutcome:
        """Decides that a version is not used, and goes back to the one before."""
        switched = self.versions.current == trial.version
        why = f"version {trial.before} is back" if switched else "it was not switched to"
        # A version that was never started may be a good one.
        is_disposable = trial.is_disposable and switched
        return self._go_back(replace(trial, why=f"{why}, because {reason}", is_disposable=is_disposable, kept_as=""))

    def _go_back(self, trial: Trial) -> UpdateOutcome:
        """Goes back to the version before. Whatever fails, the table is started and the outcome recorded."""
        self.say(f"Version {trial.version} is not used: going back to version {trial.before}")
        problems: list[str] = []

        def attempt(step: Callable[[], object]) -> None:
            try:
                step()
            except Exception as error:
                problems.append(_reason(error))

        def put_back_games() -> None:
            nonlocal trial
            if self._differs_from(Path(trial.copy)):
                trial = replace(trial, kept_as=str(self.games.put_back(Path(trial.copy)) or ""))
                self.records.save_trial(trial)

        def set_up() -> None:
            if why := self.service.set_up(self.versions.program(trial.before)):
                raise ServiceFailed(f"the service of version {trial.before} could not be set up: {why}")

        attempt(lambda: self.records.save_trial(trial))
        attempt(self.service.stop)
        # Before the switch, for the same reason as in `_start`.
        attempt(put_back_games)
        attempt(lambda: self.versions.switch_back(trial.before, trial.previous))
        attempt(set_up)
        attempt(self.service.start)
        attempt(self.service.restart_network)
        if trial.is_disposable:
            attempt(lambda: self.versions.delete(trial.version))
        outcome = self._record(trial.version, trial.before, "; ".join([trial.why, *problems]), trial.kept_as)
        self.records.end_trial()
        return outcome

    def _record(self, version: str, before: str, why: str, kept_as: str = "") -> UpdateOutcome:
        at = self.now().isoformat(timespec="seconds")
        outcome = UpdateOutcome(at=at, version=version, before=before, works=not why, why=why, kept_as=kept_as)
        self.records.add_outcome(outcome)
        return outcome

    # The file of the games.

    @property
    def _file(self) -> Path:
        return self.data / "table.db"

    def _differs_from(self, copy: Path) -> bool:
        """Returns whether a copy is there that has another version than the file: one of the two cannot be read."""
        # The table's user may have put a link there, which root must not follow.
        there = copy.exists() and self._file.is_file() and not self._file.is_symlink()
        return there and self.games.version(self._file) != self.games.version(copy)


def _compare(release: Release, before: str) -> None:
    """Refuses a release that is not newer than the version that runs."""
    if release.version == before:
        raise BadRelease(f"Version {before} is running already.")
    if order_of(release.version) < order_of(before):
        raise BadRelease(
            f"Version {release.version} is older than {before}, which is running. To go back: companion rollback"
        )


def _crash(health: Health) -> str:
    """Returns how a version has failed for good; nothing if it has not."""
    if health.crashes >= MOST_CRASHES:
        return f"it crashed {MOST_CRASHES} times"
    return "it ended with an error" if health.failed else ""


def _reason(error: Exception) -> str:
    """Returns why something failed, as a part of a sentence."""
    if isinstance(error, OSError) and error.strerror:
        where = f" ({error.filename})" if error.filename else ""
        return f"{error.strerror}{where}"
    return str(error).removesuffix(".") or type(error).__name__


def _give_to_owner_of(folder: Path, path: Path) -> None:
    """Makes the table's user the owner of what root has written for it."""
    owner = folder.stat()
    for each in (path, *path.rglob("*")):
        if (each.lstat().st_uid, each.lstat().st_gid) != (owner.st_uid, owner.st_gid):
            os.chown(each, owner.st_uid, owner.st_gid, follow_symlinks=False)

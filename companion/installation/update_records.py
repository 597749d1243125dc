"""What updates write down: the version on trial, which a power cut does not end, and what came of each update."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final, NotRequired, TypedDict, cast

from companion.installation.errors import BadRelease
from companion.storage.file_lock import Locked, file_lock
from companion.storage.kept_copies import sync_folder

STATE: Final = Path("/var/lib/el-grande-updates")
REMEMBERED: Final = 20
"""How many outcomes are remembered."""
_TRIAL: Final = "trial.json"
_OUTCOMES: Final = "outcomes.json"


class UpdateOutcome(TypedDict):
    """What came of an update."""

    at: str
    version: str
    before: str
    works: bool
    why: str
    """Why the version is not in use; nothing if it is."""
    kept_as: NotRequired[str]
    """The file with what was played since the games that are in use now, if these are older ones."""


@dataclass(frozen=True)
class Trial:
    """A version that is being switched to and has not proven itself yet."""

    version: str
    before: str
    """The version that comes back if it fails."""
    copy: str
    """The file with the games as they were when the switch began. It is there only if it is complete."""
    previous: str | None = None
    """The version that could be gone back to before, or `None` when there was none."""
    older_games: str = ""
    """The copy of the games that this version gets because it cannot read later ones; nothing if it can."""
    kept_as: str = ""
    """Where the games are that were replaced by a copy; nothing if none were."""
    is_disposable: bool = False
    """Whether it is deleted if it fails, so that it can be installed again once it is repaired."""
    works: bool = False
    """Whether it has worked so far, and is only watched."""
    why: str = ""
    """Why it is not used, once that is decided."""


@dataclass(frozen=True)
class UpdateRecords:
    """The records in a folder that only root can write. Everything is on disk when a method returns."""

    folder: Path = STATE

    @property
    def trial(self) -> Trial | None:
        """The trial under way. `None` when no version is on trial."""
        found = cast("dict[str, object] | None", _read(self.folder / _TRIAL))
        if found is None:
            return None
        known = {field.name for field in fields(Trial)}
        return Trial(**{name: value for name, value in found.items() if name in known})  # type: ignore[arg-type]

    @property
    def outcomes(self) -> list[UpdateOutcome]:
        """What came of earlier updates, the latest last."""
        return cast("list[UpdateOutcome]", _read(self.folder / _OUTCOMES) or [])

    def copy_before(self, version: str) -> Path:
        """Returns the file for the games as they were before a version was switched to."""
        return self.folder / f"table before {version}.db"

    def save_trial(self, trial: Trial) -> None:
        """Writes down which version is on trial."""
        self._write(_TRIAL, asdict(trial))

    def end_trial(self) -> None:
        """Writes down that no version is on trial any more."""
        (self.folder / _TRIAL).unlink(missing_ok=True)
        sync_folder(self.folder)

    def add_outcome(self, outcome: UpdateOutcome) -> None:
        """Writes down what came of an update."""
        self._write(_OUTCOMES, [*self.outcomes, outcome][-REMEMBERED:])

    @contextmanager
    def one_update(self) -> Iterator[None]:
        """Lets only one program change the version at a time. The lock ends with the program, however that ends.

        :raises BadRelease: another program is at it.
        """
        self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        with ExitStack() as stack:
            try:
                stack.enter_context(file_lock(self.folder / "lock"))
            except Locked:
                raise BadRelease(self._under_way()) from None
            yield

    def _under_way(self) -> str:
        trial = self.trial
        if trial is not None and trial.works and not trial.why:
            return (
                f"Version {trial.version} works so far and is still being watched. Try again in a few minutes, or go "
                "back: sudo companion rollback"
            )
        return "Another version is being installed or tried right now. Wait a minute: companion versions"

    def _write(self, name: str, value: object) -> None:
        new = self.folder / f"{name}.new"
        with new.open("w") as file:
            json.dump(value, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.folder / name)
        sync_folder(self.folder)


def last_outcome(state: Path = STATE) -> UpdateOutcome | None:
    """Returns what came of the last update, or `None` when there was none."""
    outcomes = UpdateRecords(state).outcomes
    return outcomes[-1] if outcomes else None


def _read(file: Path) -> object:
    """Returns what a file of ours says, or `None` when it is missing or damaged."""
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError):
        return None

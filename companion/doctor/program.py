"""Says which version of everything this is, and what came of the last update."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.metadata import version

from companion.doctor.check import Case, Check, Finding
from companion.engine import phrase
from companion.installation.update_records import STATE, last_outcome
from hardware.board import board_file
from hardware.installing import firmware_build


class ProgramVersion(Check):
    """Says which program, firmware and board file these are, so that two machines can be compared."""

    name = "version"

    def look(self, case: Case) -> Iterator[Finding]:
        yield self.ok(
            "Version {version}, firmware {firmware}, board file {board} ({hash}).",
            version=version("el-grande-table"),
            firmware=firmware_build(),
            board=case.board_name,
            hash=_hash_of(case.board_name),
        )
        outcome = last_outcome(case.machine.file(str(STATE)))
        if outcome is not None and not outcome["works"]:
            yield self.warning(
                "The last update, to version {version}, was taken back: {why}.",
                phrase("The table goes on with the version before. `companion versions` lists all updates."),
                version=outcome["version"],
                why=outcome["why"],
            )


def _hash_of(board_name: str) -> str:
    """Returns the hash of a board file; a dash when it cannot be read."""
    try:
        return hashlib.sha256(board_file(board_name).read_bytes()).hexdigest()[:8]
    except OSError:
        return "-"

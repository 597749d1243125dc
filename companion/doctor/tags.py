"""Checks how many tags are enrolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.doctor.check import Case, Check, Finding
from companion.engine.pieces import WHOLE_SET
from companion.storage.errors import DatabaseError
from companion.storage.tags import kept_tags


class EnrolledTags(Check):
    """Counts the tags in the database, without changing it."""

    name = "tags"
    needs_board = True

    def look(self, case: Case) -> Iterator[Finding]:
        if not case.board.hubs:
            yield self.skipped("The board {board} has no readers, and needs no tags.", board=case.board.name)
            return
        try:
            counts = Counter(kept_tags(case.machine.database).values())
        except DatabaseError as error:
            yield self.unusable(error)
            return
        missing = sum(max(0, wanted - counts[piece]) for piece, wanted in WHOLE_SET.items())
        total = sum(WHOLE_SET.values())
        if missing:
            yield self.warning(
                "{enrolled} of {total} tags are enrolled.",
                "companion enroll{board} continues with the {missing} that are missing; --list shows which. For "
                "pieces without a tag, use the buttons.",
                enrolled=total - missing,
                total=total,
                missing=missing,
                board=case.board_option,
            )
        else:
            yield self.ok("All {total} tags are enrolled.", total=total)

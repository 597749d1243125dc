"""Walks through all parts in order, and keeps the report up to date."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final

from companion.acceptance.bench import ENTER, SKIP, UNANSWERED, Bench, Task
from companion.acceptance.part import SEE_DOCTOR, AcceptancePart, PartRecord, PartState, Remark
from companion.acceptance.report import AcceptanceReport
from companion.bots.worker import in_short
from hardware.errors import BoardError

BEGIN_S: Final = 600.0
"""How long to wait for somebody before a part is skipped."""


def walk(
    parts: Iterable[AcceptancePart],
    bench: Bench,
    report: AcceptanceReport,
    skip: Collection[str] = (),
    show: Callable[[Remark], None] = lambda remark: None,
    part_is_over: Callable[[], None] = lambda: None,
) -> None:
    """Tries one part after another. A part that the report has already is kept as it is.

    :param skip: the names of parts to leave out.
    :param show: shows a remark to the person as it comes.
    :param part_is_over: is called after each part, to save the report.
    """
    for part in parts:
        if part.name in report.records:
            continue
        record = report.records[part.name] = PartRecord(show)
        bench.person.say(f"\n=== {part.title} ===")
        if missing := part.missing(bench.board):
            record.state = PartState.LEFT_OUT
            bench.person.say(missing)
        elif part.name in skip or not _begins(part, bench):
            record.state = PartState.SKIPPED
            bench.person.say("Skipped.")
        else:
            _try(part, bench, record)
        part_is_over()


def _begins(part: AcceptancePart, bench: Bench) -> bool:
    bench.person.say(part.ahead)
    if part.by_itself:
        return True
    task = Task("begin", part.name, "Ready?", {ENTER: "begin", SKIP: "skip this part"}, BEGIN_S)
    return bench.ask(task) not in UNANSWERED


def _try(part: AcceptancePart, bench: Bench, record: PartRecord) -> None:
    """Tries a part. Whatever goes wrong in it, the next one has its turn."""
    try:
        part.walk(bench, record)
    except (BoardError, OSError) as error:
        record.state = PartState.FAILED
        record.problem(f"This could not be tried: {getattr(error, 'strerror', '') or error}", SEE_DOCTOR)
    except Exception as error:
        record.state = PartState.FAILED
        record.problem(f"This could not be tried: {in_short(error)}.", "This is a bug. The report helps us to find it.")
    else:
        record.state = PartState.DONE

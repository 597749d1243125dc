"""Runs the doctor's checks, and keeps what they found without names and serial numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from companion.acceptance.bench import Bench
from companion.acceptance.part import AcceptancePart, PartRecord, Remark
from companion.doctor import CHECKS, Case, Verdict, run
from companion.engine import Message
from companion.engine.messages import Field
from companion.workshop.scrubbing import HIDDEN

PRIVATE_FIELDS: Final = frozenset(
    {"blocked", "copy", "file", "folder", "lines", "name", "path", "port", "process", "serial", "user"}
)
"""The fields of a finding that say something about a person, or about one machine and no other."""

_WORTH_SHOWING: Final = (Verdict.WARNING, Verdict.PROBLEM)


class DoctorPart(AcceptancePart):
    """Runs every check."""

    name = "doctor"
    title = "The doctor's checks"
    ahead = "What `companion doctor` checks. Nothing to do for you."
    by_itself = True

    def walk(self, bench: Bench, record: PartRecord) -> None:
        counts: Counter[Verdict] = Counter()
        with bench.devices.equipment(bench.pause) as equipment:
            case = Case(
                bench.machine,
                equipment,
                bench.board_name,
                bench.board,
                bench.simulated,
                board_option=bench.board_option,
            )
            for check in CHECKS:
                bench.pause(0.0)
                for finding in run(check, case):
                    counts[finding.verdict] += 1
                    remark = Remark(finding.verdict, str(hidden(finding.found)), str(hidden(finding.do)))
                    if finding.verdict in _WORTH_SHOWING:
                        record.note(remark, Remark(finding.verdict, str(finding.found), str(finding.do)))
                    else:
                        record.remarks.append(remark)
        bench.person.say(f"  {counts[Verdict.OK]} things are as they should be.")
        record.figures.update({verdict.value: counts[verdict] for verdict in Verdict})


def hidden(message: Message) -> Message:
    """Returns a message without its private fields.

    >>> print(hidden(Message("The user {user} is in the groups {groups}.", {"user": "ann", "groups": "spi"})))
    The user … is in the groups spi.
    """
    fields: Mapping[str, Field] = {
        name: HIDDEN
        if name in PRIVATE_FIELDS and not isinstance(value, int)
        else hidden(value)
        if isinstance(value, Message)
        else value
        for name, value in message.fields.items()
    }
    return Message.using(message.text, fields)

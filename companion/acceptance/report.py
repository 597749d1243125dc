"""The report: everything that was tried and measured, in one JSON document without secrets."""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Final, Self

from companion.acceptance.bench import Bench
from companion.acceptance.part import PartRecord, PartState, Remark
from companion.doctor import Verdict
from companion.workshop.scrubbing import without_secrets
from hardware.board import Board, shipped_boards

KIND: Final = "el-grande-acceptance"
SCHEMA: Final = 1
"""The version of the format; raised when a field changes its meaning or is removed."""
OWN_BOARD: Final = "a board file of their own"


class NotAReport(ValueError):
    """A file is not a report of this kind and version."""


@dataclass
class AcceptanceReport:
    """What is known about a board so far."""

    subject: dict[str, Any]
    """What was tried: the version of the program, and the board without names and ports."""
    made_at: str
    records: dict[str, PartRecord] = field(default_factory=dict)
    """By the names of the parts, in the order they were tried."""

    @classmethod
    def about(cls, bench: Bench) -> Self:
        """Returns an empty report about what is on a bench."""
        board = {"name": _public_name(bench.board_name), "simulated": bench.simulated, **_board_facts(bench.board)}
        subject = {"program": version("el-grande-table"), "board": board}
        return cls(subject, bench.machine.now().isoformat(timespec="minutes"))

    @classmethod
    def of(cls, text: str) -> Self:
        """Reads a report that was written before. Raises `NotAReport` for anything else."""
        try:
            data = json.loads(text)
            if data["kind"] != KIND or data["schema"] != SCHEMA:
                raise NotAReport
            return cls(data["subject"], data["made_at"], {name: _record(part) for name, part in data["parts"].items()})
        except (ValueError, TypeError, KeyError, AttributeError):
            raise NotAReport from None

    def finished(self) -> dict[str, PartRecord]:
        """Returns the parts that were tried to the end."""
        return {name: record for name, record in self.records.items() if record.state is PartState.DONE}

    def counts(self) -> Counter[Verdict]:
        """Returns how many remarks there are of each kind."""
        return Counter(remark.verdict for record in self.records.values() for remark in record.remarks)

    def document(self, bench: Bench) -> str:
        """Returns the report as text, without secrets."""
        data = {
            "kind": KIND,
            "schema": SCHEMA,
            "made_at": self.made_at,
            "subject": self.subject,
            "counts": {verdict.value: self.counts()[verdict] for verdict in Verdict},
            "parts": {
                name: {
                    "state": record.state.value,
                    "remarks": [
                        {"verdict": verdict.value, "found": found, "do": do} for verdict, found, do in record.remarks
                    ],
                    "figures": record.figures,
                }
                for name, record in self.records.items()
            },
        }
        return json.dumps(_scrubbed(data, bench), indent=2, ensure_ascii=False) + "\n"


def problems_of(record: PartRecord) -> Iterator[Remark]:
    """Yields what has to be fixed."""
    return (remark for remark in record.remarks if remark.verdict is Verdict.PROBLEM)


def _record(part: dict[str, Any]) -> PartRecord:
    return PartRecord(
        state=PartState(part["state"]),
        remarks=[Remark(Verdict(each["verdict"]), each["found"], each["do"]) for each in part["remarks"]],
        figures=dict(part["figures"]),
    )


def _public_name(board_name: str) -> str:
    """Returns the name of a board that comes with the project; the name of any other file may be a person's."""
    return board_name if board_name in shipped_boards() else OWN_BOARD


def _board_facts(board: Board) -> dict[str, Any]:
    strip = board.strip
    return {
        "strip": {
            "driver": strip.driver,
            "gpio": strip.gpio,
            "count": strip.count,
            "order": strip.order,
            "brightness": strip.brightness,
            "budget_ma": strip.budget_ma,
        },
        "buttons": dict(board.buttons),
        "hubs": {hub.name: {"chip": hub.chip, "mode": hub.mode, "readers": hub.readers} for hub in board.hubs.values()},
    }


def _scrubbed(data: Any, bench: Bench) -> Any:
    """Returns the data with every text scrubbed. The parts leave out secrets already; this is for what they missed."""
    if isinstance(data, dict):
        return {key: _scrubbed(value, bench) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_scrubbed(each, bench) for each in data]
    return without_secrets(data, bench.machine, _private_words(bench)) if isinstance(data, str) else data


def _private_words(bench: Bench) -> Iterable[str]:
    yield platform.node()
    yield bench.board_option.strip()
    if _public_name(bench.board_name) == OWN_BOARD:
        yield from (bench.board_name, bench.board.name)
    yield from (hub.port for hub in bench.board.hubs.values())

"""`companion doctor`: checks a board and its machine."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Final

import click
from click.core import ParameterSource

from companion.cli.findings import MARKS, tell
from companion.cli.options import BOARD_HELP, default_board
from companion.doctor import CHECKS, Case, Check, Finding, Verdict, examine, run

SCHEMA: Final = 1
"""The version of the JSON format; raised when a field changes its meaning or is removed."""

_WELL: Final = "Ready to play."
_SIMULATED_WELL: Final = "Ready to play on the simulated board."


@click.command()
@click.option("--board", "board_name", metavar="NAME|FILE", default=default_board, help=BOARD_HELP)
@click.option(
    "--simulated/--real",
    "simulated",
    default=None,
    help="Which board.  [default: real on a Raspberry Pi, simulated elsewhere]",
)
@click.option("--json", "as_json", is_flag=True, help="Print all findings as one JSON document.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="The port of the web pages."
)
@click.pass_context
def doctor(ctx: click.Context, board_name: str, simulated: bool | None, as_json: bool, port: int) -> None:
    """Check a board and the machine it runs on.

    Each check says what it found and what to do about it. Nothing is changed, and no light goes on. Stop the table
    first if it is running: two programs cannot use the same board.

    The exit code is 1 if there is a problem. Warnings do not count.
    """
    typed = ctx.get_parameter_source("board_name") is ParameterSource.COMMANDLINE
    board_option = f" --board {shlex.quote(board_name)}" if typed else ""
    with examine(board_name, simulated, port, board_option=board_option) as case:
        findings = list(_found(case) if as_json else _told(case))
        counts = Counter(finding.verdict for finding in findings)
        if as_json:
            click.echo(json.dumps(_document(case, findings, counts), indent=2, ensure_ascii=False))
        else:
            click.echo("\n" + _summary(case, counts))
    if counts[Verdict.PROBLEM]:
        raise click.exceptions.Exit(1)


def _found(case: Case) -> Iterator[Finding]:
    """Yields all findings."""
    for check in CHECKS:
        yield from run(check, case)


def _told(case: Case) -> Iterator[Finding]:
    """Yields all findings and prints each as it comes; checks skipped for the same reason are printed together."""

    def reason(check: Check) -> str:
        skipped = check.skips(case)
        return str(skipped.found) if skipped else check.name

    for _, group in groupby(CHECKS, reason):
        first, *others = group
        click.secho(", ".join(check.name for check in (first, *others)), bold=True)
        for finding in run(first, case):
            tell(finding.verdict, str(finding.found), str(finding.do))
            yield finding
        for check in others:
            yield from run(check, case)


def _summary(case: Case, counts: Counter[Verdict]) -> str:
    said = ", ".join(f"{counts[verdict]} {mark}" for verdict, (mark, _) in MARKS.items())
    if counts[Verdict.PROBLEM]:
        return f"{said}. Start with the first FAIL: it may have caused the others."
    return f"{said}. {_SIMULATED_WELL if case.simulated else _WELL}"


def _document(case: Case, findings: list[Finding], counts: Counter[Verdict]) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "board": case.board_name,
        "simulated": case.simulated,
        "counts": {verdict.value: counts[verdict] for verdict in Verdict},
        "findings": [
            {"check": check, "verdict": verdict.value, "found": str(found), "do": str(do)}
            for check, verdict, found, do in findings
        ],
    }

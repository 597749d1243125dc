"""Findings in the terminal: how serious each is, what was found, and what to do."""

from __future__ import annotations

from typing import Final

import click

from companion.doctor import Verdict

MARKS: Final = {
    Verdict.OK: ("ok", "green"),
    Verdict.WARNING: ("warn", "yellow"),
    Verdict.PROBLEM: ("FAIL", "red"),
    Verdict.SKIPPED: ("skip", "blue"),
}
_INDENT: Final = " " * 8


def tell(verdict: Verdict, found: str, do: str) -> None:
    """Prints a finding and, if there is something to do, what that is."""
    mark, colour = MARKS[verdict]
    click.echo(f"  {click.style(mark.ljust(4), fg=colour)}  {_indented(found)}")
    if do:
        click.echo(f"{_INDENT}do: {_indented(do)}")


def _indented(text: str) -> str:
    return text.replace("\n", f"\n{_INDENT}    ")

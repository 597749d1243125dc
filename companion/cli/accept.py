"""`companion accept`: walks a builder through a new board, and writes a report about it."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import click

from companion.acceptance import PARTS, AcceptanceReport, Bench, NotAReport, PartRecord, PartState, Task, walk
from companion.acceptance.bench import ENTER, EYES_S, REPEAT, Hands, nobody
from companion.acceptance.devices import BenchDevices, RealDevices, SimulatedDevices
from companion.acceptance.hands import SimulatedHands
from companion.acceptance.report import problems_of
from companion.cli.bench_person import TerminalPerson
from companion.cli.findings import MARKS, tell
from companion.cli.options import board_as_typed, board_name, board_option
from companion.cli.signals import stopping, terminal_as_it_was
from companion.cli.text_tables import table
from companion.doctor import Machine, Verdict
from companion.storage.kept_copies import sync_file, sync_folder, taking_the_place_of
from hardware.board import Board
from hardware.device import CLOCK

DEFAULT_OUT: Final = "el-grande-acceptance.json"
ONLY_GOOD: Final = "p"
NO_PERSON: Final = (
    "This command needs somebody at a keyboard, who presses, looks and taps. Run it in a terminal, on the Pi itself or "
    "over ssh."
)
FOREWORD: Final = (
    "This goes through your board part by part, and says each time what to do. Type the letter of an answer and press "
    "Enter. Ctrl-C stops; the report has what was done so far, and the same command continues."
)
CONTENTS: Final = (
    "In it: the kind of machine and its versions, what the doctor found, what you saw, and what was measured. "
    "Not in it: names, codes, addresses, serial numbers, tags, games. It is plain text: look before you send it."
)
SENDING: Final = "To send it to us, attach it to an issue in the project's repository. Every report helps."


@click.command()
@board_option
@click.option("--simulated", is_flag=True, help="Use a simulated board, with simulated hands, to see how it works.")
@click.option(
    "--out",
    "file",
    type=click.Path(path_type=Path),
    default=DEFAULT_OUT,
    show_default=True,
    metavar="FILE",
    help="Where the report is written.",
)
@click.option(
    "--skip",
    multiple=True,
    type=click.Choice([part.name for part in PARTS]),
    metavar="PART",
    help=f"Leave a part out: {', '.join(part.name for part in PARTS)}. Repeat it for more.",
)
@click.pass_context
def accept(ctx: click.Context, board: Board, simulated: bool, file: Path, skip: tuple[str, ...]) -> None:
    """Try every part of a new board, and write a report.

    You are asked to press, to look and to tap. Meanwhile it measures what only real parts can show: how long a frame
    takes, how long contacts bounce, how far readers read, how fast the card saves, and whether the supply is strong
    enough. Stop the table first if it is running: two programs cannot use the same board.

    The report holds no secrets. The exit code is 1 if there is a problem.
    """
    machine = Machine()
    if not _at_a_keyboard():
        raise click.ClickException(NO_PERSON)
    if not simulated and not machine.is_pi:
        raise click.ClickException(
            "This machine is not a Raspberry Pi. To see how it works without one: companion accept --simulated"
        )
    before = _report_in(file)
    option = "".join(f" {word}" for word in map(shlex.quote, board_as_typed(ctx)))
    with ExitStack() as stack:
        stack.enter_context(terminal_as_it_was())
        devices, hands = _devices(board, simulated, stack)
        person = TerminalPerson()
        stack.enter_context(stopping(person.stop))
        bench = Bench(machine, board, devices, person, hands, CLOCK, board_name(ctx), option, simulated)
        code = Acceptance(bench, file, ctx.command_path).run(before, skip)
    if code:
        raise click.exceptions.Exit(code)


def _at_a_keyboard() -> bool:
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except ValueError:
        # It was closed.
        return False


def _devices(board: Board, simulated: bool, stack: ExitStack) -> tuple[BenchDevices, Hands]:
    if not simulated:
        return RealDevices(), nobody
    from hardware.simulated.board import SimulatedBoard

    opened = stack.enter_context(SimulatedBoard(board))
    return SimulatedDevices(opened), SimulatedHands(opened)


def _report_in(file: Path) -> AcceptanceReport | None:
    """Returns the report that a file holds, or `None` when it is not there yet. Refuses any other file."""
    if file.is_dir():
        raise click.ClickException(f"{file} is a folder. Name a file in it, such as {file / DEFAULT_OUT}.")
    if not file.is_file():
        return None
    try:
        return AcceptanceReport.of(file.read_text("utf-8"))
    except (NotAReport, OSError):
        raise click.ClickException(
            f"{file} already exists, and is not a report of this version. It was not changed. Name another file with "
            "--out."
        ) from None


class Acceptance:
    """One run of the command.

    :param bench: what is tried.
    :param file: where the report goes.
    :param command: how the command is called.
    """

    def __init__(self, bench: Bench, file: Path, command: str = "companion accept") -> None:
        self._bench = bench
        self._file = file
        self._command = command
        self._report = AcceptanceReport.about(bench)
        self._why_unsaved = ""

    def run(self, before: AcceptanceReport | None, skip: tuple[str, ...]) -> int:
        """Tries everything, and returns the exit code.

        :param before: the report of an earlier run.
        """
        say = self._bench.person.say
        say(FOREWORD)
        try:
            if before is not None:
                self._continue(before)
            self._check_place()
        except KeyboardInterrupt:
            say("\nStopped before anything was tried.")
            return 130
        stopped = False
        try:
            walk(PARTS, self._bench, self._report, skip, lambda remark: tell(*remark), self._save)
        except KeyboardInterrupt:
            stopped = True
            say("\nStopped.")
        self._save()
        say(f"\n{summary(self._report)}")
        self._hand_over(stopped)
        if stopped:
            return 130
        return 1 if self._report.counts()[Verdict.PROBLEM] or self._why_unsaved else 0

    def _continue(self, before: AcceptanceReport) -> None:
        """Offers to keep what was finished before."""
        finished = before.finished()
        if before.subject != self._report.subject:
            text = f"{self._file} is the report of another board, or of another version. Replace it?"
            if self._bench.ask(Task("replace", "", text, {ENTER: "replace it; Ctrl-C stops"}, EYES_S)) != ENTER:
                raise KeyboardInterrupt
            return
        if not finished:
            return
        good = {name: record for name, record in finished.items() if not any(problems_of(record))}
        self._bench.person.say(f"{self._file} has these parts already: {', '.join(finished)}.")
        if len(good) < len(finished):
            bad = ", ".join(name for name in finished if name not in good)
            self._bench.person.say(f"There were problems with: {bad}.")
        answers = {ENTER: "keep them", ONLY_GOOD: "repeat those with problems", REPEAT: "begin again"}
        answer = self._bench.ask(Task("keep", "", "Keep what is finished?", answers, EYES_S))
        kept: dict[str, PartRecord] = {} if answer == REPEAT else good if answer == ONLY_GOOD else finished
        self._report.records.update(kept)
        self._report.made_at = before.made_at if kept else self._report.made_at

    def _check_place(self) -> None:
        """Finds out now, and not after all the work, if the report cannot be written."""
        self._save()
        if self._why_unsaved:
            self._bench.person.say(
                f"The report cannot be written to {self._file}: {self._why_unsaved}. It will be printed at the end. "
                "Or press Ctrl-C, and name another file with --out."
            )
            self._bench.ask(Task("go on", "", "Go on?", {ENTER: "go on"}, EYES_S))

    def _save(self) -> None:
        """Writes the report as it is now, as a whole or not at all."""
        try:
            write_whole(self._file, self._report.document(self._bench))
        except OSError as error:
            self._why_unsaved = error.strerror or str(error)
        else:
            self._why_unsaved = ""

    def _hand_over(self, stopped: bool) -> None:
        """Says where the report is, what is in it, and how to send it."""
        say = self._bench.person.say
        if self._why_unsaved:
            say(f"The report could not be written to {self._file}: {self._why_unsaved}.")
            say("Here it is; copy it into a file.\n")
            # Not in the person's words, which are wrapped to fit the screen.
            click.echo(self._report.document(self._bench))
        else:
            say(f"The report is in {self._file}.")
        say(f"{CONTENTS}\n{SENDING}")
        if stopped:
            say(f"To continue: the same command, {self._command}, once more.")


def write_whole(file: Path, text: str) -> None:
    """Writes a file, as a whole or not at all; a power cut leaves the old one or the new one."""
    if file.exists() and not file.is_file():
        # A device, such as /dev/stdout, has no old content to keep.
        with file.open("w", encoding="utf-8") as device:
            device.write(text)
        return
    file = file.absolute()
    with taking_the_place_of(file) as new:
        new.write_text(text, "utf-8")
        sync_file(new)
        os.replace(new, file)
    sync_folder(file.parent)


def summary(report: AcceptanceReport) -> str:
    """Returns the report in words: each part in a line, then what has to be fixed."""
    rows = [(name, record.state.value, _in_short(record)) for name, record in report.records.items()]
    counts = report.counts()
    lines = [table(("part", "", "found"), rows, left=(0, 1, 2)), ""]
    problems = [(name, each) for name, record in report.records.items() for each in problems_of(record)]
    if problems:
        lines.append("To be fixed, the first one first:")
        lines += [f"  {name}: {found}\n      do: {do}" for name, (_, found, do) in problems]
        lines.append("")
    unfinished = [name for name, record in report.records.items() if record.state in _UNFINISHED]
    said = ", ".join(f"{counts[verdict]} {mark}" for verdict, (mark, _) in MARKS.items())
    whole = "Everything was tried." if not unfinished else f"Not tried to the end: {', '.join(unfinished)}."
    return "\n".join([*lines, f"{said}. {whole}"])


_UNFINISHED: Final = (PartState.SKIPPED, PartState.STOPPED, PartState.FAILED)


def _in_short(record: PartRecord) -> str:
    """Returns how many remarks of each kind a part has."""
    counts = {verdict: sum(remark.verdict is verdict for remark in record.remarks) for verdict in Verdict}
    return ", ".join(f"{count} {MARKS[verdict][0]}" for verdict, count in counts.items() if count)

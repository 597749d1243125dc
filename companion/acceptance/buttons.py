"""Tries the buttons: each answers, answers as itself, lets go, and bounces no longer than the table waits."""

from __future__ import annotations

from typing import Final

from companion.acceptance.bench import (
    ENTER,
    HAPPENED,
    LATE,
    NO,
    REPEAT,
    UNANSWERED,
    Bench,
    Heard,
    Task,
)
from companion.acceptance.figures import SETTLED_S, MeasuredPress, measured_press
from companion.acceptance.part import AcceptancePart, PartRecord
from hardware.buttons import Edge, GpioButtons
from hardware.contacts import BOUNCE_S, HOLD_S, STUCK_S
from hardware.ports import Fault, Trouble

TRIES: Final = 3
"""How often somebody is asked for a press that can be measured."""
CONTACT: Final = "Check its wires and solder joints; if that does not help, replace the button."


class ButtonsPart(AcceptancePart):
    """Asks for a press of every button."""

    name = "buttons"
    title = "The buttons"
    ahead = "Every button once, in the order you are asked. Take your hands off the board for now."

    def walk(self, bench: Bench, record: PartRecord) -> None:
        with bench.devices.buttons(bench.board) as buttons, bench.listening(buttons) as heard:
            trial = _Trial(bench, buttons, heard, record)
            try:
                trial.all_buttons()
            finally:
                buttons.watch_edges(None)


class _Trial:
    """The buttons of one board, pressed one after another."""

    def __init__(self, bench: Bench, buttons: GpioButtons, heard: Heard, record: PartRecord) -> None:
        self._bench = bench
        self._buttons = buttons
        self._heard = heard
        self._record = record
        self._edges: list[Edge] = []
        self._answered_by: dict[str, str] = {}
        """For each button that was pressed, the one that answered."""
        self._stuck: set[str] = set()
        buttons.watch_edges(self._edges.append)

    def all_buttons(self) -> None:
        """Asks for every button, and records what was found."""
        self._bench.pause(SETTLED_S)
        for name in self._buttons.down:
            self._note_stuck(name, f"The button of {name} is down, although nobody presses it.")
        for name in self._bench.board.buttons:
            if name not in self._stuck:
                self._one(name)
        swapped = {name: other for name, other in self._answered_by.items() if name != other}
        for name, other in swapped.items():
            if swapped.get(other) != name:
                self._record.problem(f"You pressed {name}, {other} answered.", "Check both wires, and the board file.")
            elif name < other:
                self._record.problem(
                    f"You pressed {name}, {other} answered, and the other way round: they are swapped.",
                    "Swap their two wires, or their numbers in the board file.",
                )
        figures = self._record.group("buttons")
        good = [name for name, each in figures.items() if isinstance(each, dict) and each.get("good")]
        self._record.sum_up(len(good), len(self._bench.board.buttons), "buttons work as they should")

    def _one(self, name: str) -> None:
        label = self._bench.board.label(name)
        figures = self._record.group("buttons", name)
        words = f"Press {label} once, as you would in a game."
        tries = 0
        while True:
            self._edges.clear()
            self._heard.forget()
            answer = self._bench.ask(
                Task("press", name, words), lambda: bool(self._heard.presses() or self._trouble(name))
            )
            if answer == REPEAT:
                continue
            if answer in UNANSWERED or not self._heard.presses():
                self._unanswered(name, answer)
                return
            if not self._let_go():
                self._note_stuck(name, f"The button of {name} stays down.")
                return
            by = self._heard.presses()[0]
            if by != name and not self._meant(label, by):
                continue
            self._answered_by[name] = by
            pressed = measured_press([edge for edge in self._edges if edge.button == by])
            presses = self._heard.presses().count(by)
            tries += 1
            if pressed is not None or tries == TRIES:
                figures.update({"answered_by": by, "presses": presses, "tries": tries})
                self._judge(name, by, presses, pressed)
                return
            words = f"That was too short to measure, or more than one press. {label} once more, please."

    def _let_go(self) -> bool:
        """Waits until nothing is pressed any more, and the last contact has settled. Returns whether it is so."""

        def quiet() -> bool:
            last = self._edges[-1] if self._edges else None
            settled = last is None or self._bench.clock() - last.at_s >= SETTLED_S
            return settled and self._stuck.issuperset(self._buttons.down)

        if self._bench.await_(quiet, HOLD_S):
            return True
        return self._bench.ask(Task("release", "", "Let go of it.", {}, STUCK_S), quiet) == HAPPENED

    def _note_stuck(self, name: str, found: str) -> None:
        self._stuck.add(name)
        self._record.group("buttons", name)["stuck"] = True
        self._record.problem(found, CONTACT)

    def _trouble(self, name: str) -> Trouble | None:
        """Returns what is wrong with a contact that does not settle or cannot be read; `None` for a good one."""
        return self._heard.trouble(Fault.RESTLESS_BUTTON, name) or self._heard.trouble(Fault.DEAD_BUTTON, name)

    def _meant(self, label: str, by: str) -> bool:
        """Asks whether the right button was pressed, although another one answered."""
        other = self._bench.board.label(by)
        answers = {ENTER: f"yes, {label}", NO: "no, let me try again"}
        return self._bench.ask(Task("confirm", by, f"{other} answered. Did you press {label}?", answers)) != NO

    def _unanswered(self, name: str, answer: str) -> None:
        figures = self._record.group("buttons", name)
        if trouble := self._trouble(name):
            figures["trouble"] = trouble.fault.name.lower()
            self._record.problem(trouble.text, CONTACT)
            return
        figures["answered_by"] = None
        if answer == LATE:
            self._record.problem(f"You were asked to press {name}, and nothing answered.", CONTACT)
        else:
            self._record.skipped(f"The button of {name} was skipped.")

    def _judge(self, name: str, by: str, presses: int, pressed: MeasuredPress | None) -> None:
        figures = self._record.group("buttons", name)
        if pressed is not None:
            figures.update(pressed.figures())
        pause_ms = 0.0 if pressed is None else pressed.longest_pause_ms
        good = presses == 1 and pause_ms < BOUNCE_S * 1000
        figures["good"] = good and by == name
        if not good:
            self._record.problem(
                f"The contact of {name} bounces too long: one press counted {presses} times, with pauses of up to "
                f"{pause_ms:.1f} ms; the table waits {BOUNCE_S * 1000:.0f} ms.",
                CONTACT,
            )
        elif pressed is not None and by == name:
            self._bench.person.say(
                f"  {name}: {pressed.closing.edges} + {pressed.opening.edges} edges, quiet after "
                f"{max(pressed.closing.quiet_after_ms, pressed.opening.quiet_after_ms):.1f} ms, held "
                f"{pressed.held_ms:.0f} ms"
            )

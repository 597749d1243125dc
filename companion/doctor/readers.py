"""Checks whether every reader passes its self-test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from companion.doctor.check import Case, Check, Finding
from companion.engine import Message, phrase
from companion.engine.messages import Field
from hardware.board import Reader
from hardware.pieces import HubPort

ANSWER_S: Final = 1.5
ASKED: Final = 2
"""How often readers are asked: an answer is sent once, and can be lost."""


class Readers(Check):
    """Has the readers test themselves."""

    name = "readers"
    needs_board = True

    def look(self, case: Case) -> Iterator[Finding]:
        if not case.board.hubs:
            yield self.skipped("The board {board} has no readers.", board=case.board.name)
        ports = case.equipment.hubs(case.board)
        for port in ports:
            # Answers from an earlier check do not count.
            port.tests.clear()
        for _ in range(ASKED):
            for port in ports:
                if not done_testing(port):
                    port.test_readers()
            case.equipment.wait(lambda: all(map(done_testing, ports)), ANSWER_S)
        for port in ports:
            for number in range(port.hub.readers):
                reader = Reader(port.hub.name, number)
                where = case.board.place_of(reader) or f"{port.hub.name}/{number}"
                yield self._finding_of(port, number, where, case.board_option)

    def _finding_of(self, port: HubPort, number: int, where: str, board_option: str) -> Finding:
        if not answers(port):
            found = phrase("The reader of {where} was not tested, because its hub {hub} does not answer.")
            return self.skipped(found, where=where, hub=port.hub.name)
        test = port.tests.get(number)
        result = _in_words(test.result) if test is not None else ""
        if test is not None and test.passed:
            return self.ok("The reader of {where} works ({result}).", where=where, result=result)
        return self.problem(
            phrase("The reader of {where} failed its test ({result}).")
            if test is not None
            else phrase("The reader of {where} did not answer the test."),
            phrase(
                "Check its wires to the hub {hub}, where it is reader {number}; companion board wiring{board} shows "
                "them. Until then, use the button of {where}."
            ),
            where=where,
            hub=port.hub.name,
            number=number,
            result=result,
            board=board_option,
        )


def _in_words(result: str) -> Field:
    """Returns the details of a test result, without the verdict.

    >>> str(_in_words("ok version 92")), _in_words("failed no answer")
    ('version 92 hexadecimal', 'no answer')
    """
    words = result.partition(" ")[2] or result
    version = re.fullmatch(r"version ([0-9A-F]{2})", words)
    return Message("version {version} hexadecimal", {"version": version[1]}) if version else words


def answers(port: HubPort) -> bool:
    """Returns whether a hub answers."""
    return port.condition == "in step"


def done_testing(port: HubPort) -> bool:
    """Returns whether there is nothing more to wait for: all readers have answered, or the hub does not."""
    return not answers(port) or len(port.tests) >= port.hub.readers

"""Several phones, a bot, faults and kills at once: what was answered as saved is in the journal, once and in order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.sim.histories import MAYBE, REFUSED, SAVED, Line, Sent, faults, of_all, run_history

PLACED = Sent("phone 1", "red", "place granada", seen=4, answer=SAVED, known=5)
IN_JOURNAL = Line(5, "red", "place granada")


@pytest.mark.parametrize(
    ("history", "journal", "fault"),
    [
        ([PLACED], [IN_JOURNAL], None),
        ([PLACED], [], "not in the journal"),
        ([PLACED], [IN_JOURNAL, Line(6, "red", "place granada")], "more often than it was sent"),
        ([PLACED], [Line(3, "red", "place granada")], "not in the journal"),
        ([PLACED], [Line(9, "red", "place granada")], "not in the journal"),
        ([], [IN_JOURNAL], "more often than it was sent"),
        ([replace(PLACED, answer=MAYBE)], [IN_JOURNAL], None),
        ([replace(PLACED, answer=MAYBE)], [], None),
        ([replace(PLACED, answer=REFUSED)], [], None),
        ([replace(PLACED, answer=REFUSED)], [IN_JOURNAL], "more often than it was sent"),
        # A double tap, on one phone or on two of the same player.
        ([PLACED, replace(PLACED, who="phone 2")], [IN_JOURNAL], None),
        ([PLACED, replace(PLACED, tap=("", 1))], [IN_JOURNAL], "not in the journal"),
    ],
)
def test_a_history_that_contradicts_the_journal_is_found(
    history: list[Sent], journal: list[Line], fault: str | None
) -> None:
    found = faults(history, journal)
    assert bool(found) == (fault is not None), found
    assert fault is None or fault in found[0]


@pytest.mark.parametrize(
    ("answers", "answer"),
    [
        ([SAVED], SAVED),
        ([SAVED, REFUSED], SAVED),
        # The first came too soon after others, and the second was taken.
        ([REFUSED, SAVED], SAVED),
        ([REFUSED, MAYBE], MAYBE),
        ([MAYBE, SAVED], SAVED),
        ([REFUSED, REFUSED], REFUSED),
    ],
)
def test_a_double_tap_counts_as_what_became_of_either(answers: list[str], answer: str) -> None:
    assert of_all(answers) == answer


@pytest.mark.games
@pytest.mark.parametrize("seed", range(5))
def test_every_move_that_was_answered_as_saved_is_in_the_journal_once_and_in_order(seed: int, tmp_path: Path) -> None:
    outcome = run_history(tmp_path, seed)
    assert outcome.problems == []
    assert outcome.saved > 5

"""What an undo takes back: one's own last gesture, never what was revealed, more only when everybody agrees."""

from __future__ import annotations

import pytest

from companion.engine import Move
from companion.table.undo import DEALT, DIALLED, DIALS_SET, NOTHING, Undo, undo_of

# The moves, each with who made it (person, bot, table), who wants to undo, whether the whole turn; what comes of it.
CASES = {
    "nothing yet": ([], None, False, Undo(refused=NOTHING)),
    "only what the table did": (["t:red recruit 0"], None, False, Undo(refused=NOTHING)),
    "the last gesture": (["p:red place granada", "p:red place sevilla"], None, False, Undo(1)),
    "with what the table played after it": (["p:red card 2", "t:red end"], None, False, Undo(2)),
    "one's own": (["p:red place granada"], "red", False, Undo(1)),
    "another person's": (["p:red place granada"], "blue", False, Undo(1, by_agreement=True)),
    "past a bot": (["p:red end", "b:blue power 3", "b:blue recruit 2"], None, False, Undo(3, True, past=("blue",))),
    "only bots": (["b:blue power 3"], None, False, Undo(refused=NOTHING)),
    "a dial": (["p:red dial granada"], "red", False, Undo(refused=DIALLED)),
    "past a dial": (["p:red special", "b:blue dial granada"], None, False, Undo(refused=DIALS_SET)),
    "past a deal": (["p:red end", "t:table reveal 1 move-3"], None, False, Undo(refused=DEALT)),
    "a card entered by a person": (["p:table reveal 1 move-3"], None, False, Undo(1)),
    "a card after another": (["p:red end", "p:table reveal 1 move-3", "p:table reveal 2 veto"], None, False, Undo(1)),
    "a whole turn": (
        ["p:blue end", "p:red recruit 2", "p:red card 2", "p:red place granada"],
        "red",
        True,
        Undo(3, by_agreement=True),
    ),
    "the first turn": (["p:red power 3", "p:red recruit 2", "p:red card 1"], "red", True, Undo(2, by_agreement=True)),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_taken_back(case: str) -> None:
    lines, seat, whole_turn, wanted = CASES[case]
    makers = {"p": "person", "b": "bot", "t": "table"}
    moves = [Move.parse(line.partition(":")[2]) for line in lines]
    assert undo_of(moves, [makers[line[0]] for line in lines], seat, whole_turn) == wanted


def test_what_stands_for_good_is_not_taken_back_though_the_cards_after_it_were() -> None:
    moves = [Move.parse("red end"), Move.parse("table reveal 1 move-3")]
    assert undo_of(moves, ["person", "person"], fixed=1) == Undo(1)
    assert undo_of(moves[:1], ["person"], fixed=1) == Undo(refused=DEALT)

"""How a game was dealt, as lines of text: `companion show` prints them, records carry them, and verify reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from companion.engine import SEATS
from companion.storage.journal import Kept
from companion.table.fair_deal import Fairness, Mix, deals_in, is_number
from companion.table.options import Options

NOT_SECRET: Final = "not secret"
REAL_CARDS: Final = "real cards"


def fairness_lines(fairness: Fairness, real_cards: bool = False) -> Iterator[str]:
    """Yields how a game was dealt, a fact a line.

    >>> list(fairness_lines(Fairness(secret=False, seed="7")))
    ['dealt: not secret, from a plain number', 'seed: 7']
    >>> list(fairness_lines(Fairness(secret=True), real_cards=True))
    ['dealt: real cards']
    """
    if real_cards:
        yield f"dealt: {REAL_CARDS}"
        return
    if not fairness.secret:
        yield f"dealt: {NOT_SECRET}, from a plain number"
    if fairness.dealt_from:
        yield f"dealt from move: {fairness.dealt_from + 1}"
    if fairness.commitment:
        yield f"commitment: {fairness.commitment}"
    for mix in fairness.mixes:
        yield f"mixed in from move {mix.first + 1}: {mix}"
    if fairness.seed:
        yield f"seed: {fairness.seed}"


def lines_of(kept: Kept) -> Iterator[str]:
    """Yields how a saved game was dealt; nothing about one that was imported whole, which this table did not deal."""
    fairness = Fairness.of_kept(kept)
    if not kept.game.over or deals_in(kept.game, fairness.dealt_from):
        yield from fairness_lines(fairness, Options.from_json(kept.options).real_cards)


_LINE: Final = re.compile(r"#\s*(dealt|dealt from move|commitment|mixed in from move (\d{1,9})|seed):\s*(.*)")


def fairness_in(record: str) -> tuple[Fairness, bool] | None:
    """Returns how the game of a record was dealt, and whether with real cards; `None` when the record does not say.

    >>> fairness_in(chr(10).join(["# dealt: not secret, from a plain number", "# seed: 7", "edition: classic-de"]))
    (Fairness(secret=False, commitment='', mixes=(), dealt_from=0, seed='7'), False)
    """
    facts: dict[str, str] = {}
    mixes: list[Mix] = []
    for line in record.splitlines():
        if (found := _LINE.fullmatch(line.strip())) is None:
            continue
        key, first, value = found.groups()
        if first is not None:
            mixes.append(Mix(int(first) - 1, _numbers(value)))
        else:
            facts[key] = value
    if not facts:
        return None
    dealt = facts.get("dealt", "")
    begun = facts.get("dealt from move", "1")
    dealt_from = int(begun) - 1 if re.fullmatch(r"[1-9]\d{0,8}", begun, re.ASCII) else 0
    secret = not dealt.startswith(NOT_SECRET)
    fairness = Fairness(secret, facts.get("commitment", ""), tuple(mixes), dealt_from, facts.get("seed", ""))
    return fairness, dealt == REAL_CARDS


def _numbers(value: str) -> dict[str, str]:
    pairs = (word.partition("=") for word in value.split())
    return {seat: number for seat, _, number in pairs if seat in SEATS and is_number(number)}

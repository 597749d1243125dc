"""Finished turns with their bots' reasons: only what the turn really led to is told."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.bots import make_bot
from companion.engine import SEATS, TABLE, Game, Message, deal
from companion.engine.history import TurnKind, history
from companion.engine.regions import CASTILLO, PLACE_INDEX
from companion.engine.scoring import payout
from companion.engine.state import State
from companion.table.turn_summaries import summary_of
from companion.translations import Translator
from tests.support.arrange import play, turn_of
from tests.support.moments import moment_of

THREE = ("red", "blue", "green")
WIN = Message("to win {place}", {"place": "pais-vasco"})


def told(game: Game, reasons: dict[str, Message | None]) -> str:
    """The last turn in one sentence, with the reasons that a bot gave for some of its lines."""
    public = moment_of(game).public
    by_number = {
        number: reasons[line]
        for line, number in zip(public.view["log"], public.numbers, strict=True)
        if line in reasons
    }
    sentence = summary_of(replace(public, reasons=by_number), history(public.view)[-1])
    assert sentence is not None
    return Translator().say(sentence)


def test_the_reason_of_the_last_decision_is_told() -> None:
    game = play(turn_of("veto", THREE), "red place castillo", "red place pais-vasco", "red special", "red end")
    castillo = Message("to have caballeros in {place}", {"place": CASTILLO})
    said = told(game, {"red place castillo": castillo, "red place pais-vasco": WIN})
    assert said == "Red took «Veto», kept a veto and placed 2, to win País Vasco."


def test_a_plan_that_a_later_decision_gave_up_is_not_told() -> None:
    game = play(turn_of("veto", THREE), "red place pais-vasco", "red end")
    assert told(game, {"red place pais-vasco": WIN, "red end": None}) == "Red took «Veto» and placed 1 in País Vasco."


def test_a_move_whose_reason_would_be_a_secret_gives_up_nothing() -> None:
    game = turn_of("power-back", THREE, hands={"red": [1, 2]})
    play(game, "red place pais-vasco", "red special", "red retake 13", "red end")
    said = told(game, {"red place pais-vasco": WIN, "red special": WIN, "red retake ?": None})
    assert said.endswith("placed 1 in País Vasco, to win País Vasco.")


def test_what_was_planned_before_a_veto_is_not_told() -> None:
    game = turn_of("king", THREE, vetoes=["blue"])
    play(game, "red place pais-vasco", "red special", "blue allow", "red king pais-vasco", "blue veto", "red end")
    done, stopped = "Red took «The King» and placed 1 in País Vasco", "Blue vetoed moving the King to País Vasco"
    with_king = Message("to win {place} with the King", {"place": "pais-vasco"})
    assert told(game, {"red king pais-vasco": with_king}) == f"{done}, but {stopped}."
    assert told(game, {"red king pais-vasco": with_king, "red end": WIN}) == f"{done}, to win País Vasco; {stopped}."


@pytest.mark.games
@pytest.mark.parametrize("seed", range(6))
def test_over_whole_games_every_reason_that_is_told_came_true(seed: int) -> None:
    rng = Random(seed)
    level = ("easy", "easy", "normal")[seed % 3]
    game = Game(SEATS[: rng.randint(3, 5)], rounds=6)
    bots = {seat: make_bot(level, seed) for seat in game.seats}
    reasons: dict[int, Message | None] = {}
    states = [game.state]
    while not game.over:
        (seat, *_) = game.to_act
        if seat == TABLE:
            deal(game, rng)
        else:
            legal = game.legal_moves(seat)
            decision = bots[seat].decide(game.view(seat), legal)
            game.play(decision.move)
            # What leaves no choice is played by the table, without a reason.
            if len(legal) > 1:
                reasons[len(game.moves)] = decision.because
        states.append(game.state)
    public = replace(moment_of(game).public, reasons=reasons)
    checked = 0
    for turn in history(public.view):
        sentence = summary_of(public, turn)
        why = sentence.fields.get("why") if sentence is not None else None
        if turn.kind == TurnKind.ACTION and isinstance(why, Message):
            before, after = states[turn.lines[0].at], states[turn.lines[-1].at]
            assert came_true(why, before, after, str(turn.seat)), (sentence, turn.lines)
            checked += 1
    assert checked > 5


def came_true(why: Message, before: State, after: State, name: str) -> bool:
    """Whether what a turn was meant to lead to is so at its end."""
    seat = before.setup.index[name]
    if "number" in why.fields:
        return after.scores[seat] - before.scores[seat] == why.fields["number"]
    if "place" not in why.fields:
        return after.special_used
    place = PLACE_INDEX[str(why.fields["place"])]
    if place == PLACE_INDEX[CASTILLO]:
        return after.board[place][seat] > before.board[place][seat]
    paid, pays = payout(before, place), payout(after, place)
    if "other" in why.fields:
        other = before.setup.index[str(why.fields["other"])]
        return pays.paid_to(other) < paid.paid_to(other)
    wins = why.text.startswith("to win")
    return pays.paid_to(seat) > paid.paid_to(seat) and (not wins or pays.leader == seat)

"""Tournaments: fair deals, results that survive a stop, and a table that adds up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from companion.bots import Bot, make_bot
from companion.bots.tournament import Match, OtherTournament, Played, Results, chart, play_game, share, standings
from companion.cli import main
from companion.engine import Game, deal

MATCH = Match(("easy", "random", "random"), "bigbox-de", 6, (), 1, 1.0, None)


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["tournament", *args], catch_exceptions=False)


def test_bots_move_on_a_seat_with_every_game_and_a_rotation_has_one_deal() -> None:
    assert [MATCH.seating(number)[0] for number in range(4)] == ["easy", "random", "random", "easy"]
    assert [MATCH.deal_number(number) for number in range(7)] == [0, 0, 0, 1, 1, 1, 2]


def test_the_deals_are_the_same_whatever_the_players_do() -> None:
    dealt = []
    for seed in range(3):
        game = Game(("red", "blue"), rounds=6)
        rng = Random(seed)
        cards: list[str] = []
        while not game.over:
            if game.to_act == ("table",):
                cards.append(str(deal(game, Random(f"1/0/{len(cards)}"))))
            else:
                game.play(rng.choice(game.legal_moves()))
        dealt.append(cards)
    assert dealt[0] == dealt[1] == dealt[2]


def test_a_game_is_the_same_when_it_is_played_again() -> None:
    assert play_game(MATCH, 4) == play_game(MATCH, 4)


def test_a_bot_that_is_not_built_in_plays_under_the_name_it_is_given() -> None:
    seeds: list[int] = []

    def make(seed: int) -> Bot:
        seeds.append(seed)
        return make_bot("random", seed)

    match = replace(MATCH, bots=("mine", "random", "random"))
    played = play_game(match, 4, {"mine": make})
    assert played.bots == ("random", "random", "mine")
    assert seeds == [1004]
    # It decides as the level does that it is made of, so the game is the same.
    assert played.scores == play_game(replace(MATCH, bots=("random",) * 3), 4).scores


def test_results_are_kept_and_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    results = Results(file, MATCH)
    results.add(Played(0, ("easy", "random", "random"), (30, 10, 20), 200))
    with file.open("a") as cut:
        cut.write('[1, ["easy", "ran')  # as when the machine is switched off
    again = Results(file, MATCH)
    assert again.to_play(3) == [1, 2]
    again.add(Played(1, ("random", "easy", "random"), (5, 6, 6), 210))
    assert Results(file, MATCH).to_play(3) == [2]
    assert Results(file, MATCH).played[1].scores == (5, 6, 6)


def test_the_results_of_another_tournament_are_not_mixed_in(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    Results(file, MATCH).add(play_game(MATCH, 0))
    with pytest.raises(OtherTournament, match="holds the results of another tournament"):
        Results(file, Match(("easy", "random"), "bigbox-de", 6, (), 1, 1.0, None))


def test_odd_files_are_told_and_an_empty_one_is_new(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    file.write_bytes(b"")
    results = Results(file, MATCH)
    results.add(Played(0, ("easy", "random", "random"), (30, 10, 20), 200))
    with file.open("a") as odd:
        odd.write("5\n")
    assert Results(file, MATCH).to_play(2) == [1]
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(OtherTournament):
        Results(file, MATCH)


def test_a_shared_win_counts_in_part() -> None:
    assert Played(0, ("a", "b", "c"), (9, 9, 3), 1).shares() == (0.5, 0.5, 0)


def test_the_win_share_of_several_copies_is_that_of_each() -> None:
    games = [Played(n, ("easy", "random", "random"), (9, 2, 3) if n else (1, 7, 3), 1) for n in range(4)]
    easy, random = standings(games)
    assert (easy.bot, easy.copies, easy.share.value) == ("easy", 1, 0.75)
    assert (random.copies, random.share.value) == (2, 0.125)


def test_an_interval_holds_its_share_and_narrows_with_games() -> None:
    few, many = share(6, 10), share(600, 1000)
    assert few.low < 0.6 < few.high
    assert many.high - many.low < (few.high - few.low) / 5
    assert (share(0, 20).low, share(20, 20).high) == (0, 1)


def test_the_chart_has_a_bar_for_each_level_and_the_level_line() -> None:
    drawn = chart(standings([play_game(MATCH, number) for number in range(3)]), "3 games", 1 / 3)
    assert drawn.count('height="30"') == 2
    assert "level" in drawn


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_command_plays_keeps_tells_and_draws(tmp_path: Path, jobs: str) -> None:
    file, plot = tmp_path / "r.jsonl", tmp_path / "c.svg"
    args = ("--bots", "easy,random,random", "--short", "--file", str(file), "--jobs", jobs)
    first = run(*args, "--games", "3", "--plot", str(plot))
    assert first.exit_code == 0
    assert "3 games, 3 seats, bigbox-de, 6 rounds; 33 % would be an equal share" in first.stdout
    assert "random x2" in first.stdout
    assert plot.read_text().startswith("<svg")
    second = run(*args, "--games", "4")
    assert "3 of 4 games are already in" in second.stderr
    assert len(file.read_text().splitlines()) == 5


def test_the_command_leaves_no_files_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("--bots", "random,random", "--short", "--games", "2")
    assert result.exit_code == 0
    assert "2 games, 2 seats" in result.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--bots", "easy,genius"), "there is no bot called 'genius'. The bots are random, easy, normal, hard"),
        (("--bots", "easy"), "El Grande is for 2 to 5 players, not 1"),
        (("--games", "0"), "0 is not in the range"),
    ],
)
def test_a_wrong_option_is_named_with_what_was_expected(args: tuple[str, ...], words: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert words in result.stderr

"""`companion verify`, and what other commands say about how a game was dealt."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.engine import TABLE, Game, deal
from companion.storage.journal import Entry
from companion.storage.notes import MixNote
from companion.table.fair_deal import Mix, chooser, digits, hash_of, notes_at_begin
from companion.table.options import Options
from tests.cli.test_games import file, journal, refused, run  # noqa: F401
from tests.support.random_games import Player

SEED = "hmac-sha256:" + "5e" * 32
MIX = Mix(0, {"red": "11" * 32, "blue": "22" * 32})


def played(seed: str = SEED, mixes: tuple[Mix, ...] = (MIX,), moves: int = 10_000) -> Game:
    """Returns a game whose cards follow from a seed and numbers, up to a move."""
    game, player = Game(("red", "blue"), rounds=6), Player(Random(3))
    while not game.over and len(game.moves) < moves:
        if game.to_act == (TABLE,):
            deal(game, chooser(seed, len(game.moves), mixes))
        else:
            game.play(player.choose(game.legal_moves()))
    return game


def keep(file: Path, game: Game, seed: str = SEED, mixes: tuple[Mix, ...] = (MIX,), **options: bool) -> None:  # noqa: F811
    notes = [*notes_at_begin(seed), *(MixNote(mix.first, mix.numbers) for mix in mixes)]
    with journal(file) as opened:
        number = opened.begin(Game(game.seats, rounds=6), Options(**options).as_json(), seed, notes)  # type: ignore[arg-type]
        opened.append(number, [Entry("move", move.text) for move in game.moves])
        if game.over:
            opened.finish(number)


def meddled(game: Game, index: int) -> Game:
    """Returns a game in which another card was turned up than the seed says, as far as it can be played."""
    other = Game(game.seats, game.edition, game.rounds, game.house)
    for move in game.moves[:index]:
        other.play(move)
    other.play(next(move for move in other.legal_moves() if move != game.moves[index]))
    player = Player(Random(5))
    while not other.over:
        number = len(other.moves)
        if other.to_act == (TABLE,):
            deal(other, chooser(SEED, number, (MIX,)))
        else:
            other.play(player.choose(other.legal_moves()))
    return other


def test_a_fair_game_is_shown_to_be_fair(file: Path) -> None:  # noqa: F811
    game = played()
    keep(file, game)
    result = run("verify", "1")
    assert result.exit_code == 0
    deals = sum(move.seat == TABLE for move in game.moves)
    assert result.stdout.splitlines() == [
        f"commitment: {hash_of('5e' * 32)}",
        f"seed: {'5e' * 32}",
        "numbers of phones, from move 1 on:",
        f"  blue: {'22' * 32}",
        f"  red: {'11' * 32}",
        f"Game 1: fair. All {deals} deals follow from the announced seed and the phones' numbers.",
    ]


def test_a_game_in_which_a_card_was_chosen_is_not_fair(file: Path) -> None:  # noqa: F811
    game = played()
    index = max(index for index, move in enumerate(game.moves) if move.seat == TABLE and index < 60)
    keep(file, meddled(game, index))
    result = run("verify", "1")
    assert result.exit_code == 1
    assert f"move {index + 1}: " in result.stdout
    assert "Game 1: NOT FAIR. 1 of " in result.stdout


def test_a_seed_that_was_not_announced_is_not_fair(file: Path) -> None:  # noqa: F811
    other = "hmac-sha256:" + "6f" * 32
    game = played(other)
    with journal(file) as opened:
        notes = [*notes_at_begin(SEED), MixNote(0, MIX.numbers)]
        number = opened.begin(Game(game.seats, rounds=6), {}, other, notes)
        opened.append(number, [Entry("move", move.text) for move in game.moves])
        opened.finish(number)
    result = run("verify", "1")
    assert result.exit_code == 1
    assert "Game 1: NOT FAIR. The seed is not the one whose hash was announced" in result.stdout


def test_a_game_under_way_keeps_its_seed_to_itself(file: Path) -> None:  # noqa: F811
    keep(file, played(moves=60))
    result = run("verify", "1")
    assert result.exit_code == 1
    assert "not over yet" in result.stdout
    for command in (("verify", "1"), ("show", "1"), ("games",), ("replay", "1", "--speed", "1000")):
        printed = run(*command)
        assert digits(SEED) not in printed.output
    assert f"commitment: {hash_of('5e' * 32)}" in run("show", "1").stdout


def test_a_game_that_was_ended_early_can_be_checked_too(file: Path) -> None:  # noqa: F811
    keep(file, played(moves=60))
    with journal(file) as opened:
        opened.finish(1)
    assert "Game 1: fair. All " in run("verify", "1").stdout
    assert f"seed: {digits(SEED)}" in run("show", "1").stdout


def test_a_plain_number_is_marked_as_not_secret_everywhere(file: Path, tmp_path: Path) -> None:  # noqa: F811
    keep(file, played("7", ()), "7", ())
    result = run("verify", "1")
    assert result.exit_code == 1
    assert "Game 1: NOT SECRET. All " in result.stdout
    assert "; not secret" in run("games").stdout
    assert "dealt: not secret, from a plain number" in run("show", "1").stdout
    assert "# dealt: not secret, from a plain number\n# seed: 7\n" in run("export", "1").stdout


def test_with_real_cards_there_is_nothing_to_check(file: Path, tmp_path: Path) -> None:  # noqa: F811
    keep(file, played(), real_cards=True)
    for game in ("1", str(tmp_path / "record")):
        if game != "1":
            run("export", "1", game)
        result = run("verify", game)
        assert result.exit_code == 0
        assert "played with real cards" in result.stdout


def test_a_record_carries_what_is_needed_and_can_be_checked_anywhere(file: Path, tmp_path: Path) -> None:  # noqa: F811
    keep(file, played())
    record = tmp_path / "record"
    run("export", "1", record)
    assert run("verify", record).stdout.replace(str(record), "Game 1") == run("verify", "1").stdout
    text = record.read_text()
    assert f"seed: {'5e' * 32}" in run("show", record).stdout
    record.write_text(text.replace("# seed: 5e", "# seed: 5f"))
    assert run("verify", record).exit_code == 1
    record.write_text(text.replace("# seed:", "# sead:"))
    assert "NOT SHOWN TO BE FAIR" in run("verify", record).stdout
    record.write_text("\n".join(line for line in text.splitlines() if not line.startswith("#")))
    assert "does not say how its game was dealt" in refused("verify", record)


def test_an_imported_game_is_dealt_from_a_secret_seed_and_checked_from_there_on(
    file: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    record = tmp_path / "record"
    record.write_text(played("7", (), moves=60).record())
    run("import", record)
    with journal(file) as opened:
        kept = opened.load(1)
        assert kept.seed.startswith("hmac-sha256:")
        game, player = kept.game, Player(Random(3))
        before = len(game.moves)
        while not game.over:
            if game.to_act == (TABLE,):
                deal(game, chooser(kept.seed, len(game.moves)))
            else:
                game.play(player.choose(game.legal_moves()))
        opened.append(1, [Entry("move", move.text) for move in game.moves[before:]])
    result = run("verify", "1")
    assert result.exit_code == 0
    assert f"The first {before} moves were imported." in result.stdout


@pytest.mark.parametrize("line", ["# seed: xyz", "# seed: 5", "# dealt from move: 99999999999999", "# commitment: no"])
def test_a_record_that_says_something_strange_is_not_fair(line: str, file: Path, tmp_path: Path) -> None:  # noqa: F811
    record = tmp_path / "record"
    record.write_text(f"{line}\n{played(mixes=()).record()}")
    assert run("verify", record).exit_code == 1


def test_play_with_a_seed_warns_that_the_game_is_not_secret(file: Path) -> None:  # noqa: F811
    fixed = ("play", "--terminal", "--board", "buttons-only", "--simulated", "--pace", "instant", "--people", "0")
    result = run(*fixed, "--seats", "2", "--short", "--bots", "random", "--seed", "5")
    assert "--seed 5: this game is not secret." in result.stderr
    result = run(*fixed, "--seats", "2", "--short", "--bots", "random", "--new")
    assert "not secret" not in result.stderr
    checked = run("verify", "2").stdout
    assert "fair. All " in checked
    commitment = checked.splitlines()[0].removeprefix("commitment: ")
    assert f"The cards follow from a seed with this hash: {commitment}." in result.stdout
    assert checked.splitlines()[1].removeprefix("seed: ") not in result.stdout
    assert run("verify", "1").exit_code == 1

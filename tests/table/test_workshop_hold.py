"""The board is tried in the workshop: the game waits, loses nothing, and goes on by itself."""

from __future__ import annotations

from pathlib import Path

from companion.table.options import Options
from companion.table.table import Said, Try
from companion.table.workshop_hold import HELD_S
from hardware.ports import DARK, Fault, Pattern, Press, Scene, Show, Trouble
from tests.support.arrange import at
from tests.support.table_rig import BLUE, GREEN, INVENTORY, RED, TAP, Bench, at_a_bench, placing
from tests.table.test_veto import moving

SHOWN = Scene({"granada": Show(Pattern.STEADY, "green")})


def try_out(bench: Bench, scene: Scene | None = SHOWN) -> None:
    bench.table.post(Try(scene))
    bench.table.poll()


def test_while_it_is_tried_the_board_shows_what_is_tried_and_presses_are_no_moves(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        before, moves, legal = bench.scene, bench.game.moves, sorted(bench.lit(Pattern.BREATHE))
        try_out(bench)
        assert bench.scene == SHOWN
        assert bench.table.tried
        bench.press(*legal, "confirm", "undo")
        bench.table.post(Press("undo", long=True))
        bench.table.post(Press("galicia", long=True))
        bench.table.poll()
        assert (bench.game.moves, bench.scene, bench.board.seats_open) == (moves, SHOWN, False)
        try_out(bench, DARK)
        assert bench.scene == DARK
        try_out(bench, None)
        assert not bench.table.tried
        assert bench.scene == before
        bench.press("castillo")
        assert at(bench.game, "castillo", "red") == 1


def test_everybody_is_told_that_the_game_waits_and_who_speaks_all_the_same_is_told_why(tmp_path: Path) -> None:
    words = "The board is being tried in the workshop. The game waits."
    with at_a_bench(tmp_path, placing()) as bench:
        moves = bench.game.moves
        try_out(bench)
        assert bench.notices == [words]
        replies: list[bool] = []
        bench.table.post(Said("red", "place castillo", bench.board.version, replies.append))
        bench.table.poll()
        assert replies == [True]
        assert bench.game.moves == moves
        assert str(bench.prompt("red").told) == words
        try_out(bench, None)
        assert bench.notices == []
        assert bench.prompt("red").told is None


def test_a_workshop_that_went_away_gives_the_board_back(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        before = bench.scene
        try_out(bench)
        bench.pass_s(HELD_S - 1)
        try_out(bench)
        bench.pass_s(HELD_S - 1)
        assert bench.scene == SHOWN
        assert 0 < (bench.table.poll() or 0) <= 1
        bench.pass_s(1)
        assert bench.scene == before


def test_bots_wait_while_the_board_is_tried(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), Options(players={"red": "easy"}, bot_pause_s=0.5)) as bench:
        moves = bench.game.moves
        try_out(bench)
        bench.think("red place castillo")
        assert bench.game.moves == moves
        try_out(bench, None)
        bench.pass_s(1)
        assert len(bench.game.moves) == len(moves) + 1


def test_nobody_loses_time_for_a_veto_while_the_board_is_tried(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving(), Options(veto_s=10)) as bench:
        bench.press("sevilla", "granada")
        for _ in range(3):
            try_out(bench)
            bench.pass_s(9)
        assert at(bench.game, "granada", "blue") == 0
        try_out(bench, None)
        bench.pass_s(9.9)
        assert at(bench.game, "granada", "blue") == 0
        bench.pass_s(0.1)
        assert at(bench.game, "granada", "blue") == 1


def test_a_trouble_is_told_and_kept_in_mind_also_while_the_board_is_tried(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        try_out(bench)
        bench.table.post(Trouble(Fault.STUCK_BUTTON, "granada"))
        bench.table.poll()
        assert any("stays pressed" in notice for notice in bench.notices)


def test_pieces_that_were_moved_meanwhile_are_known_afterwards_where_readers_list_them(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=INVENTORY) as bench:
        bench.lay_out()
        try_out(bench)
        bench.lift(GREEN, "sevilla")
        bench.put(GREEN, "sevilla")
        bench.lift(BLUE, "aragon")
        try_out(bench, None)
        bench.pass_s(5)
        # Only the one that did not come back.
        assert len(bench.guide) == 1
        assert "blue" in bench.guide[0]


def test_tags_held_to_readers_in_the_workshop_are_no_moves_afterwards(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=TAP) as bench:
        moves = bench.game.moves
        try_out(bench)
        bench.tap(RED, "castillo")
        bench.put(RED, "castillo")
        try_out(bench, None)
        assert bench.game.moves == moves
        bench.pass_s(5)
        assert bench.notices == ["Take the piece off the reader of castillo: it is only tapped there."]
        bench.lift(RED, "castillo")
        assert bench.notices == []

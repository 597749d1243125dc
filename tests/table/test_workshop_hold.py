"""The board is tried in the workshop: the game waits, loses nothing, and goes on by itself."""

from __future__ import annotations

from pathlib import Path

from companion.table.options import Options
from companion.table.workshop_hold import HELD_S, TryBoard
from hardware.ports import DARK, Fault, Pattern, Press, Scene, Show, Trouble
from tests.support.arrange import at
from tests.support.table_rig import BLUE, GREEN, INVENTORY, RED, TAP, TableRig, placing, table_rig
from tests.table.test_veto import moving

SHOWN = Scene({"granada": Show(Pattern.STEADY, "green")})


def try_out(rig: TableRig, scene: Scene | None = SHOWN) -> None:
    rig.table.post(TryBoard(scene))
    rig.table.poll()


def test_while_it_is_tried_the_board_shows_what_is_tried_and_presses_are_no_moves(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        before, moves, legal = rig.scene, rig.game.moves, sorted(rig.lit(Pattern.BREATHE))
        try_out(rig)
        assert rig.scene == SHOWN
        assert rig.public.tried
        rig.press(*legal, "confirm", "undo")
        rig.table.post(Press("undo", long=True))
        rig.table.post(Press("galicia", long=True))
        rig.table.poll()
        assert (rig.game.moves, rig.scene, rig.public.seats_open) == (moves, SHOWN, False)
        try_out(rig, DARK)
        assert rig.scene == DARK
        try_out(rig, None)
        assert not rig.public.tried
        assert rig.scene == before
        rig.press("castillo")
        assert at(rig.game, "castillo", "red") == 1


def test_everybody_is_told_that_the_game_waits_and_who_speaks_all_the_same_is_told_why(tmp_path: Path) -> None:
    words = "The board is being tried out in the workshop. The game waits."
    with table_rig(tmp_path, placing()) as rig:
        moves = rig.game.moves
        try_out(rig)
        assert rig.notices == [words]
        rig.say("red", "place castillo")
        assert [str(reply.why) for reply in rig.replies] == [words]
        assert rig.game.moves == moves
        assert str(rig.prompt("red").notice) == words
        try_out(rig, None)
        assert rig.notices == []
        assert rig.prompt("red").notice is None


def test_a_workshop_that_went_away_gives_the_board_back(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        before = rig.scene
        try_out(rig)
        rig.pass_s(HELD_S - 1)
        try_out(rig)
        rig.pass_s(HELD_S - 1)
        assert rig.scene == SHOWN
        assert 0 < (rig.table.poll() or 0) <= 1
        rig.pass_s(1)
        assert rig.scene == before


def test_bots_wait_while_the_board_is_tried(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), Options(players={"red": "easy"}, pace="fast")) as rig:
        moves = rig.game.moves
        try_out(rig)
        rig.think("red place castillo")
        assert rig.game.moves == moves
        try_out(rig, None)
        rig.pass_s(1)
        assert len(rig.game.moves) == len(moves) + 1


def test_nobody_loses_time_for_a_veto_while_the_board_is_tried(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), Options(veto_s=10)) as rig:
        rig.press("sevilla", "granada")
        for _ in range(3):
            try_out(rig)
            rig.pass_s(9)
        assert at(rig.game, "granada", "blue") == 0
        try_out(rig, None)
        rig.pass_s(9.9)
        assert at(rig.game, "granada", "blue") == 0
        rig.pass_s(0.1)
        assert at(rig.game, "granada", "blue") == 1


def test_a_trouble_is_told_and_kept_in_mind_also_while_the_board_is_tried(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        try_out(rig)
        rig.table.post(Trouble(Fault.STUCK_BUTTON, "granada"))
        rig.table.poll()
        assert any("is stuck" in notice for notice in rig.notices)


def test_pieces_that_were_moved_meanwhile_are_known_afterwards_where_readers_list_them(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        rig.lay_out()
        try_out(rig)
        rig.lift(GREEN, "sevilla")
        rig.put(GREEN, "sevilla")
        rig.lift(BLUE, "aragon")
        try_out(rig, None)
        rig.pass_s(5)
        # Only the one that did not come back.
        assert len(rig.guide) == 1
        assert "blue" in rig.guide[0]


def test_pieces_that_were_moved_meanwhile_are_no_moves(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        rig.lay_out()
        moves = rig.game.moves
        try_out(rig)
        rig.put(RED, "castillo")
        try_out(rig, None)
        rig.pass_s(5)
        assert rig.game.moves == moves
        assert rig.guide == ["Take 1 red from castillo."]


def test_tags_held_to_readers_in_the_workshop_are_no_moves_afterwards(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=TAP) as rig:
        moves = rig.game.moves
        try_out(rig)
        rig.tap(RED, "castillo")
        rig.put(RED, "castillo")
        try_out(rig, None)
        assert rig.game.moves == moves
        rig.pass_s(5)
        assert rig.notices == ["Take the piece off the reader of castillo: only tap it there, and do not leave it."]
        rig.lift(RED, "castillo")
        assert rig.notices == []

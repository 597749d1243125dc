"""The guide: the shortest list of steps from how the board lies to how the game has it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from companion.engine import SEATS, Game
from companion.engine.pieces import Piece, PieceKind
from companion.table import turns
from companion.table.guide import GuideStep, Position, done, markers, position_of, seen, steps
from companion.table.motions import KING, STOCK, motion_of
from companion.table.options import Options
from companion.table.piece_tracker import SETTLE_S, PieceTracker
from tests.support.random_games import SEEDS, decisions, games, some_position

RED, BLUE = Piece(PieceKind.CABALLERO, "red"), Piece(PieceKind.CABALLERO, "blue")


def at(**places: int) -> Counter[str]:
    return Counter({name.replace("_", "-"): count for name, count in places.items()})


def test_a_bumped_piece_goes_back_where_it_was() -> None:
    game: Position = {RED: at(aragon=2, granada=1)}
    assert steps({RED: at(aragon=1, granada=2)}, game) == [GuideStep(RED, "granada", "aragon")]


def test_pieces_sent_home_are_taken_together() -> None:
    assert steps({RED: at(aragon=3, stock=27)}, {RED: at(stock=30)}) == [GuideStep(RED, "aragon", STOCK, 3)]


def test_of_pieces_that_are_alike_it_does_not_matter_which_goes_where() -> None:
    found = steps({RED: at(aragon=2, sevilla=1)}, {RED: at(granada=1, valencia=2)})
    assert sum(step.count for step in found) == 3
    assert len(found) == 2


def test_nothing_is_to_be_done_when_board_and_game_agree() -> None:
    game = some_position(3)
    assert steps(position_of(game.snapshot()), position_of(game.snapshot())) == []


def test_pieces_leave_before_others_come() -> None:
    board: Position = {RED: at(stock=30), BLUE: at(aragon=2, stock=28), KING: at(aragon=1)}
    game: Position = {RED: at(granada=1, stock=29), BLUE: at(stock=30), KING: at(sevilla=1)}
    assert [step.piece for step in steps(board, game)] == [BLUE, KING, RED]


@given(SEEDS)
@games(150)
def test_doing_all_steps_in_any_order_makes_the_board_match_and_none_is_too_many(seed: int) -> None:
    rng = Random(seed)
    game = some_position(seed)
    wanted = position_of(game.snapshot())
    board = {piece: _shuffled(heap, rng) for piece, heap in wanted.items()}
    found = steps(board, wanted)
    # As many pieces are moved as lie wrong, and not one more.
    assert sum(step.count for step in found) == sum((board[piece] - wanted[piece]).total() for piece in wanted)
    rng.shuffle(found)
    for step in found:
        board = done(board, step)
    assert board == wanted


def _shuffled(heap: Counter[str], rng: Random) -> Counter[str]:
    places = ("aragon", "granada", "castillo", STOCK)
    return Counter(rng.choice(places) if rng.random() < 0.3 else place for place in heap.elements())


@pytest.mark.parametrize("seed", range(4))
def test_every_piece_is_somewhere_at_every_moment(seed: int) -> None:
    for game, _ in decisions(seed):
        totals = {piece: heap.total() for piece, heap in position_of(game.snapshot()).items()}
        assert all(total == (30 if piece.kind == "caballero" else 1) for piece, total in totals.items())


@pytest.mark.parametrize("seed", range(6))
def test_a_move_made_by_hand_leaves_nothing_to_do_but_what_the_rules_add(seed: int) -> None:
    """Placing, moving, the King, Grande and tiles: the hand has done all that the move does to the pieces."""
    for game, move in decisions(seed):
        motion = motion_of(move, game.snapshot())
        if motion is None or move.verb in ("score", "expel", "home"):
            continue
        after = game.copy()
        follower = PieceTracker(after, {}, guided=True)
        after.play(move)
        if after.questions and after.questions[0].kind == "veto":
            continue  # it has not happened yet
        follower.moved(motion, after, 0.0)
        assert follower.steps(after) == []


def test_where_a_reader_lists_what_lies_there_it_is_right() -> None:
    board: Position = {RED: at(aragon=2, granada=1, stock=27)}
    assert seen(board, {"aragon": Counter({RED: 1})}) == {RED: at(aragon=1, granada=1, stock=28)}


def test_the_markers_of_those_who_scored_are_told() -> None:
    assert markers({"red": 12, "blue": 3}, {"red": 23, "blue": 3}) == {"red": 23}


# --- Following -------------------------------------------------------------------------------------------------------


def ready(modes: dict[str, str] | None = None) -> tuple[Game, PieceTracker]:
    """A board that is as the game has it; readers that list have told so."""
    game = some_position(11)
    follower = PieceTracker(game, modes or {}, guided=True)
    for piece, heap in position_of(game.snapshot()).items():
        for place in heap.elements():
            if follower.lists(place):
                follower.read(game, piece, place, gone=False, now_s=0.0)
    assert follower.steps(game) == []
    return game, follower


def test_a_tap_follows_the_guide_from_and_to() -> None:
    game, follower = ready()
    place, colour = _occupied(game)
    follower.do(GuideStep(Piece(PieceKind.CABALLERO, colour), place, "castillo"))
    (step,) = follower.steps(game)
    assert (step.origin, step.target) == ("castillo", place)
    assert follower.tap(game, step.piece, "castillo")
    assert follower.steps(game) == [step]
    assert follower.tap(game, step.piece, place)
    assert follower.steps(game) == []
    assert not follower.tap(game, step.piece, place)


def test_a_reader_that_lists_is_given_time_to_settle() -> None:
    place, colour = _occupied(some_position(11))
    game, follower = ready({place: "inventory"})
    piece = Piece(PieceKind.CABALLERO, colour)
    assert not follower.read(game, piece, place, gone=True, now_s=10.0)
    assert follower.steps(game) == [GuideStep(piece, STOCK, place)]
    assert not follower.speaks(10.0 + SETTLE_S - 0.1)
    assert follower.speaks(10.0 + SETTLE_S)
    assert follower.read(game, piece, place, gone=False, now_s=12.0)
    assert follower.steps(game) == []
    assert follower.due_s() is None


def test_a_place_whose_reader_is_lost_goes_by_what_people_show() -> None:
    place, colour = _occupied(some_position(11))
    game, follower = ready({place: "inventory"})
    piece = Piece(PieceKind.CABALLERO, colour)
    follower.read(game, piece, place, gone=True, now_s=10.0)
    follower.lose(place)
    (step,) = follower.steps(game)
    follower.do(step)
    assert follower.steps(game) == []


def test_there_are_never_more_pieces_than_there_are() -> None:
    # A reader that was lost has not seen all: what people say may not fit what the table knows.
    red = Piece(PieceKind.CABALLERO, "red")
    board: Position = {red: Counter({"aragon": 1, STOCK: 29})}
    for origin in ("aragon", "granada", STOCK):
        board = done(board, GuideStep(red, origin, "sevilla"))
        assert board[red].total() == 30
    assert board[red] == Counter({"sevilla": 3, STOCK: 27})


def test_the_board_can_be_right() -> None:
    for game, _ in decisions(5):
        motions = turns.motions(game, Options())
        if motions and motions[0].piece:
            follower = PieceTracker(game, {}, guided=True)
            follower.moved(motions[0], game, 0.0)
            assert (motions[0].move,) in follower.meant(game, Options())


def test_without_real_pieces_there_is_nothing_to_do() -> None:
    game = some_position(11)
    follower = PieceTracker(Game(SEATS[:3]), {}, guided=False)
    assert follower.steps(game) == []


def _occupied(game: Game) -> tuple[str, str]:
    """A place with a caballero in it, and whose."""
    for colour, seat in game.snapshot()["seats"].items():
        for place, count in seat["regions"].items():
            if count:
                return place, colour
    raise AssertionError("an empty board")

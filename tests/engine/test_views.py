"""Nobody sees what they may not know, and a view is enough to go on from."""

from __future__ import annotations

import pickle
from collections import Counter
from random import Random

import pytest
from hypothesis import given

from companion.engine import Game, IllegalMove, Move, UnknownSeat, deal, determinise
from tests.support.arrange import play, put, turn_of
from tests.support.random_games import SEEDS, Player, decisions, games, new_game, some_position


def twin(game: Game, seat: str | None, rng: Random) -> Game:
    """A game that differs from another only in what a seat may not know: dials not turned, cards taken back.

    It is made with the whole record in hand, and knows nothing of views: every retake of another seat is replaced by
    another card that the seat never plays again, and every unturned dial by another choice.
    """
    moves = list(game.moves)
    unturned = len(moves)
    if len(game.to_act) and game.questions[0].kind in ("dial", "step"):
        while game.legal_moves()[0].verb == "dial" and moves[unturned - 1].verb == "dial":
            unturned -= 1
    other = Game(game.seats, game.edition, game.rounds, game.house)
    for number, move in enumerate(moves):
        if move.seat != seat and (move.verb == "retake" or (move.verb == "dial" and number >= unturned)):
            rest = moves[number + 1 :]
            options = [option for option in other.legal_moves(move.seat) if option.verb == move.verb]
            needed = {later.number for later in rest if later.seat == move.seat and later.verb == "power"} - set(
                other.snapshot()["seats"][move.seat]["hand"]
            )
            rng.shuffle(options)
            move = next((o for o in options if o.verb == "dial" or needed <= {o.number}), move)
        other.play(move)
    return other


def _interesting(game: Game) -> bool:
    """A decision with secrets about: dials being set, or a card just taken back."""
    return len(game.to_act) > 1 or bool(game.moves and game.moves[-1].verb in ("dial", "retake"))


@pytest.mark.games
@games(60)
@given(SEEDS)
def test_games_that_differ_only_in_secrets_look_the_same(seed: int) -> None:
    rng = Random(seed)
    for number, (game, _) in enumerate(decisions(seed)):
        if number % 97 and not (number % 3 == 0 and _interesting(game)):
            continue
        for seat in (None, *game.seats):
            other = twin(game, seat, rng)
            assert other.view(seat) == game.view(seat)
            if seat is not None:
                assert other.legal_moves(seat) == game.legal_moves(seat)


@pytest.mark.games
@games(60)
@given(SEEDS)
def test_a_determinised_game_has_the_same_view_and_plays_on(seed: int) -> None:
    rng = Random(seed)
    for number, (game, _) in enumerate(decisions(seed)):
        if number % (7 if game.questions[0].kind in ("dial", "step", "veto") else 61):
            continue
        for seat in (None, *game.seats):
            view = game.view(seat)
            dealt = determinise(view, rng)
            assert dealt.view(seat) == view
            assert dealt.to_act == game.to_act
            if seat is not None:
                assert dealt.legal_moves(seat) == game.legal_moves(seat)
    player = Player(rng)
    dealt = determinise(some_position(seed).view(None), rng)
    while legal := dealt.legal_moves():
        dealt.play(player.choose(legal))
    assert dealt.over


def dials_set(*, by: tuple[str, ...]) -> Game:
    game = turn_of("secret-score")
    play(game, "red special")
    return play(
        game, *(f"{seat} dial {region}" for seat, region in zip(by, ("granada", "sevilla", "aragon"), strict=False))
    )


def test_a_dial_is_seen_by_its_seat_alone_until_all_are_turned() -> None:
    game = dials_set(by=("blue", "red"))
    assert game.view("blue")["log"][-2:] == ["blue dial granada", "red dial ?"]
    assert game.view("red")["log"][-2:] == ["blue dial ?", "red dial sevilla"]
    assert game.view(None)["log"][-2:] == ["blue dial ?", "red dial ?"]
    assert game.view("green")["turn"]["dialled"] == ["red", "blue"]
    play(game, "green dial granada", "yellow dial galicia")
    for seat in (None, *game.seats):
        assert game.view(seat)["log"][-4:] == [
            "blue dial granada", "red dial sevilla", "green dial granada", "yellow dial galicia",
        ]  # fmt: skip


def test_undo_shows_no_dial_to_others() -> None:
    game = dials_set(by=("blue", "red", "green"))
    game.play("yellow dial galicia")
    game.undo()
    assert "granada" not in str(game.view("red")["log"][-3:])


def test_dials_are_face_up_when_a_holder_is_asked_about_them() -> None:
    game = put(dials_set(by=("blue", "red", "green")), vetoes=["yellow"])
    game.play("yellow dial galicia")
    assert game.to_act == ("yellow",)
    assert game.view(None)["log"][-4:-1] == ["blue dial granada", "red dial sevilla", "green dial aragon"]
    step = game.view(None)["turn"]["step"]
    assert step is not None
    assert step["asked"] == ["yellow"]


def test_a_card_taken_back_is_seen_by_its_seat_alone_and_hides_the_hand_from_then_on() -> None:
    game = play(turn_of("power-back"), "red special")
    assert game.view("blue")["seats"]["red"]["hand"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    game.play("red retake 13")
    assert game.view("red")["log"][-1] == "red retake 13"
    assert game.view("red")["seats"]["red"]["hand"] == list(range(1, 14))
    for seat in ("blue", None):
        assert game.view(seat)["log"][-1] == "red retake ?"
        assert game.view(seat)["seats"]["red"]["hand"] is None
        assert game.view(seat)["seats"]["red"]["hand_count"] == 13
        assert game.view(seat)["seats"]["red"]["played"] == [13]


def test_a_veto_holder_learns_that_a_card_is_taken_back_but_not_which() -> None:
    game = play(turn_of("power-back", vetoes=["blue"]), "red special", "blue allow", "red retake 13")
    step = game.view("blue")["turn"]["step"]
    assert step == {"move": "red retake ?", "asked": ["blue"], "content": []}
    own = game.view("red")["turn"]["step"]
    assert own is not None
    assert own["move"] == "red retake 13"


@pytest.mark.parametrize(("house", "shown"), [((), None), (("open-castillo",), 1)])
def test_the_castillo_is_closed_unless_the_house_opens_it(house: tuple[str, ...], shown: int | None) -> None:
    game = play(turn_of("move-3", house=house), "red place castillo")
    assert game.view("red")["seats"]["red"]["castillo"] == shown
    assert game.view(None)["seats"]["blue"]["castillo"] == (None if shown is None else 0)


def test_a_scoring_of_the_castillo_shows_what_is_in_it() -> None:
    game = turn_of("score-castillo", board={"castillo": {"red": 2, "blue": 1}})
    play(game, "red special")
    (scoring,) = game.view("green")["scorings"]
    assert scoring["counts"] == {"red": 2, "blue": 1, "green": 0, "yellow": 0}
    assert scoring["points"] == {"red": 5, "blue": 3, "green": 0, "yellow": 0}
    assert scoring["occasion"] == "score-castillo"


def test_a_view_lists_the_viewers_own_legal_moves_only() -> None:
    game = turn_of("move-3")
    assert game.view("red")["legal"] == [str(move) for move in game.legal_moves()]
    assert game.view("blue")["legal"] == []
    assert game.view(None)["legal"] == []


def test_a_view_tells_how_many_steps_are_left() -> None:
    assert play(turn_of("extra-2"), "red special").view(None)["turn"]["left"] == 2
    assert play(turn_of("move-4"), "red special").view(None)["turn"]["left"] == 4


def test_the_question_of_either_card_is_about_what_was_chosen() -> None:
    game = play(turn_of("own-from-one-or-extra-2"), "red special")
    assert "or place two more" in str(game.questions[0].message)
    game.play("red extra castillo")
    assert str(game.questions[0].message).startswith("red may place 1 more")
    game.undo()
    game.play("red move red pais-vasco castillo")
    assert "out of one region" in str(game.questions[0].message)


def test_a_view_tells_the_turn_under_way() -> None:
    view = turn_of("move-3").view(None)
    assert view["asked"][0]["seat"] == "red"
    assert view["turn"]["order"] == ["red", "yellow", "green", "blue"]
    assert view["turn"]["power"] == {"red": 13, "blue": 1, "green": 2, "yellow": 3}
    assert (view["turn"]["actor"], view["turn"]["card"], view["turn"]["special"]) == ("red", "move-3", "unused")
    assert view["seen"]["1"] == ["move-3"]


def _retaken(seed: int, after: tuple[str, ...] = ()) -> int:
    """The card that a determinised game says red took back, in a game where red has played 13, 9 and 5."""
    game = play(turn_of("power-back"), "red special")
    put(game, hands={"red": [1, 2, 3, 4, 6, 7, 8, 10, 11, 12]})
    game.play("red retake 9")
    # Tell the log of two earlier plays, so that three cards can have come back.
    view = game.view("blue")
    view["log"] = ["red power 9", "red power 5", *view["log"], *after]
    from companion.engine.determinise import _deal_retaken

    return next(iter(_deal_retaken(view["log"], Random(seed)).values()))


def test_a_hidden_retake_is_dealt_evenly_among_the_cards_it_can_have_been() -> None:
    dealt = Counter(_retaken(seed) for seed in range(300))
    assert set(dealt) == {5, 9, 13}
    assert min(dealt.values()) > 60


def test_a_hidden_retake_agrees_with_what_was_played_later() -> None:
    assert {_retaken(seed, after=("red power 5",)) for seed in range(50)} == {5}
    assert {_retaken(seed, after=("blue allow", "blue veto", "red power 8")) for seed in range(50)} == {5, 9, 13}


def test_hidden_dials_are_dealt_among_what_each_seat_can_dial() -> None:
    view = dials_set(by=("blue",)).view("red")
    dealt = Counter(determinise(view, Random(seed)).moves[-1] for seed in range(200))
    assert len(dealt) == 9
    assert all(move.seat == "blue" and move.verb == "dial" for move in dealt)


def test_determinise_gives_the_same_game_for_the_same_seed() -> None:
    game = play(dials_set(by=("blue", "green")))
    view = game.view("red")
    assert determinise(view, Random(5)).record() == determinise(view, Random(5)).record()


def test_a_seat_that_does_not_play_has_no_view() -> None:
    with pytest.raises(UnknownSeat, match="there is no seat called 'brown' in this game; the seats are red, blue"):
        turn_of("move-3").view("brown")
    with pytest.raises(UnknownSeat, match="no seat called 'purple'"):
        turn_of("move-3").legal_moves("purple")


# --- Dealing ---------------------------------------------------------------------------------------------------------


def test_a_card_with_two_copies_is_dealt_twice_as_often() -> None:
    dealt: Counter[str] = Counter()
    for seed in range(1100):
        game = Game(("red", "blue"))
        rng = Random(seed)
        while game.round == 0:
            deal(game, rng)
        dealt[deal(game, rng).args[1]] += 1
    singles = [count for card, count in dealt.items() if card not in ("move-2-own-2-others", "move-5-from-one")]
    assert sum(dealt.values()) == 1100
    assert all(70 <= count <= 130 for count in singles)
    assert all(160 <= dealt[card] <= 240 for card in ("move-2-own-2-others", "move-5-from-one"))


def test_there_is_nothing_to_deal_when_a_player_must_act() -> None:
    with pytest.raises(IllegalMove, match="there is nothing to deal; to act: red"):
        deal(turn_of("move-3"), Random(1))


def test_moves_survive_pickling_as_themselves() -> None:
    move = Move.parse("red power 7")
    assert pickle.loads(pickle.dumps(move)) is move


def test_a_new_game_is_what_was_asked_for() -> None:
    game = new_game(Random(3))
    assert repr(game).startswith(f"<Game {game.edition}, {' '.join(game.seats)}, round 0")

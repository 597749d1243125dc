"""Positions for tests: a real game played to a turn, with the pieces then moved to where the test wants them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.engine import CARDS, Game
from companion.engine.cards import SHUFFLED_STACKS
from companion.engine.regions import CABALLEROS, NOWHERE, PLACE_INDEX, PLACES, REGIONS, TILES

FOUR = ("red", "blue", "green", "yellow")

# Written down from the rules, not taken from the engine.
NEIGHBOURS = {
    "galicia": {"pais-vasco", "castilla-la-vieja"},
    "pais-vasco": {"galicia", "castilla-la-vieja", "aragon"},
    "aragon": {"pais-vasco", "castilla-la-vieja", "castilla-la-nueva", "valencia", "cataluna"},
    "cataluna": {"aragon", "valencia"},
    "castilla-la-vieja": {"galicia", "pais-vasco", "aragon", "castilla-la-nueva"},
    "castilla-la-nueva": {"castilla-la-vieja", "aragon", "valencia", "granada", "sevilla"},
    "valencia": {"cataluna", "aragon", "castilla-la-nueva", "granada"},
    "sevilla": {"castilla-la-nueva", "granada"},
    "granada": {"sevilla", "castilla-la-nueva", "valencia"},
}


def opening(
    seats: Sequence[str] = FOUR,
    edition: str = "bigbox-de",
    rounds: int = 9,
    house: Sequence[str] = (),
    cards: Sequence[str] = (),
) -> Game:
    """Returns a game in which the first round's cards are open and the first seat is to play a power card.

    The King is in galicia; the home regions are pais-vasco, aragon, cataluna and so on. `cards` are turned up in their
    stacks; the other stacks show their first card.
    """
    game = Game(seats, edition, rounds, house)
    game.play("table king galicia")
    for seat, home in zip(seats, REGIONS[1:], strict=False):
        game.play(f"table home {seat} {home}")
    game.play(f"table start {seats[0]}")
    turn_up(game, cards)
    return game


def turn_up(game: Game, cards: Sequence[str] = ()) -> None:
    """Turns up the four cards of a round: the ones named, and any in the other stacks."""
    for stack in SHUFFLED_STACKS:
        wanted = [card for card in cards if CARDS[card].stack == stack]
        options = [move.args[1] for move in game.legal_moves()]
        game.play(f"table reveal {stack} {wanted[0] if wanted else options[0]}")


def turn_of(
    card: str,
    seats: Sequence[str] = FOUR,
    edition: str = "bigbox-de",
    rounds: int = 9,
    house: Sequence[str] = (),
    power: int = 13,
    **pieces: object,
) -> Game:
    """Returns a game in which the first seat has just taken a card and may place or begin the special action.

    The first seat played `power` (which must be the highest), the others 1, 2, 3 and 4. `pieces` go to `put`.
    """
    game = opening(seats, edition, rounds, house, [] if card == "king" else [card])
    game.play(f"{seats[0]} power {power}")
    for number, seat in enumerate(seats[1:], start=1):
        game.play(f"{seat} power {number}")
    game.play(f"{seats[0]} recruit 0")
    game.play(f"{seats[0]} card {CARDS[card].stack}")
    put(game, **pieces)  # type: ignore[arg-type]
    return game


def put(
    game: Game,
    king: str | None = None,
    board: Mapping[str, Mapping[str, int]] | None = None,
    court: Mapping[str, int] | None = None,
    grandes: Mapping[str, str] | None = None,
    tiles: Mapping[str, str | None] | None = None,
    scores: Mapping[str, int] | None = None,
    hands: Mapping[str, Sequence[int]] | None = None,
    vetoes: Sequence[str] = (),
) -> Game:
    """Moves pieces for a test, ignoring the rules. What is not named stays.

    `board` is by place, then by seat, and replaces the whole board; caballeros neither there nor in the court go to the
    province, so that every seat keeps its thirty. `vetoes` names who holds a veto card, oldest first.
    """
    old = game._state
    s = game._state = old.copy()
    index = s.setup.index
    if king is not None:
        s.king = PLACE_INDEX[king]
    if board is not None:
        for place in PLACES:
            assert set(board) <= set(PLACES)
            assert set(board.get(place, {})) <= set(index)
            s.board[PLACE_INDEX[place]] = tuple(board.get(place, {}).get(seat, 0) for seat in s.setup.seats)
    for seat, number in (court or {}).items():
        s.court[index[seat]] = number
    for number in index.values():
        s.province[number] = CABALLEROS - s.court[number] - sum(counts[number] for counts in s.board)
        assert s.province[number] >= 0
    if grandes is not None:
        homes = list(s.grandes)
        for seat, home in grandes.items():
            homes[index[seat]] = PLACE_INDEX[home]
        s.grandes = tuple(homes)
    if tiles is not None:
        lies = dict(zip(TILES, s.tiles, strict=True))
        lies |= {tile: NOWHERE if place is None else PLACE_INDEX[place] for tile, place in tiles.items()}
        s.tiles = tuple(lies.values())
    for seat, number in (scores or {}).items():
        s.scores[index[seat]] = number
    if hands is not None:
        s.hands = tuple(
            tuple(hands[seat]) if seat in hands else hand for seat, hand in zip(s.setup.seats, s.hands, strict=True)
        )
    if vetoes:
        s.vetoes = tuple((index[seat], s.round) for seat in vetoes)
    return game


def play(game: Game, *lines: str) -> Game:
    """Plays lines one after the other."""
    for line in lines:
        game.play(line)
    return game


def texts(game: Game, seat: str | None = None) -> set[str]:
    """Returns the legal moves as text."""
    moves = [move.text for move in game.legal_moves(seat)]
    assert len(moves) == len(set(moves))
    return set(moves)


def verbs(game: Game) -> set[str]:
    """Returns the kinds of move that are legal."""
    return {move.verb for move in game.legal_moves()}


def at(game: Game, place: str, seat: str) -> int:
    """Returns how many caballeros a seat has in a place, in `court` or in `province`."""
    data = game.snapshot()["seats"][seat]
    if place == "court":
        return data["court"]
    if place == "province":
        return data["province"]
    return data["castillo"] if place == "castillo" else data["regions"][place]

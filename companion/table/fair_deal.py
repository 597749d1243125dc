"""Fair deals: how the cards of a game follow from its seed and the phones' numbers, so that anybody can check them.

`docs/fair-play.md` describes the whole procedure, with an example to recompute by hand. In short:

- A seed is 32 random bytes, made when the game begins. Its SHA-256, the commitment, is shown before the first deal.
- Phones then each add a number that they have made themselves; see `companion.table.mixing`.
- Each deal is drawn from an HMAC-SHA-256 of the seed over the move's number and the phones' numbers.
- When the game is over, the seed is published.

Games whose seed is a plain number (those of `--seed`, and those of earlier versions) are dealt as they always were.
Such a number can be found by trying, so these games are not secret.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeVar

from companion.engine import TABLE, Game, Move, deal
from companion.engine.chance import Chooser
from companion.storage.journal import HMAC_SEED, Kept
from companion.storage.notes import CommitmentNote, MixNote, Note

NUMBER_BYTES: Final = 32
"""The length of a seed, and of the number that a phone adds."""
BITS: Final = 256

Drawn = TypeVar("Drawn")


def new_seed() -> str:
    """Returns a new seed for a game, as it is stored. It comes from the system and cannot be guessed."""
    return f"{HMAC_SEED}{secrets.token_hex(NUMBER_BYTES)}"


def is_secret(seed: str) -> bool:
    """Returns whether a seed is too long to be found by trying; one that is a plain number is not.

    >>> is_secret(new_seed()), is_secret("7")
    (True, False)
    """
    return seed.startswith(HMAC_SEED)


def digits(seed: str) -> str:
    """Returns a seed as it is published: 64 hexadecimal digits, or the plain number that it is."""
    return seed.removeprefix(HMAC_SEED)


def hash_of(number: str) -> str:
    """Returns the SHA-256 of a seed or of a phone's number, both written as hexadecimal digits.

    >>> hash_of("00" * 32)
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
    """
    return hashlib.sha256(bytes.fromhex(number)).hexdigest()


def is_number(text: str) -> bool:
    """Returns whether a text is a number or a hash as phones send them: 64 lower-case hexadecimal digits."""
    return len(text) == 2 * NUMBER_BYTES and set(text) <= set("0123456789abcdef")


def bots_seed(seed: str) -> int:
    """Returns the seed of the bots, which says nothing about the deals; nor do the deals say anything about it."""
    if not is_secret(seed):
        return int(seed)
    return int.from_bytes(_hmac(seed, "bots"), "big")


def notes_at_begin(seed: str, dealt_from: int = 0) -> list[Note]:
    """Returns what a journal notes when a game begins: the commitment to a secret seed.

    :param dealt_from: how many moves there are already, which were not dealt from this seed.
    """
    return [CommitmentNote(hash_of(digits(seed)), dealt_from)] if is_secret(seed) else []


@dataclass(frozen=True)
class Mix:
    """The phones' numbers, by seat, that deals depend on from a move on."""

    first: int
    """The index of the first move that they count for."""
    numbers: Mapping[str, str]

    def __str__(self) -> str:
        return " ".join(f"{seat}={number}" for seat, number in sorted(self.numbers.items()))


def mixes_in(notes: Iterable[Note]) -> tuple[Mix, ...]:
    """Returns the phones' numbers that were mixed in, oldest first. Later ones replace earlier ones."""
    return tuple(Mix(note.first, note.numbers) for note in notes if isinstance(note, MixNote))


def chooser(seed: str, number: int, mixes: Sequence[Mix] = ()) -> Chooser:
    """Returns what chooses the card of one deal. The same seed, move and phones' numbers always choose the same.

    :param number: the index of the move: how many moves were made before.
    """
    if not is_secret(seed):
        return Random(f"{seed} {number}")
    mix = next((mix for mix in reversed(mixes) if mix.first <= number), Mix(0, {}))
    return _HmacChooser(seed, f"deal {number}", str(mix))


class _HmacChooser:
    """Chooses by digests of a seed, every choice equally likely."""

    def __init__(self, seed: str, label: str, mix: str) -> None:
        self._seed = seed
        self._label = label
        self._mix = mix

    def choice(self, seq: Sequence[Drawn], /) -> Drawn:
        """Returns one of several.

        A digest, read as a number, is divided by how many there are to choose from; the remainder is the index. A
        digest beyond the largest multiple of that would favour the first ones, so the next one is taken instead.
        """
        fair = 2**BITS - 2**BITS % len(seq)
        tries = 0
        while (drawn := self._digest(tries)) >= fair:
            tries += 1
        return seq[drawn % len(seq)]

    def _digest(self, tries: int) -> int:
        message = " ".join(filter(None, (self._label, str(tries), self._mix)))
        return int.from_bytes(_hmac(self._seed, message), "big")


def _hmac(seed: str, message: str) -> bytes:
    return hmac.digest(bytes.fromhex(digits(seed)), message.encode(), "sha256")


# --- What everybody may know, and checking it afterwards --------------------------------------------------------------


@dataclass(frozen=True)
class Fairness:
    """What everybody may know about how the cards of a game are dealt."""

    secret: bool
    """Whether the seed is too long to be found by trying."""
    commitment: str = ""
    """The SHA-256 of the seed, shown before the first deal; empty when there is none."""
    mixes: tuple[Mix, ...] = ()
    dealt_from: int = 0
    """How many moves the game had when it was imported; they were not dealt from this seed."""
    seed: str = ""
    """The seed, once the game is over; empty before."""

    @classmethod
    def of(cls, seed: str, notes: Iterable[Note], over: bool) -> Fairness:
        """Returns it for a game with a seed and notes; with the seed only when the game is over."""
        notes = tuple(notes)
        committed = next((note for note in notes if isinstance(note, CommitmentNote)), CommitmentNote("", 0))
        shown = digits(seed) if over else ""
        return cls(is_secret(seed), committed.sha256, mixes_in(notes), committed.dealt_from, shown)

    @classmethod
    def of_kept(cls, kept: Kept) -> Fairness:
        """Returns it for a saved game."""
        return cls.of(kept.seed, kept.notes, kept.game.over or kept.finished_at is not None)


@dataclass(frozen=True)
class WrongDeal:
    """A deal that does not follow from the seed and the phones' numbers."""

    number: int
    """The number of the move; the first one is 1."""
    dealt: Move
    expected: Move


def keeps_commitment(fairness: Fairness) -> bool:
    """Returns whether the seed that was published is the one that was announced."""
    return fairness.secret and is_number(fairness.seed) and hash_of(fairness.seed) == fairness.commitment


def deals_in(game: Game, dealt_from: int = 0) -> int:
    """Returns how many cards and places were dealt in a game, from a move on."""
    return sum(move.seat == TABLE for move in game.moves[dealt_from:])


def wrong_deals(game: Game, fairness: Fairness) -> Iterator[WrongDeal]:
    """Yields the deals of a finished game that do not follow from its published seed. A fair game has none."""
    seed = f"{HMAC_SEED}{fairness.seed}" if fairness.secret else fairness.seed
    again = Game(game.seats, game.edition, game.rounds, game.house)
    for index, move in enumerate(game.moves):
        if move.seat == TABLE and index >= fairness.dealt_from:
            expected = deal(again.copy(), chooser(seed, index, fairness.mixes))
            if expected != move:
                yield WrongDeal(index + 1, move, expected)
        again.play(move)

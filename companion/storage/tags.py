"""Which piece each tag stands for, and how a batch of tags is enrolled."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from companion.engine import Message, phrase
from companion.engine.messages import Field
from companion.engine.pieces import WHOLE_SET, Piece
from companion.storage.database import Database, look_into
from companion.storage.errors import DamagedFile


class TagRegistry:
    """The tags in use and the piece each stands for, shared by the threads of a table.

    The readers ask whether a tag is enrolled, the table asks which piece it is, and the workshop enrols and forgets
    tags while the game goes on.

    >>> registry = TagRegistry({"04A1B2C3": Piece.parse("king")})
    >>> "04A1B2C3" in registry, registry.get("04D4E5F6")
    (True, None)
    """

    def __init__(self, tags: Mapping[str, Piece] | None = None) -> None:
        self._tags = dict(tags or {})
        self._lock = threading.Lock()

    def get(self, tag: str) -> Piece | None:
        """Returns the piece a tag stands for, or `None` when it is not enrolled."""
        with self._lock:
            return self._tags.get(tag)

    def __contains__(self, tag: object) -> bool:
        with self._lock:
            return tag in self._tags

    def __len__(self) -> int:
        with self._lock:
            return len(self._tags)

    def snapshot(self) -> dict[str, Piece]:
        """Returns all current tags with the pieces they stand for."""
        with self._lock:
            return dict(self._tags)

    def one_of_each(self) -> dict[Piece, str]:
        """Returns a tag for each kind of piece that has one."""
        return {piece: tag for tag, piece in self.snapshot().items()}

    def learn(self, tag: str, piece: Piece) -> None:
        """Makes a tag stand for a piece from now on."""
        with self._lock:
            self._tags[tag] = piece

    def forget(self, tag: str) -> None:
        """Makes a tag stand for nothing from now on."""
        with self._lock:
            self._tags.pop(tag, None)

    def __repr__(self) -> str:
        return f"<TagRegistry of {len(self)} tags>"


def simulated_tags() -> dict[str, Piece]:
    """Returns a tag for every piece of the game, for a board that has no real ones."""
    pieces = [piece for piece, count in WHOLE_SET.items() for _ in range(count)]
    return {f"{0x04000000 + number:08X}": piece for number, piece in enumerate(pieces)}


class TagTaken(ValueError):
    """The tag already stands for another piece."""

    def __init__(self, tag: str, piece: Piece) -> None:
        self.tag = tag
        self.piece = piece
        super().__init__(f"{tag} is enrolled as {piece.one}")


class Tags:
    """The enrolled tags in the database. Every change is on disk at once, so an interruption loses nothing."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def what(self, tag: str) -> Piece | None:
        """Returns the piece a tag stands for, or `None` when it is not enrolled."""
        rows = self.database.execute("SELECT piece FROM tags WHERE tag = ?", (tag,))
        return self._piece(rows[0][0]) if rows else None

    def __contains__(self, tag: object) -> bool:
        return isinstance(tag, str) and self.what(tag) is not None

    def enrol(self, tag: str, piece: Piece) -> None:
        """Makes a tag stand for a piece. Raises `TagTaken` when it stands for another."""
        if piece not in WHOLE_SET:
            raise ValueError(f"there is no {piece!r} in the game")
        with self.database.transaction():
            known = self.what(tag)
            if known is None:
                self.database.execute("INSERT INTO tags (tag, piece) VALUES (?, ?)", (tag, str(piece)))
            elif known != piece:
                raise TagTaken(tag, known)

    def forget(self, tags: Iterable[str]) -> None:
        """Makes tags stand for nothing: all of them or, if that fails, none of them."""
        with self.database.transaction():
            for tag in tags:
                self.database.execute("DELETE FROM tags WHERE tag = ?", (tag,))

    def standing_for(self, piece: Piece) -> list[str]:
        """Returns the tags of a piece."""
        rows = self.database.execute("SELECT tag FROM tags WHERE piece = ? ORDER BY tag", (str(piece),))
        return [tag for (tag,) in rows]

    def snapshot(self) -> dict[str, Piece]:
        """Returns all current tags with their pieces, for the threads of devices, which must not use the database."""
        return {tag: self._piece(name) for tag, name in self.database.execute("SELECT tag, piece FROM tags")}

    def counts(self) -> dict[Piece, int]:
        """Returns how many tags stand for each piece of the whole set."""
        rows: dict[str, int] = dict(self.database.execute("SELECT piece, count(*) FROM tags GROUP BY piece"))
        return {piece: rows.get(str(piece), 0) for piece in WHOLE_SET}

    def _piece(self, name: str) -> Piece:
        try:
            return Piece.parse(name)
        except ValueError:
            raise DamagedFile(self.database.path, "a tag stands for no piece of the game") from None

    def __repr__(self) -> str:
        return f"<Tags in {self.database.path}>"


def kept_tags(file: Path) -> dict[str, Piece]:
    """Returns the tags in a file, which is only read: it may be missing, empty or of an older version."""
    with look_into(file) as database:
        if database is None or not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'tags'"):
            return {}
        return Tags(database).snapshot()


class EnrolOutcome(Enum):
    """The possible outcomes of a tap in a batch, in words."""

    NEW = phrase("{tag} is {piece} now.")
    AGAIN = phrase("{tag} was already tapped in this batch; it counts once.")
    KEPT = phrase("{tag} was already {piece}, and stays so.")
    ELSEWHERE = phrase("Refused: {tag} is enrolled as {piece}.")
    ENOUGH = phrase("Refused: {tag} is one too many; no more tags are needed for {pieces}.")


class Answer(NamedTuple):
    """The outcome of a tap; `piece` is what the tag stands for or, for one tag too many, would have stood for."""

    outcome: EnrolOutcome
    tag: str
    piece: Piece

    @property
    def message(self) -> Message:
        """The outcome in words."""
        fields: dict[str, Field] = {"tag": self.tag, "piece": self.piece.one, "pieces": self.piece.all}
        return Message.using(self.outcome.value, fields)


class Batch:
    """Pieces of one kind and colour, enrolled one after another.

    In a batch done afresh, every piece is tapped, whether known or new. Only when the batch is finished are the tags
    that were not tapped forgotten, since their pieces are lost.
    """

    def __init__(self, tags: Tags, piece: Piece, afresh: bool = False) -> None:
        self.tags = tags
        self.piece = piece
        self.wanted = WHOLE_SET[piece]
        self.afresh = afresh
        self.tapped: set[str] = set()
        self.finished = False

    @property
    def count(self) -> int:
        """How many pieces of the batch are enrolled."""
        return len(self.tapped) if self.afresh else len(self.tags.standing_for(self.piece))

    @property
    def missing(self) -> int:
        """How many are still to come."""
        return max(0, self.wanted - self.count)

    def tap(self, tag: str) -> Answer:
        """Enrols a tapped tag if it belongs in the batch, and returns the outcome."""
        known = self.tags.what(tag)
        if known is not None and known != self.piece:
            return Answer(EnrolOutcome.ELSEWHERE, tag, known)
        if tag in self.tapped:
            return Answer(EnrolOutcome.AGAIN, tag, self.piece)
        # In a batch done afresh, old tags count like new ones: 30 are enough, whichever they are.
        if not self.missing and (self.afresh or known is None):
            return Answer(EnrolOutcome.ENOUGH, tag, self.piece)
        self.tags.enrol(tag, self.piece)
        self.tapped.add(tag)
        return Answer(EnrolOutcome.NEW if known is None else EnrolOutcome.KEPT, tag, self.piece)

    def untapped(self) -> list[str]:
        """Returns the tags that finishing now would forget. A batch in which nothing was tapped forgets none."""
        if not self.afresh or not self.tapped:
            return []
        return [tag for tag in self.tags.standing_for(self.piece) if tag not in self.tapped]

    def finish(self) -> list[str]:
        """Ends the batch, and returns the tags it has forgotten."""
        forgotten = self.untapped()
        self.tags.forget(forgotten)
        self.finished = True
        return forgotten

    def __repr__(self) -> str:
        return f"<Batch of {self.piece}, {self.count} of {self.wanted}{', afresh' if self.afresh else ''}>"

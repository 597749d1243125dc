"""Enrols tapped pieces, batch by batch, in a separate thread because the disk may be slower than hands."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, Self

from companion.engine import Message, phrase
from companion.engine.pieces import Piece
from companion.storage.database import Database, open_database
from companion.storage.errors import DatabaseError
from companion.storage.tags import Answer, Batch, EnrolOutcome, TagRegistry, Tags
from companion.translations import Translator

BATCH_IS_DONE: Final = phrase("Done: {pieces}. {count} of {wanted} enrolled.")
ALL_THERE: Final = phrase("All tags of {pieces} are enrolled. Tick the box to enrol them again.")
NOTHING_TAPPED: Final = phrase("Nothing was tapped, so the tags of {pieces} stay as they were.")
STOPPED: Final = phrase("Stopped: {pieces}. {count} of {wanted} are done; nothing was forgotten.")
FORGOTTEN: Final = phrase("Forgotten: {tag}, which was {piece}.")
NOT_ENROLLED: Final = phrase("The tag {tag} is not enrolled.")


class Enrolment:
    """The enrolled tags, as the workshop sees and changes them.

    >>> with Enrolment(None, TagRegistry()) as enrolment:
    ...     enrolment.begin(Piece.parse("king"))
    ...     enrolment.tap("04A1B2C3")

    :param file: where tags are saved; `None` saves them nowhere, as for the tags of a simulated board.
    :param known: the tags the running table knows; it learns at once what is enrolled.
    :param changed: is called when there is something new to show.
    """

    def __init__(self, file: Path | None, known: TagRegistry, changed: Callable[[], None] = lambda: None) -> None:
        self._file = file
        self._known = known
        self.changed = changed
        self._jobs: SimpleQueue[Callable[[Tags], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self.learned: dict[str, Piece] = {}
        """What has been enrolled since the start."""
        # Replaced as a whole and never changed, because other threads read them.
        self._counts: dict[Piece, int] = {}
        self._batch: Batch | None = None
        self._shown: dict[str, int | str | bool] | None = None
        self._said: tuple[Message, ...] = ()

    @property
    def for_practice(self) -> bool:
        """Whether enrolled tags are forgotten when the table stops."""
        return self._file is None

    @property
    def under_way(self) -> bool:
        """Whether a batch is under way, so that taps count."""
        return self._shown is not None

    # Called from any thread.

    def open(self) -> None:
        """Counts what is enrolled."""
        self._do(self._count)

    def begin(self, piece: Piece, afresh: bool = False) -> None:
        """Begins a batch: taps count for this piece from now on.

        :param afresh: whether the tags that are not tapped are forgotten at the end.
        """

        def job(tags: Tags) -> None:
            batch = Batch(tags, piece, afresh)
            self._batch = batch if batch.missing else None
            self._said = () if batch.missing else (Message(ALL_THERE, {"pieces": piece.all}),)

        self._do(job)

    def tap(self, tag: str) -> None:
        """Enrols a tag that came to a reader, if a batch is under way."""

        def job(tags: Tags) -> None:
            if self._batch is None:
                return
            answer = self._batch.tap(tag)
            self._said = (answer.message,)
            self._learn(answer)
            if not self._batch.missing:
                self._finish()

        self._do(job)

    def finish(self) -> None:
        """Ends the batch. If it was done afresh, the tags that were not tapped are forgotten now."""
        self._do(lambda tags: self._finish())

    def stop(self) -> None:
        """Ends the batch early: everything enrolled stays enrolled, and nothing is forgotten."""

        def job(tags: Tags) -> None:
            if self._batch is not None:
                piece, count, wanted = self._batch.piece, self._batch.count, self._batch.wanted
                said = Message(STOPPED, {"pieces": piece.all, "count": count, "wanted": wanted})
                self._batch, self._said = None, (said,)

        self._do(job)

    def forget(self, tag: str) -> None:
        """Makes a tag stand for nothing."""

        def job(tags: Tags) -> None:
            piece = tags.what(tag)
            if piece is None:
                self._said = (Message(NOT_ENROLLED, {"tag": tag}),)
                return
            tags.forget([tag])
            self._unlearn([tag])
            self._said = (Message(FORGOTTEN, {"tag": tag, "piece": piece.one}),)

        self._do(job)

    def state(self, words: Translator) -> dict[str, Any]:
        """Returns everything there is to show."""
        batch = dict(self._shown) if self._shown is not None else None
        if batch is not None:
            batch["words"] = words.say(Piece.parse(str(batch["piece"])).all)
        return {
            "practice": self.for_practice,
            "counts": {str(piece): count for piece, count in self._counts.items()},
            "batch": batch,
            "said": [words.say(message) for message in self._said],
        }

    def close(self) -> None:
        """Ends its thread. What was enrolled is already saved."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # In its own thread.

    def _do(self, job: Callable[[Tags], None]) -> None:
        self._jobs.put(job)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="enrolling", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        with ExitStack() as stack:
            database: Database | None = None
            while (job := self._jobs.get()) is not None:
                try:
                    if database is None:
                        database = stack.enter_context(self._open(stack))
                    tags = Tags(database)
                    job(tags)
                    self._show(tags)
                except DatabaseError as error:
                    # Nothing is half done: the same tap can be made again once this is fixed.
                    self._said = (error.cause, error.advice())
                self.changed()

    def _open(self, stack: ExitStack) -> Database:
        if self._file is not None:
            return open_database(self._file)
        return open_database(Path(stack.enter_context(tempfile.TemporaryDirectory()), "practice.db"))

    def _count(self, tags: Tags) -> None:
        self._counts = tags.counts()

    def _show(self, tags: Tags) -> None:
        self._count(tags)
        batch, self._shown = self._batch, None
        if batch is not None:
            self._shown = {
                "piece": str(batch.piece),
                "wanted": batch.wanted,
                "count": batch.count,
                "afresh": batch.afresh,
                "untapped": len(batch.untapped()),
            }

    def _finish(self) -> None:
        batch = self._batch
        if batch is None:
            return
        if batch.afresh and not batch.tapped:
            said = Message(NOTHING_TAPPED, {"pieces": batch.piece.all})
        else:
            self._unlearn(batch.finish())
            said = Message(BATCH_IS_DONE, {"pieces": batch.piece.all, "count": batch.count, "wanted": batch.wanted})
        self._batch, self._said = None, (*self._said, said)

    def _learn(self, answer: Answer) -> None:
        if answer.outcome is EnrolOutcome.NEW:
            self.learned[answer.tag] = answer.piece
            if not self.for_practice:
                self._known.learn(answer.tag, answer.piece)

    def _unlearn(self, tags: list[str]) -> None:
        for tag in tags:
            self.learned.pop(tag, None)
            if not self.for_practice:
                self._known.forget(tag)

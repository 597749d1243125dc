"""The SQLite file of a table, which holds its tags and games: a change is on disk before anybody sees it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Self

from companion.engine import Message, phrase
from companion.storage.errors import (
    DamagedFile,
    DatabaseError,
    FailingDisk,
    FileGone,
    FileReplaced,
    ForeignFile,
    NewerFile,
    NotAFile,
)
from companion.storage.file_identity import FileIdentity, close_without_a_trace
from companion.storage.kept_copies import (
    BESIDE,
    beside,
    copy_private,
    dated_name,
    same_owner,
    sync_file,
    sync_folder,
    taking_the_place_of,
)
from companion.storage.log_check import changes_lost
from companion.storage.migrations import MIGRATIONS, Migration, wrong_schema
from companion.storage.private_files import create_private, make_private
from companion.storage.sqlite_errors import LASTING, in_words

__all__ = (
    "APPLICATION_ID",
    "KEPT_OLDER",
    "LOST_CHANGES",
    "LOST_CHANGES_SEEN",
    "MIGRATIONS",
    "Database",
    "default_path",
    "look_into",
    "open_database",
    "uri_to_look_at",
)

APPLICATION_ID: Final = 0x456C4772
"""Marks a file as ours: "ElGr", in the header field where SQLite keeps the application of a file."""
_MAGIC: Final = b"SQLite format 3\0"
"""How every SQLite database begins."""
PATIENCE_S: Final = 5.0
"""How long to wait for another program that is writing."""
PAGES_AT_ONCE: Final = 256
"""How many pages are copied between two progress reports."""


RESCUED: Final = phrase(
    "Everything up to then is in {copy}: if the file is lost, stop the table and run `companion restore {copy}`."
)
NO_COPY: Final = phrase("No copy of it could be made: {why}")
LOST_CHANGES: Final = phrase(
    "What was saved last in {path} cannot be read (lost changes: {count}): the power failed while it was written, or "
    "the disk is failing. Check that the board matches the game. The damaged part is kept in {copy}."
)
LOST_CHANGES_SEEN: Final = phrase(
    "What was saved last in {path} cannot be read (lost changes: {count}): the power failed while it was written, or "
    "the disk is failing."
)

KEPT_OLDER: Final = phrase(
    "{path} was brought up to date for this version of the program. The file as it was before is kept in {copy}."
)


class Database:
    """An open file: a thin wrapper around SQLite that puts its errors into words.

    >>> with tempfile.TemporaryDirectory() as folder, open_database(Path(folder, "table.db")) as database:
    ...     with database.transaction():
    ...         _ = database.execute("INSERT INTO tags VALUES (?, ?)", ("04A1B2C3", "king"))
    ...     database.execute("SELECT piece FROM tags")
    [('king',)]

    It belongs to the thread that opened it; other threads get an error, not half a change. It stays usable after an
    error: the same change can be tried again once the cause is gone.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, again: Callable[[], sqlite3.Connection] | None = None
    ) -> None:
        self.path = path
        self.connection = connection
        self.closed = False
        self.broken = False
        """Whether the file must be opened again before the next transaction, because of an error."""
        self.warnings: list[Message] = []
        """What people should know about the file, although it can be used."""
        self._again = again
        # Where a link leads when it is opened.
        self._real_path = path.resolve()
        self._real_name = str(self._real_path)
        self._opened = FileIdentity.of(self._real_name)
        self._rescued: Message | None = None

    def execute(self, statement: str, values: Sequence[str | int | float | bytes | None] = ()) -> list[Any]:
        """Runs one statement and returns the rows it found. Outside a transaction, it is a transaction of its own."""
        try:
            with in_words(self.path):
                return self.connection.execute(statement, values).fetchall()
        except LASTING:
            self.broken = True
            raise

    @contextmanager
    def transaction(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        """Makes one change of several statements: at the end all of it is on disk or, after any error, none of it.

        It waits for other writers at the beginning, not in the middle, where it could wait for ever.
        """
        if self.broken and not self.closed:
            self._reopen()
        writes = kind == "IMMEDIATE" and self._again is not None and not self.closed
        if writes:
            self._check_place()
        self.execute(f"BEGIN {kind}")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise
        if writes:
            # What was written to a file that nobody finds again was not saved.
            self._check_place()

    def _check_place(self) -> None:
        """Refuses to write to a file that was renamed, deleted or replaced, and keeps a copy of what it holds."""
        now = FileIdentity.of(self._real_name)
        if now.file != self._opened.file:
            kept = self._rescue()
            raise (FileGone if now.file is None else FileReplaced)(self.path, kept=kept)
        self._rescued = None
        if self._opened.log is None:
            self._opened = now
        elif now.log != self._opened.log:
            # Only the log was taken away. What it holds is still readable here, and goes into the file itself.
            self.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._reopen()

    def _rescue(self) -> Message:
        """Copies everything from a file that has lost its name, once, and says where to."""
        if self._rescued is None:
            try:
                copy = dated_name(self._real_path, "rescued", datetime.now())
                os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
                self.copy_to(copy, lambda _done, _pages: None)
            except (OSError, DatabaseError) as error:
                return Message(NO_COPY, {"why": str(error)})
            self._rescued = Message(RESCUED, {"copy": str(copy)})
        return self._rescued

    def _roll_back(self) -> None:
        # A full disk may have ended the transaction already.
        if self.connection.in_transaction:
            try:
                self.connection.execute("ROLLBACK")
            except sqlite3.Error:
                # The first error is the one to report.
                self.broken = True

    def _reopen(self) -> None:
        """Opens the file again, for example after a drive was pulled out and put back; the old connection is dead."""
        if self._again is not None:
            # A new file, perhaps where the drive should be mounted, would look as if nothing had ever been saved.
            if not self.path.exists():
                raise FailingDisk(self.path, "the file is gone")
            self.connection.close()
            self.connection = self._again()
            self._opened = FileIdentity.of(self._real_name)
            self.broken = False

    def copy_to(self, path: Path, progress: Callable[[int, int], None]) -> None:
        """Copies everything into an empty file while others may go on; `progress` gets pages done and pages in all."""
        with in_words(path), closing(sqlite3.connect(path)) as copy:
            self.connection.backup(
                copy, pages=PAGES_AT_ONCE, progress=lambda _, left, total: progress(total - left, total)
            )

    def close(self) -> None:
        """Closes the file. Closing it again does nothing."""
        lost = self._again is not None and FileIdentity.of(self._real_name).file != self._opened.file
        if lost and not self.closed:
            close_without_a_trace(self.connection)
        else:
            self.connection.close()
        self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Database {self.path}, {'closed' if self.closed else 'open'}>"


def default_path() -> Path:
    """Returns the default path of the file: in `$EL_GRANDE_HOME` if that is set, else in the user's data folder."""
    if home := os.environ.get("EL_GRANDE_HOME"):
        return Path(home).expanduser() / "table.db"
    # The second is the one of Windows.
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        data = Path(os.environ.get(name, ""))
        # A relative folder would depend on where a command is run; the XDG rules say to ignore it.
        if data.is_absolute():
            return data / "el-grande" / "table.db"
    return Path.home() / ".local" / "share" / "el-grande" / "table.db"


def _is_own_folder(folder: Path) -> bool:
    """Returns whether a folder is the table's own, and not one that was named for a single file, or the home folder."""
    try:
        return folder.resolve() == default_path().parent.resolve() != Path.home().resolve()
    except RuntimeError:
        # The user has no home folder.
        return False


def open_database(
    path: Path, *, migrations: Sequence[Migration] = MIGRATIONS, patience_s: float = PATIENCE_S
) -> Database:
    """Opens the file, creates it if it is missing, and updates it if it is of an older version."""
    path = path.absolute()
    with in_words(path):
        # For this user only: it may hold what a player has not shown yet.
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_kind(path, path)
        create_private(path)
        connection = sqlite3.connect(path, timeout=patience_s, isolation_level=None)
    database = Database(
        path, connection, lambda: open_database(path, migrations=migrations, patience_s=patience_s).connection
    )
    try:
        _check(database, migrations)
        _bring_up_to_date(database, migrations)
        # Last, when it is known as ours, and everything beside it is there.
        with in_words(path):
            database.warnings += make_private(path, _is_own_folder(path.parent))
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def look_into(path: Path, *, called: Path | None = None) -> Iterator[Database | None]:
    """Opens the file as it is, of any version, for reading only. Yields `None` when there is no file.

    Nothing in its folder is changed or created. Not for a process that has the file open: it would drop its locks.

    :param called: the path that errors name, if not the file's own.
    """
    path = path.absolute()
    called = called or path
    with ExitStack() as stack:
        connection = None
        with in_words(called):
            if path.exists():
                _check_kind(path, called)
                _check_beginning(path, called)
                connection = sqlite3.connect(
                    uri_to_look_at(path, stack), uri=True, timeout=PATIENCE_S, isolation_level=None
                )
        if connection is None:
            yield None
            return
        database = stack.enter_context(Database(called, connection))
        _check(database, MIGRATIONS)
        log = beside(path.resolve(), "-wal")
        # Twice, because a program may be writing to it at this moment.
        if (count := changes_lost(log)) and count == changes_lost(log):
            database.warnings.append(Message(LOST_CHANGES_SEEN, {"count": count, "path": str(called)}))
        yield database


def uri_to_look_at(path: Path, stack: ExitStack) -> str:
    """Returns the URI of a database that SQLite can read without leaving anything in the file's folder."""
    # SQLite keeps these beside the real file, wherever a link leads.
    path = path.resolve()
    wal, shm, journal = (beside(path, end) for end in BESIDE)
    # Both exist while somebody has the file open. Otherwise SQLite would create them, even to read, and leave them.
    if wal.exists() and shm.exists():
        return f"{path.as_uri()}?mode=ro"
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="el-grande-")))
    for file in (path, wal, shm, journal):
        if file.exists():
            shutil.copyfile(file, folder / file.name)
    return f"{(folder / path.name).as_uri()}?mode=rw"


def _check_kind(path: Path, called: Path) -> None:
    """Refuses anything that cannot be a database."""
    # The file is not opened to check it: closing it would drop the locks that this process has on it.
    if path.exists() and not path.is_file():
        raise NotAFile(called, "a folder is there" if path.is_dir() else "something that is not a file is there")
    # SQLite takes a one-byte file for an empty one, and would overwrite it.
    if path.exists() and path.stat().st_size == 1:
        raise DamagedFile(called, "one byte is all there is")


def _check_beginning(path: Path, called: Path) -> None:
    """Refuses a file that does not begin as a database does, before anything of it is copied, however long it is."""
    with open(path, "rb") as file:
        beginning = file.read(len(_MAGIC))
    if beginning and beginning != _MAGIC:
        raise DamagedFile(called, "it does not begin as a database does")


def _check(database: Database, migrations: Sequence[Migration]) -> None:
    """Checks that the file is ours, of a known version and sound, before anything is written."""
    try:
        _check_content(database, migrations)
    except sqlite3.Error as error:
        # Every statement here is right for any file, so that what SQLite cannot do is due to this one.
        raise DamagedFile(database.path, str(error)) from None


def _check_content(database: Database, migrations: Sequence[Migration]) -> None:
    # In one transaction, because another program may be creating the file at this moment.
    with database.transaction("DEFERRED"):
        [[owner]] = database.execute("PRAGMA application_id")
        [[version]] = database.execute("PRAGMA user_version")
        schema = database.execute("SELECT name, sql FROM sqlite_schema")
        if owner != APPLICATION_ID and (owner or version or schema):
            raise ForeignFile(database.path)
        if version > len(migrations):
            raise NewerFile(database.path, found=version, known=len(migrations))
        if wrong := wrong_schema(schema, version, migrations):
            raise DamagedFile(database.path, wrong)
        # Everything, with the indexes: a table's file is small.
        [[soundness]] = database.execute("PRAGMA integrity_check(1)")
        if soundness != "ok":
            raise DamagedFile(database.path, str(soundness).splitlines()[-1])


def _keep_lost_changes(database: Database) -> None:
    """Keeps a copy of a log whose end cannot be read, and says so."""
    log = beside(database.path.resolve(), "-wal")
    count = changes_lost(log)
    if count:
        with in_words(database.path):
            copy = beside(dated_name(database.path.resolve(), "damaged", datetime.now()), "-wal")
            copy_private(log, copy)
        database.warnings.append(Message(LOST_CHANGES, {"count": count, "path": str(database.path), "copy": str(copy)}))


@contextmanager
def _keeping_a_copy(database: Database, version: int) -> Iterator[None]:
    """Copies an older file beside itself before it is changed, and says so. If the change fails, the copy goes."""
    file = database.path.resolve()
    with in_words(database.path):
        copy = dated_name(file, f"version-{version}", datetime.now())
        # By a connection of its own, which reads what is there while ours holds others off: ours could not copy now.
        with taking_the_place_of(copy) as new, Database(database.path, sqlite3.connect(file)) as reader:
            reader.copy_to(new, lambda _done, _pages: None)
            same_owner(file, new)
            sync_file(new)
            os.replace(new, copy)
        sync_folder(copy.parent)
    try:
        yield
    except BaseException:
        copy.unlink(missing_ok=True)
        raise
    database.warnings.append(Message(KEPT_OLDER, {"path": str(database.path), "copy": str(copy)}))


def _migrate(database: Database, migrations: Sequence[Migration], version: int) -> None:
    """Changes a file of some version into one of the latest."""
    for migration in migrations[version:]:
        for statement in migration:
            if isinstance(statement, str):
                database.execute(statement)
            else:
                statement(database.execute)
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    database.execute(f"PRAGMA user_version = {len(migrations)}")


def _bring_up_to_date(database: Database, migrations: Sequence[Migration]) -> None:
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("PRAGMA synchronous = FULL")
    # Even when there is nothing to do, so that a file that cannot be written is reported now, not at the first change.
    with database.transaction():
        # While nobody writes, and before the end of the log is written over.
        _keep_lost_changes(database)
        [[version]] = database.execute("PRAGMA user_version")
        if 0 < version < len(migrations):
            with _keeping_a_copy(database, version):
                _migrate(database, migrations, version)
        elif not version:
            _migrate(database, migrations, version)
    # Last, because it writes: by then the file has to be known as ours.
    database.execute("PRAGMA journal_mode = WAL")

"""The one SQLite file of a table, in which tags and games are kept: a change is on disk before anybody sees it."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final, Self

from companion.storage.errors import (
    DamagedFile,
    DatabaseError,
    DiskFull,
    FailingDisk,
    FileInUse,
    ForeignFile,
    NewerFile,
    NoPermission,
    NotAFile,
    ReadOnlyFile,
)

APPLICATION_ID: Final = 0x456C4772
"""Tells our files from those of other programs: "ElGr", where SQLite keeps the owner of a file."""
PATIENCE_S: Final = 5.0
"""How long to wait for somebody else who is writing."""
PAGES_AT_ONCE: Final = 256
"""How much is copied between two words about the progress."""

Migration = tuple[str, ...]
MIGRATIONS: Final[tuple[Migration, ...]] = (
    (
        """
        CREATE TABLE tags (
            tag TEXT NOT NULL PRIMARY KEY,
            piece TEXT NOT NULL
        ) WITHOUT ROWID
        """,
        "CREATE INDEX tags_by_piece ON tags (piece)",
    ),
    (
        """
        CREATE TABLE games (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            begun_at TEXT NOT NULL,
            finished_at TEXT,
            header TEXT NOT NULL,
            options TEXT NOT NULL,
            seed TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE entries (
            game INTEGER NOT NULL REFERENCES games (id),
            number INTEGER NOT NULL CHECK (number > 0),
            kind TEXT NOT NULL CHECK (kind IN ('move', 'undo', 'note')),
            line TEXT NOT NULL,
            made_by TEXT NOT NULL CHECK (made_by IN ('person', 'bot', 'table')),
            at TEXT NOT NULL,
            PRIMARY KEY (game, number)
        ) WITHOUT ROWID
        """,
        *(
            f"""
            CREATE TRIGGER {table}_stay_on_{change.split()[0].lower()} BEFORE {change} ON {table}
            BEGIN SELECT RAISE(ABORT, 'what is in the journal stays'); END
            """
            for table, change in (
                ("entries", "DELETE"),
                ("entries", "UPDATE"),
                ("games", "DELETE"),
                ("games", "UPDATE OF id, begun_at, header, options, seed"),
            )
        ),
    ),
)
"""What brings a file from each version to the next. One that was released is never changed: another is added."""


_BY_SQLITE: Final[dict[int, type[DatabaseError]]] = {
    sqlite3.SQLITE_NOTADB: DamagedFile,
    sqlite3.SQLITE_CORRUPT: DamagedFile,
    sqlite3.SQLITE_READONLY: ReadOnlyFile,
    sqlite3.SQLITE_FULL: DiskFull,
    sqlite3.SQLITE_BUSY: FileInUse,
    sqlite3.SQLITE_LOCKED: FileInUse,
    sqlite3.SQLITE_CANTOPEN: NoPermission,
    sqlite3.SQLITE_PERM: NoPermission,
    sqlite3.SQLITE_IOERR: FailingDisk,
}
"""What SQLite's error codes mean for people. Those left out are mistakes in our own statements."""

_LASTING: Final = (DamagedFile, ReadOnlyFile, NoPermission, FailingDisk)
"""After these a connection may never work again, even where the file does."""

_BY_SYSTEM: Final[dict[int | None, type[DatabaseError]]] = {
    errno.EACCES: NoPermission,
    errno.EPERM: NoPermission,
    errno.EROFS: ReadOnlyFile,
    errno.ENOSPC: DiskFull,
    errno.EDQUOT: DiskFull,
    errno.ENOTDIR: NotAFile,
    errno.EEXIST: NotAFile,
    errno.EIO: FailingDisk,
}


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Tells what the system or SQLite refuses as an error of ours."""
    try:
        yield
    except sqlite3.Error as error:
        code: int | None = getattr(error, "sqlite_errorcode", None)
        # The low byte is the kind of error; the rest says which of that kind.
        found = None if code is None else _BY_SQLITE.get(code & 0xFF)
        # Without a code, and with the text itself, which may be nobody's business.
        if "Could not decode" in str(error):
            raise DamagedFile(path, "not valid text") from None
        if found is None:
            raise
        raise found(path, str(error)) from error
    except OSError as error:
        raise _BY_SYSTEM.get(error.errno, DatabaseError)(path, error.strerror or str(error)) from error


class Database:
    """An open file: a thin wrapper around SQLite that puts its errors into words.

    >>> with tempfile.TemporaryDirectory() as folder, open_database(Path(folder, "table.db")) as database:
    ...     with database.transaction():
    ...         _ = database.execute("INSERT INTO tags VALUES (?, ?)", ("04A1B2C3", "king"))
    ...     database.execute("SELECT piece FROM tags")
    [('king',)]

    It belongs to the thread that opened it; other threads get an error, not half a change. It stays usable after an
    error: the same change can be tried again when the cause is gone.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, again: Callable[[], sqlite3.Connection] | None = None
    ) -> None:
        self.path = path
        self.connection = connection
        self.closed = False
        self.broken = False
        """Whether an error was such that the next transaction needs the file opened again."""
        self._again = again

    def execute(self, statement: str, values: Sequence[str | int | float | bytes | None] = ()) -> list[Any]:
        """Carries out one statement, and gives the rows it found. Outside a transaction it is one by itself."""
        try:
            with _in_words(self.path):
                return self.connection.execute(statement, values).fetchall()
        except _LASTING:
            self.broken = True
            raise

    @contextmanager
    def transaction(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        """Several statements as one change: all of it is on disk at the end, or, after any error, nothing.

        It waits for others who write at its beginning, not in its middle, where waiting could last for ever.
        """
        if self.broken and not self.closed:
            self._reopen()
        self.execute(f"BEGIN {kind}")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        # A full disk may have ended the transaction already.
        if self.connection.in_transaction:
            try:
                self.connection.execute("ROLLBACK")
            except sqlite3.Error:
                # What went wrong before is what is told.
                self.broken = True

    def _reopen(self) -> None:
        """Opens the file again, as after a drive was pulled out and put back: the old connection stays deaf."""
        if self._again is not None:
            # A new one in its place, perhaps where the drive should be, would look as if nothing had ever been kept.
            if not self.path.exists():
                raise FailingDisk(self.path, "the file is gone")
            self.connection.close()
            self.connection = self._again()
            self.broken = False

    def copy_to(self, path: Path, progress: Callable[[int, int], None]) -> None:
        """Copies all that is there now into an empty file, while others may go on; tells pages done, and all pages."""
        with _in_words(path), closing(sqlite3.connect(path)) as copy:
            self.connection.backup(
                copy, pages=PAGES_AT_ONCE, progress=lambda _, left, total: progress(total - left, total)
            )

    def close(self) -> None:
        """Lets go of the file. A second time does nothing."""
        self.closed = True
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Database {self.path}, {'closed' if self.closed else 'open'}>"


def default_path() -> Path:
    """Where the file is kept if nobody says otherwise: in our own folder, else in the user's for data."""
    if home := os.environ.get("EL_GRANDE_HOME"):
        return Path(home).expanduser() / "table.db"
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    # A relative folder would be another one for every place a command is called from; the XDG rules say to ignore it.
    if not data.is_absolute():
        data = Path.home() / ".local" / "share"
    return data / "el-grande" / "table.db"


def open_database(
    path: Path, *, migrations: Sequence[Migration] = MIGRATIONS, patience_s: float = PATIENCE_S
) -> Database:
    """Opens the file, makes it if it is missing, and brings one of an older version up to date."""
    path = path.absolute()
    with _in_words(path):
        # For this user only: what is kept here may include what a player has not shown yet.
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_kind(path)
        connection = sqlite3.connect(path, timeout=patience_s, isolation_level=None)
    database = Database(
        path, connection, lambda: open_database(path, migrations=migrations, patience_s=patience_s).connection
    )
    try:
        _check(database, known=len(migrations))
        _bring_up_to_date(database, migrations)
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def look_into(path: Path, *, known: int = len(MIGRATIONS)) -> Iterator[Database | None]:
    """The file as it is, of any version, only to be read: nothing is changed or made beside it. None: there is none.

    Not for a process that has the file open: a look would drop its locks.
    """
    path = path.absolute()
    with ExitStack() as stack:
        connection = None
        with _in_words(path):
            if path.exists():
                _check_kind(path)
                connection = sqlite3.connect(
                    _to_look_at(path, stack), uri=True, timeout=PATIENCE_S, isolation_level=None
                )
        if connection is None:
            yield None
            return
        database = stack.enter_context(Database(path, connection))
        _check(database, known)
        yield database


def _to_look_at(path: Path, stack: ExitStack) -> str:
    """The address of what SQLite may read without leaving anything in the file's folder."""
    beside = [Path(f"{path}{end}") for end in ("-wal", "-shm", "-journal")]
    wal, shm, _ = beside
    # While somebody has the file open both are there. If not, SQLite would make them, even to read, and leave them.
    if wal.exists() and shm.exists():
        return f"{path.as_uri()}?mode=ro"
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="el-grande-")))
    for file in (path, *beside):
        if file.exists():
            shutil.copyfile(file, folder / file.name)
    return f"{(folder / path.name).as_uri()}?mode=rw"


def _check_kind(path: Path) -> None:
    """Refuses what is there but cannot be a database."""
    # The file itself is not opened for a look: closing it would drop the locks that this process has on it.
    if path.exists() and not path.is_file():
        raise NotAFile(path, "a folder is there" if path.is_dir() else "something that is no file is there")
    # SQLite takes a file of one byte for an empty one, and would write over it.
    if path.exists() and path.stat().st_size == 1:
        raise DamagedFile(path, "one byte is all there is")


def _check(database: Database, known: int) -> None:
    """Looks whether the file is ours, known and sound, before anything is written."""
    # In one transaction, for somebody else may be making the file at this moment.
    with database.transaction("DEFERRED"):
        [[owner]] = database.execute("PRAGMA application_id")
        [[version]] = database.execute("PRAGMA user_version")
        [[tables]] = database.execute("SELECT count(*) FROM sqlite_schema")
        if owner != APPLICATION_ID and (owner or version or tables):
            raise ForeignFile(database.path)
        if version > known:
            raise NewerFile(database.path, found=version, known=known)
        [[soundness]] = database.execute("PRAGMA quick_check(1)")
        if soundness != "ok":
            raise DamagedFile(database.path, str(soundness).splitlines()[-1])


def _bring_up_to_date(database: Database, migrations: Sequence[Migration]) -> None:
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("PRAGMA synchronous = FULL")
    # Also where nothing is to be done: so a file that cannot be written is told now, and not at the first change.
    with database.transaction():
        [[version]] = database.execute("PRAGMA user_version")
        if version < len(migrations):
            for migration in migrations[version:]:
                for statement in migration:
                    database.execute(statement)
            database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            database.execute(f"PRAGMA user_version = {len(migrations)}")
    # Last, for it writes: the file has to be known as ours by then.
    database.execute("PRAGMA journal_mode = WAL")

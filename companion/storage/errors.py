"""What can go wrong with the file of a table: each error says what happened and what to do about it."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Final

from companion.engine import Message, phrase
from companion.engine.messages import Field

_ELSEWHERE: Final = Message("name another file with --database", {})


class DatabaseError(Exception):
    """The file cannot be used; `cause` says why, and `advice` what to do."""

    because: ClassVar = phrase("{path} cannot be used to save games: {why}.")
    do: ClassVar = phrase("Try another file: {elsewhere}.")

    def __init__(self, path: Path, why: str = "", **fields: Field) -> None:
        self.path = path
        self._fields: dict[str, Field] = {"path": str(path), "why": why, **fields}
        super().__init__(f"{self.cause} {self.advice()}")

    @property
    def cause(self) -> Message:
        """Why the file cannot be used."""
        return Message.using(self.because, self._fields)

    def advice(self, elsewhere: Field = _ELSEWHERE) -> Message:
        """Returns what to do about it; `elsewhere` says how to name another file."""
        return Message.using(self.do, {**self._fields, "elsewhere": elsewhere})


class NotAFile(DatabaseError):
    """A folder or a pipe is where the file should be, or a file is where its folder should be."""

    because = phrase("{path} cannot be created or opened as a file: {why}.")
    do = phrase("Move that away, or {elsewhere}.")


class DamagedFile(DatabaseError):
    """The file is not a database, or a damaged one."""

    because = phrase("{path} is not a database, or it is damaged ({why}). It was not changed.")
    do = phrase("Move it away to start over, restore a backup, or {elsewhere}.")


class ForeignFile(DatabaseError):
    """The file belongs to another program."""

    because = phrase("{path} belongs to another program. It was not changed.")
    do = phrase("Use another file: {elsewhere}.")


class NewerFile(DatabaseError):
    """The file was written by a newer version of this program."""

    because = phrase(
        "{path} was written by a newer version of this program (the file has version {found}, this program knows "
        "{known}). It was not changed."
    )
    do = phrase("Update this program, or {elsewhere}.")


class ReadOnlyFile(DatabaseError):
    """The file can be read, but not written."""

    because = phrase("{path} can be read but not written, so nothing was saved.")
    do = phrase(
        "Give this user write access to the file and its folder, make sure that the disk is not read-only, "
        "or {elsewhere}."
    )


class DiskFull(DatabaseError):
    """There is no room for the change."""

    because = phrase(
        "There is no room for {path}: the disk is full. The last change was not saved; everything before it was."
    )
    do = phrase("Free some space, then try again.")


class FileInUse(DatabaseError):
    """Another program is writing, and does not finish."""

    because = phrase("Another program is using {path} and has not finished. The last change was not saved.")
    do = phrase("Wait for the other program or close it, then try again.")


class NoPermission(DatabaseError):
    """The file cannot be opened; usually this user may not."""

    because = phrase("{path} cannot be opened ({why}).")
    do = phrase("Give this user access to the file and its folder, or {elsewhere}.")


class FailingDisk(DatabaseError):
    """The disk fails to read or write."""

    because = phrase("The disk failed at {path} ({why}). The last change was not saved.")
    do = phrase("Check the card or drive and its free space, copy the file to another one, and {elsewhere}.")


class FileGone(DatabaseError):
    """The file was renamed or deleted while it was open."""

    because = phrase("{path} was renamed or deleted while the table was using it. The last change was not saved.")
    do = phrase("Put the file back under its name. {kept}")


class FileReplaced(DatabaseError):
    """Another file has taken the place of the one that was opened."""

    because = phrase("{path} was replaced by another file while the table was using it. The last change was not saved.")
    do = phrase("Put the table's own file back, or start the table again to use the new one. {kept}")


class NotABackup(DatabaseError):
    """The file named as a backup cannot be one."""

    because = "{path} is not a backup: {why}. Nothing was changed."
    do = "Name a file that `companion backup` has written."


class OpenElsewhere(DatabaseError):
    """Another program has the file open, so it cannot be replaced."""

    because = "Another program has {path} open. Nothing was changed."
    do = "Close that program, then try again."


class BadJournal(DatabaseError):
    """A saved game is damaged; `entry` is the number of the first bad entry, or 0 when it is not an entry."""

    because = phrase(
        "Game {game} in {path} cannot be read from move {move} on: entry {entry} is wrong ({why}). Nothing was changed."
    )
    do = phrase(
        "`companion repair {game}` goes on from the last good move and keeps the damaged game. Or restore a backup "
        "with `companion restore`, or start another game with `companion play --new`."
    )

    def __init__(self, path: Path, why: str, game: int, entry: int = 0, move: int = 0) -> None:
        self.game = game
        self.entry = entry
        self.move = move
        super().__init__(path, why, game=game, entry=entry, move=move)


class BadHeader(BadJournal):
    """A saved game's header, options or seed is damaged."""

    because = phrase("Game {game} in {path} cannot be read: its beginning is wrong ({why}). Nothing was changed.")
    do = phrase("Restore a backup with `companion restore`, or start another game with `companion play --new`.")


class BadAgreement(BadHeader):
    """A saved game's options are damaged, or whether it is finished; its header and seed are not."""

    do = BadJournal.do


class NoSuchGame(DatabaseError):
    """No saved game has this number."""

    because = "There is no game {game} in {path}."
    do = "`companion games` lists the saved games."


class FinishedGame(DatabaseError):
    """A finished game takes no more entries."""

    because = phrase("Game {game} in {path} is finished. Nothing was added.")
    do = phrase("Start another game.")


class OtherEntries(DatabaseError):
    """The journal does not hold the entries the writer expected."""

    because = phrase(
        "Game {game} in {path} was changed by another program: it has {found} entries instead of {expected}. "
        "Nothing was added."
    )
    do = phrase("If another program is using this file, close it. Then open the game again.")

"""The journal: what is appended is there, once; undo is an entry; what does not replay is told with its entry."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from companion.engine import BadRecord, Game, NothingToUndo
from companion.storage.database import MIGRATIONS, Database, open_database
from companion.storage.errors import (
    BadHeader,
    BadJournal,
    DamagedFile,
    DatabaseError,
    DiskFull,
    FailingDisk,
    FileInUse,
    FinishedGame,
    NewerFile,
    NoSuchGame,
    OtherEntries,
    ReadOnlyFile,
)
from companion.storage.journal import Entry, Journal, note_entry, utc_now
from companion.storage.notes import Note, OtherNote, SetAsideNote
from tests.support import arrange
from tests.support.arrange import play, turn_of
from tests.support.random_games import Player, finished, new_game, some_position

ROOT = Path(__file__).parents[2]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    with open_database(file, patience_s=0.05) as opened:
        yield opened


@pytest.fixture
def journal(database: Database) -> Journal:
    seconds = count()
    return Journal(database, now=lambda: f"2024-05-01T18:00:{next(seconds):02}+00:00")


def opening(cards: tuple[str, ...] = ()) -> Game:
    """A game of three after its nine moves of chance."""
    return arrange.opening(("red", "blue", "green"), cards=cards)


def begun(journal: Journal, game: Game, seed: int = 7) -> int:
    """A game of the same kind, at its beginning."""
    return journal.begin(Game(game.seats, game.edition, game.rounds, game.house), {}, seed)


def moves(game: Game, by: str = "person") -> list[Entry]:
    return [Entry("move", move.text, "table" if move.seat == "table" else by) for move in game.moves]


def kept(journal: Journal, game: Game) -> int:
    """A game in the journal with all its moves."""
    number = begun(journal, game)
    journal.append(number, moves(game))
    return number


def rows(journal: Journal, number: int = 1) -> list[tuple[int, str, str, str]]:
    statement = "SELECT number, kind, line, made_by FROM entries WHERE game = ? ORDER BY number"
    return journal.database.execute(statement, (number,))


# --- keeping and rebuilding ------------------------------------------------------------------------------------------


def test_a_new_game_is_kept_with_what_was_agreed(journal: Journal, file: Path) -> None:
    game = Game(("green", "red"), "classic-fr", 6, ("strict-dial",))
    number = journal.begin(game, {"people": ["red"], "lights": True, "name": "Grën"}, seed=2**70)
    with open_database(file) as other:
        found = Journal(other).load(number)
        [[header]] = other.execute("SELECT header FROM games")
    assert header == "edition: classic-fr\nseats: green red\nrounds: 6\nhouse: strict-dial"
    assert found.game.record() == game.record()
    assert found.options == {"people": ["red"], "lights": True, "name": "Grën"}
    assert (found.seed, found.begun_at, found.finished_at) == (str(2**70), "2024-05-01T18:00:00+00:00", None)
    assert (found.made_by, found.entries, found.notes) == ((), 0, ())


def test_a_game_that_has_moves_is_not_begun(journal: Journal) -> None:
    with pytest.raises(ValueError, match="has moves already"):
        journal.begin(opening(), {}, 1)
    assert journal.games() == []


@pytest.mark.parametrize("seed", range(6))
def test_a_game_with_moves_taken_back_and_notes_is_rebuilt_with_who_made_each_move(
    journal: Journal, file: Path, seed: int
) -> None:
    rng = Random(seed)
    game = new_game(rng)
    number = begun(journal, game)
    player = Player(rng)
    made_by: list[str] = []
    notes: list[Note] = []
    entries = 0
    while not game.over and entries < 150:
        batch: list[Entry] = []
        for _ in range(rng.randint(1, 3)):
            what = rng.random()
            if what < 0.1 and game.moves:
                back = rng.randint(1, min(5, len(game.moves)))
                for _ in range(back):
                    game.undo()
                    made_by.pop()
                batch.append(Entry("undo", str(back), "person"))
            elif what < 0.15:
                notes.append(OtherNote({"seat": "red", "entry": entries}))
                batch.append(note_entry(notes[-1]))
            elif not game.over:
                game.play(player.choose(game.legal_moves()))
                made_by.append(rng.choice(("person", "bot", "table")))
                batch.append(Entry("move", game.moves[-1].text, made_by[-1]))
        assert journal.append(number, batch, after=entries) == entries + len(batch)
        entries += len(batch)
    with open_database(file) as other:
        found = Journal(other).load(number)
    assert found.game.record() == game.record()
    assert found.game.snapshot() == game.snapshot()
    assert found.made_by == tuple(made_by)
    assert found.notes == tuple(notes)
    assert found.entries == entries


def test_an_undo_is_an_entry_and_deletes_nothing(journal: Journal) -> None:
    number = kept(journal, play(opening(), "red power 7"))
    before = rows(journal)
    journal.append(number, [Entry("undo", "1", "person"), Entry("move", "red power 8", "person")])
    assert rows(journal)[:-2] == before
    assert rows(journal)[-2:] == [(11, "undo", "1", "person"), (12, "move", "red power 8", "person")]
    assert journal.load(number).game.moves[-1].text == "red power 8"


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM entries",
        "UPDATE entries SET line = 'red power 9'",
        "DELETE FROM games",
        "UPDATE games SET seed = '1'",
        "UPDATE games SET header = ''",
    ],
)
def test_what_is_in_the_journal_stays(journal: Journal, statement: str) -> None:
    number = kept(journal, opening())
    with pytest.raises(sqlite3.IntegrityError, match="what is in the journal stays"):
        journal.database.execute(statement)
    assert journal.load(number).game.record() == opening().record()


def test_entries_carry_the_time_and_are_numbered_by_game(journal: Journal) -> None:
    first, second = begun(journal, opening()), begun(journal, opening())
    for number in (first, second, first):
        journal.append(number, [note_entry(OtherNote({"game": number}))])
    found = journal.database.execute("SELECT game, number, at FROM entries ORDER BY game, number")
    assert found == [(1, 1, "2024-05-01T18:00:02+00:00"), (1, 2, "2024-05-01T18:00:04+00:00"),
                     (2, 1, "2024-05-01T18:00:03+00:00")]  # fmt: skip


def test_the_time_is_that_of_utc() -> None:
    assert utc_now().endswith("+00:00")


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (("move", "red jump 7"), "is not a move"),
        (("move", ""), "is not a move"),
        (("undo", "0"), "a number of moves from 1 on, not '0'"),
        (("undo", "-1"), "a number of moves from 1 on"),
        (("undo", "all"), "a number of moves from 1 on"),
        (("note", "[1]"), "a note is an object"),
        (("note", "red"), "Expecting value"),
        (("word", "red power 7"), "no entry of the kind 'word'"),
        (("move", "red power 7", "cat"), "nobody called 'cat' makes entries"),
    ],
)
def test_an_entry_that_could_not_be_read_again_is_not_made(entry: tuple[str, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Entry(*entry)


def test_a_note_or_an_option_that_is_no_json_is_refused(journal: Journal) -> None:
    with pytest.raises(ValueError, match="JSON"):
        note_entry(OtherNote({"speed": float("nan")}))
    with pytest.raises(TypeError, match="JSON"):
        journal.begin(Game(("red", "blue")), {"board": object()}, 1)
    assert journal.games() == []


def test_more_moves_than_there_are_cannot_be_taken_back(journal: Journal) -> None:
    number = begun(journal, opening())
    journal.append(number, [*moves(opening()), Entry("undo", "2")])
    before = rows(journal)
    with pytest.raises(NothingToUndo, match="9 moves cannot be taken back"):
        journal.append(
            number, [note_entry(OtherNote({"a": 1})), Entry("move", "table reveal 3 score-most"), Entry("undo", "9")]
        )
    assert rows(journal) == before
    assert journal.append(number, [Entry("undo", "7")]) == len(before) + 1
    assert journal.load(number).game.moves == ()


def test_a_game_that_is_not_there_is_told(journal: Journal) -> None:
    number = kept(journal, opening())
    for wrong in (number + 1, 0, -1, 2**70):
        for call in (journal.load, journal.finish, journal.set_aside):
            with pytest.raises(NoSuchGame, match=f"no game {wrong} in .* `companion games` lists"):
                call(wrong)


def test_nothing_is_added_to_a_finished_game(journal: Journal) -> None:
    number = kept(journal, opening())
    journal.finish(number)
    at = journal.load(number).finished_at
    assert at is not None
    journal.finish(number)
    assert journal.load(number).finished_at == at
    with pytest.raises(FinishedGame, match="is finished"):
        journal.append(number, [Entry("undo", "1")])
    # What was written before, but seemed not to be, is still found there.
    assert journal.append(number, moves(opening())[-1:], after=8) == 9


# --- the same append again -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "entries", "written"),
    [
        (9, ["red power 7", "blue power 8"], 2),
        (9, [], 0),
        (7, ["table reveal 3 score-most", "table reveal 4 tile"], 0),
        (8, ["table reveal 4 tile", "red power 7"], 1),
        (0, [], None),
        (8, [], None),
        (8, ["table reveal 4 grande"], None),
        (7, ["table reveal 3 score-most"], None),
        (10, ["red power 7"], None),
    ],
)
def test_what_is_there_already_is_not_written_twice_and_anything_else_is_refused(
    journal: Journal, after: int, entries: list[str], written: int | None
) -> None:
    game = opening(cards=("score-most", "tile"))
    number = begun(journal, game)
    journal.append(number, moves(game, by="table"))
    before = rows(journal)
    given = [Entry("move", line) for line in entries]
    if written is None:
        with pytest.raises(OtherEntries, match=rf"it has 9 entries instead of {after}. Nothing was added"):
            journal.append(number, given, after=after)
        assert rows(journal) == before
    else:
        for _ in range(2):
            assert journal.append(number, given, after=after) == 9 + written
            assert rows(journal)[:9] == before
            assert len(rows(journal)) == 9 + written


def test_the_same_line_by_somebody_else_is_another_entry(journal: Journal) -> None:
    number = begun(journal, opening())
    journal.append(number, [Entry("move", "table king galicia", "table")], after=0)
    with pytest.raises(OtherEntries):
        journal.append(number, [Entry("move", "table king galicia", "person")], after=0)


# --- which games there are -------------------------------------------------------------------------------------------


def test_the_last_game_neither_finished_nor_set_aside_is_gone_on_with(journal: Journal) -> None:
    assert journal.unfinished() is None
    first, second, third = (kept(journal, opening()) for _ in range(3))

    def found() -> int | None:
        game = journal.unfinished()
        return None if game is None else game.id

    assert found() == third
    journal.finish(third)
    assert found() == second
    journal.set_aside(second)
    assert found() == first
    journal.append(second, [note_entry(OtherNote({"seat": "red"}))])
    assert found() == first
    journal.append(second, [note_entry(SetAsideNote(False))])
    assert found() == second
    journal.set_aside(first)
    journal.set_aside(second)
    assert found() is None
    assert journal.load(second).set_aside
    assert not journal.load(third).set_aside
    assert journal.load(second).game.record() == opening().record()


def test_games_are_summed_up(journal: Journal) -> None:
    over = finished(3)
    kept(journal, over)
    journal.finish(1)
    part = turn_of("king")
    journal.set_aside(kept(journal, part))
    first, second = journal.games()
    assert (first.id, first.edition, first.seats, first.moves) == (1, over.edition, over.seats, len(over.moves))
    assert (first.scores, first.winners, first.round) == (over.scores, over.winners, 9)
    assert first.finished_at is not None
    assert not first.set_aside
    assert (second.id, second.round, second.scores, second.winners) == (2, part.round, part.scores, ())
    assert second.finished_at is None
    assert second.set_aside


@pytest.mark.parametrize("seed", [3, 4])
def test_a_record_becomes_a_kept_game(journal: Journal, seed: int) -> None:
    game = finished(seed)
    number = journal.import_record(game.record(), {"from": "afar"}, seed=5)
    found = journal.load(number)
    assert found.game.record() == game.record()
    assert found.made_by == tuple("table" if move.seat == "table" else "person" for move in game.moves)
    assert found.finished_at == found.begun_at
    assert (found.options, found.seed) == ({"from": "afar"}, "5")
    assert journal.unfinished() is None


def test_an_imported_game_goes_on_unless_another_is_under_way(journal: Journal) -> None:
    first = journal.import_record(opening().record())
    second = journal.import_record(opening().record())
    third = journal.import_record(finished(3).record())
    assert [journal.load(number).set_aside for number in (first, second, third)] == [False, True, False]
    under_way = journal.unfinished()
    assert under_way is not None
    assert under_way.id == first


def test_a_bad_record_is_told_with_its_line_and_not_kept(journal: Journal) -> None:
    with pytest.raises(BadRecord, match="line 6: "):
        journal.import_record("edition: bigbox-de\nseats: red blue\nrounds: 9\n\ntable king galicia\nred power 7\n")
    assert journal.games() == []


# --- what does not replay --------------------------------------------------------------------------------------------


def meddle(journal: Journal, statement: str, *values: str | bytes) -> None:
    """Changes what cannot be changed by any call of ours."""
    for table, change in (("entries", "update"), ("entries", "delete"), ("games", "update")):
        journal.database.execute(f"DROP TRIGGER {table}_stay_on_{change}")
    journal.database.execute("PRAGMA ignore_check_constraints = ON")
    journal.database.execute(statement, values)


@pytest.mark.parametrize(
    ("change", "entry", "words"),
    [
        ("UPDATE entries SET line = 'blue power 7' WHERE number = 10", 10, "it is not blue's turn"),
        ("UPDATE entries SET line = 'red pow#r 7' WHERE number = 10", 10, "it is not a move"),
        ("UPDATE entries SET line = CAST(x'72ff' AS TEXT) WHERE number = 10", 10, "invalid start byte"),
        ("UPDATE entries SET kind = 'undo' WHERE number = 10", 10, "a number of moves"),
        ("UPDATE entries SET kind = 'note' WHERE number = 10", 10, "Expecting value"),
        ("UPDATE entries SET kind = 'nose' WHERE number = 10", 10, "no entries of the kind 'nose'"),
        ("UPDATE entries SET kind = 'undo', line = '99' WHERE number = 12", 12, "no move to take back"),
        ("DELETE FROM entries WHERE number = 4", 4, "it is missing"),
        ("UPDATE games SET header = 'seats: red blue'", 0, "the header lacks 'edition'"),
        ("UPDATE games SET header = CAST(x'72ff' AS TEXT)", 0, "invalid start byte"),
        ("UPDATE games SET options = '['", 0, "Expecting value"),
        ("UPDATE games SET seed = 'x'", 0, "neither a number nor 32 bytes"),
    ],
)
def test_the_first_entry_that_does_not_replay_is_told(journal: Journal, change: str, entry: int, words: str) -> None:
    number = kept(journal, play(opening(), "red power 7", "blue power 9", "green power 5"))
    other = kept(journal, opening())
    meddle(journal, change.replace("WHERE", f"WHERE game = {number} AND") if "WHERE" in change else change)
    with pytest.raises(BadJournal, match=words) as caught:
        journal.load(number)
    assert caught.value.entry == entry
    assert isinstance(caught.value, BadHeader) is (entry == 0)
    assert f"Game {number} in {journal.database.path} cannot be read" in str(caught.value)
    if entry:
        assert f"entry {entry} is wrong" in str(caught.value)
        assert [summary.problem is None for summary in journal.games()] == [False, True]
        assert journal.load(other).game.record() == opening().record()
    # It does not stand in the way of another game.
    journal.set_aside(other)
    journal.set_aside(number)
    assert journal.unfinished() is None


@pytest.mark.parametrize("line", ["red dial granada", "red di#l granada", "red retake 12", "red retake granada"])
def test_what_is_secret_is_not_told_with_the_entry(journal: Journal, line: str) -> None:
    number = kept(journal, play(opening(), "red power 7"))
    meddle(journal, "UPDATE entries SET line = ? WHERE number = 10", line)
    with pytest.raises(BadJournal, match="entry 10") as caught:
        journal.load(number)
    assert "granada" not in str(caught.value)
    assert "12" not in str(caught.value).replace(str(journal.database.path), "")


def test_a_dial_that_the_rules_refuse_is_not_told_with_the_entry(journal: Journal) -> None:
    game = play(turn_of("secret-two-home"), "red special", "blue dial aragon")
    number = kept(journal, game)
    meddle(journal, "UPDATE entries SET line = 'blue dial galicia' WHERE line = 'blue dial aragon'")
    with pytest.raises(BadJournal, match="it is not legal at that point") as caught:
        journal.load(number)
    assert "galicia" not in str(caught.value)


def test_a_damaged_text_outside_the_entries_is_told(journal: Journal) -> None:
    kept(journal, opening())
    meddle(journal, "UPDATE games SET begun_at = CAST(x'72ff' AS TEXT)")
    [summary] = journal.games()
    assert "the time it was begun" in str(summary.problem)


def test_the_seed_is_in_no_words(journal: Journal) -> None:
    number = begun(journal, opening(), seed=8675309)
    assert "8675309" not in f"{journal.load(number)} {journal.games()} {journal!r}"
    assert journal.load(number).seed == "8675309"


# --- a write that fails ----------------------------------------------------------------------------------------------


def long_note(size: int = 200_000) -> Entry:
    return note_entry(OtherNote({"long": "x" * size}))


def test_after_a_full_disk_the_same_append_succeeds_and_nothing_is_doubled(journal: Journal, file: Path) -> None:
    number = kept(journal, opening())
    before = rows(journal)
    [[pages]] = journal.database.execute("PRAGMA page_count")
    journal.database.execute(f"PRAGMA max_page_count = {pages}")
    entries = [Entry("move", "red power 7", "person"), long_note()]
    for _ in range(3):
        with pytest.raises(DiskFull, match="the disk is full"):
            journal.append(number, entries, after=9)
        assert rows(journal) == before
        assert len(journal.load(number).game.moves) == 9
    journal.database.execute("PRAGMA max_page_count = 100000")
    for _ in range(2):
        assert journal.append(number, entries, after=9) == 11
    with open_database(file) as other:
        assert Journal(other).load(number).game.moves[-1].text == "red power 7"
        assert len(rows(Journal(other))) == 11


def test_a_commit_whose_answer_was_lost_is_not_doubled(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    number = kept(journal, opening())
    execute = journal.database.execute

    def lost(statement: str, values: tuple[str, ...] = ()) -> list[object]:
        found = execute(statement, values)
        if statement == "COMMIT":
            raise FailingDisk(journal.database.path, "nobody answers")
        return found

    monkeypatch.setattr(journal.database, "execute", lost)
    with pytest.raises(FailingDisk):
        journal.append(number, [Entry("move", "red power 7", "person")], after=9)
    monkeypatch.undo()
    assert journal.append(number, [Entry("move", "red power 7", "person")], after=9) == 10
    assert [line for _, _, line, _ in rows(journal)].count("red power 7") == 1


def unplugged(file: Path) -> None:
    """Lets every write to the file's log fail for this connection from now on, as after a drive was pulled out."""
    [log] = [
        int(handle)
        for handle in os.listdir("/proc/self/fd")
        if os.path.realpath(f"/proc/self/fd/{handle}") == f"{file}-wal"
    ]
    nothing = os.open("/dev/null", os.O_RDONLY)
    os.dup2(nothing, log)
    os.close(nothing)


def test_after_a_broken_connection_the_file_is_opened_anew(journal: Journal, file: Path) -> None:
    number = kept(journal, opening())
    unplugged(file)
    entries = [Entry("move", "red power 7", "person")]
    with pytest.raises(FailingDisk, match="The disk failed"):
        journal.append(number, entries, after=9)
    assert journal.append(number, entries, after=9) == 10
    unplugged(file)
    with pytest.raises(FailingDisk):
        journal.append(number, [Entry("undo", "1")], after=10)
    assert journal.load(number).game.moves[-1].text == "red power 7"
    assert len(rows(journal)) == 10


def test_while_a_file_cannot_be_opened_anew_that_is_told(journal: Journal, file: Path) -> None:
    number = kept(journal, opening())
    unplugged(file)
    with pytest.raises(FailingDisk):
        journal.append(number, [Entry("move", "red power 7")], after=9)
    away = file.with_name("away.db")
    for end in ("", "-wal", "-shm"):
        Path(f"{file}{end}").rename(f"{away}{end}")
    for _ in range(2):
        with pytest.raises(FailingDisk, match="the file is gone"):
            journal.append(number, [Entry("move", "red power 7")], after=9)
        assert not file.exists()
    file.mkdir()
    for _ in range(2):
        with pytest.raises(DatabaseError, match="a folder is there"):
            journal.append(number, [Entry("move", "red power 7")], after=9)
    file.rmdir()
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            Path(f"{away}{end}").rename(f"{file}{end}")
    assert journal.append(number, [Entry("move", "red power 7")], after=9) == 10


def test_a_file_that_was_locked_for_writing_goes_on_when_it_is_free(journal: Journal) -> None:
    number = kept(journal, opening())
    journal.database.execute("PRAGMA query_only = ON")
    with pytest.raises(ReadOnlyFile, match="can be read but not written"):
        journal.append(number, [Entry("move", "red power 7")], after=9)
    assert journal.append(number, [Entry("move", "red power 7")], after=9) == 10


# What is written past the limit fails as on a broken card; the limit is then lifted.
WRITE_TO_A_LIMIT = """
import resource, signal, sys
from pathlib import Path
from companion.storage.database import open_database
from companion.storage.errors import FailingDisk
from companion.engine import Game
from companion.storage.journal import Journal, note_entry
from companion.storage.notes import OtherNote
journal = Journal(open_database(Path(sys.argv[1])))
number = journal.begin(Game(("red", "blue")), {}, 1)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (131072, hard))
failures = 0
for written in range(60):
    try:
        journal.append(number, [note_entry(OtherNote({"n": written}))], after=written)
    except FailingDisk:
        failures += 1
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        journal.append(number, [note_entry(OtherNote({"n": written}))], after=written)
print(failures, [note.fields["n"] for note in journal.load(number).notes] == list(range(60)))
"""


def test_after_a_failing_disk_the_same_append_succeeds(file: Path) -> None:
    command = [sys.executable, "-c", WRITE_TO_A_LIMIT, str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("1 True\n", "")


# --- two programs at once --------------------------------------------------------------------------------------------


def test_a_second_writer_waits_for_the_first(journal: Journal, file: Path) -> None:
    number = kept(journal, opening())
    begins = threading.Event()

    def hold() -> None:
        with open_database(file) as other, other.transaction():
            Journal(other)._insert_entries(number, [Entry("move", "red power 7")], 9)
            begins.set()
            time.sleep(0.3)

    with open_database(file, patience_s=5) as patient:
        other = threading.Thread(target=hold)
        other.start()
        assert begins.wait(5)
        assert Journal(patient).append(number, [Entry("move", "blue power 8")], after=None) == 11
        other.join()
    assert [line for _, _, line, _ in rows(journal)[9:]] == ["red power 7", "blue power 8"]


def test_a_writer_that_waited_too_long_says_so_and_may_try_again(journal: Journal, file: Path) -> None:
    number = kept(journal, opening())
    with open_database(file) as other:
        with other.transaction():
            with pytest.raises(FileInUse, match="Another program is using"):
                journal.append(number, [Entry("move", "red power 7")], after=9)
            # Reading does not wait.
            assert journal.load(number).entries == 9
        assert journal.append(number, [Entry("move", "red power 7")], after=9) == 10


def test_a_second_program_in_the_same_game_is_refused_in_words(journal: Journal, file: Path) -> None:
    number = kept(journal, opening())
    with open_database(file) as other:
        Journal(other).append(number, [Entry("move", "red power 7")], after=9)
    with pytest.raises(OtherEntries, match="If another program is using this file, close it"):
        journal.append(number, [Entry("move", "red power 8")], after=9)


PLAY_A_GAME = """
import sys
from pathlib import Path
from companion.storage.database import open_database
from companion.engine import Game
from companion.storage.journal import Entry, Journal
game = Game.from_record(sys.stdin.read())
journal = Journal(open_database(Path(sys.argv[1])))
number = journal.begin(Game(game.seats, game.edition, game.rounds, game.house), {}, 1)
for count, move in enumerate(game.moves):
    journal.append(number, [Entry("move", move.text)], after=count)
print(number)
"""


def test_two_programs_may_keep_their_games_in_one_file(file: Path) -> None:
    records = [some_position(seed).record() for seed in (5, 6)]
    command = [sys.executable, "-c", PLAY_A_GAME, str(file)]
    programs = [
        subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in records
    ]
    for program, record in zip(programs, records, strict=True):
        assert program.stdin is not None
        program.stdin.write(record)
        program.stdin.close()
        program.stdin = None
    numbers = [int(program.communicate(timeout=60)[0]) for program in programs]
    with open_database(file) as database:
        assert [Journal(database).load(number).game.record() for number in numbers] == records


# --- the file --------------------------------------------------------------------------------------------------------


def test_a_file_of_before_the_games_keeps_its_tags(file: Path) -> None:
    with open_database(file, migrations=MIGRATIONS[:1]) as old:
        old.execute("INSERT INTO tags VALUES ('04A1', 'king')")
    with open_database(file) as database:
        kept(Journal(database), opening())
        assert database.execute("SELECT * FROM tags") == [("04A1", "king")]


def test_a_damaged_or_newer_file_is_told_and_left_as_it_is(file: Path) -> None:
    with open_database(file) as database:
        kept(Journal(database), finished(3))
    sound = file.read_bytes()
    # The middle of the file, where the entries are.
    broken = bytearray(sound)
    broken[-8192:-4096] = b"\xa5" * 4096
    for content in (bytes(broken), sound[: len(sound) // 2]):
        file.write_bytes(content)
        with pytest.raises(DamagedFile, match="restore a backup"):
            open_database(file)
        assert file.read_bytes() == content
    file.write_bytes(sound)
    open_database(file, migrations=(*MIGRATIONS, ("CREATE TABLE more (a)",))).close()
    with pytest.raises(NewerFile, match="Update this program"):
        open_database(file)


def test_an_unturned_dial_is_kept_for_the_table_alone(journal: Journal) -> None:
    game = play(turn_of("secret-score"), "red special", "blue dial granada")
    found = journal.load(kept(journal, game))
    assert found.game.moves[-1].text == "blue dial granada"
    assert "granada" not in f"{found} {journal.games()}"


# --- The last result -------------------------------------------------------------------------------------------------


def test_the_latest_finished_game_is_the_one_finished_last_and_damaged_ones_are_passed_over(journal: Journal) -> None:
    assert journal.latest_finished() is None
    first, second = (kept(journal, finished(seed)) for seed in (1, 2))
    unfinished = begun(journal, opening())
    assert journal.latest_finished() is None
    journal.finish(second)
    journal.finish(first)
    found = journal.latest_finished()
    assert found is not None
    assert found.id == first
    # One that was ended before its last move has no result.
    journal.finish(unfinished)
    journal.database.execute("DROP TRIGGER entries_stay_on_update")
    journal.database.execute("UPDATE entries SET line = 'nonsense' WHERE game = ? AND number = 3", (first,))
    found = journal.latest_finished()
    assert found is not None
    assert found.id == second

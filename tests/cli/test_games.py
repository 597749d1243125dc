"""The commands on kept games, as a person types them."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import CliRunner, Result

from companion.bots.simulation import Setting, random_game
from companion.cli import main
from companion.cli.replay import Replay
from companion.engine import Game
from companion.storage.database import MIGRATIONS, open_database
from companion.storage.journal import Entry, Journal, note_entry
from companion.storage.notes import HandoverNote, NameNote, OtherNote, PlayerNote
from companion.table.fair_deal import new_seed, notes_at_begin
from companion.table.options import Options
from companion.translations import Translator
from hardware.lights import StripLights
from hardware.ports import Pattern, Scene, Show
from tests.support.arrange import opening, play, turn_of

WHOLE = random_game(Setting(("red", "blue", "green"), "bigbox-de", 9, ()), Random(1))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The table's file, where commands look for it by themselves."""
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    return tmp_path / "table.db"


def run(*args: str | Path, keys: str | bytes = "") -> Result:
    return CliRunner().invoke(main, list(map(str, args)), input=keys, catch_exceptions=False)


def refused(*args: str | Path, keys: str | bytes = "", code: int = 1) -> str:
    """What is said of a mistake."""
    result = run(*args, keys=keys)
    assert result.exit_code == code
    assert result.stdout == ""
    return result.stderr


@contextmanager
def journal(file: Path) -> Iterator[Journal]:
    with open_database(file) as database:
        yield Journal(database, now=lambda: "2024-05-01T18:03:22.123+00:00")


def keep(file: Path, *games: Game) -> None:
    with journal(file) as opened:
        for game in games:
            seed = new_seed()
            opened.import_record(game.record(), seed=seed, notes=notes_at_begin(seed, len(game.moves)))


# --- games -----------------------------------------------------------------------------------------------------------


def test_games_are_listed_with_their_result(file: Path) -> None:
    keep(file, WHOLE, opening(), opening(("green", "red"), "classic-fr"))
    lines = [line.split() for line in run("games").stdout.splitlines()]
    points = ", ".join(f"{seat} {score}" for seat, score in WHOLE.scores.items())
    assert [" ".join(line) for line in lines[:1] + lines[2:]] == [
        "number started edition round moves result",
        f"1 2024-05-01 18:03 bigbox-de 9 {len(WHOLE.moves)} {WHOLE.winners[0]} wins",
        points,
        "2 2024-05-01 18:03 bigbox-de 1 10 unfinished",
        "red, blue, green, yellow",
        "3 2024-05-01 18:03 classic-fr 1 8 unfinished, set aside",
        "green, red",
    ]


def test_games_are_listed_with_their_players_as_they_were_called_in_the_end(file: Path) -> None:
    options = Options({"red": "person", "blue": "easy", "green": "hard"}, {"red": "Ann", "green": "Deep Blue"})
    notes = (NameNote("red", "Anna"), PlayerNote("blue", "person"), NameNote("blue", "Bo"))
    with journal(file) as opened:
        number = opened.begin(Game(WHOLE.seats), options.as_json(), seed=1)
        opened.append(number, [note_entry(note) for note in notes], 0)
        opened.finish(number)
    assert run("games").stdout.splitlines()[3].strip() == "Anna (red) 0, Bo (blue) 0, Deep Blue (green, hard bot) 0"
    assert max(map(len, run("games").stdout.splitlines())) < 80


def test_a_game_that_was_ended_early_and_one_that_is_damaged_are_listed_too(file: Path) -> None:
    keep(file, opening(), opening())
    with journal(file) as opened:
        opened.finish(1)
        opened.database.execute("INSERT INTO entries VALUES (2, 13, 'undo', '1', 'table', '')")
    lines = run("games").stdout.splitlines()
    assert lines[2].endswith("ended early")
    assert lines[3].endswith("red 0, blue 0, green 0, yellow 0")
    assert lines[4].endswith("damaged; for details: companion show 2")
    assert "from move 11 on: entry 13 is wrong (it does not fit its seal)" in refused("show", "2")


def test_to_look_at_games_makes_no_file_and_changes_none(file: Path, tmp_path: Path) -> None:
    assert run("games").stdout == f"There are no saved games in {file} yet.\n"
    for command in (("show", "1"), ("replay", "1"), ("export", "1")):
        assert f"There is no game 1: {file} has no saved games yet." in refused(*command)
    assert list(tmp_path.iterdir()) == []
    with open_database(file, migrations=MIGRATIONS[:1]):
        pass
    before = file.read_bytes()
    assert run("games").stdout == f"There are no saved games in {file} yet.\n"
    assert file.read_bytes() == before


def test_a_file_that_is_none_is_told(file: Path) -> None:
    file.write_text("my diary")
    for command in (("games",), ("show", "1"), ("replay", "1"), ("export", "1"), ("backup", file.with_name("copy"))):
        assert "is not a database, or it is damaged" in refused(*command)
    assert file.read_text() == "my diary"
    assert not file.with_name("copy").exists()


def test_another_file_is_named_with_database(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    record = tmp_path / "game.txt"
    record.write_text(WHOLE.record())
    assert run("import", record, "--database", other).exit_code == 0
    assert run("games", "--database", other).stdout.count("wins") == 1
    assert run("export", "1", "--database", other).stdout == WHOLE.record()
    assert "wins:" in run("show", "1", "--database", other).stdout
    assert run("replay", "1", "--speed", "1000", "--from", "9", "--database", other).exit_code == 0
    assert run("backup", tmp_path / "copy.db", "--database", other).exit_code == 0
    assert not file.exists()


# --- show ------------------------------------------------------------------------------------------------------------


def test_show_takes_a_number_or_a_record(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(file, WHOLE, opening())
    record = tmp_path / "game.txt"
    record.write_text(WHOLE.record())
    assert run("show", "1").stdout == run("show", record).stdout
    assert "The game goes on: Red to act" in run("show", "2").stdout
    # A file that is called like a number does not hide the game.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "2").write_text(WHOLE.record())
    assert "The game goes on" in run("show", "2").stdout
    assert run("show", "./2").stdout == run("show", "1").stdout


@pytest.mark.parametrize("number", ["3", "0", "99999999999999999999"])
@pytest.mark.parametrize("command", ["show", "export", "replay"])
def test_a_number_that_no_game_has_is_told(file: Path, command: str, number: str) -> None:
    keep(file, opening())
    assert f"There is no game {number} in {file}. `companion games` lists" in refused(command, number)


def test_a_move_taken_back_is_not_shown(file: Path) -> None:
    keep(file, play(opening(), "red power 7"))
    with journal(file) as opened:
        opened.append(1, [Entry("undo", "1"), Entry("move", "red power 8")])
    for command in (("show", "1"), ("replay", "1", "--speed", "1000")):
        assert "power card 8" in run(*command).stdout
        assert "power card 7" not in run(*command).stdout
    assert run("export", "1").stdout.endswith(play(opening(), "red power 8").record())


# --- secrets ---------------------------------------------------------------------------------------------------------


DIALLING = play(turn_of("secret-score"), "red special", "blue dial granada")
TAKEN_BACK = play(turn_of("power-back"), "red special", "red retake 13")


def test_a_dial_that_is_not_turned_over_is_in_no_output(file: Path) -> None:
    keep(file, DIALLING)
    assert "a secret dial" in refused("export", "1")
    for command in (("show", "1"), ("replay", "1", "--speed", "1000"), ("games",)):
        assert "granada" not in run(*command).output.lower()
    assert "Blue sets the dial" in run("replay", "1", "--speed", "1000").stdout
    with journal(file) as opened:
        opened.append(1, [Entry("move", f"{seat} dial aragon") for seat in ("red", "green", "yellow")])
    assert "blue dial granada" in run("export", "1").stdout
    shown = run("replay", "1", "--speed", "1000").stdout
    assert "The dials are turned over\n    Blue dials Granada\n    Red dials Aragón\n" in shown
    assert shown.count("sets the dial") == 3


def test_a_dial_that_was_taken_back_is_in_no_output(file: Path) -> None:
    keep(file, DIALLING)
    with journal(file) as opened:
        opened.append(1, [Entry("undo", "1")])
    for command in (("show", "1"), ("replay", "1", "--speed", "1000"), ("export", "1")):
        assert "granada" not in run(*command).output.lower().replace("home blue granada", "")


def test_which_card_was_taken_back_is_told_only_at_the_end(file: Path) -> None:
    keep(file, TAKEN_BACK)
    assert "which power card somebody took back" in refused("export", "1")
    assert "Red takes a power card back" in run("replay", "1", "--speed", "1000").stdout
    assert "takes 13 back" not in run("replay", "1", "--speed", "1000").stdout
    with journal(file) as opened:
        opened.finish(1)
    assert "red retake 13\n" in run("export", "1").stdout


def test_the_replay_of_a_game_that_is_over_keeps_no_secrets(file: Path) -> None:
    settings = Setting(("red", "blue", "green", "yellow"), "bigbox-de", 9, ())
    game = next(
        game
        for game in (random_game(settings, Random(seed)) for seed in range(40))
        if any(move.verb == "retake" for move in game.moves)
    )
    retake = next(move for move in game.moves if move.verb == "retake")
    keep(file, game)
    shown = run("replay", "1", "--speed", "1000").stdout
    assert Translator().move(retake) in shown
    assert "takes a power card back" not in shown


def test_no_seed_is_in_any_output(file: Path) -> None:
    with journal(file) as opened:
        opened.begin(Game(("red", "blue")), {}, seed=8675309)
    for command in (("show", "1"), ("replay", "1"), ("games",), ("export", "1")):
        result = run(*command)
        assert result.exit_code == 0
        assert "8675309" not in result.output


# --- export and import -----------------------------------------------------------------------------------------------


def test_what_is_exported_is_imported_as_it_was(file: Path, tmp_path: Path) -> None:
    keep(file, WHOLE)
    record = tmp_path / "game.txt"
    assert run("export", "1", record).stdout == f"Game 1 was written to {record}.\n"
    assert record.read_text() == WHOLE.record() == run("export", "1").stdout == run("export", "1", "-").stdout
    assert run("import", record).stdout == f"Saved as game 2: {len(WHOLE.moves)} moves, finished.\n"
    assert run("import", "-", keys=WHOLE.record()).stdout.startswith("Saved as game 3:")
    assert run("export", "3").stdout == WHOLE.record()


def test_export_overwrites_nothing(file: Path, tmp_path: Path) -> None:
    keep(file, WHOLE)
    (tmp_path / "game.txt").write_text("my diary")
    assert "already exists, and was not changed. Name another" in refused("export", "1", tmp_path / "game.txt")
    assert (tmp_path / "game.txt").read_text() == "my diary"
    assert ": No such file" in refused("export", "1", tmp_path / "nowhere" / "game.txt")
    assert "already exists" in refused("export", "1", tmp_path)


def test_export_leaves_no_half_file(file: Path, tmp_path: Path) -> None:
    keep(file, WHOLE)
    # In use, so that nothing else has to be written.
    with open_database(file), room_for(1000):
        words = refused("export", "1", tmp_path / "game.txt")
    assert ": File too large" in words
    assert not (tmp_path / "game.txt").exists()


def test_import_keeps_an_unfinished_game_to_go_on_with_or_aside(file: Path) -> None:
    said = [run("import", "-", keys=opening().record()).stdout for _ in range(2)]
    assert said[0] == "Saved as game 1: 10 moves, unfinished.\n"
    assert said[1] == "Saved as game 2: 10 moves, unfinished.\nIt is set aside, because another game is in progress.\n"
    with journal(file) as opened:
        under_way = opened.unfinished()
        assert under_way is not None
        assert under_way.id == 1
        assert under_way.seed != opened.load(2).seed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"\xff\xfe", "is not a game record: it is not text"),
        (b"", "line 1: the header lacks 'edition'. Correct that line and try again; nothing was saved"),
        (b"edition: bigbox-de\nseats: red blue\nrounds: 9\n\ntable king madrid\n", "line 5: 'table king madrid'"),
    ],
)
def test_a_bad_record_is_told_with_its_line_and_nothing_is_kept(
    file: Path, tmp_path: Path, text: bytes, words: str
) -> None:
    record = tmp_path / "game.txt"
    record.write_bytes(text)
    said = refused("import", record)
    assert words in said
    assert str(record) in said
    assert not file.exists()


def test_a_record_that_is_not_there_is_told(file: Path) -> None:
    assert "'nowhere.txt': No such file or directory" in refused("import", "nowhere.txt", code=2)
    assert not file.exists()


# --- replay ----------------------------------------------------------------------------------------------------------


def test_a_replay_waits_between_moves_by_its_speed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(file, WHOLE)
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    result = run("replay", "1", "--speed", "4")
    assert pauses == [0.25] * (len(WHOLE.moves) - 1)
    assert [line for line in result.stdout.splitlines() if line.startswith("Round")] == [
        f"Round {number} of 9" for number in range(1, 10)
    ]
    assert result.stdout.startswith("\nSet-up\n  The King starts in ")
    assert result.stdout.endswith(f"The game is over: {WHOLE.winners[0].capitalize()} wins.\n")


def test_a_replay_shows_the_game_after_every_move() -> None:
    happened: list[str] = []
    again = Replay(
        WHOLE,
        wait=lambda: happened.append("wait"),
        show=lambda game: happened.append(f"show {len(game.moves)}"),
        tell=lambda line: happened.append("tell") if happened[-1:] != ["tell"] and line[0] != "\n" else None,
    )
    again.run()
    count = len(WHOLE.moves)
    assert happened == [
        step for number in range(1, count + 1) for step in ("wait", f"show {number}", "tell")
    ][1:]  # fmt: skip
    assert again.game.record() == WHOLE.record()


def test_every_scoring_is_told(file: Path) -> None:
    keep(file, WHOLE)
    assert run("replay", "1", "--speed", "1000").stdout.count(" is scored") == len(WHOLE.scorings)


def test_a_replay_on_the_lights_shows_where_each_move_was_made(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenes: list[Scene] = []
    show = StripLights.show

    def noted(self: StripLights, scene: Scene) -> None:
        scenes.append(scene)
        show(self, scene)

    monkeypatch.setattr(StripLights, "show", noted)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    keep(file, WHOLE)
    assert run("replay", "1", "--lights", "--simulated", "--board", "buttons-only").exit_code == 0
    assert len(scenes) == len(WHOLE.moves)
    game = Game(WHOLE.seats)
    for move, scene in zip(WHOLE.moves, scenes, strict=True):
        game.play(move)
        assert scene.marker == game.snapshot()["king"]
        if move.verb == "place":
            assert scene.places == {move.args[0]: Show(Pattern.STEADY, move.seat)}
        if move.verb == "dial":
            assert scene.places == {}


def test_a_replay_may_begin_with_a_round(file: Path) -> None:
    keep(file, WHOLE)
    lines = run("replay", "1", "--speed", "1000", "--from", "8").stdout.splitlines()
    assert lines[1] == "Round 8 of 9"
    assert lines[2].startswith("  Stack 1 shows")
    assert [line for line in lines if line.startswith("Round")] == ["Round 8 of 9", "Round 9 of 9"]


def test_step_by_step_goes_on_with_enter_and_stops_with_q(file: Path) -> None:
    keep(file, WHOLE)
    result = run("replay", "1", "--step", "--from", "2", keys="\n\nq\n")
    assert result.exit_code == 0
    assert result.stdout.count("Stack ") == 3
    assert result.stdout.endswith("Stopped. To continue from here: companion replay 1 --from 2\n")
    assert "Stopped." in run("replay", "1", "--step", keys="\n").stdout
    assert "The game is over" in run("replay", "1", "--step", keys="\n" * len(WHOLE.moves)).stdout


def test_ctrl_c_stops_a_replay_without_a_traceback(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_seconds: float) -> None:
        raise KeyboardInterrupt

    keep(file, WHOLE)
    monkeypatch.setattr(time, "sleep", interrupted)
    result = run("replay", "1", "--from", "5")
    assert result.exit_code == 0
    assert result.stdout.endswith("To continue from here: companion replay 1 --from 5\n")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--speed", "0"), "0.0 is not in the range"),
        (("--speed", "nan"), "nan is not a speed"),
        (("--speed", "2", "--step"), "--step and --speed do not go together"),
        (("--from", "12"), "12 is not in the range"),
        (("--from", "4"), "game 1 has no round 4: its rounds are 1."),
    ],
)
def test_a_replay_that_cannot_be_is_refused(file: Path, options: tuple[str, ...], words: str) -> None:
    keep(file, opening())
    assert words in refused("replay", "1", *options, code=2)


def test_a_round_that_the_short_game_has_not_is_told(file: Path) -> None:
    keep(file, random_game(Setting(("red", "blue"), "bigbox-de", 6, ()), Random(1)), Game(("red", "blue")))
    assert "its rounds are 2, 3, 5, 6, 8, 9" in refused("replay", "1", "--from", "4", code=2)
    assert "it is still in its set-up" in refused("replay", "2", "--from", "1", code=2)
    assert run("replay", "2").stdout == "\nThe game stops here.\n"


# --- backup ----------------------------------------------------------------------------------------------------------


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Lets no file grow beyond this many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("in_use", [False, True])
def test_a_backup_is_a_whole_file_of_its_own(file: Path, tmp_path: Path, in_use: bool) -> None:
    keep(file, WHOLE)
    folder = tmp_path / "stick"
    folder.mkdir()
    copy = folder / "copy.db"
    with open_database(file) as database:
        database.execute("INSERT INTO tags VALUES ('04A1', 'king')")
        Journal(database).import_record(opening().record())
        if in_use:
            # The last move is only in what lies beside the file.
            Journal(database).append(2, [Entry("move", "red power 7")])
            result = run("backup", copy)
    if not in_use:
        result = run("backup", copy)
    assert result.stdout == f"Copied to {copy}: 2 games and 1 tags.\n"
    assert [path.name for path in folder.iterdir()] == ["copy.db"]
    assert copy.stat().st_mode & 0o777 == 0o600
    assert run("export", "1", "--database", copy).stdout == WHOLE.record()
    assert run("games", "--database", copy).stdout == run("games").stdout
    assert ("power card 7" in run("show", "2", "--database", copy).stdout) == in_use


def test_a_file_of_an_older_version_is_copied_as_it_is(file: Path, tmp_path: Path) -> None:
    with open_database(file, migrations=MIGRATIONS[:1]) as database:
        database.execute("INSERT INTO tags VALUES ('04A1', 'king')")
    assert run("backup", tmp_path / "copy.db").stdout.endswith("copy.db: 0 games and 1 tags.\n")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("PRAGMA user_version").fetchall() == [(1,)]


def test_a_backup_overwrites_nothing_and_says_where_it_cannot_go(file: Path, tmp_path: Path) -> None:
    assert "There is nothing to copy" in refused("backup", tmp_path / "copy.db")
    keep(file, WHOLE)
    diary = tmp_path / "diary"
    diary.write_text("mine")
    assert "already exists, and was not changed" in refused("backup", diary)
    assert "already exists" in refused("backup", file)
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    assert "already exists" in refused("backup", tmp_path / "link")
    assert f"is a folder. Name a file in it, such as {tmp_path / 'table-copy.db'}." in refused("backup", tmp_path)
    assert "There is no folder" in refused("backup", tmp_path / "nowhere" / "copy.db")
    assert diary.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["diary", "link", "table.db"]


def test_a_file_that_came_meanwhile_is_not_overwritten(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(file, WHOLE)
    copy = tmp_path / "copy.db"
    link = os.link

    def late(source: Path, target: Path) -> None:
        target.write_text("mine")
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    assert "already exists" in refused("backup", copy)
    assert copy.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "table.db"]


def test_a_drive_that_knows_no_second_name_for_a_file_will_do(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(source: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    keep(file, WHOLE)
    monkeypatch.setattr(os, "link", no_links)
    assert run("backup", tmp_path / "copy.db").exit_code == 0
    assert run("export", "1", "--database", tmp_path / "copy.db").stdout == WHOLE.record()


def test_nothing_is_left_of_a_backup_that_fails(file: Path, tmp_path: Path) -> None:
    keep(file, WHOLE)
    # In use, so that it is copied from where it lies.
    with open_database(file), room_for(file.stat().st_size // 2):
        words = refused("backup", tmp_path / "copy.db")
    assert "The disk failed" in words
    assert [path.name for path in tmp_path.iterdir()] == ["table.db"]


def test_a_backup_that_is_damaged_gets_no_name(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(file, WHOLE)
    module = import_module("companion.cli.backup")
    monkeypatch.setattr(module, "_copy", lambda source, copy, file: copy.write_bytes(b"x" * 5000))
    assert "it is damaged" in refused("backup", tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["table.db"]


def test_the_progress_of_a_large_backup_is_shown(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(file, opening())
    assert "Copying" not in run("backup", tmp_path / "small.db").stderr
    with journal(file) as opened:
        opened.append(1, [note_entry(OtherNote({"long": "x" * 9_000_000}))])
    told: list[tuple[int, int | None]] = []
    update = click._termui_impl.ProgressBar.update

    def counted(self: click._termui_impl.ProgressBar[int], steps: int) -> None:
        update(self, steps)
        told.append((self.pos, self.length))

    monkeypatch.setattr(click._termui_impl.ProgressBar, "update", counted)
    result = run("backup", tmp_path / "large.db")
    assert result.exit_code == 0
    assert "Copying" in result.stderr
    pages = (tmp_path / "large.db").stat().st_size // 4096
    assert told == [(min(done, pages), pages) for done in range(256, pages + 256, 256)]


@pytest.mark.parametrize("command", ["games", "show", "replay", "export", "import", "backup"])
def test_each_command_explains_itself(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "--database" in result.stdout


def test_show_tells_which_seats_changed_hands(file: Path) -> None:
    keep(file, play(opening(), "red power 7"))
    with journal(file) as opened:
        opened.append(1, [note_entry(HandoverNote("blue", 12, "easy", "red")), Entry("move", "blue power 5")])
    lines = [line.strip() for line in run("show", "1").stdout.splitlines()]
    at = lines.index("A bot plays Blue now.")
    assert lines[at - 1 : at + 3] == [
        "Red plays power card 7",
        "A bot plays Blue now.",
        "Changed by Red.",
        "Blue plays power card 5",
    ]

"""What tags stand for: each for one kind and colour, kept at once, and enrolled in batches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import SEATS
from companion.engine.pieces import WHOLE_SET, Piece, PieceKind
from companion.storage.database import Database, open_database
from companion.storage.tags import Answer, Batch, EnrolOutcome, Tags, TagTaken

RED, BLUE, KING = Piece(PieceKind.CABALLERO, "red"), Piece(PieceKind.CABALLERO, "blue"), Piece(PieceKind.KING)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path / "table.db") as database:
        yield database


@pytest.fixture
def tags(database: Database) -> Tags:
    return Tags(database)


def enrolled(tags: Tags, piece: Piece, count: int, letter: str = "A") -> list[str]:
    """Enrols tags, and gives their names: A0 to A29."""
    names = [f"{letter}{number}" for number in range(count)]
    for name in names:
        tags.enrol(name, piece)
    return names


# --- pieces ----------------------------------------------------------------------------------------------------------


def test_the_whole_set_is_158_tags() -> None:
    by_kind: dict[str, list[int]] = {}
    for piece, count in WHOLE_SET.items():
        by_kind.setdefault(piece.kind, []).append(count)
    assert by_kind == {"caballero": [30] * 5, "grande": [1] * 5, "king": [1], "tile": [1, 1]}
    assert sum(WHOLE_SET.values()) == 158
    assert {piece.which for piece in WHOLE_SET} == {*SEATS, "8", "4", ""}


@pytest.mark.parametrize("piece", WHOLE_SET, ids=str)
def test_the_name_of_a_piece_is_read_back(piece: Piece) -> None:
    assert Piece.parse(str(piece)) == piece


def test_a_piece_that_is_not_in_the_game_is_refused(tags: Tags) -> None:
    with pytest.raises(ValueError, match="no piece called 'pink-caballero'; the pieces are red-caballero, red-grande"):
        Piece.parse("pink-caballero")
    with pytest.raises(ValueError, match="pink"):
        tags.enrol("A", Piece(PieceKind.CABALLERO, "pink"))
    assert "A" not in tags


# --- tags ------------------------------------------------------------------------------------------------------------


def test_a_tag_stands_for_what_it_was_enrolled_as(tags: Tags) -> None:
    tags.enrol("A", RED)
    tags.enrol("B", KING)
    assert (tags.what("A"), tags.what("B"), tags.what("C")) == (RED, KING, None)
    assert "A" in tags
    assert "C" not in tags
    assert 7 not in tags


def test_a_tag_enrolled_elsewhere_is_refused_with_where(tags: Tags) -> None:
    tags.enrol("A", RED)
    tags.enrol("A", RED)
    with pytest.raises(TagTaken, match="A is enrolled as a red caballero") as caught:
        tags.enrol("A", KING)
    assert (caught.value.tag, caught.value.piece) == ("A", RED)
    assert tags.what("A") == RED


def test_tags_are_counted_by_piece(tags: Tags) -> None:
    names = enrolled(tags, RED, 3)
    tags.enrol("K", KING)
    counts = tags.counts()
    assert list(counts) == list(WHOLE_SET)
    assert {piece: count for piece, count in counts.items() if count} == {RED: 3, KING: 1}
    assert tags.standing_for(RED) == names
    assert tags.snapshot() == {**dict.fromkeys(names, RED), "K": KING}


def test_a_forgotten_tag_is_free_for_another_piece(tags: Tags) -> None:
    tags.enrol("A", RED)
    tags.enrol("B", RED)
    tags.forget(["A", "unknown"])
    assert ("A" in tags, "B" in tags) == (False, True)
    tags.enrol("A", KING)
    assert tags.what("A") == KING


def test_a_tag_is_on_disk_as_soon_as_it_is_enrolled(tags: Tags) -> None:
    tags.enrol("A", RED)
    with open_database(tags.database.path) as other:
        assert Tags(other).what("A") == RED
        tags.forget(["A"])
        assert Tags(other).what("A") is None


# --- batches ---------------------------------------------------------------------------------------------------------


def outcomes(batch: Batch, *tapped: str) -> list[EnrolOutcome]:
    return [batch.tap(tag).outcome for tag in tapped]


def test_a_batch_says_what_came_of_each_tap(tags: Tags) -> None:
    tags.enrol("OLD", RED)
    tags.enrol("BLUE", BLUE)
    batch = Batch(tags, RED)
    answers = [batch.tap(tag) for tag in ("NEW", "NEW", "OLD", "OLD", "BLUE")]
    assert answers == [
        Answer(EnrolOutcome.NEW, "NEW", RED),
        Answer(EnrolOutcome.AGAIN, "NEW", RED),
        Answer(EnrolOutcome.KEPT, "OLD", RED),
        Answer(EnrolOutcome.AGAIN, "OLD", RED),
        Answer(EnrolOutcome.ELSEWHERE, "BLUE", BLUE),
    ]
    assert [str(answer.message) for answer in answers] == [
        "NEW is a red caballero now.",
        "NEW was already tapped in this batch; it counts once.",
        "OLD was already a red caballero, and stays so.",
        "OLD was already tapped in this batch; it counts once.",
        "Refused: BLUE is enrolled as a blue caballero.",
    ]
    assert (batch.count, batch.missing) == (2, 28)
    assert repr(batch) == "<Batch of red-caballero, 2 of 30>"


def test_a_full_batch_takes_no_more(tags: Tags) -> None:
    batch = Batch(tags, KING)
    assert outcomes(batch, "K", "L", "K") == [EnrolOutcome.NEW, EnrolOutcome.ENOUGH, EnrolOutcome.AGAIN]
    assert "L" not in tags
    words = "Refused: L is one too many; no more tags are needed for the King."
    assert str(batch.tap("L").message) == words


def test_a_batch_goes_on_where_another_stopped(tags: Tags) -> None:
    known = enrolled(tags, RED, 29)
    batch = Batch(tags, RED)
    assert batch.missing == 1
    assert outcomes(batch, known[0], "NEW", known[1], "MORE") == [
        EnrolOutcome.KEPT, EnrolOutcome.NEW, EnrolOutcome.KEPT, EnrolOutcome.ENOUGH,
    ]  # fmt: skip
    assert batch.finish() == []
    assert tags.counts()[RED] == 30


def test_afresh_the_lost_are_forgotten_at_the_end_and_not_before(tags: Tags) -> None:
    known = enrolled(tags, RED, 30)
    blue = enrolled(tags, BLUE, 2, "B")
    batch = Batch(tags, RED, afresh=True)
    assert batch.missing == 30
    assert outcomes(batch, *known[:28], "NEW1", "NEW1", blue[0], "NEW2") == [
        *[EnrolOutcome.KEPT] * 28, EnrolOutcome.NEW, EnrolOutcome.AGAIN, EnrolOutcome.ELSEWHERE, EnrolOutcome.NEW,
    ]  # fmt: skip
    assert batch.missing == 0
    assert all(tag in tags for tag in known)
    assert batch.finish() == known[28:]
    assert set(tags.standing_for(RED)) == {*known[:28], "NEW1", "NEW2"}
    assert tags.standing_for(BLUE) == blue


def test_afresh_an_interruption_leaves_the_old_ones_and_keeps_the_new(tags: Tags) -> None:
    known = enrolled(tags, RED, 30)
    batch = Batch(tags, RED, afresh=True)
    batch.tap(known[0])
    batch.tap("NEW")
    assert not batch.finished
    assert set(tags.standing_for(RED)) == {*known, "NEW"}
    again = Batch(tags, RED, afresh=True)
    assert outcomes(again, "NEW", *known[:29]) == [EnrolOutcome.KEPT] * 30
    assert again.finish() == [known[29]]
    assert tags.counts()[RED] == 30


def test_afresh_as_many_as_wanted_are_enough_whichever_they_are(tags: Tags) -> None:
    tags.enrol("OLD", KING)
    batch = Batch(tags, KING, afresh=True)
    assert outcomes(batch, "NEW", "OLD") == [EnrolOutcome.NEW, EnrolOutcome.ENOUGH]
    assert batch.finish() == ["OLD"]
    assert outcomes(batch, "OLD") == [EnrolOutcome.ENOUGH]
    assert tags.standing_for(KING) == ["NEW"]


def test_a_batch_in_which_nothing_was_tapped_forgets_nothing(tags: Tags) -> None:
    known = enrolled(tags, RED, 30)
    assert Batch(tags, RED, afresh=True).finish() == []
    assert set(tags.standing_for(RED)) == set(known)

"""The table's file across versions of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.storage.database import MIGRATIONS, open_database
from companion.storage.file_versions import VersionedFile


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS) + 1))
def test_asking_for_the_version_of_a_file_leaves_nothing_beside_it(tmp_path: Path, version: int) -> None:
    file = tmp_path / "table.db"
    open_database(file, migrations=MIGRATIONS[:version]).close()
    assert VersionedFile(file).version(file) == version
    assert [path.name for path in tmp_path.iterdir()] == ["table.db"]


def test_the_version_of_a_file_in_use_is_known(tmp_path: Path) -> None:
    file = tmp_path / "table.db"
    with open_database(file):
        assert VersionedFile(file).version(file) == len(MIGRATIONS)


def test_a_file_that_is_not_there_has_no_version(tmp_path: Path) -> None:
    assert VersionedFile(tmp_path / "table.db").version(tmp_path / "table.db") == 0

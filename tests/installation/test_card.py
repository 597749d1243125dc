"""Cards: our files come and go, and everything that Raspberry Pi Imager or somebody wrote stays byte for byte."""

from __future__ import annotations

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from companion.installation.card import PiCard, host_name, read_me, runs_vendor_data
from companion.installation.errors import BadCard
from companion.network.hotspot import read_hotspot
from tests.support.cards import FROM_IMAGER, USER_DATA, content, make_card, make_release
from tests.support.full_disk import small_disk
from tools import release as tool

IN_ARCHIVE = {
    "vendor-data",
    "EL-GRANDE.txt",
    "el-grande/first-boot.sh",
    "el-grande/release.tar",
    "el-grande/release.sha256",
}
OURS = IN_ARCHIVE | {"el-grande/hotspot.txt"}  # fmt: skip


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return make_release(tmp_path / "release.tar")


@pytest.mark.parametrize("user_data", USER_DATA.values(), ids=USER_DATA.keys())
def test_nothing_that_was_on_the_card_is_changed(user_data: bytes, archive: Path, tmp_path: Path) -> None:
    folder = make_card(tmp_path / "card", user_data)
    before = content(folder)
    card = PiCard(folder)
    for _ in range(2):  # running it again changes nothing
        card.check()
        card.put(archive, "0.2.0")
        now = content(folder)
        assert now.keys() - before.keys() == OURS
        assert {name: now[name] for name in before} == before
        assert now["el-grande/release.tar"] == archive.read_bytes()
    card.remove()
    assert content(folder) == before
    assert not (folder / "el-grande").exists()


def test_cloud_init_can_tell_what_our_file_is(archive: Path, tmp_path: Path) -> None:
    folder = make_card(tmp_path / "card")
    PiCard(folder).put(archive, "0.2.0")
    # It looks at the first bytes; the rest is what it runs.
    lines = (folder / "vendor-data").read_bytes().splitlines()
    assert lines[:2] == [b"#cloud-boothook", b"#!/bin/sh"]


@pytest.mark.parametrize(
    ("user_data", "name"),
    [
        ("#cloud-config\nhostname: granada\n", "granada"),
        ("#cloud-config\r\nhostname: granada\r\n", "granada"),
        ("#cloud-config\nhostname: 'granada'", "granada"),
        ('#cloud-config\nhostname : "granada" # mine\n', "granada"),
        ("#cloud-config\nhostname: granada\nhostname: sevilla\n", "sevilla"),
        ("#cloud-config\nfqdn: sevilla.example.org\n", "sevilla"),
        ("#cloud-config\nfqdn: sevilla.example.org\nhostname: granada\n", "granada"),
        ("#cloud-config\nhostname: raspberrypi\n", "elgrande"),
        ("#cloud-config\n#hostname: granada\n", "elgrande"),
        ("#cloud-config\nwrite_files:\n- content: |\n    hostname: granada\n", "elgrande"),
        ("\ufeff#cloud-config\nhostname: granada\n", "elgrande"),
        ("", "elgrande"),
    ],
)
def test_the_pi_keeps_the_name_it_was_given_and_gets_ours_otherwise(user_data: str, name: str, tmp_path: Path) -> None:
    card = PiCard(make_card(tmp_path / "card", user_data.encode()))
    assert card.host_name == name
    assert f"http://{name}.local" in read_me("0.2.0", card.host_name, None)


def test_user_data_that_cloud_init_ignores_is_pointed_out(tmp_path: Path) -> None:
    for variant, user_data in USER_DATA.items():
        note = PiCard(make_card(tmp_path / "card", user_data)).note
        assert bool(note) == (variant == "with a byte order mark")


@pytest.mark.parametrize(
    ("user_data", "runs"),
    [
        (FROM_IMAGER, True),
        ("#vendor_data: {enabled: false}\n", True),
        ("vendor_data: {enabled: True, prefix: []}\n", True),
        ("vendor_data:\n  prefix: nice\nenabled: false\n", True),
        ("vendor_data: {enabled: false}\n", False),
        ("vendor_data:\r\n  prefix: nice\r\n\r\n  enabled: no\r\n", False),
        ("vendor_data:\n  enabled: 'off'\n", False),
        ("vendor_data: {enabled: true, disabled_handlers: [text/cloud-boothook]}\n", False),
    ],
)
def test_user_data_may_forbid_what_we_install_by(user_data: str, runs: bool) -> None:
    assert runs_vendor_data(f"#cloud-config\n{user_data}hostname: granada\n") == runs


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"config.txt": None}, "not the boot partition"),
        ({"cmdline.txt": None}, "not the boot partition"),
        ({"user-data": None}, "too old"),
        ({"meta-data": None}, "too old"),
        ({"kernel7.img": "kernel"}, "a 32-bit one"),
        ({"cmdline.txt": "console=tty1 cloud-init=disabled\n"}, "switches cloud-init off"),
        ({"user-data": "#cloud-config\nvendor_data: {enabled: false}\n"}, "ignore vendor-data"),
        ({"vendor-data": "#cloud-config\ntimezone: Europe/Madrid\n"}, "a vendor-data of its own"),
    ],
)
def test_a_card_that_would_not_install_the_table_is_refused(
    changes: dict[str, str | None], why: str, tmp_path: Path
) -> None:
    folder = make_card(tmp_path / "card")
    for name, text in changes.items():
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(text)
    with pytest.raises(BadCard, match=why):
        PiCard(folder).check()


def test_what_is_not_there_is_not_a_card(tmp_path: Path) -> None:
    with pytest.raises(BadCard, match="bootfs"):
        PiCard(tmp_path / "nowhere").check()


def test_a_network_is_not_needed(tmp_path: Path) -> None:
    folder = make_card(tmp_path / "card")
    (folder / "network-config").unlink()
    PiCard(folder).check()


def test_somebody_elses_vendor_data_is_not_removed(archive: Path, tmp_path: Path) -> None:
    folder = make_card(tmp_path / "card")
    PiCard(folder).put(archive, "0.2.0")
    (folder / "vendor-data").write_text("#cloud-config\n")
    (folder / "el-grande" / "my-notes.txt").write_text("mine")
    PiCard(folder).remove()
    assert (folder / "vendor-data").read_text() == "#cloud-config\n"
    assert (folder / "el-grande" / "my-notes.txt").exists()


@pytest.mark.parametrize(
    ("state", "stays"), [("installed 0 abc", True), ("restarting 0 abc", True), ("failed 3 abc", False)]
)
def test_a_pi_that_gave_up_tries_again_after_the_card_was_prepared_again(
    state: str, stays: bool, archive: Path, tmp_path: Path
) -> None:
    folder = make_card(tmp_path / "card")
    (folder / "el-grande").mkdir()
    (folder / "el-grande" / "state.txt").write_text(f"{state}\n")
    PiCard(folder).put(archive, "0.2.0")
    assert (folder / "el-grande" / "state.txt").exists() == stays


# --- Cards without room, and cards that cannot be written ------------------------------------------------------------


def large(folder: Path, size: int) -> Path:
    file = folder / f"{size}.tar"
    file.write_bytes(os.urandom(size))
    return file


def test_a_card_without_room_stays_as_it_was(tmp_path: Path) -> None:
    with small_disk(tmp_path / "card", "3m") as disk:
        folder = make_card(disk.folder)
        before = content(folder)
        with pytest.raises(BadCard, match="Only 3 MB are free"):
            PiCard(folder).put(large(tmp_path, 2_500_000), "0.2.0")
        assert content(folder) == before


def test_the_old_release_makes_room_for_the_new_one(tmp_path: Path) -> None:
    with small_disk(tmp_path / "card", "4m") as disk:
        card = PiCard(make_card(disk.folder))
        for size in (2_000_000, 2_100_000):
            card.put(large(tmp_path, size), "0.2.0")
            assert (disk.folder / "el-grande/release.tar").stat().st_size == size


def test_a_card_that_runs_full_meanwhile_has_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_disk(tmp_path / "card", "2m") as disk:
        before = content(make_card(disk.folder))
        monkeypatch.setattr(PiCard, "_make_room", lambda self, size: None)
        with pytest.raises(BadCard, match="The card is full"):
            PiCard(disk.folder).put(large(tmp_path, 2_500_000), "0.2.0")
        assert content(disk.folder) == before


def test_a_read_only_card_says_so(archive: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "card") as disk:
        card = PiCard(make_card(disk.folder))
        card.put(archive, "0.2.0")
        before = content(disk.folder)
        subprocess.run(["mount", "-o", "remount,ro", str(disk.folder)], check=True)
        with pytest.raises(BadCard, match="read-only"):
            card.put(archive, "0.2.0")
        with pytest.raises(BadCard, match="read-only"):
            card.remove()
        assert content(disk.folder) == before


def test_what_starts_the_installation_is_written_last(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_card(tmp_path / "card")
    before = content(folder)
    replaced: list[str] = []

    def replace(self: Path, target: Path) -> None:
        replaced.append(target.name)
        if len(replaced) == 6:
            raise KeyboardInterrupt  # the card is pulled out
        os.replace(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(KeyboardInterrupt):
        PiCard(folder).put(archive, "0.2.0")
    assert replaced[-1] == "vendor-data"
    assert set(replaced) == {Path(name).name for name in OURS}
    now = content(folder)
    assert {name: now[name] for name in before} == before
    assert now.keys() - before.keys() == OURS - {"vendor-data"}


# --- The archive of a release ----------------------------------------------------------------------------------------


def test_unpacking_the_archive_on_a_card_is_all_it_takes(archive: Path, tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        tool.pack_card(archive, "0.2.0", tmp_path / name, 1_700_000_000)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()

    by_hand, by_us = make_card(tmp_path / "by-hand"), make_card(tmp_path / "by-us")
    with zipfile.ZipFile(tmp_path / "one.zip") as packed:
        assert packed.namelist() == sorted(IN_ARCHIVE)
        assert {info.date_time for info in packed.infolist()} == {(2023, 11, 14, 22, 13, 20)}
        packed.extractall(by_hand)
    PiCard(by_us).put(archive, "0.2.0")
    mine, ours = content(by_hand), content(by_us)
    # It cannot know what the Pi is called, and a password that everybody knows would be none.
    assert mine.pop("EL-GRANDE.txt") != ours.pop("EL-GRANDE.txt")
    assert ours.pop("el-grande/hotspot.txt")
    assert mine == ours


def test_the_read_me_of_the_archive_tells_about_other_names() -> None:
    text = read_me("0.2.0", None, None)
    assert "http://elgrande.local" in text
    assert "another name" in text
    assert "another name" not in read_me("0.2.0", "granada", None)
    assert max(map(len, text.splitlines())) <= 120


def test_the_tables_own_wifi_is_in_the_read_me_and_stays_the_same(archive: Path, tmp_path: Path) -> None:
    folder = make_card(tmp_path / "card")
    PiCard(folder).put(archive, "0.2.0")
    named = read_hotspot((folder / "el-grande/hotspot.txt").read_text())
    assert named is not None
    words = (folder / "EL-GRANDE.txt").read_text()
    assert f"Name: {named.name}   Password: {named.password}" in words
    assert max(map(len, words.splitlines())) <= 120
    PiCard(folder).put(archive, "0.3.0")
    assert read_hotspot((folder / "el-grande/hotspot.txt").read_text()) == named
    assert named.password in (folder / "EL-GRANDE.txt").read_text()


def test_a_name_is_found_only_at_the_beginning_of_a_line() -> None:
    assert host_name("  hostname: granada") is None

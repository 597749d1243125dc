"""What the lab does with the table, stage by stage."""

from __future__ import annotations

import re
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

from tests.lab import disk, machine
from tests.lab.card import make_lab_card
from tests.lab.installed_table import begin_game, follow, memory, moves_in, nothing_lost, wait_for_state
from tests.lab.lab import Lab
from tests.lab.machine import Machine
from tests.lab.pi_stage import parts, pi
from tests.lab.players import Players
from tests.lab.power_cuts import Recording, Write, read_log
from tests.lab.releases import BROKEN, FIRST, GOOD, Variant
from tests.lab.tools import LabError, check, run
from tests.sim.histories import lines_of

INSTALL_S: Final = 2400.0
"""How long the first start may take, with the installation."""
REAL_CUTS: Final = 5
REPLAYED_CUTS: Final = 50
MOST_EXPOSED: Final = 2.0
"""The highest exposure of the table's service, by systemd's own measure."""


def install(lab: Lab) -> None:
    """A card with Raspberry Pi Imager's settings and our files: the machine installs the table without a network."""
    lab.found("release", f"{lab.releases.first().stat().st_size / 1e6:.0f} MB")
    table = lab.machine("install", lab.work / "root.img", make_lab_card(lab))
    table.start()
    try:
        table.wait_until_up()
        lab.found("from power-on until programs run", f"{time.monotonic() - table.started_s:.0f} s")
        lab.found("from power-on until the page, with the installation", f"{table.wait_for_page(INSTALL_S):.0f} s")
        wait_for_state(table, "installed")
        _check_installation(lab, table)
        lab.found("memory, before any game", memory(table))
        table.do("install -D -m 644 /dev/stdin /etc/el-grande/keys/lab.pem << 'END'\n"
                 f"{lab.releases.public_key.read_text()}END")  # fmt: skip
        table.shut_down()
    finally:
        table.cut_power()
    table.root.rename(lab.work / "installed.img")
    table.boot.rename(lab.work / "installed-boot.img")


def _check_installation(lab: Lab, table: Machine) -> None:
    check(table.do("systemctl is-active el-grande-table").strip() == "active", "The service is not active.")
    said = table.do("systemd-analyze security --no-pager el-grande-table.service | tail -n 1")
    exposure = float(re.findall(r"service: (\d+\.\d+)", said)[0])
    check(exposure <= MOST_EXPOSED, f"The service is exposed: {said}")
    lab.found("exposure of the service (`systemd-analyze security`)", f"{exposure}")
    check(table.do("hostname").strip() == "elgrande", "The machine is not called elgrande.")
    writes = "runuser --user el-grande -- sh -c 'touch /opt/el-grande/x || touch /opt/el-grande/current/x'"
    check(table.ask(writes).code != 0, "The table's user can write where programs are.")
    table.do("test -e /etc/avahi/services/el-grande-table.service && systemctl is-active avahi-daemon")
    failed = table.do("systemctl list-units --state=failed --plain --no-legend --no-pager").split("\n")
    lab.found("units that failed", ", ".join(line.split()[0] for line in failed if line.strip()) or "none")
    check(not [line for line in failed if "el-grande" in line], f"A unit of ours has failed: {failed}")
    versions = table.do("/usr/local/bin/companion --version; python3 --version; uname -r")
    lab.found("versions", "; ".join(versions.split("\n")).strip("; "))


def play(lab: Lab) -> None:
    """Robots play a whole game over HTTP, with a restart of the machine in the middle of it."""
    table = lab.installed("play")
    table.start()
    try:
        lab.found("from power-on until the page", f"{table.wait_for_page():.0f} s")
        table.wait_until_up()
        players = begin_game(table, seed=1)
        players.play(40)
        before = moves_in(table)
        table.do("systemctl reboot --no-block")
        _wait_until_gone(table)
        began_s = time.monotonic()
        table.wait_for_page()
        table.wait_until_up()
        lab.found("from the reboot until the page", f"{time.monotonic() - began_s:.0f} s")
        nothing_lost(table, players, before)
        began_s, saved = time.monotonic(), players.saved
        check(players.play(), "The game does not end.")
        rate = (time.monotonic() - began_s) / max(1, players.saved - saved)
        moves = moves_in(table)
        lab.found("a whole game", f"{len(moves)} moves, {players.saved} of them by phones")
        lab.found("from a line of a phone until its answer and the next states", f"{rate * 1000:.0f} ms on average")
        lab.found("memory, after a game", memory(table))
        restarts = table.do("systemctl show --property=NRestarts --value el-grande-table").strip()
        check(restarts == "0", f"The service was restarted {restarts} times.")
        table.shut_down()
    finally:
        table.cut_power()


def _wait_until_gone(table: Machine) -> None:
    end_s = time.monotonic() + 300.0
    while machine.page_answers(table.port):
        check(time.monotonic() < end_s, "The machine does not stop.")
        time.sleep(0.5)
    table.forget_agent()


def cuts(lab: Lab) -> None:
    """The machine is cut off from power in the middle of a game, again and again: nothing is lost that was shown."""
    table, rng = lab.installed("cuts"), Random(2)
    table.start()
    try:
        table.wait_for_page()
        table.wait_until_up()
        players = begin_game(table, seed=2)
        seconds = []
        for _ in range(REAL_CUTS):
            if players.play(rng.randint(5, 12)):
                raise LabError("The game is over already.")
            before = moves_in(table)
            table.cut_power()
            table.start()
            seconds.append(table.wait_for_page())
            table.wait_until_up()
            follow(table, players)
            nothing_lost(table, players, before)
        lab.found("power cuts", f"{REAL_CUTS}, nothing lost")
        lab.found("from power-on until the page", f"{min(seconds):.0f} to {max(seconds):.0f} s")
        lab.found("moves", str(len(moves_in(table))))
        table.shut_down()
    finally:
        table.cut_power()


def replayed(lab: Lab) -> None:
    """A game is recorded write by write; the disk is put together as it would be after a power cut at any of them."""
    log = lab.work / "writes.log"
    log.unlink(missing_ok=True)
    log.touch()
    table = lab.installed("replayed", log_writes=log)
    shown: list[tuple[int, int]] = []
    table.start()
    try:
        table.wait_for_page()
        table.wait_until_up()
        players = begin_game(table, seed=3)
        while len(shown) < 60 and not players.play(1):
            shown.append((log.stat().st_size, players.shown))
        expected = moves_in(table)
    finally:
        table.cut_power()
    with log.open("rb") as file:
        writes = list(read_log(file))
    flushes = sum(write.is_flush for write in writes)
    lab.found("recorded", f"{len(writes)} writes, {flushes} flushes, {log.stat().st_size / 1e6:.0f} MB")
    begun = next(number for number, write in enumerate(writes) if write.logged >= shown[0][0])
    rng = Random(4)
    recording = Recording(lab.work / "installed.img", log)
    # A check that finds nothing proves nothing: a disk that has lost everything since the first move is found.
    lost = _after_cut(lab, recording, writes, begun, None)
    check([list(each) for each in lost] != expected, "A disk that has lost moves is not found.")
    missing, promises = 0, []
    for number in range(REPLAYED_CUTS):
        after = rng.randint(begun + 1, len(writes))
        for drop in (None, Random(number)):
            found = _after_cut(lab, recording, writes, after, drop)
            promised = max((entry for size, entry in shown if size <= writes[after - 1].logged), default=0)
            there = [list(each) for each in found if each[0] <= promised]
            wanted = [each for each in expected if int(str(each[0])) <= promised]
            missing += there != wanted
            promises.append(len(wanted))
    kinds = f"{REPLAYED_CUTS} with every write, {REPLAYED_CUTS} with a random half of the unflushed ones lost"
    lab.found("power cuts", kinds)
    lab.found("moves that had been shown before them", f"{min(promises)} to {max(promises)}")
    check(not missing, f"In {missing} of {2 * REPLAYED_CUTS} disks a move was missing that had been shown.")
    lab.found("moves that had been shown and were missing", "none")


def _after_cut(
    lab: Lab, recording: Recording, writes: list[Write], after: int, drop: Random | None
) -> list[tuple[int, str]]:
    """Returns the moves that are on the disk after a power cut."""
    image, copy = lab.work / "cut.img", lab.work / "cut.db"
    run("cp", "--sparse=always", recording.disk, image)
    recording.cut(writes, after, image, drop)
    for leftover in lab.work.glob("cut.db*"):
        leftover.unlink()
    with disk.mounted(image, lab.work / "mounted") as folder:
        for file in (folder / "var/lib/el-grande").glob("table.db*"):
            shutil.copy(file, copy.with_name(file.name.replace("table.db", "cut.db")))
    return all_moves(copy)


def all_moves(database: Path) -> list[tuple[int, str]]:
    """Returns every move in the file of a table, with its number; the file and its game must be sound."""
    lines_of(database)
    with closing(sqlite3.connect(database)) as file:
        rows = file.execute("SELECT number, line FROM entries WHERE kind = 'move' ORDER BY number").fetchall()
    return [(int(number), str(line)) for number, line in rows]


def updates(lab: Lab) -> None:
    """In the middle of a game: broken updates stay out, a good one takes over, and a rollback goes back."""
    files = lab.work / "updates"
    shutil.rmtree(files, ignore_errors=True)
    files.mkdir()
    for variant in (GOOD, *BROKEN):
        shutil.copy(lab.releases.variant(variant), files / f"{variant.version}.tar")
    image = lab.work / "updates.img"
    disk.pack_files(files, image)
    table = lab.installed("updates", extra=image)
    table.start()
    try:
        table.wait_for_page()
        table.wait_until_up()
        table.do("mkdir -p /mnt/updates && mount -o ro /dev/vdc /mnt/updates")
        players = begin_game(table, seed=5)
        players.play(10)
        for variant in BROKEN:
            seconds = _update(table, players, variant)
            lab.found(f"an update that {variant.name}" if " " in variant.name else f"a {variant.name} update",
                      f"stays out: “{variant.said}”, after {seconds:.0f} s")  # fmt: skip
        seconds = _update(table, players, GOOD)
        lab.found("a good update", f"takes over within {seconds:.0f} s, and the game goes on")
        began_s = time.monotonic()
        table.do("companion rollback", 1200.0)
        check(_version(table) == FIRST, f"After the rollback version {_version(table)} runs.")
        players.play(3)
        lab.found("a rollback", f"{time.monotonic() - began_s:.0f} s, and the game goes on")
        table.shut_down()
    finally:
        table.cut_power()


def _update(table: Machine, players: Players, variant: Variant) -> float:
    """Updates the table in the middle of a game. Returns the seconds it took."""
    before, began_s = moves_in(table), time.monotonic()
    answer = table.ask(f"companion update /mnt/updates/{variant.version}.tar", 1800.0)
    seconds = time.monotonic() - began_s
    said = answer.out + answer.err
    check((answer.code != 0) == bool(variant.said), f"Update {variant.version} ended with {answer.code}: {said}")
    check(variant.said in said, f"About update {variant.version} it says: {said}")
    expected = FIRST if variant.said else variant.version
    check(_version(table) == expected, f"Version {_version(table)} runs instead of {expected}.")
    table.wait_for_page()
    nothing_lost(table, players, before)
    players.play(3)
    return seconds


def _version(table: Machine) -> str:
    return table.do("basename $(readlink /opt/el-grande/current)").strip()


STAGES: Final[dict[str, Callable[[Lab], None]]] = {
    "install": install,
    "play": play,
    "cuts": cuts,
    "replayed": replayed,
    "updates": updates,
    "pi": pi,
    "parts": parts,
}

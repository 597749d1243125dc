"""The table that is installed in the lab's machine: its journal, its codes and its memory."""

from __future__ import annotations

import json
import re
import time
from random import Random
from typing import Final

from tests.lab import machine
from tests.lab.machine import Machine
from tests.lab.players import Players
from tests.lab.tools import LabError, check

MB: Final = 1 << 20
INSTALL_S: Final = 2400.0
"""How long the first start may take, with the installation."""
ENTRIES: Final = """\
/opt/el-grande/current/bin/python - << 'END'
import json, sqlite3
file = sqlite3.connect("file:/var/lib/el-grande/table.db?mode=ro", uri=True)
game = file.execute("SELECT max(game) FROM entries").fetchone()[0]
rows = file.execute("SELECT number, line FROM entries WHERE game = ? AND kind = 'move' ORDER BY number", (game,))
print(json.dumps(rows.fetchall()))
END
"""


def moves_in(table: Machine) -> list[list[object]]:
    """Returns every move in the journal of the latest game, with its number."""
    moves: list[list[object]] = json.loads(table.do(ENTRIES))
    return moves


def table_code(table: Machine) -> str:
    """Returns the code that the service has printed since it was last started."""
    said = table.do("journalctl --unit el-grande-table --output cat --no-pager")
    codes = re.findall(r"Table code[^:]*: (\S+)", said)
    check(bool(codes), f"The table has printed no code: {said[-2000:]}")
    return str(codes[-1])


def begin_game(table: Machine, seed: int) -> Players:
    """Begins a game in the machine."""
    players = Players(table.port, Random(seed))
    players.begin(table_code(table))
    return players


def follow(table: Machine, players: Players) -> None:
    """Lets the players find the table again after it was started again."""
    players.port = table.port
    for phone in players.phones.values():
        phone.port = table.port


def nothing_lost(table: Machine, players: Players, before: list[list[object]]) -> None:
    """Checks that every move that anybody was shown is still there."""
    after = moves_in(table)
    check(after[: len(before)] == before, "A move that was shown is not in the journal, or is another one.")
    shown = players.shown
    players.state(next(iter(players.phones)))
    state = players.phones[next(iter(players.phones))].need("GET", "/state")
    check(int(state["version"]) >= shown, f"Entry {shown} was shown, and the table now has {state['version']}.")


def memory(table: Machine) -> str:
    """Returns what the table takes up, with everything that it started."""
    shown = table.do("systemctl show --property=MemoryCurrent,MemoryPeak el-grande-table")
    found = dict(line.split("=", 1) for line in shown.splitlines())
    now, peak = (int(found[name]) / MB for name in ("MemoryCurrent", "MemoryPeak"))
    free = int(re.findall(r"MemAvailable:\s+(\d+)", table.do("cat /proc/meminfo"))[0]) / 1024
    return f"{now:.0f} MB now, {peak:.0f} MB at most; {free:.0f} MB of {machine.MEMORY_MB} MB are free"


def wait_for_state(table: Machine, wanted: str) -> None:
    """Waits until the card says how far the installation is; what failed is reported with its log."""
    end_s = time.monotonic() + INSTALL_S
    while time.monotonic() < end_s:
        state = table.ask("cat /boot/firmware/el-grande/state.txt").out
        if state.startswith(wanted):
            return
        if state.startswith("failed"):
            raise LabError(f"It failed: {table.do('cat /boot/firmware/el-grande/install-log.txt')[-3000:]}")
        time.sleep(2.0)
    raise LabError(f"The state on the card is not {wanted}: {state}")

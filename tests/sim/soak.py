"""`make soak`: hundreds of games with faults, killed tables and histories, each in a process of its own.

    python -m tests.sim.soak                      everything, on all processors
    python -m tests.sim.soak --games 40 --kills 0 --histories 0 --first 1000

It shows how far it is and what failed. Stopped in the middle, the same command continues as long as the code is the
same; `--again` starts over. At the end it writes its table into docs/reliability.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple, TypedDict

ROOT: Final = Path(__file__).parents[2]
RESULTS: Final = ROOT / "build" / "soak.jsonl"
DOCUMENT: Final = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- begin of the table of make soak -->", "<!-- end of the table of make soak -->"
GAMES_IN_A_BATCH: Final = 10
KILLS_IN_A_GAME: Final = 8
"""At least; a game goes on being killed until it is over."""
LONGEST_S: Final = 900
MOST_GROWN_KB: Final = 3000


class Result(TypedDict):
    """What came of one batch."""

    kind: str
    batch: int
    seconds: float
    counts: dict[str, int]
    problems: list[str]


# --- What runs in a process of its own --------------------------------------------------------------------------------


def faulted_games(batch: int) -> tuple[Counter[str], list[str]]:
    """Plays ten games with faults, by each way and with up to three faults at once."""
    from tests.sim.robot import WAYS
    from tests.sim.test_soak import memory_kb, play_through_faults

    counts, problems, sizes_kb = Counter[str](), [], []
    for seed in range(batch * GAMES_IN_A_BATCH, (batch + 1) * GAMES_IN_A_BATCH):
        way, together = WAYS[seed % len(WAYS)], 1 + seed // len(WAYS) % 3
        with tempfile.TemporaryDirectory(prefix="el-grande-") as folder:
            try:
                robot = play_through_faults(Path(folder), seed, way, together)
            except Exception as error:
                problems.append(f"seed {seed}, {way}, {together} at once: {error!r}")
            else:
                counts["moves"] += len(robot.table.game.moves)
        counts[f"games by {way}"] += 1
        sizes_kb.append(memory_kb())
    # The first games fill caches; after that none leaves anything behind.
    if sizes_kb[-1] - sizes_kb[3] > MOST_GROWN_KB:
        problems.append(f"the process has grown: {sizes_kb} KB")
    return counts, problems


def killed_games(batch: int) -> tuple[Counter[str], list[str]]:
    """Kills a table again and again until its game is over."""
    from tests.sim.test_kills import killed_game

    with tempfile.TemporaryDirectory(prefix="el-grande-") as folder:
        try:
            kills = killed_game(Path(folder), batch)
        except Exception as error:
            return Counter(games=1), [f"seed {batch}: {error!r}"]
    return Counter(games=1, kills=kills), []


def histories(batch: int) -> tuple[Counter[str], list[str]]:
    """Records a history and holds it against the journal."""
    from tests.sim.histories import run_history

    with tempfile.TemporaryDirectory(prefix="el-grande-") as folder:
        try:
            outcome = run_history(Path(folder), batch)
        except Exception as error:
            return Counter(histories=1), [f"seed {batch}: {error!r}"]
    counts = {"histories": 1, "kills": outcome.kills, "answered as saved": outcome.saved, "not known": outcome.maybe}
    return Counter(counts), [f"seed {batch}: {problem}" for problem in outcome.problems]


KINDS: Final[dict[str, Callable[[int], tuple[Counter[str], list[str]]]]] = {
    "faulted games": faulted_games,
    "killed games": killed_games,
    "histories": histories,
}


# --- What shares the work out -----------------------------------------------------------------------------------------


class Batch(NamedTuple):
    """Some of the work."""

    kind: str
    number: int


def run(batch: Batch) -> Result:
    """Runs a batch in a process of its own, and returns what came of it even if that process dies."""
    began_s = time.monotonic()
    command = [sys.executable, "-m", "tests.sim.soak", "--batch", batch.kind, str(batch.number)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_S, check=False)
        counts, problems = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else ({}, [done.stderr])
    except subprocess.TimeoutExpired:
        counts, problems = {}, [f"not over after {LONGEST_S} s"]
    seconds = round(time.monotonic() - began_s, 1)
    return Result(kind=batch.kind, batch=batch.number, seconds=seconds, counts=counts, problems=problems)


def plan(games: int, kills: int, runs: int, first: int) -> list[Batch]:
    """Returns the batches of everything that is asked for, the kinds in turn."""
    sizes = {
        "faulted games": -(-games // GAMES_IN_A_BATCH),
        "killed games": -(-kills // KILLS_IN_A_GAME),
        "histories": runs,
    }
    batches = [Batch(kind, first + number) for kind, size in sizes.items() for number in range(size)]
    return sorted(batches, key=lambda batch: (batch.number - first + 1) / sizes[batch.kind])


def finished(code: str) -> list[Result]:
    """Returns the results of an earlier run of the same code."""
    if not RESULTS.exists():
        return []
    first, *rows = RESULTS.read_text().splitlines() or [""]
    return [json.loads(row) for row in rows] if first == code else []


def soak(batches: list[Batch], jobs: int, code: str) -> Iterator[Result]:
    """Yields the result of each batch, those of an earlier run first."""
    before = finished(code)
    if not before:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(f"{code}\n")
    done = {Batch(result["kind"], result["batch"]): result for result in before}
    yield from (done[batch] for batch in batches if batch in done)
    with ThreadPoolExecutor(jobs) as pool, RESULTS.open("a") as results:
        waiting = [pool.submit(run, batch) for batch in batches if batch not in done]
        try:
            for future in as_completed(waiting):
                result = future.result()
                results.write(json.dumps(result) + "\n")
                results.flush()
                yield result
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def show_progress(results: Iterable[Result], batches: list[Batch]) -> list[Result]:
    """Prints a line after each batch, and returns all results."""
    began_s, all_results, seconds = time.monotonic(), [], 0.0
    for result in results:
        all_results.append(result)
        seconds = time.monotonic() - began_s
        left_s = seconds / len(all_results) * (len(batches) - len(all_results))
        failed = sum(bool(each["problems"]) for each in all_results)
        print(
            f"{len(all_results)} of {len(batches)} batches, {failed} failed, about {left_s / 60:.0f} min left: "
            f"{result['kind']} {result['batch']} in {result['seconds']:.0f} s",
            flush=True,
        )
        for problem in result["problems"]:
            print(f"    {problem}", flush=True)
    return all_results


def table(results: list[Result], jobs: int, code: str) -> str:
    """Returns what was played and what failed, as a table in Markdown."""
    rows = ["| what | how much | failed | processor time |", "|---|---|---|---|"]
    for kind in KINDS:
        these = [result for result in results if result["kind"] == kind]
        counts = sum((Counter(result["counts"]) for result in these), Counter[str]())
        amounts = ", ".join(f"{count} {name}" for name, count in counts.items())
        problems = sum(len(result["problems"]) for result in these)
        minutes = sum(result["seconds"] for result in these) / 60
        rows.append(f"| {kind} | {amounts} | {problems} | {minutes:.0f} min |")
    day = datetime.now(UTC).date().isoformat()
    rows += ["", f"Run on {day} at commit {code[:10]}, {jobs} at a time."]
    return "\n".join(rows)


def code_version() -> str:
    """Returns the commit, and whether anything has been changed since."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    changed = subprocess.run(["git", "diff", "HEAD", "--", "*.py"], cwd=ROOT, capture_output=True, check=True).stdout
    return commit.strip() + (f" changed {sha256(changed).hexdigest()[:10]}" if changed else "")


def main() -> int:
    """Runs everything. Returns 1 if anything failed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=500, help="games with faults (500)")
    options.add_argument("--kills", type=int, default=1000, help="kills of a table (1000)")
    options.add_argument("--histories", type=int, default=200, help="histories (200)")
    options.add_argument("--first", type=int, default=0, help="the first seed, for others than last time (0)")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time (one per processor)")
    options.add_argument("--again", action="store_true", help="start over")
    options.add_argument("--write", action="store_true", help="put the table into docs/reliability.md")
    options.add_argument("--batch", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.batch:
        counts, problems = KINDS[chosen.batch[0]](int(chosen.batch[1]))
        print(json.dumps([counts, problems]))
        return 0
    code = code_version()
    if chosen.again:
        RESULTS.unlink(missing_ok=True)
    batches = plan(chosen.games, chosen.kills, chosen.histories, chosen.first)
    results = show_progress(soak(batches, chosen.jobs, code), batches)
    found = table(results, chosen.jobs, code)
    print(f"\n{found}")
    if chosen.write:
        head, _, rest = DOCUMENT.read_text().partition(BEGIN)
        DOCUMENT.write_text(f"{head}{BEGIN}\n{found}\n{END}{rest.partition(END)[2]}")
    return int(any(result["problems"] for result in results))


if __name__ == "__main__":
    sys.exit(main())

"""`make lab`: installs the table on an emulated arm64 system from its card, plays, cuts the power, and updates it.

    python -m tests.lab                    everything; what was done for the same commit is not done again
    python -m tests.lab --only updates     one stage, and what it stands on
    python -m tests.lab --again            start over, but for Debian's own disk

Needs root, and programs of Debian's that it names if they are missing. Everything is kept in build/lab. At the end it
writes its tables into docs/lab.md.
"""

from __future__ import annotations

import argparse
import sys

from tests.lab.lab import Lab
from tests.lab.stages import STAGES
from tests.lab.tools import LabError


def main() -> int:
    """Runs the stages. Returns 1 if one failed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", choices=sorted(STAGES), action="append", help="this stage alone; may be repeated")
    options.add_argument("--again", action="store_true", help="start over")
    options.add_argument("--write", action="store_true", help="put the tables into docs/lab.md")
    chosen = options.parse_args()
    try:
        lab = Lab(STAGES)
        failed = lab.run(chosen.only or list(STAGES), again=chosen.again)
    except LabError as problem:
        sys.exit(f"The lab stopped: {problem}")
    print(f"\n{lab.report()}")
    if chosen.write:
        lab.write_report()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

"""Makes the pictures of the README: `python -m tools.pictures`."""

from __future__ import annotations

from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from click.testing import CliRunner

from companion.cli import main as companion

PICTURES: Final = Path(__file__).parent.parent / "docs" / "pictures"
COLUMN: Final = 8.4
LINE: Final = 19
WHITE: Final = "#e0e0e0"
CYAN: Final = "#80deea"


def terminal_picture(lines: list[str]) -> str:
    """Lines of a terminal as an SVG."""
    width = max(map(len, lines)) * COLUMN + 40
    height = len(lines) * LINE + 40
    rows = []
    for number, line in enumerate(lines):
        shade = CYAN if line.startswith("red,") else WHITE
        rows.append(f'<text x="20" y="{35 + number * LINE}" fill="{shade}" xml:space="preserve">{escape(line)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" role="img"'
        ' aria-label="A game in the terminal: the board as a table, and the choices of a player">\n'
        f'<rect width="{width:.0f}" height="{height}" rx="10" fill="#1e2430"/>\n'
        '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">\n'
        + "\n".join(rows)
        + "\n</g>\n</svg>\n"
    )


def main() -> None:
    """Plays the first moves of a game and draws the last screen of it."""
    with TemporaryDirectory() as folder:
        args = ["play", "--seed", "12", "--file", f"{folder}/game.txt"]
        result = CliRunner().invoke(companion, args, input="power 12\n", catch_exceptions=False)
    screens = result.stdout.split("\nRound ")
    last = ("Round " + screens[-1]).partition("red (? helps)")[0]
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / "terminal.svg").write_text(terminal_picture(last.rstrip().splitlines()))


if __name__ == "__main__":
    main()

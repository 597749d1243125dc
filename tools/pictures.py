"""Makes the pictures of the README files: `python -m tools.pictures`."""

from __future__ import annotations

from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from click.testing import CliRunner

from companion.cli import main as companion
from companion.cli.board import pictures
from hardware.board import find_board, shipped_boards

ROOT: Final = Path(__file__).parent.parent
PICTURES: Final = ROOT / "docs" / "pictures"
BOARD_PICTURES: Final = ROOT / "hardware" / "pictures"
COLUMN: Final = 8.4
LINE: Final = 19
WHITE: Final = "#e0e0e0"
CYAN: Final = "#80deea"


def terminal_picture(lines: list[str]) -> str:
    """Returns lines of a terminal as an SVG."""
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


def board_pictures() -> dict[str, str]:
    """Returns the pictures of all boards that come with the project, by their file names."""
    return {file: picture for name in shipped_boards() for file, picture in pictures(find_board(name)).items()}


def main() -> None:
    """Draws the screen after the first moves of a game, and the boards."""
    with TemporaryDirectory() as folder:
        game = ["--seed", "12", "--database", f"{folder}/table.db", "--simulated", "--pace", "instant"]
        args = ["play", "--terminal", *game]
        result = CliRunner().invoke(companion, args, input="power 12\n", catch_exceptions=False)
    screens = result.stdout.split("\nRound ")
    last = ("Round " + screens[-1]).partition("Red (? for help)")[0]
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / "terminal.svg").write_text(terminal_picture(last.rstrip().splitlines()))
    BOARD_PICTURES.mkdir(exist_ok=True)
    for file, picture in board_pictures().items():
        (BOARD_PICTURES / file).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()

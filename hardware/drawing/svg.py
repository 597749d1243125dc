"""Drawings of boxes, words, pads and wires, written as SVG: the same drawing always gives the same bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Final

INK: Final = "#1b1f24"
GREY: Final = "#5c6670"
PALE: Final = "#f3f5f7"
FRAME: Final = "#b8c0c8"
FONT: Final = "DejaVu Sans, Verdana, Arial, sans-serif"

Point = tuple[float, float]


@dataclass(frozen=True)
class Kind:
    """A kind of wire: its colour and its dashes, so that colour is never the only cue."""

    words: str
    colour: str
    dashes: str = ""
    width: float = 2.4


KINDS: Final = {
    "button": Kind("button", "#1558b0"),
    "ground": Kind("ground", "#1b1f24", width=2.8),
    "data": Kind("strip data", "#1b7a2f", "12 4"),
    "5v": Kind("+5 V", "#c4161c", width=4),
    "3v3": Kind("+3.3 V", "#d4690a", "14 3 3 3"),
    "select": Kind("SDA (select)", "#b0186f"),
    "clock": Kind("SCK (clock)", "#6b2fa0", "2 3"),
    "to-reader": Kind("MOSI", "#00777f", "7 4"),
    "from-reader": Kind("MISO", "#7a4a12", "7 3 2 3"),
    "reset": Kind("RST (reset)", "#6a737c", "4 4"),
    "usb": Kind("USB cable", "#49525b", width=6),
}

# Widths in DejaVu Sans as fractions of the font size, by groups of letters; the other fonts in FONT are narrower.
_WIDTHS: Final = (
    (0.34, "iIljJ'.,:;|! "),
    (0.43, "frt()[]/-"),
    (0.64, "abcdeghknopqsuvxyzE0123456789FLáéíóúñ$_?"),
    (1.0, "mwMW—→@%"),
)
_WIDTH_OF: Final = {letter: width for width, letters in _WIDTHS for letter in letters}
_BOLD: Final = 1.12


def text_width(words: str, size: float, bold: bool = False) -> float:
    """Returns about how wide words are, in pixels; too wide rather than too narrow."""
    width = sum(_WIDTH_OF.get(letter, 0.79) for letter in words) * size
    return width * _BOLD if bold else width


def fitted(words: str, size: float, width: float, bold: bool = False) -> str:
    """Returns words cut to a width, with an ellipsis where they were cut.

    >>> fitted("Harbour", 12, 200), fitted("The old harbour", 12, 60)
    ('Harbour', 'The old…')
    """
    if text_width(words, size, bold) <= width:
        return words
    while words and text_width(words + "…", size, bold) > width:
        words = words[:-1]
    return words + "…"


@dataclass(frozen=True)
class Pad:
    """Where a wire can be joined to a part: a circle at the part's edge."""

    name: str
    x: float
    y: float
    radius: float = 0

    def side(self, dx: int, dy: int = 0) -> Point:
        """Returns the point of the circle in a direction, where a wire begins."""
        return self.x + dx * self.radius, self.y + dy * self.radius


@dataclass
class Drawing:
    """A drawing of a given width; its height is known once everything is drawn."""

    width: int
    title: str
    description: str
    height: float = 0
    _lines: list[str] = field(default_factory=list)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 14,
        anchor: str = "start",
        bold: bool = False,
        colour: str = INK,
    ) -> None:
        """Draws words on a baseline."""
        more = (f' text-anchor="{anchor}"' if anchor != "start" else "") + (' font-weight="bold"' if bold else "")
        self._lines.append(
            f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}"{more} fill="{colour}">'
            f"{escape(words)}</text>"
        )

    def box(
        self, x: float, y: float, width: float, height: float, fill: str = "white", stroke: str = INK, radius: float = 6
    ) -> None:
        """Draws a box with rounded corners."""
        self._lines.append(
            f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'
            f' rx="{_number(radius)}" fill="{fill}" stroke="{stroke}" stroke-width="1.4"/>'
        )

    def stroke(self, *points: Point, width: float = 2, colour: str = INK) -> None:
        """Draws a line that is not a wire: part of a symbol, or a rule in a table."""
        self._lines.append(f'<path d="{_path(points)}" fill="none" stroke="{colour}" stroke-width="{_number(width)}"/>')

    def pad(self, name: str, x: float, y: float, number: int | None = None, radius: float = 10) -> Pad:
        """Draws a pad to join a wire to, with its number if the part numbers its pins."""
        self._lines.append(
            f'<circle data-pad="{escape(name)}" cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'
            f' fill="white" stroke="{INK}" stroke-width="1.4"/>'
        )
        if number is not None:
            self.text(x, y + radius * 0.36, str(number), radius * 1.1, "middle")
        return Pad(name, x, y, radius)

    def wire(self, kind: str, pads: list[Pad], *paths: list[Point], dots: list[Point] | None = None) -> None:
        """Draws a wire that joins pads, made of one path or several; dots show where paths are joined."""
        look = KINDS[kind]
        dashes = f' stroke-dasharray="{look.dashes}"' if look.dashes else ""
        joins = escape(" ".join(pad.name for pad in pads))
        self._lines.append(
            f'<g data-wire="{kind}" data-joins="{joins}" fill="none" stroke="{look.colour}"'
            f' stroke-width="{_number(look.width)}"{dashes}>'
        )
        self._lines.extend(f'<path d="{_path(points)}"/>' for points in paths)
        self._lines.append("</g>")
        for x, y in dots or []:
            self._lines.append(f'<circle cx="{_number(x)}" cy="{_number(y)}" r="4.2" fill="{look.colour}"/>')

    def sample(self, kind: str, x: float, y: float, length: float = 46) -> None:
        """Draws a sample of a kind of wire, for the legend."""
        look = KINDS[kind]
        dashes = f' stroke-dasharray="{look.dashes}"' if look.dashes else ""
        self._lines.append(
            f'<path d="{_path([(x, y), (x + length, y)])}" stroke="{look.colour}"'
            f' stroke-width="{_number(look.width)}"{dashes}/>'
        )

    def svg(self) -> str:
        """Returns the drawing as the text of an SVG file."""
        size = f"{self.width} {_number(self.height)}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{self.width}"'
            f' height="{_number(self.height)}" role="img" aria-labelledby="title desc" font-family="{FONT}">\n'
            f'<title id="title">{escape(self.title)}</title>\n'
            f'<desc id="desc">{escape(self.description)}</desc>\n'
            f'<rect width="{self.width}" height="{_number(self.height)}" fill="white"/>\n'
            + "\n".join(self._lines)
            + "\n</svg>\n"
        )


def _path(points: list[Point] | tuple[Point, ...]) -> str:
    return "M" + " L".join(f"{_number(x)} {_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

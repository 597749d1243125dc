"""The texts of the rules page around the rulebook itself; in English, to be translated."""

from __future__ import annotations

from typing import Final

from companion.engine import phrase

RULES_TEXTS: Final = {
    "title": phrase("The rules of El Grande"),
    "lead": phrase("The whole game on one page. Search for a card, a region or a word, or read from the top."),
    "to-game": phrase("Back to the game"),
    "language": phrase("Language"),
    "contents": phrase("Contents"),
    "search": phrase("Search the rules"),
    "found": phrase("Found: {number}"),
    "found-none": phrase("Nothing found. Try another word."),
    "reconnecting": phrase("Reconnecting …"),
    "differs": phrase("Editions differ"),
    "this-game": phrase("your game"),
    "power-card": phrase("Power card"),
    "caballeros": phrase("Caballeros"),
    "place": phrase("Place"),
    "values": phrase("Values"),
    "neighbours": phrase("Neighbours"),
    "always-open": phrase("none: always open for placing"),
    "examples": phrase("Examples"),
    "why": phrase("Why"),
    "points": phrase("Points"),
    "rule": phrase("Rule"),
    "yes": phrase("yes"),
    "no": phrase("no"),
}

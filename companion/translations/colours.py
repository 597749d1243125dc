"""The colours in each language, as players, on their own and with a piece; and the two controls of a board.

In a sentence, a colour stands for its player and is written like a name: `Rot`. Its other forms are `word` (on its own:
rood) and `piece` (with a piece, in the only form the texts need: de rode Grande, den roten Granden).
"""

from __future__ import annotations

from typing import Final

from companion.engine import SEATS
from companion.translations.forms import Forms

# In the order of the seats.
_COLOURS: Final = {
    "en": ("Red red red", "Blue blue blue", "Green green green", "Yellow yellow yellow", "Brown brown brown"),
    "nl": ("Rood rood rode", "Blauw blauw blauwe", "Groen groen groene", "Geel geel gele", "Bruin bruin bruine"),
    "de": ("Rot Rot roten", "Blau Blau blauen", "Grün Grün grünen", "Gelb Gelb gelben", "Braun Braun braunen"),
    "fr": ("Rouge rouge rouge", "Bleu bleu bleu", "Vert vert vert", "Jaune jaune jaune", "Brun brun brun"),
    "es": (
        "Rojo rojo rojo", "Azul azul azul", "Verde verde verde", "Amarillo amarillo amarillo", "Marrón marrón marrón",
    ),
}  # fmt: skip


def _forms(row: str) -> Forms:
    player, word, piece = row.split()
    return Forms(player, {"word": word, "piece": piece})


COLOURS: Final = {
    **{
        language: {colour: _forms(row) for colour, row in zip(SEATS, rows, strict=True)}
        for language, rows in _COLOURS.items()
    },
}

CHANCE: Final = {"en": "table", "nl": "de tafel", "de": "der Tisch", "fr": "la table", "es": "la mesa"}
"""The seat `table`, which deals."""

CONTROLS: Final = {
    "en": {"confirm": "confirm", "undo": "undo"},
    "nl": {"confirm": "Bevestigen", "undo": "Ongedaan maken"},
    "de": {"confirm": "Bestätigen", "undo": "Rückgängig"},
    "fr": {"confirm": "Valider", "undo": "Annuler"},
    "es": {"confirm": "Confirmar", "undo": "Deshacer"},
}
"""The names of the two controls."""

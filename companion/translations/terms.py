"""What each edition calls the places, and the terms that differ between two editions in one language.

A place has its usual form in a sentence; `name`, as printed on the board; and the forms for where something is (`in`),
goes (`to`) and comes from (`from`). In the .po file of its language, a term is written as `<dial>`.
"""

from __future__ import annotations

from typing import Final

from companion.engine import EDITIONS
from companion.engine.words import PLACE_NAMES
from companion.translations.forms import Forms

EDITION_OF: Final = {"nl": "bigbox-nl", "de": "bigbox-de", "fr": "classic-fr", "es": "anniversary-es"}
"""The edition whose terms a language uses when the game's own edition is in another language."""


def terms_of(language: str, edition: str) -> str:
    """Returns the edition whose terms are used; an empty string for English.

    >>> terms_of("nl", "classic-nl"), terms_of("nl", "bigbox-de")
    ('classic-nl', 'bigbox-nl')
    """
    own = EDITIONS.get(edition)
    return own.name if own is not None and own.language == language else EDITION_OF.get(language, "")


TERMS: Final = {
    # The first edition capitalises the terms of the game, the Big Box does not.
    "classic-nl": {
        "caballero": "Caballero",
        "caballeros": "Caballero's",
        "castillo": "El Castillo",
        "court": "Hof",
        "province": "Provincie",
        "dial": "draaischijf",
        "dials": "draaischijven",
        "tile": "waardetabel",
        "tiles": "waardetabellen",
        "revolt": "Rebellie",
        "scoring": "Extra telling",
        "exodus": "Uittocht",
        "advisor": "Koninklijke Raadsheer",
    },
    "bigbox-nl": {
        "caballero": "caballero",
        "caballeros": "caballero's",
        "castillo": "het Castillo",
        "court": "hof",
        "province": "provincie",
        "dial": "kiesschijf",
        "dials": "kiesschijven",
        "tile": "scoretegel",
        "tiles": "scoretegels",
        "revolt": "Autoriteitsverlies",
        "scoring": "Extra puntentelling",
        "exodus": "Leegloop",
        "advisor": "Koninklijke adviseur",
    },
}

# --- Places -------------------------------------------------------------------------------------------------------

_SPANISH: Final = {
    "galicia": "Galicia", "pais-vasco": "País Vasco", "aragon": "Aragón", "cataluna": "Cataluña",
    "castilla-la-vieja": "Castilla la Vieja", "castilla-la-nueva": "Castilla la Nueva", "valencia": "Valencia",
    "sevilla": "Sevilla", "granada": "Granada",
}  # fmt: skip
_DUTCH: Final = {
    "galicia": "Galicië", "pais-vasco": "Baskenland", "aragon": "Aragon", "cataluna": "Catalonië",
    "castilla-la-vieja": "Oud-Castilië", "castilla-la-nueva": "Nieuw-Castilië", "valencia": "Valencia",
    "sevilla": "Sevilla", "granada": "Granada",
}  # fmt: skip


def _place(name: str, usual: str, where: str, whither: str, whence: str) -> Forms:
    return Forms(usual, {"name": name, "in": where, "to": whither, "from": whence})


def _english(usual: str) -> Forms:
    return _place(usual.removeprefix("the "), usual, f"in {usual}", f"to {usual}", f"from {usual}")


def _dutch(name: str, usual: str = "") -> Forms:
    usual = usual or name
    return _place(name, usual, f"in {usual}", f"naar {usual}", f"uit {usual}")


def _german(name: str) -> Forms:
    return _place(name, name, f"in {name}", f"nach {name}", f"aus {name}")


def _french(name: str, article: str = "") -> Forms:
    """Returns the forms of a region with its article, or of a town without one."""
    match article:
        case "":
            return _place(name, name, f"à {name}", f"à {name}", f"de {name}")
        case "le ":
            return _place(name, f"le {name}", f"au {name}", f"au {name}", f"du {name}")
        case "l'":
            return _place(name, f"l'{name}", f"en {name}", f"en {name}", f"d'{name}")
    return _place(name, f"la {name}", f"en {name}", f"en {name}", f"de {name}")


def _spanish(name: str, article: str = "") -> Forms:
    if article:
        return _place(name, f"el {name}", f"en el {name}", f"al {name}", f"del {name}")
    return _place(name, name, f"en {name}", f"a {name}", f"de {name}")


PLACES: Final[dict[str, dict[str, Forms]]] = {
    # English has no edition of its own.
    "": {place: _english(name) for place, name in PLACE_NAMES.items()},
    "classic-nl": {
        **{place: _dutch(name) for place, name in _DUTCH.items()},
        "castillo": _dutch("El Castillo"),
        "court": _dutch("Hof", "het Hof"),
    },
    "bigbox-nl": {
        **{place: _dutch(name) for place, name in _SPANISH.items()},
        "castillo": _dutch("Castillo", "het Castillo"),
        "court": _dutch("hof", "het hof"),
    },
    "bigbox-de": {
        **{place: _german(name) for place, name in _SPANISH.items()},
        "castillo": _place("Castillo", "das Castillo", "im Castillo", "ins Castillo", "aus dem Castillo"),
        "court": _place("Hof", "der Hof", "am Hof", "an den Hof", "vom Hof"),
    },
    "classic-fr": {
        "galicia": _french("Galice", "la "),
        "pais-vasco": _french("Pays Basque", "le "),
        "aragon": _french("Aragon", "l'"),
        "cataluna": _french("Catalogne", "la "),
        "castilla-la-vieja": _french("Vieille Castille", "la "),
        "castilla-la-nueva": _french("Nouvelle Castille", "la "),
        "valencia": _french("Valence"),
        "sevilla": _french("Séville"),
        "granada": _french("Grenade"),
        "castillo": _place("Castillo", "le Castillo", "dans le Castillo", "dans le Castillo", "du Castillo"),
        "court": _place("cour", "la cour", "à la cour", "à la cour", "de la cour"),
    },
    "anniversary-es": {
        **{place: _spanish(name) for place, name in _SPANISH.items()},
        "pais-vasco": _spanish("País Vasco", "el"),
        "castillo": _spanish("castillo", "el"),
        "court": _place("corte", "la corte", "en la corte", "a la corte", "de la corte"),
    },
}
"""The places by the edition whose terms are used."""

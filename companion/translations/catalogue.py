"""Reads the .po files, one per language, and fills in the terms of an edition."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from companion.translations.languages import ENGLISH
from companion.translations.terms import TERMS

FOLDER: Final = Path(__file__).parent
_LOG: Final = logging.getLogger(__name__)
_TERM: Final = re.compile("<([a-z]+)>")


@cache
def catalogue(language: str, terms: str) -> Mapping[str, str]:
    """Returns every text in a language, in the terms of an edition. Empty when its file cannot be read."""
    if language == ENGLISH:
        return {}
    own = TERMS.get(terms, {})
    return {
        text: _TERM.sub(lambda term: own.get(term[1], term[1]), translated)
        for text, translated in _texts(language).items()
    }


@cache
def _texts(language: str) -> Mapping[str, str]:
    """Returns the texts of a .po file, except those still marked as fuzzy."""
    try:
        # Imported only for other languages: Babel takes longer to import than everything else here.
        from babel.messages.pofile import read_po

        with (FOLDER / f"{language}.po").open("rb") as file:
            return {
                message.id: message.string
                for message in read_po(file)
                if isinstance(message.id, str) and isinstance(message.string, str) and message.id and message.string
                if not message.fuzzy
            }
    except Exception:
        # A table that speaks English is better than no table.
        _LOG.exception("the translations into %s cannot be read", language)
        return {}

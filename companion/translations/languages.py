"""The languages people can choose, and which of them a machine speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final = "en"

LANGUAGES: Final = {"en": "English", "nl": "Nederlands", "de": "Deutsch", "fr": "Français", "es": "Español"}
"""Each language by its own name."""

_SAID_IN: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where a system says its language, the strongest first."""


def language_of(environment: Mapping[str, str]) -> str:
    """The language a system is set to, if it is one of ours; else English.

    >>> language_of({"LANG": "de_AT.UTF-8"}), language_of({"LC_ALL": "C", "LANG": "de_AT.UTF-8"})
    ('de', 'en')
    >>> language_of({"LANGUAGE": "pl:fr:nl", "LANG": "pl_PL.UTF-8"})
    'fr'
    """
    said = next((value for variable in _SAID_IN if (value := environment.get(variable))), "")
    for locale in said.split(":"):
        language = locale.replace("-", "_").partition(".")[0].partition("_")[0].lower()
        if language in LANGUAGES:
            return language
    return ENGLISH

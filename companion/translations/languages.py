"""The languages people can choose, and which of them a system is set to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final = "en"

LANGUAGES: Final = {"en": "English", "nl": "Nederlands", "de": "Deutsch", "fr": "Français", "es": "Español"}
"""What each language calls itself."""

_SAID_IN: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables that set the language, the strongest first."""


def language_of(environment: Mapping[str, str]) -> str:
    """Returns the language a system is set to, or English when it is not one of ours.

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

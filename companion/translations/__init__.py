"""Texts for people in their own language: English is in the source, every other language is a .po file in this folder.

>>> from companion.engine import Message
>>> dutch = Translator("nl", "classic-nl", {"red": "Ann"})
>>> dutch.say(Message("{seat} places one in {place}", {"seat": "red", "place": "castilla-la-vieja"}))
'Ann zet er een in Oud-Castilië'
"""

from companion.translations.languages import LANGUAGES, language_of
from companion.translations.translator import ISOLATES, Translator, isolated

__all__ = ["ISOLATES", "LANGUAGES", "Translator", "isolated", "language_of"]

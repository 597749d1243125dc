"""The table speaks: what everybody may know, said aloud by espeak-ng."""

from .display import SpeechDisplay, Voice, spoken_aloud
from .espeak import Espeak, SpeechFailed, find_espeak

__all__ = ["Espeak", "SpeechDisplay", "SpeechFailed", "Voice", "find_espeak", "spoken_aloud"]

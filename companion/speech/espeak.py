"""The voice of the table: espeak-ng, a program that turns sentences into sound."""

from __future__ import annotations

import shutil
import subprocess
import threading
from itertools import count
from pathlib import Path
from typing import Final

PROGRAM: Final = "espeak-ng"
PATIENCE_S: Final = 30.0
"""A sentence takes a few seconds; after this long the program hangs."""


class SpeechFailed(RuntimeError):
    """A sentence could not be said."""


def find_espeak() -> str | None:
    """Returns the path of espeak-ng, or `None` when it is not installed."""
    return shutil.which(PROGRAM)


class Espeak:
    """Says sentences with espeak-ng, one process for each, so that one that hangs or dies takes nothing with it.

    >>> voice = Espeak("/usr/bin/espeak-ng")
    >>> voice.say("Granada is scored.", "en")  # doctest: +SKIP

    :param program: the path of espeak-ng.
    :param recordings: a folder for WAV files, one per sentence, instead of the loudspeaker.
    :param patience_s: how long a sentence may take before the process is ended.
    """

    def __init__(self, program: str, recordings: Path | None = None, patience_s: float = PATIENCE_S) -> None:
        self._program = program
        self._recordings = recordings
        self._patience_s = patience_s
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._speaking: subprocess.Popen[str] | None = None
        self._closed = False

    def say(self, words: str, language: str) -> None:
        """Says a sentence, and returns when it has been said. Says nothing once the voice is closed.

        :raises SpeechFailed: when the program cannot be started, fails, or hangs.
        """
        command = [self._program, "-v", language, "-b", "1", "--stdin"]
        if self._recordings is not None:
            command += ["-w", str(self._recordings / f"{next(self._numbers):04}.wav")]
        try:
            with self._lock:
                if self._closed:
                    return
                self._speaking = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    encoding="utf-8",
                    errors="replace",
                )
            self._wait(self._speaking, words)
        except OSError as error:
            raise SpeechFailed(f"{self._program}: {error.strerror}") from error

    def _wait(self, process: subprocess.Popen[str], words: str) -> None:
        try:
            _, complaints = process.communicate(words, timeout=self._patience_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise SpeechFailed(f"{PROGRAM} hangs") from None
        # Without a sound card it complains, and then reports success.
        failed = process.returncode or any(line.lower().startswith("error") for line in complaints.splitlines())
        if failed and not self._closed:
            *_, last = ["", *complaints.split("\n")[:-1]]
            raise SpeechFailed(f"{PROGRAM} ended with {process.returncode}: {last.strip()}")

    def close(self) -> None:
        """Stops speaking in the middle of a sentence."""
        with self._lock:
            self._closed = True
            if self._speaking is not None:
                self._speaking.kill()

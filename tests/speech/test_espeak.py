"""The real espeak-ng: it makes sound in the language asked for, and one that hangs or fails harms nobody."""

from __future__ import annotations

import stat
import struct
import subprocess
import threading
import time
import wave
from pathlib import Path

import pytest

from companion.speech import Espeak, SpeechDisplay, SpeechFailed, find_espeak, spoken_aloud
from companion.table.options import Options
from companion.translations import LANGUAGES
from hardware.ports import Trouble
from tests.support.moments import moment_of
from tests.support.table_rig import placing


@pytest.fixture
def espeak() -> str:
    program = find_espeak()
    assert program is not None, "`make test` installs espeak-ng"
    return program


def samples(file: Path) -> tuple[int, ...]:
    """Returns the samples of a mono 16-bit WAV file."""
    with wave.open(str(file)) as recording:
        data = recording.readframes(recording.getnframes())
    return struct.unpack(f"<{len(data) // 2}h", data)


def loudest(file: Path) -> int:
    return max(map(abs, samples(file)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_of_the_table_has_a_voice_that_is_heard(language: str, espeak: str, tmp_path: Path) -> None:
    Espeak(espeak, tmp_path).say("Granada: 5, 3, 2.", language)
    (file,) = tmp_path.iterdir()
    assert loudest(file) > 3000
    # It is that language's own voice, and nothing was added to it.
    expected = tmp_path / "expected.wav"
    subprocess.run([espeak, "-v", language, "-w", expected, "Granada: 5, 3, 2."], check=True)
    assert samples(file) == samples(expected)


def test_two_languages_do_not_sound_the_same(espeak: str, tmp_path: Path) -> None:
    voice = Espeak(espeak, tmp_path)
    voice.say("Granada", "en")
    voice.say("Granada", "fr")
    first, second = sorted(tmp_path.iterdir())
    assert samples(first) != samples(second)


def test_words_that_look_like_options_are_said(espeak: str, tmp_path: Path) -> None:
    Espeak(espeak, tmp_path).say("--voices; $(reboot) Ñandú «The King»", "es")
    (file,) = tmp_path.iterdir()
    assert loudest(file) > 3000


def test_a_moment_is_heard(espeak: str, tmp_path: Path) -> None:
    SpeechDisplay(Espeak(espeak, tmp_path)).show(moment_of(placing(), Options(language="nl")))
    (file,) = tmp_path.iterdir()
    assert loudest(file) > 3000
    assert len(samples(file)) > 22050 // 2


def program(folder: Path, script: str) -> str:
    """Returns a program that takes the place of espeak-ng."""
    file = folder / "espeak-ng"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("exit 3", "espeak-ng ended with 3"),
        ("kill -SEGV $$", "espeak-ng ended with -11"),
        ("cat > /dev/null; echo 'error: No such file or directory' >&2", "No such file or directory"),
        ("exec sleep 60", "espeak-ng hangs"),
    ],
)
def test_a_program_that_dies_or_hangs_is_a_failed_sentence(script: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(SpeechFailed, match=why):
        Espeak(program(tmp_path, script), patience_s=0.5).say("Hello", "en")


def test_a_program_that_is_gone_is_a_failed_sentence(tmp_path: Path) -> None:
    with pytest.raises(SpeechFailed, match="No such file"):
        Espeak(str(tmp_path / "espeak-ng")).say("Hello", "en")


def test_closing_ends_a_sentence_in_the_middle_and_the_rest_is_not_said(tmp_path: Path) -> None:
    started = tmp_path / "started"
    voice = Espeak(program(tmp_path, f"echo x >> {started}; exec sleep 60"))
    troubles: list[Trouble] = []
    begun_s = time.monotonic()
    with spoken_aloud(voice, troubles.append) as display:
        display.show(moment_of(placing()))
        while not started.exists():
            assert time.monotonic() < begun_s + 20
            threading.Event().wait(0.01)
    assert time.monotonic() < begun_s + 25
    voice.say("Not any more", "en")
    assert started.read_text() == "x\n"
    assert troubles == []

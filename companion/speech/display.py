"""A display for ears: says aloud what everybody may know, each thing once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, NamedTuple, Protocol

from companion.engine import Message, Several, phrase
from companion.engine.history import TurnHistory, history
from companion.engine.views import Asked
from companion.table.moment import Display, Moment, PublicMoment, news
from companion.table.options import PERSON
from companion.table.threaded_display import ThreadedDisplay
from companion.table.turn_summaries import shown_scorings, summary_of
from companion.translations import ISOLATES, Translator
from companion.translations.scorings import ended, scored
from hardware.ports import Trouble

MOST_TURNS: Final = 3
"""How many finished turns are told at most; when bots play faster than anybody speaks, older ones are left out."""
LATELY: Final = 20
"""Among how many of the last moves those are looked for that the table played by itself."""
TURN: Final = "turn"
_WAITING: Final = phrase("Waiting for {seats}")


class Voice(Protocol):
    """Says sentences aloud."""

    def say(self, words: str, language: str) -> None:
        """Says a sentence in a language, and returns when it has been said."""

    def close(self) -> None:
        """Stops speaking."""


class Sentence(NamedTuple):
    """Something to say, and what it is known by."""

    key: str
    """Differs for two things that are both to be said, even in the same words."""
    words: Callable[[], str]
    """Returns the sentence; most are never asked for it, because they were said before."""
    outdated: bool = False
    """Whether the game has gone on, so that nobody wants to hear it any more."""


class SpeechDisplay:
    """Says what is new: finished turns, what places are scored for, steps for the pieces, questions, the result.

    Only what is public is said: no hand, no dial, no refusal that concerns one seat. It speaks until it is done, so it
    needs a thread; see `spoken_aloud`. A game that goes on begins with the question, not with what is long past.

    :param voice: says the sentences.
    :param newer: returns whether a newer moment waits; then the rest is left to that one, as far as it still counts.
    """

    def __init__(self, voice: Voice, newer: Callable[[], bool] = lambda: False) -> None:
        self._voice = voice
        self._newer = newer
        self._game: int | None = None
        self._before: PublicMoment | None = None
        self._told: set[str] = set()
        """What has been said of what happens only once."""
        self._current: set[str] = set()
        """What has been said of what is shown now, and may be shown again later: questions, notices, steps."""

    def show(self, moment: Moment) -> None:
        """Says what is new in this moment."""
        public = moment.public
        words = Translator(public.options.language, public.view["setup"]["edition"], public.options.names)
        events = list(_events(public, words))
        if moment.game_id != self._game:
            self._game, self._told, self._current = moment.game_id, {event.key for event in events}, set()
            self._before = None
        undone = self._before is not None and news(self._before, public).undone
        self._before = public
        fresh = [event for event in events if event.key not in self._told]
        turns = [event.key for event in fresh if event.key.startswith(TURN)]
        self._told.update(turns[:-MOST_TURNS], (event.key for event in fresh if event.outdated))
        now = list(_now(public, words))
        self._current &= {each.key for each in now}
        if undone:
            self._voice.say(words.in_words("Undone."), words.language)
        for told, sentences in ((self._told, fresh), (self._current, now)):
            for sentence in sentences:
                if sentence.key not in told:
                    told.add(sentence.key)
                    self._voice.say(_spoken(sentence.words()), words.language)
                    if self._newer():
                        return

    def __repr__(self) -> str:
        return f"<SpeechDisplay with {self._voice!r}>"


def _events(public: PublicMoment, words: Translator) -> Iterator[Sentence]:
    """Yields what has happened in the game, from the beginning on."""
    turns = history(public.view)
    for index, turn in enumerate(turns):
        # What each place paid is told unless the game has gone on since; the turn's sentence sums it up.
        yield from _scored_in(public, turn, words, outdated=index < len(turns) - 2)
        sentence = summary_of(public, turn)
        if sentence is not None:
            yield Sentence(f"{TURN} {public.numbers[turn.lines[-1].at]}", partial(words.say, sentence))
    view = public.view
    if view["over"] and public.scorings_shown == len(view["scorings"]):
        yield Sentence("result", partial(ended, view["winners"], words))


def _scored_in(public: PublicMoment, turn: TurnHistory, words: Translator, outdated: bool) -> Iterator[Sentence]:
    numbers = {line.at + 1: public.numbers[line.at] for line in turn.lines}
    for scoring in shown_scorings(public):
        if scoring["move"] in numbers:
            key = f"scored {numbers[scoring['move']]} {scoring['place']}"
            yield Sentence(key, partial(scored, scoring, words), outdated)


def _now(public: PublicMoment, words: Translator) -> Iterator[Sentence]:
    """Yields what is shown now: notices, and the first step for the pieces, or else whom the table asks what."""
    view = public.view
    lately = [words.move(line) for line in view["log"][-LATELY:]]
    for notice in public.notices:
        said = words.say(notice)
        # What the table played by itself is told with its turn.
        if said not in lately:
            yield Sentence(f"notice {said}", partial(str, said))
    if view["over"] or public.scorings_shown < len(view["scorings"]):
        return
    if public.guide:
        said = words.say(public.guide[0])
        yield Sentence(f"guide {said}", partial(str, said))
        return
    asked = [each for each in view["asked"] if public.options.player(each["seat"]) == PERSON]
    if asked:
        yield _question(asked, view["round"], words)


def _question(asked: list[Asked], number: int, words: Translator) -> Sentence:
    """Returns whom the table asks what. A seat that places three caballeros one after another is asked once."""
    first, *others = asked
    key = f"asked {number} {' '.join(each['seat'] for each in asked)} {first['kind']}"
    if others:
        seats = Several(each["seat"] for each in asked)
        return Sentence(key, partial(words.in_words, _WAITING, seats=seats))
    text, fields = first["message"], first["fields"]
    return Sentence(key, partial(words.say, Message(text, fields)))


@contextmanager
def spoken_aloud(voice: Voice, post: Callable[[Trouble], None]) -> Iterator[Display]:
    """Yields a display that speaks in a thread of its own; afterwards it stops, even in the middle of a sentence.

    :param post: takes the trouble when the voice fails; usually `Runner.post`.
    """
    threaded: ThreadedDisplay | None = None
    display = SpeechDisplay(voice, lambda: threaded is not None and threaded.newer)
    threaded = ThreadedDisplay(display, post)
    try:
        yield threaded
    finally:
        voice.close()
        threaded.close()


def _spoken(words: str) -> str:
    """Returns a sentence without the characters that only concern how it is written."""
    return words.translate(dict.fromkeys(map(ord, ISOLATES)))

"""What has happened since the last moment shown, line by line, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.cli.screens import DIALS_TURNED, changes, took
from companion.engine import Move
from companion.engine.views import HIDDEN, View, last_dials
from companion.table.moment import Moment, news
from companion.translations import Translator
from companion.translations.scorings import scored


def told_lines(before: Moment | None, after: Moment, viewer: str | None, translator: Translator) -> Iterator[str]:
    """Yields what happened between two moments, without the secrets of people who share the screen.

    :param viewer: the only person at the screen, who may see their own secrets; `None` when several share it.
    """
    what = news(before.public if before else None, after.public)
    public = after.public.view
    own = after.seen_by(viewer).view if viewer and viewer in after.seats else public
    if what.undone:
        yield translator.in_words("Undone.")
    for index in range(what.first, len(public["log"])):
        _seat, verb, *_words = public["log"][index].split()
        if verb == "dial" and _turned_over(public, index):
            yield translator.say(DIALS_TURNED)
            yield from (f"  {translator.move(line)}" for line in last_dials(public["log"][: index + 1]))
        else:
            yield _told(public["log"], own["log"], index, viewer, translator)
        for scoring in public["scorings"]:
            if scoring["move"] == index + 1:
                yield f"  {scored(scoring, translator)}"
    verbs = {line.split()[1] for line in what.lines}
    if before is not None and not what.undone and verbs & {"special", "allow", "dial"}:
        yield from (f"  {line}" for line in changes(before.public.view, public, translator))


def _turned_over(view: View, index: int) -> bool:
    """Returns whether a dial was the last to be set before all were turned over."""
    log = view["log"]
    is_last = index + 1 == len(log) or log[index + 1].split()[1] != "dial"
    return is_last and not (view["turn"]["dialling"] and index + 1 == len(log))


def _told(public: Sequence[str], own: Sequence[str], index: int, viewer: str | None, translator: Translator) -> str:
    """Returns one move in words."""
    seat, verb, *words = public[index].split()
    if verb == "dial" and seat != viewer:
        # It was not turned over yet when it was set, so nobody knew it.
        return translator.move(f"{seat} {verb} {HIDDEN}")
    if verb == "card":
        return took(Move.parse(public[index]), _card_of(public[:index], words[0]), translator)
    return translator.move(own[index])


def _card_of(log: Sequence[str], stack: str) -> str:
    """Returns the card that a stack last showed in a log; stack 5 always shows the King."""
    revealed = f"table reveal {stack} "
    return next((line.removeprefix(revealed) for line in reversed(log) if line.startswith(revealed)), "king")

"""Finds every text for people in the source and updates the .po files: `make messages`."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from babel.messages.pofile import read_po, write_po

from companion.translations.catalogue import FOLDER
from companion.translations.languages import ENGLISH, LANGUAGES

ROOT: Final = Path(__file__).parent.parent
ROOMS: Final = ("companion", "hardware/ports.py", "web_remote")

# The calls that make texts for people, and which of their arguments are texts; `phrase` marks those made elsewhere.
# In one call, a text after one that is marked by `phrase` must be marked too, because Babel stops there.
KEYWORDS: Final[dict[str, tuple[int, ...]]] = {
    "Message": (1,),
    "IllegalMove": (1,),
    "NotAMove": (1,),
    "BadSetup": (2,),
    "_say": (3,),
    "in_words": (1,),
    "phrase": (1,),
}
FINDINGS: Final = dict.fromkeys(("ok", "warning", "problem", "skipped"), (1, 2))
"""How the doctor's checks make theirs: what was found, and what to do. Elsewhere, `warning` belongs to a log."""

HEADER: Final = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


class Found(NamedTuple):
    """A text, and the file it is in."""

    text: str
    file: str


def sources() -> Iterator[Path]:
    """Yields the files that contain texts for people."""
    for room in ROOMS:
        path = ROOT / room
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def keywords_of(file: str) -> dict[str, tuple[int, ...]]:
    """Returns the calls that make texts for people in a file."""
    return {**KEYWORDS, **FINDINGS} if file.startswith("companion/doctor/") else KEYWORDS


def found_in(source: str, file: str) -> Iterator[Found]:
    """Yields the texts of one file.

    >>> list(found_in('say(Message("Undone.", {}))', "some.py"))
    [Found(text='Undone.', file='some.py')]
    """
    keywords = keywords_of(file)
    for _, keyword, given, _ in extract_python(io.BytesIO(source.encode()), dict.fromkeys(keywords), (), {}):
        texts = given if isinstance(given, tuple) else (given,)
        for position in keywords[str(keyword)]:
            text = texts[position - 1] if len(texts) >= position else None
            if isinstance(text, str) and text:
                yield Found(text, file)


def extracted() -> list[Found]:
    """Returns every text for people in the source."""
    return [
        found for file in sources() for found in found_in(file.read_text("utf-8"), file.relative_to(ROOT).as_posix())
    ]


def template() -> Catalog:
    """Returns all texts with their files, still to be translated."""
    catalog = Catalog()
    for text, file in extracted():
        catalog.add(text, locations=[(file, 0)])
    return catalog


def updated(language: str) -> Catalog:
    """Returns the catalogue of a language with only current texts; those that resemble old ones are marked fuzzy."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        catalog = read_po(file, locale=language)
    catalog.update(template(), update_header_comment=False, update_creation_date=False)
    return catalog


def as_text(catalog: Catalog) -> bytes:
    """Returns a .po file without line numbers and dates, so that it changes only when its texts do."""
    file = io.BytesIO()
    file.write(f"{catalog.header_comment}\n{HEADER.format(language=catalog.locale_identifier)}".encode())
    write_po(file, catalog, width=120, include_lineno=False, ignore_obsolete=True, omit_header=True)
    return file.getvalue()


def main() -> None:
    """Updates all .po files, and says what is left to do in them."""
    for language in LANGUAGES:
        if language != ENGLISH:
            catalog = updated(language)
            (FOLDER / f"{language}.po").write_bytes(as_text(catalog))
            missing = sum(not message.string for message in catalog if message.id)
            fuzzy = sum(message.fuzzy for message in catalog if message.id)
            print(f"{language}.po: {len(catalog)} texts, {missing} to be translated, {fuzzy} to be looked over")


if __name__ == "__main__":
    main()

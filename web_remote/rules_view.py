"""The rulebook as the page shows it: every text in one language, every table worked out from the engine."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.engine import Message, phrase
from companion.engine.cards import CARDS
from companion.engine.editions import EDITIONS
from companion.engine.regions import NEIGHBOURS, PLACES, POWER_CARDS, RECRUITS, STACKS, VALUES
from companion.rulebook import (
    CARD_NOTES,
    DIFFERENCES,
    EDITION_NAMES,
    EXAMPLES,
    HOUSE_RULE_WORDS,
    SECTIONS,
    STACK_WORDS,
    TERMS,
    scored,
    so_in,
)
from companion.rulebook.entries import Figure, Listing, Note, Part, Points, Steps, Text
from companion.rulebook.examples import Example
from companion.rulebook.sections import DIALLED, KING_IN, OPEN, worth
from companion.translations import Translator
from web_remote.rules_texts import RULES_TEXTS

_EDITION: Final = phrase("Your game uses the rules of this edition: {edition}.")
_MORE: Final = phrase("More: {title}")
_STACK: Final = phrase("Stack {number}: place up to {number}")
_COPIES: Final = phrase("Cards of this kind: {number}")
_KING_BONUS: Final = phrase("King +{bonus}")
_GRANDE_BONUS: Final = phrase("own Grande +{bonus}")


class Link(NamedTuple):
    """A spot on the page, and the words that lead there."""

    spot: str
    words: str


class Variant(NamedTuple):
    """What some editions say, and whether the game being played is of one of them."""

    text: str
    editions: str
    ours: bool


class PartView(NamedTuple):
    """A part of a section; `kind` says which of the others it has."""

    kind: str
    """`text`, `points`, `steps`, `figure`, `note` or `table`."""
    text: str = ""
    items: tuple[str, ...] = ()
    name: str = ""
    variants: tuple[Variant, ...] = ()


class SectionView(NamedTuple):
    """A section."""

    spot: str
    title: str
    parts: tuple[PartView, ...]


class PlaceView(NamedTuple):
    """A place: its values and neighbours."""

    spot: str
    title: str
    values: str
    neighbours: tuple[Link, ...]


class CardView(NamedTuple):
    """An action card."""

    card: str
    title: str
    text: str
    copies: str
    more: tuple[str, ...]
    notes: tuple[tuple[Variant, ...], ...]
    section: Link | None


class StackView(NamedTuple):
    """A stack and its cards."""

    title: str
    text: str
    cards: tuple[CardView, ...]


class TermView(NamedTuple):
    """A word of the game."""

    spot: str
    title: str
    text: str
    section: Link | None


class PaidView(NamedTuple):
    """What one player gets in an example."""

    colour: str
    player: str
    caballeros: int
    why: tuple[str, ...]
    points: int


class ExampleView(NamedTuple):
    """A worked example; the script draws the place from its name and what stands there."""

    title: str
    place: str
    counts: str
    king: bool
    grande: str
    values: str
    paid: tuple[PaidView, ...]


class EditionView(NamedTuple):
    """An edition, and whether it is the one being played."""

    name: str
    ours: bool


class RulesView:
    """Everything on the page, in the language of a translator.

    :param edition: the edition that the game is played by.
    :param house: the house rules that it is played with.
    """

    def __init__(self, words: Translator, edition: str, house: tuple[str, ...] = ()) -> None:
        self._words = words
        self._edition = edition
        self.texts = {name: words.text(text) for name, text in RULES_TEXTS.items()}
        titles = {section.name: words.text(section.title) for section in SECTIONS}
        self.edition = self._fill(_EDITION, edition=words.text(EDITION_NAMES[edition]))
        self.contents = tuple(Link(name, title) for name, title in titles.items())
        self.sections = tuple(
            SectionView(section.name, titles[section.name], tuple(self._part(part) for part in section.parts))
            for section in SECTIONS
        )
        self.power_cards = tuple((number, RECRUITS[number]) for number in POWER_CARDS)
        self.places = tuple(self._place(index) for index in range(len(PLACES)))
        self.examples = tuple(self._example(example) for example in EXAMPLES)
        self.stacks = tuple(self._stack(stack) for stack in STACKS)
        self.house_rules = tuple((self._say(text), rule in house) for rule, text in HOUSE_RULE_WORDS.items())
        self.editions = tuple(EditionView(words.text(name), key == edition) for key, name in EDITION_NAMES.items())
        self.differences = tuple(
            (self._say(difference.title), tuple(so_in(each, rule) for each in EDITION_NAMES))
            for rule, difference in DIFFERENCES.items()
        )
        terms = (
            TermView(f"term-{name}", words.text(term.title), self._say(term.text), self._link(term.section))
            for name, term in TERMS.items()
        )
        self.terms = tuple(sorted(terms, key=lambda term: term.title.casefold()))
        self.king, self.open, self.dialled = KING_IN, " ".join(OPEN), DIALLED

    def _say(self, text: Text) -> str:
        return self._words.say(text) if isinstance(text, Message) else self._words.text(text)

    def _fill(self, text: str, **fields: str | int) -> str:
        return self._words.text(text).format(**fields)

    def _link(self, section: str) -> Link | None:
        found = (self._words.text(each.title) for each in SECTIONS if each.name == section)
        return next((Link(section, self._fill(_MORE, title=title)) for title in found), None)

    def _title(self, place: str) -> str:
        name = self._words.place(place)
        return name[:1].upper() + name[1:]

    def _part(self, part: Part) -> PartView:
        match part:
            case Points() | Steps():
                kind = "steps" if isinstance(part, Steps) else "points"
                return PartView(kind, items=tuple(self._say(each) for each in part))
            case Figure():
                return PartView("figure", self._say(part.caption), name=part.picture.value)
            case Listing():
                return PartView("table", name=part.value)
            case Note():
                return PartView("note", variants=self._variants(part.rule))
        return PartView("text", self._say(part))

    def _variants(self, rule: str) -> tuple[Variant, ...]:
        difference = DIFFERENCES[rule]
        ours = so_in(self._edition, rule)
        return tuple(
            Variant(
                self._say(text),
                ", ".join(self._words.text(EDITION_NAMES[each]) for each in EDITIONS if so_in(each, rule) is answer),
                ours is answer,
            )
            for text, answer in ((difference.yes, True), (difference.no, False))
        )

    def _place(self, index: int) -> PlaceView:
        near = NEIGHBOURS[index] if index < len(NEIGHBOURS) else ()
        return PlaceView(
            f"place-{PLACES[index]}",
            self._title(PLACES[index]),
            worth(VALUES[index]),
            tuple(Link(f"place-{PLACES[each]}", self._title(PLACES[each])) for each in near),
        )

    def _stack(self, number: int) -> StackView:
        cards = []
        for card in (each for each in CARDS.values() if each.stack == number):
            notes = CARD_NOTES[card.name]
            title, text = self._words.card(card.name)
            more = tuple(self._say(each) for each in notes.more)
            variants = tuple(self._variants(rule) for rule in notes.rules)
            copies = self._fill(_COPIES, number=card.copies)
            cards.append(CardView(card.name, title, text, copies, more, variants, self._link(notes.section)))
        return StackView(self._fill(_STACK, number=number), self._say(STACK_WORDS[number]), tuple(cards))

    def _example(self, example: Example) -> ExampleView:
        paid = []
        for each in scored(example, self._edition):
            bonuses = {_KING_BONUS: each.king_bonus, _GRANDE_BONUS: each.grande_bonus}
            why = [self._words.text(each.why)]
            why += [self._fill(text, bonus=bonus) for text, bonus in bonuses.items() if bonus]
            player = self._words.colour(each.seat)
            paid.append(PaidView(each.seat, player[:1].upper() + player[1:], each.caballeros, tuple(why), each.total))
        return ExampleView(
            self._say(example.title),
            example.place,
            " ".join(f"{colour}:{count}" for colour, count in example.counts.items() if count),
            example.king,
            example.grande,
            next(place.values for place in self.places if place.spot == f"place-{example.place}"),
            tuple(paid),
        )

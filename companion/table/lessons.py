"""The lessons of a guided game, as data: when each is given, what it says, and what it points at.

A lesson is given to one seat, from what that seat may know. Its `when` returns the fields of its text, or `None` while
there is nothing to explain: a number it names, or a region it suggests, is computed from the game as it is now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from companion.engine import CASTILLO, EDITIONS, PLACES, Message, phrase
from companion.engine.messages import Field, Series
from companion.engine.regions import RECRUITS, REGIONS, TILE_VALUES, TILES, VALUES
from companion.engine.scoring import BONUS, GENERAL, points
from companion.engine.views import ScoringView, View, in_castillo
from companion.table.moment import LessonWords

Fields = Mapping[str, Field]

TOPICS: Final = ("goal", "majorities", "power", "turn", "king", "castillo", "special", "dial", "scoring")
"""What there is to learn. Who has had the lessons knows the game up to the end of its first scoring."""
POINTERS: Final = ("place", "map", "you", "answers", "cards", "order", "story", "dial", "scoring", "hint")
"""What a lesson can point at: the place it names, or a part of the page. Only those about a scoring come during one."""

_AT_PLACES: Final = ("place", "dial")
"""What also points at the place that a lesson names, on the map and with the lights."""

_MIDDLING: Final = 7
"""The power card to begin with: a bit of both."""
_RANKS: Final = {2: 1, 3: 2}
"""How many ranks are paid, by the number of seats; with more seats, all three."""
_ONLY_FIRSTS: Final = "score-firsts"
"""The card that scores the first rank alone."""


@dataclass(frozen=True)
class Look:
    """What a seat sees when it may be given a lesson."""

    view: View
    """The view of that seat."""
    scored: tuple[ScoringView, ...] = ()
    """The places scored so far in the scoring that is being shown."""
    hints: bool = False
    """Whether the seat may ask for a hint now."""
    advised: bool = False
    """Whether the seat reads a hint now."""

    @cached_property
    def seat(self) -> str:
        """Whose lesson it is."""
        return str(self.view["viewer"])

    @cached_property
    def kind(self) -> str | None:
        """The kind of question that the seat is asked, or `None`."""
        return next((asked["kind"] for asked in self.view["asked"] if asked["seat"] == self.seat), None)

    @cached_property
    def court(self) -> int:
        """How many caballeros the seat has in its court."""
        return self.view["seats"][self.seat]["court"]

    @cached_property
    def in_castillo(self) -> int:
        """How many caballeros the seat has in the castillo: all that are nowhere else."""
        return in_castillo(self.view, self.seat)

    def choices(self, verb: str) -> list[str]:
        """Returns the last word of each legal move of a kind."""
        moves = [line.split() for line in self.view["legal"]]
        return [words[-1] for words in moves if words[1] == verb]

    @cached_property
    def to_place(self) -> list[str]:
        """The regions where the seat may place now."""
        return [place for place in self.choices("place") if place != CASTILLO] if self.kind == "act" else []

    def counts(self, region: str) -> dict[str, int]:
        """Returns how many caballeros each seat has in a region."""
        return {seat: data["regions"][region] for seat, data in self.view["seats"].items()}

    @cached_property
    def ranks(self) -> int:
        """How many ranks are paid with this many seats."""
        return _RANKS.get(len(self.view["seats"]), 3)

    def printed(self, place: str) -> tuple[int, ...]:
        """Returns the three numbers of a place, as on its tile or on the map."""
        tile = next((tile for tile, lies in self.view["tiles"].items() if lies == place), None)
        return VALUES[PLACES.index(place)] if tile is None else TILE_VALUES[TILES.index(tile)]

    def values(self, place: str) -> tuple[int, ...]:
        """Returns what a place pays, for the ranks that count with this many seats."""
        return self.printed(place)[: self.ranks]

    def paid(self, region: str, more: int = 0) -> int:
        """Returns what a region would pay the seat, with this many more of its caballeros there."""
        counts = self.counts(region)
        counts[self.seat] += more
        ties = EDITIONS[self.view["setup"]["edition"]].ties_take_all_ranks
        ranked = points(self.values(region), tuple(counts.values()), ties)[[*counts].index(self.seat)]
        homes = (self.view["king"], self.view["seats"][self.seat]["grande"])
        return ranked + (homes.count(region) * BONUS if self.leads(region, more) else 0)

    def leads(self, region: str, more: int = 0) -> bool:
        """Returns whether the seat alone would have the most, with this many more of its caballeros there."""
        counts = self.counts(region)
        own = counts.pop(self.seat) + more
        return own > max(counts.values())


def _you(look: Look) -> Fields | None:
    return {"seat": look.seat, "number": look.view["setup"]["rounds"]} if look.kind == "power" else None


def _home(look: Look) -> Fields | None:
    home = look.view["seats"][look.seat]["grande"]
    stands = home is not None and look.counts(home)[look.seat]
    return {"place": str(home)} if look.kind == "power" and stands else None


def _aim(look: Look) -> Fields | None:
    if look.kind != "power":
        return None
    best = max(REGIONS, key=lambda region: look.values(region)[0])
    first, second, third = look.printed(best)
    return {"place": best, "values": f"{first}/{second}/{third}", "first": first, "second": second, "third": third}


def _power(look: Look) -> Fields | None:
    cards = [number for number in map(int, look.choices("power")) if RECRUITS[number] > 1]
    if look.kind != "power" or not cards:
        return None
    number = min(cards, key=lambda number: abs(number - _MIDDLING))
    return {"number": number, "count": RECRUITS[number]}


def _used(look: Look) -> Fields | None:
    own = look.view["seats"][look.seat]
    used = [number for number in own["played"] if number not in (own["hand"] or ())]  # it may have come back
    return {"number": used[-1]} if look.kind == "power" and used else None


def _order(look: Look) -> Fields | None:
    start = look.view["turn"]["start"]
    later = bool(look.view["seats"][look.seat]["played"])
    return {"seat": start} if look.kind == "power" and later and start not in (None, look.seat) else None


def _after(look: Look) -> Fields | None:
    general = {scoring["move"] for scoring in look.view["scorings"] if scoring["occasion"] == GENERAL}
    return {} if look.kind == "power" and len(general) == 1 else None


def _others(look: Look) -> Fields | None:
    turn = look.view["turn"]
    return {} if look.kind is None and turn["card"] and turn["actor"] != look.seat else None


def _recruit(look: Look) -> Fields | None:
    most = max(map(int, look.choices("recruit")), default=0)
    return {"number": most} if look.kind == "recruit" and most > 1 else None


def _card(look: Look) -> Fields | None:
    stacks = [stack for stack in look.choices("card") if 1 < int(stack) <= look.court]
    if look.kind != "card" or not stacks:
        return None
    return {"card": look.view["open"][max(stacks)], "number": int(max(stacks))}


def _hint(look: Look) -> Fields | None:
    return {} if look.hints and look.kind == "card" and len(look.view["seats"][look.seat]["played"]) > 1 else None


def _king(look: Look) -> Fields | None:
    return {"place": str(look.view["king"])} if look.to_place else None


def _empty(look: Look) -> Fields | None:
    empty = [region for region in look.to_place if not any(look.counts(region).values())]
    if not empty:
        return None
    best = max(empty, key=lambda region: look.values(region)[0])
    return {"place": best, "number": look.values(best)[0]}


def _castillo(look: Look) -> Fields | None:
    may = look.kind == "act" and CASTILLO in look.choices("place")
    return {"place": CASTILLO, "number": look.values(CASTILLO)[0]} if may else None


def _special(look: Look) -> Fields | None:
    card = look.view["turn"]["card"]
    may = look.kind == "act" and f"{look.seat} special" in look.view["legal"]
    return {"card": card} if may and card is not None else None


def _tie(look: Look) -> Fields | None:
    for region in look.to_place:
        counts = look.counts(region)
        most = max(counts.values())
        first = [seat for seat, count in counts.items() if count == most]
        if most and len(first) == 2 and look.seat in first:
            (other,) = {*first} - {look.seat}
            return {"place": region, "other": other, "count": look.paid(region), "number": look.paid(region, 1)}
    return None


def _second(look: Look) -> Fields | None:
    for region in look.to_place:
        counts = look.counts(region)
        leader = max(counts, key=lambda seat: counts[seat])
        paid = look.paid(region, more=1)
        if not counts[look.seat] and counts[leader] > 1 and list(counts.values()).count(counts[leader]) == 1 and paid:
            return {"place": region, "other": leader, "count": counts[leader], "number": paid}
    return None


def _veto(look: Look) -> Fields | None:
    return {} if look.kind == "veto" else None


def _dial(look: Look) -> Fields | None:
    return {} if look.kind == "dial" else None


def _dial_try(look: Look) -> Fields | None:
    if look.kind != "dial" or look.in_castillo < 1:
        return None
    gains = {
        region: look.paid(region, look.in_castillo) - look.paid(region)
        for region in look.choices("dial")
        if region != look.view["king"] and look.leads(region, look.in_castillo)
    }
    best = max(gains, key=lambda region: gains[region], default=None)
    return {"place": best, "number": look.in_castillo} if best is not None and gains[best] > 0 else None


def _scoring(look: Look) -> Fields | None:
    for scoring in look.scored:
        leader = scoring["leader"]
        if leader is not None and scoring["points"][leader] > 1:
            return {"place": scoring["place"], "seat": leader, "number": scoring["points"][leader]}
    return None


def _tied(look: Look) -> Fields | None:
    for scoring in look.scored:
        if scoring["occasion"] == _ONLY_FIRSTS:
            continue  # there, a tie gets nothing at all
        counts = [count for count in scoring["counts"].values() if count]
        # Whoever is behind fewer others than there are ranks has a rank that is paid.
        ranked = {count for count in counts if sum(other > count for other in counts) < look.ranks}
        shared = max((count for count in ranked if counts.count(count) > 1), default=0)
        if shared:
            seats = [seat for seat, count in scoring["counts"].items() if count == shared]
            return {"place": scoring["place"], "seats": Series(seats), "number": scoring["points"][seats[0]]}
    return None


def _bonus(look: Look) -> Fields | None:
    for scoring in look.scored:
        number = scoring["king_bonus"] + scoring["grande_bonus"]
        if scoring["leader"] is not None and number:
            return {"place": scoring["place"], "seat": scoring["leader"], "number": number}
    return None


@dataclass(frozen=True)
class Lesson:
    """One thing to learn."""

    name: str
    topic: str
    """One of `TOPICS`."""
    points_at: str
    """One of `POINTERS`."""
    when: Callable[[Look], Fields | None]
    text: str | tuple[str, str, str]
    """What it says; or three texts, for games in which one, two or three ranks are paid."""
    choice: str = ""
    """The answer that it names, as its line with the same fields as the text; empty when it names none."""
    suggests: bool = False
    """Whether it suggests something to do; nobody else gives advice meanwhile."""

    def words(self, look: Look) -> LessonWords | None:
        """Returns the lesson as it is given now, or `None` while there is nothing to explain."""
        during_scoring = self.points_at == "scoring"
        if during_scoring != bool(look.scored) or (self.suggests and look.advised):
            return None
        fields = self.when(look)
        if fields is None:
            return None
        text = self.text if isinstance(self.text, str) else self.text[look.ranks - 1]
        points = "place" in fields and self.points_at in _AT_PLACES
        place = str(fields["place"]) if points else None
        choice = self.choice.format(**fields) or None
        return LessonWords(self.name, Message.using(text, fields), self.points_at, place, choice, self.suggests)


LESSONS: Final = (
    # A scoring is shown.
    Lesson(
        "scoring", "scoring", "scoring", _scoring,
        phrase("{place} is scored: {seat} has the most caballeros there and gets {number} points."),
    ),
    Lesson(
        "tied", "majorities", "scoring", _tied,
        phrase(
            "{seats} are tied in {place}. Ties score the next lower rank: {number} points each, and nobody else gets "
            "that rank."
        ),
    ),
    Lesson(
        "bonus", "king", "scoring", _bonus,
        phrase(
            "{seat} gets {number} more in {place}. A sole leader gets 2 more in the King's region, and 2 more where "
            "their own Grande stands."
        ),
    ),
    # Power cards.
    Lesson(
        "you", "goal", "you", _you,
        phrase(
            "This is you, {seat}: you place caballeros from your court, and the province is your supply. Whoever has "
            "the most points after the last scoring, in round {number}, wins."
        ),
    ),
    Lesson(
        "home", "goal", "place", _home,
        phrase(
            "The pieces of your shape in {place} are your caballeros; the number says how many. The one with the star "
            "is your Grande, which marks your home."
        ),
    ),
    Lesson(
        "aim", "majorities", "place", _aim,
        (
            phrase(
                "Your aim: have the most caballeros in a region when it is scored. In {place}, {values} means {first} "
                "points for the most; with two players, nobody else gets any."
            ),
            phrase(
                "Your aim: have the most caballeros in a region when it is scored. In {place}, {values} means {first} "
                "points for the most and {second} for second; with three players, third gets nothing."
            ),
            phrase(
                "Your aim: have the most caballeros in a region when it is scored. In {place}, {values} means {first} "
                "points for the most, {second} for second and {third} for third."
            ),
        ),
    ),
    Lesson(
        "power", "power", "answers", _power,
        phrase(
            "A high power card lets you act early; a low one brings more caballeros to your court. Try {number}: it "
            "brings {count}."
        ),
        "power {number}", suggests=True,
    ),
    Lesson(
        "after", "scoring", "map", _after,
        phrase("That was the first of three scorings. The castillo is empty again; everything else stays as it is."),
    ),
    Lesson(
        "used", "power", "answers", _used,
        phrase("Your {number} is used up: each power card can be played only once."),
    ),
    Lesson(
        "order", "power", "order", _order,
        phrase("{seat} played the lowest power card last round, so {seat} plays the first one now."),
    ),
    # A turn.
    Lesson(
        "others", "turn", "story", _others,
        phrase("Now the others play. Read here what they do, and why."),
    ),
    Lesson(
        "recruit", "turn", "answers", _recruit,
        phrase(
            "Your power card brings up to {number} caballeros from the province, your supply, to your court. Take them "
            "all: only those in the court can be placed."
        ),
        "recruit {number}", suggests=True,
    ),
    Lesson(
        "card", "turn", "answers", _card,
        phrase(
            "Take an action card. Its number says how many caballeros you may place; its text is a special action. Try "
            "{card}: with it you place up to {number}."
        ),
        "card {number}", suggests=True,
    ),
    Lesson(
        "hint", "turn", "hint", _hint,
        phrase("Not sure? Ask a bot what it would do. It sees only what you see."),
    ),
    # Placing. The special action comes first, while it may still be used before placing.
    Lesson(
        "special", "special", "answers", _special,
        phrase("{card} is your special action. Use it before or after placing, never in between, or not at all."),
        "special",
    ),
    Lesson(
        "king", "king", "place", _king,
        phrase(
            "The King is in {place}: nothing may enter or leave that region. Place your caballeros in regions next to "
            "it, or in the castillo."
        ),
    ),
    Lesson(
        "empty", "majorities", "place", _empty,
        phrase(
            "Put a caballero where nobody is yet: in {place}. One is enough for the most there, and the most pays "
            "{number}."
        ),
        suggests=True,
    ),
    Lesson(
        "castillo", "castillo", "place", _castillo,
        phrase(
            "Try the castillo. It is scored first and pays {number} for the most; then your caballeros in it move on "
            "to a region you choose in secret."
        ),
        suggests=True,
    ),
    Lesson(
        "tie", "majorities", "place", _tie,
        phrase(
            "You are tied with {other} in {place}. Ties score the next lower place: you would get {count}. With "
            "one more there, you would get {number}."
        ),
        suggests=True,
    ),
    Lesson(
        "second", "majorities", "place", _second,
        phrase("{other} leads in {place} with {count}. Second pays too: one caballero there would get you {number}."),
        suggests=True,
    ),
    Lesson(
        "veto", "special", "answers", _veto,
        phrase("You have a veto card: it can stop this special action. It works only once."),
        "veto",
    ),
    # Dials.
    Lesson(
        "dial", "dial", "dial", _dial,
        phrase(
            "Everybody sets a dial in secret. First the castillo is scored, then your caballeros in it go to the "
            "region on your dial, and then all regions are scored."
        ),
    ),
    Lesson(
        "dial-try", "dial", "dial", _dial_try,
        phrase("You have {number} in the castillo. Try {place}: as things stand, you would then have the most there."),
        "dial {place}", suggests=True,
    ),
)  # fmt: skip
"""All lessons. When several could be given, the first one that the seat has not had comes first."""

NAMES: Final = frozenset(lesson.name for lesson in LESSONS)


def lesson_for(look: Look, had: Collection[str]) -> LessonWords | None:
    """Returns the lesson that a seat is given now, or `None`.

    :param had: the names of the lessons that the seat has had.
    """
    for lesson in LESSONS:
        if lesson.name not in had and (words := lesson.words(look)) is not None:
            return words
    return None

"""A deliberately plain and slow second implementation of the rules, to compare the engine with."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

EDITIONS = ["classic-nl", "classic-fr", "bigbox-de", "bigbox-nl", "anniversary-es"]
COLOURS = ["red", "blue", "green", "yellow", "brown"]
HOUSE_RULES = ["strict-dial", "open-castillo"]

# In the order of the scoring track.
VALUES = {
    "galicia": [4, 2, 0],
    "pais-vasco": [5, 3, 1],
    "aragon": [5, 4, 1],
    "cataluna": [4, 2, 1],
    "castilla-la-vieja": [6, 4, 2],
    "castilla-la-nueva": [7, 4, 2],
    "valencia": [5, 3, 2],
    "sevilla": [4, 3, 1],
    "granada": [6, 3, 1],
    "castillo": [5, 3, 1],
}
REGIONS = [place for place in VALUES if place != "castillo"]
NEIGHBOURS = {
    "galicia": ["pais-vasco", "castilla-la-vieja"],
    "pais-vasco": ["galicia", "castilla-la-vieja", "aragon"],
    "aragon": ["pais-vasco", "castilla-la-vieja", "castilla-la-nueva", "valencia", "cataluna"],
    "cataluna": ["aragon", "valencia"],
    "castilla-la-vieja": ["galicia", "pais-vasco", "aragon", "castilla-la-nueva"],
    "castilla-la-nueva": ["castilla-la-vieja", "aragon", "valencia", "granada", "sevilla"],
    "valencia": ["cataluna", "aragon", "castilla-la-nueva", "granada"],
    "sevilla": ["castilla-la-nueva", "granada"],
    "granada": ["sevilla", "castilla-la-nueva", "valencia"],
}
TILE_VALUES = {"8": [8, 4, 0], "4": [4, 0, 0]}
POWER_BRINGS = {1: 6, 2: 5, 3: 5, 4: 4, 5: 4, 6: 3, 7: 3, 8: 2, 9: 2, 10: 1, 11: 1, 12: 0, 13: 0}
STACKS = {
    "1": ["move-3", "move-4", "move-4-own", "move-3-others"]
    + ["move-2-own-2-others"] * 2
    + ["move-5-from-one"] * 2
    + ["move-own-from-one", "extra-2", "own-from-one-or-extra-2"],
    "2": ["veto"] * 2
    + ["all-courts-home", "three-courts-home", "one-each-home", "king-is-angry"]
    + ["secret-all-home", "secret-two-home"]
    + ["score-one"] * 3,
    "3": ["score-4s"] * 2
    + ["score-5s"] * 2
    + ["score-6s-7s"]
    + ["score-castillo"] * 2
    + ["score-firsts", "score-most", "score-fewest", "score-one-3"],
    "4": ["tile"] * 3 + ["power-back"] * 2 + ["court-2"] + ["grande"] * 2 + ["secret-score", "expel", "advisor"],
}
# How many steps for the seat's own, for others' and in total; 30 stands for "any number", as no seat has more.
MOVE_BUDGETS = {
    "move-3": {"own": 3, "others": 3, "all": 3},
    "move-4": {"own": 4, "others": 4, "all": 4},
    "move-4-own": {"own": 4, "others": 0, "all": 4},
    "move-3-others": {"own": 0, "others": 3, "all": 3},
    "move-2-own-2-others": {"own": 2, "others": 2, "all": 4},
    "move-5-from-one": {"own": 5, "others": 5, "all": 5},
    "move-own-from-one": {"own": 30, "others": 0, "all": 30},
    "own-from-one-or-extra-2": {"own": 30, "others": 0, "all": 30},
}
FROM_ONE_CARDS = ["move-5-from-one", "move-own-from-one", "own-from-one-or-extra-2"]
EXTRA_CARDS = ["extra-2", "own-from-one-or-extra-2"]


def check_setting(seats: Sequence[str], edition: str, rounds: int, house: Sequence[str]) -> None:
    if not 2 <= len(seats) <= 5 or len(set(seats)) != len(seats) or not set(seats) <= set(COLOURS):
        raise ValueError(f"seats: {seats}")
    if edition not in EDITIONS or rounds not in (6, 9) or not set(house) <= set(HOUSE_RULES):
        raise ValueError(f"setting: {edition} {rounds} {house}")


class Oracle:
    def __init__(
        self, seats: Sequence[str], edition: str = "bigbox-de", rounds: int = 9, house: Sequence[str] = ()
    ) -> None:
        check_setting(seats, edition, rounds, house)
        self.seats = list(seats)
        self.edition = edition
        self.house = list(house)
        self.rounds_left = [1, 2, 3, 4, 5, 6, 7, 8, 9] if rounds == 9 else [2, 3, 5, 6, 8, 9]
        # What is being waited for; every phase has one legal_... and one play_... method.
        self.phase = "king-home"
        self.round = 0
        self.king = ""
        self.tiles: dict[str, str | None] = {"8": None, "4": None}
        self.decks = copy.deepcopy(STACKS)
        self.open: dict[str, str] = {}
        self.score = dict.fromkeys(self.seats, 0)
        self.grande: dict[str, str | None] = dict.fromkeys(self.seats)
        self.hand = {seat: list(range(1, 14)) for seat in self.seats}
        # All 30 caballeros of a seat: court, province, castillo and the nine regions.
        self.men = {seat: self.men_before_home() for seat in self.seats}
        # For each veto card held, oldest first, how many round ends it still survives (2, then 1).
        self.vetoes: dict[str, list[int]] = {seat: [] for seat in self.seats}
        self.init_round()
        self.init_special()

    def men_before_home(self) -> dict[str, int]:
        return {"court": 7, "province": 23, "castillo": 0} | dict.fromkeys(REGIONS, 0)

    def init_round(self) -> None:
        self.start = ""
        self.played: dict[str, int] = {}
        self.waiting: list[str] = []  # seats still to play a power card; later, seats still to take a turn
        self.actor = ""
        self.card = ""
        self.stack = 0
        self.placed = 0
        self.placing_closed = False
        self.special_begun = False
        self.recalls_left = 0

    def init_special(self) -> None:
        """Forget everything that belongs to a single special action."""
        self.pending: list[str] = []  # the step that waits for the answers of veto holders
        self.askers: list[str] = []
        self.allowed_all: list[str] = []
        self.step_taken = False
        self.budget: dict[str, int] = {"own": 0, "others": 0, "all": 0}
        self.extras_left = 0
        self.source = ""
        self.colours_left: list[str] = []
        self.returns_owed: dict[str, int] = {}
        self.to_score: list[str] = []
        self.expelled = ""
        self.dial_choices: dict[str, list[str]] = {}
        self.dials: dict[str, str] = {}

    # ---- the interface ----

    def to_act(self) -> list[str]:
        acting = {line.split()[0] for line in self.legal()}
        return [seat for seat in [*self.seats, "table"] if seat in acting]

    def legal(self) -> set[str]:
        phases: dict[str, Callable[[], list[str]]] = {
            "king-home": self.legal_king_home,
            "homes": self.legal_homes,
            "start": self.legal_start,
            "reveal": self.legal_reveal,
            "power": self.legal_power,
            "recruit": self.legal_recruit,
            "recall": self.legal_recall,
            "card": self.legal_card,
            "main": self.legal_main,
            "ask": self.legal_ask,
            "special": self.legal_special,
            "dial": self.legal_dial,
            "over": list,
        }
        return set(phases[self.phase]())

    def play(self, line: str) -> None:
        if line not in self.legal():
            raise ValueError(f"not legal: {line}")
        phases: dict[str, Callable[[list[str]], None]] = {
            "king-home": self.play_king_home,
            "homes": self.play_homes,
            "start": self.play_start,
            "reveal": self.play_reveal,
            "power": self.play_power,
            "recruit": self.play_recruit,
            "recall": self.play_recall,
            "card": self.play_card,
            "main": self.play_main,
            "ask": self.play_ask,
            "special": self.play_special,
            "dial": self.play_dial,
        }
        phases[self.phase](line.split())

    def snapshot(self) -> dict[str, Any]:
        return {
            "round": self.round,
            "king": self.king or None,
            "tiles": dict(self.tiles),
            "open": dict(self.open),
            "seats": {seat: self.snapshot_seat(seat) for seat in self.seats},
        }

    def snapshot_seat(self, seat: str) -> dict[str, Any]:
        return {
            "score": self.score[seat],
            "court": self.men[seat]["court"],
            "province": self.men[seat]["province"],
            "castillo": self.men[seat]["castillo"],
            "grande": self.grande[seat],
            "hand": sorted(self.hand[seat]),
            "regions": {region: self.men[seat][region] for region in REGIONS},
            "vetoes": len(self.vetoes[seat]),
        }

    def copy(self) -> Oracle:
        return copy.deepcopy(self)

    # ---- small helpers ----

    def shift(self, seat: str, source: str, target: str, number: int) -> None:
        self.men[seat][source] -= number
        self.men[seat][target] += number

    def clockwise_after(self, seat: str) -> list[str]:
        """The other seats, the left neighbour first."""
        at = self.seats.index(seat)
        return self.seats[at + 1 :] + self.seats[:at]

    def free_regions(self) -> list[str]:
        return [region for region in REGIONS if region != self.king]

    def regions_with(self, seat: str, least: int) -> list[str]:
        """The regions, except the King's, that hold at least this many of the seat's caballeros."""
        return [region for region in self.free_regions() if self.men[seat][region] >= least]

    # ---- set-up ----

    def legal_king_home(self) -> list[str]:
        return [f"table king {region}" for region in REGIONS]

    def play_king_home(self, words: list[str]) -> None:
        self.king = words[2]
        self.phase = "homes"

    def homeless(self) -> list[str]:
        return [seat for seat in self.seats if self.grande[seat] is None]

    def legal_homes(self) -> list[str]:
        seat = self.homeless()[0]
        taken = list(self.grande.values())
        return [f"table home {seat} {region}" for region in self.free_regions() if region not in taken]

    def play_homes(self, words: list[str]) -> None:
        seat, region = words[2], words[3]
        self.grande[seat] = region
        self.shift(seat, "province", region, 2)
        if not self.homeless():
            self.phase = "start"

    def legal_start(self) -> list[str]:
        return [f"table start {seat}" for seat in self.seats]

    def play_start(self, words: list[str]) -> None:
        self.start = words[2]
        self.begin_round()

    # ---- the round ----

    def begin_round(self) -> None:
        self.round = self.rounds_left.pop(0)
        self.open = {"5": "king"}
        self.played = {}
        self.phase = "reveal"

    def next_stack(self) -> str:
        return next(stack for stack in STACKS if stack not in self.open)

    def legal_reveal(self) -> list[str]:
        stack = self.next_stack()
        return [f"table reveal {stack} {card}" for card in self.decks[stack]]

    def play_reveal(self, words: list[str]) -> None:
        stack, card = words[2], words[3]
        self.decks[stack].remove(card)
        self.open[stack] = card
        if len(self.open) == 5:
            self.waiting = [self.start, *self.clockwise_after(self.start)]
            self.phase = "power"

    def legal_power(self) -> list[str]:
        seat = self.waiting[0]
        return [f"{seat} power {card}" for card in self.hand[seat] if card not in self.played.values()]

    def play_power(self, words: list[str]) -> None:
        seat, card = words[0], int(words[2])
        self.hand[seat].remove(card)
        self.played[seat] = card
        self.waiting.remove(seat)
        if not self.waiting:
            self.waiting = sorted(self.seats, key=lambda other: self.played[other], reverse=True)
            self.next_turn()

    def next_turn(self) -> None:
        if not self.waiting:
            self.end_round()
            return
        self.actor = self.waiting.pop(0)
        self.card = ""
        self.stack = 0
        self.placed = 0
        self.placing_closed = False
        self.special_begun = False
        self.phase = "recruit"

    def end_round(self) -> None:
        self.open = {}
        # By the cards as played: a card taken back still decides who starts.
        self.start = min(self.seats, key=lambda seat: self.played[seat])
        for seat in self.seats:
            self.vetoes[seat] = [ends - 1 for ends in self.vetoes[seat] if ends > 1]
        if self.round in (3, 6, 9):
            self.begin_general_scoring()
        else:
            self.begin_round()

    # ---- a turn ----

    def legal_recruit(self) -> list[str]:
        most = min(POWER_BRINGS[self.played[self.actor]], self.men[self.actor]["province"])
        return [f"{self.actor} recruit {number}" for number in range(most + 1)]

    def play_recruit(self, words: list[str]) -> None:
        self.recruit(int(words[2]), POWER_BRINGS[self.played[self.actor]], may_recall=True)
        self.recall_or_card()

    def recruit(self, number: int, allowed: int, may_recall: bool) -> None:
        """Take from the province, and note how many may then be recalled from regions."""
        self.shift(self.actor, "province", "court", number)
        emptied = self.men[self.actor]["province"] == 0
        self.recalls_left = allowed - number if may_recall and emptied else 0

    def recall_lines(self) -> list[str]:
        if self.recalls_left == 0:
            return []
        return [f"{self.actor} recall {region}" for region in self.regions_with(self.actor, 1)]

    def recall_or_card(self) -> None:
        self.phase = "recall" if self.recall_lines() else "card"

    def legal_recall(self) -> list[str]:
        return [*self.recall_lines(), f"{self.actor} done"]

    def recall(self, region: str) -> None:
        self.shift(self.actor, region, "court", 1)
        self.recalls_left -= 1

    def play_recall(self, words: list[str]) -> None:
        if words[1] == "done":
            self.phase = "card"
        else:
            self.recall(words[2])
            self.recall_or_card()

    def legal_card(self) -> list[str]:
        return [f"{self.actor} card {stack}" for stack in self.open]

    def play_card(self, words: list[str]) -> None:
        self.card = self.open.pop(words[2])
        self.stack = int(words[2])
        self.phase = "main"

    def may_place(self) -> bool:
        return not self.placing_closed and self.placed < self.stack and self.men[self.actor]["court"] > 0

    def legal_main(self) -> list[str]:
        lines = [f"{self.actor} end"]
        if self.may_place():
            lines += [f"{self.actor} place {place}" for place in [*NEIGHBOURS[self.king], "castillo"]]
        if not self.special_begun:
            lines.append(f"{self.actor} special")
        return lines

    def play_main(self, words: list[str]) -> None:
        if words[1] == "end":
            self.next_turn()
        elif words[1] == "place":
            self.shift(self.actor, "court", words[2], 1)
            self.placed += 1
        else:
            self.special_begun = True
            # Placing that had begun may not go on after the special action.
            self.placing_closed = self.placed > 0
            self.init_special()
            self.propose(words)

    # ---- vetoes ----

    def doubters(self) -> list[str]:
        """The veto holders who are still to be asked about each step, in the order they are asked."""
        others = self.clockwise_after(self.actor)
        return [seat for seat in others if self.vetoes[seat] and seat not in self.allowed_all]

    def propose(self, words: list[str]) -> None:
        """A step is announced; it takes effect only when every veto holder has let it pass."""
        self.pending = words
        self.askers = self.doubters()
        self.ask_or_apply()

    def ask_or_apply(self) -> None:
        if self.askers:
            self.phase = "ask"
            return
        words = self.pending
        self.pending = []
        self.apply(words)
        self.go_on()

    def legal_ask(self) -> list[str]:
        seat = self.askers[0]
        return [f"{seat} veto", f"{seat} allow", f"{seat} allow all"]

    def play_ask(self, words: list[str]) -> None:
        seat = self.askers.pop(0)
        if words[1] == "veto":
            self.vetoes[seat].pop(0)  # the older one
            self.end_special()
            return
        if words[1:] == ["allow", "all"]:
            self.allowed_all.append(seat)
        self.ask_or_apply()

    # ---- the special action ----

    def go_on(self) -> None:
        """After a step took effect, ask for the next one, or end if none is left."""
        if self.to_score and not self.doubters():
            for region in list(self.to_score):
                self.score_listed(region)
        if self.dial_choices:
            self.phase = "dial"
        elif self.steps():
            self.phase = "special"
        else:
            self.end_special()

    def end_special(self) -> None:
        self.init_special()
        self.recalls_left = 0
        self.phase = "main"

    def legal_special(self) -> list[str]:
        stop = [f"{self.actor} done"] if self.may_stop() else []
        return self.steps() + stop

    def may_stop(self) -> bool:
        """Whether the card says "up to"."""
        if self.card in ("one-each-home", "court-2"):
            return self.edition != "classic-fr"
        return self.stack == 1

    def play_special(self, words: list[str]) -> None:
        if words[1] == "done":
            self.end_special()
        else:
            self.propose(words)

    def steps(self) -> list[str]:
        """The legal next steps of the special action under way, except dials."""
        cards: dict[str, Callable[[], list[str]]] = {
            "one-each-home": self.steps_remove,
            "king-is-angry": self.steps_return,
            "score-one": self.steps_score_one,
            "score-one-3": self.steps_score_one,
            "tile": self.steps_tile,
            "power-back": self.steps_retake,
            "court-2": self.steps_court,
            "grande": self.steps_grande,
            "expel": self.steps_expel,
            "advisor": self.steps_king,
            "king": self.steps_king,
        }
        if self.stack == 1:
            return self.steps_move() + self.steps_extra()
        if self.card in cards:
            return cards[self.card]()
        return [f"{self.actor} score {region}" for region in self.to_score]

    def steps_move(self) -> list[str]:
        if self.budget["all"] == 0:
            return []
        lines = []
        for colour in self.seats:
            if self.budget["own" if colour == self.actor else "others"] == 0:
                continue
            for source in self.regions_with(colour, 1):
                if self.source in ("", source):
                    targets = [place for place in [*self.free_regions(), "castillo"] if place != source]
                    lines += [f"{self.actor} move {colour} {source} {target}" for target in targets]
        return lines

    def steps_extra(self) -> list[str]:
        if self.extras_left == 0 or self.men[self.actor]["court"] == 0:
            return []
        return [f"{self.actor} extra {place}" for place in [*self.free_regions(), "castillo"]]

    def steps_remove(self) -> list[str]:
        return [
            f"{self.actor} remove {colour} {region}"
            for colour in self.colours_left
            for region in self.regions_with(colour, 1)
        ]

    def steps_return(self) -> list[str]:
        """The steps of the first seat that still owes caballeros and has some to give."""
        for seat, owed in self.returns_owed.items():
            places = self.regions_with(seat, 1)
            if self.men[seat]["court"] > 0:
                places.append("court")
            if owed > 0 and places:
                return [f"{seat} return {place}" for place in places]
        return []

    def steps_score_one(self) -> list[str]:
        if self.step_taken:
            return []
        places = list(VALUES) if self.edition.startswith("classic-") else REGIONS
        return [f"{self.actor} score {place}" for place in places]

    def steps_tile(self) -> list[str]:
        if self.step_taken:
            return []
        places = [place for place in [*self.free_regions(), "castillo"] if place not in self.tiles.values()]
        tiles = [tile for tile, at in self.tiles.items() if at != self.king]
        return [f"{self.actor} tile {tile} {place}" for tile in tiles for place in places]

    def steps_retake(self) -> list[str]:
        if self.step_taken:
            return []
        return [f"{self.actor} retake {card}" for card in range(1, 14) if card not in self.hand[self.actor]]

    def steps_court(self) -> list[str]:
        if self.step_taken:
            return self.recall_lines()
        province = self.men[self.actor]["province"]
        if province == 0 and not (self.court_may_recall() and self.regions_with(self.actor, 1)):
            return []
        most = min(2, province)
        least = most if self.edition == "classic-fr" else 0
        return [f"{self.actor} recruit {number}" for number in range(least, most + 1)]

    def court_may_recall(self) -> bool:
        return not self.edition.startswith("classic-")

    def steps_grande(self) -> list[str]:
        here = self.grande[self.actor]
        if self.step_taken or here == self.king:
            return []
        return [f"{self.actor} grande {region}" for region in self.free_regions() if region != here]

    def steps_expel(self) -> list[str]:
        if self.step_taken:
            return []
        return [f"{self.actor} expel {region}" for region in self.free_regions()]

    def steps_king(self) -> list[str]:
        if self.step_taken:
            return []
        targets = NEIGHBOURS[self.king] if self.card == "advisor" else self.free_regions()
        return [f"{self.actor} king {region}" for region in targets]

    # ---- what a step does ----

    def apply(self, words: list[str]) -> None:
        verbs: dict[str, Callable[[list[str]], None]] = {
            "special": self.apply_special,
            "move": self.apply_move,
            "extra": self.apply_extra,
            "remove": self.apply_remove,
            "return": self.apply_return,
            "score": self.apply_score,
            "tile": self.apply_tile,
            "retake": self.apply_retake,
            "recruit": self.apply_recruit,
            "recall": self.apply_recall,
            "grande": self.apply_grande,
            "expel": self.apply_expel,
            "king": self.apply_king,
            "dials": self.apply_dials,
        }
        verbs[words[1]](words)
        if words[1] != "special":
            self.step_taken = True

    def apply_special(self, words: list[str]) -> None:
        """The announcement has passed: do what needs no step, and prepare for those that follow."""
        others = self.clockwise_after(self.actor)
        if self.stack == 1:
            self.budget = dict(MOVE_BUDGETS.get(self.card, self.budget))
            self.extras_left = 2 if self.card in EXTRA_CARDS else 0
        elif self.card == "veto":
            self.vetoes[self.actor].append(2)
        elif self.card in ("all-courts-home", "three-courts-home"):
            self.send_courts_home(others, 30 if self.card == "all-courts-home" else 3)
        elif self.card == "one-each-home":
            self.colours_left = others
        elif self.card == "king-is-angry":
            self.returns_owed = dict.fromkeys(others, 3)
        elif self.card == "score-castillo":
            self.score_place("castillo")
        elif self.stack == 3:
            self.to_score = self.regions_on_card()
        else:
            self.prepare_dials(others)

    def send_courts_home(self, seats: list[str], most: int) -> None:
        for seat in seats:
            self.shift(seat, "court", "province", min(most, self.men[seat]["court"]))

    def prepare_dials(self, others: list[str]) -> None:
        choices: dict[str, list[str]] = {}
        if self.card == "secret-all-home":
            choices = {seat: self.regions_with(seat, 1) for seat in others}
        elif self.card == "secret-two-home":
            choices = {seat: self.regions_with(seat, 2) or self.regions_with(seat, 1) for seat in others}
        elif self.card == "secret-score":
            choices = {seat: list(REGIONS) for seat in self.seats}
        self.dial_choices = {seat: regions for seat, regions in choices.items() if regions}

    def regions_on_card(self) -> list[str]:
        """The regions a card of stack 3 scores, in track order."""
        totals = {region: sum(self.men[seat][region] for seat in self.seats) for region in REGIONS}
        occupied = [total for total in totals.values() if total > 0]
        firsts = {"score-4s": [4], "score-5s": [5], "score-6s-7s": [6, 7]}
        if self.card in firsts:
            return [region for region in REGIONS if self.values(region)[0] in firsts[self.card]]
        if self.card == "score-most":
            return [region for region in REGIONS if totals[region] == max(totals.values())]
        if self.card == "score-fewest":
            return [region for region in REGIONS if occupied and totals[region] == min(occupied)]
        return list(REGIONS) if self.card == "score-firsts" else []

    def apply_move(self, words: list[str]) -> None:
        colour, source, target = words[2], words[3], words[4]
        self.shift(colour, source, target, 1)
        self.budget["own" if colour == self.actor else "others"] -= 1
        self.budget["all"] -= 1
        # The first move rules out the two extra ones.
        self.extras_left = 0
        if self.card in FROM_ONE_CARDS:
            self.source = source

    def apply_extra(self, words: list[str]) -> None:
        self.shift(self.actor, "court", words[2], 1)
        self.extras_left -= 1
        # The first extra one rules out moving.
        self.budget["all"] = 0

    def apply_remove(self, words: list[str]) -> None:
        self.shift(words[2], words[3], "province", 1)
        self.colours_left = [colour for colour in self.colours_left if colour != words[2]]

    def apply_return(self, words: list[str]) -> None:
        self.shift(words[0], words[2], "province", 1)
        self.returns_owed[words[0]] -= 1

    def apply_score(self, words: list[str]) -> None:
        if self.stack == 3 and self.card != "score-one-3":
            self.score_listed(words[2])
        else:
            self.score_place(words[2])

    def score_listed(self, region: str) -> None:
        self.score_place(region, firsts_only=self.card == "score-firsts")
        self.to_score.remove(region)

    def apply_tile(self, words: list[str]) -> None:
        self.tiles[words[2]] = words[3]

    def apply_retake(self, words: list[str]) -> None:
        self.hand[self.actor].append(int(words[2]))

    def apply_recruit(self, words: list[str]) -> None:
        self.recruit(int(words[2]), 2, may_recall=self.court_may_recall())

    def apply_recall(self, words: list[str]) -> None:
        self.recall(words[2])

    def apply_grande(self, words: list[str]) -> None:
        self.grande[self.actor] = words[2]

    def apply_king(self, words: list[str]) -> None:
        self.king = words[2]

    def apply_expel(self, words: list[str]) -> None:
        self.expelled = words[2]
        # Only in bigbox-de may the vacated region be dialled; it then means the court.
        targets = [region for region in REGIONS if self.edition == "bigbox-de" or region != self.expelled]
        others = self.clockwise_after(self.actor)
        self.dial_choices = {seat: targets for seat in others if self.men[seat][self.expelled] > 0}

    # ---- dials ----

    def legal_dial(self) -> list[str]:
        return [
            f"{seat} dial {region}"
            for seat, regions in self.dial_choices.items()
            if seat not in self.dials
            for region in regions
        ]

    def play_dial(self, words: list[str]) -> None:
        self.dials[words[0]] = words[2]
        if len(self.dials) < len(self.dial_choices):
            return
        self.dial_choices = {}
        if self.card:
            self.propose([self.actor, "dials"])
        else:
            self.general_scoring()

    def apply_dials(self, words: list[str]) -> None:
        for seat, region in self.dials.items():
            if self.card == "secret-all-home":
                self.shift(seat, region, "province", self.men[seat][region])
            elif self.card == "secret-two-home":
                self.shift(seat, region, "province", min(2, self.men[seat][region]))
            elif self.card == "expel":
                target = "court" if region in (self.king, self.expelled) else region
                self.shift(seat, self.expelled, target, self.men[seat][self.expelled])
        if self.card == "secret-score":
            dialled = list(self.dials.values())
            for region in REGIONS:
                if dialled.count(region) == 1:
                    self.score_place(region)

    # ---- scoring ----

    def begin_general_scoring(self) -> None:
        self.init_special()
        self.card = ""  # shows play_dial that these dials belong to no card
        choices = self.free_regions() if "strict-dial" in self.house else REGIONS
        self.dial_choices = {seat: list(choices) for seat in self.seats}
        self.phase = "dial"

    def general_scoring(self) -> None:
        self.score_place("castillo")
        for seat, region in self.dials.items():
            target = "court" if region == self.king else region
            self.shift(seat, "castillo", target, self.men[seat]["castillo"])
        for region in REGIONS:
            self.score_place(region)
        self.init_special()
        if self.rounds_left:
            self.begin_round()
        else:
            self.phase = "over"

    def values(self, place: str) -> list[int]:
        for tile, at in self.tiles.items():
            if at == place:
                return TILE_VALUES[tile]
        return VALUES[place]

    def score_place(self, place: str, firsts_only: bool = False) -> None:
        paid_ranks = 1 if firsts_only else min(len(self.seats) - 1, 3)
        values = self.values(place)[:paid_ranks]
        counts = {seat: self.men[seat][place] for seat in self.seats if self.men[seat][place] > 0}
        rank = 0
        ahead = 0
        for count in sorted(set(counts.values()), reverse=True):
            group = [seat for seat in counts if counts[seat] == count]
            if self.edition == "classic-fr":
                rank = ahead
            if len(group) > 1:
                rank += 1
            for seat in group:
                self.score[seat] += values[rank] if rank < len(values) else 0
            rank += 1
            ahead += len(group)
        self.score_bonuses(place, counts)

    def score_bonuses(self, place: str, counts: dict[str, int]) -> None:
        leaders = [seat for seat in counts if counts[seat] == max(counts.values())]
        if len(leaders) != 1:
            return
        # The castillo has neither bonus: no King and no Grande ever stands there.
        if place == self.king:
            self.score[leaders[0]] += 2
        if place == self.grande[leaders[0]]:
            self.score[leaders[0]] += 2

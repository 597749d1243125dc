"""Tries the lights: each in turn, the order of colours, the time of a frame, and the whole budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from companion.acceptance.bench import (
    ENTER,
    EYES_S,
    NO,
    PASS_OR_REPEAT,
    REPEAT,
    UNANSWERED,
    YES_OR_NO,
    Bench,
    Task,
)
from companion.acceptance.figures import FrameTimes
from companion.acceptance.machine import note_power
from companion.acceptance.part import SEE_DOCTOR, AcceptancePart, PartRecord
from companion.acceptance.power import PowerState
from hardware.board import ORDERS, Board, Place
from hardware.lights import FRAME_S, SentFrame, StripLights
from hardware.patterns import current_ma, frame
from hardware.ports import DARK, Fault, Pattern, Scene, Show

LIGHT_S: Final = 0.3
"""How long each light of a place is lit alone."""
FRAMES: Final = 300
BUDGET_S: Final = 10.0
"""How long all lights are on."""
DARK_LIGHT: Final = "d"
ELSEWHERE: Final = "e"
COLOURS: Final = {"1": "red", "2": "green", "3": "blue"}
COLOUR_ANSWERS: Final = {**COLOURS, "4": "another colour, or none", **PASS_OR_REPEAT}
WIRES: Final = "Look at the solder joints before the first light that is wrong, and at `lights` in your board file."


class LightsPart(AcceptancePart):
    """Lights everything up, and asks what can be seen."""

    name = "lights"
    title = "The lights"
    ahead = "Sit where you can see the whole board. The lights get bright."

    def walk(self, bench: Bench, record: PartRecord) -> None:
        full = replace(bench.board, strip=replace(bench.board.strip, brightness=1.0))
        with bench.devices.lights(one_place_per_light(full)) as lights:
            if not _look_at_each(bench, lights, record):
                return
            _find_order(bench, lights, record)
        with bench.devices.lights(full) as lights:
            _time_frames(bench, lights, record)
            _spend_budget(bench, lights, full, record)


def one_place_per_light(board: Board) -> Board:
    """Returns the same strip as a board on which every light is a place of its own, called by its number.

    >>> from hardware.board import example_board
    >>> list(one_place_per_light(example_board()).places)[-2:]
    ['8', '9']
    """
    numbers = range(board.strip.count)
    places = {str(light): Place(str(light), str(light), 0, (light,), None, None) for light in numbers}
    return replace(board, places=places, controls={}, hubs={})


def _scene(lights: Iterable[int], colour: str = "white") -> Scene:
    return Scene({str(light): Show(Pattern.STEADY, colour) for light in lights})


# --- what can be seen ------------------------------------------------------------------------------------------------


def _look_at_each(bench: Bench, device: StripLights, record: PartRecord) -> bool:
    """Lights each light of each place, and asks about it. Returns whether the strip is still there at the end."""
    dark: list[str] = []
    elsewhere: list[str] = []
    unseen: list[str] = []
    with bench.listening(device) as heard:
        for name, place in bench.board.places.items():
            lights = _lights_of(place)
            answer = REPEAT
            while answer == REPEAT:
                for light in lights:
                    device.show(_scene([light]))
                    bench.pause(LIGHT_S)
                device.show(_scene(lights))
                bench.pause(LIGHT_S)
                king = ", and then the King's light" if place.marker is not None else ""
                text = f"{place.label}: {len(place.lights)} lights came on one by one{king}. Did all shine there?"
                answer = bench.ask(Task("look", name, text, YES_OR_NO, EYES_S))
            if answer == NO:
                found = {light: _look_at_one(bench, device, place, light) for light in lights}
                dark += [str(light) for light, said in found.items() if said == DARK_LIGHT]
                elsewhere += [str(light) for light, said in found.items() if said == ELSEWHERE]
            elif answer in UNANSWERED:
                unseen.append(name)
            if heard.trouble(Fault.LOST_STRIP, "lights"):
                break
        device.show(DARK)
        bench.pause(LIGHT_S)
        trouble = heard.trouble(Fault.LOST_STRIP, "lights")
    record.figures["seen"] = {"dark": dark, "elsewhere": elsewhere, "not_asked": unseen}
    if trouble:
        record.problem(trouble.text, SEE_DOCTOR)
        return False
    if dark:
        record.problem(f"Lights that stay dark: {', '.join(dark)}.", WIRES)
    if elsewhere:
        record.problem(f"Lights that are in another place: {', '.join(elsewhere)}.", WIRES)
    if unseen:
        record.skipped(f"Nobody said how these look: {', '.join(unseen)}.")
    if not dark and not elsewhere and not unseen:
        record.ok(f"All {sum(len(_lights_of(place)) for place in bench.board.places.values())} lights are in place.")
    return True


def _lights_of(place: Place) -> tuple[int, ...]:
    return place.lights if place.marker is None else (*place.lights, place.marker)


def _look_at_one(bench: Bench, device: StripLights, place: Place, light: int) -> str:
    device.show(_scene([light]))
    bench.pause(LIGHT_S)
    answers = {ENTER: "yes", DARK_LIGHT: "it stays dark", ELSEWHERE: "it shines elsewhere"}
    return bench.ask(Task("look", str(light), f"Does light {light} shine in {place.label}?", answers, EYES_S))


def _find_order(bench: Bench, device: StripLights, record: PartRecord) -> None:
    """Finds out in which order the lights take their colours, by asking for three of them."""
    first = next(iter(bench.board.places.values()))
    seen: dict[str, str] = {}
    for colour in COLOURS.values():
        device.show(_scene(first.lights, colour))
        bench.pause(LIGHT_S)
        text = f"Which colour do you see in {first.label}?"
        answer = REPEAT
        while answer == REPEAT:
            answer = bench.ask(Task("colour", colour, text, COLOUR_ANSWERS, EYES_S))
        if answer in UNANSWERED:
            break
        seen[colour] = COLOURS.get(answer, "")
    device.show(DARK)
    written = bench.board.strip.order
    if len(seen) < len(COLOURS):
        record.figures["order"] = {"board_file": written, "found": None}
        record.skipped("The order of colours was not found out.")
        return
    found = true_order(written, seen)
    record.figures["order"] = {"board_file": written, "found": found or "unclear"}
    if found == written:
        record.ok(f"The order of colours is {written}, as in the board file.")
    elif found:
        record.problem(
            f"The order of colours is {found}, but the board file says {written}.",
            f'Write order = "{found}" under [strip] in your board file.',
        )
    else:
        shown = ", ".join(f"{colour} looked {looked or 'different'}" for colour, looked in seen.items())
        record.problem(
            f"The colours fit no order of red, green and blue: {shown}.",
            "The lights may be of another kind (RGBW), or the data wire needs its level shifter and resistor.",
        )


def true_order(written: str, seen: Mapping[str, str]) -> str:
    """Returns the order of colours that the lights have. Returns an empty string when there is no such order.

    >>> true_order("GRB", {"red": "green", "green": "red", "blue": "blue"})
    'RGB'
    >>> true_order("GRB", {"red": "red", "green": "red", "blue": "blue"})
    ''

    :param written: the order in the board file.
    :param seen: what each colour looked like.
    """
    looked = {colour[0].upper(): look[:1].upper() for colour, look in seen.items()}
    found = "".join(looked.get(letter, letter) for letter in written)
    return found if found in ORDERS else ""


# --- what can be measured --------------------------------------------------------------------------------------------


def _time_frames(bench: Bench, device: StripLights, record: PartRecord) -> None:
    """Measures some hundred frames of a wave through all places."""
    bench.person.say(f"A wave runs through the board while {FRAMES} frames are timed: {FRAMES * FRAME_S:.0f} s.")
    frames: list[SentFrame] = []
    device.watch_frames(frames.append)
    device.show(Scene(wave=True))
    bench.await_(lambda: len(frames) >= FRAMES, FRAMES * FRAME_S * 3)
    device.watch_frames(None)
    device.show(DARK)
    if not frames:
        record.problem("Not a single frame went out.", SEE_DOCTOR)
        return
    times = FrameTimes.of(frames[:FRAMES])
    record.figures["frames"] = times.figures()
    driver = times.driver
    found = (
        f"A frame takes {driver.median_ms:.1f} ms, 99 of 100 at most {driver.p99_ms:.1f} ms; {times.late} of "
        f"{driver.count} came late."
    )
    if driver.p99_ms > FRAME_S * 1000:
        record.problem(f"The strip is slow. {found}", f"Every frame must be out within {FRAME_S * 1000:.0f} ms.")
    elif times.late * 100 > driver.count:
        record.warning(found, "Close other programs. If it stays like this, animations will stutter.")
    else:
        record.ok(found)


def _spend_budget(bench: Bench, device: StripLights, board: Board, record: PartRecord) -> None:
    """Lights everything within the budget for a while, and looks what that does to the supply."""
    everything = Scene(dict.fromkeys(board.places, Show(Pattern.STEADY)))
    drawn_ma = current_ma(frame(everything, board, 0.0))
    before = PowerState.of(bench.machine)
    device.show(everything)
    bench.person.say(f"All places are white for {BUDGET_S:.0f} s, at about {drawn_ma:.0f} mA.")
    bench.pause(BUDGET_S)
    after = PowerState.of(bench.machine)
    text = "Do they all shine alike: no flicker, and no red tint at the end of the strip?"
    answer = REPEAT
    while answer == REPEAT:
        answer = bench.ask(Task("look", "budget", text, YES_OR_NO, EYES_S))
    device.show(DARK)
    even = None if answer in UNANSWERED else answer == ENTER
    record.figures["budget"] = {"about_ma": round(drawn_ma), "even": even, "after": {**after.figures()}}
    note_power(after, record, before)
    if even:
        record.ok("The lights shine alike at the full budget.")
    elif even is None:
        record.skipped("Nobody said how the lights look at the full budget.")
    else:
        record.problem(
            "The lights do not shine alike at the full budget.",
            "Measure the voltage at the far end: below 4.5 V, feed 5 V and ground into both ends of the strip.",
        )

"""The pages' own texts, by the names that scripts and templates use; in English, to be translated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine import phrase
from companion.engine.regions import PLACES
from companion.translations import LANGUAGES, Translator
from web_remote.page_types import PageWords

TEXTS: Final = {
    # Everywhere.
    "title": phrase("The El Grande table"),
    "reconnecting": phrase("Connecting again …"),
    "too-many": phrase("Too many pages are open at this table. Close some, and load this one again."),
    "gone": phrase("This seat is free again: another phone may have taken it."),
    "language": phrase("Language"),
    "round": phrase("Round {number} of {rounds}"),
    "set-up": phrase("Set-up"),
    "score": phrase("Points"),
    "court": phrase("Court"),
    "province": phrase("Province"),
    "hand": phrase("Cards in hand"),
    "king": phrase("King"),
    "grande-of": phrase("Grande: {names}"),
    "tile": phrase("Tile {number}"),
    "hidden": phrase("closed"),
    "empty": phrase("empty"),
    "you-may": phrase("can be chosen"),
    "chosen": phrase("chosen"),
    "map": phrase("The map"),
    "person": phrase("Player"),
    "veto": phrase("Veto"),
    # Joining.
    "join": phrase("Sit down"),
    "choose-colour": phrase("Choose your colour"),
    "your-name": phrase("Your name"),
    "code": phrase("Code on the table screen"),
    "join-go": phrase("Sit down here"),
    "no-code": phrase("No screen? Light a button on the board"),
    "press-lit": phrase("Have somebody press the button that is lit in your colour."),
    "taken": phrase("taken"),
    "wrong-code": phrase("That is not the code. It stands on the table screen."),
    "too-many-tries": phrase("Too many tries. Wait a minute."),
    "seat-taken": phrase("That seat is taken. To take it over, hold down a dark button of the board."),
    "bot-plays": phrase("A bot plays {name} now, so no phone can have that seat. You may take another, or watch."),
    "no-free-seat": phrase("All seats are taken."),
    "watch": phrase("Only watch"),
    "failed": phrase("That did not work. Try again."),
    # The phone.
    "your-turn": phrase("Your turn"),
    "waiting-for": phrase("Waiting for {names}"),
    "end": phrase("End the turn"),
    "stop-there": phrase("Leave it at that"),
    "say-no": phrase("No: stop it"),
    "allow": phrase("Allow this step"),
    "allow-all": phrase("Allow all of it"),
    "undo": phrase("Undo"),
    "undo-turn": phrase("Undo the turn"),
    "done": phrase("Done"),
    "power-taken": phrase("played by {name}"),
    "brings": phrase("brings {number}"),
    "place-up-to": phrase("places {number}"),
    "tap-map": phrase("Tap the map, or press on the board."),
    "dial-turn": phrase("Turn the dial to a region"),
    "dial-set": phrase("Set it"),
    "dial-sure": phrase("Tap once more to set it"),
    "dial-is-set": phrase("Your dial is set."),
    "dial-peek": phrase("Hold to look"),
    "seconds-left": phrase("{number} s"),
    "log": phrase("What happened"),
    "players": phrase("Players"),
    "help": phrase("Help"),
    "help-text": phrase(
        "Your phone is your hand of cards and your secret dial. When it is your turn it says what is asked. Places can "
        "be tapped on the map here or pressed on the board. Undo takes your last step back."
    ),
    "in-short": phrase("The game in short"),
    "short-aim": phrase(
        "Have the most caballeros in a region when it is scored: the first, second and third are paid what stands "
        "there. Who share a place are paid as the next lower one."
    ),
    "short-power": phrase(
        "In a round each plays a power card, every number once. The highest begins; the lower a card, the more "
        "caballeros it brings to the court."
    ),
    "short-turn": phrase(
        "In a turn: bring caballeros from the province to the court, take an open action card, then place as many as "
        "its number says and use its special action, in either order."
    ),
    "short-place": phrase(
        "Caballeros are placed in regions that touch the King's, or in the castillo. Nothing enters or leaves the "
        "King's own region."
    ),
    "short-scoring": phrase(
        "Three times in a game everything is scored. All set a dial first; the castillo is scored, what is in it goes "
        "where the dials say, then the regions are."
    ),
    "short-more": phrase(
        "Alone in front in the King's region, or in the region of your own Grande: 2 points more, each time."
    ),
    "open-cards": phrase("Open cards"),
    "pass-phone": phrase("Hand the phone to {name}"),
    "i-am": phrase("I am {name}"),
    "sound": phrase("Tell me when it is my turn"),
    "leave": phrase("Leave the seat"),
    "leave-sure": phrase("Tap once more to leave"),
    "special": phrase("Special action"),
    # The table screen.
    "order": phrase("Order of play"),
    "to-do": phrase("On the board"),
    "scan": phrase("Scan to sit down"),
    "or-type": phrase("or open {address} and type {code}"),
    "result": phrase("The result"),
    "another-game": phrase("Play another game"),
    "wins": phrase("{names} wins"),
    "share": phrase("{names} share the win"),
    "chart": phrase("Points over the game"),
    "sources": phrase("Where the points came from"),
    "source-general": phrase("General scorings"),
    "source-castillo": phrase("Castillo"),
    "source-cards": phrase("Scoring cards"),
    "source-king": phrase("King's region"),
    "source-grande": phrase("Home of the Grande"),
    "unlock": phrase("Table code"),
    "unlock-go": phrase("Unlock"),
    "free-seat": phrase("Free the seat"),
    "played-by": phrase("Played by"),
    "easy": phrase("Easy bot"),
    "normal": phrase("Bot"),
    "hard": phrase("Hard bot"),
    "random": phrase("Random bot"),
    "enter-card": phrase("Enter the card that was turned up"),
    "asked-now": phrase("What is asked"),
    "notices": phrase("Notices"),
    "knocks": phrase("{name} wants to sit down: press the button that is lit."),
    "scoring": phrase("Scoring"),
    "scoring-now": phrase("Scoring: {name}"),
    "place": phrase("Place"),
    "power-card": phrase("Power card"),
    "has-card": phrase("{name} plays this card"),
    "dialled": phrase("Dial set"),
    "code-of": phrase("QR code: scan it to sit down as {name}"),
    "manage": phrase("Seats and players"),
    "change": phrase("Change"),
    "wrong-table-code": phrase(
        "That is not the table code. It stands in the terminal where the table was started, or in the log of its "
        "service: journalctl -u el-grande-table"
    ),
    "workshop": phrase("Workshop"),
    # The virtual board.
    "virtual-board": phrase("The board"),
    "confirm": phrase("Confirm"),
    "drag": phrase("Drag a piece to a place, or press the place."),
    "button-of": phrase("Button of {name}"),
    "pieces": phrase("Pieces"),
    "caballero-of": phrase("Caballero: {name}"),
    "can-move": phrase("can be moved now"),
    "carrying": phrase("Click the place it goes to, or use the arrow keys and Enter. Escape puts it back."),
    "hold-at": phrase("Hold the piece to {name}"),
    "undo-hold": phrase("Hold it down to undo the whole turn."),
}


def page_words(words: Translator, more: Mapping[str, str] | None = None) -> PageWords:
    """Returns everything a page needs to show its texts in a language.

    :param more: texts that only this page needs.
    """
    return {
        "language": words.language,
        "languages": dict(sorted(LANGUAGES.items())),
        "texts": {name: words.text(text) for name, text in {**TEXTS, **(more or {})}.items()},
        "places": {place: (name := words.place(place))[:1].upper() + name[1:] for place in PLACES},
    }

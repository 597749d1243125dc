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
    "reconnecting": phrase("Reconnecting …"),
    "too-many": phrase("Too many pages are open at this table. Close some, and load this one again."),
    "replaced": phrase("The table is open on too many pages of this browser. Tap this one to go on here."),
    "too-fast": phrase("That was too fast for the table. Wait a moment, and try again."),
    "no-answer": phrase("The table isn't responding. Try again."),
    "old-browser": phrase(
        "This browser is too old for these pages. Use Safari 15.4, Firefox 115, Chrome 108, or a newer version."
    ),
    "gone": phrase("This seat is free again: another phone may have taken it."),
    "gone-here": phrase("This seat is now played on another screen."),
    "language": phrase("Language"),
    "round": phrase("Round {number} of {rounds}"),
    "set-up": phrase("Set-up"),
    "round-number": phrase("Round {number}"),
    "scoring-now-round": phrase("scoring after this round"),
    "scoring-after": phrase("scoring after round {number}"),
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
    "rules": phrase("The rules"),
    "fair-play": phrase("How the cards are dealt"),
    "fair-commitment": phrase("Fixed before the first deal, the hash of the seed:"),
    "fair-number": phrase("Added by {name}'s phone:"),
    "fair-seed": phrase("The seed:"),
    "fair-verify": phrase("To check every deal: {command}"),
    "fair-not-secret": phrase("This game is not secret: its cards follow from a plain number."),
    # Joining.
    "join": phrase("Sit down"),
    "choose-colour": phrase("Choose your colour"),
    "your-name": phrase("Your name"),
    "code": phrase("Code on the table screen"),
    "join-go": phrase("Sit down here"),
    "play-here": phrase("Play here"),
    "no-code": phrase("No screen? Light a button on the board"),
    "press-lit": phrase("Have somebody press the button that is lit in your colour."),
    "taken": phrase("taken"),
    "wrong-code": phrase("Wrong code. Look on the table screen."),
    "too-many-tries": phrase("Too many tries. Try again in {seconds} s."),
    "seat-taken": phrase("That seat is taken. To take it over, hold down a dark button on the board."),
    "bot-plays": phrase("A bot plays {name} now, so no phone can have that seat. You may take another, or watch."),
    "no-free-seat": phrase("All seats are taken."),
    "watch": phrase("Just watch"),
    "screen-on": phrase("Keep this phone's screen on"),
    "screen-on-warning": phrase(
        "The browser will say that the connection is not private, because it does not know this table's certificate; "
        "that is fine here, so open the details and go on."
    ),
    "to-the-game": phrase("Go to the table"),
    "failed": phrase("That did not work. Try again."),
    # The phone.
    "your-turn": phrase("Your turn"),
    "you": phrase("You"),
    "waiting-for": phrase("Waiting for {names}"),
    "story": phrase("What the others did"),
    "card-in-play": phrase("The card in play"),
    "you-have-card": phrase("You play this card"),
    "close": phrase("Close"),
    "payout-now": phrase("Points if it were scored now:"),
    "payout-nobody": phrase("Nobody is here, so nobody would be paid."),
    "payout-secret": phrase("What is in the castillo is secret until it is scored."),
    "payout-seat": phrase("{name} gets {points} (caballeros here: {count})."),
    "payout-king": phrase("{points} of that because the King is here."),
    "payout-grande": phrase("{points} of that because the Grande is here."),
    "hint": phrase("What would you do?"),
    "lesson": phrase("A lesson"),
    "got-it": phrase("Got it"),
    "no-more-lessons": phrase("No more lessons"),
    "lessons": phrase("Explain the game while we play"),
    "pace": phrase("Pace of the bots"),
    "pace-slow": phrase("Slow"),
    "pace-normal": phrase("Normal"),
    "pace-fast": phrase("Fast"),
    "pace-step": phrase("Step by step"),
    "pace-instant": phrase("Instant"),
    "undo": phrase("Undo"),
    "done": phrase("Done"),
    "power-taken": phrase("played by {name}"),
    "brings": phrase("brings {number}"),
    "place-up-to": phrase("places {number}"),
    "tap-map": phrase("Tap the map, or press on the board."),
    "dial-turn": phrase("Turn the dial to a region"),
    "dial-set": phrase("Set the dial"),
    "dial-sure": phrase("Tap again to set {name}"),
    "dial-not-set": phrase("Not set yet"),
    "dial-is-set": phrase("Your dial is set."),
    "dial-peek": phrase("Hold to look"),
    "seconds-left": phrase("{number} s"),
    "log": phrase("Game log"),
    "players": phrase("Players"),
    "help": phrase("Help"),
    "help-text": phrase(
        "Your phone is your hand of cards and your secret dial. When it is your turn, it shows what to do. Tap a "
        "place on the map here, or press it on the board. Undo takes your last step back."
    ),
    "in-short": phrase("The game in short"),
    "short-aim": phrase(
        "Have the most caballeros in a region when it is scored: the first, second and third get the points shown "
        "there. Ties score the next lower place."
    ),
    "short-power": phrase(
        "In each round everybody plays a power card, every number once. The highest goes first; the lower the card, "
        "the more caballeros it brings to the court."
    ),
    "short-turn": phrase(
        "On your turn: bring caballeros from the province to the court, take an open action card, then place as many "
        "as its number says and use its special action, in either order."
    ),
    "short-place": phrase(
        "Caballeros are placed in regions that touch the King's, or in the castillo. Nothing enters or leaves the "
        "King's own region."
    ),
    "short-scoring": phrase(
        "Three times in a game everything is scored. First everybody sets a dial; then the castillo is scored, its "
        "caballeros go where the dials say, and the regions are scored."
    ),
    "short-more": phrase(
        "Sole leader in the King's region, or in the region of your own Grande: 2 points more, each time."
    ),
    "open-cards": phrase("Open cards"),
    "pass-phone": phrase("Hand the phone to {name}"),
    "i-am": phrase("I am {name}"),
    "sound": phrase("Sounds"),
    "speech": phrase("Read aloud"),
    "speech-on": phrase("From now on the game is read aloud."),
    "from": phrase("From {name}: now choose where to."),
    "choose-one": phrase("Choose one: {choices}"),
    "region": phrase("Region"),
    "places-in-words": phrase("The map in words"),
    "pays-now": phrase("would pay {names}"),
    "screen-timeout": phrase("To keep the screen on longer, change the screen timeout in this phone's settings."),
    "screen-timeout-ios": phrase("To keep the screen on longer: Settings > Display & Brightness > Auto-Lock."),
    "screen-timeout-android": phrase("To keep the screen on longer: Settings > Display > Screen timeout."),
    "leave": phrase("Leave the seat"),
    "leave-sure": phrase("Tap again to leave"),
    # The table screen.
    "order": phrase("Order of play"),
    "to-do": phrase("On the board"),
    "scan": phrase("Scan to sit down"),
    "wifi": phrase("Wi-Fi"),
    "wifi-code": phrase("Code for the table's Wi-Fi"),
    "wifi-first": phrase("First join the Wi-Fi {name} (password {password}), then scan your seat."),
    "stay-connected": phrase("If your phone warns that this Wi-Fi has no internet, stay connected."),
    "or-type": phrase("or open {address} and type {code}"),
    "result": phrase("The result"),
    "another-game": phrase("Play again"),
    "other-settings": phrase("Play with other settings"),
    "others-can": phrase("Other settings: whoever manages the table can choose them."),
    "last-result": phrase("The last result"),
    "new-game": phrase("New game"),
    "wins": phrase("{names} wins"),
    "share": phrase("{names} share the win"),
    "chart": phrase("Points over the game"),
    "sources": phrase("Where the points came from"),
    "source-general": phrase("General scorings"),
    "source-castillo": phrase("Castillo"),
    "source-cards": phrase("Scoring cards"),
    "source-king": phrase("King's region"),
    "source-grande": phrase("Grande's region"),
    "unlock": phrase("Table code"),
    "unlock-go": phrase("Unlock"),
    "free-seat": phrase("Free the seat"),
    "played-by": phrase("Played by"),
    "easy": phrase("Easy bot"),
    "normal": phrase("Bot"),
    "hard": phrase("Hard bot"),
    "random": phrase("Random bot"),
    "enter-card": phrase("Enter the card that was turned up"),
    "asked-now": phrase("What to do now"),
    "notices": phrase("Notices"),
    "knocks": phrase("{name} wants to sit down: press the button that is lit."),
    "scoring": phrase("Scoring"),
    "scoring-now": phrase("Scoring: {name}"),
    "general-scoring": phrase("General scoring"),
    "dials-turned": phrase("The dials are turned over. The castillo is scored first, then each region."),
    "ties": phrase("The small number is how many caballeros are there. Ties score the next lower place."),
    "place": phrase("Place"),
    "power-card": phrase("Power card"),
    "has-card": phrase("{name} plays this card"),
    "dialled": phrase("Dial set"),
    "code-of": phrase("QR code: scan it to sit down as {name}"),
    "manage": phrase("Seats and players"),
    "change": phrase("Change"),
    "wrong-table-code": phrase(
        "That is not the table code. It is printed in the terminal where the table was started, or in the log of its "
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
    "lies-in": phrase("on the board: {name}"),
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

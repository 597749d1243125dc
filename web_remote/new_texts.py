"""The texts that only the set-up page needs, so that other pages do not load them."""

from __future__ import annotations

from typing import Final

from companion.engine import phrase

NEW_TEXTS: Final = {
    "new-title": phrase("A new game"),
    "start": phrase("Start the game"),
    "teach-me": phrase("Teach me: a guided first game"),
    "hints-allowed": phrase("Players may ask a bot what it would do"),
    "starting": phrase("Starting …"),
    "who-plays": phrase("Who is playing?"),
    "who-plays-how": phrase("In the order you sit. Names are optional."),
    "seat-colour": phrase("Colour"),
    "a-person": phrase("Person"),
    "seat-name": phrase("Name"),
    "add-seat": phrase("Add a player"),
    "remove-seat": phrase("Remove {name}"),
    "length": phrase("Length"),
    "length-9": phrase("9 rounds, about 2 hours"),
    "length-6": phrase("6 rounds, about 80 minutes"),
    "more-settings": phrase("More settings"),
    "edition": phrase("Edition"),
    "edition-how": phrase("Choose the one you own; some cards and ties differ a little."),
    "house-rules": phrase("House rules"),
    "cards": phrase("Action cards"),
    "cards-dealt": phrase("The table deals them"),
    "cards-real": phrase("We deal real cards and enter what is turned up"),
    "board-lights": phrase("Board lights"),
    "lights-of-leaders": phrase("Light each region dimly in the colour that leads there"),
    "veto-clock": phrase("Time to veto"),
    "veto-off": phrase("No limit"),
    "veto-seconds": phrase("{number} seconds"),
    "aside-sure": phrase("A game is under way. If you start another, it is set aside: saved, but not finished."),
    "aside-go": phrase("Set it aside and start"),
    "back-to-game": phrase("Back to the game"),
    "only-table": phrase("Only whoever manages the table can choose other settings"),
    "wait-for-game": phrase("Waiting for somebody to set up the game"),
    "who-can-set-up": phrase(
        "Whoever opens the address printed where the table was started can do it. So can you, with the table code "
        "printed there too."
    ),
    "or-press": phrase("No screen? Light a button on the board"),
    "press-white": phrase("Have somebody press the button that is lit white."),
}

EDITION_WORDS: Final = {
    "bigbox-de": phrase("German, Big Box"),
    "bigbox-nl": phrase("Dutch, Big Box"),
    "anniversary-es": phrase("Spanish, 20th anniversary"),
    "classic-nl": phrase("Dutch, first edition"),
    "classic-fr": phrase("French, first edition"),
}
"""What each edition is called."""

HOUSE_WORDS: Final = {
    "strict-dial": phrase("In a general scoring, nobody may dial the King's region."),
    "open-castillo": phrase("Everybody sees how many caballeros are in the castillo."),
}
"""What each house rule changes."""

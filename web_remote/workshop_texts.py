"""The texts that only the workshop page needs, so that other pages do not load them."""

from __future__ import annotations

from typing import Final

from companion.engine import phrase

WORKSHOP_TEXTS: Final = {
    "only-with-code": phrase("The workshop opens with the table code."),
    "to-the-table": phrase("Go to the table screen"),
    # Looking over.
    "checks": phrase("Checks"),
    "look-again": phrase("Check again"),
    "looking": phrase("Checking …"),
    "verdict-ok": phrase("OK"),
    "verdict-warning": phrase("warning"),
    "verdict-problem": phrase("problem"),
    "verdict-skipped": phrase("skipped"),
    "sum-well": phrase("Ready to play."),
    "sum-problems": phrase("Problems: {number}. Start with the first: it may have caused the others."),
    "sum-warnings": phrase("No problems. Warnings: {number}; a game can be played all the same."),
    "well": phrase("OK: {number}"),
    "left-out": phrase("Skipped here: {number}"),
    "what-to-do": phrase("What to do:"),
    "troubles": phrase("Current faults"),
    # Trying.
    "try-parts": phrase("Try the parts"),
    "take-board": phrase("Try the board: the game waits"),
    "give-back": phrase("Done: continue the game"),
    "try-how": phrase("While you try it, nothing you press or hold to a reader counts in the game."),
    "lights": phrase("Lights"),
    "next-light": phrase("Next"),
    "last-light": phrase("Back"),
    "light-step": phrase("{number} of {all}: {words}. About {ma} mA."),
    "light-it": phrase("Light it"),
    "buttons-and-readers": phrase("Buttons and readers"),
    "press-each": phrase("Press each button once, and hold a tag to each reader: what works gets a tick."),
    "buttons-tried": phrase("{number} of {all} buttons tried"),
    "readers-tried": phrase("{number} of {all} readers tried"),
    "part-light": phrase("Light"),
    "part-button": phrase("Button"),
    "part-reader": phrase("Reader"),
    "not-yet": phrase("not yet"),
    "pressed-times": phrase("pressed {number}"),
    "long-times": phrase("long {number}"),
    "is-down": phrase("is down"),
    "seen-times": phrase("seen {number}"),
    "unknown-tag": phrase("not enrolled"),
    "hub-lost": phrase("its hub does not answer"),
    "reader-dead": phrase("does not answer"),
    "no-reader": phrase("none"),
    "press-it": phrase("Press"),
    "hold-tag": phrase("Hold a tag"),
    # Enrolling.
    "enrolment": phrase("Enrol the pieces"),
    "enrol-how": phrase("Choose a kind of piece, then tap each at any reader. Every tag is saved as you tap it."),
    "practice": phrase("The board is simulated: what you enrol here is for practice, and is forgotten at the end."),
    "no-readers": phrase("This board has no readers: it is played with its buttons, and needs no tags."),
    "enrolled": phrase("Enrolled"),
    "wanted": phrase("Needed"),
    "in-all": phrase("In all: {number} of {all}"),
    "enrol-these": phrase("Enrol"),
    "afresh": phrase("Enrol again: forget tags that are not tapped this time"),
    "batch": phrase("Tap now: {pieces}"),
    "batch-count": phrase("{number} of {all}"),
    "untapped": phrase("Not tapped yet: {number}. They are forgotten at the end of the batch."),
    "finish-batch": phrase("End this batch"),
    "tap-new": phrase("Tap a new piece"),
    "forget-tag": phrase("Forget a tag"),
    "tag-number": phrase("Tag number"),
    "forget-go": phrase("Forget it"),
    "no-tag": phrase("A tag number has 8 or 14 characters, 0-9 and A-F."),
    # The network.
    "wifi-silent": phrase("The network service does not answer."),
    "wifi-hidden": phrase("Another network, which hides its name"),
    "wifi-hidden-open": phrase("Leave the password empty if the network has none."),
    "wifi-name": phrase("Name of the network"),
    "wifi-password": phrase("Password of the network"),
    "wifi-open-warning": phrase(
        "This network has no password: anybody nearby can join it, see the game and read what phones send."
    ),
    "wifi-before": phrase(
        "While the table tries, its Wi-Fi {name} closes and this page loses the connection. It then says what to do."
    ),
    "wifi-join": phrase("Join"),
    "wifi-leaving": phrase(
        "The table joins {network}. Connect this phone to {network} too, open {address}, and type the table code again."
    ),
    "wifi-if-not": phrase(
        "If that fails, the Wi-Fi {name} (password {password}) is back within a minute. Join it again, and this page "
        "says why."
    ),
    "wifi-back-soon": phrase("The Wi-Fi {name} closes for about 20 seconds. Join it again if your phone does not."),
    "wifi-look": phrase("Look for networks"),
    "wifi-again": phrase("Look again"),
    "wifi-scan-how": phrase("To look again, the table's own Wi-Fi closes for about 20 seconds."),
    "wifi-chosen": phrase("Chosen here: {names}."),
    "wifi-forget": phrase("Forget, and open the table's own Wi-Fi"),
    # Finding faults.
    "serial-log": phrase("Serial log"),
    "serial-how": phrase("What the hubs and the table say to each other, the newest at the bottom."),
    "with-routine": phrase("Show the regular lines too"),
    "no-hubs": phrase("This board has no hubs."),
    "nothing-said": phrase("Nothing yet."),
    "bundle": phrase("Support bundle"),
    "bundle-how": phrase(
        "One file for somebody who helps you: the checks, the machine, the board file, the serial log, the last "
        "warnings and the game as everybody sees it. It contains no dials, hands, codes or names."
    ),
    "download": phrase("Download it"),
}

"""The card of the lab: what Raspberry Pi Imager leaves on it, and our files."""

from __future__ import annotations

import shutil
from pathlib import Path

from companion.installation.card import PiCard
from tests.lab import disk
from tests.lab.lab import Lab
from tests.lab.releases import FIRST
from tests.lab.tools import check
from tests.support.cards import USER_DATA, make_card


def make_lab_card(lab: Lab) -> Path:
    """Returns the image of a card that `companion card` has put the first release on."""
    card = lab.work / "card"
    shutil.rmtree(card, ignore_errors=True)
    make_card(card, USER_DATA["with commands"].replace(b"hostname: granada", b"hostname: raspberrypi"))
    before = {file.name: file.read_bytes() for file in card.iterdir()}
    PiCard(card).put(lab.releases.first(), FIRST)
    for name, content in before.items():
        check((card / name).read_bytes() == content, f"companion card has changed {name}.")
    image = lab.work / "card.img"
    disk.pack_card(card, image)
    return image

"""The reader chips that a hub can drive, by the names that board files use: one file per chip, and its line here.

A driver is a class that is made with a bus and a select line, does nothing to the chip until it is asked to, and has
the methods `scan` and `test` that `hub.py` describes.
"""

from firmware.rc522 import RC522

CHIPS = {
    "rc522": RC522,
}

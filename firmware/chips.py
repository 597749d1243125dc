"""The reader chips that a hub can drive, by the names that board files use: one file per chip, and its line here.

A driver is a class that takes a bus and a select line, leaves the chip alone until it is used, and has the methods
`scan` and `test` that `hub.py` describes.
"""

from firmware.rc522 import RC522

CHIPS = {
    "rc522": RC522,
}

"""How a hub is wired: the Pico's pins, by GP number. `companion board wiring` draws them from here."""

RESET = 22
"""The reset line of all readers."""

BUSES = (
    # SPI, clock, data to the readers, data from the readers
    (0, 18, 19, 16),
    (1, 10, 11, 12),
)

READERS = (
    # bus, select: at most two readers per bus, because more are unreliable
    (0, 17),
    (0, 20),
    (1, 13),
    (1, 14),
)

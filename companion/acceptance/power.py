"""The Pi's temperature, and what its firmware says about its power supply."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.doctor.machine import Machine

TEMPERATURE_FILE: Final = "/sys/class/thermal/thermal_zone0/temp"
THROTTLED_FILE: Final = "/sys/devices/platform/soc/soc:firmware/get_throttled"

UNDER_VOLTAGE: Final = "under-voltage"
FLAGS: Final = (
    (0, UNDER_VOLTAGE),
    (1, "frequency capped"),
    (2, "throttled"),
    (3, "soft temperature limit"),
)
"""What each bit of the firmware's answer means now. The bit 16 higher means that it has been so since the start."""
SINCE_START: Final = 16


class Throttling(NamedTuple):
    """What slows the processor down, now and at any time since the Pi was started."""

    now: tuple[str, ...] = ()
    since_start: tuple[str, ...] = ()

    @classmethod
    def of(cls, bits: int) -> Throttling:
        """Decodes the number that `vcgencmd get_throttled` prints.

        >>> Throttling.of(0x50005)
        Throttling(now=('under-voltage', 'throttled'), since_start=('under-voltage', 'throttled'))
        >>> Throttling.of(0x20000)
        Throttling(now=(), since_start=('frequency capped',))
        """
        return cls(
            tuple(words for bit, words in FLAGS if bits >> bit & 1),
            tuple(words for bit, words in FLAGS if bits >> bit + SINCE_START & 1),
        )


class PowerState(NamedTuple):
    """The state of a machine at one moment; what the machine does not report is `None`."""

    temperature_c: float | None
    throttling: Throttling | None

    @classmethod
    def of(cls, machine: Machine) -> PowerState:
        """Reads temperature and throttling."""
        return cls(_temperature_c(machine), _throttling(machine))

    def figures(self) -> dict[str, float | list[str] | None]:
        """Returns the state for a report."""
        throttling = self.throttling
        return {
            "temperature_c": self.temperature_c,
            "slowed_now": None if throttling is None else list(throttling.now),
            "slowed_since_start": None if throttling is None else list(throttling.since_start),
        }

    def __str__(self) -> str:
        """Puts the state into words.

        >>> print(PowerState(51.5, Throttling.of(0x10000)))
        51.5 °C; nothing slows it down now; since the start: under-voltage
        """
        warmth = "temperature not known" if self.temperature_c is None else f"{self.temperature_c:.1f} °C"
        if self.throttling is None:
            return f"{warmth}; this machine does not say whether it is throttled"
        now, since_start = map(", ".join, self.throttling)
        words = f"{warmth}; {f'now: {now}' if now else 'nothing slows it down now'}"
        return f"{words}; since the start: {since_start}" if since_start else f"{words}, nor since the start"


def _temperature_c(machine: Machine) -> float | None:
    text = machine.read(TEMPERATURE_FILE) or ""
    return round(int(text) / 1000, 1) if text.lstrip("-").isdecimal() else None


def _throttling(machine: Machine) -> Throttling | None:
    """Asks the kernel, which has the answer on recent systems; otherwise the firmware's own program."""
    text = machine.read(THROTTLED_FILE) or machine.throttled() or ""
    try:
        # The kernel writes 50005, the program throttled=0x50005; both are hexadecimal.
        return Throttling.of(int(text.rpartition("=")[2], 16))
    except ValueError:
        return None

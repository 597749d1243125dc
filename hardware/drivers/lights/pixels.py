"""What every light driver returns."""

from __future__ import annotations

from typing import Protocol


class DataPin(Protocol):
    """The data pin of a strip, as Blinka represents it."""

    def deinit(self) -> None: ...


class Pixels(Protocol):
    """An open strip, such as `neopixel.NeoPixel`.

    Setting colours has no visible effect until `show` is called.
    """

    def __setitem__(self, index: slice, colours: list[tuple[int, int, int]]) -> None: ...

    def show(self) -> None: ...

    def deinit(self) -> None: ...

    @property
    def pin(self) -> DataPin: ...

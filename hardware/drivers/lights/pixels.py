"""What every light driver returns."""

from __future__ import annotations

from typing import Protocol


class DataPin(Protocol):
    """The pin that a strip hangs on, as Blinka has it."""

    def deinit(self) -> None: ...


class Pixels(Protocol):
    """A strip that is open; `neopixel.NeoPixel` is one.

    Setting colours changes nothing that can be seen until `show` is called.
    """

    def __setitem__(self, index: slice, colours: list[tuple[int, int, int]]) -> None: ...

    def show(self) -> None: ...

    def deinit(self) -> None: ...

    @property
    def pin(self) -> DataPin: ...

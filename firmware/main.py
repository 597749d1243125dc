"""Runs a hub on a Raspberry Pi Pico, with its USB port as the line to the host."""

import os
import select
import sys
import time

import micropython

from firmware.pico import hexadecimal, make_hub

MOST_BYTES = 256
"""The most bytes read in one go, so that the readers get their turn."""


def run() -> None:
    """Runs until the host sends `leave`; then the Pico is back at its prompt."""
    hub = make_hub(lambda: hexadecimal(os.urandom(4)))
    now_ms, last = 0, time.ticks_ms()
    incoming = select.poll()
    incoming.register(sys.stdin, select.POLLIN)
    # A byte 3 (Ctrl-C) on the line must not stop the hub; only `leave` does.
    micropython.kbd_intr(-1)
    try:
        while hub.running:
            ticks = time.ticks_ms()
            now_ms += time.ticks_diff(ticks, last)
            last = ticks
            out = hub.step(now_ms, received(incoming))
            if out:
                sys.stdout.buffer.write(out)
    finally:
        micropython.kbd_intr(3)


def received(incoming: "select.poll") -> bytes:
    """Returns what has arrived on the line."""
    data = b""
    while len(data) < MOST_BYTES and incoming.poll(0):
        data += sys.stdin.buffer.read(1)
    return data

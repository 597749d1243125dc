"""The parts of a Raspberry Pi that QEMU's own machine lacks: its name, its pins, SPI on two of them, and a Pico on USB.

Pins, SPI and USB are those of the kernel: programs open /dev/gpiochip0, /dev/spidev0.0 and /dev/ttyACM0 as on a Pi.
Only what hangs on them is simulated, by the kernel's own means: a file sets the level of a pin, SPI is made from two
such pins, and the host and the device of the USB port are in the same machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.lab.machine import Machine, hardware
from tests.lab.tools import run

MODEL: Final = "Raspberry Pi Zero 2 W Rev 1.0"
REVISION: Final = "0x902120"
BANK: Final = "/pins/bank0"
BANK_HANDLE: Final = 0x9000
PINS: Final = 54
SCK, MOSI, MISO, SELECT = 11, 10, 9, 8
RULES: Final = """\
SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"
SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"
"""
"""As Raspberry Pi OS has them."""
SERIAL: Final = "e66058388345a52a"
PICO_PORT: Final = f"/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_{SERIAL}-if00"
GADGET: Final = "/sys/kernel/config/usb_gadget/pico"
MAKE_PICO: Final = f"""\
set -e
modprobe libcomposite
modprobe dummy_hcd
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
mkdir {GADGET}
cd {GADGET}
echo 0x2e8a > idVendor
echo 0x0005 > idProduct
mkdir strings/0x409
echo MicroPython > strings/0x409/manufacturer
echo 'Board in FS mode' > strings/0x409/product
echo {SERIAL} > strings/0x409/serialnumber
mkdir configs/c.1 functions/acm.usb0
ln -s functions/acm.usb0 configs/c.1/
"""
PLUG_IN: Final = f"ls /sys/class/udc | head -n 1 > {GADGET}/UDC"
UNPLUG: Final = f"echo > {GADGET}/UDC"


def device_tree(file: Path) -> Path:
    """Writes the description of a Raspberry Pi with pins and SPI, for QEMU's machine."""
    run("qemu-system-aarch64", "-M", f"virt,dumpdtb={file}", *hardware(), "-nic", "none", "-display", "none")
    put = ["fdtput", str(file)]
    run(*put, "-t", "s", "/", "model", MODEL)
    run(*put, "-c", "-p", "/system")
    run(*put, "-t", "x", "/system", "linux,revision", REVISION)
    # QEMU's own pins would be the first ones; on a Pi those of the header are.
    pins_of_qemu = next(name for name in run("fdtget", "-l", file, "/").split() if name.startswith("pl061"))
    for node in (f"/{pins_of_qemu}", "/gpio-keys"):
        run(*put, "-t", "s", node, "status", "disabled")
    run(*put, "-c", "-p", BANK)
    run(*put, "-t", "s", "/pins", "compatible", "gpio-simulator")
    run(*put, BANK, "gpio-controller")
    for name, value in {"#gpio-cells": 2, "ngpios": PINS, "phandle": BANK_HANDLE}.items():
        run(*put, "-t", "x", BANK, name, hex(value))
    run(*put, "-t", "s", BANK, "gpio-sim,label", "pinctrl-bcm2835")
    run(*put, "-c", "-p", "/spi/strip@0")
    run(*put, "-t", "s", "/spi", "compatible", "spi-gpio")
    for name, value in {"#address-cells": 1, "#size-cells": 0, "num-chipselects": 1}.items():
        run(*put, "-t", "x", "/spi", name, hex(value))
    for name, pin, flags in (("sck", SCK, 0), ("mosi", MOSI, 0), ("miso", MISO, 0), ("cs", SELECT, 1)):
        run(*put, "-t", "x", "/spi", f"{name}-gpios", hex(BANK_HANDLE), hex(pin), hex(flags))
    run(*put, "-t", "s", "/spi/strip@0", "compatible", "rohm,dh2228fv")
    run(*put, "-t", "x", "/spi/strip@0", "reg", "0x0")
    run(*put, "-t", "x", "/spi/strip@0", "spi-max-frequency", hex(10_000_000))
    run(*put, "-c", "-p", "/aliases")
    run(*put, "-t", "s", "/aliases", "spi0", "/spi")
    return file


class Pins:
    """The pins of the machine, seen from what hangs on them."""

    def __init__(self, table: Machine) -> None:
        self._table = table
        found = table.do("ls -d /sys/devices/platform/pins/gpiochip*").split()
        self._folder = found[0]

    def press(self, pin: int, seconds: float = 0.3) -> None:
        """Closes a button that connects a pin to ground, and opens it after a moment."""
        file = f"{self._folder}/sim_gpio{pin}/pull"
        self._table.do(f"echo pull-down > {file}; sleep {seconds}; echo pull-up > {file}")

    def level(self, pin: int) -> int:
        """Returns the level of a pin."""
        return int(self._table.do(f"cat {self._folder}/sim_gpio{pin}/value"))

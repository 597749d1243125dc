"""Builds the one module that Debian's kernel lacks: `gpio-sim`, whose pins are real to every program.

It is compiled from Debian's own source of the same kernel, with Debian's cross-compiler, in a Debian 13 of this
machine's own architecture. `gpio-sim` wants simulated interrupts, which this kernel was built without, so their file
goes into the module.
"""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path
from typing import Final

from tests.lab import disk
from tests.lab.tools import run

MAKEFILE: Final = "obj-m := gpio-sim.o\ngpio-sim-y := pins.o irq_sim.o\n"
SOURCES: Final = {"drivers/gpio/gpio-sim.c": "pins.c", "kernel/irq/irq_sim.c": "irq_sim.c"}
NOT_EXPORTED: Final = ("irq_to_desc(irqnum)", "irq_data_to_desc(irq_get_irq_data(irqnum))")
"""What a part of the kernel may call, and what a module may call instead."""


def build_gpio_sim(work: Path, release: str) -> Path:
    """Returns the module for a release of the kernel, which is compiled once."""
    module = work / f"gpio-sim-{release}.ko"
    if module.exists():
        return module
    root = work / "compiler"
    shutil.rmtree(root, ignore_errors=True)
    abi = release.removesuffix("-arm64")
    series = ".".join(abi.split(".")[:2])
    run(
        "mmdebstrap", "--mode=root", "--variant=minbase", '--aptopt=APT::Install-Recommends "false"',
        "--skip=cleanup/apt/lists", f"--include=gcc-aarch64-linux-gnu,make,linux-kbuild-{abi},xz-utils",
        "--architectures=amd64,arm64" if _is_amd64() else "--architectures=arm64", disk.SUITE, root, disk.mirror(),
    )  # fmt: skip
    packages = f"linux-source-{series} linux-headers-{release}:arm64 linux-headers-{abi}-common"
    with disk.in_chroot(root):
        run("chroot", root, "sh", "-c", f"cd /tmp && apt-get --quiet=2 download {packages}")
        for package in root.glob("tmp/linux-headers-*.deb"):
            run("dpkg-deb", "--extract", package, root)
        (source,) = root.glob("tmp/linux-source-*.deb")
        run("dpkg-deb", "--extract", source, root / "tmp")
        _prepare(root / "tmp/pins", next((root / "tmp/usr/src").glob("linux-source-*.tar.xz")))
        words = (
            f"make -C /usr/src/linux-headers-{release} M=/tmp/pins ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- modules"
        )
        run("chroot", root, "sh", "-c", words)
    shutil.copy(root / "tmp/pins/gpio-sim.ko", module)
    shutil.rmtree(root)
    return module


def _is_amd64() -> bool:
    return run("dpkg", "--print-architecture").strip() == "amd64"


def _prepare(folder: Path, archive: Path) -> None:
    """Takes the two files of the module out of the kernel's source."""
    folder.mkdir()
    (folder / "Makefile").write_text(MAKEFILE)
    wanted = dict(SOURCES)
    with tarfile.open(archive) as packed:
        for member in packed:
            name = member.name.partition("/")[2]
            if name in wanted and (file := packed.extractfile(member)) is not None:
                text = file.read().decode().replace(*NOT_EXPORTED)
                (folder / wanted.pop(name)).write_text(f"#include <linux/irqdesc.h>\n{text}")
            if not wanted:
                return

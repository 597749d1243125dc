"""The disk that the lab's machine starts from: Debian 13 for arm64, with two partitions like a Raspberry Pi's card.

    boot.img    the boot partition (FAT), which Raspberry Pi OS mounts at /boot/firmware; cloud-init reads it there
    root.img    everything else (ext4): Debian 13 with systemd, cloud-init, NetworkManager and avahi
    kernel, initrd    Debian's kernel, started by QEMU itself, because the firmware of a Pi is not emulated

Debian's packages are unpacked and set up in a chroot, whose programs QEMU runs one by one. The kernel's package is only
unpacked, and the few modules that find the disk are packed into an initrd here: done by the package itself, in the
chroot, that would take longer than everything else together.
"""

from __future__ import annotations

import gzip
import inspect
import io
import lzma
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

from tests.lab.tools import LabError, run

SUITE: Final = "trixie"
PACKAGES: Final = (
    "avahi-daemon", "busybox-static", "ca-certificates", "cloud-init", "dbus", "dnsmasq-base", "e2fsprogs", "fdisk",
    "iproute2", "iw", "kmod", "netplan.io", "network-manager", "openssl", "python3", "qemu-guest-agent", "systemd-sysv",
    "udev", "wpasupplicant",
)  # fmt: skip
NEEDLESS: Final = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*")
DISK_MODULES: Final = ("virtio_pci", "virtio_blk", "crc32c_generic", "ext4")
ROOT_MB, BOOT_MB = 1800, 128
BINFMT: Final = Path("/proc/sys/fs/binfmt_misc")
ARM64: Final = (
    r":el-grande-arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    r":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:{program}:F"
)
"""Tells the kernel which program runs those of arm64."""

FSTAB: Final = """\
/dev/vda / ext4 defaults,noatime 0 1
/dev/vdb /boot/firmware vfat defaults 0 2
"""
CLOUD: Final = """\
# As Raspberry Pi OS has it: the settings are on the boot partition.
datasource_list: [NoCloud, None]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
    fs_label: null
"""
NETPLAN: Final = """\
network:
  version: 2
  renderer: NetworkManager
"""
WAIT_FOR_BOOT_PARTITION: Final = "[Unit]\nRequiresMountsFor=/boot/firmware\n"
INIT: Final = """\
#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /new
/bin/busybox mount -t devtmpfs dev /dev
for module in $(/bin/busybox cat /modules/order); do /bin/busybox insmod /modules/$module; done
tries=0
while [ ! -b /dev/vda ] && [ $tries -lt 300 ]; do tries=$((tries + 1)); /bin/busybox usleep 100000; done
/bin/busybox mount -t ext4 /dev/vda /new || exec /bin/busybox sh
/bin/busybox mount --move /dev /new/dev
exec /bin/busybox switch_root /new /sbin/init
"""


def fingerprint() -> str:
    """Returns what changes when Debian's disk has to be made again."""
    texts = [
        *PACKAGES,
        *NEEDLESS,
        *DISK_MODULES,
        SUITE,
        str(ROOT_MB),
        FSTAB,
        CLOUD,
        NETPLAN,
        WAIT_FOR_BOOT_PARTITION,
        INIT,
    ]
    makers = (make_system, add_kernel, settle_in, pack_system, pack_kernel)
    return sha256("\n".join([*texts, *(inspect.getsource(maker) for maker in makers)]).encode()).hexdigest()


# --- Debian ----------------------------------------------------------------------------------------------------------


def make_system(folder: Path) -> None:
    """Unpacks and sets up Debian in a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    run_foreign_programs()
    excludes = [f"--dpkgopt=path-exclude={pattern}" for pattern in NEEDLESS]
    run(
        "mmdebstrap", "--arch=arm64", "--mode=root", "--variant=minbase", f"--include={','.join(PACKAGES)}", *excludes,
        "--aptopt=APT::Install-Recommends \"false\"", "--skip=cleanup/apt/lists", SUITE, folder, mirror(),
    )  # fmt: skip
    add_kernel(folder)
    settle_in(folder)


def run_foreign_programs() -> None:
    """Lets this machine run programs of arm64, one by one, by QEMU."""
    if not (BINFMT / "register").exists():
        run("mount", "-t", "binfmt_misc", "binfmt_misc", BINFMT)
    if not any(path.name.endswith(("aarch64", "arm64")) for path in BINFMT.iterdir()):
        (BINFMT / "register").write_text(ARM64.format(program=shutil.which("qemu-aarch64-static")))


def mirror() -> str:
    """Returns where this machine has its own Debian packages from."""
    found = run("apt-get", "indextargets", "--format", "$(REPO_URI)", "Identifier: Packages").split()
    for address in found:
        if address.rstrip("/").endswith("/debian"):
            return address
    raise LabError("apt on this machine names no source of Debian's packages.")


def add_kernel(folder: Path) -> None:
    """Unpacks Debian's kernel."""
    with in_chroot(folder):
        depends = run("chroot", folder, "apt-cache", "depends", "linux-image-arm64")
        package = re.findall(r"Depends: (linux-image-\S+)", depends)[0]
        run("chroot", folder, "sh", "-c", f"cd /tmp && apt-get --quiet=2 download {package}")
    (archive,) = folder.glob("tmp/linux-image-*.deb")
    run("dpkg-deb", "--extract", archive, folder)
    archive.unlink()
    run("depmod", "--basedir", folder, release_of(folder))


def release_of(folder: Path) -> str:
    """Returns the release of the kernel in a system."""
    (modules,) = (folder / "usr/lib/modules").iterdir()
    return modules.name


@contextmanager
def in_chroot(folder: Path) -> Iterator[None]:
    """Gives programs in a chroot the devices, the processes and the network of this machine."""
    names = folder / "etc/resolv.conf"
    before = names.read_bytes() if names.exists() else b""
    names.unlink(missing_ok=True)
    shutil.copy("/etc/resolv.conf", names)
    hosts = folder / "etc/hosts"
    hosts_before = hosts.read_bytes() if hosts.exists() else b""
    shutil.copy("/etc/hosts", hosts)
    run("mount", "--bind", "/dev", folder / "dev")
    run("mount", "-t", "proc", "proc", folder / "proc")
    try:
        yield
    finally:
        run("umount", folder / "proc", folder / "dev")
        names.write_bytes(before)
        hosts.write_bytes(hosts_before or b"127.0.0.1\tlocalhost\n")


def settle_in(folder: Path) -> None:
    """Adds what Raspberry Pi OS has and Debian has not: mounts, groups, cloud-init's source and the Pi's own name."""
    (folder / "boot/firmware").mkdir(parents=True)
    (folder / "etc/fstab").write_text(FSTAB)
    (folder / "etc/hostname").write_text("raspberrypi\n")
    (folder / "etc/hosts").write_text("127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n")
    (folder / "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg").write_text(CLOUD)
    for unit in ("cloud-init-main", "cloud-init-local"):
        drop = folder / f"etc/systemd/system/{unit}.service.d/boot-partition.conf"
        drop.parent.mkdir(parents=True, exist_ok=True)
        drop.write_text(WAIT_FOR_BOOT_PARTITION)
    plan = folder / "etc/netplan/00-network-manager-all.yaml"
    plan.parent.mkdir(exist_ok=True)
    plan.write_text(NETPLAN)
    plan.chmod(0o600)
    for group in ("gpio", "spi", "i2c"):
        run("chroot", folder, "groupadd", "--system", "--force", group)
    run("chroot", folder, "passwd", "--delete", "root")
    for name in ("etc/resolv.conf", "etc/machine-id"):
        (folder / name).unlink(missing_ok=True)
    (folder / "etc/machine-id").write_text("uninitialized\n")
    for leftover in (*folder.glob("var/lib/apt/lists/*"), *folder.glob("var/cache/apt/*.bin")):
        shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
    # NetworkManager looks after the network, nobody waits in front of a screen, and no package is ever looked for.
    networkd = ("systemd-networkd.service", "systemd-networkd.socket", "systemd-networkd-wait-online.service")
    for unit in (*networkd, "apt-daily.timer", "apt-daily-upgrade.timer", "getty@tty1.service", "man-db.timer"):
        link = folder / "etc/systemd/system" / unit
        link.unlink(missing_ok=True)
        link.symlink_to("/dev/null")


# --- The files that QEMU takes ---------------------------------------------------------------------------------------


def pack_system(folder: Path, image: Path) -> None:
    """Packs a folder into a file system, with its owners and rights."""
    new = image.with_suffix(".new")
    new.unlink(missing_ok=True)
    run("truncate", "--size", f"{ROOT_MB}M", new)
    run("mke2fs", "-q", "-t", "ext4", "-L", "rootfs", "-d", folder, new)
    new.rename(image)


def pack_kernel(folder: Path, kernel: Path, initrd: Path) -> None:
    """Copies the kernel, and packs what it needs to find the disk."""
    release = release_of(folder)
    (found,) = folder.glob("boot/vmlinuz-*")
    data = found.read_bytes()
    kernel.write_bytes(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    files: dict[str, tuple[int, bytes]] = {"init": (0o755, INIT.encode())}
    files["bin/busybox"] = (0o755, (folder / "usr/bin/busybox").read_bytes())
    order = []
    for path in _with_dependencies(folder / "usr/lib/modules" / release):
        name = path.name.removesuffix(".xz")
        content = path.read_bytes()
        files[f"modules/{name}"] = (0o644, lzma.decompress(content) if path.suffix == ".xz" else content)
        order.append(name)
    files["modules/order"] = (0o644, "\n".join(order).encode())
    initrd.write_bytes(gzip.compress(_cpio(files), 6, mtime=0))


def _with_dependencies(modules: Path) -> list[Path]:
    """Returns the files of the modules for the disk, each after those it needs."""
    needs = {}
    for line in (modules / "modules.dep").read_text().splitlines():
        name, _, rest = line.partition(":")
        needs[name] = rest.split()
    by_name = {re.sub(r"\.ko.*", "", Path(name).name).replace("-", "_"): name for name in needs}
    found: list[str] = []
    for wanted in DISK_MODULES:
        if wanted in by_name:  # others are built into the kernel
            chain = [*reversed(needs[by_name[wanted]]), by_name[wanted]]
            found += [name for name in chain if name not in found]
    return [modules / name for name in found]


def _cpio(files: dict[str, tuple[int, bytes]]) -> bytes:
    """Packs files in the format that the kernel unpacks (newc)."""
    out = io.BytesIO()
    folders = sorted({str(parent) for name in files for parent in Path(name).parents if str(parent) != "."})
    entries = [(name, 0o040755, b"") for name in folders]
    entries += [(name, 0o100000 | mode, content) for name, (mode, content) in files.items()]
    for number, (name, mode, content) in enumerate([*entries, ("TRAILER!!!", 0, b"")], 1):
        fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
        out.write(b"070701" + b"".join(b"%08X" % field for field in fields))
        out.write(name.encode() + b"\0")
        out.write(b"\0" * (-out.tell() % 4))
        out.write(content)
        out.write(b"\0" * (-out.tell() % 4))
    return out.getvalue()


def pack_card(folder: Path, image: Path) -> None:
    """Packs the files of a boot partition into a FAT file system."""
    image.unlink(missing_ok=True)
    run("truncate", "--size", f"{BOOT_MB}M", image)
    run("mkfs.vfat", "-F", "32", "-n", "bootfs", image)
    run("mcopy", "-s", "-i", image, *sorted(folder.iterdir()), "::")


def pack_files(folder: Path, image: Path) -> None:
    """Packs files into a file system that is just large enough."""
    image.unlink(missing_ok=True)
    size = sum(file.stat().st_size for file in folder.iterdir())
    run("truncate", "--size", f"{size // 1_000_000 * 11 // 10 + 32}M", image)
    run("mke2fs", "-q", "-t", "ext4", "-d", folder, image)


def read_card(image: Path, name: str) -> str:
    """Returns the text of a file in the FAT file system."""
    return run("mtype", "-i", image, f"::{name}")


@contextmanager
def mounted(image: Path, folder: Path) -> Iterator[Path]:
    """Mounts the file system of a disk, as the next start would, and yields where."""
    folder.mkdir(parents=True, exist_ok=True)
    run("mount", "-o", "loop", image, folder)
    try:
        yield folder
    finally:
        os.sync()
        run("umount", folder)

"""Cards with Raspberry Pi OS: their boot partition, as Raspberry Pi Imager and people leave it."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from companion.installation.release import SUMS, sum_of

UNTOUCHED = """\
#cloud-config

# This is the user-data configuration file for cloud-init.

## Set the system's hostname.
#hostname: raspberrypi

#ssh_pwauth: false

## Add users and groups to the system
#users:
#- default
#- name: robot
#  passwd: $5$hkui88$nvZgIle31cNpryjRfO9uArF7DYiBcWEnjqq7L1AQNN3

## Run arbitrary commands at rc.local like time
#runcmd:
#- [ ls, -l, / ]
"""
"""What an image has that nobody has changed: comments alone."""

FROM_IMAGER = """\
#cloud-config
manage_resolv_conf: false
hostname: granada
manage_etc_hosts: true
packages:
- avahi-daemon
apt:
  preserve_sources_list: true
  conf: |
    Acquire {
      Check-Date "false";
    };
timezone: Europe/Amsterdam
keyboard:
  model: pc105
  layout: "us"
users:
- name: ann
  groups: users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,gpio,spi,i2c,render,sudo
  shell: /bin/bash
  lock_passwd: false
  passwd: "$5$hkui88$nvZgIle31cNpryjRfO9uArF7DYiBcWEnjqq7L1AQNN3"
  ssh_authorized_keys:
    - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ ann@laptop
  sudo: ALL=(ALL) NOPASSWD:ALL
enable_ssh: true
ssh_pwauth: false
"""
"""With a name, a user, a password and a key, as Imager 2 writes it."""

OWN_COMMANDS = """\
runcmd:
  - [ rfkill, unblock, wifi ]
  - [ sh, -c, "for f in /var/lib/systemd/rfkill/*:wlan; do echo 0 > \\"$f\\"; done" ]
"""
"""What Imager adds for a Wi-Fi country without a network."""

USER_DATA: dict[str, bytes] = {
    "untouched": UNTOUCHED.encode(),
    "from Imager": FROM_IMAGER.encode(),
    "with commands": (FROM_IMAGER + OWN_COMMANDS).encode(),
    "with commands in brackets": (FROM_IMAGER + "runcmd: [[touch, /srv/theirs], 'touch /srv/more']\n").encode(),
    "from Windows": FROM_IMAGER.replace("\n", "\r\n").encode(),
    "with a byte order mark": b"\xef\xbb\xbf" + FROM_IMAGER.encode(),
    "commented": (FROM_IMAGER + "# the end: 'unbalanced\n").encode(),
    "without a last line end": (FROM_IMAGER + OWN_COMMANDS).rstrip().encode(),
    "a script": b"#!/bin/sh\ntouch /srv/theirs\n",
    "empty": b"",
}

META_DATA = "dsmode: local\ninstance_id: rpios-image\n"
NETWORK = """\
network:
  version: 2
  wifis:
    wlan0:
      dhcp4: true
      regulatory-domain: "NL"
      access-points:
        "at home":
          password: "5a4b2f0e"
"""


def make_card(folder: Path, user_data: bytes = USER_DATA["from Imager"]) -> Path:
    """Makes the boot partition of a card that has not been in a Pi yet."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.txt").write_text("dtparam=audio=on\n[all]\narm_64bit=1\n")
    (folder / "cmdline.txt").write_text(
        "console=tty1 root=PARTUUID=61e511e6-02 rootwait ds=nocloud;i=rpi-imager-1777\n"
    )
    (folder / "meta-data").write_text(META_DATA)
    (folder / "network-config").write_text(NETWORK)
    (folder / "user-data").write_bytes(user_data)
    (folder / "kernel8.img").write_bytes(b"kernel")
    return folder


def content(folder: Path) -> dict[str, bytes]:
    """Returns every file of a folder."""
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def make_release(archive: Path, install: str = "exit 0", version: str = "0.2.0") -> Path:
    """Makes the archive of a small release, whose `install.sh` does what a test wants."""
    folder = archive.parent / f"{archive.stem}-files"
    folder.mkdir()
    files = {"VERSION": f"{version}\n", "PYTHONS": "3.13\n", "install.sh": f"#!/bin/bash\n{install}\n"}
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / SUMS).write_text("".join(f"{sum_of(folder / name)}  {name}\n" for name in sorted(files)))
    with tarfile.open(archive, "w") as packed:
        for name in (*files, SUMS):
            data = (folder / name).read_bytes()
            info = tarfile.TarInfo(f"el-grande-table-{version}/{name}")
            info.size = len(data)
            packed.addfile(info, io.BytesIO(data))
    return archive

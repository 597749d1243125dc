"""The stages with a Raspberry Pi's name, pins, SPI, USB and Wi-Fi, as the kernel gives them."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from hardware.board import board_file, find_board
from tests.lab import disk, hub_in_machine
from tests.lab.card import make_lab_card
from tests.lab.gpio_module import build_gpio_sim
from tests.lab.installed_table import INSTALL_S, begin_game, wait_for_state
from tests.lab.lab import Lab
from tests.lab.machine import Machine
from tests.lab.pi_parts import MAKE_PICO, MODEL, PICO_PORT, PLUG_IN, RULES, UNPLUG, Pins, device_tree
from tests.lab.players import PEOPLE, Browser, Players
from tests.lab.tools import LabError, check, run

NOTICE_S: Final = 90.0
WIFI_S: Final = 300.0
PRESSES: Final = 10
INSTALLED_PI: Final = "installed-pi"
TAG, ANOTHER_TAG = "04A1B2C3", "04D5E6F7"
PLACES_WITH_READERS: Final = ("galicia", "pais-vasco", "aragon")


def pi(lab: Lab) -> None:
    """The same card in a machine that calls itself a Raspberry Pi, with pins: it sets up SPI, and restarts once."""
    table = lab.machine("pi", _disk_with_pins(lab), make_lab_card(lab), dtb=device_tree(lab.work / "pi.dtb"))
    table.start()
    try:
        table.wait_until_up()
        check(table.do("tr -d '\\000' < /proc/device-tree/model") == MODEL, "The machine has another model.")
        _wait_for_restart(table)
        lab.found(
            "from power-on until the page, with the installation and a restart",
            f"{table.wait_for_page(INSTALL_S):.0f} s",
        )
        table.forget_agent()
        table.wait_until_up()
        wait_for_state(table, "installed")
        config = table.do("cat /boot/firmware/config.txt")
        check("dtparam=spi=on" in config and "dtparam=audio=on" in config, f"config.txt is {config}")
        _check_devices(lab, table)
        table.shut_down()
    finally:
        table.cut_power()
    table.root.rename(lab.work / f"{INSTALLED_PI}.img")
    table.boot.rename(lab.work / f"{INSTALLED_PI}-boot.img")


def parts(lab: Lab) -> None:
    """Buttons are pressed on the kernel's pins, a Pico is plugged in and out, and the table opens its own Wi-Fi."""
    table = lab.installed("parts", INSTALLED_PI, dtb=device_tree(lab.work / "pi.dtb"))
    table.start()
    try:
        table.wait_for_page()
        table.wait_until_up()
        _check_devices(lab, table)
        _press(lab, table)
        _plug_in(lab, table)
        _wifi(lab, table)
        table.shut_down()
    finally:
        table.cut_power()


def _disk_with_pins(lab: Lab) -> Path:
    """Returns Debian's disk with the module for pins, and the rules that Raspberry Pi OS has for them."""
    release = disk.release_of(lab.work / "system")
    module = build_gpio_sim(lab.work, release)
    image = lab.work / "root-with-pins.img"
    run("cp", "--sparse=always", lab.work / "root.img", image)
    with disk.mounted(image, lab.work / "mounted") as folder:
        extra = folder / f"usr/lib/modules/{release}/extra"
        extra.mkdir(exist_ok=True)
        shutil.copy(module, extra / "gpio-sim.ko")
        run("depmod", "--basedir", folder, release)
        (folder / "etc/udev/rules.d/99-pins.rules").write_text(RULES)
    return image


def _wait_for_restart(table: Machine) -> None:
    """Waits until the machine has restarted by itself, for its settings have changed."""
    began = table.do("cat /proc/sys/kernel/random/boot_id")
    end_s = time.monotonic() + INSTALL_S
    while time.monotonic() < end_s:
        try:
            if table.do("cat /proc/sys/kernel/random/boot_id", 30.0) != began:
                return
            said = table.ask("cat /boot/firmware/el-grande/state.txt").out
            if said.startswith("failed"):
                raise LabError(f"It failed: {table.do('cat /boot/firmware/el-grande/install-log.txt')[-3000:]}")
        except OSError:
            pass
        table.forget_agent()
        time.sleep(5.0)
        table.wait_until_up()
    raise LabError("The machine has not restarted by itself.")


# --- Pins and lights -------------------------------------------------------------------------------------------------


def _check_devices(lab: Lab, table: Machine) -> None:
    opened = table.do("ls -l /proc/$(systemctl show --property=MainPID --value el-grande-table)/fd")
    for device in ("/dev/gpiochip0", "/dev/spidev0.0"):
        check(
            device in opened,
            f"The table has not opened {device}: {table.do('journalctl -u el-grande-table -o cat -n 30')}",
        )
    lab.found("opened by the service, as its own user", "/dev/gpiochip0 by lgpio, /dev/spidev0.0")


def _press(lab: Lab, table: Machine) -> None:
    pins, board, players = Pins(table), find_board("buttons-only"), begin_game(table, seed=6)
    confirm = partial(pins.press, board.controls["confirm"])
    done = 0
    while done < PRESSES:
        seat, place = _lit_place(players, confirm)
        before = players.shown
        pins.press(board.places[place].button)
        _until(partial(_has_gone_on, players, seat, before), f"a press on {place} counts")
        done += 1
    lab.found("presses of buttons", f"{done}, each entered as a move")


def _has_gone_on(players: Players, seat: str, before: int) -> bool:
    return int(players.state(seat)["version"]) > before


def _lit_place(players: Players, confirm: Callable[[], None]) -> tuple[str, str]:
    """Plays on by phone until a person is to place caballeros. Returns whose turn it is, and a place that is lit.

    There, one press is one move; to move a piece takes two.

    :param confirm: says that the pieces are where the table wants them.
    """
    for _ in range(400):
        for seat in PEOPLE:
            state = players.state(seat)
            if state["guide"]:
                confirm()
            elif seat in state["waiting_for"] and state["turn"]["to_place"] and state["touch"]:
                return seat, str(state["touch"][0])
        players.try_a_line()
    raise LabError("No place was ever lit.")


# --- A Pico ----------------------------------------------------------------------------------------------------------


def _plug_in(lab: Lab, table: Machine) -> None:
    table.put(Path(hub_in_machine.__file__), "/var/tmp/hub.py")
    table.do(f"{MAKE_PICO}{PLUG_IN}")
    _until(lambda: table.ask(f"test -e {PICO_PORT}").code == 0, f"{PICO_PORT} appears")
    lab.found("a Pico is plugged in", f"`{PICO_PORT}`")
    table.do(
        "systemd-run --quiet --unit hub --property=Restart=always --property=RestartSec=1 "
        "--property=StartLimitIntervalSec=0 "
        "/opt/el-grande/current/bin/python /var/tmp/hub.py /dev/ttyGS0 /run/tags"
    )
    board = lab.work / "pi-board.toml"
    board.write_text(_board_with_hub())
    table.put(board, "/var/tmp/board.toml")
    table.do("install -o el-grande -g el-grande -m 600 /var/tmp/board.toml /var/lib/el-grande/board.toml")
    table.do("systemctl restart el-grande-table")
    table.wait_for_page()
    _until(lambda: "hub" not in _notices(table), "the hub is in step")
    table.do(f"echo '0 {TAG}' > /run/tags")
    _until(lambda: TAG.lower() in _notices(table), "a tag is seen")
    table.do("rm /run/tags")
    lab.found("a tag held to its reader", "reported by the table, through the kernel's USB")
    table.do(UNPLUG)
    _until(lambda: "west" in _notices(table), "an unplugged hub is reported")
    table.do(PLUG_IN)
    _until(lambda: "the hub west answers again" in _notices(table), "a hub that is plugged in again is used again")
    table.do(f"echo '1 {ANOTHER_TAG}' > /run/tags")
    _until(lambda: ANOTHER_TAG.lower() in _notices(table), "a tag is seen again")
    lab.found("the cable is pulled and plugged in again", "reported; afterwards taps count again")


def _board_with_hub() -> str:
    text = board_file("buttons-only").read_text()
    for number, place in enumerate(PLACES_WITH_READERS):
        text = text.replace(f"[places.{place}]\n", f'[places.{place}]\nreader = "west/{number}"\n')
    return f'{text}\n[hubs.west]\nport = "{PICO_PORT}"\nmode = "tap"\nreaders = {len(PLACES_WITH_READERS)}\n'


def _notices(table: Machine) -> str:
    state: dict[str, Any] = Browser(table.port).need("GET", "/state")
    return " ".join([*state["notices"], *state["mentions"]]).lower()


def _until(condition: Callable[[], bool], what: str, patience_s: float = NOTICE_S) -> None:
    end_s = time.monotonic() + patience_s
    while not condition():
        check(time.monotonic() < end_s, f"It did not happen within {patience_s:.0f} s that {what}.")
        time.sleep(1.0)


# --- Wi-Fi -----------------------------------------------------------------------------------------------------------


def _wifi(lab: Lab, table: Machine) -> None:
    """Pulls the network cable, and joins the Wi-Fi that the table then opens, with a second radio as a phone's."""
    table.do("modprobe mac80211_hwsim radios=2")
    phone = "ip netns exec phone"
    table.do(
        "nmcli device set wlan1 managed no; ip netns add phone; "
        "iw phy $(cat /sys/class/net/wlan1/phy80211/name) set netns name phone"
    )
    cable = table.do("nmcli --terse --fields DEVICE,TYPE device | sed -n 's/:ethernet$//p'").split()[0]
    table.do(f"nmcli device disconnect {cable} && systemctl restart el-grande-network")
    began_s = time.monotonic()
    _until(lambda: _hotspot(table) is not None, "the table opens its own Wi-Fi", WIFI_S)
    seconds = time.monotonic() - began_s
    lab.found("the cable is pulled, and no Wi-Fi is known", f"the table opens its own within {seconds:.0f} s")
    name, password = _hotspot(table) or ("", "")
    settings = lab.work / "phone.conf"
    settings.write_text(f'network={{\n  ssid="{name}"\n  psk="{password}"\n}}\n')
    table.put(settings, "/run/phone.conf")
    table.do(f"{phone} ip link set wlan1 up; {phone} wpa_supplicant -B -i wlan1 -c /run/phone.conf")
    _until(lambda: "Connected to" in table.ask(f"{phone} iw dev wlan1 link").out, "a phone joins it")
    # What the table's Wi-Fi gives to phones is asked for by hand, for this system has no program that does it alone.
    table.do(f"{phone} ip address add 10.42.0.77/24 dev wlan1")
    fetch = 'import urllib.request as r; print(r.urlopen("http://10.42.0.1/", timeout=30).status)'
    check(
        table.do(f"{phone} python3 -c '{fetch}'").strip() == "200", "The page does not answer in the table's own Wi-Fi."
    )
    lab.found("a second radio joins it, with the password that `companion where` shows", "the page answers")
    table.do(f"nmcli device connect {cable}")
    _until(lambda: _hotspot(table) is None, "the Wi-Fi closes again", WIFI_S)
    lab.found("the cable is back", "the table's Wi-Fi closes")


def _hotspot(table: Machine) -> tuple[str, str] | None:
    """Returns the name and password of the table's own Wi-Fi, or `None` when it is closed."""
    found = re.search(r"join its Wi-Fi: (.+), password (\S+)", table.ask("companion where --wait 10").out)
    return None if found is None else (found[1], found[2])

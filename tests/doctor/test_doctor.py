"""The doctor: every check where it should be content and where it should not, on made-up machines and broken boards."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import socket
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory, MockPin

from companion.doctor import CHECKS, Case, Check, Equipment, Finding, Machine, Verdict, disk, examine, run
from companion.doctor.equipment import PlayingEquipment, real_equipment, simulated_equipment
from companion.doctor.machine import settings_of
from companion.doctor.web_port import listener
from companion.engine.pieces import WHOLE_SET
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.storage.tags import Tags
from companion.translations import LANGUAGES, Translator
from firmware.lines import make_line
from hardware.board import Board, Strip, board_file, find_board
from hardware.drivers.lights import LIGHT_DRIVERS, Pixels
from hardware.errors import BoardError, PortBusy, PortFailed, PortNotAllowed, StripOutOfReach
from hardware.installing import firmware_build
from hardware.pieces import SerialPieces
from hardware.ports import Pattern, Scene, Show
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.strip import SimulatedStrip
from hardware.simulated.wire import LineFault
from tests.support.arrange import opening
from tests.translations.test_translations import unknown_texts

CHECK = {check.name: check for check in CHECKS}
STANDARD = find_board("standard")
OK, WARNING, PROBLEM, SKIPPED = Verdict.OK, Verdict.WARNING, Verdict.PROBLEM, Verdict.SKIPPED

CONFIG, CMDLINE, GROUPS = "boot/firmware/config.txt", "proc/cmdline", "etc/group"
MODEL, SPIDEV, PIO = "proc/device-tree/model", "dev/spidev0.0", "dev/pio0"
BUFSIZ = "sys/module/spidev/parameters/bufsiz"

Tree = Mapping[str, str | None]
"""Files by their paths; none takes a file away."""

COMMON: Tree = {
    GROUPS: "root:x:0:\ndialout:x:20:player\nspi:x:999:player\ngpio:x:986:player\n",
    CMDLINE: "console=tty1 rootwait",
    "boot/firmware/cmdline.txt": "console=tty1 rootwait",
}
BY_SPI: Tree = {**COMMON, SPIDEV: "", BUFSIZ: "4096\n"}
PIS: Mapping[str, Tree] = {
    "3": {**BY_SPI, MODEL: "Raspberry Pi 3 Model B Plus Rev 1.3\0", CONFIG: "dtparam=spi=on\ncore_freq=250\n"},
    "Zero 2": {**BY_SPI, MODEL: "Raspberry Pi Zero 2 W Rev 1.0\0", CONFIG: "dtparam=spi=on\ncore_freq=250\n"},
    "4": {
        **BY_SPI,
        MODEL: "Raspberry Pi 4 Model B Rev 1.4\0",
        CONFIG: "dtparam=spi=on\n[pi4]\narm_boost=1\n[all]\ncore_freq=500\ncore_freq_min=500\n",
    },
    "5": {**BY_SPI, MODEL: "Raspberry Pi 5 Model B Rev 1.0\0", CONFIG: "dtparam=spi=on\n"},
}

BY_PIO: Tree = {**COMMON, MODEL: PIS["5"][MODEL], CONFIG: "[all]\n", PIO: ""}
"""A Pi 5 for the driver `neopixel`."""


def driven_by(driver: str, gpio: int = 10, count: int = 60) -> Board:
    return replace(STANDARD, strip=replace(STANDARD.strip, driver=driver, gpio=gpio, count=count))


def machine_of(root: Path, tree: Tree, **other: Any) -> Machine:
    """A machine with these files, and otherwise all as it should be."""
    for path, text in tree.items():
        if text is not None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
    fields: dict[str, Any] = {
        "root": root,
        "database": root / "home" / "table.db",
        "user": "player",
        "group_ids": frozenset({20, 986, 999}),
        "is_root": False,
        "may_use": lambda path: True,
        "has_package": lambda name: True,
        "free_bytes": lambda folder: 10**10,
        "now": lambda: datetime(2026, 12, 24, 20, 0),
        "synchronised": lambda: True,
    }
    return Machine(**{**fields, **other})


def no_hubs(board: Board) -> SerialPieces:
    raise AssertionError("no hub should be opened here")


def case_of(machine: Machine, board: Board | None = STANDARD, equipment: Equipment | None = None) -> Case:
    return Case(machine, equipment or Equipment(no_hubs), "standard", board)


def found_by(name: str, case: Case) -> list[Finding]:
    """What a check finds, which can be told in every language; nearly all that the doctor can say comes by here."""
    findings = list(run(CHECK[name], case))
    for message in (message for finding in findings for message in (finding.found, finding.do)):
        assert unknown_texts(message) == set()
        for language in LANGUAGES:
            assert not re.search(r"\{\w*\}", Translator(language).say(message)), message
    return findings


def words(findings: list[Finding]) -> str:
    return "\n".join(f"{finding.verdict.value}: {finding.found} -> {finding.do}" for finding in findings)


# --- machines --------------------------------------------------------------------------------------------------------

OF_THE_MACHINE = ("model", "permissions", "spi", "core_freq", "spidev.bufsiz", "sound", "pio", "disk", "time")


@pytest.mark.parametrize(
    ("kind", "driver", "tree", "skipped"),
    [
        *((kind, "spi", PIS[kind], {"sound", "pio"}) for kind in ("3", "Zero 2", "4")),
        *((kind, "neopixel", PIS[kind], {"sound", "pio"}) for kind in ("3", "Zero 2", "4")),
        ("5", "spi", PIS["5"], {"core_freq", "sound", "pio"}),
        ("5", "neopixel", BY_PIO, {"spi", "core_freq", "spidev.bufsiz", "sound"}),
        ("4", "simulated", {**COMMON, MODEL: PIS["4"][MODEL]}, {"spi", "core_freq", "spidev.bufsiz", "sound", "pio"}),
    ],
)
def test_a_pi_that_is_set_up_for_its_driver_has_nothing_wrong(
    kind: str, driver: str, tree: Tree, skipped: set[str], tmp_path: Path
) -> None:
    machine = machine_of(tmp_path, tree)
    for named in {driver, ""} if driver == "spi" else {driver}:
        case = case_of(machine, driven_by(named))
        findings = [finding for name in OF_THE_MACHINE for finding in found_by(name, case)]
        assert {finding.verdict for finding in findings} == {OK, SKIPPED}, words(findings)
        assert {finding.check for finding in findings if finding.verdict is SKIPPED} == skipped


def test_a_pi_that_is_not_supported_is_looked_over_all_the_same_and_told(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, {**PIS["3"], MODEL: "Raspberry Pi 2 Model B Rev 1.1\0"})
    with examine("standard", machine=machine) as case:
        assert not case.simulated
        [finding] = found_by("model", case)
        assert finding.verdict is PROBLEM
        for name in ("permissions", "spi", "core_freq", "spidev.bufsiz", "sound", "pio"):
            [finding] = found_by(name, case)
            assert (finding.verdict, str(finding.found)) == (
                SKIPPED, "This check is only for the Raspberry Pi models that are supported."
            )  # fmt: skip


def only(*groups: int) -> dict[str, object]:
    return {"group_ids": frozenset(groups)}


def without(*packages: str) -> dict[str, object]:
    return {"has_package": lambda name: name not in packages}


DRIVERS = ("", *LIGHT_DRIVERS)
NOT_ALLOWED: dict[str, object] = {"may_use": lambda path: False}
NO_ONE = "root:x:0:\n"

# Of each: the check, the Pi, what is changed in its files, what else is changed, the verdict, and words of the finding.
AMISS: list[tuple[str, str, Tree, dict[str, object], Verdict, list[str]]] = [
    ("model", "4", {MODEL: None}, {}, PROBLEM, ["not a Raspberry Pi", "--simulated"]),
    (
        "model",
        "4",
        {MODEL: "Raspberry Pi 2 Model B"},
        {},
        PROBLEM,
        ["Pi 2 Model B: this Raspberry Pi cannot run a board", "Zero 2"],
    ),
    ("model", "4", {}, without("neopixel_spi"), PROBLEM, ["missing: neopixel_spi", "'.[pi]'"]),
    ("model", "4", {}, without("_rpi_ws281x"), OK, ["The packages of the extra pi are installed"]),
    ("model", "Zero 2", {}, without("lgpio", "gpiod"), PROBLEM, ["missing: gpiod, lgpio", "'.[pi]'"]),
    ("model", "5", {}, without("adafruit_raspberry_pi5_neopixel_write"), OK, ["The packages of the extra pi are inst"]),
    ("permissions", "4", {GROUPS: NO_ONE}, only(), PROBLEM, ["sudo usermod -aG gpio player", "-aG spi", "-aG dialout"]),
    ("permissions", "5", {GROUPS: NO_ONE}, only(), PROBLEM, ["-aG gpio player", "-aG spi", "-aG dialout player"]),
    ("permissions", "4", {}, only(20, 999), PROBLEM, ["in the group gpio, but not in this session", "Log out"]),
    ("spi", "4", {SPIDEV: None, CONFIG: ""}, {}, PROBLEM, ["switched off", "raspi-config nonint do_spi 0"]),
    ("spi", "4", {SPIDEV: None, CONFIG: "#dtparam=spi=on"}, {}, PROBLEM, ["switched off"]),
    ("spi", "4", {SPIDEV: None}, {}, PROBLEM, ["switched on in /boot/firmware/config.txt", "sudo reboot"]),
    ("spi", "5", {SPIDEV: None, CONFIG: ""}, {}, PROBLEM, ["switched off", "raspi-config nonint do_spi 0"]),
    ("spi", "3", {}, NOT_ALLOWED, PROBLEM, ["/dev/spidev0.0", "sudo usermod -aG spi player"]),
    ("core_freq", "3", {CONFIG: "dtparam=spi=on"}, {}, PROBLEM, ["core_freq=250", "/boot/firmware/config.txt"]),
    ("core_freq", "Zero 2", {CONFIG: "core_freq=400"}, {}, PROBLEM, ["core_freq=250"]),
    ("core_freq", "4", {CONFIG: "core_freq=500"}, {}, PROBLEM, ["config.txt: core_freq_min=500."]),
    ("core_freq", "4", {CONFIG: "[pi3]\ncore_freq=500\ncore_freq_min=500"}, {}, PROBLEM, ["core_freq=500, core_freq_"]),
    ("core_freq", "3", {CONFIG: None, "boot/config.txt": "gpu_mem=16"}, {}, PROBLEM, ["/boot/config.txt"]),
    ("spidev.bufsiz", "4", {BUFSIZ: "512"}, {}, PROBLEM, ["512", "60 lights", "1908", "Add", "spidev.bufsiz=32768"]),
    ("spidev.bufsiz", "4", {BUFSIZ: "512", CMDLINE: "spidev.bufsiz=512"}, {}, PROBLEM, ["Change", "cmdline.txt"]),
    ("spidev.bufsiz", "4", {BUFSIZ: None}, {}, SKIPPED, ["switch SPI on first"]),
    ("disk", "4", {}, {"free_bytes": lambda folder: 150_000_000}, WARNING, ["150 MB are free", "Free some space"]),
    ("disk", "4", {}, {"free_bytes": lambda folder: 1_000_000}, PROBLEM, ["1 MB are free", "Free some space"]),
    ("time", "4", {}, {"now": lambda: datetime(1970, 1, 1)}, WARNING, ["1970-01-01 00:00, which cannot be", "played"]),
    ("time", "4", {}, {"synchronised": lambda: False}, WARNING, ["not set over the network", "set-ntp true"]),
    ("time", "4", {}, {"synchronised": lambda: None}, OK, ["does not tell"]),
]


@pytest.mark.parametrize(("name", "kind", "files", "other", "verdict", "said"), AMISS)
def test_what_is_amiss_is_told_with_what_to_do(
    name: str, kind: str, files: Tree, other: dict[str, object], verdict: Verdict, said: list[str], tmp_path: Path
) -> None:
    findings = found_by(name, case_of(machine_of(tmp_path, {**PIS[kind], **files}, **other)))
    assert verdict in {finding.verdict for finding in findings}
    for text in said:
        assert text in words(findings)
    assert all(str(finding.do) for finding in findings if finding.verdict in (WARNING, PROBLEM))


# The same for boards with `driver = "neopixel"`.
AMISS_WITH_NEOPIXEL: list[tuple[str, str, Tree, dict[str, object], list[str]]] = [
    ("model", "4", {}, without("_rpi_ws281x"), ["missing: _rpi_ws281x", "gcc python3-dev", "'.[pi-neopixel]'"]),
    ("model", "Zero 2", {}, without("lgpio"), ["missing: lgpio", "'.[pi-neopixel]'"]),
    ("model", "5", {}, without("adafruit_raspberry_pi5_neopixel_write"), ["'.[pi5-neopixel]'"]),
    ("permissions", "5", {GROUPS: NO_ONE}, only(), ["-aG gpio player", "-aG dialout player"]),
    ("spi", "3", {SPIDEV: None, CONFIG: ""}, {}, ["switched off"]),
    ("core_freq", "3", {CONFIG: "dtparam=spi=on"}, {}, ["core_freq=250"]),
    ("spidev.bufsiz", "4", {BUFSIZ: "512"}, {}, ["512", "60 lights", "744", "Add", "spidev.bufsiz=32768"]),
    ("pio", "5", {PIO: None}, {}, ["no /dev/pio0", "rpi-eeprom-update"]),
    ("pio", "5", {}, NOT_ALLOWED, ["player is not allowed", 'SUBSYSTEM=="*-pio", GROUP="gpio"', "-aG gpio player"]),
]


@pytest.mark.parametrize(("name", "kind", "files", "other", "said"), AMISS_WITH_NEOPIXEL)
def test_what_the_driver_neopixel_misses_is_told_with_what_to_do(
    name: str, kind: str, files: Tree, other: dict[str, object], said: list[str], tmp_path: Path
) -> None:
    tree = {**(BY_PIO if kind == "5" else PIS[kind]), **files}
    findings = found_by(name, case_of(machine_of(tmp_path, tree, **other), driven_by("neopixel")))
    assert PROBLEM in {finding.verdict for finding in findings}
    for text in said:
        assert text in words(findings)
    assert "group spi" not in words(findings)


@pytest.mark.parametrize("kind", PIS)
def test_gcc_is_asked_for_only_by_what_is_compiled(kind: str, tmp_path: Path) -> None:
    machine = machine_of(tmp_path, PIS[kind], has_package=lambda name: False)
    compiled = {driver: "gcc" in words(found_by("model", case_of(machine, driven_by(driver)))) for driver in DRIVERS}
    assert compiled == {"": False, "spi": False, "simulated": False, "neopixel": kind != "5"}


def test_each_missing_group_is_a_finding(tmp_path: Path) -> None:
    case = case_of(machine_of(tmp_path, {**PIS["4"], GROUPS: "gpio:x:986:player"}, group_ids=frozenset({986})))
    assert [finding.found.fields["group"] for finding in found_by("permissions", case)] == ["spi", "dialout"]


def test_root_needs_no_groups(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, {**PIS["4"], GROUPS: NO_ONE}, is_root=True, user="root", group_ids=frozenset())
    assert [finding.verdict for finding in found_by("permissions", case_of(machine))] == [OK]


def on_gpio(gpio: int) -> Board:
    return driven_by("", gpio)


def test_a_strip_on_another_pin_needs_root_on_a_pi_4_and_no_spi(tmp_path: Path) -> None:
    case = case_of(machine_of(tmp_path, PIS["4"]), on_gpio(18))
    assert "strip.gpio = 10" in words(found_by("permissions", case))
    assert "The driver neopixel does not need this for a strip on GPIO 18" in words(found_by("spi", case))


def test_a_strip_on_another_pin_is_fine_on_a_pi_5(tmp_path: Path) -> None:
    case = case_of(machine_of(tmp_path, BY_PIO), on_gpio(18))
    assert [finding.verdict for finding in found_by("pio", case)] == [OK]
    assert [finding.verdict for finding in found_by("permissions", case)] == [OK]


@pytest.mark.parametrize("kind", ["3", "4", "Zero 2"])
@pytest.mark.parametrize(
    ("gpio", "config", "verdict", "said"),
    [
        (12, "dtparam=audio=on", PROBLEM, "GPIO 12 is driven by PWM, which the Pi's own sound uses too"),
        (18, "dtparam=spi=on,audio=on", PROBLEM, "dtparam=audio=on to dtparam=audio=off in /boot/firmware/config.txt"),
        (18, "[all]\ndtparam=audio=on\ndtparam=audio=off", OK, "No sound uses PWM"),
        (12, "#dtparam=audio=on", OK, "No sound uses PWM"),
        (18, "dtparam=i2s=on", OK, "No sound uses PWM"),
        (21, "dtparam=i2s=on", PROBLEM, "GPIO 21 is driven by PCM, which sound cards on the header (I2S) use too"),
        (21, "dtparam=audio=on", OK, "No sound uses PCM"),
        (10, "dtparam=audio=on,i2s=on", SKIPPED, "The driver spi does not need this for a strip on GPIO 10"),
    ],
)
def test_sound_and_a_strip_on_the_same_pins_are_told(
    kind: str, gpio: int, config: str, verdict: Verdict, said: str, tmp_path: Path
) -> None:
    case = case_of(machine_of(tmp_path, {**PIS[kind], CONFIG: config}), on_gpio(gpio))
    [finding] = found_by("sound", case)
    assert finding.verdict is verdict
    assert said in words([finding])


def test_on_a_pi_5_sound_does_not_matter(tmp_path: Path) -> None:
    case = case_of(machine_of(tmp_path, {**PIS["5"], CONFIG: "dtparam=audio=on"}), on_gpio(18))
    assert [finding.verdict for finding in found_by("sound", case)] == [SKIPPED]


def test_without_a_pi_the_checks_of_a_pi_are_skipped(tmp_path: Path) -> None:
    case = case_of(machine_of(tmp_path, {}))
    for name in ("permissions", "spi", "core_freq", "spidev.bufsiz", "sound", "pio"):
        assert [finding.verdict for finding in found_by(name, case)] == [SKIPPED]


def test_on_a_simulated_board_a_pi_is_left_alone(tmp_path: Path) -> None:
    case = replace(case_of(machine_of(tmp_path, {MODEL: "Raspberry Pi 4 Model B\0"})), simulated=True)
    assert "Raspberry Pi 4 Model B: not checked" in words(found_by("model", case))
    assert [finding.verdict for finding in found_by("spi", case)] == [SKIPPED]


@pytest.mark.parametrize(
    ("text", "core_freq"),
    [
        ("core_freq=250", "250"),
        ("core_freq = 250  # for the lights", "250"),
        ("#core_freq=250", None),
        ("core_freq=400\ncore_freq=250", "250"),
        ("[pi3]\ncore_freq=250", "250"),
        ("[pi3+]\ncore_freq=250", None),
        ("[pi4]\ncore_freq=250", None),
        ("[pi4]\n[all]\ncore_freq=250", "250"),
        ("[none]\ncore_freq=250", None),
        ("[EDID=SOME-SCREEN]\n[pi3]\ncore_freq=250", None),
    ],
)
def test_a_setting_counts_in_the_sections_for_the_pi(text: str, core_freq: str | None) -> None:
    assert dict(settings_of(text, ("pi3",))).get("core_freq") == core_freq


@pytest.mark.parametrize(
    ("driver", "order", "most"), [("spi", "GRB", 151), ("spi", "GRBW", 113), ("neopixel", "GRB", 339)]
)
def test_a_bigger_buffer_is_asked_for_only_by_more_lights_than_the_usual_one_holds(
    driver: str, order: str, most: int, tmp_path: Path
) -> None:
    machine = machine_of(tmp_path, PIS["4"])
    for count, verdict in ((60, OK), (most, OK), (most + 1, PROBLEM)):
        board = driven_by(driver, count=count)
        case = case_of(machine, replace(board, strip=replace(board.strip, order=order)))
        assert [finding.verdict for finding in found_by("spidev.bufsiz", case)] == [verdict]


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.EROFS, "read-only"), (errno.ENOSPC, "free some space"), (errno.EACCES, "EL_GRANDE_HOME")],
)
def test_a_disk_that_takes_nothing_is_a_problem(
    number: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(folder: Path) -> float:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(disk, "timed_write", refused)
    [finding] = found_by("disk", case_of(machine_of(tmp_path, {})))
    assert finding.verdict is PROBLEM
    assert os.strerror(number) in str(finding.found)
    assert said in str(finding.do)


def test_the_disk_is_told_with_the_file_that_is_on_it(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, {})
    assert f"10000 MB are free for games, in {machine.database};" in words(found_by("disk", case_of(machine)))


@pytest.mark.parametrize(
    ("tree", "database", "said"),
    [
        ({"home": "a file"}, "home/table.db", "{root}/home is not a folder"),
        ({"home": "a file"}, "home/deep/down/table.db", "{root}/home is not a folder"),
        ({"home/table.db/file": ""}, "home/table.db", "{root}/home/table.db is not a file"),
    ],
)
def test_what_is_in_the_way_of_the_database_is_a_problem(tree: Tree, database: str, said: str, tmp_path: Path) -> None:
    [finding] = found_by("disk", case_of(machine_of(tmp_path, tree, database=tmp_path / database)))
    assert finding.verdict is PROBLEM
    assert str(tmp_path / database) in str(finding.found)
    assert said.format(root=tmp_path) in str(finding.found)
    assert "Move" in str(finding.do)


def test_a_database_that_may_not_be_written_is_a_problem(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, {"home/table.db": ""}, may_use=lambda path: False)
    [finding] = found_by("disk", case_of(machine))
    assert finding.verdict is PROBLEM
    assert (
        str(finding.found)
        == f"Games cannot be saved in {machine.database}: player is not allowed to read and write it."
    )
    assert f"sudo chown player {machine.database}" in str(finding.do)


def test_the_disk_comes_before_what_is_kept_on_it() -> None:
    assert list(CHECK).index("disk") < list(CHECK).index("tags")


def test_looking_at_the_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    found_by("disk", case_of(machine_of(tmp_path, {})))
    assert list(tmp_path.iterdir()) == []


def test_this_machine_can_be_asked_everything() -> None:
    machine = Machine()
    assert machine.user
    assert machine.free_bytes(Path("/")) > 0
    assert machine.has_package("gpiozero")
    assert not machine.has_package("a_package_that_is_not_there")
    assert machine.may_use(Path("/dev/null"))
    assert machine.synchronised() in (True, False, None)
    assert machine.now().year >= 2026


# --- the port of the web server --------------------------------------------------------------------------------------


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as server:
        server.bind(("", 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_taken_port_is_told_with_the_program_that_has_it(taken_port: int) -> None:
    [finding] = found_by("port", replace(case_of(Machine()), web_port=taken_port))
    assert finding.verdict is PROBLEM
    assert f"Port {taken_port} is in use by " in str(finding.found)
    assert f"process {os.getpid()}" in str(finding.found)


def test_a_taken_port_is_told_where_nobody_knows_by_whom(taken_port: int, tmp_path: Path) -> None:
    [finding] = found_by("port", replace(case_of(machine_of(tmp_path, {})), web_port=taken_port))
    assert str(finding.found) == f"Port {taken_port} is in use by another program."


def test_a_free_port_is_well() -> None:
    # Port 0 is whichever is free.
    assert [finding.verdict for finding in found_by("port", replace(case_of(Machine()), web_port=0))] == [OK]


def test_the_program_at_a_port_is_found_in_a_tree(tmp_path: Path) -> None:
    # As in /proc/net/tcp6: number, here, there, state, queues, timers, retransmits, user, time-out, inode.
    rows = ["header", "0: 0:1F40 0:0000 0A 0:0 0:0 0 0 0 4711 1", "1: 0:1F41 0:1234 01 0:0 0:0 0 0 0 4712 1"]
    machine_of(tmp_path, {"proc/net/tcp6": "\n".join(rows), "proc/321/comm": "webserver\n"})
    (tmp_path / "proc/322").mkdir()
    (tmp_path / "proc/321/fd").mkdir()
    for number in (4711, 4712):
        (tmp_path / f"proc/321/fd/{number}").symlink_to(f"socket:[{number}]")
    assert listener(tmp_path, 8000) == ("webserver", 321)
    assert listener(tmp_path, 8001) is None


def test_a_port_that_is_refused_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing(socket.socket):
        def bind(self, address: object) -> None:
            raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("companion.doctor.web_port.socket.socket", Refusing)
    [finding] = found_by("port", replace(case_of(machine_of(tmp_path, {})), web_port=80))
    assert str(finding.found) == "Port 80 cannot be used: Permission denied."


# --- the board file --------------------------------------------------------------------------------------------------


def test_every_mistake_of_a_board_file_is_a_finding(tmp_path: Path) -> None:
    good = Path(__file__).parents[2] / "hardware" / "boards" / "standard.toml"
    bad = tmp_path / "mine.toml"
    bad.write_text(good.read_text().replace("count = 60", "count = 59").replace("readers = 4", "readers = 9"))
    with examine(str(bad), simulated=True, machine=machine_of(tmp_path, {})) as case:
        findings = found_by("configuration", case)
        assert len(findings) >= 2
        assert {finding.verdict for finding in findings} == {PROBLEM}
        assert "hubs.north.readers is wrong: 9." in words(findings)
        assert "expected: a whole number from 1 to 4" in words(findings)
        for name in ("pins", "strip", "hubs", "readers", "tags"):
            assert "has to be fixed first" in words(found_by(name, case))


def test_a_board_file_without_mistakes_is_well(tmp_path: Path) -> None:
    assert [finding.verdict for finding in found_by("configuration", case_of(machine_of(tmp_path, {})))] == [OK]


# --- pins and lights -------------------------------------------------------------------------------------------------


class HeldDown(MockPin):  # type: ignore[misc]
    """A pin that somebody holds to the ground, whatever its resistor pulls."""

    def drive_high(self) -> None:
        self.drive_low()


def pins_held(*gpios: int) -> MockFactory:
    factory = MockFactory()
    for gpio in gpios:
        factory.pin(gpio, pin_class=HeldDown)
    return factory


def test_a_button_that_is_down_is_told_by_name(tmp_path: Path) -> None:
    pins = pins_held(STANDARD.places["granada"].button, STANDARD.controls["undo"])
    findings = found_by("pins", case_of(machine_of(tmp_path, {}), equipment=Equipment(no_hubs, lambda board: pins)))
    assert [(finding.verdict, str(finding.found)) for finding in findings] == [
        (WARNING, "The button of granada is down."),
        (WARNING, "The button of undo is down."),
    ]


def test_buttons_that_are_up_are_well_and_are_let_go_of(tmp_path: Path) -> None:
    pins = pins_held()
    case = case_of(machine_of(tmp_path, {}), equipment=Equipment(no_hubs, lambda board: pins))
    for _ in range(2):
        assert words(found_by("pins", case)).startswith("ok: All 12 buttons")


def test_pins_out_of_reach_are_a_problem(tmp_path: Path) -> None:
    pins = pins_held()
    with DigitalInputDevice(STANDARD.places["galicia"].button, pin_factory=pins):
        [finding] = found_by(
            "pins", case_of(machine_of(tmp_path, {}), equipment=Equipment(no_hubs, lambda board: pins))
        )
    assert finding.verdict is PROBLEM
    assert "The buttons cannot be reached: GPIO 4, button of galicia" in str(finding.found)


def lights(case: Case, board: Board = STANDARD, strip: SimulatedStrip | None = None) -> list[Finding]:
    equipment = Equipment(no_hubs, open_strip=(strip or SimulatedStrip()).open)
    return found_by("strip", replace(case, good_board=board, equipment=equipment))


def test_one_dark_frame_is_shown(tmp_path: Path) -> None:
    strip = SimulatedStrip()
    findings = lights(case_of(machine_of(tmp_path, {})), strip=strip)
    assert [finding.verdict for finding in findings] == [OK, OK]
    assert strip.frames
    assert not any(strip.data)


def test_a_small_budget_is_a_warning(tmp_path: Path) -> None:
    poor = replace(STANDARD, strip=replace(STANDARD.strip, budget_ma=150))
    findings = lights(case_of(machine_of(tmp_path, {})), poor)
    assert [finding.verdict for finding in findings] == [OK, WARNING]
    assert "150 mA is enough for 1 of 60" in words(findings)


def test_a_strip_that_fails_is_a_problem(tmp_path: Path) -> None:
    class Failing(SimulatedStrip):
        def write(self, data: bytes) -> None:
            raise RuntimeError("ws2811_render failed with code -14 (SPI transfer error)")

    findings = lights(case_of(machine_of(tmp_path, {})), strip=Failing())
    assert words(findings).startswith("problem: No frame could be sent to the lights: ws2811_render failed")


def test_a_strip_that_cannot_be_opened_is_a_problem(tmp_path: Path) -> None:
    def refused(strip: Strip) -> Pixels:
        raise StripOutOfReach("No module named 'board'")

    equipment = Equipment(no_hubs, open_strip=refused)
    [finding] = found_by("strip", case_of(machine_of(tmp_path, {}), equipment=equipment))
    assert str(finding.found) == "No frame could be sent to the lights: No module named 'board'."


# --- hubs and readers ------------------------------------------------------------------------------------------------


@pytest.fixture
def case(simulated_board: SimulatedBoard, tmp_path: Path) -> Case:
    """A simulated board whose time is in our hand."""
    equipment = Equipment(lambda board: simulated_board.pieces, pause=simulated_board.advance)
    return case_of(machine_of(tmp_path, {}), simulated_board.board, equipment)


def by_field(findings: list[Finding], field: str) -> dict[object, Verdict]:
    return {finding.found.fields[field]: finding.verdict for finding in findings}


def test_hubs_and_readers_that_answer_are_well(case: Case) -> None:
    findings = found_by("hubs", case)
    assert by_field(findings, "hub") == {"west": OK, "north": OK, "south": OK}
    assert "version 1, serial number 00000000CACAD1E2, 3 readers" in words(findings)
    readers = found_by("readers", case)
    assert by_field(readers, "where") == dict.fromkeys(STANDARD.places, OK)
    assert "The reader of galicia works (version 92 hexadecimal)." in words(readers)


def test_an_unplugged_hub_is_told_and_its_readers_are_not_asked(case: Case, simulated_board: SimulatedBoard) -> None:
    simulated_board.hubs["north"].unplug()
    simulated_board.advance(1.0)
    findings = found_by("hubs", case)
    assert by_field(findings, "hub") == {"west": OK, "north": PROBLEM, "south": OK}
    assert "The hub north is not connected: there is no port" in words(findings)
    readers = by_field(found_by("readers", case), "where")
    assert {where for where, verdict in readers.items() if verdict is SKIPPED} == {
        "pais-vasco", "aragon", "cataluna", "castillo",
    }  # fmt: skip
    assert set(readers.values()) == {OK, SKIPPED}


def test_the_lines_for_the_board_file_are_told_when_other_ports_are_there(
    case: Case, simulated_board: SimulatedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ["/dev/ttyACM0 (USB VID:PID=2E8A:0005 SER=E66058388345A52A LOCATION=1-1.2)"]
    monkeypatch.setattr("hardware.pieces.ports_present", lambda: here)
    simulated_board.hubs["west"].unplug()
    simulated_board.advance(1.0)
    said = words(found_by("hubs", case))
    assert '[hubs.west]:\nport = "hwgrep://SER=E66058388345A52A"  # /dev/ttyACM0' in said
    assert f"a copy of hardware/boards/standard.toml that you keep as {case.machine.database.parent}/board.toml" in said
    said = words(found_by("hubs", replace(case, board_name="/home/player/mine.toml")))
    assert "write its line into /home/player/mine.toml at [hubs.west]" in said


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PortNotAllowed("west", "/dev/ttyACM0", "dialout"), "sudo usermod -aG dialout $USER"),
        (PortBusy("west", "/dev/ttyACM0"), "which another program uses"),
        (PortFailed("west", "/dev/ttyACM0", "Input/output error"), "cannot be used: Input/output error. -> Is that"),
    ],
)
def test_a_port_that_is_refused_is_told_with_its_reason(
    error: BoardError, said: str, case: Case, simulated_board: SimulatedBoard
) -> None:
    simulated_board.hubs["west"].unplug()
    simulated_board.advance(1.0)
    simulated_board.pieces.hubs["west"].error = error
    assert said in words([finding for finding in found_by("hubs", case) if finding.verdict is PROBLEM])


def test_something_without_the_firmware_is_told_after_three_seconds(
    case: Case, simulated_board: SimulatedBoard
) -> None:
    simulated_board.hubs["west"].wire.silent = True
    simulated_board.hubs["west"].unplug()
    simulated_board.advance(0.1)
    simulated_board.hubs["west"].plug()
    simulated_board.advance(1.0)
    findings = found_by("hubs", case)
    assert by_field(findings, "hub") == {"west": PROBLEM, "north": OK, "south": OK}
    assert "companion firmware install west" in words(findings)


@pytest.mark.slow
def test_a_hub_that_talks_but_does_not_hear_is_told_as_such(case: Case, simulated_board: SimulatedBoard) -> None:
    simulated_board.hubs["west"].deaf = True
    simulated_board.advance(3.5)
    findings = found_by("hubs", case)
    assert by_field(findings, "hub") == {"west": PROBLEM, "north": OK, "south": OK}
    assert "Something is wrong with the hub west: it sends, but does not receive. -> Unplug it" in words(findings)


def test_a_hub_of_another_version_is_told(case: Case, simulated_board: SimulatedBoard) -> None:
    west = simulated_board.hubs["west"]
    hello = make_line("3F2A91C0", 0, "hello", "99", "0", "E66058388345A52A", "4", "idle", "0")
    west.wire.interject(hello)
    simulated_board.advance(0.6)
    west.wire.silent = True
    simulated_board.pieces.hubs["west"].link.lost()
    findings = found_by("hubs", case)
    assert "The hub west speaks another version than this program, which speaks 1." in words(findings)


def test_a_dead_reader_is_told_by_its_place(case: Case, simulated_board: SimulatedBoard) -> None:
    simulated_board.hubs["south"].break_reader(2)
    simulated_board.advance(0.5)
    findings = found_by("readers", case)
    assert by_field(findings, "where") == {**dict.fromkeys(STANDARD.places, OK), "granada": PROBLEM}
    assert "The reader of granada failed its test" in words(findings)
    assert "hub south, where it is reader 2" in words(findings)


def test_readers_are_asked_again_when_their_answers_are_lost(case: Case, simulated_board: SimulatedBoard) -> None:
    found_by("hubs", case)
    simulated_board.hubs["west"].wire.spoil(LineFault.DROP, 4)
    assert set(by_field(found_by("readers", case), "where").values()) == {OK}


def test_a_reader_in_no_place_goes_by_its_hub_and_number(case: Case, simulated_board: SimulatedBoard) -> None:
    places = {**case.board.places, "galicia": replace(case.board.places["galicia"], reader=None)}
    findings = found_by("readers", replace(case, good_board=replace(case.board, places=places)))
    assert "The reader of west/0 works" in words(findings)


@pytest.mark.parametrize("name", ["hubs", "readers", "tags"])
def test_a_board_without_hubs_needs_none(name: str, tmp_path: Path) -> None:
    with real_equipment() as equipment:
        case = case_of(machine_of(tmp_path, {}), find_board("buttons-only"), equipment)
        assert [finding.verdict for finding in found_by(name, case)] == [SKIPPED]


def test_real_hubs_that_are_not_there_are_told_at_once(tmp_path: Path) -> None:
    hubs = {"west": replace(STANDARD.hubs["west"], port=str(tmp_path / "nowhere"))}
    with real_equipment() as equipment:
        [finding] = found_by("hubs", case_of(machine_of(tmp_path, {}), replace(STANDARD, hubs=hubs), equipment))
    assert finding.verdict is PROBLEM
    assert "nowhere" in str(finding.found)


# --- tags ------------------------------------------------------------------------------------------------------------


# --- a table that plays ----------------------------------------------------------------------------------------------


@pytest.fixture
def playing(simulated_board: SimulatedBoard, tmp_path: Path) -> Case:
    """The case of a table that plays: its devices are open already."""
    board = simulated_board
    equipment = PlayingEquipment(board.buttons, board.lights, board.pieces, pause=board.advance)
    return case_of(machine_of(tmp_path, {}), board.board, equipment)


def test_the_devices_of_a_table_that_plays_are_looked_at_as_they_are(
    playing: Case, simulated_board: SimulatedBoard
) -> None:
    for name in ("pins", "strip", "hubs", "readers", "port"):
        assert {finding.verdict for finding in found_by(name, playing)} == {OK}, name
    frames = simulated_board.strip.frames
    assert "Frames go out to" in words(found_by("strip", playing))
    assert simulated_board.strip.frames == frames


def test_a_button_that_is_held_while_the_table_plays_is_told(playing: Case, simulated_board: SimulatedBoard) -> None:
    simulated_board.press("granada", seconds=None)
    simulated_board.advance(0.1)
    assert "The button of granada is down." in words(found_by("pins", playing))
    simulated_board.release("granada")
    simulated_board.advance(0.1)
    assert [finding.verdict for finding in found_by("pins", playing)] == [OK]


def test_a_strip_that_is_lost_while_the_table_plays_is_told_with_its_reason(
    playing: Case, simulated_board: SimulatedBoard
) -> None:
    simulated_board.strip.lost = True
    simulated_board.lights.show(Scene({"granada": Show(Pattern.BREATHE)}))
    simulated_board.advance(0.1)
    [finding] = found_by("strip", playing)
    assert finding.verdict is PROBLEM
    assert "the strip was unplugged" in str(finding.found)
    simulated_board.strip.lost = False
    simulated_board.advance(2.0)
    assert found_by("strip", playing)[0].verdict is OK


def test_readers_are_tested_anew_each_time(playing: Case, simulated_board: SimulatedBoard) -> None:
    assert {finding.verdict for finding in found_by("readers", playing)} == {OK}
    name, hub = next(iter(simulated_board.hubs.items()))
    hub.unplug()
    simulated_board.advance(3.0)
    assert SKIPPED in {finding.verdict for finding in found_by("readers", playing)}
    assert f"The hub {name}" in words([each for each in found_by("hubs", playing) if each.verdict is PROBLEM])


def enrol(file: Path, left_out: int) -> None:
    with open_database(file) as database:
        tags = Tags(database)
        pieces = [piece for piece, wanted in WHOLE_SET.items() for _ in range(wanted)]
        for number, piece in enumerate(pieces[left_out:]):
            tags.enrol(f"{number:08X}", piece)


@pytest.mark.parametrize(
    ("left_out", "verdict", "said"), [(0, OK, "All 158 tags"), (2, WARNING, "156 of 158"), (158, WARNING, "0 of 158")]
)
def test_tags_are_counted(left_out: int, verdict: Verdict, said: str, tmp_path: Path) -> None:
    machine = machine_of(tmp_path, {})
    enrol(machine.database, left_out)
    [finding] = found_by("tags", case_of(machine))
    assert finding.verdict is verdict
    assert said in str(finding.found)


@pytest.mark.parametrize("there", ["nothing", "an empty file", "an empty database"])
def test_no_tags_yet_is_one_verdict_and_nothing_is_made(there: str, tmp_path: Path) -> None:
    machine = machine_of(tmp_path, {"home/table.db": ""} if there == "an empty file" else {})
    if there == "an empty database":
        enrol(machine.database, 158)
    before = content_of(tmp_path)
    [finding] = found_by("tags", case_of(machine))
    assert (finding.verdict, str(finding.found)) == (WARNING, "0 of 158 tags are enrolled.")
    assert content_of(tmp_path) == before


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_counting_tags_changes_nothing(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, {})
    enrol(machine.database, 2)
    before = content_of(tmp_path)
    assert "156 of 158" in words(found_by("tags", case_of(machine)))
    assert content_of(tmp_path) == before


def test_tags_are_counted_while_a_table_has_the_database(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, {})
    enrol(machine.database, 2)
    with open_database(machine.database) as database:
        Tags(database).enrol("FFFFFFFF", next(iter(WHOLE_SET)))
        before = sorted(content_of(tmp_path))
        assert "157 of 158" in words(found_by("tags", case_of(machine)))
        assert sorted(content_of(tmp_path)) == before


def test_a_damaged_database_is_a_problem_told_with_its_cause_and_what_to_do(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, {"home/table.db": "no database at all " * 100})
    [finding] = found_by("tags", case_of(machine))
    assert finding.verdict is PROBLEM
    assert f"{machine.database} is not a database, or it is damaged" in str(finding.found)
    assert str(finding.do).startswith("Move it away to start over")
    assert "EL_GRANDE_HOME" in str(finding.do)
    assert "--database" not in str(finding)


def test_saved_games_are_checked_and_a_damaged_one_is_named_with_its_move(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, {})
    assert "There are no saved games yet." in words(found_by("games", case_of(machine)))
    with open_database(machine.database) as database:
        journal = Journal(database)
        for _ in range(2):
            journal.import_record(opening().record())
    before = content_of(tmp_path)
    assert "All 2 saved games are whole." in words(found_by("games", case_of(machine)))
    assert content_of(tmp_path) == before
    with open_database(machine.database) as database:
        database.execute("INSERT INTO entries VALUES (2, 12, 'undo', '1', 'table', '')")
    [finding] = found_by("games", case_of(machine))
    assert finding.verdict is PROBLEM
    assert f"Game 2 in {machine.database} cannot be read from move 11 on" in str(finding.found)
    assert "`companion repair 2`" in str(finding.do)


# --- the doctor itself -----------------------------------------------------------------------------------------------


class Raising(Check):
    """Fails after its first finding."""

    name = "raising"

    def look(self, case: Case) -> Iterator[Finding]:
        yield self.ok("So far, so good.")
        raise ZeroDivisionError("division by zero")


def test_a_check_that_raises_is_a_finding(tmp_path: Path) -> None:
    first, second = run(Raising(), case_of(machine_of(tmp_path, {})))
    assert first.verdict is OK
    assert second.verdict is PROBLEM
    assert str(second.found) == "This could not be checked: ZeroDivisionError: division by zero"


def test_a_check_that_needs_no_board_may_not_ask_for_one(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="has mistakes"):
        _ = case_of(machine_of(tmp_path, {}), board=None).board


def test_every_check_has_a_name_of_its_own() -> None:
    assert len(CHECK) == len(CHECKS)


def test_a_machine_without_hardware_gets_a_simulated_board_and_a_pi_its_own(tmp_path: Path) -> None:
    with examine("standard", machine=machine_of(tmp_path, {})) as case:
        assert case.simulated
    with examine("standard", machine=machine_of(tmp_path, PIS["4"])) as case:
        assert not case.simulated


def test_simulated_equipment_runs_by_itself(tmp_path: Path) -> None:
    with simulated_equipment() as equipment:
        case = case_of(machine_of(tmp_path, {}), equipment=equipment)
        for name in ("pins", "strip", "hubs", "readers"):
            assert {finding.verdict for finding in found_by(name, case)} == {OK}


# --- Versions --------------------------------------------------------------------------------------------------------


def test_the_versions_of_program_firmware_and_board_file_are_said(tmp_path: Path) -> None:
    [finding] = found_by("version", case_of(machine_of(tmp_path, {})))
    board = hashlib.sha256(board_file("standard").read_bytes()).hexdigest()[:8]
    assert f"Version {version('el-grande-table')}, firmware {firmware_build()}, board file standard ({board})." in str(
        finding.found
    )


def test_an_update_that_was_taken_back_is_mentioned_until_another_works(tmp_path: Path) -> None:
    failed = {"at": "", "version": "0.2.0", "before": "0.1.0", "works": False, "why": "it crashed 3 times"}
    path = "var/lib/el-grande-updates/outcomes.json"
    [_, finding] = found_by("version", case_of(machine_of(tmp_path / "failed", {path: json.dumps([failed])})))
    assert finding.verdict is WARNING
    assert "The last update, to version 0.2.0, was taken back: it crashed 3 times." in str(finding.found)
    outcomes = json.dumps([failed, {**failed, "works": True}])
    assert len(found_by("version", case_of(machine_of(tmp_path / "works", {path: outcomes})))) == 1

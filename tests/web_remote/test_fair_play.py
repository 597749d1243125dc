"""Fair play on the pages: what everybody is shown of the deals, and what phones add to them."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import Game
from companion.storage.notes import PhoneNote
from companion.table.fair_deal import bots_seed, digits, hash_of
from companion.table.mixing import FIRST_S
from companion.table.options import Options
from hardware.simulated import interpreters
from tests.support.web_rig import Browser, WebRig, with_pages
from tests.table.test_fair_deal import SEED, play_on
from tests.web_remote.test_set_up import data_of
from web_remote.access import known_by

STATIC = Path(__file__).parents[2] / "web_remote" / "static"
TOKEN = "the-token-of-the-phone-of-red"
NUMBER = "11" * 32


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebRig]:
    """A table of two at which red's phone sat from the start."""
    notes = [PhoneNote("red", known_by(TOKEN))]
    game, options = Game(("red", "blue"), rounds=6), Options(guided=False)
    with with_pages(tmp_path, game, options, seed=SEED, notes=notes) as rig:
        yield rig


def test_a_phone_adds_its_number_when_it_is_asked(web: WebRig) -> None:
    red = web.browser("red")
    fair = red.state("red")["fair_play"]
    assert (fair["dealt"], fair["commitment"], fair["seed"]) == ("fair", hash_of(digits(SEED)), "")
    assert fair["call"] == {"round": fair["call"]["round"], "step": "hash", "hashes": {}}
    mix_round = fair["call"]["round"]
    assert red.post("/mix", round=mix_round, value=hash_of(NUMBER)).json == {"ok": True}
    web.rig.table.poll()
    assert red.state()["fair_play"]["call"]["hashes"] == {"red": hash_of(NUMBER)}
    assert red.post("/mix", round=mix_round, value=NUMBER).json == {"ok": True}
    web.rig.table.poll()
    assert red.state()["fair_play"]["numbers"] == {"red": NUMBER}
    assert red.state()["king"] is not None
    refused = red.post("/mix", round=mix_round, value=NUMBER).json
    assert refused is not None
    assert refused["ok"] is False


def test_only_a_phone_at_the_table_adds_a_number(web: WebRig) -> None:
    assert web.browser().post("/mix", round=0, value=NUMBER).status_code == 403
    for wrong in ({"round": "x", "value": NUMBER}, {"round": 0}, {"round": 0, "value": "1" * 65}):
        assert web.browser("red").post("/mix", **wrong).status_code == 400


def everything(browser: Browser, seat: str) -> str:
    """Returns all that a browser can get, as text."""
    paths = ("/", "/join", "/phone", "/table", "/board", "/history", "/state", f"/state?seat={seat}", "/me", "/result")
    return "".join(browser.get(path).text for path in paths)


def test_no_page_has_the_seed_before_the_end_and_the_result_has_it_afterwards(web: WebRig) -> None:
    red, stranger, machine = web.browser("red"), web.browser(), web.at_the_machine()
    web.rig.pass_s(2 * FIRST_S)
    secrets = (digits(SEED), str(bots_seed(SEED)), f"{bots_seed(SEED):064x}")
    looks = 0
    while not web.rig.game.over:
        seen = everything(red, "red") + everything(stranger, "blue") + everything(machine, "")
        assert not [secret for secret in secrets if secret in seen]
        looks += 1
        play_on(web.rig, 40, seed=looks)
    assert looks > 3
    web.rig.pass_s(60)
    for browser in (red, stranger):
        assert browser.state()["fair_play"]["seed"] == digits(SEED)
        assert data_of(browser, "/result")["result"]["fair_play"]["seed"] == digits(SEED)


@pytest.mark.slow
def test_the_pages_own_hash_is_sha_256() -> None:
    node = interpreters._node()
    if node is None:
        pytest.skip("needs node")
    script = (STATIC / "shared" / "sha256.js").read_text("utf-8").replace("export ", "")
    script += "for (let n = 0; n < 200; n += 1) console.log(sha256(Uint8Array.from({ length: n }, (_, i) => 7 * i)));"
    said = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True, timeout=60).stdout.split()
    assert said == [hashlib.sha256(bytes(7 * i % 256 for i in range(n))).hexdigest() for n in range(200)]

"""Makes the moving picture of the README: one round of a real game on the board in a browser, with its scoring.

`python -m tools.moving_picture` plays the game in a table with all its parts, looks at the page with Chromium after
every move, and puts the pictures together. Bots of the same seed play the same game.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image
from playwright.sync_api import sync_playwright

from companion.bots import Bot, make_bot
from companion.engine import SEATS, Game, Move, deal
from companion.table.options import Options
from tests.browser.conftest import CHROMIUM, OPTIONS
from tests.browser.phones import Device, Phones
from tests.browser.served import served

FILE: Final = Path(__file__).parent.parent / "docs" / "pictures" / "game.gif"
MOST_BYTES: Final = 2_000_000
ROUND: Final = 3
"""The round that is shown: the first that ends with a general scoring."""
SEED: Final = 12
SIZE: Final = (1280, 800)
SHOWN: Final = (800, 500)
COLOURS: Final = 96
STEP_MS: Final = 550
"""How long a move is shown."""
LAST_MS: Final = 3000
SETTLE_MS: Final = 350
"""How long the page may take to move the pieces."""
SCORING_LOOKS: Final = 9
"""How many pictures are taken of a scoring, which the table shows place by place."""
NOT_SHOWN: Final = ("recruit", "end", "allow")
"""Moves that change hardly anything in the picture."""


def main() -> None:
    """Makes the picture, and fails if it would be too large."""
    frames = list(_filmed())
    palette = frames[-1][0].quantize(COLOURS, dither=Image.Dither.NONE)
    pictures = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture, _ in frames]
    pictures[0].save(
        FILE,
        save_all=True,
        append_images=pictures[1:],
        duration=[shown_ms for _, shown_ms in frames],
        loop=0,
        optimize=True,
    )
    size = FILE.stat().st_size
    print(f"{FILE.name}: {len(frames)} pictures, {size / 1e6:.2f} MB")
    if size > MOST_BYTES:
        raise SystemExit(f"{FILE.name} is larger than {MOST_BYTES / 1e6:g} MB: show less, or with fewer colours")


def _filmed() -> Iterator[tuple[Image.Image, int]]:
    """Yields pictures of the round, each with how long it is shown."""
    bots = {seat: make_bot("normal", SEED) for seat in SEATS[:4]}
    options = Options(guided=False, veto_s=0.0, pace="instant")
    with (
        sync_playwright() as playwright,
        TemporaryDirectory() as folder,
        served(Path(folder), _before_the_round(bots), options, board="standard") as table,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        with Phones(browser) as phones:
            device = phones.new(table, {"width": SIZE[0], "height": SIZE[1]})
            device.sit("red", path="/board")
            device.after(0)
            yield _picture(device), STEP_MS
            while table.now.public.view["round"] == ROUND:
                scored = len(table.now.public.view["scorings"])
                seat = next(seat for seat, prompt in table.now.prompts.items() if prompt.asked is not None)
                view = table.now.seats[seat].view
                move = bots[seat].decide(view, [Move.parse(line) for line in view["legal"]]).move
                table.say(seat, " ".join((move.verb, *move.args)))
                device.up_to_date()
                if len(table.now.public.view["scorings"]) > scored + 1:
                    for _ in range(SCORING_LOOKS):
                        yield _picture(device), STEP_MS
                elif move.verb not in NOT_SHOWN:
                    yield _picture(device), STEP_MS
            yield _picture(device), LAST_MS
        browser.close()


def _before_the_round(bots: dict[str, Bot]) -> Game:
    """Returns the game up to the round, played without a table."""
    game, rng = Game(tuple(bots)), Random(SEED)
    while game.round < ROUND or game.to_act == ("table",):
        seat = game.to_act[0]
        if seat == "table":
            deal(game, rng)
        else:
            game.play(bots[seat].decide(game.view(seat), game.legal_moves(seat)).move)
    return game


def _picture(device: Device) -> Image.Image:
    device.page.wait_for_timeout(SETTLE_MS)
    return Image.open(BytesIO(device.page.screenshot())).convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()

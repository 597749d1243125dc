"""`companion card`: prepares a card that installs the table when a Raspberry Pi starts from it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from companion.installation.card import RELEASE, PiCard, texts
from companion.installation.errors import BadCard, BadRelease
from companion.installation.host import HostProgramFailed
from companion.installation.release import sum_of, trusted_keys, unpack

WHERE_RELEASES_ARE: Final = (Path(), Path("build/release"))
"""Where a release is looked for that nobody named: here, and where `make release` puts it."""


@click.command()
@click.argument("path", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--release", "archive", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The release to put on it, el-grande-table-VERSION.tar. Default: the newest here or in build/release.",
)  # fmt: skip
@click.option("--remove", is_flag=True, help="Take the table off the card again.")
@click.option("--dry-run", is_flag=True, help="Only print what would be done.")
def card(path: Path, archive: Path | None, remove: bool, dry_run: bool) -> None:
    """Put the table on a Raspberry Pi's card.

    It installs itself when a Pi starts from that card.

    PATH is the boot partition of a card that Raspberry Pi Imager has written, with Raspberry Pi OS (64-bit) from
    October 2025 or later: the folder that a computer shows as bootfs. User, Wi-Fi and keys that were chosen in Imager
    stay as they are. Neither a screen nor a network is needed afterwards: the Pi's own light shows how far it is.
    Run the command again to bring the card up to date.
    """
    chosen = PiCard(path)
    try:
        if remove:
            _remove(chosen, dry_run)
        else:
            _put(chosen, archive or _newest(), dry_run)
    except (BadCard, BadRelease, HostProgramFailed) as problem:
        raise click.ClickException(str(problem)) from None


def _newest() -> Path:
    found = [file for folder in WHERE_RELEASES_ARE for file in folder.glob("el-grande-table-*.tar")]
    if not found:
        raise click.UsageError("There is no release here. Name one: --release el-grande-table-VERSION.tar")
    return max(found, key=lambda file: file.stat().st_mtime)


def _put(chosen: PiCard, archive: Path, dry_run: bool) -> None:
    chosen.check()
    with TemporaryDirectory(prefix="el-grande-") as folder:
        release = unpack(archive, Path(folder))
        keys = trusted_keys()
        if keys:
            release.check(keys)
        else:
            release.check_files()
        version = release.version
    if chosen.note:
        click.echo(f"Note: {chosen.note}", err=True)
    if dry_run:
        for name in (RELEASE, *texts(version, sum_of(archive), chosen.host_name, chosen.hotspot)):
            click.echo(f"would write: {chosen.folder / name}")
        return
    click.echo(f"Copying version {version} to {chosen.folder}")
    chosen.put(archive, version)
    click.echo(
        "Done. Eject the card, put it into the Pi, and switch the Pi on. In about ten minutes the table is ready at "
        f"http://{chosen.host_name}.local\n"
        "Meanwhile the Pi's light blinks slowly; then it stays on. EL-GRANDE.txt on the card says the same, and more."
    )


def _remove(chosen: PiCard, dry_run: bool) -> None:
    if not chosen.ours:
        raise BadCard(f"There is no El Grande table on {chosen.folder}.")
    for name in chosen.ours:
        click.echo(f"{'would delete' if dry_run else 'delete'}: {chosen.folder / name}")
    if not dry_run:
        chosen.remove()
        click.echo("The table is off this card. What a Pi has installed already stays on it.")

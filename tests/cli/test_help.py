"""What every command says of itself."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from companion.cli import main


def commands(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from commands(each, (*words, name))


ALL = list(commands(main))


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_fits_a_terminal_and_no_sentence_is_cut(words: tuple[str, ...]) -> None:
    # In a terminal of 80 columns, click leaves two of them free.
    result = CliRunner().invoke(main, [*words, "--help"], terminal_width=78)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 78
    # The usage line says [ARGS]..., and click ends what it cuts in the same way.
    assert not [line for line in lines if line.endswith("...") and not line.startswith("Usage:")]


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_says_what_it_does_in_a_sentence(words: tuple[str, ...]) -> None:
    command: click.Command = main
    for word in words:
        assert isinstance(command, click.Group)
        command = command.commands[word]
    first = (command.help or "").splitlines()[0]
    assert first.endswith(".")
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            assert option.help, option.name

"""Every command says what it does; NO_COLOR and pipes get no colours."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import fairbones.cli
from fairbones.cli import main
from fairbones.cli.output import coloured
from tests.cli.houses import Place, run

OPERATORS = ("keys", "export", "import", "backup", "doctor", "prune", "sweep")


def commands(group: click.Group, *words: str) -> Iterator[tuple[str, ...]]:
    """The words of every command below a group."""
    for name, command in group.commands.items():
        yield (*words, name)
        if isinstance(command, click.Group):
            yield from commands(command, *words, name)


ALL = [words for words in commands(main) if words[0] in OPERATORS]


def test_every_command_is_in_the_help() -> None:
    said = run("--help").ok().out
    for name in ("serve", "demo", "bots", "openapi", *OPERATORS):
        assert f"\n  {name} " in said
    assert len(ALL) >= 16


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_it_says_what_it_does(words: tuple[str, ...]) -> None:
    ended = run(*words, "--help").ok()
    assert ended.out.startswith("Usage: ")
    command: click.Command = main
    for word in words:
        assert isinstance(command, click.Group)
        command = command.commands[word]
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
    assert run(*words, "--no-such-option").code == 2


def test_help_needs_nothing_heavy() -> None:
    """A misspelt word is answered without a database, a web server or a client of Redis."""
    folder = Path(fairbones.cli.__file__).parent
    heavy = ("store", "house", "api", "app", "keys", "serving")
    for path in folder.glob("*.py"):
        if path.name in ("places.py", "servers.py", "bots.py"):
            continue  # themselves imported late
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                assert node.module.removeprefix("fairbones.").split(".")[0] not in heavy, path
                assert not node.module.startswith("fairbones.cli.places"), path


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert coloured("ok", "green") == "ok"
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert coloured("ok", "green") == "\x1b[32mok\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert coloured("ok", "green") == "ok"


def test_wrong_settings_are_one_sentence_each(place: Place) -> None:
    """For every command alike, before it does anything."""
    given = {
        "export": ("-",),
        "import": ("/dev/null",),
        "backup": ("folder",),
        "prune": ("--older-than", "1"),
        "keys rotate": ("kek",),
        "keys retire": ("0" * 16,),
        "keys api create": ("name",),
        "keys api revoke": ("0" * 8,),
    }
    for words in ALL:
        name = " ".join(words)
        if name in ("doctor", "keys", "keys api"):
            continue
        ended = place.run(*words, *given.get(name, ()), FAIRBONES_PORT="x")
        assert "FAIRBONES_PORT" in ended.refused(), name
        assert not place.data.exists()

"""The `fairbones` commands that the pages and files of deploy/ name: each is one, with its options.

That the lines for nginx on a host can be run twice is seen here as well.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml

from fairbones.cli import main
from tests.deploy.texts import DEPLOY

PAGES = ["README.md", "RUNBOOK.md"]
FILES = [
    "compose.yaml",
    "compose.single.yaml",
    "systemd/fairbones-admin",
    "systemd/fairbones-backup.service",
    "systemd/redis-mode.conf",
    "systemd/sealed-keys.conf",
    "kubernetes/overlays/redis/backup.yaml",
]
# Whatever starts our program with the words after it: on a host, in a container, in a drill.
START = re.compile(
    r"(?:(?<![\w./:-])(?<!-[ntu] )(?:/usr/local/sbin/)?fairbones(?:-admin)?"
    r"|\bexec (?:-T )?fairbones fairbones|\brun --rm (?:-T )?(?:keys|admin)"
    r'|\bat (?:sqlite|"\$\w+") "\$[^"]+") (?=[a-z])'
)
END = re.compile(r"[`|&;<>()#\n]|, |\.(?:\s|$)| \d?>")
# The program's name in prose and as a name of something else.
PROSE = {"alone", "as", "fairbones", "in", "and", "is"}


def named(text: str) -> Iterator[list[str]]:
    """The words after `fairbones`, of each time that it is started."""
    for found in START.finditer(text):
        rest = text[found.end() :]
        end = END.search(rest)
        words = rest[: end.start() if end else None].split()
        if words and words[0] not in PROSE:
            yield words


def wrong(words: list[str]) -> str:
    """What the command line would not understand, if anything."""
    command: click.Command = main
    rest = list(words)
    while isinstance(command, click.Group):
        if not rest:
            return ""
        word = rest.pop(0)
        found = command.commands.get(word)
        if found is None:
            return f"no command {word} in {' '.join(words)}"
        command = found
    known = {name for it in command.params for name in (*it.opts, *it.secondary_opts)}
    known.add("--help")
    strange = [it for it in rest if it.startswith("--") and it.partition("=")[0] not in known]
    return f"no {strange} in {' '.join(words)}" if strange else ""


def shell(name: str) -> str:
    """The lines of a page that are for a shell; a file as it is."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    if name not in PAGES:
        return text
    blocks = re.findall(r"```\w+\n(.*?)```", text, re.S) + re.findall(r"^    .+$", text, re.M)
    return "\n".join([*blocks, *re.findall(r"`([^`\n]+)`", text)])


@pytest.mark.parametrize("name", [*PAGES, *FILES])
def test_every_command_is_one(name: str) -> None:
    found = list(named(shell(name)))
    assert found or name == "systemd/sealed-keys.conf"
    assert "\n".join(it for it in map(wrong, found) if it) == ""


def test_the_commands_of_all_platforms_are_found() -> None:
    found = [" ".join(it) for it in named(shell("RUNBOOK.md"))]
    for command in ("doctor", "keys rewrap", "keys rotate receipt --prepare", "keys api create"):
        assert sum(it.startswith(command) for it in found) >= 2, command
    assert any(it.startswith("import --ended-only") for it in found)


@pytest.mark.parametrize(
    "text",
    [
        "run --rm admin keys rerwap",
        "fairbones-admin keys rotate kek --prepared",
        'at "$NEW" "$WORK/new" import --ended "$WORK/old.jsonl"',
        "kubectl exec deploy/fairbones -- fairbones dokter",
    ],
)
def test_a_planted_error_is_found(text: str) -> None:
    assert [it for it in map(wrong, named(text)) if it]


def test_the_command_of_a_container_is_one() -> None:
    for name in ("compose.yaml", "compose.single.yaml"):
        for it in yaml.safe_load((DEPLOY / name).read_text())["services"].values():
            if it.get("image") == "fairbones":
                assert wrong(it.get("command", ["serve"])) == ""


def test_the_lines_for_nginx_can_be_run_twice(tmp_path: Path) -> None:
    """And then every file has the name of the house, and lies where nginx.conf includes it."""
    page = (DEPLOY / "README.md").read_text()
    [block] = [it for it in re.findall(r"(?:^    .+\n)+", page, re.M) if "HOUSE=" in it]
    lines = [it.strip() for it in block.splitlines() if not it.strip().startswith("nginx -t")]
    (tmp_path / "conf.d").mkdir()
    script = "\n".join(lines).replace("/etc/nginx", shlex.quote(str(tmp_path)))
    for _ in range(2):
        subprocess.run(["bash", "-euc", script], cwd=DEPLOY.parent, check=True, timeout=20)
    shipped = {it.name for it in (DEPLOY / "nginx" / "host").iterdir()}
    there = {it.name: it for it in (tmp_path / "fairbones").iterdir()}
    assert set(there) == shipped | {"fullchain.pem", "privkey.pem"}
    assert (tmp_path / "conf.d" / "fairbones.conf").is_file()
    for name in shipped:
        assert "example.org" not in there[name].read_text(), name
    assert "server_name dominoes.example.net;" in there["listen.conf"].read_text()

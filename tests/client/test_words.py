"""A command line that makes no sense: exit 3 and a sentence, whatever the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairbones_verify.cli import main
from fairbones_verify.client import Unreachable, Wire

MATCH = "ab" * 16
ADDRESSES = (
    "http://h:99999",
    "http://h:x",
    "http://h:0",
    "http://[",
    "http://[::1",
    "http://a..b",
    "http://" + "x" * 70 + ".de",
    "http://",
    "http://h/a b",
    "http://h/\u00e4",
)


def code_of(text: str) -> str:
    told = json.loads(text)
    return str(told["failure"]["code"] if "failure" in told else told["result"])


@pytest.mark.parametrize("url", ADDRESSES)
def test_an_address_that_is_none(
    url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    seat = ["--match", MATCH, "--seat", "0", "--keep", f"{tmp_path}/keep"]
    for words in (
        ["play", url, *seat],
        ["watch", url, "--match", MATCH],
        [url],
        ["compare", url, "http://localhost:0"],
    ):
        assert main([*words, "--json"]) == 3
        assert code_of(capsys.readouterr().out) in ("start/url", "not-started")
    with pytest.raises(Unreachable):
        Wire(url)


@pytest.mark.parametrize(
    "words",
    [
        ["watch", "http://h", "--match", "../../keys"],
        ["watch", "http://h", "--match", MATCH, "--seconds", "nan"],
        ["watch", "http://h", "--match", MATCH, "--seconds", "-1"],
        ["play", "http://h", "--match", MATCH.upper(), "--seat", "0"],
        ["play", "http://h", "--match", MATCH, "--seat", "-1"],
        ["play", "http://h", "--match", MATCH, "--seat", "64"],
        ["play", "http://h", "--match", MATCH],
        ["--keep"],
    ],
)
def test_what_makes_no_sense(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--json"]) == 3
    assert code_of(capsys.readouterr().out) == "start/usage"


def test_a_key_that_is_no_key(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["watch", "http://h", "--match", MATCH],
        ["play", "http://h", "--match", MATCH, "--seat", "0"],
    ):
        assert main([*words, "--json", "--key", "00" * 32]) == 3
        assert code_of(capsys.readouterr().out) == "start/key"


@pytest.mark.parametrize("keep", [["--keep", "play"], ["--keep=play"], ["--keep", "audit"]])
def test_a_keep_of_any_name(keep: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """What belongs to an option is no command."""
    assert main([*keep, "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["said"] == f"{keep[-1].rpartition('=')[2]}: No such file or directory"


def test_a_name_like_a_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["--name", "play", "play", "http://[", "--match", MATCH, "--seat", "0"]
    assert main([*words, "--keep", f"{tmp_path}/keep", "--json"]) == 3
    assert code_of(capsys.readouterr().out) == "not-started"

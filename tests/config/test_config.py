"""The environment: every variable, every refusal, and the table the docs are held to."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairbones.cli import main
from fairbones.config import EXIT_REFUSED, FOREIGN, VARIABLES, Settings, load_settings
from fairbones.core.errors import FairbonesError

ALL = {row.name: row for row in VARIABLES}


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("FAIRBONES_"):
            monkeypatch.delenv(name)


def problems() -> list[str]:
    with pytest.raises(FairbonesError) as caught:
        load_settings()
    assert caught.value.code == "config/invalid"
    found = caught.value.details["problems"]
    assert isinstance(found, list)
    assert caught.value.message.splitlines() == found
    return found


def test_nothing_needs_to_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/srv/somebody")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert load_settings() == Settings(
        host="127.0.0.1",
        port=8400,
        data=Path("/srv/somebody/.local/share/fairbones"),
        threads=32,
        waiters=16,
        wait_max=30,
        body_max=65_536,
        grace=10,
        log_level="info",
    )


def test_everything_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "HOST": "::1",
        "PORT": "0",
        "DATA": "/srv/bones",
        "THREADS": "8",
        "WAITERS": "7",
        "WAIT_MAX": "0",
        "BODY_MAX": "1024",
        "GRACE": "1",
        "LOG_LEVEL": "error",
    }
    assert {f"FAIRBONES_{name}" for name in given} == set(ALL)
    for name, value in given.items():
        monkeypatch.setenv(f"FAIRBONES_{name}", value)
    settings = load_settings()
    assert settings == Settings(
        host="::1",
        port=0,
        data=Path("/srv/bones"),
        threads=8,
        waiters=7,
        wait_max=0,
        body_max=1024,
        grace=1,
        log_level="error",
    )
    assert settings.address == "http://[::1]:0"


def test_the_table_names_every_setting_once() -> None:
    assert [row.field for row in VARIABLES] == [it.name for it in dataclasses.fields(Settings)]
    assert all(row.name == f"FAIRBONES_{row.field.upper()}" for row in VARIABLES)
    assert all(row.meaning and row.allowed and row.default_text for row in VARIABLES)


def test_the_data_folder_of_a_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/srv/somebody")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert load_settings().data == Path("/data/fairbones")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert load_settings().data == Path("/srv/somebody/.local/share/fairbones")
    monkeypatch.setenv("FAIRBONES_DATA", "~/bones")
    assert load_settings().data == Path("/srv/somebody/bones")
    monkeypatch.setenv("FAIRBONES_DATA", "bones")
    assert load_settings().data == Path.cwd() / "bones"


BAD = {
    "HOST": ["", "a b", "http://x", "host\n"],
    "PORT": ["", "-1", "65536", "http", "84.5", "1e3"],
    "DATA": [""],
    "THREADS": ["1", "513", "many"],
    "WAITERS": ["-1", "512", "x"],
    "WAIT_MAX": ["-1", "121", "x"],
    "BODY_MAX": ["1023", "1048577", "64k"],
    "GRACE": ["0", "121", "x"],
    "LOG_LEVEL": ["", "INFO", "verbose"],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in BAD.items() for value in values]
)
def test_a_bad_value_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"FAIRBONES_{name}", value)
    (sentence,) = problems()
    row = ALL[f"FAIRBONES_{name}"]
    assert sentence == f"{row.name} is {value!r}; it has to be {row.allowed}."


def test_every_variable_has_a_bad_value_here() -> None:
    assert {f"FAIRBONES_{name}" for name in BAD} == set(ALL)


def test_some_thread_must_be_left_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRBONES_THREADS", "4")
    monkeypatch.setenv("FAIRBONES_WAITERS", "4")
    (sentence,) = problems()
    assert sentence == (
        "FAIRBONES_WAITERS is 4; it has to be less than FAIRBONES_THREADS, which is 4."
    )


def test_all_problems_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRBONES_PORT", "x")
    monkeypatch.setenv("FAIRBONES_THREADS", "x")
    monkeypatch.setenv("FAIRBONES_PROT", "x")
    assert len(problems()) == 3


def test_a_misspelt_variable_is_told_and_its_value_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FAIRBONES_TOKEN", "hunter2")
    (sentence,) = problems()
    assert "FAIRBONES_TOKEN" in sentence
    assert "hunter2" not in sentence


def test_the_variable_of_the_tests_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"FAIRBONES_SEED"} == FOREIGN
    monkeypatch.setenv("FAIRBONES_SEED", "17")
    load_settings()


# ---------------------------------------------------------------- the command line


def fairbones(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fairbones.cli", *words],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_the_command_says_what_is_wrong_and_nothing_else() -> None:
    ended = fairbones("serve", FAIRBONES_PORT="99999", FAIRBONES_TREADS="2")
    assert ended.returncode == EXIT_REFUSED == 3
    assert ended.stdout == ""
    assert ended.stderr.splitlines() == [
        (
            "fairbones: FAIRBONES_TREADS is not a variable of Fairbones; "
            "`fairbones serve --help` lists them all."
        ),
        "fairbones: FAIRBONES_PORT is '99999'; it has to be a whole number from 0 to 65535.",
    ]


def asked(*words: str) -> str:
    """What the command says, in this process."""
    answered = CliRunner().invoke(main, words, prog_name="fairbones")
    assert answered.exit_code == 0
    return answered.output


def test_the_help_lists_every_variable() -> None:
    told = asked("serve", "--help")
    for row in VARIABLES:
        assert row.name in told
        assert f"{row.allowed}; default: {row.default_text}" in " ".join(told.split())


def test_the_commands() -> None:
    told = asked("--help")
    assert all(name in told for name in ("serve", "openapi", "demo"))
    assert asked("--version").startswith("fairbones, version ")

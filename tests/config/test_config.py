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


@pytest.fixture
def password(tmp_path: Path) -> Path:
    file = tmp_path / "password"
    file.write_text("hunter2\n")
    file.chmod(0o640)
    return file


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
        store="sqlite",
        store_password_file=None,
        wait_replicas=0,
        keys=Path("/srv/somebody/.local/share/fairbones/keys"),
        workers=1,
        connections=8_000,
        threads=32,
        waiters=16,
        wait_max=30,
        heartbeat=15,
        sweep=30,
        body_max=65_536,
        grace=10,
        proxies=0,
        openers="anyone",
        rate=0,
        open_cost=600_000,
        log_level="info",
    )


def test_everything_can_be_set(monkeypatch: pytest.MonkeyPatch, password: Path) -> None:
    given = {
        "HOST": "::1",
        "PORT": "0",
        "DATA": "/srv/bones",
        "STORE": "rediss://cache.example:6380/3?ca=/etc/ca.pem",
        "STORE_PASSWORD_FILE": str(password),
        "WAIT_REPLICAS": "2",
        "KEYS": "/srv/keys",
        "WORKERS": "5",
        "CONNECTIONS": "16",
        "THREADS": "8",
        "WAITERS": "15",
        "WAIT_MAX": "0",
        "HEARTBEAT": "60",
        "SWEEP": "0",
        "BODY_MAX": "1024",
        "GRACE": "1",
        "PROXIES": "5",
        "OPENERS": "keys",
        "RATE": "60",
        "OPEN_COST": "0",
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
        store="rediss://cache.example:6380/3?ca=/etc/ca.pem",
        store_password_file=password,
        wait_replicas=2,
        keys=Path("/srv/keys"),
        workers=5,
        connections=16,
        threads=8,
        waiters=15,
        wait_max=0,
        heartbeat=60,
        sweep=0,
        body_max=1024,
        grace=1,
        proxies=5,
        openers="keys",
        rate=60,
        open_cost=0,
        log_level="error",
    )
    assert settings.shared
    assert settings.store_password() == "hunter2"
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
    "STORE": [
        "",
        "file",
        "sqlite3",
        "sqlite\n",
        "http://x",
        "redis://",
        "redis://a b",
        "Redis://x",
        "unix+cluster://x",
    ],
    "STORE_PASSWORD_FILE": [""],
    "WAIT_REPLICAS": ["-1", "10", "x"],
    "KEYS": [""],
    "WORKERS": ["0", "65", "auto"],
    "CONNECTIONS": ["15", "100001", "x"],
    "THREADS": ["1", "513", "many"],
    "WAITERS": ["-1", "100001", "x"],
    "WAIT_MAX": ["-1", "121", "x"],
    "HEARTBEAT": ["0", "61", "0.5"],
    "SWEEP": ["-1", "3601", "never"],
    "BODY_MAX": ["1023", "1048577", "64k"],
    "GRACE": ["0", "121", "x"],
    "PROXIES": ["-1", "6", "10.0.0.1"],
    "OPENERS": ["", "key", "ANYONE"],
    "RATE": ["-1", "1000001", "60/m"],
    "OPEN_COST": ["-1", "1000000001", "x"],
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
    said = "wrong" if row.secret else repr(value)
    assert sentence == f"{row.name} is {said}; it has to be {row.allowed}."


def test_every_variable_has_a_bad_value_here() -> None:
    assert {f"FAIRBONES_{name}" for name in BAD} == set(ALL)


def test_some_thread_must_be_left_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRBONES_THREADS", "4")
    monkeypatch.setenv("FAIRBONES_WAITERS", "4")
    (sentence,) = problems()
    assert sentence == (
        "FAIRBONES_WAITERS is 4; it has to be less than FAIRBONES_THREADS, which is 4."
    )


def test_a_shared_store_counts_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads and waiters of a file's service are no measure for it."""
    monkeypatch.setenv("FAIRBONES_STORE", "redis://x")
    monkeypatch.setenv("FAIRBONES_CONNECTIONS", "1000")
    settings = load_settings()
    assert settings.waiters == 900
    assert settings.workers == min(64, len(os.sched_getaffinity(0)))
    monkeypatch.setenv("FAIRBONES_WAITERS", "999")
    assert load_settings().waiters == 999
    monkeypatch.setenv("FAIRBONES_WAITERS", "1000")
    (sentence,) = problems()
    assert sentence == (
        "FAIRBONES_WAITERS is 1000; it has to be less than FAIRBONES_CONNECTIONS, which is 1000."
    )


@pytest.mark.parametrize(
    "store",
    [
        "redis://127.0.0.1:6379/0",
        "rediss://user:secret@x/1?ca=/ca.pem",
        "valkey://x",
        "valkeys://x",
        "unix:///run/redis.sock",
        "redis+sentinel://a:1,b:2/house",
        "rediss+sentinel://a:1/house/3",
        "redis+cluster://a:1,b:2",
        "valkeys+cluster://a:1",
    ],
)
def test_a_store_is_shown_without_its_password(monkeypatch: pytest.MonkeyPatch, store: str) -> None:
    monkeypatch.setenv("FAIRBONES_STORE", store)
    settings = load_settings()
    assert settings.shared
    assert settings.store == store
    assert "secret" not in settings.store_shown
    assert "secret" not in repr(settings)
    assert settings.store_shown.partition("://")[0] == store.partition("://")[0]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("WORKERS", "2", "FAIRBONES_WORKERS is 2; with FAIRBONES_STORE `sqlite` it has to be 1"),
        ("WAIT_REPLICAS", "1", "FAIRBONES_WAIT_REPLICAS is 1; with FAIRBONES_STORE `sqlite`"),
        ("STORE_PASSWORD_FILE", "/x", "FAIRBONES_STORE_PASSWORD_FILE is set; with FAIRBONES_STORE"),
    ],
)
def test_what_a_file_cannot_do_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(f"FAIRBONES_{name}", value)
    (sentence,) = problems()
    assert sentence.startswith(said)
    assert sentence.endswith(".")


def test_one_worker_on_a_file_may_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRBONES_WORKERS", "1")
    monkeypatch.setenv("FAIRBONES_WAIT_REPLICAS", "0")
    assert load_settings().workers == 1


def test_the_keys_lie_in_the_data_folder_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRBONES_DATA", "/srv/bones")
    assert load_settings().keys == Path("/srv/bones/keys")
    monkeypatch.setenv("FAIRBONES_KEYS", "here")
    assert load_settings().keys == Path.cwd() / "here"


# ---------------------------------------------------------------- the password file


def test_two_passwords_are_refused(monkeypatch: pytest.MonkeyPatch, password: Path) -> None:
    monkeypatch.setenv("FAIRBONES_STORE", "redis://:secret@x/0")
    monkeypatch.setenv("FAIRBONES_STORE_PASSWORD_FILE", str(password))
    (sentence,) = problems()
    assert "leave one of them out" in sentence
    assert "secret" not in sentence
    monkeypatch.setenv("FAIRBONES_STORE", "redis://user@x/0")
    assert load_settings().store_password() == "hunter2"


@pytest.mark.parametrize("mode", [0o604, 0o644, 0o602, 0o601])
def test_a_password_that_everybody_may_read_is_refused(
    monkeypatch: pytest.MonkeyPatch, password: Path, mode: int
) -> None:
    password.chmod(mode)
    monkeypatch.setenv("FAIRBONES_STORE", "redis://x")
    monkeypatch.setenv("FAIRBONES_STORE_PASSWORD_FILE", str(password))
    (sentence,) = problems()
    assert sentence == (
        f"FAIRBONES_STORE_PASSWORD_FILE: {password} can be read by everybody; "
        "run `chmod o= FILE` on it."
    )


@pytest.mark.parametrize(
    "held", [b"", b"\n", b"one\ntwo\n", b"\xff\n", b"x" * 5_000], ids=lambda it: str(it[:5])
)
def test_a_file_without_a_password_is_refused(
    monkeypatch: pytest.MonkeyPatch, password: Path, held: bytes
) -> None:
    password.write_bytes(held)
    monkeypatch.setenv("FAIRBONES_STORE", "redis://x")
    monkeypatch.setenv("FAIRBONES_STORE_PASSWORD_FILE", str(password))
    (sentence,) = problems()
    assert "has to hold" in sentence


def test_a_password_file_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FAIRBONES_STORE", "redis://x")
    os.mkfifo(tmp_path / "pipe", 0o600)
    for name, said in (
        ("nothing", "cannot be read (No such file or directory)"),
        (".", "is not a file"),
        ("pipe", "is not a file"),
    ):
        monkeypatch.setenv("FAIRBONES_STORE_PASSWORD_FILE", str(tmp_path / name))
        (sentence,) = problems()
        assert said in sentence


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

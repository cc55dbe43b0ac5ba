"""gunicorn.conf.py: gunicorn takes it in both modes, and it has a gunicorn do as `serve` does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.deploy.running import environment
from tests.deploy.texts import BIN, DEPLOY, ROOT, planted

CONF = DEPLOY / "gunicorn.conf.py"
MODES = {
    "sqlite": {"STORE": "sqlite"},
    "redis": {"STORE": "redis://127.0.0.1:6379/0", "WORKERS": "3"},
}


def checked(path: Path, folder: Path, mode: str, what: str) -> tuple[int, str]:
    """`--check-config` also makes the app, so here it is one that needs nothing."""
    done = subprocess.run(
        [BIN / "gunicorn", what, "-c", path, "tests.deploy.nothing:app"],
        cwd=ROOT,
        env=environment(DATA=str(folder / "house"), **MODES[mode]),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("mode", MODES)
def test_gunicorn_takes_it(mode: str, tmp_path: Path) -> None:
    assert checked(CONF, tmp_path, mode, "--check-config") == (0, "")


def test_it_has_the_workers_of_the_mode(tmp_path: Path) -> None:
    said = {mode: checked(CONF, tmp_path, mode, "--print-config")[1] for mode in MODES}
    rows = {
        mode: dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
        for mode, text in said.items()
    }
    plain = {
        mode: {name.strip(): value.strip() for name, value in row.items()}
        for mode, row in rows.items()
    }
    assert plain["sqlite"]["workers"] == "1"
    assert plain["redis"]["workers"] == "3"
    assert plain["sqlite"]["worker_class"] != plain["redis"]["worker_class"]
    for row in plain.values():
        assert row["preload_app"] == "False"
        assert row["control_socket_disable"] == "True"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("globals().update(", "globals().updates(", "updates"),
        ("gunicorn_settings())", "gunicorn_settings() | {'workers': 'two'})", "workers"),
        ("fairbones.serving.hooks", "fairbones.serving.hook", "No module named"),
    ],
)
def test_a_planted_error_is_found(old: str, new: str, said: str, tmp_path: Path) -> None:
    copy = planted(CONF, tmp_path / "gunicorn.conf.py", old, new)
    code, words = checked(copy, tmp_path, "sqlite", "--check-config")
    assert code != 0
    assert said in words

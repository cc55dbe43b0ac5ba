"""fairbones-admin: what it asks systemd for is what the unit and its drop-ins say."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.running import environment
from tests.deploy.texts import BIN, DEPLOY, judged
from tests.servers.programs import need

SCRIPT = DEPLOY / "systemd" / "fairbones-admin"
# As systemctl shows them of the unit with redis-mode.conf, a file of settings that has to be there,
# and a value with a space in it.
SHOWN = {
    "LoadState": "loaded",
    "User": "fairbones",
    "Group": "fairbones",
    "UMask": "0077",
    "Environment": 'FAIRBONES_STORE=redis://fairbones@10.0.0.5/0 "FAIRBONES_DATA=/srv/the house"'
    " FAIRBONES_STORE_PASSWORD_FILE=/run/credentials/fairbones.service/redis-password",
    "EnvironmentFiles": "/etc/fairbones/environment (ignore_errors=yes)\n"
    "/etc/fairbones/more (ignore_errors=no)",
}
SYSTEMCTL = """\
#!/bin/sh
case "$1" in
  show) cat "$SHOWN/${2#--property=}" ;;
  cat) cat "$SHOWN/cat" ;;
esac
"""
# Writes down what it was asked for, a word a line, and ends as the command would.
SYSTEMD_RUN = '#!/bin/sh\nprintf "%s\\n" "$@" > "$SHOWN/asked"\nexit 7\n'


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    """A folder with what systemctl has to say, and the two programs in it."""
    for name, text in SHOWN.items():
        (tmp_path / name).write_text(text + "\n")
    parts = [SCRIPT.with_name(it).read_text() for it in ("fairbones.service", "redis-mode.conf")]
    (tmp_path / "cat").write_text("\n".join(parts))
    for name, text in {"systemctl": SYSTEMCTL, "systemd-run": SYSTEMD_RUN}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    return tmp_path


def admin(shown: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = f"{shown}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", SCRIPT, *words],
        env=environment() | {"PATH": path, "SHOWN": str(shown)},
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )


def asked(shown: Path) -> tuple[list[str], list[str], list[str]]:
    """Options, properties of the unit, and the command."""
    words = (shown / "asked").read_text().splitlines()
    before, command = words[: words.index("--")], words[words.index("--") + 1 :]
    properties = [it.removeprefix("--property=") for it in before if it.startswith("--property=")]
    return [it for it in before if not it.startswith("--property=")], properties, command


def test_a_command_has_the_settings_of_the_service(shown: Path) -> None:
    done = admin(shown, "keys", "list", "--json")
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")
    options, properties, command = asked(shown)
    assert command == ["/opt/fairbones/bin/fairbones", "keys", "list", "--json"]
    [own] = [it.removeprefix("--unit=") for it in options if it.startswith("--unit=")]
    assert {"--wait", "--pipe", "--collect"} <= set(options)
    assert own != "fairbones.service"
    # The password is handed over in a folder of this command's own.
    handed = f"FAIRBONES_STORE_PASSWORD_FILE=/run/credentials/{own}/redis-password"
    assert {
        "User=fairbones",
        "Group=fairbones",
        "UMask=0077",
        "EnvironmentFile=-/etc/fairbones/environment",
        "EnvironmentFile=/etc/fairbones/more",
        "LoadCredential=redis-password:/etc/fairbones/redis-password",
    } <= set(properties)
    [given] = [it for it in properties if it.startswith("Environment=FAIRBONES_")]
    words = shlex.split(given.removeprefix("Environment="))
    assert words == [
        "FAIRBONES_STORE=redis://fairbones@10.0.0.5/0",
        "FAIRBONES_DATA=/srv/the house",
        handed,
    ]


def test_what_it_asks_for_is_understood(shown: Path) -> None:
    need("systemd-analyze", "apt-get install systemd")
    admin(shown, "doctor")
    _, properties, _ = asked(shown)
    unit = shown / "asked.service"
    unit.write_text("\n".join(["[Service]", *properties, "ExecStart=/bin/true", ""]))
    assert judged(["systemd-analyze", "verify", "--man=no", unit]) == (0, "")
    unit.write_text(unit.read_text().replace("NoNewPrivileges=yes", "NoNewPrivilege=yes"))
    assert "NoNewPrivilege" in judged(["systemd-analyze", "verify", "--man=no", unit])[1]


def test_a_shell_for_the_drills(shown: Path) -> None:
    admin(shown, "--shell")
    options, properties, command = asked(shown)
    assert "--pty" in options
    assert "--pipe" not in options
    assert command[0] == "/bin/bash"
    assert any(it.startswith("Environment=PATH=/opt/fairbones/bin:") for it in properties)


def test_without_the_unit_it_refuses_in_a_sentence(shown: Path) -> None:
    (shown / "LoadState").write_text("not-found\n")
    done = admin(shown, "doctor")
    assert done.returncode == 3
    assert done.stderr.startswith("fairbones-admin: there is no fairbones.service")
    assert not (shown / "asked").exists()


def test_it_is_shell() -> None:
    assert SCRIPT.stat().st_mode & 0o111
    assert judged(["bash", "-n", SCRIPT]) == (0, "")
    if shutil.which("shellcheck"):
        assert judged(["shellcheck", SCRIPT]) == (0, "")


# ------------------------------------------------------------------ sealed keys


def line(path: Path, start: str) -> str:
    [found] = [it for it in path.read_text().splitlines() if it.startswith(start)]
    return found.removeprefix(start)


def test_sealed_keys_are_all_there_after_a_start(tmp_path: Path) -> None:
    """As the runbook seals them, api-keys.json and a prepared key among them; twice, too."""
    keys, handed, run = tmp_path / "keys", tmp_path / "handed", tmp_path / "run"
    handed.mkdir()
    run.mkdir()
    theirs = environment(KEYS=str(keys))
    for words in (["create"], ["rotate", "kek", "--prepare"], ["api", "create", "lobby"]):
        command = [str(BIN / "fairbones"), "keys", *words]
        subprocess.run(command, env=theirs, check=True, capture_output=True, timeout=60)
    sealing = line(DEPLOY / "RUNBOOK.md", "  tar -C /run/fairbones/keys ").partition(" | ")[0]
    with (handed / "fairbones-keys").open("wb") as sealed:
        argv = ["tar", "-C", str(keys), *shlex.split(sealing)]
        subprocess.run(argv, stdout=sealed, check=True, timeout=20)
    argv = shlex.split(line(SCRIPT.with_name("sealed-keys.conf"), "ExecStartPre="))
    folders = {"RUNTIME_DIRECTORY": str(run), "CREDENTIALS_DIRECTORY": str(handed)}
    for _ in range(2):
        subprocess.run(argv, env=os.environ | folders, check=True, timeout=20)
    names = {it.name for it in (run / "keys").iterdir()}
    assert names == {it.name for it in keys.iterdir()} - {"lock"}
    assert "api-keys.json" in names
    theirs = environment(KEYS=str(run / "keys"))
    listed = subprocess.run(
        [BIN / "fairbones", "keys", "list"], env=theirs, capture_output=True, check=True, timeout=60
    )
    assert listed.stdout.count(b"prepared") == 1

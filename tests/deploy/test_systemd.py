"""The unit and its drop-ins: systemd understands them, and they let through no more than needed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from fairbones.config import EXIT_REFUSED
from tests.deploy.confined import CANNOT, allowed
from tests.deploy.running import OPENING, fetch, make_keys, service
from tests.deploy.texts import DEPLOY, ROOT, judged, planted
from tests.servers import redis_server
from tests.servers.programs import need

SYSTEMD = DEPLOY / "systemd"
UNIT = SYSTEMD / "fairbones.service"
DROP_INS = ["redis-mode.conf", "sealed-keys.conf"]
# Of 100: where systemd itself begins to say "OK" is 40.
EXPOSURE_MAX = 15
UNITS = Path("/usr/lib/systemd/system")
ANALYZE = "systemd-analyze"
COMMAND = "apt-get install systemd"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine with systemd's own units, the service's program, and the unit."""
    need(ANALYZE, COMMAND)
    program = tmp_path / "opt/fairbones/bin/fairbones"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "bin").mkdir()
    shutil.copy2("/bin/sh", tmp_path / "bin/sh")
    shutil.copytree(UNITS, tmp_path / "usr/lib/systemd/system", symlinks=True)
    folder = tmp_path / "etc/systemd/system"
    folder.mkdir(parents=True)
    shutil.copy2(UNIT, folder)
    return tmp_path


def verified(root: Path, name: str = UNIT.name) -> tuple[int, str]:
    unit = root / "etc/systemd/system" / name
    code, said = judged(["systemd-analyze", "verify", "--man=no", f"--root={root}", unit.name])
    # Words about other units of this machine are not ours to mend.
    ours = [line for line in said.splitlines() if UNIT.stem in line or "Unknown" in line]
    return code, "\n".join(ours)


def test_the_unit_is_understood(root: Path) -> None:
    assert verified(root) == (0, "")


@pytest.mark.parametrize("name", DROP_INS)
def test_a_drop_in_is_understood(name: str, root: Path) -> None:
    folder = root / "etc/systemd/system/fairbones.service.d"
    folder.mkdir()
    shutil.copy2(SYSTEMD / name, folder)
    assert verified(root) == (0, "")


@pytest.mark.parametrize("name", ["fairbones-backup.timer", "fairbones-backup.service"])
def test_the_backup_is_understood(name: str, root: Path) -> None:
    for path in ("usr/local/sbin/fairbones-admin", "usr/bin/install", "usr/bin/find"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("#!/bin/sh\n")
        (root / path).chmod(0o755)
    folder = root / "etc/systemd/system"
    for it in SYSTEMD.glob("fairbones-backup.*"):
        shutil.copy2(it, folder)
    assert verified(root, name) == (0, "")
    planted(SYSTEMD / name, folder / name, "\n[Unit]\n", "\n[Unit]\nDescribtion=x\n")
    assert "Describtion" in verified(root, name)[1]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ProtectSystem=strict", "ProtectSystem=strickt", "strickt"),
        ("RestrictRealtime=", "RestrictRealTime=", "RestrictRealTime"),
        ("/bin/fairbones serve", "/bin/fairbone serve", "not executable"),
        ("SystemCallFilter=@system-service", "SystemCallFilter=@system-services", "services"),
    ],
)
def test_a_planted_error_is_found(old: str, new: str, said: str, root: Path) -> None:
    planted(UNIT, root / "etc/systemd/system" / UNIT.name, old, new)
    assert said in verified(root)[1]


def exposure(path: Path) -> int:
    """The exit code of systemd-analyze, which says whether it is above the threshold."""
    return judged(
        [ANALYZE, "security", "--offline=true", f"--threshold={EXPOSURE_MAX}", "--no-pager", path]
    )[0]


def test_the_unit_is_hardly_exposed(tmp_path: Path) -> None:
    need(ANALYZE, COMMAND)
    assert exposure(UNIT) == 0
    softer = planted(UNIT, tmp_path / UNIT.name, "CapabilityBoundingSet=\n", "")
    assert exposure(softer) == 1


def setting(name: str) -> str:
    found = re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.M)
    assert len(found) == 1
    return str(found[0])


def test_the_service_has_time_to_stop() -> None:
    assert int(setting("TimeoutStopSec")) > int(setting("Environment=FAIRBONES_GRACE"))


def test_a_refusal_is_not_tried_again() -> None:
    assert int(setting("RestartPreventExitStatus")) == EXIT_REFUSED
    assert setting("Restart") == "on-failure"


def test_in_redis_mode_a_store_that_is_long_away_is_waited_for() -> None:
    """No limit on starts, which belongs into [Unit], and a refusal is no reason to stop."""
    unit, service = (SYSTEMD / "redis-mode.conf").read_text().split("[Service]")
    assert "\nStartLimitIntervalSec=0\n" in unit
    assert "\nRestartPreventExitStatus=\n" in service
    assert re.search(r"^RestartSec=([5-9]|1\d)$", service, re.M)


def test_no_backup_is_deleted_before_a_sound_one_is_there() -> None:
    lines = (SYSTEMD / "fairbones-backup.service").read_text().splitlines()
    folder = "/var/backups/fairbones"
    assert f"ExecStart=/usr/local/sbin/fairbones-admin backup {folder}" in lines
    [after] = [it for it in lines if "-delete" in it]
    assert after.startswith(f"ExecStartPost=/usr/bin/find {folder} ")


# ------------------------------------------------------------------ run


@pytest.fixture
def confined(tmp_path: Path) -> list[str]:
    """What has to stand before a command for it to be confined as the unit says."""
    need(ANALYZE, COMMAND)
    names = tmp_path / "allowed"
    names.write_text("\n".join(allowed(UNIT.read_text())))
    before = [sys.executable, "-m", "tests.deploy.confined", str(names)]
    probe = subprocess.run([*before, "/bin/true"], cwd=ROOT, check=False, timeout=20)
    if probe.returncode == CANNOT:
        pytest.skip("NOT RUN: confined as by systemd, which takes Linux 6.3 and libseccomp")
    assert probe.returncode == 0
    return before


@pytest.mark.parametrize(
    "attempt",
    [
        "import mmap; mmap.mmap(-1, 4096, prot=mmap.PROT_READ|mmap.PROT_WRITE|mmap.PROT_EXEC)",
        "import os; os.chown('/dev/null', 0, 0)",
        "import os; os.nice(1)",
        "import os; os.unshare(os.CLONE_NEWNS) if hasattr(os, 'unshare') else os.chroot('/')",
    ],
)
def test_what_the_unit_forbids_fails(attempt: str, confined: list[str]) -> None:
    done = subprocess.run(
        [*confined, sys.executable, "-c", attempt],
        cwd=ROOT,
        check=False,
        capture_output=True,
        timeout=20,
    )
    assert b"PermissionError" in done.stderr


@pytest.mark.parametrize("mode", ["sqlite", "redis"])
def test_the_service_needs_nothing_that_the_unit_forbids(
    mode: str, confined: list[str], tmp_path: Path
) -> None:
    with ExitStack() as stack:
        settings = {"KEYS": str(tmp_path / "keys")}
        make_keys(tmp_path / "keys")
        if mode == "redis":
            server = stack.enter_context(redis_server("valkey"))
            settings |= {"STORE": server.url, "WORKERS": "2", "CONNECTIONS": "200"}
        it = stack.enter_context(service(tmp_path, before=confined, **settings))
        status, body = fetch(f"http://127.0.0.1:{it.port}/v1/matches", OPENING)
        assert status == 201, body
        it.stop()
        assert "incident" not in it.log()

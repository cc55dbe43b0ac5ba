"""The variables that the files of deploy/ set: known to the service, with values that can be."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from fairbones.config import VARIABLES, load_settings
from fairbones.core.errors import FairbonesError
from tests.deploy.rendering import render
from tests.deploy.texts import DEPLOY

NAME = re.compile(r"\bFAIRBONES_[A-Z][A-Z_]*\b")


def image() -> dict[str, str]:
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    words = [shlex.split(line)[1:] for line in text.splitlines() if line.startswith("ENV ")]
    return dict(word.split("=", 1) for line in words for word in line)


def unit(*names: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        lines = re.findall(
            r"^Environment=(\w+)=(.*)$", (DEPLOY / "systemd" / name).read_text(), re.M
        )
        found |= dict(lines)
    # What systemd puts in.
    return {key: it.replace("%d", "/run/c").replace("%t", "/run") for key, it in found.items()}


def composed(name: str, service: str = "fairbones") -> dict[str, str]:
    services = yaml.safe_load((DEPLOY / name).read_text())["services"]
    given: dict[str, str] = services[service]["environment"]
    return image() | given


def pod(overlay: str) -> dict[str, str]:
    found = render(DEPLOY / "kubernetes" / "overlays" / overlay)
    given: dict[str, str] = found["ConfigMap", "fairbones-settings"]["data"]
    return image() | given


# The secret of the pods, as README.md has it made.
URL = re.findall(r"--from-literal=url=(\S+)", (DEPLOY / "README.md").read_text())
PLACES = {
    "image": image(),
    "compose": composed("compose.yaml"),
    "compose keys": composed("compose.yaml", "keys"),
    "compose admin": composed("compose.yaml", "admin"),
    "compose.single": composed("compose.single.yaml"),
    "single": pod("single"),
    "redis": pod("redis") | {"FAIRBONES_STORE": URL[0]},
    "systemd": unit("fairbones.service"),
    "systemd redis": unit("fairbones.service", "redis-mode.conf"),
    "systemd sealed": unit("fairbones.service", "sealed-keys.conf"),
}
SHARED = {"compose", "compose admin", "redis", "systemd redis"}


def use(monkeypatch: pytest.MonkeyPatch, folder: Path, variables: dict[str, str]) -> None:
    """Set these and no others; the file with the password is one that is here."""
    secret = folder / "password"
    secret.touch(0o440)
    secret.write_text("secret\n")
    for name in [it.name for it in VARIABLES]:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        if name.startswith("FAIRBONES_"):
            monkeypatch.setenv(name, str(secret) if name.endswith("_PASSWORD_FILE") else value)


@pytest.mark.parametrize("place", PLACES)
def test_the_service_takes_them(
    place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, tmp_path, PLACES[place])
    assert load_settings().shared == (place in SHARED)


@pytest.mark.parametrize("planted", [{"FAIRBONES_WORKER": "2"}, {"FAIRBONES_GRACE": "10s"}])
def test_a_planted_error_is_found(
    planted: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, tmp_path, PLACES["compose"] | planted)
    with pytest.raises(FairbonesError):
        load_settings()


def test_no_file_speaks_of_a_variable_that_there_is_not() -> None:
    known = {it.name for it in VARIABLES}
    for path in sorted(DEPLOY.rglob("*")):
        if path.is_file():
            assert set(NAME.findall(path.read_text())) <= known, path.name

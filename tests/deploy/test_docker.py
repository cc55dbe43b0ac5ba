"""The image and the compose files: linted, their parts there, their commands run."""

from __future__ import annotations

import fnmatch
import json
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from tests.deploy.running import service
from tests.deploy.texts import BIN, DEPLOY, ROOT, judged, planted
from tests.packaging.checkout import project_files

DOCKERFILE = DEPLOY / "Dockerfile"
TEXT = DOCKERFILE.read_text(encoding="utf-8")
LINES = re.sub(r"\\\n", " ", TEXT).splitlines()
COMPOSE = [DEPLOY / "compose.yaml", DEPLOY / "compose.single.yaml"]
SCHEMA: list[str | Path] = [
    BIN / "check-jsonschema",
    "--builtin-schema",
    "vendor.compose-spec",
]


def test_hadolint_has_nothing_to_say() -> None:
    assert judged([BIN / "hadolint", DOCKERFILE]) == (0, "")


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("FROM ${BASE} AS build", "FROM python AS build", "DL3006"),
        ("USER 10001:10001", "USER root", "DL3002"),
        ('ENTRYPOINT ["fairbones"]', "ENTRYPOINT fairbones", "DL3025"),
        ("RUN groupadd", "RUN apt-get update && apt-get install -y curl && groupadd", "DL3008"),
    ],
)
def test_hadolint_finds_a_planted_error(old: str, new: str, rule: str, tmp_path: Path) -> None:
    code, said = judged([BIN / "hadolint", planted(DOCKERFILE, tmp_path / "Dockerfile", old, new)])
    assert code == 1
    assert rule in said


def test_the_base_is_pinned() -> None:
    """hadolint does not look into an ARG."""
    assert re.findall(r"^FROM (\S+)", TEXT, re.M) == ["${BASE}", "scratch", "${BASE}"]
    assert re.search(r"^ARG BASE=python:3\.\d+-slim-[a-z]+$", TEXT, re.M)


def ignored(name: str) -> bool:
    """Whether the build never sees this file: the last pattern that fits has the say."""
    out = False
    for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!")
        if not pattern or pattern.startswith("#"):
            continue
        parts = name.split("/")
        above = ["/".join(parts[: end + 1]) for end in range(len(parts))]
        if pattern.startswith("**/"):
            above, pattern = parts, pattern.removeprefix("**/")
        if any(fnmatch.fnmatchcase(it, pattern) for it in above):
            out = not line.startswith("!")
    return out


def test_only_what_is_built_gets_into_the_build() -> None:
    assert not ignored("service/fairbones/app.py")
    for name in (".git/config", "deploy/secrets/redis-password", "keys/receipt-0001-00.key"):
        assert ignored(name), name
    assert ignored("service/fairbones/__pycache__/app.cpython-311.pyc")
    assert ignored("tests/conftest.py")


def test_what_the_build_copies_makes_both_wheels(tmp_path: Path) -> None:
    sources = [
        word
        for line in LINES
        if line.startswith("COPY ") and "--from" not in line
        for word in line.split()[1:-1]
    ]
    for path in project_files():
        name = path.relative_to(ROOT).as_posix()
        if not ignored(name) and any(name == it or name.startswith(f"{it}/") for it in sources):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, tmp_path / name)
    for project in (tmp_path, tmp_path / "verifier"):
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist"],
            cwd=project,
            check=True,
            capture_output=True,
            timeout=120,
        )
    names = sorted(it.name.partition("-")[0] for it in (tmp_path / "dist").iterdir())
    assert names == ["fairbones", "fairbones_verify"]


def test_the_build_backend_is_whole_and_locked() -> None:
    """The lines that awk takes from the lock: each package that hatchling needs, with hashes."""
    found = re.search(r"awk '(.*?)' ", TEXT)
    assert found is not None
    done = subprocess.run(
        ["awk", found[1], ROOT / "requirements" / "dev.txt"],
        capture_output=True,
        text=True,
        check=True,
    )
    taken = set(re.findall(r"^([a-z-]+)==", done.stdout, re.M))
    wanted, look = {"hatchling"}, ["hatchling"]
    while look:
        for text in metadata.requires(look.pop()) or []:
            it = Requirement(text)
            if (it.marker is None or it.marker.evaluate({"extra": ""})) and it.name not in wanted:
                wanted.add(it.name)
                look.append(it.name)
    assert taken == wanted
    assert done.stdout.count("--hash=") >= len(taken)


def test_the_health_check_tells_a_ready_service_from_none(tmp_path: Path) -> None:
    found = re.search(r"^HEALTHCHECK .*?CMD (\[.*\])$", "\n".join(LINES), re.M)
    assert found is not None
    argv = json.loads(found[1])
    assert argv[0] == "python"
    with service(tmp_path) as it:
        port = str(it.port)
        assert judged([sys.executable, *argv[1:]], FAIRBONES_PORT=port) == (0, "")
    code, _ = judged([sys.executable, *argv[1:]], FAIRBONES_PORT=port)
    assert code == 1


# ------------------------------------------------------------------ compose


@pytest.mark.parametrize("path", COMPOSE, ids=lambda it: it.name)
def test_compose_files_fit_their_schema(path: Path) -> None:
    code, said = judged([*SCHEMA, path])
    assert code == 0, said


@pytest.mark.parametrize("path", COMPOSE, ids=lambda it: it.name)
def test_the_schema_finds_a_planted_error(path: Path, tmp_path: Path) -> None:
    code, said = judged(
        [*SCHEMA, planted(path, tmp_path / "compose.yaml", "read_only: true", "readonly: true")]
    )
    assert code == 1
    assert "readonly" in said


def dangling(text: str) -> list[str]:
    """What a compose file names and does not have; the schema cannot see it."""
    whole: dict[str, Any] = yaml.safe_load(text)
    lost = []
    for name, it in whole["services"].items():
        uses = {
            "services": it.get("depends_on", {}),
            "networks": it.get("networks", {}),
            "secrets": it.get("secrets", []),
            "volumes": [
                volume.partition(":")[0]
                for volume in it.get("volumes", [])
                if not volume.startswith(".")
            ],
        }
        for kind, names in uses.items():
            lost += [f"{name}: {kind}/{use}" for use in names if use not in whole.get(kind, {})]
        for volume in it.get("volumes", []):
            host = volume.partition(":")[0]
            if host.startswith(".") and not (DEPLOY / host).exists():
                lost.append(f"{name}: {host}")
        build = it.get("build")
        if build and not (DEPLOY / build["context"] / build["dockerfile"]).is_file():
            lost.append(f"{name}: {build['dockerfile']}")
    return lost


@pytest.mark.parametrize("path", COMPOSE, ids=lambda it: it.name)
def test_all_that_a_compose_file_names_is_there(path: Path) -> None:
    assert dangling(path.read_text()) == []


def test_a_name_that_leads_nowhere_is_found() -> None:
    text = COMPOSE[0].read_text()
    assert dangling(text.replace("secrets: [redis-users]", "secrets: [redis-user]"))
    assert dangling(text.replace("./redis/redis.conf:", "./redis/redis.cnf:"))


@pytest.mark.parametrize("path", COMPOSE, ids=lambda it: it.name)
def test_no_container_can_more_than_it_has_to(path: Path) -> None:
    for name, it in yaml.safe_load(path.read_text())["services"].items():
        assert it["read_only"] is True, name
        assert it["cap_drop"] == ["ALL"], name
        assert it["security_opt"] == ["no-new-privileges:true"], name
        assert it["user"].partition(":")[0] not in ("0", "root"), name
        assert "cap_add" not in it, name
        assert it["restart"] in ("unless-stopped", "no"), name


@pytest.mark.parametrize("path", COMPOSE, ids=lambda it: it.name)
def test_a_container_is_not_killed_while_it_answers(path: Path) -> None:
    it = yaml.safe_load(path.read_text())["services"]["fairbones"]
    grace = int(it["environment"]["FAIRBONES_GRACE"])
    assert int(it["stop_grace_period"].removesuffix("s")) > grace

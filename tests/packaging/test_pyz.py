"""The verifier in one file: the same bytes from the same sources, and it runs with Python alone."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.packaging.checkout import ROOT, VERIFIER
from tests.packaging.test_distributions import modules, oldest_python

NAME = "fairbones-verify.pyz"
VECTORS = ROOT / "tests" / "vectors" / "valid"
FORGERIES = ROOT / "tests" / "forgeries"


def copied(target: Path, *, backwards: bool = False) -> Path:
    """A copy of what the file is built from, made in one order of names or the other."""
    names = ["LICENSE", "build_pyz.py", *modules(VERIFIER / "fairbones_verify")]
    for name in sorted(names, reverse=backwards):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((VERIFIER / name).read_bytes())
    return target


def build(
    checkout: Path, *arguments: str, umask: int = 0o022, python: str = sys.executable, **env: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, "-I", "-S", str(checkout / "build_pyz.py"), *arguments],
        cwd=checkout,
        env={"PATH": os.environ["PATH"], **env},
        umask=umask,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def pyz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once, and alone in its folder."""
    folder = tmp_path_factory.mktemp("pyz")
    ended = build(VERIFIER, "--output", str(folder))
    assert (ended.returncode, ended.stderr) == (0, "")
    digest = hashlib.sha256((folder / NAME).read_bytes()).hexdigest()
    assert ended.stdout == f"{digest}  {folder / NAME}\n"
    return folder / NAME


def test_two_machines_build_the_same_bytes(pyz: Path, tmp_path: Path) -> None:
    """Times, permissions, order of names, path, locale, and what else lies about make no
    difference."""
    one = copied(tmp_path / "one")
    two = copied(tmp_path / "a longer path" / "two", backwards=True)
    package = two / "fairbones_verify"
    for number, path in enumerate(sorted(two.rglob("*"))):
        os.utime(path, (10**9 + number, 10**9 + number))
        path.chmod(0o700 if path.is_dir() else 0o400 + number % 2 * 0o200)
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "cli.cpython-311.pyc").write_bytes(b"old")
    (package / "cli.py~").write_bytes(b"an editor's")
    (package / ".#cli.py").write_bytes(b"an editor's")
    (package / "notes").mkdir()
    (package / "notes" / "mine.py").write_bytes(b"no package")
    init = package / "__init__.py"
    init.chmod(0o600)
    init.write_bytes(init.read_bytes().replace(b"\n", b"\r\n"))
    other = {"TZ": "Asia/Tokyo", "LC_ALL": "C", "SOURCE_DATE_EPOCH": "1", "PYTHONHASHSEED": "7"}
    first = build(one, umask=0o000)
    second = build(two, umask=0o077, python=oldest_python(), **other)
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    files = [folder / "dist" / NAME for folder in (one, two)]
    assert files[0].read_bytes() == files[1].read_bytes() == pyz.read_bytes()
    sums = [path.with_name(f"{NAME}.sha256").read_bytes() for path in files]
    assert sums[0] == sums[1]


def test_another_source_gives_other_bytes(pyz: Path, tmp_path: Path) -> None:
    """The test above can fail: one letter makes a difference."""
    changed = copied(tmp_path)
    path = changed / "fairbones_verify" / "words.py"
    path.write_bytes(path.read_bytes() + b"#\n")
    assert build(changed).returncode == 0
    assert (changed / "dist" / NAME).read_bytes() != pyz.read_bytes()
    assert build(changed, "--check", str(pyz)).returncode == 1


def test_it_holds_the_modules_and_the_licence(pyz: Path) -> None:
    with zipfile.ZipFile(pyz) as opened:
        assert opened.testzip() is None
        infos = opened.infolist()
        inside = {info.filename: opened.read(info) for info in infos}
    due = {name for name in modules(VERIFIER / "fairbones_verify") if name.endswith(".py")}
    assert list(inside) == sorted(due | {"LICENSE", "__main__.py"})
    for name in due | {"LICENSE"}:
        assert inside[name] == (VERIFIER / name).read_bytes()
    assert inside["__main__.py"] == inside["fairbones_verify/__main__.py"]
    for info in infos:
        assert (info.date_time, info.compress_type) == ((1980, 1, 1, 0, 0, 0), zipfile.ZIP_STORED)
        assert (info.create_system, info.external_attr) == (3, 0o100644 << 16)
        assert not info.extra
    assert pyz.read_bytes().startswith(b"#!/usr/bin/env python3\nPK\3\4")
    assert os.access(pyz, os.X_OK)


def test_its_sum_is_for_sha256sum(pyz: Path) -> None:
    beside = pyz.with_name(f"{NAME}.sha256")
    digest = hashlib.sha256(pyz.read_bytes()).hexdigest()
    assert beside.read_text("ascii") == f"{digest}  {NAME}\n"
    program = shutil.which("sha256sum")
    assert program, "coreutils are part of every machine that these tests run on"
    argv = [program, "-c", beside.name]
    assert subprocess.run(argv, cwd=pyz.parent, capture_output=True, check=False).returncode == 0


def test_check_compares_and_builds_nothing(pyz: Path, tmp_path: Path) -> None:
    checkout = copied(tmp_path)
    digest = hashlib.sha256(pyz.read_bytes()).hexdigest()
    beside = pyz.with_name(f"{NAME}.sha256")
    for same in (digest, digest.upper(), str(pyz), str(beside)):
        ended = build(checkout, "--check", same)
        assert (ended.returncode, ended.stdout.splitlines()[-1]) == (0, "the same")
    for other in ("0" * 64, str(checkout / "LICENSE")):
        ended = build(checkout, "--check", other)
        assert (ended.returncode, ended.stdout.splitlines()[-1]) == (1, "they DIFFER")
    for wrong in (["--check", "no such file"], ["--check"], ["--nonsense"]):
        ended = build(checkout, *wrong)
        assert ended.returncode == 2
        assert "Traceback" not in ended.stderr
    assert not (checkout / "dist").exists()


def scenario(folder: Path, name: str) -> tuple[Path, int]:
    expect = json.loads((folder / f"{name}.json").read_text("utf-8"))["expect"]
    return folder / f"{name}.transcript.json", expect["exit"]


SAMPLE = [
    scenario(VECTORS, "block-2-seats"),
    scenario(VECTORS, "running-hand-1"),
    scenario(VECTORS, "lots-order"),
    scenario(FORGERIES / "refuted", "chain-event-dropped"),
    scenario(FORGERIES / "unreadable", "json-html"),
    (Path("no such file"), 3),
]


@pytest.mark.parametrize("python", [sys.executable, oldest_python()], ids=["this", "oldest"])
def test_it_runs_with_python_alone(pyz: Path, python: str, tmp_path: Path) -> None:
    """`-I -S` leaves nothing but the standard library; `cryptography` is not to be had."""
    assert {due for _, due in SAMPLE} == {0, 1, 2, 3}
    moved = tmp_path / "fairbones_verify"  # whatever it is called
    shutil.copy(pyz, moved)
    for path, due in SAMPLE:
        argv = [python, "-I", "-S", "-W", "error", str(moved), str(path), "--json"]
        ended = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stderr) == (due, "")
        assert json.loads(ended.stdout)["exit"] == due
    block = str(SAMPLE[0][0])
    for words in ([block, "--explain", "1:3"], ["compare", block, block]):
        argv = [python, "-I", "-S", "-W", "error", str(moved), *words]
        ended = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fairbones_verify"]


def test_it_runs_unpacked_too(pyz: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(pyz) as opened:
        opened.extractall(tmp_path / "unpacked")
    path, due = SAMPLE[0]
    argv = [sys.executable, "-I", "-S", str(tmp_path / "unpacked"), str(path)]
    assert subprocess.run(argv, capture_output=True, check=False).returncode == due

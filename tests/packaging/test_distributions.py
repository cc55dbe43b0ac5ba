"""Both distributions build from a clean copy, and hold what they should and no more."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

import fairbones
import fairbones_verify
from tests.packaging.checkout import ROOT, VERIFIER, copy_project

Builder = Callable[[str], Path]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Builder:
    """Builds a wheel the way an index would: source archive first, the wheel out of that."""
    folder = tmp_path_factory.mktemp("built")
    checkout = copy_project(folder / "checkout")
    wheels: dict[str, Path] = {}

    def hatchling(kind: str, project: Path, target: Path) -> Path:
        argv = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)]
        ended = subprocess.run(argv, cwd=project, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        (result,) = target.iterdir()
        return result

    def build(project: str) -> Path:
        if project not in wheels:
            target = folder / (project or "service")
            archive = hatchling("sdist", checkout / project, target / "sdist")
            with tarfile.open(archive) as opened:
                # Python 3.11.2, as Debian 12 has it, knows no filters yet.
                opened.extraction_filter = getattr(tarfile, "data_filter", None)
                opened.extractall(target / "source")
            (source,) = (target / "source").iterdir()
            wheels[project] = hatchling("wheel", source, target / "wheel")
        return wheels[project]

    return build


def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as opened:
        return opened.namelist()


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(opened.read(name).decode())


def modules(package: Path) -> set[str]:
    """The files of a package as its wheel should name them."""
    files = (path for path in package.rglob("*") if path.is_file())
    kept = (path for path in files if "__pycache__" not in path.parts)
    return {path.relative_to(package.parent).as_posix() for path in kept}


def test_service_wheel_is_the_package_and_nothing_else(built: Builder) -> None:
    wheel = built("")
    inside = {name for name in names(wheel) if ".dist-info/" not in name}
    assert inside == modules(ROOT / "service" / "fairbones")
    assert "fairbones/py.typed" in inside


def test_service_wheel_says_what_it_needs(built: Builder) -> None:
    described = metadata(built(""))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = [need for need in described.get_all("Requires-Dist", []) if "extra ==" not in need]
    assert len(needed) == len(project["dependencies"])
    assert described["Requires-Python"] == project["requires-python"]
    assert described["Version"] == fairbones.__version__


def test_verifier_wheel_is_the_package_and_nothing_else(built: Builder) -> None:
    wheel = built("verifier")
    inside = {name for name in names(wheel) if ".dist-info/" not in name}
    assert inside == modules(VERIFIER / "fairbones_verify")
    assert "fairbones_verify/py.typed" in inside


def test_verifier_wheel_needs_nothing(built: Builder) -> None:
    described = metadata(built("verifier"))
    assert described.get_all("Requires-Dist") is None
    assert described["Requires-Python"] == ">=3.9"
    assert described["Version"] == fairbones_verify.__version__


@pytest.mark.parametrize("project", ["", "verifier"], ids=["service", "verifier"])
def test_wheels_carry_the_licence(built: Builder, project: str) -> None:
    wheel = built(project)
    (licence,) = (name for name in names(wheel) if name.endswith("/licenses/LICENSE"))
    with zipfile.ZipFile(wheel) as opened:
        assert opened.read(licence) == (ROOT / project / "LICENSE").read_bytes()


def oldest_python() -> str:
    """The oldest Python here that the verifier promises to run on."""
    for minor in range(9, sys.version_info.minor):
        found = shutil.which(f"python3.{minor}")
        # A version manager may answer to names of Pythons that it has not switched on.
        if found and not subprocess.run([found, "-V"], capture_output=True, check=False).returncode:
            return found
    return sys.executable


@pytest.mark.parametrize("python", [sys.executable, oldest_python()], ids=["this", "oldest"])
def test_verifier_runs_from_its_wheel_with_python_alone(
    built: Builder, python: str, tmp_path: Path
) -> None:
    with zipfile.ZipFile(built("verifier")) as opened:
        opened.extractall(tmp_path)
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import fairbones_verify"
    if importlib.util.find_spec("fairbones_verify.cli"):
        program += "; from fairbones_verify.cli import main; sys.argv[1:] = ['--help']; main()"
    argv = [python, "-I", "-S", "-c", program]
    ended = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""

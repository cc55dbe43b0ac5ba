#!/usr/bin/env python3
"""The one door to a Fairbones checkout: `python3 dev.py demo`, `test`, `serve` and so on.

It needs Python 3.11 and nothing else, not even pip. The first run builds `.venv/` from
the hash-locked requirements with whatever the machine offers; later runs start straight
away for as long as the locks, the Python and the folder stay the same.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import FrameType
from typing import NamedTuple

# What a command does, and what it runs in its environment as arguments of its Python.
PROGRAMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "demo": ("play a provably fair deal from commitment to check", ("-m", "fairbones.cli", "demo")),
    "serve": ("run the service as FAIRBONES_* says", ("-m", "fairbones.cli", "serve")),
    "openapi": ("write openapi.yaml; --check compares", ("-m", "fairbones.cli", "openapi")),
    "pyz": ("build the verifier as one file; --check compares", ("verifier/build_pyz.py",)),
    "soak": ("run the long test NAME, and write docs/evidence.md", ("-m", "tests.soak")),
    "bench": ("measure the service", ("-m", "tests.bench")),
    "lab": ("judge the odds of many deals, of planted faults too", ("-m", "tests.lab")),
    "mutate": ("plant faults in the code; tests must see them", ("-m", "tests.mutation")),
    "oracles": ("compare with other engines; --bench: in speed", ("-m", "tests.oracles")),
}
LINTERS: dict[str, tuple[str, ...]] = {
    "ruff check": ("-m", "ruff", "check", "."),
    "ruff format": ("-m", "ruff", "format", "--check", "."),
    "mypy": ("-m", "mypy"),
    # The oldest Python that mypy can still speak for; the verifier promises 3.9.
    "mypy verifier": ("-m", "mypy", "--python-version", "3.10", "verifier/fairbones_verify"),
}

ROOT = Path(__file__).resolve().parent
PROJECTS = (ROOT, ROOT / "verifier")
LITTER = (".venv", ".cache", ".hypothesis", "build", "dist", "verifier/build", "verifier/dist")


class Venv(NamedTuple):
    """A folder with a Python of its own, and the lock that it is filled from."""

    folder: Path
    lock: Path

    @property
    def python(self) -> str:
        return str(self.folder / "bin" / "python")


STAMP = "fairbones-stamp"
VENV = Venv(ROOT / ".venv", ROOT / "requirements" / "dev.txt")
ORACLES = Venv(ROOT / ".cache" / "oracles-venv", ROOT / "requirements" / "oracles.txt")


class Trouble(Exception):
    """Something the reader has to put right; its text is one sentence on how."""


def say(text: str) -> None:
    """Talk on stderr: stdout belongs to the program that runs."""
    print(f"dev.py: {text}", file=sys.stderr, flush=True)


def inside(venv: Venv) -> dict[str, str]:
    """The caller's environment, entered into a venv the way `activate` does it."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}
    path = f"{venv.folder / 'bin'}{os.pathsep}{env.get('PATH', os.defpath)}"
    return env | {"VIRTUAL_ENV": str(venv.folder), "PATH": path}


def shares_terminal() -> bool:
    """Whether Ctrl-C reaches our children without us, from the terminal itself."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError, AttributeError):
        return False


def run(argv: list[str], *, quiet: bool = False, cwd: Path = ROOT) -> tuple[int, str]:
    """Run one child for its exit code and, if quiet, its output; what ends us ends it first."""
    child: subprocess.Popen[str] | None = None
    caught: list[int] = []

    def pass_on(signum: int, _frame: FrameType | None) -> None:
        caught.append(signum)
        if child and not (signum == signal.SIGINT and shares_terminal()):
            child.send_signal(signum)

    before = {
        signum: signal.signal(signum, pass_on)
        for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(signum) is not signal.SIG_IGN
    }
    try:
        child = subprocess.Popen(
            argv,
            cwd=cwd,
            env=inside(VENV),
            stdin=subprocess.DEVNULL if quiet else None,
            stdout=subprocess.PIPE if quiet else None,
            stderr=subprocess.STDOUT if quiet else None,
            errors="replace",
        )
        if caught:  # while there was no child yet
            child.send_signal(caught[0])
        output, _ = child.communicate()
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)
    if caught:
        raise SystemExit(128 + caught[0])
    code = child.returncode
    return code if code >= 0 else 128 - code, output or ""


def must(*argv: str, cwd: Path = ROOT) -> None:
    """Run a step of the set-up; if it fails, quote its first error, or else its last word."""
    try:
        code, output = run([*argv], quiet=True, cwd=cwd)
    except OSError as error:
        raise Trouble(f"{argv[0]}: {error.strerror}") from error
    if code:
        lines = [line.strip(" .") for line in output.splitlines() if line.strip()]
        errors = [line for line in lines if re.match(r"error\b|E:|.*\bbroken by\b", line, re.I)]
        raise Trouble((errors or lines[-1:] or [f"{argv[0]}: exit code {code}"])[0])


@dataclass(frozen=True)
class Machine:
    """What this machine has to build an environment with, the best first."""

    uv: str | None = None
    venv: bool = False
    pip: str | None = None
    apt: str | None = None


def ways(machine: Machine) -> list[str]:
    """The ways that the machine offers, in the order to try them."""
    return [field.name for field in fields(machine) if getattr(machine, field.name)]


def look_around() -> Machine:
    """Find out what this machine has."""
    return Machine(
        uv=shutil.which("uv"),
        venv=importlib.util.find_spec("ensurepip") is not None,
        pip=system_pip(),
        apt=shutil.which("apt-get") if shutil.which("dpkg-deb") else None,
    )


def system_pip() -> str | None:
    """A pip of the machine that can install into another Python (22.3 and later)."""
    found = shutil.which("pip3") or shutil.which("pip")
    version = found and re.match(r"pip (\d+)\.(\d+)", run([found, "--version"], quiet=True)[1])
    return found if version and tuple(map(int, version.groups())) >= (22, 3) else None


def base_python() -> str:
    """The interpreter beneath any virtual environment that this file is run with."""
    base = Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}")
    return str(base) if base.exists() else sys.executable


def fill(venv: Venv, *pip: str) -> None:
    """Install the locked requirements, then both projects as links to this checkout."""
    # Wheels only: a plain machine has no compiler to build anything else with.
    must(*pip, "--require-hashes", "--only-binary", ":all:", "-r", str(venv.lock))
    must(*pip, "--no-deps", "--no-build-isolation", *(f"--editable={it}" for it in PROJECTS))


def with_uv(machine: Machine, venv: Venv) -> None:
    """uv makes the environment and fills it."""
    uv = str(machine.uv)
    must(uv, "venv", "--python", base_python(), str(venv.folder))
    fill(venv, uv, "pip", "install", "--python", venv.python)


def with_venv(_machine: Machine, venv: Venv) -> None:
    """Python's own venv brings a pip along."""
    must(base_python(), "-m", "venv", str(venv.folder))
    fill(venv, venv.python, "-m", "pip", "install")


def with_pip(machine: Machine, venv: Venv) -> None:
    """A pip that lives elsewhere fills an environment that has none."""
    must(base_python(), "-m", "venv", "--without-pip", str(venv.folder))
    fill(venv, str(machine.pip), "--python", venv.python, "install")


def with_apt(machine: Machine, venv: Venv) -> None:
    """Debian's pip, unpacked without being installed, fills an environment that has none."""
    must(base_python(), "-m", "venv", "--without-pip", str(venv.folder))
    with tempfile.TemporaryDirectory(prefix="fairbones-") as folder:
        desk = Path(folder)
        wheel = debian_files(machine, desk, "python3-pip-whl", "**/pip-*.whl")[-1]
        if AUTHORITIES.exists():
            fill(venv, venv.python, str(wheel / "pip"), "install")
            return
        found = debian_files(machine, desk, "ca-certificates", "usr/share/ca-certificates/**/*.crt")
        bundle = desk / AUTHORITIES.name
        bundle.write_bytes(b"\n".join(it.read_bytes() for it in found))
        fill(venv, venv.python, "-c", PIP_WITH_AUTHORITIES, str(wheel), str(bundle), "install")


BUILDERS = {"uv": with_uv, "venv": with_venv, "pip": with_pip, "apt": with_apt}


def debian_files(machine: Machine, desk: Path, package: str, pattern: str) -> list[Path]:
    """Files of a Debian package, fetched as any user and unpacked under `desk`."""
    lists, cache, root = desk / "lists", desk / "cache", desk / package
    for folder in (lists / "partial", cache / "archives" / "partial", root):
        folder.mkdir(parents=True, exist_ok=True)
    apt = [str(machine.apt), "-q", f"-oDir::Cache={cache}"]
    try:
        must(*apt, "download", package, cwd=root)
    except Trouble:  # a fresh image has no lists, a long unused one has stale lists
        apt += [f"-oDir::State::Lists={lists}", "-oAcquire::Languages=none"]
        must(*apt, "-oAPT::Update::Error-Mode=any", "update")
        must(*apt, "download", package, cwd=root)
    for archive in root.glob("*.deb"):
        must("dpkg-deb", "-x", str(archive), str(root))
    found = sorted(root.glob(pattern))
    if not found:
        raise Trouble(f"Debian's {package} holds no {pattern}")
    return found


# Debian's pip counts on this file, which a plain machine does not have. Certificates that
# the environment or pip's own configuration name still come first.
AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")
PIP_WITH_AUTHORITIES = """
import os, runpy, sys
wheel, bundle = sys.argv.pop(1), sys.argv.pop(1)
os.environ.setdefault("SSL_CERT_FILE", bundle)
sys.path.insert(0, wheel)
from pip._vendor import certifi
certifi.where = lambda: bundle
runpy.run_module("pip", run_name="__main__")
"""


def fingerprint(venv: Venv) -> str:
    """Changes with everything that an environment depends on."""
    import tomllib  # missing from the older Pythons that this file has a word for

    made_from: list[object] = [sys.version, str(ROOT), venv.lock.read_text()]
    for project in PROJECTS:
        declared = tomllib.loads((project / "pyproject.toml").read_text())
        made_from += [declared["build-system"], declared["project"], declared["tool"]["hatch"]]
    return hashlib.sha256(repr(made_from).encode()).hexdigest()


def ready(venv: Venv, key: str) -> bool:
    """Whether an environment is whole and made from what is here now."""
    try:
        return (venv.folder / STAMP).read_text() == key and os.access(venv.python, os.X_OK)
    except OSError:
        return False


@contextlib.contextmanager
def checkout_to_ourselves() -> Iterator[None]:
    """Hold the lock of this folder; waits for another run that builds or cleans."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("another run is building here; waiting for it")
        fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(folder)


def build(machine: Machine, venv: Venv) -> None:
    """Build an environment in the first way that works."""
    failures = []
    for way in ways(machine):
        say(f"building {venv.folder.name}/ with {way}")
        remove(venv.folder)
        try:
            return BUILDERS[way](machine, venv)
        except Trouble as trouble:
            failures.append(f"{way}: {trouble}")
    raise Trouble(
        "check the network and the package index settings and run this again: "
        + "; ".join(failures)
        if failures
        else "install uv or pip (Debian: python3-venv) and run this again: neither is here"
    )


def remove(path: Path) -> None:
    """Delete a file, a link or a whole folder; fine if there is none."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def setup(venv: Venv = VENV) -> int:
    """build .venv/ if it is missing or outdated"""
    key = fingerprint(venv)
    if not ready(venv, key):
        with checkout_to_ourselves():
            if not ready(venv, key):
                build(look_around(), venv)
                (venv.folder / STAMP).write_text(key)
    return 0


def lint() -> int:
    """check style and types"""
    setup()
    failed = []
    for name, argv in LINTERS.items():
        print(f"== {name}", flush=True)
        code, _ = run([VENV.python, *argv])
        failed += [name] if code else []
    if failed:
        print(f"== lint FAILED, and with it this run: {', '.join(failed)}", flush=True)
    return int(bool(failed))


def test(*arguments: str) -> int:
    """lint, then run pytest with ARGS"""
    lint_code = lint()
    code, _ = run([VENV.python, "-m", "pytest", "-n", "auto", *arguments])
    return code or lint_code


def clean() -> int:
    """remove .venv/, caches and build output"""
    with checkout_to_ourselves():
        for name in LITTER:
            remove(ROOT / name)
        for cache in list(ROOT.rglob("__pycache__")):
            remove(cache)
    return 0


CHORES = {chore.__name__: chore for chore in (lint, setup, clean)}


def usage() -> str:
    """The text of --help."""
    rows = {name: summary for name, (summary, _) in PROGRAMS.items()}
    rows |= {name: str(chore.__doc__) for name, chore in {"test": test, **CHORES}.items()}
    table = "\n".join(f"  {name:<8} {summary}" for name, summary in rows.items())
    return f"usage: python3 dev.py COMMAND [ARGS]\n\n{table}\n\nARGS go to the program itself."


def main(argv: Sequence[str]) -> int:
    """Run one command; the result is the exit code."""
    command, *arguments = argv or ["--help"]
    if arguments[:1] == ["--"]:
        del arguments[0]
    if sys.version_info < (3, 11):
        raise Trouble("run this with Python 3.11 or later")
    if command in PROGRAMS:
        venv = ORACLES if command == "oracles" else VENV
        setup(venv)
        os.chdir(ROOT)  # and turn into the program: its signals and exit code are ours
        os.execve(venv.python, [venv.python, *PROGRAMS[command][1], *arguments], inside(venv))
    if command == "test":
        return test(*arguments)
    if command in CHORES and not arguments:
        return CHORES[command]()
    asked = command in ("-h", "--help", "help")
    print(usage() if asked else f"{usage()}\n\nno such command: {' '.join(argv)}")
    return 0 if asked else 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Trouble as trouble:
        say(str(trouble))
    except (OSError, ValueError) as error:
        say(f"put this right and run it again: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(3)

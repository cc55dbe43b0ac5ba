"""The independent verifier, run as a stranger would: a program that the service never imports."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import fairbones
from fairbones.demo.children import Children, Trouble

VERIFIED, REFUTED = 0, 1
PATIENCE = 40.0  # seconds


def find_verifier() -> Path:
    """The folder `fairbones_verify`: of the checkout, or else the installed one."""
    beside = Path(fairbones.__file__).resolve().parents[2] / "verifier" / "fairbones_verify"
    if (beside / "__main__.py").is_file():
        return beside
    installed = importlib.util.find_spec("fairbones_verify")  # finds it, runs nothing of it
    if installed is None or installed.origin is None:
        raise Trouble("the verifier is not here; run pip install ./verifier in a checkout")
    return Path(installed.origin).parent


class Checker:
    """Runs the verifier in a folder that holds the evidence and nothing else."""

    def __init__(self, children: Children, folder: Path) -> None:
        self._children = children
        self._folder = folder
        self._verifier = find_verifier()

    def check(
        self, name: str, public_key: str, receipts: Iterable[str] = ()
    ) -> tuple[int, str, str]:
        """The verdict on a file in the folder: exit code, report, and the command that gave it.

        -I and -S leave the verifier nothing but Python itself.
        """
        told = [name, "--key", public_key]
        for receipt in receipts:
            told += ["--receipt", receipt]
        argv = [sys.executable, "-I", "-S", str(self._verifier), *told]
        plain = {"PATH": os.defpath, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
        code, report = self._children.run("verifier", argv, self._folder, plain, PATIENCE)
        return code, report, " ".join(["python3 -I -S", self._path(), *told])

    def _path(self) -> str:
        """Where the verifier is, as a reader would type it."""
        try:
            return str(self._verifier.relative_to(Path.cwd()))
        except ValueError:
            return str(self._verifier)


def outcome(report: str) -> str:
    """What was found and what it proves, without the rest that every report says."""
    return report.partition("\n\nMatch ")[0]

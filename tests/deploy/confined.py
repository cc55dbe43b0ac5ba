"""Runs a program as systemd's MemoryDenyWriteExecute and SystemCallFilter would have it run.

    python -m tests.deploy.confined FILE PROGRAM ARGUMENT...

FILE has the names of the system calls that are allowed; any other fails with EPERM. Exits with 97
where the kernel or libseccomp cannot do it.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import errno
import os
import re
import subprocess
import sys
from pathlib import Path

CANNOT = 97
# prctl, since Linux 3.5 and 6.3.
_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_MDWE = 65
_ALLOW = 0x7FFF0000
_EPERM = 0x00050000 | errno.EPERM
_UNKNOWN = -1


def allowed(unit: str) -> list[str]:
    """What the SystemCallFilter lines of a unit leave, as systemd-analyze knows its sets."""
    told = subprocess.run(
        ["systemd-analyze", "syscall-filter", "--no-pager"],
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    ).stdout
    sets: dict[str, list[str]] = {}
    for line in told.splitlines():
        if line.startswith("@"):
            name = line.split()[0]
            sets[name] = []
        elif line.startswith("    ") and not line.strip().startswith("#"):
            sets[name].append(line.strip())

    def calls(name: str) -> set[str]:
        if not name.startswith("@"):
            return {name}
        return {call for inner in sets[name] for call in calls(inner)}

    left: set[str] = set()
    for words in re.findall(r"^SystemCallFilter=(.*)$", unit, re.M):
        named = {call for word in words.lstrip("~").split() for call in calls(word)}
        left = left - named if words.startswith("~") else left | named
    return sorted(left)


def confine(names: list[str]) -> bool:
    """From now on, for this process and all that come of it; False where that cannot be."""
    libc = ctypes.CDLL(None, use_errno=True)
    found = ctypes.util.find_library("seccomp")
    if found is None or libc.prctl(_PR_SET_MDWE, 1, 0, 0, 0):
        return False
    seccomp = ctypes.CDLL(found)
    seccomp.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(seccomp.seccomp_init(_EPERM))
    for name in names:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number != _UNKNOWN:
            seccomp.seccomp_rule_add(context, ctypes.c_uint32(_ALLOW), number, 0)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return bool(seccomp.seccomp_load(context) == 0)


if __name__ == "__main__":
    if not confine(Path(sys.argv[1]).read_text().split()):
        sys.exit(CANNOT)
    os.execv(sys.argv[2], sys.argv[2:])

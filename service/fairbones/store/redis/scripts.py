"""The Lua scripts beside this file: one for each change of a match, one for each of the lists."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Script:
    """A script and the name that a server that has seen it knows it by."""

    text: bytes
    sha: bytes


def _read(name: str) -> Script:
    text = files(__package__).joinpath("scripts", f"{name}.lua").read_bytes()
    return Script(text, hashlib.sha1(text, usedforsecurity=False).hexdigest().encode())


WHOLE = _read("whole")
TAIL = _read("tail")
CREATE = _read("create")
APPEND = _read("append")
DEFER = _read("defer")
ADOPT = _read("adopt")
RESEAL = _read("reseal")
FORGET = _read("forget")
BURY = _read("bury")
SWAP = _read("swap")
CLEAR = _read("clear")
INDEX = _read("index")
PAGE = _read("page")

"""Build `fairbones-verify.pyz`: the whole verifier in one file, the same bytes on every machine.

    python3 build_pyz.py                        into dist/ beside this file, with its SHA-256
    python3 build_pyz.py --check SHA256|FILE    build nothing, only compare

The bytes follow from the sources alone. Dates, permissions, order and packing are fixed, nothing
is compressed (zlib's output is not the same everywhere), and line ends are those of the
repository, whatever a checkout has made of them. Besides the modules of the package the file holds
its licence; `py.typed` means nothing to whoever runs it and stays out.
"""

from __future__ import annotations

import argparse
import binascii
import hashlib
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Optional

HERE = Path(__file__).resolve().parent
NAME = "fairbones-verify.pyz"
PACKAGE = "fairbones_verify"
SHEBANG = b"#!/usr/bin/env python3\n"

# The zip format (APPNOTE 4.3), little-endian, as far as a file of stored members needs it.
LOCAL = struct.Struct("<4s5H3L2H")
CENTRAL = struct.Struct("<4s6H3L5H2L")
END = struct.Struct("<4s4H2LH")
VERSION = 20  # 2.0, and as the maker's system 3, Unix
MADE_BY = 3 << 8 | VERSION
TIME, DATE = 0, 1 << 5 | 1  # 1980-01-01 00:00, the first that zip can name
MODE = 0o100644 << 16


def modules(package: Path) -> Iterator[Path]:
    """The modules of a package and of those inside it; nothing else that may lie there."""
    for path in package.iterdir():
        if path.is_dir() and (path / "__init__.py").is_file():
            yield from modules(path)
        elif path.suffix == ".py" and path.stem.isidentifier():
            yield path


def members(root: Path) -> dict[str, bytes]:
    """What the file holds, by name."""
    found = {path.relative_to(root).as_posix(): path for path in modules(root / PACKAGE)}
    found["LICENSE"] = root / "LICENSE"
    # Python runs this one; it is the entry of `python3 -m fairbones_verify` itself.
    found["__main__.py"] = root / PACKAGE / "__main__.py"
    return {name: path.read_bytes().replace(b"\r\n", b"\n") for name, path in found.items()}


def packed(contents: Mapping[str, bytes]) -> bytes:
    """A zip of stored members, sorted by name, behind the line that makes it a program."""
    body, directory = bytearray(SHEBANG), bytearray()
    for name, data in sorted(contents.items()):
        raw, size, start = name.encode("ascii"), len(data), len(body)
        shared = (VERSION, 0, 0, TIME, DATE, binascii.crc32(data), size, size, len(raw), 0)
        body += LOCAL.pack(b"PK\3\4", *shared) + raw + data
        directory += CENTRAL.pack(b"PK\1\2", MADE_BY, *shared, 0, 0, 0, MODE, start) + raw
    count = len(contents)
    end = END.pack(b"PK\5\6", 0, 0, count, count, len(directory), len(body), 0)
    return bytes(body + directory + end)


def digest_named(given: str) -> str:
    """The SHA-256 that `--check` names: itself, a file's, or the one a `.sha256` file tells."""
    if re.fullmatch("[0-9a-fA-F]{64}", given):
        return given.lower()
    data = Path(given).read_bytes()
    line = re.fullmatch(rb"([0-9a-f]{64}) [ *][^\n]+\n?", data)
    return line[1].decode() if line else hashlib.sha256(data).hexdigest()


def write(folder: Path, data: bytes, digest: str) -> Path:
    """The file, and beside it a line for `sha256sum -c`."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / NAME
    target.write_bytes(data)
    target.chmod(0o755)
    (folder / f"{NAME}.sha256").write_bytes(f"{digest}  {NAME}\n".encode("ascii"))
    return target


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Exit 0, 1 when `--check` finds a difference, 2 for a wrong command line or file."""
    parser = argparse.ArgumentParser(description="Build fairbones-verify.pyz, reproducibly.")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--output", metavar="FOLDER", type=Path, default=HERE / "dist")
    where.add_argument("--check", metavar="SHA256|FILE", help="only compare with what is built")
    given = parser.parse_args(argv)
    try:
        data = packed(members(HERE))
        digest = hashlib.sha256(data).hexdigest()
        if given.check is not None:
            other = digest_named(given.check)
            same = other == digest
            print(f"{digest}  these sources\n{other}  {given.check}")
            print("the same" if same else "they DIFFER")
            return 0 if same else 1
        target = write(given.output, data, digest)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")
    print(f"{digest}  {target}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

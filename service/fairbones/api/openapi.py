"""Writes `openapi.yaml` and `docs/errors.md`, or compares them with what the code says."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from flask import Flask

from fairbones.api.description import described, register_api
from fairbones.api.errors_page import errors_page
from fairbones.api.yaml_text import yaml_text

_CHECKOUT = Path(__file__).resolve().parents[3]
_HEAD = "# Written by `python3 dev.py openapi`: change the code, not this file.\n"


@cache
def served_text() -> str:
    """The description, as served and as written to `openapi.yaml`; the same for every settings."""
    # Nobody calls this application: it is only described, so it needs neither house nor limits.
    app = Flask("fairbones", static_folder=None, template_folder=None)
    register_api(app)
    return _HEAD + yaml_text(described(app))


def main(argv: Sequence[str] | None = None) -> int:
    """`--check` compares and exits 1 on a difference; without it both files are written."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments not in ([], ["--check"]):
        print("usage: openapi [--check]", file=sys.stderr)
        return 2
    if not (_CHECKOUT / "pyproject.toml").exists():
        print("openapi: run this in a checkout, where openapi.yaml lies", file=sys.stderr)
        return 2
    stale = [path for path, text in _written().items() if _read(path) != text]
    for path in stale:
        name = path.relative_to(_CHECKOUT)
        if arguments:
            print(f"{name} is not what the code says: run python3 dev.py openapi")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_written()[path], encoding="utf-8")
            print(f"{name} written")
    return 1 if stale and arguments else 0


def _written() -> dict[Path, str]:
    return {
        _CHECKOUT / "openapi.yaml": served_text(),
        _CHECKOUT / "docs" / "errors.md": errors_page(),
    }


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.client` writes tests/client/vectors."""

from __future__ import annotations

import sys

from tests.client.cases import FOLDER, files


def main() -> int:
    """Write what there is to be, and nothing else."""
    FOLDER.mkdir(exist_ok=True)
    made = files()
    for path in FOLDER.glob("*.json"):
        if path.name not in made:
            path.unlink()
    for name, content in made.items():
        (FOLDER / name).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())

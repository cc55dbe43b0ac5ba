"""`python -m tests.forge` writes the vectors and forgeries; `--check` only compares them."""

from __future__ import annotations

import sys

from tests.forge.corpus import TESTS, files, kept


def main(arguments: list[str]) -> int:
    """Exit 1 when the files in the checkout are not the ones that would be made."""
    made, there = files(), kept()
    differ = sorted(
        name for name in made.keys() | there.keys() if made.get(name) != there.get(name)
    )
    if arguments == ["--check"]:
        for name in differ:
            print(f"differs: tests/{name}")
        return int(bool(differ))
    for name in differ:
        path = TESTS / name
        if name in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(made[name])
        else:
            path.unlink()
    size = sum(map(len, made.values()))
    print(f"{len(made)} files, {size} bytes; {len(differ)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`python -m tests.perft` writes the files of counts; with `--check` it only compares them."""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor

from tests.perft.corpus import FOLDER, make, of_table


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.perft", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if a file differs")
    only_check = parser.parse_args().check
    with ProcessPoolExecutor() as pool:
        files = make(lambda tables: pool.map(of_table, tables))
    stale = {path.name for path in FOLDER.glob("*.json")} - set(files)
    for name, text in files.items():
        path = FOLDER / name
        if not path.exists() or path.read_text("utf-8") != text:
            stale.add(name)
    for name in sorted(stale):
        print(f"tests/perft/{name} differs" if only_check else f"tests/perft/{name}")
        if only_check:
            continue
        if name in files:
            (FOLDER / name).write_text(files[name], "utf-8")
        else:
            (FOLDER / name).unlink()
    return 1 if only_check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Another process that hears: `python -m tests.store.redis_ears URL [gevent]`.

Says `ready` when it hears, then the number of each match that somebody else has appended to. At the
word `append N` on its input it appends the next step to that match itself; at its end it closes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module


def main(url: str, lines: Callable[[], str]) -> None:
    from fairbones.store.redis import open_redis
    from tests.store.story import match_id, step

    class Speaker:
        def ring(self, match_id: bytes) -> None:
            print(int.from_bytes(match_id, "big"), flush=True)

        def ring_all(self) -> None:
            print("all", flush=True)

        def deaf(self, deaf: bool) -> None:
            print("deaf" if deaf else "ready", flush=True)

    store = open_redis(url)
    store.listen(Speaker())
    while line := lines():
        number = int(line.split()[1])
        kept = store.load(match_id(number))
        assert kept is not None
        store.append(match_id(number), step(kept.steps[-1].head_seq + 1))
    store.close()
    print("closed", flush=True)


def in_greenlets() -> Callable[[], str]:
    """As a gevent worker: nothing may block the process, reading lines included."""
    import_module("gevent.monkey").patch_all()
    reader = import_module("gevent.fileobject").FileObject(sys.stdin.fileno(), "r", close=False)
    lines: Callable[[], str] = reader.readline
    return lines


if __name__ == "__main__":
    main(sys.argv[1], in_greenlets() if sys.argv[2:] == ["gevent"] else sys.stdin.readline)

"""A few matches judged in full, from a place in the order of ids that nobody chose."""

from __future__ import annotations

from collections.abc import Iterator

from fairbones.archive.findings import OK, PROBLEM, WARNING, Finding
from fairbones.archive.judging import judge
from fairbones.archive.matches import Library, last_event
from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Signer, Vault

AHEAD_MS = 5_000  # a clock that was set back a little is no news


def sample(
    library: Library, signer: Signer, vault: Vault, start: bytes, size: int, now: int
) -> Iterator[Finding]:
    """Judge up to `size` matches from the id `start` on; nothing is written."""
    found = library.ids(start, size)
    if len(found) < size:
        found = tuple(dict.fromkeys((*found, *library.ids(None, size - len(found)))))
    if not found:
        yield Finding("matches", OK, "no match is kept here yet")
        return
    wrong = 0
    latest = 0
    for match_id in found:
        whole = library.whole(match_id)
        if whole is None:
            continue
        try:
            judge(whole, signer, vault)
            latest = max(latest, last_event(whole).at)
        except FairbonesError as error:
            wrong += 1
            yield Finding(
                "matches", PROBLEM, f"match {match_id.hex()}: {error.message}", _ADVICE[error.code]
            )
    if not wrong:
        text = f"the chain, the receipts and the sealed seed of {len(found)} matches hold"
        yield Finding("matches", OK, text)
    if latest > now + AHEAD_MS:
        yield Finding(
            "clock",
            WARNING,
            f"a match has an event {(latest - now) // 1000} seconds ahead of this clock",
            "set the clocks of all hosts by one time server",
        )


_ADVICE = {
    "house/damaged": "find out what changed the store, and restore it from a backup",
    "house/other-key": "put the key file back",
    "house/seed-sealed": "put the key file back",
}

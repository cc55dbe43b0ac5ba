"""Server seeds sealed anew under the newest key-encryption key, of running and of old matches.

A match that is over still needs its seed to be shown as it was, so no match is left out. One that
is sealed under the newest key already is passed over: to be interrupted costs nothing but the look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from fairbones.archive.matches import Library, ids
from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Stored, Vault


@dataclass(slots=True)
class Rewrapped:
    """Seeds sealed anew, seeds that were so already, and how many need each older key still.

    `problems` says by match why its seed could not be opened or exchanged.
    """

    resealed: int = 0
    already: int = 0
    older: Counter[str] = field(default_factory=Counter)
    problems: dict[str, str] = field(default_factory=dict)


Reseal = Callable[[bytes, bytes, bytes], bool]
Progress = Callable[[int], None]


def rewrap(
    library: Library,
    vault: Vault,
    newest: str,
    under: Callable[[bytes], str],
    progress: Progress,
    reseal: Reseal | None,
) -> Rewrapped:
    """Look at every match; with `reseal` (`Archive.reseal`) seal its seed under `newest`.

    `under` is the id of the key that a sealed seed asks for.
    """
    result = Rewrapped()
    for count, match_id in enumerate(ids(library), 1):
        stored = library.load(match_id)
        if stored is None:  # forgotten meanwhile
            continue
        key_id = under(stored.sealed_seed)
        if key_id == newest:
            result.already += 1
        elif reseal is not None and _resealed(reseal, vault, stored, result):
            result.resealed += 1
        else:
            result.older[key_id] += 1
        progress(count)
    return result


def _resealed(reseal: Reseal, vault: Vault, stored: Stored, result: Rewrapped) -> bool:
    match_id, sealed = stored.match_id, stored.sealed_seed
    try:
        again = vault.seal(match_id, vault.open(match_id, sealed))
    except FairbonesError as error:
        result.problems[match_id.hex()] = error.message
        return False
    if reseal(match_id, sealed, again):
        return True
    result.problems[match_id.hex()] = "its seed was exchanged by somebody else; run this again"
    return False

"""The rows of the threat model that no lie is about: why no client sees them, and who does."""

from __future__ import annotations

from typing import NamedTuple


class Unseen(NamedTuple):
    """reason: why there is nothing for a client to stop at. sees: who finds it out, if anybody."""

    reason: str
    sees: str


UNSEEN: dict[str, Unseen] = {
    "T21": Unseen(
        "one deal looks like another, and a wash that is not that of SPEC 3 is another wash"
        " (`other-round-seed`, `cut-otherwise`)",
        "every verifier, byte for byte; statistics over many matches",
    ),
    "T22": Unseen(
        "whoever predicts a deal says nothing", "nobody; the tags of SPEC 2.3 prevent it"
    ),
    "T23": Unseen(
        "what the house tells somebody else goes past this client",
        "of players, the tests of the views; of the house, nobody",
    ),
    "T24": Unseen("the same: how fast and how much others are answered", "the tests of the views"),
    "T25": Unseen(
        "a stranger is refused by the house; one that is let in is another player",
        "the tests of the service; for a seat with a key its own client (`move-invented-keyed`)",
    ),
    "T27": Unseen(
        "a repeated request is the player's own; two events in one place are `taken-back`",
        "the tests of the service",
    ),
    "T28": Unseen("a thief of seeds says nothing", "nobody, unless it shows in who wins"),
    "T29": Unseen(
        "a client trusts the verifier that is in it", "whoever runs another verifier besides"
    ),
    "T30": Unseen("players talk where no house listens", "nobody"),
    "T35": Unseen(
        "an opening that is liked is one match like any other; those that were dropped are others",
        "an audit counts matches at which nobody sat and matches called off; in full, the log",
    ),
    "T36": Unseen(
        "a house that is flooded answers nobody, and a client does not wait for ever"
        " (`tests/client/test_dripping.py`)",
        "the operator",
    ),
    "T41": Unseen("nothing is decided by the cut alone", "nobody has to; SPEC R4, 11.2, 11.3"),
    "T42": Unseen("who reads a hash says nothing", "nobody; a seal has 32 secret bytes"),
    "T44": Unseen(
        "a seed that was used before is new to whoever sees one match",
        "an audit over many matches; inside one match every report",
    ),
    "T46": Unseen(
        "the answer comes out of a cache to somebody else", "the tests of the service's headers"
    ),
    "T47": Unseen("partners show each other their openings elsewhere", "nobody"),
    "T48": Unseen("what is public after a hand is public to all", "everybody, by design"),
    "T49": Unseen(
        "a file comes to a reader, not to a client; what a client is told is `other-signature`"
        " and `other-key`",
        "a verifier with a pinned key",
    ),
}

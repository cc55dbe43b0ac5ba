"""Where a document is not of the form, what should stand there and what does: each in its place."""

from __future__ import annotations

import pytest

from fairbones_verify import verify
from tests.verifier.test_documents import SHAPES, TEXTS

# By the names that test_documents gives its documents.
WORDS = [
    ("latin-1", "the document", "UTF-8", "other bytes, from byte 282"),
    ("one too deep", "the document", "at most 10 brackets deep", "deeper"),
    ("a list", "the document", "a JSON object", "another JSON value"),
    ("NaN", "the document", "a JSON document", "NaN is not JSON"),
    ("twice", "the document", "every key of an object once", "a"),
    ("a fraction", "the document", "a whole number 0..2^53-1", "1.0"),
    ("minus", "the document", "a whole number 0..2^53-1", "-1"),
    ("null", "the document", "no null", "null"),
    ("a lone surrogate", "the document", "no lone surrogates", r"\ud800"),
    ("upper case", "the document", "a key of the form [a-z0-9_]{1,32}", "A"),
    ("an unknown member", "the document", "no other member", "more"),
    ("no keys", "the document", "a member keys", "nothing"),
    ("more in an event", "events[1]", "no other member", "more"),
    ("less in data", "events[0].data", "a member seats", "nothing"),
    ("more in the receipt", "receipt", "no other member", "more"),
    ("less in a key", "keys[0]", "a member key_id", "nothing"),
    ("no seed", "events[1].data", "a client_seed or a client_seed_commitment", "not one"),
    ("void with a seed", "events[1].data", "no member server_seed", "the opposite"),
    ("an event", "events[1]", "an object", "7"),
    ("true is no number", "events[1].seq", "a number 0 to 9007199254740991", "true"),
    ("1 is not true", "events[0].data.clear_seeds", "true or false", "1"),
    ("a switch", "events[0].data.ruleset.muggins", "the type of False", "0"),
    ("a key", "keys[0]", "an object", "ab"),
    ("65 keys", "keys", "1 to 64 keys", "65"),
    ("key id", "keys[0].key_id", "16 lowercase hex digits", "ab"),
    ("seat", "events[1].data.seat", "a number 0 to 63", "64"),
    ("entropy", "events[0].data.entropy", '["house","seats"]', "1 items"),
    ("tile", "events[5].data.must_set", "a tile, high half first", "1-6"),
    ("target", "events[0].data.ruleset.target", "1 to 10000", "0"),
    ("n", "events[0].data.ruleset.n", "1 to 900", "901"),
    ("missing", "events[1].data.missing", "seats in ascending order", "2 items"),
    ("of the document", "the document", "fairbones/1", "fairbones/2"),
    ("of the match", "events[0].data.protocol", "fairbones/1", "fairbones/2"),
    ("unknown", "events[1]", "a known type", "doubled"),
    ("a value not listed", "events[0].data.ruleset.set", "6 or 9 or 12 or 15 or 18", "7"),
    ("a value that is fixed", "events[0].data.ruleset.win_at", "hand-end", "at-once"),
    ("an option too few", "events[0].data.ruleset.tie", "this option", "nothing"),
    ("bytes", "events[5]", "at most 65536 bytes", "more"),
    ("a list", "events[5].data", "lists of at most 4096", "4097 items"),
    ("no event", "the document", "1 to 100000 events", "0"),
    ("too many", "the document", "1 to 100000 events", "100001"),
]


@pytest.mark.parametrize(("name", "where", "expected", "got"), WORDS)
def test_a_flaw_in_words(name: str, where: str, expected: str, got: str) -> None:
    found = [verify(data).failure for _, known, data in TEXTS + SHAPES if known == name]
    said = [(one.where, one.expected, one.got) for one in found if one is not None]
    assert (where, expected, got) in said

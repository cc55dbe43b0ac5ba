"""A forgery that only a chain of hashes finds proves nothing: each is found by one check alone.

The house chained and signed its lie, and went on as if it were true. With its one check switched
off (and the few that stand behind it, named and justified in the file) it has to verify.
"""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from fairbones_verify import Report, verify
from tests.conformance.reading import Given, scenarios

REFUTED = scenarios("forgeries/refuted", "forgeries/witnessed")
HOPELESS = 6  # forgeries that no switch can save; more of them would prove little


def judged(given: Given, *off: str) -> Report:
    """Our verdict with some checks switched off."""
    words, beside = given.told["arguments"], given.told.get("beside", {})
    keys = [key for option, key in pairwise(words) if option == "--key"]
    papers = {
        sort: [json.loads((given.path.parent / name).read_text()) for name in beside.get(sort, ())]
        for sort in ("receipts", "openings", "protests")
    }
    return verify(given.transcript(), keys=keys, **papers, without=off)


@pytest.mark.parametrize("forgery", REFUTED, ids=[given.name for given in REFUTED])
def test_no_other_check_finds_it(forgery: Given) -> None:
    off = forgery.told["verifies_without"]
    if off:
        report = judged(forgery, *off)
        assert report.verdict == "verified", report.failure
        for code in off:
            needed = [other for other in off if other != code]
            assert judged(forgery, *needed).verdict == "refuted", f"{code} does not stand behind it"
    assert (off == [forgery.expect["code"]]) == ("because" not in forgery.told)


def test_hardly_any_is_found_by_everything() -> None:
    assert sum(not given.told["verifies_without"] for given in REFUTED) <= HOPELESS

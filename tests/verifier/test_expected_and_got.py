"""What a report calls expected is the truth, and what it calls got is the lie: never exchanged."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from fairbones_verify import verify
from tests.verifier.forgeries import FORGERIES
from tests.verifier.forgeries.leads import DRAWN
from tests.verifier.house import House
from tests.verifier.matches import any_match
from tests.verifier.primitives import SIGNER
from tests.verifier.test_refuted import LIES, data_at, told

# A lie of test_refuted, the member of the event that it changes, the ruleset that has room for it.
CHANGED = [
    ("lead", "lead", "block"),
    ("lead", "lead", "drawn"),
    ("must set", "must_set", "draw"),
    ("hand size", "hand_size", "draw"),
    ("play", "points", "all-fives"),
    ("no points", "points", "fives-and-threes"),
    ("call", "points", "all-fives"),
    ("counts", "counts", "block"),
    ("winner", "winner", "draw"),
    ("points", "points", "latin-american"),
    ("scores", "scores", "middle-eastern"),
    ("reason", "reason", "block"),
    ("end of the match", "reason", "draw"),
    ("champion", "winner", "block-partners"),
]


def houses(ruleset: str) -> Iterator[House]:
    """Matches that were played to their ends."""
    for seed in range(400):
        house = House(seed, row=DRAWN).play() if ruleset == "drawn" else any_match(seed, ruleset)
        if house.events[-1]["type"] == "match_ended":
            yield house


def read(text: str, like: object) -> Any:
    """The value that a report puts into words: numbers by seat or side, one number, or a word."""
    if isinstance(like, list):
        return [int(number) for number in re.findall(r": (\d+)", text)]
    if text in ("nothing", "nobody"):
        return None
    if isinstance(like, int):
        found = re.search(r"\d+", text)
        assert found is not None, text
        return int(found[0])
    return text


@pytest.mark.parametrize(("lie", "member", "ruleset"), CHANGED)
def test_the_truth_is_expected_and_the_lie_is_got(lie: str, member: str, ruleset: str) -> None:
    where, code = LIES[lie]
    met = 0
    for house in houses(ruleset):
        lies = list(where(house, random.Random(1)))
        if ruleset == "drawn":  # its first lead alone comes from a draw
            lies = [one for one in lies if house.events[one[0]]["type"] == "lead_drawn"]
        for place, change in lies[:1]:
            failure = verify(told(house, place, change), keys=[SIGNER.public]).failure
            assert failure is not None
            assert failure.code == code
            truth, false = data_at(house, place).get(member), change[member]
            assert read(failure.expected, truth) == truth
            assert read(failure.got, false) == false
            met += 1
        if met == 3:
            return
    raise AssertionError("no such lie could be told")


HEX, LIE = r"[0-9a-f]{16,64}", r"((ab)+|(07)+|(01)+)"
SEAT = r"seat \d+( \(seat_\d\))?"
TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC"
EVENT = r"(played|drew|passed|declined|gave|called|timed_out|left|dealt|drawn|[a-z]+_[a-z]+)"

# Of a check: what is expected and what is got, wherever the two read differently.
TOLD: dict[str, list[tuple[str, str]]] = {
    "authority/clear-seed": [
        ("a commitment", "a clear seed"),
        ("one seat that committed", "clear seeds only"),
    ],
    "authority/duplicate-seed": [("one of its own", HEX)],
    "authority/key": [(r"a key of (prime order( for seat \d)?|its own)", HEX)],
    "authority/receipt": [(HEX, HEX), ("a signature of the match's key", "none that is valid")],
    "authority/reserved": [(f"the key {HEX}", f"{HEX}|nothing")],
    "authority/signature": [(f"a signature of {SEAT} for this", r"[0-9a-f]{128}")],
    "authority/undue-signature": [("no signature", r"[0-9a-f]{128}")],
    "authority/unsigned": [(f"a signature of {SEAT}", "nothing")],
    "chain/match": [(HEX, LIE)],
    "chain/prev": [(HEX, LIE)],
    "chain/seq": [("number 6", "number 7")],
    "chain/time": [(f"{TIME} or later", f"{TIME}, .* s early")],
    "cut/foreign-seal": [(r"one of the positions \[.*\]", r"position \d+")],
    "deal/duplicate-tile": [
        ("a tile of the set", "7-6"),
        ("a tile that is not on the line", "6-6"),
    ],
    "draw/result": [(r"\[8, 1.*", r"\[0, 1.*"), (r"\['.*", "nothing"), ("nothing", ".*ab.*")],
    "key/id": [
        (HEX, LIE),
        ("a key of prime order", "0100*"),
        ("every key once", HEX),
    ],
    "key/missing": [(f"the key {HEX}", HEX)],
    "order/after-end": [("nothing", "voided")],
    "order/first": [("opened", "seated")],
    "order/seat": [
        (r"a seat below \d", SEAT),
        (r"a seat (that has not left|whose seed is missing|that is not taken)", SEAT),
        (r"seats below \d", r"seat \d reserved"),
    ],
    "order/step": [(f"the time of the event before, {TIME}", f"{TIME}, .* s later")],
    "order/unexpected": [(r".* \(.*\)", f"{EVENT}|opened|seated|seeded")],
    "order/unfinished": [(f"{EVENT}|a move of {SEAT}", "the end of the list")],
    "order/void": [
        ("a receipt of this match", LIE),
        ("a receipt that is not for this chain", r"event \d+ itself"),
        ("another reason: .*", "left|seats-missing|seeds-missing"),
        ("missing names one seated seat", "missing: .*"),
        ("missing: seat 1", "missing: seat 0 and seat 1"),
    ],
    "receipt/beyond-end": [(r"event 10000", r"\d+ is the last")],
    "receipt/match": [(HEX, LIE)],
    "receipt/not-in-transcript": [(rf"event \d+ with the hash {LIE}", HEX)],
    "receipt/signature": [(f"a signature of the key {HEX}", "none that is valid")],
    "rules/abandon": [(r"round_ended \(abandoned\)", f"{EVENT} of {SEAT}")],
    "rules/claim": [(r"a claim of at most \d+ points?", r"\d+"), ("nothing", r"\d+")],
    "rules/does-not-fit": [
        (r"a tile with \d at the end \S+", r"\d-\d"),
        ("one of the ends left and right", r"the end up\S*"),
    ],
    "rules/end": [("nothing", "left|up"), ("one of the ends left and right", "nothing")],
    "rules/forced-step": [(f"(drew|passed) of {SEAT}", f"timed_out of {SEAT}")],
    "rules/hand-over": [(r"round_ended \(.*\)", EVENT)],
    "rules/listed-form": [("left: both ends have one value", "right")],
    "rules/may-not-call": [
        (f"an opponent of {SEAT} that has not left", SEAT),
        ("no call: there is no play to call", "called"),
    ],
    "rules/may-not-decline": [("a play or a pass", "declined")],
    "rules/may-not-draw": [("no draw: there is none to be had", "drew")],
    "rules/may-not-give": [
        (f"a play by {SEAT}|no gift here", "gave"),
        (f"a tile for {SEAT}", SEAT),
    ],
    "rules/must-draw": [("drew", "passed")],
    "rules/must-give": [(f"gave of {SEAT}", "passed")],
    "rules/must-play": [("a play: a tile fits", "passed")],
    "rules/must-set": [("6-6", "1-1")],
    "rules/not-over": [
        (r"no abandonment here \(8\.5\)", "abandoned"),
        ("the hand goes on", r"round_ended \(.*\)"),
    ],
    "seed/commitment": [(f"a seed that opens {HEX}", HEX)],
    "seed/not-opened": [("the server seed", "seed-lost")],
    "seed/round-seed": [(f"{HEX}|a seed whose wash has the root {HEX}", LIE)],
    "seed/seated-hash": [(HEX, LIE)],
    "seed/server-seed": [(f"a seed with the hash {HEX}", LIE)],
    "time/close-by": [(f"{TIME} to {TIME}", TIME)],
    "wash/root": [(f"{HEX} for (hand|the lead).*", HEX)],
} | {
    f"time/{name}": [(f"{TIME} or later", f"{TIME}, .* s early")]
    for name in ("early-step", "early-timeout", "early-void")
} | {
    f"time/{name}": [(f"{TIME} or earlier", f"{TIME}, .* s late")]
    for name in ("after-close", "late-action", "late-seat", "late-seed")
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in FORGERIES if name.split()[0] in TOLD])
def test_neither_is_said_in_the_place_of_the_other(name: str) -> None:
    data, beside = FORGERIES[name]()
    failure = verify(data, **beside).failure
    assert failure is not None
    assert any(
        re.fullmatch(expected, failure.expected) and re.fullmatch(got, failure.got)
        for expected, got in TOLD[failure.code]
    ), (failure.expected, failure.got)

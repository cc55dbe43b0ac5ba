"""`--openings` and `--protest` on the command line (SPEC 9.9)."""

from __future__ import annotations

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from tests.verifier.forgeries.resigned import having
from tests.verifier.primitives import event_hash
from tests.verifier.signing import move
from tests.verifier.test_cli import GOOD, JUDGED, NOT_JUDGED
from tests.verifier.test_witness import false_step, shown, timed_out


def test_openings_and_protests(run: Any) -> None:
    """Files in any spacing, each option as often as one likes (SPEC 9.9)."""
    house, seat = false_step("drew")
    paper = {"round": 1, "openings": shown(house, seat)}
    rest = {"round": 1, "openings": shown(house, 1 - seat)}
    data = house.transcript()
    asked: list[str | bytes] = [data]
    for one in (rest, paper):
        asked += ["--openings", json.dumps(one, indent=2).encode()]
    assert run(data)[0] == 0
    code, said = run(*asked)
    assert (code, "rules/must-play" in said) == (1, True)
    house, sent = timed_out()
    sent_file = json.dumps(sent, indent=1).encode()
    code, said = run(house.transcript(), "--protest", sent_file, "--protest", sent_file, "--json")
    value = json.loads(said)
    jsonschema.validate(value, JUDGED)
    assert code == 0
    assert [one["standing"] for one in value["protests"]] == ["disputed", "disputed"]
    assert (value["protests"][0]["seq"], value["protests"][0]["action"]) == (
        sent["seq"],
        sent["action"],
    )


def test_a_number_that_is_none_of_ours_is_not_read_as_another(run: Any) -> None:
    """A protest for position 0 is not what `0.5` says."""
    house = having("gave", "middle-eastern")
    place = next(
        i for i, e in enumerate(house.events) if "signature" in e["data"] and "to" in e["data"]
    )
    event = house.events[place]
    seat, prev = event["data"]["seat"], event["prev"]
    said = move(event_hash(house.events[0]), place, prev, seat, '{"seal":0,"type":"give"}')
    sent = {"seq": place, "prev": prev, "action": {"type": "give", "seal": 0}}
    sent["signature"] = house.signers[seat].sign(said).hex()
    file = json.dumps(sent).encode()
    assert run(house.transcript(), "--protest", file)[0] == 0
    for other in (b"0.5", b"-1", b"-0", b"1e400", b"9007199254740992"):
        wrong = file.replace(b'"seal": 0', b'"seal": ' + other)
        code, said_so = run(house.transcript(), "--protest", wrong)
        assert (code, "start/protest" in said_so) == (3, True)


@pytest.mark.parametrize(
    ("option", "paper"),
    [
        ("--openings", "no such file"),
        ("--openings", b"nothing"),
        ("--openings", b"[]"),
        ("--openings", b'{"round":1,"openings":[null]}'),
        ("--openings", b'{"round":-1,"openings":[]}'),
        ("--openings", b'{"round":1,"round":1,"openings":[]}'),
        ("--protest", "no such file"),
        ("--protest", b"nothing"),
        ("--protest", b'{"seq":1}'),
    ],
)
def test_what_is_no_paper_of_a_seat_is_exit_3(option: str, paper: Any, run: Any) -> None:
    code, said = run(GOOD, option, paper, "--json")
    assert code == 3
    value = json.loads(said)
    jsonschema.validate(value, NOT_JUDGED)
    assert value["failure"]["code"] == option.replace("--", "start/")

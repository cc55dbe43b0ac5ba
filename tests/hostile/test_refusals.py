"""One table: at every stage of a match, whatever is refused appends nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.hostile.conftest import Tables
from tests.hostile.judging import one_history, refused
from tests.hostile.running import House
from tests.hostile.table import Table, opening
from tests.hostile.wire import Json, Request

Made = Callable[[Table], Request]
Row = tuple[str, Made, int, str]
BYTES = "5a" * 32


@pytest.fixture(scope="module")
def stages(house: House) -> dict[str, Table]:
    """A match at each stage; nothing of this table moves any of them."""

    def table(**more: int) -> Table:
        return Table(house, opening("draw", rounds_max=1, **more))

    joining, void, dealt = table(seats=3), table(), table().deal()
    joining.do(joining.sitting(0))
    revealing = table().sit_all()
    revealing.do(revealing.revealing(0))
    void.do(void.sitting(0))
    void.do(void.leaving(0))
    played = table().deal()
    played.turn()
    return {
        "joining": joining,
        "revealing": revealing,
        "dealt": dealt,
        "played": played,
        "ended": table().deal().finish(),
        "void": void,
    }


def action(**action: object) -> Made:
    """What the seat on turn may not do."""

    def made(table: Table) -> Request:
        return table.acting(table.to_act()[0], action)

    return made


def first(**members: object) -> Made:
    """A good action, but for these members of its body."""

    def made(table: Table) -> Request:
        seat, listed = table.to_act()
        return table.acting(seat, listed[0]).but(**members)

    return made


def foreign(table: Table) -> Request:
    """A tile of the other seat."""
    seat, _ = table.to_act()
    theirs: list[Json] = table.get(token=table.tokens[1 - seat])["you"]["hand"]
    return table.acting(seat, {"type": "play", "tile": theirs[0]["tile"]})


def other_seat(table: Table) -> Request:
    """A good action by the seat that is not on turn."""
    seat, listed = table.to_act()
    return table.acting(1 - seat, listed[0])


def with_end(table: Table) -> Request:
    """The first tile of a hand, at an end that is not there yet."""
    seat, listed = table.to_act()
    return table.acting(seat, {**listed[0], "end": "left"})


def beyond(seat: str) -> Made:
    """A seat that the match has not."""
    return lambda table: table.sitting(1).at(f"{table.path}/seats/{seat}")


def sitting(seat: int, **members: object) -> Made:
    return lambda table: table.sitting(seat, **members)


def acting(seat: int) -> Made:
    return lambda table: table.acting(seat, {"type": "pass"})


def leaving(seat: int) -> Made:
    return lambda table: table.leaving(seat)


def showing(seat: int, /, **members: object) -> Made:
    body = {"client_seed": BYTES, "seated_hash": BYTES, **members}
    return lambda table: Request("PUT", f"{table.path}/seats/{seat}/seed").saying(body)


def elsewhere(method: str, below: str) -> Made:
    return lambda table: Request(method, table.path + below, token=table.tokens[0])


def bodiless(table: Table) -> Request:
    return Request("POST", f"{table.path}/actions", None, table.tokens[0])


TURN: list[tuple[Made, int, str]] = [
    (action(type="pass"), 422, "rules/must-play"),
    (action(type="draw"), 422, "rules/must-play"),
    (action(type="decline"), 422, "rules/may-not-decline"),
    (action(type="give", seal=0), 422, "rules/may-not-give"),
    (action(type="call"), 422, "rules/may-not-call"),
    (action(type="play", tile="9-9"), 422, "rules/not-in-hand"),
    (action(type="play", tile="19-1"), 422, "tile/text"),
    (action(type="play", tile="6-6 "), 422, "tile/text"),
    (action(type="play", tile=66), 422, "action/shape"),
    (action(type="play"), 422, "action/shape"),
    (action(type="PASS"), 422, "action/shape"),
    (action(type="pass", seat=1), 422, "action/shape"),
    (action(type="timed_out"), 422, "action/shape"),
    (action(type="round_ended"), 422, "action/shape"),
    (foreign, 422, "rules/not-in-hand"),
    (other_seat, 409, "rules/not-your-turn"),
    (first(seq=0), 409, "match/stale"),
    (first(seq=2**32 - 1), 409, "match/stale"),
    (first(prev=BYTES), 409, "match/stale"),
    (first(prev="00" * 32, seq=1), 409, "match/stale"),
    (first(seq=-1), 400, "json/number"),
    (first(seq=1.5), 400, "json/number"),
    (first(seq=2**32), 422, "request/range"),
    (first(seq="5"), 422, "request/type"),
    (first(seq=True), 422, "request/type"),
    (first(seat=0), 422, "request/unknown-field"),
    (first(at=0), 422, "request/unknown-field"),
    (first(action=[]), 422, "request/type"),
    (first(signature="5a" * 64), 422, "signature/not-due"),
]
# Whatever the match is at: tried in play and after it.
EVERY: list[tuple[Made, int, str]] = [
    (beyond("64"), 404, "seat/unknown"),
    (beyond("9" * 400), 404, "seat/unknown"),
    (beyond("-1"), 404, "seat/unknown"),
    (beyond("0x0"), 404, "seat/unknown"),
    (lambda _: Request("GET", "/v1/matches/" + "00" * 16), 404, "match/unknown"),
    (
        lambda table: Request("GET", table.path.upper().replace("V1/MATCHES", "v1/matches")),
        404,
        "match/unknown",
    ),
    (showing(0, client_seed="5a"), 422, "request/range"),
    (showing(0, client_seed="5A" * 32), 422, "request/range"),
    (showing(0, seat=1), 422, "request/unknown-field"),
    (bodiless, 400, "request/body-missing"),
    (elsewhere("GET", "?at=999999"), 404, "match/no-such-seq"),
    (elsewhere("GET", "?at=-1"), 422, "request/range"),
    (elsewhere("GET", "/"), 404, "route/unknown"),
    (elsewhere("GET", "/../../livez"), 404, "route/unknown"),
    (elsewhere("GET", "/events?after=x"), 422, "request/type"),
    (elsewhere("GET", "/events?wait=1e9"), 422, "request/type"),
    (elsewhere("GET", "/events?after=1&after=2"), 422, "request/repeated-field"),
    (elsewhere("PUT", ""), 405, "request/method"),
    (elsewhere("DELETE", ""), 405, "request/method"),
    (elsewhere("PUT", "/transcript"), 405, "request/method"),
    (elsewhere("POST", "/events"), 405, "request/method"),
]
AT: dict[str, list[tuple[Made, int, str]]] = {
    "joining": [
        (sitting(0, name="other"), 409, "seat/taken"),
        (beyond("3"), 404, "seat/unknown"),
        (sitting(1, client_seed=BYTES), 422, "request/range"),
        (sitting(1, name="a b"), 422, "request/range"),
        (sitting(1, name="x" * 25), 422, "request/range"),
        (sitting(1, token="x" * 43), 422, "request/unknown-field"),
        (sitting(1, invite="00" * 16), 422, "seat/not-reserved"),
        (showing(0), 409, "seed/too-early"),
        (acting(0), 409, "match/not-dealt"),
        (leaving(1), 401, "auth/token-unknown"),
    ],
    "revealing": [
        (sitting(1, name="other"), 409, "seat/taken"),
        (showing(1), 409, "seed/other-seating"),
        (showing(0), 409, "seed/revealed"),
        (showing(5), 404, "seat/unknown"),
        (acting(1), 409, "match/not-dealt"),
    ],
    "dealt": [*TURN, (with_end, 422, "rules/end-not-allowed")],
    "played": TURN,
    "ended": [
        (acting(0), 410, "match/over"),
        (leaving(1), 410, "match/over"),
        (showing(0), 410, "match/over"),
        (sitting(0, name="other"), 409, "seat/taken"),
    ],
    "void": [
        (acting(0), 410, "match/void"),
        (sitting(1), 410, "match/void"),
        (showing(0), 410, "match/void"),
    ],
}
AT["played"] = [*AT["played"], *EVERY]
AT["ended"] += EVERY
ROWS = [(stage, *row) for stage, rows in AT.items() for row in rows]


@pytest.mark.parametrize(
    ("stage", "made", "status", "code"),
    ROWS,
    ids=[f"{stage}-{code}-{place}" for place, (stage, _, _, code) in enumerate(ROWS)],
)
def test_a_refusal(
    stages: dict[str, Table], stage: str, made: Made, status: int, code: str
) -> None:
    """T13, T36, T38: its code, its shape, and not one byte appended."""
    table = stages[stage]
    refused(table, made(table), status, code)


def test_the_matches_go_on(tables: Tables) -> None:
    """T13: after a refusal of every kind a match is played to its end as if nothing had been."""
    table = tables("draw", rounds_max=1).deal()
    for made, status, code in TURN[::3]:
        refused(table, made(table), status, code)
    table.finish()
    refused(table, replace(acting(0)(table), token=table.tokens[1]), 410, "match/over")
    one_history(table)

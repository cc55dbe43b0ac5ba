"""What was said once is said again: byte for byte, elsewhere, later, and with a change."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import pytest

from tests.hostile.conftest import Tables
from tests.hostile.judging import one_history, refused, same, untouched
from tests.hostile.table import Table
from tests.hostile.wire import Answer, Json, Request


@dataclass(frozen=True, slots=True)
class Course:
    """A match in which everything was said once."""

    table: Table
    said: dict[str, tuple[Request, Answer]]


@pytest.fixture(params=[(), (0, 1)], ids=["bare", "signed"])
def course(request: pytest.FixtureRequest, tables: Tables) -> Course:
    """Taken, revealed, acted, left; the match still goes on."""
    signed: tuple[int, ...] = request.param
    table = tables("draw", signed=signed, rounds_max=1)
    said: dict[str, tuple[Request, Answer]] = {}

    def say(name: str, sent: Request) -> None:
        said[name] = sent, table.do(sent)

    for seat in range(2):
        say(f"take-{seat}", table.sitting(seat))
    for seat in range(2):
        say(f"reveal-{seat}", table.revealing(seat))
    for turn in range(4):
        seat, listed = table.to_act()
        say(f"act-{turn}", table.acting(seat, listed[0]))
    say("leave-0", table.leaving(0))
    return Course(table, said)


def repeated(course: Course) -> None:
    """Everything again, in both orders: the same answers, nothing appended."""
    with untouched(course.table):
        for sent, first in [*course.said.values(), *reversed(course.said.values())]:
            same(course.table.house.ask(sent), first)


def test_the_same_again(course: Course) -> None:
    """T27: byte for byte again, after the match moved on and after it ended."""
    repeated(course)
    course.table.finish()
    repeated(course)
    one_history(course.table, [first for _, first in course.said.values()])


def test_the_same_again_in_a_void_match(tables: Tables) -> None:
    """T27: what was said before a match was void is answered as it was; new things are refused."""
    table = tables(seats=3)
    said = [(sent, table.do(sent)) for sent in (table.sitting(0), table.sitting(1))]
    gone = table.leaving(1)
    said.append((gone, table.do(gone)))
    for sent, first in said:
        with untouched(table):
            same(table.house.ask(sent), first)
    for late in (table.sitting(2), table.leaving(0), table.acting(0, {"type": "pass"})):
        refused(table, late, 410, "match/void")
    refused(table, table.revealing(0), 410, "match/void")


CHANGED: dict[str, list[tuple[Json, int, str]]] = {
    "take-0": [
        ({"name": "other"}, 409, "seat/taken"),
        ({"client_seed_commitment": "5a" * 32}, 409, "seat/taken"),
        ({"client_seed_commitment": None, "client_seed": "5a" * 32}, 409, "seat/taken"),
        ({"invite": "5a" * 16}, 409, "seat/taken"),
    ],
    "reveal-0": [
        ({"client_seed": "5a" * 32}, 409, "seed/too-late"),
        ({"seated_hash": "5a" * 32}, 409, "seed/too-late"),
    ],
    "act-0": [
        ({"seq": 5}, 409, "match/stale"),
        ({"seq": 0}, 409, "match/stale"),
        ({"seq": 2**32 - 1}, 409, "match/stale"),
        ({"prev": "5a" * 32}, 409, "match/stale"),
        ({"action": {"type": "pass"}}, 409, "match/stale"),
        ({"action": {"type": "play", "tile": "0-0", "end": "up"}}, 409, "match/stale"),
    ],
    "leave-0": [({"signature": "5a" * 64}, 409, "seat/has-left")],
}


@pytest.mark.parametrize("name", CHANGED)
def test_the_same_with_one_change(course: Course, name: str) -> None:
    """T27, T38: nothing is replaced, whatever it is that differs."""
    sent, _ = course.said[name]
    for change, status, code in CHANGED[name]:
        refused(course.table, sent.but(**change), status, code)
    if course.table.keys:
        for other in (None, "5a" * 64):
            _, status, code = CHANGED[name][0]
            refused(course.table, sent.but(signature=other), status, code)
    course.table.finish()
    ended = "seat/taken" if name.startswith("take") else "match/over"
    change, _, _ = CHANGED[name][0]
    refused(course.table, sent.but(**change), 409 if ended == "seat/taken" else 410, ended)


def test_replayed_to_another_seat(course: Course) -> None:
    """T8, T25, T50: what one seat said is not said by the other one."""
    table, house = course.table, course.table.house
    taken, _ = course.said["take-0"]
    refused(table, taken.at(f"{table.path}/seats/1"), 409, "seat/taken")
    refused(table, taken.by(table.tokens[1]), 409, "seat/taken")
    shown, _ = course.said["reveal-0"]
    refused(table, shown.at(f"{table.path}/seats/1/seed"), 409, "seed/too-late")
    for turn in range(4):
        acted, _ = course.said[f"act-{turn}"]
        other = table.tokens[1 - table.tokens.index(str(acted.token))]
        refused(table, acted.by(other), 409, "match/stale")
    left, _ = course.said["leave-0"]
    refused(table, left.at(f"{table.path}/seats/1"), 403, "auth/other-seat")
    refused(table, left.by(table.tokens[1]), 403, "auth/other-seat")
    for name, (sent, _) in course.said.items():
        if not name.startswith("reveal"):
            stranger = sent.by(secrets.token_urlsafe(32))
            known = (409, "seat/taken") if name.startswith("take") else (401, "auth/token-unknown")
            refused(table, stranger, *known)
    house.unharmed()


def test_replayed_to_another_match(course: Course, tables: Tables) -> None:
    """T8, T12: a commitment, a seed or a move of another match opens and moves nothing here. A
    commitment is opaque until it is opened: the copy sits down, and can never reveal.
    """
    other = tables("draw", rounds_max=1)
    for name in ("act-0", "leave-0"):
        sent, _ = course.said[name]
        path = sent.path.replace(course.table.path, other.path)
        refused(other, sent.at(path), 401, "auth/token-unknown")
    if course.table.keys:
        sent, _ = course.said["take-0"]
        refused(other, sent.at(f"{other.path}/seats/0"), 422, "signature/invalid")
        return
    for seat in range(2):
        sent, _ = course.said[f"take-{seat}"]
        assert other.house.ask(sent.at(f"{other.path}/seats/{seat}")).status == 201
    for seat in range(2):
        sent, _ = course.said[f"reveal-{seat}"]
        moved = sent.at(f"{other.path}/seats/{seat}/seed")
        refused(other, moved, 409, "seed/other-seating")
        named = moved.but(seated_hash=other.seated_hash())
        refused(other, named, 422, "seed/mismatch")
    one_history(other)


def test_a_copied_commitment_takes_no_seat(tables: Tables) -> None:
    """T8: no two commitments of a match are equal; and moved to another seat it never opens."""
    table = tables(seats=3)
    first = table.sitting(0)
    table.do(first)
    copied = first.told()["client_seed_commitment"]
    request = table.sitting(1, client_seed_commitment=copied)
    refused(table, request, 409, "seat/duplicate-seed")
    moved = table.sitting(2).told()["client_seed_commitment"]
    table.do(table.sitting(1, client_seed_commitment=moved))
    refused(table, table.sitting(2), 409, "seat/duplicate-seed")


def test_no_seed_before_the_last_commitment(tables: Tables) -> None:
    """T7: nobody can be made to show a seed first, nor sit down with one in the clear."""
    table = tables()
    table.do(table.sitting(0))
    refused(table, table.revealing(0), 409, "seed/too-early")
    clear = table.sitting(1).saying({"client_seed": "5a" * 32})
    refused(table, clear, 422, "seat/clear-seed")
    table.do(table.sitting(1))
    table.do(table.revealing(0))
    refused(table, table.sitting(1, client_seed_commitment="5a" * 32), 409, "seat/taken")


def test_a_seed_for_another_seating(tables: Tables) -> None:
    """T9, T37: a reveal that names another seating is refused, and the true one stays welcome."""
    table, other = tables().sit_all(), tables().sit_all()
    true = table.revealing(0)
    seated = [it["prev"] for it in table.events()[1:]]
    for named in (other.seated_hash(), table.opened_hash.hex(), *seated, "00" * 32):
        refused(table, true.but(seated_hash=named), 409, "seed/other-seating")
    refused(table, true.but(client_seed=table.seeds[1].hex()), 422, "seed/mismatch")
    refused(table, true.at(f"{table.path}/seats/1/seed"), 422, "seed/mismatch")
    table.do(true)
    refused(table, true.but(client_seed="00" * 32), 409, "seed/revealed")


def test_nothing_follows_the_end(tables: Tables) -> None:
    """T38: every request, new or old, to a match that is over."""
    table = tables(rounds_max=1).deal().finish()
    for late in (
        table.acting(0, {"type": "pass"}),
        table.leaving(1),
        table.revealing(0).but(client_seed="5a" * 32),
        table.sitting(0, name="again").by(table.tokens[0]),
    ):
        code = "seat/taken" if late.method == "PUT" and late.token else "match/over"
        refused(table, late, 409 if code == "seat/taken" else 410, code)
    one_history(table)

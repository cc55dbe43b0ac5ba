"""Receipts that were forged, bent or taken from elsewhere: none of them ends a match."""

from __future__ import annotations

import pytest

from tests.forge.curve import L
from tests.forge.keys import OTHER
from tests.hostile.conftest import Tables
from tests.hostile.judging import all_refused, one_history, refused, same
from tests.hostile.table import Table
from tests.hostile.wire import Answer, Json, Request


@pytest.fixture
def table(tables: Tables) -> Table:
    return tables(options={"hand": 10}).deal()


def on_turn(table: Table) -> Request:
    """A good action."""
    seat, listed = table.to_act()
    return table.acting(seat, listed[0])


def test_a_forged_receipt_loses_no_history(table: Table, tables: Tables) -> None:
    """T51, T43: only what this house signed for this match makes it say that it lost something."""
    other = tables().deal().get()["receipt"]
    true, request = table.get()["receipt"], on_turn(table)
    seq, hashed = true["seq"] + 1, "5a" * 32
    ahead = {**true, "seq": seq, "event_hash": hashed}
    signature = OTHER.sign(bytes.fromhex(table.match), seq, bytes.fromhex(hashed)).hex()
    r, s = true["signature"][:64], int.from_bytes(bytes.fromhex(true["signature"][64:]), "little")
    forged: list[Json] = [
        ahead,
        {**ahead, "signature": signature},
        {**ahead, "signature": signature, "key_id": OTHER.id},
        {**ahead, "signature": "00" * 64},
        {**other, "match": table.match},
        {**true, "seq": true["seq"] - 1},
        {**true, "event_hash": hashed},
        {**true, "key_id": "00" * 8},
        {**true, "signature": r + (s + L).to_bytes(32, "little").hex()},
    ]
    all_refused(table, [request.but(receipt=it) for it in forged], 422, "receipt/invalid")
    refused(table, request.but(receipt=other), 422, "receipt/other-match")
    for name in ("signature", "event_hash", "match", "key_id"):
        upper = {**true, name: true[name].upper()}
        if upper != true:
            answer = table.house.ask(request.but(receipt=upper))
            assert answer.code in ("receipt/invalid", "receipt/other-match", "request/range")
    assert table.get()["receipt"] == true
    table.do(request.but(receipt=true))
    one_history(table)


def test_true_receipts_change_nothing(table: Table) -> None:
    """T51: whatever receipt of this match comes with an action, a house that has it plays on."""
    kept = [table.get(f"?at={seq}")["receipt"] for seq in range(table.head()["seq"] + 1)]
    for receipt in kept:
        table.do(on_turn(table).but(receipt=receipt))
        if table.get()["status"] != "playing":
            break
    assert len(one_history(table)) > len(kept)


def test_one_receipt_for_each_head(table: Table) -> None:
    """T43: however often and by whomever a head is asked for, it has the one receipt."""
    answers: list[Answer] = []
    for _ in range(3):
        request = on_turn(table)
        first = table.do(request)
        again = table.house.ask(request)
        same(again, first)
        stale = table.house.ask(request.but(action={"type": "pass"}))
        answers += [first, again, stale]
        for path in (table.path, f"{table.path}/events"):
            answers.append(table.house.ask(Request("GET", path)))
    one_history(table, answers)
    listed = {it.told()["receipt"]["signature"] for it in answers}
    assert len(listed) == 3

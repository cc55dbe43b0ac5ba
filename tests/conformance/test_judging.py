"""The judge can fail a verifier: lies of every sort are noticed."""

from __future__ import annotations

import json

import pytest

from tests.conformance.asking import Answer, differences
from tests.conformance.reading import Json, scenarios

FORGERIES = scenarios("forgeries/refuted", "forgeries/witnessed", "forgeries/unreadable")
VALID = scenarios("vectors/valid")


def answer(exit_: int, **report: object) -> Answer:
    return Answer(exit_, json.dumps({"exit": exit_, **report}), "")


def right(expect: Json) -> Json:
    """The report that is expected, as far as `expect` goes."""
    names = ("code", "number", "seq")
    report = {name: value for name, value in expect.items() if name not in names}
    if "unchecked" in report:
        report["unchecked"] = [{"code": code, "text": ""} for code in report["unchecked"]]
    return report | {"failure": {name: expect[name] for name in names if name in expect}}


def test_who_always_nods_fails_every_forgery() -> None:
    nod = answer(0, verdict="verified", complete=True)
    assert all(differences(given, nod) for given in FORGERIES)


def test_who_always_shakes_its_head_fails_every_vector() -> None:
    shake = answer(1, verdict="refuted", failure={"code": "chain/prev", "number": 102, "seq": 1})
    assert all(differences(given, shake) for given in VALID)


def test_who_is_right_passes() -> None:
    for given in FORGERIES + VALID:
        report = right(given.expect)
        told = answer(report.pop("exit"), **report)
        assert differences(given, told) == {}, given.name


@pytest.mark.parametrize("member", ["verdict", "code", "seq", "exit", "number"])
def test_one_wrong_member_is_enough(member: str) -> None:
    given = next(it for it in FORGERIES if "seq" in it.expect)
    report = right(given.expect)
    exit_ = report.pop("exit")
    if member in report["failure"]:
        report["failure"][member] = "wrong"
    elif member == "exit":
        exit_ = 0
    else:
        report[member] = "wrong"
    assert member in differences(given, answer(exit_, **report))

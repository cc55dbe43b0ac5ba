"""Every code is produced by a forgery, and by its own check alone."""

from __future__ import annotations

import json

import pytest

from fairbones_verify import verify
from fairbones_verify.codes import CHECKS
from tests.verifier.forgeries import FORGERIES, OFF


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_refuted_with_its_code(name: str) -> None:
    data, beside = FORGERIES[name]()
    report = verify(data, **beside)
    assert (report.verdict, report.code) == ("refuted", name.partition(" ")[0]), report.text()
    assert not report.convicts


@pytest.mark.parametrize("name", [name for name in FORGERIES if OFF[name] is not None])
def test_with_that_check_off_the_forgery_passes(name: str) -> None:
    """A forgery that another check would find anyway says nothing about its own."""
    data, beside = FORGERIES[name]()
    report = verify(data, **beside, without=OFF[name] or ())
    assert report.verdict == "verified", report.text()
    assert "CHECKS WERE SWITCHED OFF" in report.text()
    assert json.loads(report.json())["switched_off"] == sorted(OFF[name] or ())


def test_every_check_has_a_forgery() -> None:
    forged = {name.split()[0] for name in FORGERIES}
    assert {code for number, code, _ in CHECKS if number >= 100} == forged

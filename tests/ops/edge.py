"""How tests of the operator's side ask the edge."""

from __future__ import annotations

from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from fairbones.api.limits import Limits
from fairbones.app import build_api
from fairbones.house.contract import HouseContract
from fairbones.ops import Ops

OPENING = {"ruleset": "block", "seats": 2, "rounds_max": 1}  # 28 tiles
TILES = 28

Numbers = dict[tuple[str, frozenset[tuple[str, str]]], float]


def client_of(house: HouseContract, ops: Ops | None = None) -> FlaskClient:
    """A client of an application with this operator's side."""
    return build_api(house, Limits(body_max=4_096, wait_max=5, waiters=2), ops).test_client()


def parsed(text: str) -> Numbers:
    """Every sample of an exposition by its name and labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def number(numbers: Numbers, name: str, **labels: str) -> float:
    """One of them; KeyError when it is not there."""
    return numbers[f"fairbones_{name}", frozenset(labels.items())]


def scraped(client: FlaskClient) -> Numbers:
    """What /metrics says."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    return parsed(answer.text)

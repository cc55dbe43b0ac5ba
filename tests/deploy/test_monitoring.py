"""Alerts and dashboard: PromQL, on metrics and labels that the service really has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser as promql
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from fairbones.ops.metrics import Metrics
from tests.deploy.promql import strange
from tests.deploy.running import service
from tests.deploy.texts import DEPLOY

ALERTS = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text())
DASHBOARD = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text())
RULES: list[dict[str, Any]] = [rule for group in ALERTS["groups"] for rule in group["rules"]]
# What Grafana puts in before Prometheus sees a query.
VARIABLES = {"$__rate_interval": "5m", "$instance": ".*"}


def panels() -> Iterator[tuple[str, str]]:
    """Title and query of everything that the dashboard shows."""
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", []):
            query = target["expr"]
            for name, value in VARIABLES.items():
                query = query.replace(name, value)
            yield panel["title"], query


def exported() -> dict[str, set[str]]:
    """Names of samples and their labels, of numbers in which everything has happened once."""
    metrics = Metrics()
    metrics.appended(1)
    metrics.conflict()
    metrics.lock_waited(0.1)
    metrics.waiting(1)
    metrics.history_lost(bytes(16))
    metrics.answered("/v1/matches", "POST", 201, 0.1)
    metrics.opened(28)
    metrics.limited("rate/requests")
    metrics.store_failed("store/full")
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(metrics.exposition().decode()):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


OURS = exported()


def test_the_names_are_those_of_a_service_that_runs(tmp_path: Path) -> None:
    with service(tmp_path) as it:
        status, text = it.get("/metrics")
    assert status == 200
    families = set(re.findall(r"^# TYPE (fairbones_\w+) ", text, re.M))
    suffixes = ("_bucket", "_sum", "_count")
    for name in OURS:
        plain = next((name.removesuffix(it) for it in suffixes if name.endswith(it)), name)
        assert plain in families, name


def test_alerts_have_the_shape_of_rules() -> None:
    assert set(ALERTS) == {"groups"}
    names = [rule["alert"] for rule in RULES]
    assert len(names) == len(set(names)) >= 15
    for rule in RULES:
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}, rule["alert"]
        assert rule["labels"] in ({"severity": "page"}, {"severity": "ticket"})
        assert set(rule["annotations"]) == {"summary", "description", "runbook"}
        if "for" in rule:
            assert promql.parse_duration(rule["for"]).total_seconds() > 0


def test_lost_history_pages_at_once() -> None:
    [rule] = [it for it in RULES if it["alert"] == "FairbonesHistoryLost"]
    assert rule["labels"]["severity"] == "page"
    assert "for" not in rule


@pytest.mark.parametrize("rule", RULES, ids=lambda it: str(it["alert"]))
def test_an_alert_asks_for_what_there_is(rule: dict[str, Any]) -> None:
    assert strange(rule["expr"], OURS) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda it: str(it["alert"]))
def test_an_alert_speaks_of_labels_that_it_has(rule: dict[str, Any]) -> None:
    words = " ".join(rule["annotations"].values())
    for label in re.findall(r"\$labels\.(\w+)", words):
        grouped = re.findall(r"\bby \(([^)]*)\)", rule["expr"])
        plain = not re.search(r"\b(sum|max|count|absent)\b", rule["expr"])
        by = {name.strip() for names in grouped for name in names.split(",")}
        assert label in by or (plain and label == "instance"), label


@pytest.mark.parametrize(("title", "query"), list(panels()), ids=[it[0] for it in panels()])
def test_a_panel_asks_for_what_there_is(title: str, query: str) -> None:
    assert "$" not in query, title
    assert strange(query, OURS) == []


@pytest.mark.parametrize(
    "query",
    [
        "rate(fairbones_append_total[5m])",
        'fairbones_store_errors_total{kind="x"}',
        "sum by (rule) (fairbones_appends_total)",
        "redis_memory_bytes > 1",
    ],
)
def test_a_name_that_nobody_exports_is_found(query: str) -> None:
    assert strange(query, OURS)


@pytest.mark.parametrize("query", ["rate(fairbones_appends_total[5m)", "sum by rule (up)", ">"])
def test_what_is_no_query_is_found(query: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        strange(query, OURS)


def test_the_dashboard_is_whole() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(ids) == len(set(ids))
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24, panel["title"]
    names = {it["name"] for it in DASHBOARD["templating"]["list"]}
    text = json.dumps(DASHBOARD["panels"])
    used = set(re.findall(r"\$\{?([a-z]\w*)", text))
    assert used <= names
    asked = [
        it["query"]["query"] for it in DASHBOARD["templating"]["list"] if it["type"] == "query"
    ]
    assert asked == ["label_values(fairbones_build_info, instance)"]
    # Every metric of ours is somewhere to be seen, or in an alert.
    seen = text + " ".join(rule["expr"] for rule in RULES)
    for name in OURS:
        if not name.endswith(("_sum", "_count")):
            assert name in seen, name

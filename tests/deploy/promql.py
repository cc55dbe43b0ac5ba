"""What a query asks for: metrics and labels, as a parser of PromQL reads it."""

from __future__ import annotations

from dataclasses import dataclass, field

import promql_parser as promql

# Labels that Prometheus adds to whatever it scrapes, and that of a histogram's buckets.
GIVEN = {"job", "instance", "le"}
# Metrics of Prometheus itself.
OF_PROMETHEUS = {"up"}
# Those of oliver006/redis_exporter that are used, and their labels.
OF_REDIS_EXPORTER = {
    "redis_up": set[str](),
    "redis_memory_used_bytes": set[str](),
    "redis_memory_max_bytes": set[str](),
    "redis_evicted_keys_total": set[str](),
    "redis_aof_enabled": set[str](),
    "redis_aof_last_write_status": set[str](),
    "redis_aof_last_bgrewrite_status": set[str](),
    "redis_rdb_last_bgsave_status": set[str](),
    "redis_instance_info": {"role"},
    "redis_connected_slaves": set[str](),
    "redis_connected_clients": set[str](),
    "redis_commands_processed_total": set[str](),
}


@dataclass
class Asked:
    """The metrics of a query with the labels each is chosen by, and the labels it groups by."""

    metrics: dict[str, set[str]] = field(default_factory=dict)
    grouped: set[str] = field(default_factory=set)


def asked(query: str) -> Asked:
    """Raises ValueError for what is no PromQL."""
    found = Asked()

    def look(expr: promql.Expr) -> bool:
        if isinstance(expr, promql.MatrixSelector):
            expr = expr.vector_selector
        if isinstance(expr, promql.VectorSelector):
            assert expr.name is not None, query
            labels = found.metrics.setdefault(expr.name, set())
            labels |= {matcher.name for matcher in expr.matchers.matchers}
        if isinstance(expr, promql.AggregateExpr) and expr.modifier is not None:
            found.grouped |= set(expr.modifier.labels)
        return True

    promql.walk(promql.parse(query), look)
    return found


def strange(query: str, ours: dict[str, set[str]]) -> list[str]:
    """What a query names that nobody exports; `ours` are the service's metrics and labels."""
    known = ours | OF_REDIS_EXPORTER | {name: set[str]() for name in OF_PROMETHEUS}
    it = asked(query)
    lost = [name for name in it.metrics if name not in known]
    lost += [
        f"{name}{{{label}}}"
        for name, labels in it.metrics.items()
        for label in labels - GIVEN - known.get(name, set())
    ]
    offered = set[str]().union(*(known.get(name, set()) for name in it.metrics)) | GIVEN
    return lost + [f"by ({label})" for label in it.grouped - offered]

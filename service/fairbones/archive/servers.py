"""What a house asks of its Redis or Valkey, read from what the server says of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from fairbones.archive.findings import OK, PROBLEM, WARNING, Finding

Said = Mapping[str, object]
OLDEST = {"redis": (6, 2), "valkey": (7, 2)}
_ABOUT = "server"
SKEW_MS = 2_000


def judged(
    name: str, info: Said, config: Mapping[str, str] | None, wait_replicas: int
) -> Iterator[Finding]:
    """What is so of the server at `name`: `info` is INFO, `config` CONFIG GET, None where the
    server does not tell that.
    """
    for finding in _judged(info, config, wait_replicas):
        yield replace(finding, about=f"{_ABOUT} {name}")


def _judged(info: Said, config: Mapping[str, str] | None, wait_replicas: int) -> Iterator[Finding]:
    yield from _version(info)
    yield _policy(str(info.get("maxmemory_policy", "noeviction")))
    if config is None:
        yield Finding(
            _ABOUT,
            WARNING,
            "the server does not tell its configuration (CONFIG GET is not allowed)",
            "make sure of: appendonly yes, appendfsync always",
        )
    else:
        yield _persistence(config)
        yield from _replicas(info, config, wait_replicas)
    for name in ("aof_last_write_status", "aof_last_bgrewrite_status"):
        if info.get(name, "ok") != "ok":
            text = f"{name} is {info[name]}: its last write to the disk failed"
            yield Finding(_ABOUT, PROBLEM, text, "look at the disk and the log of the server")
    limit, used = _number(info, "maxmemory"), _number(info, "used_memory")
    if limit and used * 10 > limit * 8:
        yield Finding(
            _ABOUT,
            WARNING,
            f"{used * 100 // limit} % of its memory limit are in use; full, it takes no move",
            "raise maxmemory, or export and prune old matches",
        )


def skew(server_ms: int, before: int, after: int) -> Iterator[Finding]:
    """The server's clock beside ours, which was `before` and `after` the question (ms)."""
    off = max(before - server_ms, server_ms - after, 0)
    if off > SKEW_MS:
        text = f"the clock of the server is {off} ms from this one"
        yield Finding("clock", WARNING, text, "set the clocks of all hosts by one time server")


def _version(info: Said) -> Iterator[Finding]:
    kind = "valkey" if "valkey_version" in info else "redis"
    text = str(info.get(f"{kind}_version", "0"))
    version = tuple(int(part) for part in text.split(".")[:2] if part.isdigit())
    oldest = OLDEST[kind]
    if version < oldest:
        need = ".".join(map(str, oldest))
        text = f"the server is {kind} {text}, and {need} is needed"
        yield Finding(_ABOUT, PROBLEM, text, f"install {kind} {need} or newer")
    else:
        yield Finding(_ABOUT, OK, f"{kind} {text} answers")
    if info.get("role") not in ("master", None):
        text = "this server is a replica and takes no writes"
        yield Finding(_ABOUT, PROBLEM, text, "name the primary, or a Sentinel, in FAIRBONES_STORE")


def _policy(policy: str) -> Finding:
    if policy == "noeviction":
        return Finding(_ABOUT, OK, "it drops nothing when its memory is full")
    return Finding(
        _ABOUT,
        PROBLEM,
        f"maxmemory-policy is {policy}: it drops matches when its memory is full",
        "CONFIG SET maxmemory-policy noeviction, and in its configuration file",
    )


def _persistence(config: Mapping[str, str]) -> Finding:
    if config.get("appendonly") != "yes":
        return Finding(
            _ABOUT,
            PROBLEM,
            "appendonly is off: moves that were answered are lost when it restarts",
            "CONFIG SET appendonly yes, and in its configuration file",
        )
    fsync = config.get("appendfsync", "")
    if fsync == "always":
        return Finding(_ABOUT, OK, "every move is on its disk before it is answered")
    lost = "a second or more" if fsync == "everysec" else "half a minute or more"
    return Finding(
        _ABOUT,
        WARNING if fsync == "everysec" else PROBLEM,
        f"appendfsync is {fsync}: a power cut loses {lost} of moves, and their matches are void",
        "CONFIG SET appendfsync always, and in its configuration file",
    )


def _replicas(info: Said, config: Mapping[str, str], wait: int) -> Iterator[Finding]:
    replicas = _number(info, "connected_slaves")
    if replicas < wait:
        yield Finding(
            _ABOUT,
            PROBLEM,
            f"replicas that follow it: {replicas}; FAIRBONES_WAIT_REPLICAS waits for {wait}",
            "start the replicas, or lower FAIRBONES_WAIT_REPLICAS",
        )
    elif replicas == 0:
        text = "it has no replica: its disk is the only copy"
        yield Finding(_ABOUT, WARNING, text, "add a replica, or make backups often")
    else:
        yield Finding(_ABOUT, OK, f"replicas that follow it: {replicas}")
    least = config.get("min-replicas-to-write", config.get("min-slaves-to-write", "0"))
    if wait and int(least) < wait:
        yield Finding(
            _ABOUT,
            WARNING,
            f"min-replicas-to-write is {least}: cut off from its replicas it goes on to take moves "
            "that a failover loses",
            f"CONFIG SET min-replicas-to-write {wait}, and in its configuration file",
        )


def _number(info: Said, name: str) -> int:
    value = info.get(name, 0)
    return value if isinstance(value, int) else 0

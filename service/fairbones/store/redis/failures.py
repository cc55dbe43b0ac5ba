"""What Redis says, as errors of ours: one code for each thing an operator can do about it."""

from __future__ import annotations

from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    RedisError,
)

from fairbones.core.errors import FairbonesError

# By the first word of the reply, or of the reply inside a script's.
_MEANINGS: tuple[tuple[str, str, str], ...] = (
    ("OOM", "store/full", "has used all the memory it may; raise its maxmemory"),
    ("MISCONF", "store/full", "cannot write to its disk; free some space or mend it"),
    ("READONLY", "store/read-only", "is a replica now; name the master, or go through Sentinel"),
    ("LOADING", "store/busy", "is still loading its data; try again"),
    ("BUSY", "store/busy", "is busy with a script; try again"),
    ("MASTERDOWN", "store/busy", "waits for its master; try again"),
    ("CLUSTERDOWN", "store/busy", "belongs to a Cluster that is not whole; try again"),
    ("TRYAGAIN", "store/busy", "is being moved within its Cluster; try again"),
    ("NOREPLICAS", "store/busy", "takes no writes while replicas are missing; try again"),
    ("WRONGTYPE", "store/corrupt", "has something else where a match should be; restore a backup"),
    ("NOAUTH", "store/wrong-password", "wants a password; see FAIRBONES_STORE_PASSWORD_FILE"),
    ("WRONGPASS", "store/wrong-password", "does not know this user and password"),
    (
        "NOPERM",
        "store/failed",
        "forbids its user a command that is needed; allow ~fb:* &fb:* +@all",
    ),
    ("MOVED", "store/busy", "belongs to a Cluster; its slots move; try again"),
)
_NO_DATABASE = ("store/url", "has no database of this number; name another in FAIRBONES_STORE")


def refusal(error: RedisError, where: object) -> FairbonesError:
    """The error of ours for a reply that refuses; the server did nothing then."""
    code, text = _meaning(error)
    return FairbonesError(code, f"The store at {where} {text}.", redis=said(error))


def said(error: BaseException) -> str:
    """The word with which Redis names an error: harmless to show, unlike the rest of a reply."""
    if isinstance(error, BusyLoadingError):
        return "LOADING"
    word = str(error).split(" ", 1)[0].lstrip("-").rstrip(":")
    return word if word.isascii() and word.isupper() else type(error).__name__


def unreachable(where: object, error: BaseException | None = None) -> FairbonesError:
    """Nothing was sent, or what was sent changes nothing."""
    why = "cannot be reached; start it or try again"
    cause = str(error.__cause__ or error) if error is not None else ""
    if "CERTIFICATE_VERIFY_FAILED" in cause:
        why = "shows a certificate that is not to be trusted; name who signed it with ?ca=FILE"
    return FairbonesError("store/unreachable", f"The store at {where} {why}.")


def unknown_outcome(where: object) -> FairbonesError:
    """A write was sent, and whether it was kept is not known."""
    return FairbonesError(
        "store/unknown-outcome",
        f"The store at {where} did not say in time whether it kept this; "
        "send the very same request again.",
    )


def corrupt(where: object, **details: object) -> FairbonesError:
    """What is kept is not what was written."""
    return FairbonesError(
        "store/corrupt",
        f"The store at {where} has lost or changed what was kept of a match; restore a backup.",
        **details,
    )


def closed() -> FairbonesError:
    """After `Store.close`."""
    return FairbonesError("store/closed", "The service is stopping; try again.")


def _meaning(error: RedisError) -> tuple[str, str]:
    if isinstance(error, BusyLoadingError):
        return "store/busy", "is still loading its data; try again"
    if isinstance(error, AuthenticationError | AuthorizationError):
        return "store/wrong-password", "does not know this user and password"
    text = str(error)
    # A script hands on what it was told: Redis 6.2 within its own words, 7 in front of them.
    for word, code, meaning in _MEANINGS:
        if text.startswith((word + " ", "-" + word + " ")) or f" -{word} " in text:
            return code, meaning
    if "DB index is out of range" in text:
        return _NO_DATABASE
    # redis-py takes the word off some replies and makes it a class.
    return _CLASSES.get(
        type(error).__name__, ("store/failed", "refused a command; the log has the details")
    )


_CLASSES = {
    cls: (code, text)
    for cls, prefix in (
        ("OutOfMemoryError", "OOM"),
        ("ReadOnlyError", "READONLY"),
        ("NoPermissionError", "NOPERM"),
        ("MasterDownError", "MASTERDOWN"),
        ("ClusterDownError", "CLUSTERDOWN"),
        ("TryAgainError", "TRYAGAIN"),
        ("MovedError", "MOVED"),
    )
    for word, code, text in _MEANINGS
    if word == prefix
}

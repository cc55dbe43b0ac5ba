"""What the store says: to clients always 503, to the operator what to do. Those of a start that is
refused are here too: they name why in one sentence on stderr, and stand on the same page.
"""

from __future__ import annotations

from fairbones.api.codes.row import Row

_LATER = "Send the same request again after Retry-After seconds; "


def _store(name: str, title: str, cause: str, remedy: str) -> Row:
    return Row(f"store/{name}", 503, title, cause, remedy)


STORE = (
    _store(
        "unreachable",
        "The store cannot be reached",
        "The service has no connection to its store, or the store does not answer in time; "
        "nothing was appended.",
        _LATER + "operators start the store, or mend the network between.",
    ),
    _store(
        "unknown-outcome",
        "Nobody knows whether it was done",
        "The connection to the store broke while it was told to append, or too few replicas have "
        "confirmed: the step may stand or may not.",
        "Send the very same request again, with the same `seq`, token or Idempotency-Key: what "
        "stands is answered as it was, and nothing is done twice.",
    ),
    _store(
        "full",
        "The store is full",
        "The disk or the memory of the store has no room; nothing was appended.",
        _LATER + "operators make room.",
    ),
    _store(
        "read-only",
        "The store cannot be written",
        "The store's files may not be written, or the server is a replica; nothing was appended.",
        _LATER + "operators make the files writable, or name the primary.",
    ),
    _store(
        "busy",
        "The store is busy",
        "Another program holds the store, or the store is still loading; nothing was appended.",
        _LATER + "operators look for a second program on the same data.",
    ),
    _store(
        "corrupt",
        "The store is damaged",
        "What the store holds contradicts itself or cannot be read.",
        "Wait for the operator, who restores a backup; transcripts that were fetched stay valid.",
    ),
    _store(
        "failed",
        "The store failed",
        "The store could not be read or written; the log of the service has the store's own code.",
        _LATER + "operators read the log.",
    ),
    _store(
        "closed",
        "The store is closed",
        "The service is stopping and has let go of its store.",
        "Send the same request again after Retry-After seconds, when the service is back.",
    ),
    _store(
        "newer",
        "The store is of a newer release",
        "The data was written by a newer release of Fairbones, which this one cannot read.",
        "Operators run the newer release, or restore a backup from before it.",
    ),
    _store(
        "copy",
        "The store is a backup",
        "The service was pointed at a backup, whose matches have gone on elsewhere: to go on from "
        "it would be a second history.",
        "Operators take from it what was over, with `fairbones export --ended-before` and "
        "`fairbones import --ended-only`.",
    ),
    _store(
        "foreign",
        "Not a store of Fairbones",
        "What the service was pointed at holds the data of another program.",
        "Operators point FAIRBONES_DATA or FAIRBONES_STORE at the right place.",
    ),
    _store(
        "wrong-password",
        "The store refuses the password",
        "The store wants a user or a password and takes none of those it was given.",
        "Operators put the right one into FAIRBONES_STORE_PASSWORD_FILE or FAIRBONES_STORE.",
    ),
    _store(
        "old-server",
        "The store's server is too old",
        "The server is older than Redis 6.2 or Valkey 7.2.",
        "Operators run a newer server.",
    ),
    _store(
        "evicts",
        "The store forgets",
        "The server drops keys when its memory is full (maxmemory-policy), and matches with them.",
        "Operators set maxmemory-policy to noeviction.",
    ),
    _store(
        "url",
        "Not the address of a store",
        "FAIRBONES_STORE is neither `sqlite` nor an address of a store.",
        "Operators correct it; the line on stderr says what is wrong with it.",
    ),
    _store(
        "in-use",
        "The data folder is in use",
        "Another process holds the data folder, which belongs to one at a time.",
        "Operators stop the other process, or choose another FAIRBONES_DATA.",
    ),
    _store(
        "folder",
        "Not a folder for data",
        "The data folder cannot be made, is open to others or is on a file system without locks "
        "or shared memory.",
        "Operators choose a folder on a local disk that belongs to the service alone.",
    ),
    _store(
        "old-sqlite",
        "SQLite is too old",
        "The SQLite of this Python is older than the store needs.",
        "Operators run a Python with a newer SQLite; the line on stderr names the versions.",
    ),
)

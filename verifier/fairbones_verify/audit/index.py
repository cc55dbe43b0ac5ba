"""What an audit has found so far, on disk: its memory does not grow with the number of matches.

A database without a name is a file of its own that sqlite makes where temporary files are, and
that is gone with the process, however that ends. Sorting and grouping use such files too.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Optional

from ..report import shown
from .errands import LONG, Order, Result
from .tables import TABLES

BATCH = 200
Row = tuple[Any, ...]


class Index:
    """The tables above, and what is asked of them while the audit runs."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.database = sqlite3.connect("", isolation_level=None)
        for setting in ("journal_mode = off", "synchronous = off", "temp_store = file"):
            self.database.execute(f"pragma {setting}")
        self.database.executescript(TABLES)

    def close(self) -> None:
        """It is gone then."""
        self.database.close()

    def rows(self, query: str, *values: Any) -> Iterator[Row]:
        """The rows of a query, one after the other."""
        return iter(self.database.execute(query, values))

    def number(self, query: str, *values: Any) -> int:
        """The number that a query asks for; nothing is 0."""
        (found,) = self.database.execute(query, values).fetchone()
        return int(found or 0)

    def put(self, table: str, *values: Any) -> None:
        """A row more."""
        places = ",".join("?" * len(values))
        self.database.execute(f"insert into {table} values ({places})", values)  # noqa: S608 - ours

    def put_all(self, table: str, rows: Sequence[Row]) -> None:
        """Several rows more."""
        if rows:
            places = ",".join("?" * len(rows[0]))
            self.database.executemany(f"insert into {table} values ({places})", rows)  # noqa: S608 - ours

    # What there is

    def note(self, source: bytes, opened_at: Optional[int]) -> bool:
        """A match is listed, opened when its list says; False when it was listed before."""
        query = "insert or ignore into found (source, listed) values (?, ?)"
        made = self.database.execute(query, (source, opened_at))
        return made.rowcount == 1

    def found(self) -> Iterator[tuple[bytes, Optional[int]]]:
        """Everything found, in order, with when a list says that it was opened. Other questions may
        be asked meanwhile."""
        return ((source, listed) for _, source, listed in self.stream("found", "source, listed"))

    def stream(self, table: str, columns: str) -> Iterator[Row]:
        """A table with a column n, in order, n first. It may grow meanwhile."""
        n = 0
        query = f"select n, {columns} from {table} where n > ? order by n limit ?"  # noqa: S608 - ours
        while True:
            batch = list(self.rows(query, n, BATCH))
            if not batch:
                return
            yield from batch
            n = batch[-1][0]

    def trouble(self, kind: str, source: str, told: Result) -> None:
        """A source that is unreadable, or a place that is "unsearched"."""
        self.put("trouble", kind, source, json.dumps({"source": source, **told}))

    # What is known of it

    def remember(self, line: Result) -> None:
        """A line of STATE; the last one of a source is the one that holds."""
        source = os.fsencode(line["source"])
        self.history(line)
        self.database.execute(
            "insert or replace into known values (?, ?, ?)",
            (source, line.get("match"), json.dumps(line)),
        )

    def known(self, source: bytes) -> Result | None:
        """The last line of STATE for a source."""
        for (line,) in self.rows("select line from known where source = ?", source):
            value: Result = json.loads(line)
            return value
        return None

    def take(self, result: Result) -> None:
        """The result of a transcript, fresh or from STATE, is one of this audit."""
        unread = result.get("unread")
        told = self.order.told(result["source"])
        if unread is not None:
            self.trouble("unreadable", told, unread)
        failure = result.get("report", {}).get("failure", unread or {})
        self.put(
            "result",
            os.fsencode(result["source"]),
            result["verdict"],
            failure.get("code"),
            result.get("match"),
            result.get("events", 0),
            result.get("content", result.get("sha256")),
            result.get("key_id"),
            result.get("convicts", False),
            result.get("compared"),
            json.dumps(result),
        )

    def history(self, result: Result) -> None:
        """A contradiction to a receipt of an earlier audit, if there is one. It stays for ever."""
        if "history" in result:
            saved = {"saved": result["saved"]} if "saved" in result else {}
            sides = (self.order.told(result["source"]), "an earlier audit")
            self.contradiction(result["match"], sides, {**saved, **result["history"]})

    def contradiction(self, match: str, sides: tuple[str, str], told: Result) -> None:
        """Two histories of one match."""
        line = json.dumps({"match": match, "a": sides[0], "b": sides[1], **told})
        self.put("history", match, *sides, told["comparison"]["convicts"], line)

    def several(self) -> Iterator[tuple[str, list[Row]]]:
        """Every match with different transcripts, and of each the source, hash, verdict; the
        longest first."""
        matches = self.rows(
            "select match from result where match is not null group by match "
            "having count(distinct sha256) > 1 order by match"
        )
        for (match,) in matches:
            yield (
                match,
                list(
                    self.rows(
                        "select min(source), sha256, verdict, events from result where match = ? "
                        "group by sha256 order by events desc, min(source)",
                        match,
                    )
                ),
            )

    # Receipts

    def vouch(self, source: str, receipt: Result) -> None:
        """A receipt that was found; the same one counts once, where it was found first."""
        names = ("match", "key_id", "seq", "event_hash", "signature")
        self.database.execute(
            "insert into voucher values (?, ?, ?, ?, ?, ?, ?) on conflict do update "
            "set source = min(source, excluded.source)",
            (*(receipt[name] for name in names), shown(source, LONG), json.dumps(receipt)),
        )

    def vouched(self) -> Iterator[tuple[list[Result], bytes, str, bool]]:
        """The receipts of every match and key, and its transcript under that key: source and hash,
        or b"" and ""; then also whether it is there under another key."""
        best = (
            "select source, sha256 from result where match = ? and key_id = ? "
            "and verdict <> 'unreadable' "
            "order by verdict = 'verified' desc, events desc, source limit 1"
        )
        other = "select exists (select 1 from result where match = ? and verdict <> 'unreadable')"
        written = "select line from voucher where match = ? and key_id = ? order by seq, hash"
        for pair in self.rows("select distinct match, key_id from voucher order by match, key_id"):
            receipts = [json.loads(line) for (line,) in self.rows(written, *pair)]
            source, digest = next(self.rows(best, *pair), (b"", ""))
            yield receipts, source, digest, bool(self.number(other, pair[0]))

    def hold(self, receipt: Result, held: Result, transcript: str) -> None:
        """What a receipt is to the transcript of its match."""
        names = ("match", "key_id", "seq", "event_hash", "signature")
        (source,) = next(
            self.rows(
                "select source from voucher "
                "where (match, key_id, seq, hash, signature) = (?, ?, ?, ?, ?)",
                *(receipt[name] for name in names),
            )
        )
        place = {"transcript": transcript} if transcript else {}
        told = {"source": source, "match": receipt["match"], "seq": receipt["seq"], **place, **held}
        guilt = held.get("comparison", {}).get("convicts", False)
        self.put("held", receipt["match"], receipt["seq"], held["what"], guilt, json.dumps(told))

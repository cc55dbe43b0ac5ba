"""The course of an audit: find, verify, compare (spec/audit.md, 1 and 4)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Optional

from ..report import shown
from .clerks import Clerks
from .errands import LONG, Errand, Order, Result, Unread
from .finding import list_of, listing, searching, vouching
from .index import Index
from .progress import Progress
from .state import State

UNSERVED = ("source/gone", "source/match")  # a service lists a match, and says another thing of it
SILENT = 20  # transcripts in a row that could not be had
BLOCK = 64  # different transcripts of one match that are compared each with each


class Course:
    """One audit, from its source to its index. `limit` is None where none was given."""

    def __init__(
        self,
        order: Order,
        index: Index,
        clerks: Clerks,
        progress: Progress,
        limit: Optional[int] = None,
        state: Optional[State] = None,
    ) -> None:
        self.order, self.index, self.clerks = order, index, clerks
        self.progress, self.limit, self.state = progress, limit, state
        self.cut = False  # whether something was left out on purpose
        self.before = 0
        self.skipped = 0  # rows of a list that says they are older than --since
        self.silent = 0
        self.compared = self.lost = self.not_compared = 0  # pairs of transcripts

    def run(self) -> None:
        """All of it."""
        for line in self.state.lines() if self.state is not None else ():
            self.index.remember(line)
        self.progress.begin("searching")
        find = listing if self.order.kind == "service" else searching
        self.cut = find(self) or self.order.since is not None
        self.progress.begin("verifying", self.index.number("select count(*) from found"))
        for errand, result in self.clerks.results(self._transcripts()):
            self._take(errand, result)
        self._rest()
        self.progress.end()
        self._compare()
        if self.order.receipts:
            self._vouch()

    def unsearched(self, source: str, result: Result) -> None:
        """A place that cannot be searched."""
        self.index.trouble("unsearched", source, result["unread"])

    # Verifying

    def _transcripts(self) -> Iterator[Errand]:
        """Whatever has to be looked at; of a service not what is known and at its end."""
        for source, listed in self.index.found():
            before = self.index.known(source)
            settled = before is not None and before["verdict"] == "verified" and before["complete"]
            if before is not None and settled and self.order.kind == "service":
                self._done(before, fresh=False)
                continue
            if self.silent >= SILENT:
                return
            names = ("size", "sha256", "receipt")
            stamp = None if before is None else {k: before[k] for k in names if k in before}
            yield Errand("verify", os.fsdecode(source), {"before": stamp, "listed": listed})

    def _take(self, errand: Errand, result: Result) -> None:
        """The result of one transcript."""
        false = result.pop("misdated", None)
        if false is not None:
            self.unsearched(self._told_of(errand), false)
        gone = self.order.kind == "service" and result.get("silent")
        self.silent = self.silent + 1 if gone else 0
        if "before" in result:
            self.before += 1
            self.progress.step()
        elif "same" in result:
            known = self.index.known(os.fsencode(errand.source))
            assert known is not None
            self._done(known, fresh=False)
        elif "verdict" not in result:
            told, why = self.order.told(errand.source), result["unread"]
            kind = "unserved" if why["code"] in UNSERVED else "unreadable"
            self.index.trouble(kind, told, why)
            self.progress.step(kind)
        else:
            if self.state is not None:
                self.state.add(result)
            self.index.history(result)
            self._done(result)

    def _done(self, result: Result, fresh: bool = True) -> None:
        self.index.take(result)
        self.progress.step(result["verdict"], fresh)

    def _rest(self) -> None:
        """What was not even asked for, because the service has gone silent."""
        left = self.progress.due - self.progress.done
        if left:
            got = f"{SILENT} in a row could not be had; {left:,} were not asked for"
            why = Unread("source/url", "transcripts of all matches", got)
            self.unsearched(list_of(self.order), why.result())

    # Comparing

    def _compare(self) -> None:
        """Different transcripts of one match."""
        self.progress.begin("comparing")
        for errand, result in self.clerks.results(self._groups()):
            if "unread" in result:
                self.unsearched(self._told(errand), result)
                continue
            self.compared += result["plain"]
            for i, j in result["pairs"]:
                sides = [
                    errand.given[name][one] for name in ("sources", "sha256") for one in (i, j)
                ]
                self.index.put(
                    "pair", None, errand.source, *map(os.fsencode, sides[:2]), *sides[2:]
                )
        for errand, result in self.clerks.results(self._pairs()):
            self._pair(errand, result)
        if self.progress.done:
            self.progress.end()

    # Receipts

    def _vouch(self) -> None:
        """Those of the folder of receipts, each against the transcript of its match."""
        self.progress.begin("receipts")
        vouching(self)
        papers = self.index.stream("paper", "path")
        errands = (Errand("receipts", os.fsdecode(path), {}) for _, path in papers)
        for errand, result in self.clerks.results(errands):
            self.progress.step()
            if "unread" in result:
                told = shown(errand.source, LONG)
                self.index.trouble("receipts", told, result["unread"])
                continue
            for one in result["receipts"]:
                self.index.vouch(errand.source, one)
        for errand, result in self.clerks.results(self._vouched()):
            if "unread" in result:
                self.unsearched(self._told_of(errand), result)
                continue
            for one, held in zip(errand.given["receipts"], result["held"]):
                self.index.hold(one, held, self._told_of(errand) if errand.source else "")
        self.progress.end()

    def _vouched(self) -> Iterator[Errand]:
        """Matches with receipts, each with the transcript that counts under their key."""
        for receipts, source, digest, elsewhere in self.index.vouched():
            given = {"receipts": receipts, "sha256": digest, "elsewhere": elsewhere}
            yield Errand("held", os.fsdecode(source), given)

    def _told_of(self, errand: Errand) -> str:
        return self.order.told(errand.source)

    def _groups(self) -> Iterator[Errand]:
        """Matches with several transcripts, in blocks with the longest in each."""
        for match, members in self.index.several():
            blocks = range(1, len(members), BLOCK - 1)
            for start in blocks:
                block = [members[0], *members[start : start + BLOCK - 1]]
                yield Errand(
                    "group",
                    match,
                    {
                        "sources": [os.fsdecode(row[0]) for row in block],
                        "sha256": [row[1] for row in block],
                        "plain": [row[2] == "verified" for row in block],
                    },
                )
            sizes = [len(members[start : start + BLOCK - 1]) for start in blocks]
            others = len(members) - 1
            self.not_compared += others * (others - 1) // 2 - sum(k * (k - 1) // 2 for k in sizes)

    def _pairs(self) -> Iterator[Errand]:
        """The pairs that have to be looked at closely."""
        for _, match, a, b, *hashes in self.index.stream("pair", "match, a, b, sha256_a, sha256_b"):
            yield Errand(
                "pair", match, {"sources": [os.fsdecode(a), os.fsdecode(b)], "sha256": hashes}
            )

    def _pair(self, errand: Errand, result: Result) -> None:
        if "unread" in result:
            self.unsearched(self._told(errand), result)
            return
        self.compared += 1
        self.lost += result["relation"] == "history-lost"
        self.progress.step()
        if result["relation"] == "parted":
            first, second = (self.order.told(one) for one in errand.given["sources"])
            told = {"comparison": result["comparison"]}
            self.index.contradiction(errand.source, (first, second), told)

    def _told(self, errand: Errand) -> str:
        return self.order.told(errand.given["sources"][0])

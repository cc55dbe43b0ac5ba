"""The summary of an audit: the object of spec/audit.md, 3, list by list."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from .. import __version__
from . import tallies
from .course import Course
from .tallies import Rows


class Summary:
    """What an audit found; `counts.count` has been called on its index."""

    def __init__(self, course: Course, now: int, pinned: list[str]) -> None:
        self.course, self.index, self.order = course, course.index, course.order
        self.now, self.pinned = now, pinned

    @property
    def exit(self) -> int:
        """0, 1 or 2, as spec/audit.md has it."""
        number = self.index.number
        wrong = "select exists (select 1 from result where verdict = 'refuted')"
        apart = "select exists (select 1 from held where what in ('parted', 'beyond'))"
        served = "select exists (select 1 from trouble where kind = 'unserved')"
        history = "select exists (select 1 from history)"
        if any(number(query) for query in (wrong, apart, served, history)):
            return 1
        absent = "select exists (select 1 from held where what = 'missing')"
        trouble = "select exists (select 1 from trouble)"
        return 2 if number(trouble) or number(absent) or self.blind else 0

    @property
    def blind(self) -> bool:
        """Whether nothing was looked at, because a list says that all of it is older."""
        return self.course.skipped > 0 and not self.index.number("select count(*) from found")

    @property
    def whole(self) -> bool:
        """Whether everything was looked at."""
        left = "select exists (select 1 from trouble where kind = 'unsearched')"
        return not self.course.cut and not self.index.number(left)

    def members(self) -> dict[str, Any]:
        """The object, in the order in which it is told."""
        return {
            "exit": self.exit,
            "source": self.order.told_place(),
            "kind": self.order.kind,
            "whole": self.whole,
            "now": self.now,
            "keys": self.pinned,
            "transcripts": self.transcripts(),
            "refuted": Rows(self.refuted),
            "unreadable": Rows(lambda: self.trouble("unreadable")),
            "unsearched": Rows(lambda: self.trouble("unsearched")),
            "unserved": Rows(lambda: self.trouble("unserved")),
            "histories": self.histories(),
            "receipts": self.receipts(),
            "gone": Rows(self.gone),
            "matches": self.matches(),
            "overdue": Rows(self.overdue),
            "voids": tallies.voids(self.index),
            "abandoned": self.abandoned(),
            "seats": tallies.seats(self.index),
            "houses": Rows(lambda: tallies.houses(self.index, self.pinned)),
            "client_seeds": tallies.client_seeds(self.index),
            "server_seeds": tallies.server_seeds(self.index),
            "roots": tallies.roots(self.index),
            "options": Rows(lambda: tallies.options(self.index)),
            "tables": Rows(lambda: tallies.tables(self.index)),
            "unchecked": tallies.unchecked(self.index),
            "version": __version__,
        }

    # Transcripts

    def transcripts(self) -> dict[str, int]:
        """How many, by verdict."""
        number = self.index.number
        verdicts = {
            name: number("select count(*) from result where verdict = ?", name)
            for name in ("verified", "refuted")
        }
        return {
            "found": number("select count(*) from found"),
            **verdicts,
            "unreadable": number("select count(*) from trouble where kind = 'unreadable'"),
            "unserved": number("select count(*) from trouble where kind = 'unserved'"),
            "before": self.course.before,
            "skipped_by_list": self.course.skipped,
        }

    def refuted(self) -> Iterator[dict[str, Any]]:
        """Each with what is needed to hand it on."""
        names = ("sha256", "size", "saved", "report", "story")
        query = "select line from result where verdict = 'refuted' order by source"
        for (text,) in self.index.rows(query):
            line = json.loads(text)
            told = {name: line[name] for name in names if name in line}
            yield {"source": self.order.told(line["source"]), **told}

    def trouble(self, kind: str) -> Iterator[dict[str, Any]]:
        """What could not be read, or not be searched."""
        query = "select line from trouble where kind = ? order by source, line"
        for (line,) in self.index.rows(query, kind):
            yield json.loads(line)

    def histories(self) -> dict[str, Any]:
        """Different transcripts of one match."""
        number, course = self.index.number, self.course
        lost = "select count(*) from result where compared = 'history-lost'"
        return {
            "compared": course.compared
            + number("select count(*) from result where compared is not null"),
            "contradictions": number("select count(*) from history"),
            "convict": number("select sum(convicts) from history"),
            "lost": course.lost + number(lost),
            "not_compared": course.not_compared,
            "list": Rows(
                lambda: (
                    json.loads(line)
                    for (line,) in self.index.rows(
                        "select line from history order by match, a, b, line"
                    )
                )
            ),
        }

    def receipts(self) -> dict[str, Any]:
        """Receipts from beside, held against the transcripts."""
        number = self.index.number
        kinds = {"agree": "agrees", "contradictions": "parted", "beyond": "beyond"}
        kinds |= {"lost": "history-lost", "unusable": "unusable", "missing": "missing"}
        return {
            "found": number("select count(*) from voucher"),
            **{
                name: number("select count(*) from held where what = ?", what)
                for name, what in kinds.items()
            },
            "convict": number("select sum(convicts) from held"),
            "list": Rows(self.held),
            "matches": Rows(self.missing),
            "unreadable": Rows(lambda: self.trouble("receipts")),
        }

    def held(self) -> Iterator[dict[str, Any]]:
        """Receipts that do not simply agree."""
        query = (
            "select line from held where what in ('parted', 'beyond', 'unusable') "
            "order by match, seq, line"
        )
        for (line,) in self.index.rows(query):
            yield json.loads(line)

    def missing(self) -> Iterator[dict[str, Any]]:
        """Matches that receipts speak of, and of which there is no transcript."""
        query = (
            "select match, count(*), max(seq) from held where what = 'missing' "
            "group by match order by match"
        )
        for match, times, seq in self.index.rows(query):
            yield {"match": match, "receipts": times, "seq": seq}

    def gone(self) -> Iterator[dict[str, Any]]:
        """What was there in an earlier audit."""
        if not self.whole:
            return
        query = (
            "select line from known where source not in (select source from found) order by source"
        )
        for (text,) in self.index.rows(query):
            line = json.loads(text)
            named = {"match": line["match"]} if "match" in line else {}
            yield {"source": self.order.told(line["source"]), **named}

    # Matches

    def matches(self) -> dict[str, Any]:
        """How they ended, or what they wait for."""
        number = self.index.number
        kinds = {
            name: number("select count(*) from ending where kind = ?", name)
            for name in ("played", "drawn", "abandoned", "voided")
        }
        waiting = {
            name: number("select count(*) from ending where kind = 'waiting' and reason = ?", name)
            for name in ("seats", "seeds", "hands")
        }
        overdue = number("select count(*) from overdue")
        counted = number("select count(*) from ending")
        return {"counted": counted, **kinds, "waiting": {**waiting, "overdue": overdue}}

    def overdue(self) -> Iterator[dict[str, Any]]:
        """Matches that should have ended."""
        rows = self.index.rows("select source, match, close_by from overdue order by source")
        for source, match, close_by in rows:
            yield {
                "source": self.order.told(os.fsdecode(source)),
                "match": match,
                "close_by": close_by,
            }

    def abandoned(self) -> dict[str, int]:
        """Matches that nobody played any more."""
        query = "select count(*) from ending where kind = 'abandoned' and reason = ?"
        return {name: self.index.number(query, name) for name in ("idle", "close_by")}


def spelled(value: Any) -> Iterator[str]:
    """The JSON of a summary, piece by piece: one line of ASCII."""
    if isinstance(value, dict):
        yield "{"
        for place, (name, member) in enumerate(value.items()):
            yield f"{', ' if place else ''}{json.dumps(name)}: "
            yield from spelled(member)
        yield "}"
    elif isinstance(value, (list, Rows)):
        yield "["
        for place, item in enumerate(value):
            yield ", " if place else ""
            yield from spelled(item)
        yield "]"
    else:
        yield json.dumps(value)

"""What an audit is about: the files of a folder, or what a service lists (spec/audit.md, 1).

Everything found is put into the index, so that there may be any number of it. The result is whether
something was left out on purpose.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..report import shown
from . import folder
from .errands import LONG, Errand, Order, Unread

if TYPE_CHECKING:
    from .course import Course

EARLIEST = 1_704_067_200_000  # 2024: no match of this protocol is older
MOST_MATCHES = 100_000  # of a list that may have no end, when no limit was given


class NothingThere(Exception):
    """No transcript in a folder, no list of a service: (code, what was expected, what is wrong)."""


def searching(course: Course) -> bool:
    """A folder and all in it. The folders that are still to be searched are on disk as well."""
    index, order = course.index, course.order
    root = os.fsencode(order.place)
    index.put("folder", None, b"")
    for _, path in index.stream("folder", "path"):
        for entry in folder.entries(root, path):
            if entry.kind == "folder":
                index.put("folder", None, entry.path)
            elif entry.kind == "file":
                index.put("name", entry.path)
                course.progress.step()
            elif entry.why is not None:
                course.unsearched(order.told(os.fsdecode(entry.path)), entry.why.result())
    there = index.number("select count(*) from name")
    if not there and not index.number("select count(*) from trouble"):
        what = "a folder with transcripts, *.json or *.json.gz"
        raise NothingThere("start/file", what, f"{order.place}: none")
    limit = there if course.limit is None else course.limit
    index.database.execute(
        "insert into found (source) select source from name order by source limit ?", (limit,)
    )
    return limit < there


def vouching(course: Course) -> None:
    """The folder of receipts and all in it, in the order of their paths."""
    root, folders, paths = os.fsencode(course.order.receipts), [b""], list[bytes]()
    for below in folders:
        for entry in folder.entries(root, below):
            if entry.kind == "folder":
                folders.append(entry.path)
            elif entry.kind == "file":
                paths.append(entry.path)
            elif entry.why is not None:
                told = shown(os.fsdecode(entry.path), LONG)
                course.index.trouble("receipts", told, entry.why.result()["unread"])
    course.index.put_all("paper", [(None, path) for path in sorted(paths)])


def listing(course: Course) -> bool:
    """The list of a service, page by page."""
    most, cursor, seen = course.limit or MOST_MATCHES, "", 0
    since = course.order.since or 0
    while True:
        page = course.clerks.one(Errand("page", cursor, {}))
        here = list_of(course.order, cursor)
        if "unread" in page:
            told = page["unread"]
            if not cursor:
                got = f"{course.order.place}: {told['got']} ({told['code']})"
                raise NothingThere("start/url", told["expected"], got)
            course.unsearched(here, page)
            return False
        # A time before there was such a match, or none, tells nothing: then the transcript does.
        young = [
            (name, opened)
            for name, opened in page["matches"]
            if opened is None or not EARLIEST <= opened < since
        ]
        course.skipped += len(page["matches"]) - len(young)
        before = seen
        for name, opened in young:
            if seen == most:
                return cut_off(course, most, here)
            if course.index.note(name.encode("ascii"), opened):
                seen += 1
                course.progress.step()
        cursor = page["cursor"] or ""
        if not cursor or (page["matches"] and not young):
            return False
        if seen == most:
            return cut_off(course, most, here)
        if seen == before:
            got = "no match that was not listed before, and yet a cursor"
            why = Unread("source/list", "a page that goes on, or the last one", got)
            course.unsearched(here, why.result())
            return False


def cut_off(course: Course, most: int, here: str) -> bool:
    """The rest of a list is not read: as was asked for, or because it may have no end."""
    if course.limit is None:
        why = Unread("source/list", f"{most:,} matches at most, or --limit", "more")
        course.unsearched(here, why.result())
    return True


def list_of(order: Order, cursor: str = "") -> str:
    """A page of the list, as people are told of it."""
    return f"{order.told_place()}/v1/matches" + (f"?cursor={cursor}" if cursor else "")

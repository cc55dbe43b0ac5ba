"""A service and its list of matches, asked politely (spec/audit.md, 1).

The service may be the one that is audited for cheating: no answer is trusted to end, to be small,
to be quick, or to lead where it says.
"""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException
from typing import NamedTuple, Optional

from .. import sources
from ..strictjson import MAX_BYTES, MAX_NUMBER
from .errands import Unread

TRIES = 3
PAUSE = 1.0
LONGEST_PAUSE = 30.0
SECONDS_SILENT = 15.0
PAGE = 100
PAGE_BYTES = 1 << 20
GONE = (404, 410)
AGAIN = (429, 502, 503, 504)
MATCH = re.compile("[0-9a-f]{32}")
CURSOR = re.compile("[A-Za-z0-9_-]{1,128}")


class Page(NamedTuple):
    """A page of the list: (match id, when it was opened, if it says), and where the next one is."""

    matches: list[tuple[str, Optional[int]]]
    cursor: Optional[str]


def address(given: str) -> str:
    """The address of a service, whichever of its addresses was given; "" for none."""
    try:
        parts = urllib.parse.urlsplit(given)
        parts.port  # noqa: B018 - raises where it is no number
    except ValueError:
        return ""
    if not parts.hostname or "@" in parts.netloc or parts.query or parts.fragment:
        return ""
    path = re.sub("/v1(/matches)?$", "", parts.path.rstrip("/"))
    whole = f"{parts.scheme}://{parts.netloc}{path}"
    return whole if re.fullmatch("https?://[!-~]+", whole) else ""


def page(place: str, cursor: str, seconds: int) -> Page:
    """One page of the list, the first without a cursor."""
    more = "" if not cursor else f"&cursor={urllib.parse.quote(cursor, safe='')}"
    value = sources.loose(fetched(f"{place}/v1/matches?limit={PAGE}{more}", PAGE_BYTES, seconds))
    listed = value.get("matches") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        raise Unread("source/list", "an object with a list of matches", "something else")
    matches: list[tuple[str, Optional[int]]] = []
    for one in listed:
        name = one.get("id") if isinstance(one, dict) else None
        if not isinstance(name, str) or not MATCH.fullmatch(name):
            raise Unread("source/list", "matches with an id of 32 hex digits", "another id")
        opened = one.get("opened_at")
        good = type(opened) is int and 0 <= opened <= MAX_NUMBER
        matches.append((name, opened if good else None))
    following = value.get("cursor")
    if following is not None and not (isinstance(following, str) and CURSOR.fullmatch(following)):
        raise Unread("source/list", "a cursor of letters, digits, - and _", "something else")
    return Page(matches, following)


def transcript(place: str, match: str, seconds: int) -> bytes:
    """The transcript of a match, up to one byte more than the limit."""
    return fetched(f"{place}/v1/matches/{match}/transcript", MAX_BYTES, seconds)


def fetched(url: str, most: int, seconds: float) -> bytes:
    """An answer, asked for a few times if need be; up to one byte more than `most`."""
    end = time.monotonic() + seconds
    for attempt in range(1, TRIES + 1):
        try:
            return once(url, most, end)
        except Busy as busy:  # noqa: PERF203 - three times
            late = time.monotonic() + busy.pause > end
            if attempt == TRIES or late:
                raise Unread("source/url", "an answer", busy.got, silent=True) from None
            time.sleep(busy.pause)
    raise AssertionError


class Busy(Exception):
    """The service does not answer now; `pause` says when to ask again."""

    def __init__(self, got: str, pause: float = PAUSE) -> None:
        super().__init__(got)
        self.got, self.pause = got, pause


def once(url: str, most: int, end: float) -> bytes:
    """One request. Neither a redirect nor another protocol is followed."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    request = urllib.request.Request(  # noqa: S310 - `address` saw to http(s)
        url, headers={"Accept": "application/json", "User-Agent": "fairbones-verify"}
    )
    silent = max(0.1, min(SECONDS_SILENT, end - time.monotonic()))
    try:
        with opener.open(request, timeout=silent) as answer:
            if answer.status != 200:
                raise Unread("source/url", "the status 200", f"{answer.status}")
            return sources.body(answer, end, most)
    except urllib.error.HTTPError as error:
        with error:
            raise refusal(error) from None
    except sources.TooSlow:
        raise Unread("source/url", "an answer in time", "it is too slow", silent=True) from None
    except (OSError, HTTPException, ValueError) as error:
        raise Busy(str(getattr(error, "reason", None) or error) or type(error).__name__) from None


def refusal(error: urllib.error.HTTPError) -> Exception:
    """What becomes of an answer with another status."""
    if error.code in AGAIN:
        asked = error.headers.get("Retry-After", "")
        pause = float(asked) if re.fullmatch("[0-9]{1,4}", asked) else PAUSE
        return Busy(f"the status {error.code}", min(max(pause, PAUSE), LONGEST_PAUSE))
    if error.code in GONE:
        return Unread("source/gone", "what the service lists", f"the status {error.code}")
    where = error.headers.get("Location") if 300 <= error.code < 400 else None
    got = f"the status {error.code}" + (f", to {where}" if where else "")
    return Unread("source/url", "the status 200", got)

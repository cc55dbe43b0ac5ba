"""Reading what the command line names: transcripts, keys, receipts, a seat's papers (SPEC 9)."""

from __future__ import annotations

import re
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException, HTTPResponse
from typing import Any, Callable, TypeVar

from .strictjson import MAX_BYTES, read

SECONDS_SILENT = 15  # how long a server may say nothing
SECONDS_IN_ALL = 120.0
CHUNK = 1 << 16

T = TypeVar("T")


class Problem(Exception):
    """(code, what was expected, what is wrong): the verifier cannot start."""


def transcript(source: str) -> bytes:
    """The bytes of a transcript: `-` is standard input, http and https are fetched, else a file.

    One byte more than the limit of SPEC 6.2 is the most that is ever read.
    """
    if source == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    if re.match(r"(?i)https?://", source):
        return fetched(source)
    return file(source, "start/file", "a readable file")


def file(path: str, code: str, wanted: str) -> bytes:
    """The bytes of a file, up to one more than the limit."""
    try:
        with open(path, "rb") as opened:
            return opened.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Problem(code, wanted, f"{path}: {reason}") from None


class TooSlow(Exception):
    """An answer has not come to its end in time."""


def address(url: str) -> urllib.parse.SplitResult:
    """The parts of an http or https address that a connection can be made to."""
    flaw = ""
    try:
        parts = urllib.parse.urlsplit(url)
        host, port = parts.hostname or "", parts.port
        host.encode("ascii" if ":" in host else "idna")
    except UnicodeError:
        flaw = "no host has such a name"
    except ValueError as error:
        flaw = str(error)
    else:
        if parts.scheme not in ("http", "https") or not host or port == 0:
            flaw = "no http or https address"
        elif re.search("[^!-~]", parts.path + parts.query):
            flaw = "a space, or a letter that is not ASCII"
    if flaw:
        raise Problem("start/url", "an http or https address", f"{url}: {flaw}")
    return parts


def fetched(url: str, seconds: float | None = None) -> bytes:
    """A transcript from its address, or from that of its match."""
    most = SECONDS_IN_ALL if seconds is None else seconds
    parts = address(url)
    try:
        if re.search(r"/v1/matches/[^/]+/?$", parts.path):
            parts = parts._replace(path=parts.path.rstrip("/") + "/transcript")
        return within(most, lambda: asked(parts.geturl(), most))
    except urllib.error.HTTPError as error:
        error.close()  # it is the answer, too
        raise Problem("start/url", "a transcript", f"{url} answers {error.code}") from None
    except TooSlow:
        raise Problem("start/url", f"an answer within {most:g} s", f"{url} is too slow") from None
    except Exception as error:  # noqa: BLE001 - urllib lets many kinds through, down to TLS
        reason = getattr(error, "reason", None) or error
        raise Problem("start/url", "an address that answers", f"{url}: {reason}") from None


def asked(url: str, seconds: float) -> bytes:
    """One request. A redirect is followed, but not to a file or an FTP server."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPRedirectHandler,
        urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    request = urllib.request.Request(  # noqa: S310 - the caller saw to http(s)
        url, headers={"Accept": "application/json", "User-Agent": "fairbones-verify"}
    )
    with opener.open(request, timeout=min(SECONDS_SILENT, seconds)) as answer:
        return body(answer, time.monotonic() + seconds)


def within(seconds: float, do: Callable[[], T]) -> T:
    """What `do` gives or raises, or `TooSlow`.

    A server that sends its headers drop by drop is read by the library, which counts from each drop
    anew. Whatever it waits for is left to wait, in a thread that no exit of ours waits for.
    """
    done: list[T] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            done.append(do())
        except BaseException as error:  # noqa: BLE001 - raised below, by whoever waits
            failed.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed.pop()  # out of the list, or it would hold itself by its own frames
    if not done:
        raise TooSlow
    return done[0]


def body(answer: HTTPResponse, end: float, most: int = MAX_BYTES) -> bytes:
    """An answer piece by piece, up to one byte more than `most`: it may be endless, or come in
    drops. `TooSlow` after the moment `end`, `HTTPException` for one that is cut off.

    `read1` gives what is there; `read` would wait until a whole piece is full.
    """
    said = answer.headers.get("Content-Length", "")
    due = int(said) if re.fullmatch("[0-9]{1,18}", said) else None
    data = bytearray()
    while len(data) <= most and len(data) != due:
        piece = answer.read1(CHUNK)
        if not piece:
            break
        data += piece
        if time.monotonic() > end:
            raise TooSlow
    if due is not None and len(data) < min(due, most + 1):
        raise HTTPException("an answer that is cut off")
    return bytes(data[: most + 1])


def keys(given: str) -> list[str]:
    """The keys that one `--key` names: hex, a file with hex, or a saved list of keys."""
    hexed = re.compile("[0-9a-fA-F]{64}")
    if hexed.fullmatch(given):
        return [given]
    data = file(given, "start/key", "64 hex digits or a file")
    text = data.decode("utf-8", "replace").strip()
    if hexed.fullmatch(text):
        return [text]
    listed = loose(data)
    if isinstance(listed, dict) and "events" in listed:
        wanted = "a key that comes from elsewhere than a transcript"
        raise Problem("start/key", wanted, f"{given}: a transcript")
    found = listed.get("keys") if isinstance(listed, dict) else None
    if isinstance(found, list) and found:
        values = [one.get("public_key") if isinstance(one, dict) else None for one in found]
        if all(isinstance(value, str) and hexed.fullmatch(value) for value in values):
            return [str(value) for value in values]
    raise Problem("start/key", "64 hex digits, or a saved list of keys", f"{given}: neither")


def receipt(path: str) -> dict[str, Any]:
    """A receipt from a file: the object itself, or a saved answer with a member `receipt`."""
    found = loose(file(path, "start/receipt", "a readable file"))
    if isinstance(found, dict) and "event_hash" not in found:
        found = found.get("receipt")
    if not isinstance(found, dict):
        raise Problem("start/receipt", "a receipt, or an answer that carries one", f"{path}: none")
    return found


def paper(path: str, code: str, wanted: str) -> dict[str, Any]:
    """A JSON object that a seat puts beside a transcript: openings, a protest (SPEC 9.9)."""
    found = loose(file(path, code, "a readable file"))
    if not isinstance(found, dict):
        raise Problem(code, wanted, f"{path}: none")
    return found


def loose(data: bytes) -> Any:
    """JSON in any spacing, or None. Keys twice and the like are as bad here as in a transcript."""
    value, _, flaws = read(data, depth=64)
    fatal = ("format/size", "format/utf8", "format/depth", "format/json", "format/duplicate-key")
    return None if any(flaw.code in fatal for flaw in flaws) else value


def seed(given: str) -> tuple[int, bytes]:
    """The seat and the seed of one `--seed N=HEX`."""
    match = re.fullmatch("([0-9]{1,2})=([0-9a-fA-F]{64})", given)
    if match is None:
        raise Problem("start/seed", "N=HEX: a seat and 64 hex digits", given)
    return int(match[1]), bytes.fromhex(match[2])

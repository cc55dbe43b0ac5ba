"""Where the store is, as one URL.

    redis://[user:password@]host[:port][/db]      rediss:// over TLS
    unix://[user:password@]/path[?db=2]
    redis+sentinel://[user:password@]host[:port],host[:port]/NAME[/db]
    redis+cluster://[user:password@]host[:port],host[:port]

`valkey` may stand for `redis` in all of them. With TLS the query may name files: `ca`, `cert` and
`key`. `sentinel_user` and `sentinel_password` are for the Sentinels themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import Literal
from urllib.parse import parse_qsl, unquote, urlsplit

from fairbones.core.errors import FairbonesError

Kind = Literal["alone", "sentinel", "cluster"]

_SCHEMES: dict[str, tuple[Kind, bool]] = {
    "redis": ("alone", False),
    "rediss": ("alone", True),
    "unix": ("alone", False),
    "redis+sentinel": ("sentinel", False),
    "rediss+sentinel": ("sentinel", True),
    "redis+cluster": ("cluster", False),
    "rediss+cluster": ("cluster", True),
}
_PORT = 6379
_SENTINEL_PORT = 26379
_NAME_MAX = 253
_DATABASES_MAX = 1_000_000


@dataclass(frozen=True, slots=True)
class Address:
    """Where one server listens: a host and a port, or the path of a socket with port 0."""

    host: str
    port: int

    def __str__(self) -> str:
        if not self.port:
            return self.host
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Place:
    """A parsed URL. `addresses` are servers, or Sentinels that know the servers called `name`."""

    kind: Kind
    addresses: tuple[Address, ...]
    name: str = ""
    db: int = 0
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False
    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    sentinel_user: str | None = None
    sentinel_password: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        """For people and logs: never with a password."""
        where = ", ".join(map(str, self.addresses))
        return f"{self.name} at {where}" if self.name else where


def parse_url(url: str, password: str | None = None) -> Place:
    """Raises `FairbonesError("store/url")`, in words that do not repeat the URL."""
    scheme, separator, _ = url.partition("://")
    found = _SCHEMES.get(scheme.lower().replace("valkey", "redis", 1))
    if not separator or found is None:
        raise _wrong("has to begin with " + ", ".join(f"{it}://" for it in _SCHEMES))
    kind, tls = found
    try:
        url.encode()  # an environment may hold bytes that are no UTF-8
        parts = urlsplit(url)
        query = dict(
            parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        )
    except ValueError:
        raise _wrong("is not a URL: percent-encode what is special in a password") from None
    if parts.fragment:
        raise _wrong("has a # in it: write it as %23")
    login, _, hosts = parts.netloc.rpartition("@")
    user, colon, secret = login.partition(":")
    if colon and password is not None:
        raise _wrong("has a password, and a password file is named too: use one of them")
    place = Place(
        kind=kind,
        addresses=(),
        tls=tls,
        user=unquote(user) or None,
        password=unquote(secret) if colon else password,
    )
    if scheme.lower() == "unix":
        return _with_query(_unix(place, hosts, unquote(parts.path)), query, unix=True)
    port = _SENTINEL_PORT if kind == "sentinel" else _PORT
    addresses = tuple(_address(it, port) for it in hosts.split(","))
    if kind == "alone" and len(addresses) > 1:
        raise _wrong("names several hosts: write redis+sentinel:// or redis+cluster://")
    place = replace(place, addresses=addresses)
    path = [unquote(it) for it in parts.path.split("/")[1:] if it]
    if kind == "sentinel":
        if not path:
            raise _wrong("lacks the name that the Sentinels watch: redis+sentinel://host/NAME")
        place = replace(place, name=path.pop(0))
    if kind == "cluster" and path and path != ["0"]:
        raise _wrong("names a database: a Cluster has only one")
    if len(path) > 1:
        raise _wrong("has too long a path: the number of the database is all that follows")
    if path:
        place = replace(place, db=_database(path[0]))
    return _with_query(place, query, unix=False)


def _unix(place: Place, host: str, path: str) -> Place:
    if host or not path.startswith("/") or path == "/":
        raise _wrong("needs the whole path of a socket: unix:///run/redis/redis.sock")
    return replace(place, addresses=(Address(path, 0),))


def _with_query(place: Place, query: dict[str, str], *, unix: bool) -> Place:
    allowed = {"db"} if unix else set()
    allowed |= {"ca", "cert", "key"} if place.tls else set()
    allowed |= {"sentinel_user", "sentinel_password"} if place.kind == "sentinel" else set()
    for name in query:
        if name not in allowed:
            hint = f"there may be {', '.join(sorted(allowed))}" if allowed else "take it away"
            raise _wrong(f"has a parameter that means nothing here ({name[:40]!r}): {hint}")
    if ("key" in query) != ("cert" in query):
        raise _wrong("has to name both `cert` and `key`, or neither")
    return replace(
        place,
        db=_database(query["db"]) if "db" in query else place.db,
        ca=query.get("ca"),
        cert=query.get("cert"),
        key=query.get("key"),
        sentinel_user=query.get("sentinel_user"),
        sentinel_password=query.get("sentinel_password"),
    )


def _address(text: str, port: int) -> Address:
    host = text
    digits: str | None = None
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise _wrong("has an IPv6 address without its brackets: [::1]:6379")
        digits = rest[1:] if rest else None
    elif ":" in text:
        host, _, digits = text.rpartition(":")
    if not host or (":" in host and not text.startswith("[")):
        raise _wrong("lacks a host, or has an IPv6 address without brackets: [::1]:6379")
    if digits is not None:
        if not (digits.isascii() and digits.isdigit() and 0 < int(digits[:6]) < 65536):
            raise _wrong("has a port that is no number from 1 to 65535")
        port = int(digits)
    host = unquote(host)
    if not (_is_ipv6(host) if text.startswith("[") else _is_name(host)):
        raise _wrong(
            "has a host that is no address and no name: the parts of a name are 1 to 63 characters "
            "each, with a dot between them"
        )
    return Address(host, port)


def _is_ipv6(host: str) -> bool:
    try:
        return ip_address(host).version == 6
    except ValueError:
        return False


def _is_name(host: str) -> bool:
    """Whether a resolver can be asked about it."""
    if not host.isprintable() or any(it in " :/@%[]" for it in host):
        return False
    try:
        # As the resolver does it: it refuses a part that is empty, too long or not to be encoded.
        encoded = host.encode("idna")
    except UnicodeError:
        return False
    return 0 < len(encoded.removesuffix(b".")) <= _NAME_MAX


def _database(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8 and int(text) < _DATABASES_MAX):
        raise _wrong("has to end with the number of a database: /0")
    return int(text)


def _wrong(what: str) -> FairbonesError:
    return FairbonesError("store/url", f"The URL of the store (FAIRBONES_STORE) {what}.")

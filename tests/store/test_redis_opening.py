"""Which servers a house may start on, and what it says of the others."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.store.redis import open_redis
from fairbones.store.redis.lines import Line, Unsent, connection_to
from fairbones.store.redis.url import Address, Place
from tests.servers import (
    KINDS,
    Config,
    Kind,
    Server,
    cluster,
    make_certificates,
    redis_server,
    sentinel_of,
)
from tests.servers.server import free_port
from tests.store.story import STORY, match_id, told

NOWHERE = Place("alone", ())
PASSWORD = "s3cret: @/%"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with redis_server("valkey") as running:
        yield running


def refusal(url: str, password: str | None = None) -> FairbonesError:
    """Why it does not start; whatever it says, it does not say the password."""
    with pytest.raises(FairbonesError) as caught:
        open_redis(url, password).close()
    shown: BaseException | None = caught.value
    while shown is not None:
        assert "s3cret" not in f"{shown!r} {shown}"
        shown = shown.__cause__
    return caught.value


def tells_the_story(url: str, password: str | None = None) -> None:
    store = open_redis(url, password)
    for write in STORY:
        write.do(store)
    assert store.load(match_id()) == told(len(STORY))
    store.close()


@contextmanager
def answering(reply: bytes) -> Iterator[str]:
    """A server that says the same to everything but PING; its URL."""
    listener = socket.create_server(("127.0.0.1", 0))

    def talk() -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            with line:
                while sent := line.recv(1 << 16):
                    line.sendall(b"+PONG\r\n" if b"PING" in sent else reply)

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    try:
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)


def told_of(**facts: str) -> bytes:
    text = "# Server\r\n" + "".join(f"{name}:{value}\r\n" for name, value in facts.items())
    return b"$%d\r\n%b\r\n" % (len(text), text.encode())


# ------------------------------------------------------------ ways in


@pytest.mark.parametrize("kind", KINDS)
def test_a_password(kind: Kind) -> None:
    with redis_server(kind, Config(password="p-s3cret")) as locked:
        tells_the_story(locked.url)
        host = locked.url.replace(":p-s3cret@", "")
        tells_the_story(host + "1", "p-s3cret")
        for url, password in (
            (host, None),
            (host, "s3cret-other"),
            (locked.url.replace("p-s3cret", "s3cret"), None),
            (locked.url.replace("://", "://nobody"), None),
        ):
            assert refusal(url, password).code == "store/wrong-password"


def test_a_user_with_few_rights(server: Server) -> None:
    server.say("ACL", "SETUSER", "guest", "on", ">" + PASSWORD, "~fb:*", "+get", "+ping")
    error = refusal(f"redis://guest@127.0.0.1:{server.port}", PASSWORD)
    assert error.code == "store/failed"
    assert "~fb:* &fb:* +@all" in error.message
    server.say("ACL", "SETUSER", "guest", "~fb:*", "&fb:*", "+@all")
    tells_the_story(
        f"redis://guest@127.0.0.1:{server.port}/5".replace("guest", "guest:%s")
        % ("s3cret%3A%20%40%2F%25")
    )


def test_a_socket(tmp_path: Path) -> None:
    with redis_server("valkey", Config(unix=True)) as local:
        tells_the_story(local.url)
        assert "unix://" in local.url
    assert refusal(local.url).code == "store/unreachable"


def test_tls(tmp_path: Path) -> None:
    made = make_certificates(tmp_path)
    words = ("tls-auth-clients", "yes")
    with redis_server("redis", Config(tls=made, password="p-s3cret", extra=words)) as secured:
        url = f"{secured.url}&cert={made.cert}&key={made.key}"
        tells_the_story(url)
        assert refusal(secured.url).code == "store/unreachable"
        assert refusal(url.replace("rediss", "redis").split("?")[0]).code == "store/unreachable"
        (tmp_path / "other").mkdir()
        other = make_certificates(tmp_path / "other")
        error = refusal(url.replace(str(made.ca), str(other.ca)))
        assert error.code == "store/unreachable"
        assert "certificate" in error.message
        for name in (made.ca, made.cert, made.key):
            error = refusal(url.replace(str(name), "/no/such/file"))
            assert error.code == "store/url"
            assert "/no/such/file" in error.message


def test_two_houses_start_at_once(server: Server) -> None:
    first, second = open_redis(server.url), open_redis(server.url)
    first.remember_keys(["a"])
    assert second.known_keys() == {"a"}
    first.close()
    second.close()


# ------------------------------------------------------------ servers that are not fit


def test_nobody_there() -> None:
    port = free_port()
    for url in (
        f"redis://:s3cret@127.0.0.1:{port}",
        f"redis+sentinel://:s3cret@127.0.0.1:{port},127.0.0.1:{port}/house",
        f"redis+cluster://:s3cret@127.0.0.1:{port}",
    ):
        error = refusal(url)
        assert error.code == "store/unreachable"
        assert f"127.0.0.1:{port}" in error.message


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
def test_a_server_that_throws_away(policy: str) -> None:
    with redis_server("valkey", Config(policy=policy, maxmemory=10**8)) as cache:
        error = refusal(cache.url)
        assert error.code == "store/evicts"
        assert "noeviction" in error.message


def test_a_replica(server: Server) -> None:
    with redis_server("valkey", Config(replica_of=server)) as replica:
        error = refusal(replica.url)
        assert error.code == "store/read-only"
        assert "master" in error.message


@pytest.mark.parametrize("version", ["6.0.16", "5.0.3", "2.8"])
def test_an_old_server(version: str) -> None:
    with answering(told_of(redis_version=version, role="master")) as url:
        error = refusal(url)
        assert error.code == "store/old-server"
        assert version in error.message


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (b"-LOADING Redis is loading the dataset in memory\r\n", "store/busy"),
        (b"-BUSY Redis is busy running a script.\r\n", "store/busy"),
        (b"-MASTERDOWN Link with MASTER is down\r\n", "store/busy"),
        (b"-CLUSTERDOWN The cluster is down\r\n", "store/busy"),
        (b"-TRYAGAIN Multiple keys request during rehashing of slot\r\n", "store/busy"),
        (b"-MISCONF Errors writing to the AOF file: No space left\r\n", "store/full"),
        (b"-OOM command not allowed when used memory > 'maxmemory'.\r\n", "store/full"),
        (b"-READONLY You can't write against a read only replica.\r\n", "store/read-only"),
        (b"-NOPERM this user has no permissions\r\n", "store/failed"),
        (b"-ERR something else, with s3cret\r\n", "store/failed"),
        (b"-MOVED 1234 127.0.0.1:1\r\n", "store/unreachable"),
        (b"?what is this\r\n", "store/unreachable"),
    ],
)
def test_whatever_a_server_says(reply: bytes, code: str) -> None:
    with answering(reply) as url, pytest.raises(FairbonesError) as caught:
        open_redis(url)
    assert caught.value.code == code
    assert "s3cret" not in f"{caught.value!r}"


def test_a_newer_house_was_here(server: Server) -> None:
    server.say("SET", "fb:schema", 2)
    error = refusal(server.url)
    assert error.code == "store/newer"
    assert "schema 2" in error.message
    server.say("DEL", "fb:schema")
    server.say("SET", "somebody", "else")
    tells_the_story(server.url)
    assert server.say("GET", "somebody") == b"else"


@pytest.mark.parametrize(
    "version",
    ["x", "", "0", "00", "-1", "+1", "01", " 1", "1 ", "1\n", "1_0", "1.0", "9" * 5000, "\u0661"],
)
def test_a_version_that_is_none(server: Server, version: str) -> None:
    server.say("SET", "fb:schema", version)
    error = refusal(server.url)
    assert error.code == "store/corrupt"
    assert "`fb:schema`" in error.message
    server.say("DEL", "fb:schema")


@pytest.mark.parametrize("version", ["9" * 5000 + ".1", "\u00b2.0", "", "x.y"])
def test_a_server_of_no_known_version(version: str) -> None:
    with answering(told_of(redis_version=version, role="master")) as url:
        assert refusal(url).code == "store/old-server"


def test_names_that_cannot_be_asked_about() -> None:
    """A Sentinel or a Cluster may name what no URL could; the resolver raises what it likes."""
    for host, port in (
        ("a..b", 1),
        ("a" * 64, 1),
        ("a\0b", 1),
        ("127.0.0.1", 70_000),
        ("\udcff", 1),
    ):
        line = Line(connection_to(NOWHERE, Address(host, port), user=None, password=None))
        with pytest.raises(Unsent):
            line.connect()
        line.close()
    for path in ("/a%00b", "/a%ED%B3%BF", "/" + "a" * 200):
        assert refusal(f"unix://{path}").code == "store/unreachable"
    assert refusal("rediss://a?ca=/a%00b").code == "store/url"


def test_a_database_that_is_not_there(server: Server) -> None:
    error = refusal(f"redis://127.0.0.1:{server.port}/99999")
    assert error.code == "store/url"
    assert "no database of this number" in error.message


def test_names_that_do_not_fit(server: Server) -> None:
    assert refusal(f"redis+cluster://127.0.0.1:{server.port}").code == "store/url"
    with cluster("valkey") as three:
        error = refusal(three.servers[0].url)
        assert error.code == "store/url"
        assert "redis+cluster://" in error.message
    with sentinel_of("valkey", server) as sentinel:
        error = refusal(sentinel.url.replace("/house", "/garden"))
        assert error.code == "store/url"
        assert "'garden'" in error.message

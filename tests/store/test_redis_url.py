"""URLs of the store: what each means, and what is said of those that mean nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.errors import FairbonesError
from fairbones.store.redis.url import Address, Place, parse_url

HOST = Address("host", 6379)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("redis://host", Place("alone", (HOST,))),
        ("valkey://host:6379/3", Place("alone", (HOST,), db=3)),
        ("REDIS://host/", Place("alone", (HOST,))),
        ("redis://:p%40ss@host", Place("alone", (HOST,), password="p@ss")),
        ("redis://us%3Aer:@host", Place("alone", (HOST,), user="us:er", password="")),
        ("redis://user@host", Place("alone", (HOST,), user="user")),
        ("redis://[::1]:7000/0", Place("alone", (Address("::1", 7000),))),
        ("redis://[::1]", Place("alone", (Address("::1", 6379),))),
        ("rediss://host", Place("alone", (HOST,), tls=True)),
        ("valkeys://host?ca=/a%20b.pem", Place("alone", (HOST,), tls=True, ca="/a b.pem")),
        (
            "rediss://host?ca=a&cert=b&key=c",
            Place("alone", (HOST,), tls=True, ca="a", cert="b", key="c"),
        ),
        ("unix:///run/a.sock", Place("alone", (Address("/run/a.sock", 0),))),
        (
            "unix://u:p@/run/a.sock?db=2",
            Place("alone", (Address("/run/a.sock", 0),), db=2, user="u", password="p"),
        ),
        (
            "redis+sentinel://a,b:1/house/2",
            Place("sentinel", (Address("a", 26379), Address("b", 1)), name="house", db=2),
        ),
        (
            "rediss+sentinel://u:p@a/house?sentinel_user=s&sentinel_password=t&ca=c",
            Place(
                "sentinel",
                (Address("a", 26379),),
                name="house",
                user="u",
                password="p",
                tls=True,
                ca="c",
                sentinel_user="s",
                sentinel_password="t",
            ),
        ),
        (
            "valkey+cluster://a:1,[::2]:2",
            Place("cluster", (Address("a", 1), Address("::2", 2))),
        ),
        ("redis://h%C3%BC.example.", Place("alone", (Address("hü.example.", 6379),))),
        (f"redis://{'a' * 63}", Place("alone", (Address("a" * 63, 6379),))),
        ("redis://my_host", Place("alone", (Address("my_host", 6379),))),
        ("redis://[fe80::1%25eth0]:1", Place("alone", (Address("fe80::1%eth0", 1),))),
        ("rediss+cluster://a:1/0", Place("cluster", (Address("a", 1),), tls=True)),
    ],
)
def test_what_a_url_means(url: str, place: Place) -> None:
    assert parse_url(url) == place


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "has to begin with"),
        ("sqlite", "has to begin with"),
        ("http://secret@host", "has to begin with redis://, rediss://, unix://"),
        ("redis:host", "has to begin with"),
        ("redis://", "lacks a host"),
        ("redis://:secret@", "lacks a host"),
        ("redis://host:", "a port"),
        ("redis://host:0", "port that is no number from 1 to 65535"),
        ("redis://host:65536", "port"),
        ("redis://host:secret", "port"),
        ("redis://a,b", "redis+sentinel://"),
        ("redis://::1", "brackets"),
        ("redis://[::1", "percent-encode"),
        ("redis://host/secret", "number of a database"),
        ("redis://host/1/2", "too long a path"),
        ("redis://host/9999999999", "number of a database"),
        ("redis://host#secret", "%23"),
        ("redis://host?ca=secret", "'ca'"),
        ("redis://host?secret", "percent-encode"),
        ("rediss://host?cert=secret", "both `cert` and `key`"),
        ("rediss://host?sentinel_user=x", "there may be ca, cert, key"),
        ("unix://host/path", "whole path"),
        ("unix:///", "whole path"),
        ("redis+sentinel://host", "redis+sentinel://host/NAME"),
        ("redis+sentinel://host/name/secret", "number of a database"),
        ("redis+cluster://a,b/1", "only one"),
        ("redis+cluster://a,,b", "lacks a host"),
        ("redis://a..b:1/0", "no address and no name"),
        ("redis://.", "no address and no name"),
        ("redis://.secret", "no address and no name"),
        (f"redis://{'secret' * 11}:1/0", "no address and no name"),
        (f"redis://{'secret.' * 37}a", "no address and no name"),
        ("redis+sentinel://a,secret..b/house", "no address and no name"),
        ("rediss+cluster://a:1,secret..b:2", "no address and no name"),
        (f"redis://{chr(0xFC) * 64}", "no address and no name"),
        (f"redis://secret{chr(0xAD)}{chr(0x378)}", "no address and no name"),
        (f"redis://a{chr(0x3002)}{chr(0x3002)}b", "no address and no name"),
        ("redis://secret%00", "no address and no name"),
        ("redis://secret%20b", "no address and no name"),
        ("redis://[secret]:1", "no"),
        ("redis://[1.2.3.4]", "no"),
        (f"redis://{chr(0xDCFF)}", "is not a URL"),
        (f"redis://:secret{chr(0xDCFF)}@host", "is not a URL"),
    ],
)
def test_what_means_nothing(url: str, said: str) -> None:
    with pytest.raises(FairbonesError) as caught:
        parse_url(url)
    assert caught.value.code == "store/url"
    assert said in caught.value.message
    assert "FAIRBONES_STORE" in caught.value.message
    assert "secret" not in caught.value.message


def test_the_password_may_be_elsewhere() -> None:
    assert parse_url("redis://user@host", "p w").password == "p w"
    assert parse_url("redis://host", "p w") == Place("alone", (HOST,), password="p w")
    with pytest.raises(FairbonesError, match="use one of them"):
        parse_url("redis://:a@host", "b")


def test_a_password_is_never_shown() -> None:
    place = parse_url("redis+sentinel://u:hidden1@a/n?sentinel_password=hidden2")
    assert "hidden" not in repr(place) + str(place)
    assert str(place) == "n at a:26379"
    assert str(parse_url("redis://[::1]:7/0")) == "[::1]:7"
    assert str(parse_url("unix:///a")) == "/a"


@given(st.text(max_size=40), st.sampled_from(["", "redis://", "unix://", "rediss+cluster://"]))
def test_whatever_comes_is_a_place_or_refused(text: str, scheme: str) -> None:
    try:
        found: Place | str = parse_url(scheme + text)
    except FairbonesError as error:
        found = error.code
    assert found == "store/url" if isinstance(found, str) else found.addresses

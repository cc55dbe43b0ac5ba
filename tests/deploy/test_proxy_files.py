"""The configurations of nginx and Caddy, read by nginx and Caddy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairbones.config import VARIABLES
from tests.deploy.proxies import CADDYFILE, NGINX, as_shipped, framed, nginx_program
from tests.deploy.texts import BIN, DEPLOY, judged, planted
from tests.servers import make_certificates
from tests.servers.server import free_port

PLACES = ["host", "compose"]


def includes(place: str, folder: Path) -> dict[str, str]:
    """As shipped, but that any user may have the ports, and there is a certificate."""
    made = make_certificates(folder)
    if place == "host":
        return as_shipped(
            place,
            ("/etc/nginx/fairbones/fullchain.pem", str(made.cert)),
            ("/etc/nginx/fairbones/privkey.pem", str(made.key)),
            ("listen 443 ssl", f"listen 127.0.0.1:{free_port()} ssl"),
            ("listen [::]:443 ssl", f"listen 127.0.0.1:{free_port()} ssl"),
            ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
            ("listen [::]:80;", ""),
            ("/var/log/nginx/fairbones.log", str(folder / "access.log")),
        )
    return as_shipped(
        place,
        ("/run/secrets/tls-certificate", str(made.cert)),
        ("/run/secrets/tls-key", str(made.key)),
        ("listen 8443 ssl", f"listen 127.0.0.1:{free_port()} ssl"),
        ("/dev/stdout", str(folder / "access.log")),
    )


def checked(path: Path) -> tuple[int, str]:
    return judged([nginx_program(), "-t", "-q", "-p", path.parent, "-c", path])


@pytest.mark.parametrize("place", PLACES)
def test_nginx_takes_it_without_a_warning(place: str, tmp_path: Path) -> None:
    assert checked(framed(tmp_path / "nginx", includes(place, tmp_path))) == (0, "")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("proxy_read_timeout 150s", "proxy_read_timeout 150sec", "invalid value"),
        ("proxy_buffering off", "proxy_bufering off", "unknown directive"),
        ("include fairbones/upstream.conf", "include fairbones/upstreams.conf", "open()"),
        ("error_page 413 @too_large;", "error_page 413 @too_large", "invalid"),
    ],
)
def test_nginx_finds_a_planted_error(old: str, new: str, said: str, tmp_path: Path) -> None:
    copy = planted(NGINX / "fairbones.conf", tmp_path / "fairbones.conf", old, new)
    code, words = checked(framed(tmp_path / "nginx", includes("host", tmp_path), copy))
    assert code == 1
    assert said in words


def test_nobody_gives_up_while_a_reader_may_wait() -> None:
    """Each proxy is more patient than the longest wait and the longest silence there may be."""
    longest = {it.name: it.valid for it in VARIABLES}
    wait, beat = (
        longest[f"FAIRBONES_{name}"].max  # type: ignore[attr-defined]
        for name in ("WAIT_MAX", "HEARTBEAT")
    )
    ingress = DEPLOY / "kubernetes" / "base" / "ingress.yaml"
    patience = {
        NGINX / "fairbones.conf": r"events\$ \{[^}]*proxy_read_timeout (\d+)s;",
        CADDYFILE: r"response_header_timeout (\d+)s",
        ingress: r'proxy-read-timeout: "(\d+)"',
    }
    for path, pattern in patience.items():
        [seconds] = re.findall(pattern, path.read_text(), re.S)
        assert int(seconds) > max(wait, beat), path


def caddy_says(path: Path, folder: Path) -> tuple[int, str]:
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    return judged(
        [BIN / "caddy", "validate", "--adapter", "caddyfile", "--config", path],
        **home,
        SITE="dominoes.example.org",
        UPSTREAM="one:8400 two:8400",
    )


def test_caddy_takes_it_and_finds_it_well_formatted(tmp_path: Path) -> None:
    code, words = caddy_says(CADDYFILE, tmp_path)
    assert code == 0, words
    assert '"level":"warn"' not in words
    assert judged([BIN / "caddy", "fmt", "--diff", CADDYFILE])[0] == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("flush_interval -1", "flush_intervall -1"),
        ("max_size 65536", "max_size many"),
        ("versions 1.1", "versions 1.2"),
        ("handle_errors {", "handle_error {"),
    ],
)
def test_caddy_finds_a_planted_error(old: str, new: str, tmp_path: Path) -> None:
    copy = planted(CADDYFILE, tmp_path / "Caddyfile", old, new)
    assert caddy_says(copy, tmp_path)[0] == 1

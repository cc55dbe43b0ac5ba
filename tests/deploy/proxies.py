"""nginx and Caddy with the files that are shipped; only ports, paths and certificates are ours."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.deploy.texts import BIN, DEPLOY
from tests.servers.programs import need
from tests.servers.server import free_port, until

NGINX = DEPLOY / "nginx"
CADDYFILE = DEPLOY / "caddy" / "Caddyfile"
# What nginx.conf of a distribution is to the shipped file: the frame that includes it.
FRAME = """\
daemon off;
worker_processes 1;
{user}pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {shipped};
}}
"""


def nginx_program() -> str:
    # Not every user's path has the folder where distributions put it.
    path = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin"
    return shutil.which("nginx", path=path) or need("nginx", "apt-get install nginx")


def framed(folder: Path, includes: dict[str, str], shipped: Path | None = None) -> Path:
    """An nginx.conf around the shipped file, with these for what differs from place to place."""
    (folder / "fairbones").mkdir(parents=True)
    for name, text in includes.items():
        (folder / "fairbones" / name).write_text(text)
    path = folder / "nginx.conf"
    path.write_text(
        FRAME.format(
            folder=folder,
            shipped=shipped or NGINX / "fairbones.conf",
            user="user root;\n" if os.geteuid() == 0 else "",
        )
    )
    return path


def as_shipped(place: str, *changes: tuple[str, str]) -> dict[str, str]:
    """The includes of a place (`host`, `compose`) with each of `changes` made wherever it fits."""
    texts = {it.name: it.read_text() for it in (NGINX / place).iterdir()}
    for old, new in changes:
        assert any(old in text for text in texts.values()), old
        texts = {name: text.replace(old, new) for name, text in texts.items()}
    return texts


@contextlib.contextmanager
def running(argv: Sequence[str], port: int, log: Path, **more: str) -> Iterator[str]:
    """The base URL of a proxy that listens; ended by its process id."""
    with log.open("ab") as said:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            env=os.environ | more,
        )
    try:

        def listens() -> bool:
            assert process.poll() is None, log.read_text()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                return True
            return False

        until(listens, 20, argv[0])
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


@contextlib.contextmanager
def nginx(folder: Path, *upstreams: int) -> Iterator[str]:
    """nginx before services on these ports."""
    port = free_port()
    includes = {
        "listen.conf": f"listen 127.0.0.1:{port};\naccess_log {folder}/access.log fairbones;\n",
        "upstream.conf": "".join(f"server 127.0.0.1:{it};\n" for it in upstreams),
        "plain.conf": "",
        "peers.conf": "",
    }
    path = framed(folder / "nginx", includes)
    argv = [nginx_program(), "-p", str(folder / "nginx"), "-c", str(path)]
    with running(argv, port, folder / "proxy.log") as base:
        yield base


@contextlib.contextmanager
def caddy(folder: Path, *upstreams: int) -> Iterator[str]:
    """Caddy before services on these ports."""
    port = free_port()
    copy = folder / "caddy"
    copy.mkdir()
    argv = [str(BIN / "caddy"), "run", "--adapter", "caddyfile", "--config", str(CADDYFILE)]
    with running(
        argv,
        port,
        folder / "proxy.log",
        SITE=f"http://127.0.0.1:{port}",
        UPSTREAM=" ".join(f"127.0.0.1:{it}" for it in upstreams),
        HOME=str(copy),
        XDG_CONFIG_HOME=str(copy),
        XDG_DATA_HOME=str(copy),
    ) as base:
        yield base


PROXIES = {"nginx": nginx, "caddy": caddy}

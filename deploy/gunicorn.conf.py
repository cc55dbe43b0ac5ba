"""For a gunicorn of one's own: gunicorn -c deploy/gunicorn.conf.py fairbones.wsgi:app.

It does what `fairbones serve` does, in SQLite mode and in Redis mode, from the same FAIRBONES_*
variables. Change here what those do not cover, after the last line: `bind = "unix:/run/..."`.
Leave workers, worker_class, threads, preload_app and the hooks alone: the service counts on them.
"""

from typing import Any

import structlog

from fairbones.logs import configure_logging
from fairbones.serving.hooks import gunicorn_settings

globals().update(gunicorn_settings())
# gunicorn speaks before any worker has made the app, which sets up the log of its own process.
configure_logging(globals()["loglevel"])


def when_ready(server: Any) -> None:
    """gunicorn's: it has its sockets, and workers come."""
    where = ", ".join(str(listener) for listener in server.LISTENERS)
    structlog.get_logger("serving").info("listening", address=where, workers=server.cfg.workers)

"""`fairbones.wsgi:app`, for a gunicorn of your own; `serving.hooks` has what to tell it.

On a file it takes one process, with as many threads as you like: a second one is refused by the
data folder's lock. On a shared store it takes gevent workers, as many as you like. `fairbones
serve` needs no such care and is what the rest of the project means by "the service".
"""

from __future__ import annotations

from fairbones.config import Settings, load_settings
from fairbones.core.errors import FairbonesError
from fairbones.logs import configure_logging
from fairbones.serving.hooks import made, refuse


def __getattr__(name: str) -> object:
    """Make the app when a server asks for it, not whenever this module is imported."""
    if name != "app":
        raise AttributeError(name)
    try:
        settings = load_settings()
    except FairbonesError as error:
        refuse(error)
    configure_logging(settings.log_level)
    globals()["app"] = app = made(lambda: _made(settings))
    return app


def _made(settings: Settings) -> object:
    from fairbones.app import create_app

    return create_app(settings)

"""`fairbones.wsgi:app`, for a server of your own: one process, as many threads as you like.

A second worker process is refused by the data folder's lock. `fairbones serve` needs no such
care and is what the rest of the project means by "the service".
"""

from __future__ import annotations

import sys

from fairbones.config import EXIT_REFUSED, load_settings
from fairbones.core.errors import FairbonesError
from fairbones.logs import configure_logging


def __getattr__(name: str) -> object:
    """Make the app when a server asks for it, not whenever this module is imported."""
    if name != "app":
        raise AttributeError(name)
    from fairbones.app import create_app

    try:
        settings = load_settings()
        configure_logging(settings.log_level)
        app = create_app(settings)
    except FairbonesError as error:
        print(f"fairbones: {error.message}", file=sys.stderr, flush=True)
        raise SystemExit(EXIT_REFUSED) from None
    globals()["app"] = app
    return app

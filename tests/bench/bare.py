"""`python -m tests.bench.bare FILE`: a bare Flask route behind the web server of the service.

The same gunicorn with the same settings (FAIRBONES_*: worker class, workers, threads); the route
reads the same body as JSON and makes the JSON that FILE holds, and does nothing else.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from flask import Flask, request

from fairbones.config import Settings, load_settings
from fairbones.serving import serve


def bare_app(answer: dict[str, Any]) -> Flask:
    """JSON in, JSON out, at the address of the service's own route."""
    app = Flask("bare", static_folder=None, template_folder=None)

    @app.post("/v1/matches/<match_id>/actions")
    def take(match_id: str) -> dict[str, Any]:
        request.get_json()["action"]
        return answer

    return app


def main(path: str) -> None:
    """Serve until SIGTERM."""
    told = json.loads(Path(path).read_bytes())

    def create_app(_: Settings) -> Flask:
        return bare_app(told)

    serve(load_settings(), create_app)


if __name__ == "__main__":
    main(sys.argv[1])

"""A resource: the calls of one file, registered for serving and for the description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask_smorest import Blueprint  # type: ignore[import-untyped]

from fairbones.api.operation import Doc, View


class Resource:
    """A typed front of flask-smorest's blueprint, which has no types."""

    def __init__(self, name: str, meaning: str) -> None:
        self.blueprint: Any = Blueprint(name, __name__, description=meaning)

    def get(self, rule: str, *path: Doc) -> Callable[[View], View]:
        """Serve GET, and HEAD with it."""
        return self._route(rule, "GET", path)

    def post(self, rule: str, *path: Doc) -> Callable[[View], View]:
        """Serve POST."""
        return self._route(rule, "POST", path)

    def put(self, rule: str, *path: Doc) -> Callable[[View], View]:
        """Serve PUT."""
        return self._route(rule, "PUT", path)

    def delete(self, rule: str, *path: Doc) -> Callable[[View], View]:
        """Serve DELETE."""
        return self._route(rule, "DELETE", path)

    def _route(self, rule: str, method: str, path: tuple[Doc, ...]) -> Callable[[View], View]:
        def register(view: View) -> View:
            self.blueprint.add_url_rule(
                rule,
                view_func=view,
                methods=[method],
                parameters=list(path),
                # A request target may have no path at all; that is the root, not a redirect.
                strict_slashes=rule != "/",
            )
            return view

        return register

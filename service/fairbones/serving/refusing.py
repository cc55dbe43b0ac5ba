"""What both workers say of a request that never reached the app."""

from __future__ import annotations

import secrets
import traceback
from typing import Any

from fairbones.serving.client import send_now
from fairbones.serving.refusal import FAULT, Refusal, refusal_of


class Refusing:
    """Mixed into a gunicorn worker: problems where gunicorn would send HTML."""

    log: Any

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """What gunicorn itself refuses, or a fault outside the app."""
        refusal = refusal_of(exc)
        if refusal is not FAULT:
            self._refuse(client, addr, refusal, type(exc).__name__)
            return
        incident = secrets.token_hex(8)
        # By place alone, as the app does: a message or a value might be a secret.
        places = [f"{it.filename}:{it.lineno}" for it in traceback.extract_tb(exc.__traceback__)]
        self.log.error(
            "incident %s: %s outside the app, %s, at %s",
            incident,
            type(exc).__name__,
            "before there was a request" if req is None else "with a request",
            " < ".join(reversed(places)),
        )
        self._refuse(client, addr, refusal, incident=incident)

    def _refuse(
        self, sock: Any, addr: Any, refusal: Refusal, why: str = "", **more: str | int
    ) -> None:
        self.log.refused(refusal.status, why or refusal.code, addr)
        send_now(sock, refusal.answer(**more))

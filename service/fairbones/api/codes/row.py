"""One row of the table of problem codes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """What a code means. `title` is the same in every answer (RFC 9457)."""

    code: str
    status: int
    title: str
    cause: str
    remedy: str

    @property
    def slug(self) -> str:
        """The code where a slash cannot stand: anchors, component names."""
        return self.code.replace("/", "-")

    @property
    def uri(self) -> str:
        """The problem type of RFC 9457: a name, not an address."""
        return f"urn:fairbones:problem:{self.code}"

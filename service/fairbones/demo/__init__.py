"""`fairbones demo`: a service, its players and an independent verifier, before your eyes."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo; the result is the exit code. `arguments` are those of the command line."""
    from fairbones.demo.show import main as show

    return show(arguments)

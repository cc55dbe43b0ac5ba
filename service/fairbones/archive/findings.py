"""What a check of a house finds: one line each, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fairbones.core.errors import FairbonesError

OK, WARNING, PROBLEM = "ok", "warning", "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """`level` is `ok`, `warning` (it works, and may not for long) or `problem`; `about` a word."""

    about: str
    level: str
    text: str
    advice: str = ""

    def told(self) -> dict[str, str]:
        """JSON-ready."""
        return {"about": self.about, "level": self.level, "text": self.text, "advice": self.advice}


def found(about: str, check: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """The findings of a check; what it raises is a problem too."""
    try:
        yield from check()
    except FairbonesError as error:
        for sentence in error.message.splitlines():
            yield Finding(about, PROBLEM, sentence)
    except OSError as error:
        yield Finding(about, PROBLEM, f"{error.filename or about}: {error.strerror or error}")

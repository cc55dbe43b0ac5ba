"""How a command says no: one sentence, an exit code that never changes its meaning.

0: done. 1: done, and something is wrong that the output names. 2: the command line is wrong.
3: refused, nothing was done (or, where a store failed half way, the same command goes on there).
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import NoReturn, ParamSpec, TypeVar

from fairbones.config import EXIT_REFUSED
from fairbones.core.errors import FairbonesError

EXIT_WRONG = 1

P = ParamSpec("P")
T = TypeVar("T")


def refuse(error: FairbonesError) -> NoReturn:
    """Say in a sentence (a line for each, when several things are wrong) why nothing starts."""
    for sentence in error.message.splitlines():
        print(f"fairbones: {sentence}", file=sys.stderr)
    sys.exit(EXIT_REFUSED)


def refusing(command: Callable[P, T]) -> Callable[P, T]:
    """A command whose errors are refusals, as are those of the files it is given."""

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return command(*args, **kwargs)
        except BrokenPipeError:
            raise  # click ends quietly: who read the output has had enough
        except FairbonesError as error:
            refuse(error)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            refuse(FairbonesError("house/file", f"{where}{error.strerror or error}"))

    return wrapped

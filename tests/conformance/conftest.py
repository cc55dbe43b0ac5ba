"""`pytest tests/conformance --verifier "CMD"` drives any verifier's command line.

`CMD FILE [--json] [--receipt F]... [--key K]... [--openings F]... [--protest F]... [--complete]
[--seed N=HEX]...` must exit with 0, 1, 2 or 3 and print the report of spec/codes.md, and, where it
is known, `CMD compare A B` that of spec/tools.md. Without the option it is ours: every scenario
through its command line in this process, and one of each kind (with CI set: all) as a process.
"""

from __future__ import annotations

import os

import pytest

from tests.conformance.asking import Ask, by_command, in_process, our_command, split
from tests.conformance.reading import Given, one_of_each, scenarios

OPTION = "--verifier"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, metavar="CMD", help="the command of the verifier to be judged")


def command(config: pytest.Config) -> str | None:
    """The reader's verifier, if one was named."""
    named: str | None = config.getoption(OPTION, default=None)
    return named


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name, chosen in (("given", scenarios), ("sample", sampled)):
        if name in metafunc.fixturenames:
            found: list[Given] = chosen()
            metafunc.parametrize(name, found, ids=[given.name for given in found])


def sampled() -> list[Given]:
    """What is run as a process by default."""
    return scenarios() if os.environ.get("CI") else one_of_each()


@pytest.fixture(scope="session")
def ask(pytestconfig: pytest.Config) -> Ask:
    """The verifier under judgement, in the quickest honest way."""
    named = command(pytestconfig)
    return in_process if named is None else by_command(split(named))


@pytest.fixture(scope="session")
def ask_process(pytestconfig: pytest.Config) -> Ask:
    """Ours as a process; skipped when another verifier is judged, which always is one."""
    if command(pytestconfig) is not None:
        pytest.skip("another verifier is judged")
    return by_command(our_command())

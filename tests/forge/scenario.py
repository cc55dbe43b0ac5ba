"""One scenario: a transcript, how to ask a verifier about it, and what it has to say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.forge.codes import NUMBERS, verdict_of
from tests.forge.paper import Json

BESIDE = {
    "--receipt": "receipts",
    "--openings": "openings",
    "--protest": "protests",
    "--seed": "seeds",
}
EXITS = {"verified": 0, "refuted": 1, "unreadable": 2, "not-started": 3}


@dataclass(frozen=True, slots=True)
class Insert:
    """`times` copies of `text` put in at byte `offset`: what is too large to keep in a file."""

    offset: int
    text: str
    times: int

    def into(self, transcript: bytes) -> bytes:
        """The bytes a verifier is given."""
        return (
            transcript[: self.offset] + self.text.encode() * self.times + transcript[self.offset :]
        )


@dataclass(frozen=True, slots=True)
class Scenario:
    """`code` is None for a valid transcript; `beside` are files given with it, by suffix.

    `alone` are the checks that must be off for the forgery to pass: its own, and the few that
    stand behind it for a reason given in `because`. None: not even then can it pass.
    """

    name: str
    about: str
    transcript: bytes
    code: str | None = None
    seq: int | None = None
    threats: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    beside: Mapping[str, bytes] = field(default_factory=dict)
    insert: Insert | None = None
    shared: str = ""  # the scenario whose transcript it is, where several have one
    expect: Mapping[str, object] = field(default_factory=dict)
    alone: frozenset[str] | None = frozenset()
    because: str = ""

    @property
    def verdict(self) -> str:
        """The verdict a verifier has to give."""
        return "verified" if self.code is None else verdict_of(self.code)

    @property
    def given(self) -> bytes:
        """What the verifier is given."""
        return self.transcript if self.insert is None else self.insert.into(self.transcript)

    @property
    def given_beside(self) -> dict[str, list[str]]:
        """The papers put beside the transcript, by their sort: of the arguments, once more."""
        beside: dict[str, list[str]] = {}
        for option, word in zip(self.arguments, self.arguments[1:], strict=False):
            if option in BESIDE:
                beside.setdefault(BESIDE[option], []).append(word)
        return beside

    def expected(self) -> Json:
        """`expect` of the file."""
        told: Json = {"verdict": self.verdict, "exit": EXITS[self.verdict]}
        if self.code is not None:
            told["code"] = self.code
            if self.code in NUMBERS:
                told["number"] = NUMBERS[self.code]
        if self.seq is not None:
            told["seq"] = self.seq
        return told | dict(self.expect)

    def described(self) -> Json:
        """The file beside the transcript."""
        told: Json = {"name": self.name, "about": self.about}
        if self.threats:
            told["threats"] = list(self.threats)
        told["transcript"] = f"{self.shared or self.name}.transcript.json"
        if self.insert is not None:
            told["insert"] = {
                "offset": self.insert.offset,
                "text": self.insert.text,
                "times": self.insert.times,
            }
        told["arguments"] = list(self.arguments)
        if self.given_beside:
            told["beside"] = self.given_beside
        told["expect"] = self.expected()
        if self.verdict == "refuted":
            told["verifies_without"] = sorted(self.alone or ())
            if self.because:
                told["because"] = self.because
        return told

    def files(self) -> dict[str, bytes]:
        """Every file of the scenario by name."""
        told = json.dumps(self.described(), indent=1, ensure_ascii=True) + "\n"
        own = {} if self.shared not in ("", self.name) else {".transcript.json": self.transcript}
        return {
            f"{self.name}.json": told.encode(),
            **{f"{self.name}{suffix}": content for suffix, content in own.items()},
            **{f"{self.name}{suffix}": content for suffix, content in self.beside.items()},
        }


def folder_of(scenarios: Iterable[Scenario], folder: str) -> dict[str, bytes]:
    """Every file of some scenarios by its path."""
    files: dict[str, bytes] = {}
    for scenario in scenarios:
        for name, content in scenario.files().items():
            path = str(Path(folder) / name)
            assert path not in files, f"two scenarios have one name: {scenario.name}"
            files[path] = content
    return files

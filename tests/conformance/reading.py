"""The scenarios as they lie in the checkout: nothing here knows how they were made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]
TESTS = Path(__file__).resolve().parents[1]
FOLDERS = (
    "vectors/valid",
    "forgeries/refuted",
    "forgeries/witnessed",
    "forgeries/unreadable",
    "forgeries/not-started",
)


@dataclass(frozen=True, slots=True)
class Given:
    """One scenario."""

    path: Path
    told: Json

    @property
    def name(self) -> str:
        """As it is named in failures."""
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def expect(self) -> Json:
        """What a verifier has to say."""
        expected: Json = self.told["expect"]
        return expected

    def transcript(self) -> bytes:
        """The bytes to verify, with what had no place in a file."""
        data: bytes = (self.path.parent / self.told["transcript"]).read_bytes()
        if "insert" in self.told:
            put = self.told["insert"]
            at, more = put["offset"], put["text"].encode() * put["times"]
            data = data[:at] + more + data[at:]
        return data

    def arguments(self, folder: Path) -> list[str]:
        """The words after the command; a large transcript is first written into `folder`."""
        transcript = self.path.parent / self.told["transcript"]
        if "insert" in self.told:
            transcript = folder / "transcript.json"
            transcript.write_bytes(self.transcript())
        beside = [
            str(self.path.parent / word) if word.endswith(".json") else word
            for word in self.told["arguments"]
        ]
        return [str(transcript), *beside]


def scenarios(*folders: str) -> list[Given]:
    """The scenarios of some folders, by default of all."""
    return [
        Given(path, json.loads(path.read_text("utf-8")))
        for folder in folders or FOLDERS
        for path in sorted((TESTS / folder).glob("*.json"))
        if "." not in path.stem  # what else lies there is named NAME.SORT.json
    ]


def one_of_each() -> list[Given]:
    """The first scenario of every verdict and code, and the first of every use of arguments."""
    found: dict[object, Given] = {}
    for given in scenarios():
        flags = tuple(word for word in given.told["arguments"] if word.startswith("--"))
        found.setdefault((given.expect["verdict"], given.expect.get("code")), given)
        found.setdefault((given.expect["verdict"], flags), given)
    return list({given.path: given for given in found.values()}.values())

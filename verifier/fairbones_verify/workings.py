"""A hash shown at work: the bytes that go in, each behind its length, and a shell's way to it."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any, NamedTuple

from .hashing import TAGS, enc, mac, u32
from .shuffle import below, numbers

# A command for more bytes than this is no longer something that anybody pastes.
SHORT = 400


class Item(NamedTuple):
    """One item of `enc` (SPEC 2.2), and what it stands for."""

    name: str
    data: bytes


class Working(NamedTuple):
    """H, or with a key MAC, of some items behind their tag (SPEC 2.3)."""

    name: str
    tag: str
    items: list[Item]
    key: bytes | None = None

    @property
    def tagged(self) -> list[Item]:
        """Every item, the tag first."""
        raw = TAGS[self.tag]
        return [Item(f"the tag {raw.decode()}", raw), *self.items]

    @property
    def input(self) -> bytes:
        """The very bytes that are hashed."""
        return enc(*[item.data for item in self.tagged])

    @property
    def output(self) -> bytes:
        """32 bytes."""
        if self.key is not None:
            return hmac.digest(self.key, self.input, "sha256")
        return hashlib.sha256(self.input).digest()

    @property
    def command(self) -> str | None:
        """A line for a shell with coreutils (a MAC: with openssl too) that prints the output."""
        if len(self.input) > SHORT:
            return None
        last = "sha256sum"
        if self.key is not None:
            last = f"openssl dgst -sha256 -mac HMAC -macopt hexkey:{self.key.hex()} -r"
        return f"echo {self.input.hex()} | tr a-f A-F | basenc -d --base16 | {last}"

    def as_dict(self) -> dict[str, Any]:
        """For `--json`; bytes are hex."""
        said: dict[str, Any] = {
            "name": self.name,
            "function": "H" if self.key is None else "MAC",
            "items": [
                {"name": item.name, "length": len(item.data), "bytes": item.data.hex()}
                for item in self.tagged
            ],
            "input": self.input.hex(),
            "output": self.output.hex(),
        }
        if self.key is not None:
            said["key"] = self.key.hex()
        if self.command is not None:
            said["command"] = self.command
        return said


class Shuffled(NamedTuple):
    """A shuffle (SPEC 3) with the blocks of bytes it read."""

    tag: str
    key: bytes
    r: int
    blocks: list[bytes]
    result: list[int]

    def first_block(self) -> Working:
        """Block 0; the others differ from it in their last item alone."""
        items = [Item(f"round {self.r}", u32(self.r)), Item("block 0", u32(0))]
        return Working("block 0", self.tag, items, self.key)

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "tag": TAGS[self.tag].decode(),
            "key": self.key.hex(),
            "round": self.r,
            "n": len(self.result),
            "blocks": [block.hex() for block in self.blocks],
            "result": self.result,
        }


def shuffled(key: bytes, tag: str, r: int, n: int) -> Shuffled:
    """`shuffle(key, tag, r, n)`, with every block that was read for it."""
    blocks: list[bytes] = []

    def block(j: int) -> bytes:
        blocks.append(mac(key, tag, u32(r), u32(j)))
        return blocks[-1]

    stream, things = numbers(block, n), list(range(n))
    for last in reversed(range(1, n)):
        taken = below(stream, last + 1, n)
        things[last], things[taken] = things[taken], things[last]
    return Shuffled(tag, key, r, blocks, things)

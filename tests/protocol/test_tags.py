"""SPEC 2.3: "Every tag has one purpose"."""

from __future__ import annotations

import ast
import hashlib
import hmac
from collections import defaultdict
from functools import cache
from pathlib import Path

import fairbones
from fairbones.core.protocol.encoding import MAC, H, Tag, enc, tagged
from tests.protocol.spec_text import tags

SERVICE = Path(fairbones.__file__).resolve().parent
LATER = {tag for tag, (_, where) in tags().items() if where == "not in this edition"}

# Where a tag may be named. Two places serve one purpose only where the second writes or reads the
# very thing of the first: a seal alone and the seals of a wash, an event written and read back.
PLACES = {
    Tag.SERVER_SEED: {"server_seed_hash"},
    Tag.ROUND_SEED: {"round_seed"},
    Tag.WASH_ORDER: {"wash"},
    Tag.SALT: {"salt"},
    Tag.SEAL: {"seal", "wash"},
    Tag.WASH_ROOT: {"wash_root"},
    Tag.CLIENT_SEED: {"client_commitment"},
    Tag.CUT_KEY: {"cut_key"},
    Tag.CUT_MAP: {"cut"},
    Tag.EVENT: {"seal_event", "read_event"},
    Tag.RECEIPT: {"receipt_message"},
    Tag.KEY: {"key_id"},
    Tag.DRAW_KEY: {"draw_numbers"},
    Tag.DRAW: {"_values"},
    Tag.INVITE: {"invite_hash"},
    Tag.REGISTER: {"register_message"},
    Tag.SEED: {"seed_message"},
    Tag.MOVE: {"move_message"},
    Tag.LEAVE: {"leave_message"},
}
# `wash` hashes seals from a shared prefix, which is H taken apart; a receipt signs tagged bytes.
CALLS = {
    "H": {"H", "tagged"},
    "MAC": {"MAC"},
    "MAC, shuffle": {"shuffle"},
    "signature": {"tagged"},
    "signatures of seats": {"tagged"},
}


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the service, parsed."""
    return {
        str(path.relative_to(SERVICE)): ast.parse(path.read_text("utf-8"))
        for path in sorted(SERVICE.rglob("*.py"))
    }


@cache
def sites() -> dict[Tag, set[tuple[str, str]]]:
    """Tag to the functions of the service that name it and what they call with it."""
    found: defaultdict[Tag, set[tuple[str, str]]] = defaultdict(set)
    for module in modules().values():
        for function in ast.walk(module):
            if not isinstance(function, ast.FunctionDef):
                continue
            for call in ast.walk(function):
                if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                    continue
                for argument in call.args:
                    if (
                        isinstance(argument, ast.Attribute)
                        and isinstance(argument.value, ast.Name)
                        and argument.value.id == "Tag"
                    ):
                        found[Tag[argument.attr]].add((function.name, call.func.id))
    return dict(found)


def test_the_tags_are_those_of_the_specification() -> None:
    """SPEC 2.3, the table; a value given to two members would make one an alias of the other."""
    assert {tag.value for tag in Tag} == tags().keys()
    assert len(Tag.__members__) == len(list(Tag))


def test_every_tag_is_used_for_one_purpose() -> None:
    """SPEC 2.3: "Every tag has one purpose"."""
    named = {tag: {function for function, _ in used} for tag, used in sites().items()}
    assert named.keys() == PLACES.keys()
    for tag, functions in named.items():
        assert functions <= PLACES[tag], tag
    assert {tag.value for tag in Tag} - {tag.value for tag in named} == LATER


def test_every_tag_is_used_by_the_primitive_of_the_table() -> None:
    """SPEC 2.3, the column "used by"."""
    for tag, used in sites().items():
        assert {call for _, call in used} <= CALLS[tags()[tag.value][0]], tag


def test_every_mention_of_a_tag_is_an_argument() -> None:
    """A tag kept in a variable would escape the two tests above."""
    mentions = 0
    for module in modules().values():
        for node in ast.walk(module):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                mentions += node.value.id == "Tag"
    assert mentions == sum(len(used) for used in sites().values())


def test_no_tag_is_written_as_text() -> None:
    """A tag spelled out beside the table could be used twice without anybody seeing it."""
    for name, module in modules().items():
        for node in ast.walk(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
                text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
                assert not text.startswith("fairbones/1/"), f"{name}: {text!r}"


def test_h_and_mac_are_what_the_specification_says() -> None:
    """SPEC 2.2 and 2.3, with nothing but hashlib, for every tag."""
    for tag in Tag:
        name = b"fairbones/1/" + tag.value.encode()
        told = len(name).to_bytes(4, "big") + name + b"\0\0\0\3abc" + b"\0\0\0\0"
        assert tagged(tag, b"abc", b"") == told
        assert H(tag, b"abc", b"") == hashlib.sha256(told).digest()
        assert MAC(b"key", tag, b"abc", b"") == hmac.new(b"key", told, "sha256").digest()


def test_enc_keeps_items_apart() -> None:
    """SPEC 2.2: each item stands behind its length, "An item may be empty"."""
    assert enc() == b""
    assert len({enc(b"ab", b"c"), enc(b"a", b"bc"), enc(b"abc"), enc(b"", b"abc")}) == 4

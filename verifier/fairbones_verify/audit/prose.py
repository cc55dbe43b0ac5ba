"""The summary of an audit for people: the same as its object, long lists cut."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from ..words import plural, utc
from .errands import CAUSES
from .summary import Summary

MOST = 10
Told = dict[str, Any]
HEADS = {
    0: "NOTHING REFUTED: every transcript that was found verifies.",
    1: "REFUTED: a transcript is not that of a fair match, or the house contradicts itself.",
    2: "INCOMPLETE: nothing was refuted, but something could not be read or searched.",
}
COLOURS = {0: 32, 1: 31, 2: 33}
KNEW = {
    "dealt": "after the first deal: it knew every tile",
    "all-seeds": "every seed was shown",
    "all-but-one": "all seeds but one were shown",
    "some-seeds": "some seeds were shown",
    "no-seed": "seats were taken, no seed was shown",
    "no-seat": "no seat was taken",
}


def cut(items: Iterable[Told], most: int = MOST) -> Iterator[Told | None]:
    """The first items of a list, and None when there are more."""
    walk = iter(items)
    yield from islice(walk, most)
    if next(walk, None) is not None:
        yield None


def lines(summary: Summary, colour: bool = False) -> Iterator[str]:
    """The whole text, line by line."""
    told = summary.members()
    word, _, rest = HEADS[told["exit"]].partition(":")
    yield (f"\033[1;{COLOURS[told['exit']]}m{word}\033[0m" if colour else word) + f":{rest}"
    yield ""
    yield f"Audited: {told['source']}" + ("" if told["whole"] else " (not all of it, see below)")
    yield from transcripts(told)
    for part in (refuted, histories, receipts, trouble, matches, voids, seats, seeds, rest_of):
        yield from part(told)
    yield ""
    yield "No count is a verdict. What an audit does not show: spec/audit.md, 7."


def transcripts(told: Told) -> Iterator[str]:
    """How many."""
    counts = told["transcripts"]
    parts = [f"{counts[name]:,} {name}" for name in ("verified", "refuted", "unreadable")]
    if counts["unserved"]:
        parts.append(f"{counts['unserved']:,} listed and not served")
    if counts["before"]:
        parts.append(f"{counts['before']:,} from before --since")
    yield f"Transcripts: {counts['found']:,} found; {', '.join(parts)}."
    if counts["skipped_by_list"]:
        yield (
            f"Not asked for: {counts['skipped_by_list']:,}, and what the list has behind them. "
            "That they are from before --since is the word of the service alone."
        )
    if not told["keys"]:
        yield "No key of the house was given (--key): nothing here convicts anybody."


def refuted(told: Told) -> Iterator[str]:
    """Each with its evidence."""
    if told["transcripts"]["refuted"]:
        yield from ("", "Refuted:")
    for one in cut(told["refuted"]):
        if one is None:
            yield "  ... and more (--json, --out)"
            continue
        report = one["report"]
        failure = report["failure"]
        guilt = "CONVICTS the house" if report["convicts"] else "does not convict"
        yield f"  {one['source']}"
        yield f"    {failure['code']} at {failure['where']}; {guilt}"
        yield f"    {one['story']}"
        yield f"    likely cause: {failure['cause']}; sha256 {one['sha256']}"
        if "saved" in one:
            yield f"    saved: {one['saved']}"


def histories(told: Told) -> Iterator[str]:
    """Two stories of one match."""
    found = told["histories"]
    if found["compared"] or found["not_compared"]:
        said = [
            plural(found["contradictions"], "contradiction"),
            f"{found['convict']} of them convict the house",
            f"{found['lost']} times the house says that it lost its history",
        ]
        skipped = (
            f"; {found['not_compared']:,} pairs were left out" if found["not_compared"] else ""
        )
        yield ""
        pairs = plural(found["compared"], "pair")
        yield f"Several transcripts of one match: {pairs} compared: {', '.join(said)}{skipped}."
    for one in cut(found["list"]):
        if one is None:
            yield "  ... and more (--json, --out)"
            continue
        comparison = one["comparison"]
        guilt = {
            "pinned": "both signed under a key you gave: CONVICTS the house",
            "unpinned": "both signed under a key from the files",
            "none": "nothing shows that the house signed both",
        }[comparison["signed"]]
        yield f"  match {one['match']} parts at event {comparison['parted']['seq']}; {guilt}"
        yield f"    {one['a']}"
        yield f"    {one['b']}"


def receipts(told: Told) -> Iterator[str]:
    """What was signed, held against what is there."""
    found = told["receipts"]
    if not found["found"]:
        return
    yield ""
    yield (
        f"Receipts beside: {found['found']:,}; {found['agree']:,} agree, "
        f"{plural(found['contradictions'], 'contradiction')}, {found['convict']} of them convict "
        f"the house, {found['beyond']:,} for events after the end, {found['lost']:,} for what the "
        f"house says it lost, {found['unusable']:,} not validly signed, "
        f"{found['missing']:,} of matches that are not there."
    )
    for one in cut(found["list"]):
        if one is None:
            yield "  ... and more (--json, --out)"
            continue
        guilt = "; CONVICTS the house" if one.get("comparison", {}).get("convicts") else ""
        yield f"  {one['source']}: {one['what']}, event {one['seq']} of match {one['match']}{guilt}"
    for one in cut(found["matches"]):
        yield (
            "  ... and more (--json, --out)"
            if one is None
            else f"  not there: match {one['match']}, signed up to event {one['seq']}"
        )


def trouble(told: Told) -> Iterator[str]:
    """What could not be read or searched, and what has gone."""
    for items, head in (
        (told["unserved"], "Listed, and not served:"),
        (told["unreadable"], "Unreadable:"),
        (told["receipts"]["unreadable"], "No receipts in:"),
        (told["unsearched"], "Not searched:"),
    ):
        for place, one in enumerate(cut(items)):
            if not place:
                yield from ("", head)
            if one is None:
                yield "  ... and more (--json, --out)"
                continue
            where = f" at {one['where']}" if one["where"] else ""
            likely = CAUSES.get(one["code"])
            yield f"  {one['source']}"
            yield f"    {one['code']}{where}: expected {one['expected']}; got {one['got']}" + (
                f" ({likely})" if likely else ""
            )
    for place, one in enumerate(cut(told["gone"])):
        if not place:
            yield from ("", "Known from an earlier audit, and not there any more:")
        yield "  ... and more (--json, --out)" if one is None else f"  {one['source']}"


def matches(told: Told) -> Iterator[str]:
    """How they ended."""
    found, waiting = told["matches"], told["matches"]["waiting"]
    yield ""
    yield f"Matches: {found['counted']:,}, each counted once, by its longest verified transcript."
    yield (
        f"  {found['played']:,} played to their end, {found['drawn']:,} draws, "
        f"{found['abandoned']:,} abandoned, {found['voided']:,} called off"
    )
    running = sum(waiting[name] for name in ("seats", "seeds", "hands"))
    yield (
        f"  {running:,} not at their end: {waiting['seats']:,} wait for seats, "
        f"{waiting['seeds']:,} for seeds, {waiting['hands']:,} are being played"
    )
    if waiting["overdue"]:
        yield f"  overdue of these on {utc(told['now'])}: {waiting['overdue']:,}"
        for one in cut(told["overdue"]):
            yield (
                "    ... and more (--json, --out)"
                if one is None
                else f"    {one['source']}, to be over by {utc(one['close_by'])}"
            )
    gone = told["abandoned"]
    if found["abandoned"]:
        yield f"Abandoned: {gone['idle']:,} played by nobody, {gone['close_by']:,} after close_by."


def voids(told: Told) -> Iterator[str]:
    """What the house knew when it called a match off."""
    if not told["voids"]["total"]:
        return
    yield ""
    yield f"Called off: {told['voids']['total']:,}, by the reason given and what the house knew:"
    for one in told["voids"]["list"]:
        yield f"  {one['matches']:>6,}  {one['reason']}: {KNEW[one['knew']]}"


def seats(told: Told) -> Iterator[str]:
    """Who ran out of time, left, kept a seed, sat in an abandoned match; by seat and by house."""
    for kind, head in (
        ("signed", "Seats with a key:"),
        ("weak", "Seats without a key, by number and name (anybody may be called so):"),
    ):
        for place, one in enumerate(cut(told["seats"][kind]["list"])):
            if not place:
                yield from ("", head)
            if one is None:
                yield "  ... and more (--json, --out)"
                continue
            name = f" {one['name']}" if "name" in one else ""
            yield f"  {one.get('key') or 'seat ' + str(one['seat']) + name}: {blame(one)}"
    for place, one in enumerate(cut(told["houses"])):
        if not place:
            yield from ("", "Keys of the house:")
        if one is None:
            yield "  ... and more (--json, --out)"
            continue
        pinned = "given" if one["pinned"] else "not given"
        yield (
            f"  {one['key_id'] or 'none'} ({pinned}): {one['counted']:,} counted, "
            f"{one['refuted']:,} refuted, {one['convicts']:,} convict, "
            f"{one['voided']:,} called off, {one['abandoned']:,} abandoned"
        )


def blame(one: Told) -> str:
    """The counts of a seat."""
    return (
        f"{plural(one['matches'], 'match', 'matches')}, {plural(one['timed_out'], 'time-out')}, "
        f"left {one['left']}, seed kept back {one['withheld']}, in {one['abandoned']} abandoned"
    )


def seeds(told: Told) -> Iterator[str]:
    """What was used twice."""
    client, server = told["client_seeds"], told["server_seeds"]
    again, odd = client["repeated"], client["odd"]
    yield ""
    yield (
        f"Client seeds: {client['shown']:,} shown; {again['between']:,} stand in several matches; "
        f"{plural(again['within'], 'match', 'matches')} with one twice; "
        f"{odd['printable']:,} printable, {odd['constant']:,} constant."
    )
    for one in cut(again["list"]):
        yield "  ... and more" if one is None else f"  {one['seed']}: {one['times']} times"
    for one in cut(odd["list"]):
        yield (
            "  ... and more"
            if one is None
            else f"  {one['seed']}: {one['kind']}, {plural(one['times'], 'time')}"
        )
    yield (
        f"Server seeds: {server['shown']:,} shown, {server['repeated']:,} used again; "
        f"{server['hashes']['repeated']:,} hashes announced again; "
        f"washes: {told['roots']['announced']:,} announced, {told['roots']['repeated']:,} again."
    )
    for name, found in (
        ("seed", server),
        ("server_seed_hash", server["hashes"]),
        ("root", told["roots"]),
    ):
        for one in cut(found["list"]):
            yield "  ... and more" if one is None else f"  {one[name]}: {one['times']} times"


def rest_of(told: Told) -> Iterator[str]:
    """House rules, tables, and what could not be checked."""
    for place, one in enumerate(cut(told["options"])):
        if not place:
            yield from ("", "House rules, that is, options that differ from the published row:")
        yield (
            "  ... and more (--json, --out)"
            if one is None
            else f"  {one['ruleset']}: {one['name']} is {json.dumps(one['here'])}, published "
            f"{json.dumps(one['published'])}: {plural(one['matches'], 'match', 'matches')}"
        )
    for place, one in enumerate(cut(told["tables"])):
        if not place:
            yield from ("", "By seat (led hand 1 / led / hands won / matches won / pips left):")
        if one is None:
            yield "  ... and more (--json, --out)"
            continue
        pairs = ", partners" if one["partners"] else ""
        names = ("led_first", "led", "hands_won", "matches_won", "pips")
        yield (
            f"  {one['ruleset']}, {one['seats']} seats{pairs}: "
            f"{plural(one['matches'], 'match', 'matches')}, {plural(one['hands'], 'hand')}, "
            f"{one['nobody']} won by nobody, {plural(one['drawn'], 'match', 'matches')} drawn"
        )
        by_seat = (" / ".join(f"{seat[name]:,}" for name in names) for seat in one["by_seat"])
        yield "    " + ";  ".join(f"{seat}: {text}" for seat, text in enumerate(by_seat))
    yield ""
    yield "What could not be checked, by the number of matches (spec/codes.md, unchecked):"
    for one in told["unchecked"]:
        yield f"  {one['matches']:>6,}  {one['code']}"

"""`fairbones keys`: receipt keys, key-encryption keys, API keys."""

from __future__ import annotations

import os
import sys

import click

from fairbones.cli.output import Progress, count, matches, moment, remark, say_json
from fairbones.cli.refusal import EXIT_WRONG, refusing
from fairbones.config import Settings, load_settings
from fairbones.core.errors import FairbonesError

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def keys() -> None:
    """Make, rotate and list the keys of the house.

    They lie in FAIRBONES_KEYS. A running service reads the folder again whenever it needs a key
    that it does not hold, says which keys there are, opens a match or seals a seed: nothing has to
    be restarted.
    """


@keys.command()
@click.option("--anyway", is_flag=True, help="Although the store was made with other keys.")
@_JSON
@refusing
def create(anyway: bool, as_json: bool) -> None:
    """Make the first receipt key and the first key-encryption key.

    Hosts that share a store need the same keys: make them once and copy the files, mode 0600.
    A store that was made with keys needs just those: put them back, new ones are of no use to it.
    """
    from fairbones.keys import changing

    settings = load_settings()
    if not anyway:
        _refuse_known(settings)
    changing.create(settings.keys)
    _list(as_json)


@keys.command("list")
@_JSON
@refusing
def list_(as_json: bool) -> None:
    """List the keys; of receipt keys the public half, of none the secret."""
    _list(as_json)


@keys.command()
@click.argument("kind", type=click.Choice(["receipt", "kek"]))
@click.option("--prepare", is_flag=True, help="Only make it readable; use it at the next rotate.")
@_JSON
@refusing
def rotate(kind: str, prepare: bool, as_json: bool) -> None:
    """Add a newer receipt key, or a newer key-encryption key (kek).

    Older ones stay: a match is signed to its end with the key it was opened with, and a seed opens
    with the key it was sealed with. Matches opened from now on use the new one.

    Hosts that do not share the folder itself: `--prepare` on one, copy the new file to all, then
    `rotate` on each. No host meets a match then whose key it has not.
    """
    from fairbones.keys import changing

    file = changing.rotate(load_settings().keys, kind, prepare=prepare)
    if as_json:
        say_json({"kind": file.kind, "id": file.key_id, "file": str(file.path)})
    elif prepare:
        click.echo(f"{file.label} is prepared: copy {file.path} to every host, then rotate")
    else:
        click.echo(f"{file.label} is the newest: {file.path}")


@keys.command()
@_JSON
@refusing
def rewrap(as_json: bool) -> None:
    """Seal every server seed under the newest key-encryption key.

    Matches that are over are among them: they are shown with their seed too. Interrupted, it goes
    on when it is run again. With a Redis store the service may run meanwhile; with SQLite stop it.
    """
    from fairbones.archive.rewrapping import rewrap as run
    from fairbones.cli.places import to_change
    from fairbones.keys.changing import all_files
    from fairbones.keys.vault import sealed_under

    settings = load_settings()
    with to_change(settings) as opened:
        vault = opened.keys.vault
        newest = vault.key_id
        progress = Progress("looked at")
        result = run(opened.store, vault, newest, sealed_under, progress, opened.store.reseal)
    old = [
        file.key_id
        for file in all_files(settings.keys)
        if (file.kind, file.state) == ("kek", "key") and file.key_id != newest
    ]
    free = [key_id for key_id in old if not result.older[key_id]]
    if as_json:
        say_json(
            {
                "newest": newest,
                "resealed": result.resealed,
                "already": result.already,
                "unneeded": free,
                "problems": result.problems,
            }
        )
    else:
        click.echo(
            f"{count(result.resealed, 'seed')} sealed under kek-{newest}, "
            f"{result.already} were already"
        )
        for key_id in free:
            click.echo(f"no seed needs kek-{key_id} any more: fairbones keys retire {key_id}")
    for match_id, problem in result.problems.items():
        remark(f"match {match_id}: {problem}")
    sys.exit(EXIT_WRONG if result.problems else 0)


@keys.command()
@click.argument("key_id", metavar="ID")
@refusing
def retire(key_id: str) -> None:
    """Read a key-encryption key no more, once no seed needs it.

    Every seed is looked at first. The file is renamed and stays: backups made before the rewrap
    open with it alone.
    """
    from fairbones.archive.rewrapping import rewrap as run
    from fairbones.cli.places import to_read
    from fairbones.keys.changing import retire as take_out
    from fairbones.keys.vault import sealed_under

    settings = load_settings()
    with to_read(settings) as opened:
        vault = opened.keys.vault
        progress = Progress("looked at")
        looked = run(opened.store, vault, vault.key_id, sealed_under, progress, None)
    needed = looked.older[key_id]
    if needed:
        raise FairbonesError(
            "house/key-needed",
            f"the seeds of {matches(needed)} are sealed under kek-{key_id}; "
            "run `fairbones keys rewrap` first",
        )
    file = take_out(settings.keys, key_id)
    click.echo(f"kek-{key_id} is not read any more; backups made before need {file.path}")


@keys.group()
def api() -> None:
    """API keys: who may open matches where FAIRBONES_OPENERS is `keys`."""


@api.command("create")
@click.argument("name")
@_JSON
@refusing
def create_api(name: str, as_json: bool) -> None:
    """Make a key and show it, this once."""
    from fairbones.cli.places import now
    from fairbones.keys import apikeys

    key, text = apikeys.create(load_settings().keys, name, now, os.urandom)
    if as_json:
        say_json({"id": key.id, "name": key.name, "created": key.created, "key": text})
    else:
        click.echo(text)
        remark(f"this is the key {key.id} of {key.name!r}; it is shown once and kept nowhere")


@api.command("list")
@_JSON
@refusing
def list_api(as_json: bool) -> None:
    """List the keys; only their hashes are kept."""
    from fairbones.keys import apikeys

    found = apikeys.read(load_settings().keys)
    if as_json:
        told = [{name: it for name, it in key.told().items() if name != "hash"} for key in found]
        say_json({"keys": told})
        return
    for key in found:
        state = "" if key.revoked is None else f", revoked {moment(key.revoked)}"
        click.echo(f"{key.id}  {key.name}  created {moment(key.created)}{state}")


@api.command()
@click.argument("key_id", metavar="ID")
@_JSON
@refusing
def revoke(key_id: str, as_json: bool) -> None:
    """Let a key open no more matches. Matches that it opened go on."""
    from fairbones.cli.places import now
    from fairbones.keys import apikeys

    key = apikeys.revoke(load_settings().keys, key_id, now)
    if as_json:
        say_json({"id": key.id, "name": key.name, "revoked": key.revoked})
    else:
        click.echo(f"{key.id} of {key.name!r} is revoked")


def _refuse_known(settings: Settings) -> None:
    """`house/other-keys` where the store needs keys; one that cannot be asked is no hindrance."""
    from fairbones.cli.places import library, shown
    from fairbones.keys.keyring import missing

    try:
        with library(settings) as store:
            known = store.known_keys()
    except FairbonesError as error:
        if error.code != "store/none":
            remark(f"the store could not be asked which keys it needs: {error.message}")
        return
    gone = missing(settings.keys, known)
    if gone:
        raise FairbonesError(
            "house/other-keys",
            f"{shown(settings)} was made with keys that are not in {settings.keys} "
            f"({', '.join(gone)}); put the key files back, for without them its matches cannot go "
            "on; --anyway makes other keys, for another store",
        )


def _list(as_json: bool) -> None:
    from fairbones.keys import changing

    files = changing.all_files(load_settings().keys)
    newest = {file.kind: file.key_id for file in reversed(files) if file.state == "key"}
    told: list[dict[str, object]] = []
    for file in files:
        row: dict[str, object] = {
            "kind": file.kind,
            "id": file.key_id,
            "number": file.number,
            "state": file.state,
            "newest": newest.get(file.kind) == file.key_id,
        }
        if file.kind == "receipt":
            row["public_key"] = changing.public_key(file).hex()
        told.append(row)
    if as_json:
        say_json({"keys": told})
        return
    for row in told:
        words = [f"{row['kind']}-{row['number']:04}", row["id"], row.get("public_key", "")]
        state = {"next": "prepared", "retired": "retired"}.get(str(row["state"]), "")
        words.append("newest" if row["newest"] else state)
        click.echo("  ".join(str(word) for word in words if word))

"""What kustomize would make of an overlay, for the few of its features that are used here.

Resources, patches that add to mappings, and image names; anything else is an error, so that
nobody leans on what this does not do.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import yaml

Manifest = dict[str, Any]
Name = tuple[str, str]
FEATURES = {"apiVersion", "kind", "resources", "patches", "images"}
FILE = "kustomization.yaml"


class Unrendered(Exception):
    """kustomize would refuse this, or do something else than is done here."""


def render(folder: Path) -> dict[Name, Manifest]:
    """All manifests of a folder with a kustomization.yaml, by kind and name."""
    wanted = yaml.safe_load((folder / FILE).read_text())
    strange = set(wanted) - FEATURES
    if strange:
        raise Unrendered(f"not rendered here: {sorted(strange)}")
    found: dict[Name, Manifest] = {}
    for entry in wanted["resources"]:
        path = folder / entry
        there = render(path) if path.is_dir() else documents(path)
        twice = set(found) & set(there)
        if twice:
            raise Unrendered(f"twice: {sorted(twice)}")
        found |= there
    patches = [entry["path"] for entry in wanted.get("patches", [])]
    _all_listed(folder, {*wanted["resources"], *patches})
    for entry in patches:
        for name, patch in documents(folder / entry).items():
            if name not in found:
                raise Unrendered(f"{entry} patches {name}, which is nowhere")
            found[name] = _merged(found[name], patch, f"{entry} {name}")
    for image in wanted.get("images", []):
        _rename(found, image)
    return found


def documents(path: Path) -> dict[Name, Manifest]:
    """The manifests of one file."""
    if not path.is_file():
        raise Unrendered(f"{path.name} is listed and not there")
    return {(it["kind"], it["metadata"]["name"]): it for it in yaml.safe_load_all(path.read_text())}


def _all_listed(folder: Path, listed: set[str]) -> None:
    there = {it.name for it in folder.iterdir() if it.is_file()} - {FILE}
    forgotten = there - listed
    if forgotten:
        raise Unrendered(f"not listed: {sorted(forgotten)}")


def _merged(base: Any, patch: Any, where: str) -> Any:
    """A strategic merge, of mappings only: what lists do depends on their place."""
    if isinstance(base, dict) and isinstance(patch, dict):
        merged = copy.deepcopy(base)
        for key, value in patch.items():
            merged[key] = _merged(base[key], value, f"{where}.{key}") if key in base else value
        return merged
    if isinstance(patch, dict | list):
        raise Unrendered(f"{where} would replace or merge a list")
    return patch


def _rename(found: dict[Name, Manifest], image: dict[str, str]) -> None:
    renamed = 0
    for manifest in found.values():
        spec = manifest.get("spec", {})
        # Of a CronJob, or of what keeps pods running.
        spec = spec.get("jobTemplate", {}).get("spec", spec)
        pod = spec.get("template", {}).get("spec", {})
        for container in [*pod.get("initContainers", []), *pod.get("containers", [])]:
            if container["image"] == image["name"]:
                container["image"] = f"{image['newName']}:{image['newTag']}"
                renamed += 1
    if not renamed:
        raise Unrendered(f"no container has the image {image['name']}")

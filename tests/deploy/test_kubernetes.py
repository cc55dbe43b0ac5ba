"""The manifests: valid for old and new clusters, whole as kustomize reads them, and tight."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from fairbones.core.errors import FairbonesError
from fairbones.keys.files import open_folder, read_keys
from fairbones.keys.keyring import open_keyring
from fairbones.keys.vault import kek_id
from tests.deploy.rendering import FILE, Manifest, Name, Unrendered, render
from tests.deploy.texts import BIN, DEPLOY, judged, planted

KUBERNETES = DEPLOY / "kubernetes"
OVERLAYS = ["single", "redis"]
BACKUP = "fairbones-backup"
PODS = [*OVERLAYS, "backup"]
# The oldest with ReadWriteOncePod for all, and the newest that the checker knows.
VERSIONS = ["1.29.0", "1.37.0"]


def rendered(overlay: str) -> dict[Name, Manifest]:
    return render(KUBERNETES / "overlays" / overlay)


def pod_of(overlay: str) -> tuple[Manifest, dict[str, str]]:
    """The pod of an overlay, and what its containers are set to."""
    found = rendered("redis" if overlay == "backup" else overlay)
    if overlay == "backup":
        spec = found["CronJob", "fairbones-backup"]["spec"]["jobTemplate"]["spec"]
    else:
        kind = {"single": "StatefulSet", "redis": "Deployment"}[overlay]
        spec = found[kind, "fairbones"]["spec"]
    pod: Manifest = spec["template"]["spec"]
    return pod, found["ConfigMap", "fairbones-settings"]["data"]


def validated(path: Path, version: str) -> tuple[int, str]:
    return judged(
        [BIN / "kubernetes-validate", "--strict", "--quiet", "--no-warn", "-k", version, path]
    )


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_manifest_is_valid_strictly(overlay: str, version: str, tmp_path: Path) -> None:
    path = tmp_path / "all.yaml"
    path.write_text(yaml.safe_dump_all(rendered(overlay).values()))
    code, said = validated(path, version)
    assert code == 0, said


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("overlays/redis/deployment.yaml", "maxSurge:", "maxSurplus:"),
        ("overlays/redis/backup.yaml", "concurrencyPolicy:", "concurrentPolicy:"),
        ("overlays/redis/disruption.yaml", "minAvailable: 2", "minAvailable: [2]"),
        ("overlays/single/statefulset.yaml", "replicas: 1", "replicas: one"),
        ("base/network.yaml", "policyTypes:", "policyKinds:"),
        ("base/ingress.yaml", "pathType: Exact", "pathKind: Exact"),
    ],
)
def test_a_planted_error_is_found(name: str, old: str, new: str, tmp_path: Path) -> None:
    code, _ = validated(planted(KUBERNETES / name, tmp_path / "it.yaml", old, new), "1.37.0")
    assert code == 1


def test_the_overlays_are_what_they_say() -> None:
    common = {
        ("Namespace", "fairbones"),
        ("ConfigMap", "fairbones-settings"),
        ("Service", "fairbones"),
        ("Ingress", "fairbones"),
        ("NetworkPolicy", "fairbones"),
    }
    assert set(rendered("single")) == common | {("StatefulSet", "fairbones")}
    assert set(rendered("redis")) == common | {
        ("Deployment", "fairbones"),
        ("PodDisruptionBudget", "fairbones"),
        ("CronJob", "fairbones-backup"),
        ("PersistentVolumeClaim", "fairbones-backups"),
        ("NetworkPolicy", "fairbones-backup"),
    }
    for overlay in OVERLAYS:
        spaces = {it["metadata"].get("namespace") for it in rendered(overlay).values()}
        assert spaces == {"fairbones", None}  # None: the namespace itself


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("overlays/redis/kustomization.yaml", "  - deployment.yaml\n", ""),
        ("overlays/redis/kustomization.yaml", "disruption.yaml", "disruptions.yaml"),
        ("overlays/redis/kustomization.yaml", "patches:", "patchesStrategicMerge:"),
        ("overlays/redis/kustomization.yaml", "- name: fairbones", "- name: fairbone"),
        ("overlays/redis/settings.yaml", "name: fairbones-settings", "name: fairbones-setting"),
        ("overlays/redis/network.yaml", "  egress:", "  ingress:"),
    ],
)
def test_a_kustomization_that_does_not_fit_is_found(
    name: str, old: str, new: str, tmp_path: Path
) -> None:
    copy = tmp_path / "kubernetes"
    shutil.copytree(KUBERNETES, copy)
    planted(KUBERNETES / name, copy / name, old, new)
    with pytest.raises(Unrendered):
        render(copy / "overlays" / "redis")


@pytest.mark.parametrize("overlay", PODS)
def test_pods_are_restricted(overlay: str) -> None:
    """The Pod Security Standard of that name, and a root that cannot be written."""
    pod, _ = pod_of(overlay)
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == 10001
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    for container in [*pod["initContainers"], *pod["containers"]]:
        context = container["securityContext"]
        assert context["allowPrivilegeEscalation"] is False
        assert context["readOnlyRootFilesystem"] is True
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert container["image"].startswith("registry.example.org/fairbones:")
    mounts = {it["name"] for c in pod["containers"] for it in c["volumeMounts"]}
    volumes = {it["name"] for it in pod["volumes"]}
    assert mounts - volumes <= {"data"}  # of the single one, claimed by its template


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_a_pod_is_not_killed_while_it_answers(overlay: str) -> None:
    pod, settings = pod_of(overlay)
    [container] = pod["containers"]
    program, seconds = container["lifecycle"]["preStop"]["exec"]["command"]
    assert program == "sleep"
    assert pod["terminationGracePeriodSeconds"] > int(seconds) + int(settings["FAIRBONES_GRACE"])


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_probes_ask_the_right_address(overlay: str) -> None:
    [container] = pod_of(overlay)[0]["containers"]
    paths = {
        name: container[name]["httpGet"]["path"]
        for name in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    # A store that is away must not have every process killed.
    assert paths == {
        "startupProbe": "/livez",
        "livenessProbe": "/livez",
        "readinessProbe": "/readyz",
    }


def test_the_public_addresses_are_the_description_and_no_more() -> None:
    paths = {
        (it["path"], it["pathType"])
        for rule in rendered("redis")["Ingress", "fairbones"]["spec"]["rules"]
        for it in rule["http"]["paths"]
    }
    assert paths == {
        ("/v1", "Prefix"),
        ("/", "Exact"),
        ("/openapi.yaml", "Exact"),
        ("/readyz", "Exact"),
    }


# ------------------------------------------------------------------ keys


def as_mounted(keys: Path, mount: Path) -> None:
    """Files as Kubernetes mounts them: links to a folder of the moment, readable by a group."""
    moment = mount / "..2026_01_01"
    shutil.copytree(keys, moment)
    (mount / "..data").symlink_to(moment.name)
    for path in moment.iterdir():
        path.chmod(0o440)
        (mount / path.name).symlink_to(Path("..data") / path.name)


def copying(overlay: str) -> list[str]:
    [container] = pod_of(overlay)[0]["initContainers"]
    return [*container["command"], *container["args"]]


@pytest.mark.parametrize("overlay", PODS)
def test_the_init_container_makes_keys_that_the_service_takes(overlay: str, tmp_path: Path) -> None:
    made = open_keyring(tmp_path / "made", frozenset())
    as_mounted(tmp_path / "made", tmp_path / "secret")
    with pytest.raises(FairbonesError, match="can be read or changed by others"):
        read_keys(tmp_path / "secret", "kek", kek_id)
    target = tmp_path / "memory"
    target.mkdir(mode=0o777)
    target.chmod(0o777)  # as an emptyDir is
    argv = [
        it.replace("/secret/keys", str(tmp_path / "secret")).replace("/run/fairbones", str(target))
        for it in copying(overlay)
    ]
    # Twice: a container may be started again in the same pod.
    for _ in range(2):
        subprocess.run(argv, check=True, timeout=20, umask=0o022)
    open_folder(target / "keys")
    assert sorted(os.listdir(target / "keys")) == sorted(os.listdir(tmp_path / "made"))
    assert open_keyring(target / "keys", frozenset(made.key_ids)).key_ids == made.key_ids
    settings: dict[str, Any] = pod_of(overlay)[1]
    assert settings["FAIRBONES_KEYS"] == "/run/fairbones/keys"


def test_a_backup_is_none_of_the_pods_that_serve() -> None:
    """No Service sends players to it; and it may go where the service may, so to its store."""
    found = rendered("redis")
    job = found["CronJob", "fairbones-backup"]["spec"]["jobTemplate"]["spec"]["template"]
    labels = job["metadata"]["labels"]
    chosen = found["Service", "fairbones"]["spec"]["selector"]
    assert not chosen.items() <= labels.items()
    policies = {name: found["NetworkPolicy", name]["spec"] for name in ("fairbones", BACKUP)}
    assert policies[BACKUP]["podSelector"]["matchLabels"] == labels
    assert policies[BACKUP]["egress"] == policies["fairbones"]["egress"]
    assert "ingress" not in policies[BACKUP]


def test_every_folder_has_its_list() -> None:
    folders = {it.parent for it in KUBERNETES.rglob("*.yaml")}
    assert all((folder / FILE).is_file() for folder in folders)

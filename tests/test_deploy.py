"""The files in deploy/: only fields that Kubernetes knows, names that exist, and no more rights than needed."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes.client
import pytest
import yaml

from tablerag.tools.settings import Settings

DEPLOY = Path(__file__).resolve().parents[1] / "deploy"
MANIFESTS = sorted(p for p in (DEPLOY / "kubernetes").glob("*.yaml") if p.name != "kustomization.yaml")
COMPOSE = sorted(DEPLOY.glob("compose*.yaml"))
PLAIN = {"str": str, "int": int, "bool": bool, "object": object}
MODELS = {
    "Deployment": "V1Deployment",
    "NetworkPolicy": "V1NetworkPolicy",
    "PersistentVolumeClaim": "V1PersistentVolumeClaim",
    "PodDisruptionBudget": "V1PodDisruptionBudget",
    "Service": "V1Service",
}


def documents() -> Iterator[dict[str, Any]]:
    for path in MANIFESTS:
        yield from yaml.safe_load_all(path.read_text(encoding="utf-8"))


def of_kind(kind: str) -> dict[str, Any]:
    (found,) = (d for d in documents() if d["kind"] == kind)
    return found


def check(given: Any, expected: str, place: str) -> None:
    """Check a value against a type of the Kubernetes client: its fields, their types, and those that are required."""
    if listed := re.fullmatch(r"list\[(.+)\]", expected):
        assert isinstance(given, list), f"{place} must be a list"
        for position, item in enumerate(given):
            check(item, listed[1], f"{place}[{position}]")
    elif mapped := re.fullmatch(r"dict[\[(]str, (.+)[\])]", expected):
        assert isinstance(given, dict), f"{place} must be a mapping"
        for name, item in given.items():
            check(item, mapped[1], f"{place}.{name}")
    elif expected in PLAIN:
        assert isinstance(given, PLAIN[expected]), f"{place} must be {expected}"
    else:
        model = getattr(kubernetes.client, expected)
        fields = {outer: model.openapi_types[inner] for inner, outer in model.attribute_map.items()}
        unknown = given.keys() - fields.keys()
        assert not unknown, f"{place} has no field {unknown}"
        model(**{inner: given[outer] for inner, outer in model.attribute_map.items() if outer in given})
        for name, item in given.items():
            check(item, fields[name], f"{place}.{name}")


def test_manifests_have_the_fields_that_kubernetes_knows() -> None:
    for document in documents():
        check(document, MODELS[document["kind"]], document["kind"])


def test_a_field_that_kubernetes_does_not_know_is_found() -> None:
    for wrong, says in (({"readinesProbe": {}}, "no field {'readinesProbe'}"), ({"image": 7}, "image must be str")):
        deployment = of_kind("Deployment")
        deployment["spec"]["template"]["spec"]["containers"][0] |= wrong
        with pytest.raises(AssertionError, match=re.escape(says)):
            check(deployment, "V1Deployment", "Deployment")


def test_every_manifest_is_applied() -> None:
    applied = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text(encoding="utf-8"))
    assert sorted(applied["resources"]) == [p.name for p in MANIFESTS]


def test_pods_are_probed_limited_and_without_rights() -> None:
    pod = of_kind("Deployment")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert {"startupProbe", "livenessProbe", "readinessProbe"} <= container.keys()
    assert container["resources"]["limits"].keys() == container["resources"]["requests"].keys() == {"cpu", "memory"}
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] >= 10_000
    assert not pod["automountServiceAccountToken"]
    rights = container["securityContext"]
    assert rights["readOnlyRootFilesystem"] and not rights["allowPrivilegeEscalation"]
    assert rights["capabilities"] == {"drop": ["ALL"]}
    # Where the program writes, there is a volume.
    mounted = {m["mountPath"] for m in container["volumeMounts"]}
    assert {"/var/lib/tablerag", "/tmp", "/uploads"} == mounted
    assert {m["name"] for m in container["volumeMounts"]} == {v["name"] for v in pod["volumes"]}


def test_names_and_ports_fit_together() -> None:
    template = of_kind("Deployment")["spec"]["template"]
    labels = template["metadata"]["labels"]
    (container,) = template["spec"]["containers"]
    (port,) = container["ports"]
    service, policy = of_kind("Service")["spec"], of_kind("NetworkPolicy")["spec"]
    assert service["selector"] == labels == policy["podSelector"]["matchLabels"]
    assert of_kind("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    assert service["ports"][0]["targetPort"] == port["name"]
    assert policy["ingress"][0]["ports"] == [{"protocol": "TCP", "port": port["containerPort"]}]
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    claim = next(v for v in template["spec"]["volumes"] if "persistentVolumeClaim" in v)
    assert claim["persistentVolumeClaim"]["claimName"] == of_kind("PersistentVolumeClaim")["metadata"]["name"]


@pytest.mark.parametrize("path", COMPOSE, ids=lambda p: p.name)
def test_composed_services_are_limited_and_on_loopback(path: Path) -> None:
    composed = yaml.safe_load(path.read_text(encoding="utf-8"))
    services = composed["services"]
    for name, service in services.items():
        assert "mem_limit" in service and service["restart"] == "unless-stopped", name
        assert all(p.startswith("127.0.0.1:") for p in service.get("ports", [])), name
        assert ":" in service.get("image", "built:here") and not service.get("image", "").endswith(":latest"), name
        assert {d for d in service.get("depends_on", {})} <= services.keys(), name
        volumes = {v.partition(":")[0] for v in service.get("volumes", []) if not v.startswith("./")}
        assert volumes <= composed["volumes"].keys(), name
    server = services["tablerag"]
    assert server["read_only"] and server["user"] == "10001" and server["cap_drop"] == ["ALL"]
    assert (DEPLOY / server["build"]["context"] / server["build"]["dockerfile"]).is_file()
    assert server["environment"]["TABLERAG_API_KEYS"] == "${TABLERAG_API_KEYS:?}"  # it does not start without keys


def test_the_image_runs_as_nobody_in_particular() -> None:
    lines = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert "USER 10001" in lines
    assert all(":" in line and "latest" not in line for line in lines if line.startswith("FROM"))
    (command,) = (line.removeprefix("CMD ") for line in lines if line.startswith("CMD"))
    assert json.loads(command)[:3] == ["python", "-m", "tablerag.serving.aegra"]


def test_every_variable_is_a_setting() -> None:
    known = {f"TABLERAG_{name.upper()}" for name in Settings.model_fields}
    for path in DEPLOY.rglob("*"):
        if path.is_file():
            named = set(re.findall(r"\bTABLERAG_[A-Z_]+\b", path.read_text(encoding="utf-8")))
            assert named <= known, path

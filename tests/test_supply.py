"""What is told of the installed packages: the bill of materials, and which vulnerabilities stop a build."""

import itertools
import re
import runpy
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CI = Path(__file__).resolve().parent.parent / ".ci"


@pytest.fixture(scope="module")
def sbom() -> dict[str, Any]:
    return runpy.run_path(str(CI / "sbom.py"))


@pytest.fixture(scope="module")
def bill(sbom: dict[str, Any]) -> dict[str, Any]:
    return sbom["bill_of_materials"](sbom["installed"]())


def test_every_distribution_is_in_the_bill_once(sbom: dict[str, Any], bill: dict[str, Any]) -> None:
    parts = [*bill["components"], bill["metadata"]["component"]]
    named = [(p["name"], p["version"]) for p in parts]
    assert sorted(named) == sorted((d.name, d.version) for d in sbom["installed"]().values())
    assert len({p["bom-ref"] for p in parts}) == len(parts) > 50
    assert bill["metadata"]["component"]["name"] == "tablerag"


def test_every_component_has_a_license_and_an_address(bill: dict[str, Any]) -> None:
    stated = {
        p["name"]: [n.get("expression") or n["license"]["name"] for n in p["licenses"]] for p in bill["components"]
    }
    assert all(names and all(names) for names in stated.values())
    assert [n for n, names in stated.items() if names == ["not stated"]] in ([], ["axe-playwright-python"])
    assert stated["starlette"] == ["BSD-3-Clause"]
    assert next(p["purl"] for p in bill["components"] if p["name"] == "PyYAML").startswith("pkg:pypi/pyyaml@")


def test_dependencies_are_those_of_the_bill(bill: dict[str, Any]) -> None:
    needs = {n["ref"]: n["dependsOn"] for n in bill["dependencies"]}
    assert {r for refs in needs.values() for r in refs} <= needs.keys()
    own = needs[bill["metadata"]["component"]["bom-ref"]]
    assert {"lxml", "duckdb", "pytest"} <= {r.removeprefix("pkg:pypi/").partition("@")[0] for r in own}


def test_the_bill_is_the_same_each_time(sbom: dict[str, Any], bill: dict[str, Any]) -> None:
    assert sbom["bill_of_materials"](sbom["installed"]()) == bill


def test_only_vulnerabilities_with_a_fix_stop_a_build() -> None:
    report = {
        "dependencies": [
            {"name": "good", "version": "1", "vulns": []},
            {"name": "skipped", "skip_reason": "not found"},
            {"name": "old", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2", "1.5"]}]},
            {"name": "odd", "version": "3", "vulns": [{"id": "PYSEC-2", "fix_versions": []}]},
        ]
    }
    assert runpy.run_path(str(CI / "audit.py"))["findings"](report) == (
        ["old 1: PYSEC-1: raise it to 2 or 1.5 in constraints.txt"],
        ["odd 3: PYSEC-2: no version fixes it"],
    )


def pins(name: str) -> dict[str, str]:
    """Return the pinned versions of a file by normalized names; those for other systems only are left out."""
    found = {}
    for line in (CI.parent / name).read_text(encoding="utf-8").splitlines():
        if "==" in line and not line.startswith((" ", "#")):
            pin = Requirement(line.removesuffix("\\"))
            if pin.marker is None or pin.marker.evaluate():
                found[canonicalize_name(pin.name)] = str(pin.specifier)
    return found


def test_the_locked_versions_are_the_pinned_ones() -> None:
    pinned, locked = pins("constraints.txt"), pins("requirements.lock")
    assert len(locked) > 150
    assert {n: v for n, v in locked.items() if pinned.get(n) != v} == {}, "run make lock"
    own = [
        r for r in map(Requirement, distribution("tablerag").requires or ()) if not r.marker or "dev" in str(r.marker)
    ]
    assert {canonicalize_name(r.name) for r in own} <= locked.keys(), "run make lock"


def test_every_locked_file_is_named_by_its_hash_alone() -> None:
    lines = (CI.parent / "requirements.lock").read_text(encoding="utf-8").splitlines()
    entry = re.compile(r"[\w.-]+(\[[\w,-]+\])?==[\w.+!]+( ; [^:]+)? \\")
    assert all(entry.fullmatch(one) or re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", one) for one in lines)
    unhashed = [a for a, b in itertools.pairwise([*lines, ""]) if entry.fullmatch(a) and not b.startswith("    --hash")]
    assert unhashed == []

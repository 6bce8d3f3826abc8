"""Write a software bill of materials of this environment: python .ci/sbom.py build/sbom.json

CycloneDX 1.6 in JSON: every installed distribution with its version, license, package URL and dependencies. It
has no time and no random number: the same environment gives the same file.
"""

import json
import sys
import sysconfig
import uuid
from collections.abc import Iterable, Mapping
from email.message import Message
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, cast

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["bill_of_materials", "installed"]

ROOT = "tablerag"
CLASSIFIER = "License :: OSI Approved :: "
LONGEST_NAME = 100
"""Longer license fields hold the text of the license."""
UNKNOWN = "not stated"


def installed() -> dict[str, Distribution]:
    """Return the distributions of this environment by their normalized names, those on sys.path elsewhere left out."""
    folders = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    found = distributions(path=list(folders))
    return {canonicalize_name(d.name): d for d in sorted(found, key=lambda d: d.name.casefold())}


def bill_of_materials(found: Mapping[str, Distribution]) -> dict[str, Any]:
    """Return the bill; its subject is this project."""
    root = _component(ROOT, found[ROOT], "application")
    parts = [_component(name, one, "library") for name, one in found.items() if name != ROOT]
    needs = [{"ref": _url(name, one), "dependsOn": _needed(one, found)} for name, one in found.items()]
    body = {"metadata": {"component": root}, "components": parts, "dependencies": needs}
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{number}", "version": 1}
    return head | body


def _component(name: str, one: Distribution, kind: str) -> dict[str, Any]:
    url = _url(name, one)
    return {
        "type": kind,
        "bom-ref": url,
        "name": one.name,
        "version": one.version,
        "licenses": _licenses(cast("Message", one.metadata)),
        "purl": url,
    }


def _url(name: str, one: Distribution) -> str:
    return f"pkg:pypi/{name}@{one.version.replace('+', '%2B')}"


def _licenses(metadata: Message) -> list[dict[str, Any]]:
    """Return an SPDX expression where one is stated, else the names in the license field or the classifiers."""
    if expression := metadata.get("License-Expression"):
        return [{"expression": expression}]
    stated = " ".join((metadata.get("License") or "").split())
    classified = [c.removeprefix(CLASSIFIER) for c in metadata.get_all("Classifier") or () if c.startswith(CLASSIFIER)]
    usable = stated and stated.upper() != "UNKNOWN" and len(stated) <= LONGEST_NAME
    names: Iterable[str] = [stated] if usable else classified or [_first_words(stated)]
    return [{"license": {"name": n}} for n in names]


def _first_words(text: str) -> str:
    """Return the title of a license's text."""
    return text.partition(" Copyright")[0][:LONGEST_NAME] or UNKNOWN


def _needed(one: Distribution, found: Mapping[str, Distribution]) -> list[str]:
    """Return the installed distributions that one depends on, with those of its extras that are installed."""
    names = {canonicalize_name(r.name) for r in map(Requirement, one.requires or ()) if _applies(r, one)}
    return [_url(n, found[n]) for n in sorted(names & found.keys())]


def _applies(requirement: Requirement, one: Distribution) -> bool:
    extras = ["", *(one.metadata.get_all("Provides-Extra") or ())]
    return requirement.marker is None or any(requirement.marker.evaluate({"extra": e}) for e in extras)


def main() -> None:
    """Write the bill to the file that is named."""
    path, found = Path(sys.argv[1]), installed()
    bill = bill_of_materials(found)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")
    print(f"{path}: {len(bill['components'])} components of {ROOT} {found[ROOT].version}")


if __name__ == "__main__":
    main()

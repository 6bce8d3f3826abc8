"""The reference names every command, option, setting and error; links lead somewhere."""

import re
from pathlib import Path

import pytest

import tablerag
from docs.generated import PAGES as GENERATED
from docs.generated import cli, commands, errors, filled, settings, variable_of
from tablerag.agent import events
from tablerag.tools import errors as error_tree
from tablerag.tools.settings import Settings
from tests.docs.pages import PAGES, ROOT, anchors, links, page_name

TO_BE_WRITTEN = {
    "agent/offline/reading/NAME.py",
    "agent/offline/reading/languages/xx.toml",
    "ingestion/readers/ics.py",
    "tools/sql/backends/postgresql.py",
    "tools/stores/NAME.py",
    "evaluation/datasets/NAME.py",
}
"""Files of CONTRIBUTING's typical changes that the change itself adds."""
REFERENCE = ROOT / "docs" / "reference"


def test_every_generated_part_has_its_place() -> None:
    pages = "".join(p.read_text(encoding="utf-8") for p in REFERENCE.parent.rglob("*.md"))
    assert set(re.findall(r"<!-- generated: (\w+) -->", pages)) == set(GENERATED)
    assert "<!-- generated" not in filled(pages)


def test_every_command_and_option_is_in_the_reference() -> None:
    sections = dict(re.findall(r"^## `([^`]+)`\n(.*?)(?=^## |\Z)", cli(), re.MULTILINE | re.DOTALL))
    for name, command in commands():
        same = re.search(r"takes the options of `([^`]+)`", sections[name])
        section = sections[same[1] if same else name]
        for param in command.params:
            if param.param_type_name == "option":
                assert all(re.search(rf"{o}\b", section) for o in (*param.opts, *param.secondary_opts)), (name, param)


def test_every_setting_is_in_the_reference() -> None:
    rows = settings().splitlines()
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert any(row.startswith(f"| `{variable_of(name, field)}` |") for row in rows), name


def test_every_event_is_in_the_reference() -> None:
    page = filled((REFERENCE / "events.md").read_text(encoding="utf-8"))
    documented = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert sorted(documented) == sorted(n for n in events.__all__ if n.islower() and n != "event_of")


def test_every_public_name_is_in_the_reference() -> None:
    page = filled((REFERENCE / "python.md").read_text(encoding="utf-8"))
    documented = set(re.findall(r"^\.\. auto\w+:: [\w.]+\.(\w+)$", page, re.MULTILINE))
    assert set(tablerag.__all__) <= documented


def test_every_error_is_in_the_reference() -> None:
    assert set(re.findall(r"errors\.(\w+)$", errors(), re.MULTILINE)) == set(error_tree.__all__)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for target in links(page):
        name, _, anchor = target.partition("#")
        found = (page.parent / name) if name else page
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), target


def test_files_that_contributors_are_sent_to_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", text))
    assert len(named) > 20
    assert {n for n in named if not (ROOT / n).exists()} == TO_BE_WRITTEN

"""The house rules that no linter knows: who may import whom, how long a function may be, what files must say."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tablerag.tools.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
ROOMS = (
    "src",
    "agent",
    "cli",
    "tools",
    "graphs",
    "ingestion",
    "evaluation",
    "serving",
    "training",
    "benchmarks",
    "examples",
)
SOURCES = [p for room in ROOMS for p in sorted((ROOT / room).rglob("*.py"))]
MAY_IMPORT = {
    "tools": {"tools"},
    "ingestion": {"ingestion", "tools"},
    "evaluation": {"evaluation", "tools", "ingestion", "agent", "graphs"},
    "agent/nodes": {"agent", "tools"},
    "agent/offline": {"agent", "tools"},
    "agent/hd_rag": {"agent", "tools"},
    "agent": {"agent", "tools"},
    "cli": {"cli", "agent", "tools", "ingestion", "graphs", "evaluation", "serving"},
    "graphs": {"graphs", "agent", "tools", "ingestion"},
    "serving": {"serving", "agent", "ingestion", "tools"},
}
SERVING = {p.relative_to(ROOT).as_posix() for p in (ROOT / "serving").rglob("*.py")}
AEGRA = {p for p in SERVING if p.startswith("serving/aegra/")}
ONLY_IN = {
    "chromadb": {"tools/stores/chroma.py"},
    "qdrant_client": {"tools/stores/qdrant.py"},
    "tantivy": {"tools/linking/large.py", "tools/stores/tantivy_folder.py", "tools/stores/tantivy_index.py"},
    "langchain_openai": {"tools/models.py"},
    "openai": {"tools/models.py"},
    "langchain": {"tools/model_providers.py", "agent/model/tool_loop.py"},
    "re2": {"tools/sql/functions/patterns.py"},
    "pydantic_settings": {"tools/settings.py"},
    "tokenizers": {"tools/embedding/static.py", "tools/embedding/tokenizer.py", "training/embedding.py"},
    "starlette": {"tools/access/requests.py"} | SERVING,
    "fastapi": AEGRA,
    "aegra_api": AEGRA,
    "mcp": {"serving/mcp/http.py", "serving/mcp/server.py"},
    "keyring": {"tools/connections/kept_passwords.py"},
    "simpleeval": {"tools/calculator.py"},
    "scipy": {"training/contrastive.py"},
    "Stemmer": {"agent/offline/reading/vocabulary.py"},
}
LONGEST_FUNCTION = 60


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports(path: Path) -> set[str]:
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_rooms_import_only_what_they_may(path: Path) -> None:
    room = max((r for r in MAY_IMPORT if name(path).startswith(f"{r}/")), key=len, default=None)
    if room is None:
        return
    ours = {i.removeprefix("tablerag.").partition(".")[0] for i in imports(path)} & {*ROOMS, "tests"}
    assert ours <= MAY_IMPORT[room]


@pytest.mark.parametrize("library", ONLY_IN)
def test_one_room_knows_each_library(library: str) -> None:
    users = {name(p) for p in SOURCES if any(i.partition(".")[0] == library for i in imports(p))}
    assert users <= ONLY_IN[library]


def test_nodes_touch_no_database_no_index_and_no_prompt() -> None:
    stores = (
        "sqlalchemy",
        "tablerag.tools.sql.database",
        "tablerag.tools.stores",
        "tablerag.tools.services",
    )
    forbidden = (*stores, "tablerag.agent.model.prompts", "tablerag.agent.hd_rag.prompts")
    for path in (ROOT / "agent").rglob("nodes/*.py"):
        assert not {i for i in imports(path) if i.startswith(forbidden)}, name(path)


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_functions_are_short(path: Path) -> None:
    for node in nodes(path):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno - node.lineno < LONGEST_FUNCTION, f"{node.name} in {name(path)}"


def test_the_page_fetches_nothing_and_makes_no_html_of_texts() -> None:
    static = [p for p in (ROOT / "serving" / "static").rglob("*") if p.is_file()]
    assert len(static) > 20
    for path in static:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(
            r"https?:|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text
        )
        assert not re.search(r"<style|\sstyle=|\son\w+=\"", text), path
        assert max(map(len, text.splitlines())) <= 120, path


def test_only_settings_read_the_environment() -> None:
    readers = {name(p) for p in SOURCES if re.search(r"os\.environ|os\.getenv|getenv\(", p.read_text(encoding="utf-8"))}
    assert readers == set()


def test_every_setting_is_documented() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    for field, info in Settings.model_fields.items():
        alias = info.validation_alias
        variable = alias.choices[0] if alias else f"TABLERAG_{field.upper()}"
        assert re.search(rf"^#?{variable}=", example, re.MULTILINE), variable


def test_every_dependency_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+_-]+", line) for line in lines)
    pinned = {line.partition("==")[0].lower().replace("_", "-") for line in lines}
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    wanted = {w.lower() for w in re.findall(r'^ {4}"([A-Za-z0-9_-]+)(?:\[\w+\])?>=', project, re.MULTILINE)}
    assert wanted <= pinned


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if (ROOT / name).is_file()]


def test_no_file_is_large_but_the_trained_ones() -> None:
    trained = {"vectors.npz", "ranker.npz", "tokenizer.json"}
    assert not [path for path in tracked() if path.stat().st_size > 500_000 and path.name not in trained]


def test_no_file_names_a_registry_or_somebodys_machine() -> None:
    hosts = re.compile(
        "|".join(map(re.escape, ("pypi" + ".org", "python" + "hosted", "npmjs" + ".org", "/" + "root/")))
    )
    for path in tracked():
        if path.suffix in {".npz", ".pdf", ".docx", ".xlsx", ".png"}:
            continue
        assert not hosts.search(path.read_text(encoding="utf-8", errors="replace")), path

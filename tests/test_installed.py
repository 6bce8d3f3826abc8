"""The package as users install it: the wheel, in a fresh environment, beside modules of the same names."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("agent", "cli", "evaluation", "graphs", "ingestion", "serving", "tools")
QUESTION = "What is the total quantity of the orders in the region North?"
INVOKE = f"""
import json, tablerag
from tablerag.graphs.tablerag import graph
answer = graph.invoke({{"question": {QUESTION!r}}})["answer"]
print(json.dumps({{"file": tablerag.__file__, "answer": answer}}))
"""
PROGRAM = """
from tablerag.tools.sandbox.process import Frame, run_program
print(run_program("answer = int(tables['df0']['a'].sum())", {"df0": Frame(("a",), ((2,), (3,)))}))
"""


def run(*command: object, cwd: Path, **environment: str) -> str:
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    words = [str(c) for c in command]
    done = subprocess.run(words, cwd=cwd, env=kept | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the tracked files, so that the working tree gets no build folder."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for room in ("src", *ROOMS):
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        if (ROOT / file).exists():
            shutil.copy(ROOT / file, source)
    options = ("--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check", "-q", "-w", built)
    run(sys.executable, "-m", "pip", "wheel", *options, ".", cwd=source)
    (file,) = built.glob("tablerag-*.whl")
    return file


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into a fresh environment that finds its dependencies where this interpreter does."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    # Paths in a .pth file are searched, but their own .pth files are not read: the editable install stays out.
    shared = [p for p in sys.path if Path(p).name == "site-packages"]
    (packages / "shared.pth").write_text("\n".join(shared), encoding="utf-8")
    options = ("--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check", "-q", "--ignore-installed")
    found = folder / "bin" / "python"
    run(found, "-m", "pip", "install", *options, wheel, cwd=folder)
    return found


@pytest.fixture(scope="module")
def project(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ingest a document, in processes of their own, inside a folder whose modules have the rooms' names."""
    folder = tmp_path_factory.mktemp("project")
    for name in (*(f"{room}/__init__.py" for room in ROOMS if room != "tools"), "tools.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("raise ImportError('this module is the user\\'s own')\n", encoding="utf-8")
    shutil.copy(ROOT / "examples" / "corpus" / "orders.csv", folder)
    shutil.copy(ROOT / "examples" / "corpus" / "growers.md", folder)
    said = run(python.parent / "tablerag", "ingest", "orders.csv", "growers.md", cwd=folder, TABLERAG_WORKERS="2")
    assert "2 added" in said
    return folder


def test_the_wheel_holds_the_package_alone(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {n.partition("/")[0].partition("-")[0] for n in names} == {"tablerag"}
    assert sum(".dist-info/" in n for n in names) >= 3


def test_the_wheel_holds_every_module_and_data_file(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    tracked = run("git", "ls-files", "src", *ROOMS, cwd=ROOT).split("\n")
    places = {"src": "tablerag"} | {room: f"tablerag/{room}" for room in ROOMS}
    wanted = {f"{places[room]}/{rest}" for room, _, rest in (t.partition("/") for t in tracked if t)}
    assert {w for w in wanted if w.endswith(".npz")} and {w for w in wanted if w.endswith(".html")}
    assert "tablerag/tools/sql/security_cases.sql" in wanted
    assert sorted(wanted - held) == []


def test_the_commands_answer_beside_modules_of_the_same_names(python: Path, project: Path) -> None:
    outcome = json.loads(run(python.parent / "tablerag", "ask", QUESTION, "--json", cwd=project))
    assert "2,150" in outcome["answer"]


def test_the_graph_answers_beside_modules_of_the_same_names(python: Path, project: Path) -> None:
    said = json.loads(run(python, "-c", INVOKE, cwd=project))
    assert Path(said["file"]).is_relative_to(python.parent.parent)
    assert "2,150" in said["answer"]


def test_a_program_runs_in_the_sandbox(python: Path, project: Path) -> None:
    pytest.importorskip("pandas")
    assert run(python, "-c", PROGRAM, cwd=project) == "['5']\n"

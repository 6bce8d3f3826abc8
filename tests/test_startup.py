"""What a command loads before it does anything: a command that needs no store, model or reader loads none."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.ingestion.readers.pdfs import drawn

STORES = {"chromadb", "tantivy", "tablerag.tools.embedding.static"}
MODELS = {"openai", "langchain_core", "langchain_openai", "langgraph", "langsmith"}
OCR = {"PIL", "cv2", "onnxruntime", "pypdfium2", "rapidocr"}
READERS = {"pdfplumber", "openpyxl", "docx", "lxml", "python_calamine"}
HEAVY = STORES | MODELS | READERS | {"mcp", "numpy", "mysql", "mysql.connector"}
BEYOND_HELP = HEAVY | {"pydantic", "sqlalchemy", "sqlglot", "rich.markdown", "tablerag.cli.eval", "tablerag.cli.heteqa"}
PROBE = """
import json, sys
sys.argv = ["tablerag", *sys.argv[1:]]
try:
    {statement}
finally:
    with open({listing!r}, "w") as file:
        json.dump(sorted(sys.modules), file)
"""
RUN = "import tablerag.cli.app; tablerag.cli.app.main()"


def loaded(folder: Path, statement: str, *arguments: str, home: Path | None = None) -> set[str]:
    """Return the modules that a fresh interpreter has loaded after a statement."""
    listing = folder / "modules.json"
    code = PROBE.format(statement=statement, listing=str(listing))
    # Typer would ask which shell called, and a test is called by none.
    own = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"} | ({"TABLERAG_HOME": str(home)} if home else {})
    environment = os.environ | own
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(listing.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("startup")
    (folder / "sales.csv").write_text("Region,Sales\nNorth,10\nSouth,20\n", encoding="utf-8")
    services = Services(Settings(home=folder / "home", workers=1))
    ingest([folder / "sales.csv"], services, "default")
    services.close()
    return folder / "home"


def test_importing_the_package_loads_nothing_heavy(tmp_path: Path) -> None:
    modules = loaded(tmp_path, "import tablerag")
    assert "tablerag" in modules
    assert sorted(modules & HEAVY) == []


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
def test_help_loads_the_command_line_only(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    modules = loaded(tmp_path, RUN, *arguments)
    assert "tablerag.cli.app" in modules
    assert sorted(modules & BEYOND_HELP) == []


@pytest.mark.parametrize(
    "arguments", [("ask", "--help"), ("eval", "--help"), ("mcp", "--help"), ("--show-completion", "bash")]
)
def test_a_commands_help_loads_nothing_heavy(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert sorted(loaded(tmp_path, RUN, *arguments) & HEAVY) == []


@pytest.mark.parametrize("arguments", [("tables",), ("describe", "sales")])
def test_the_catalog_is_read_without_indexes_models_and_parser(
    tmp_path: Path, home: Path, arguments: tuple[str, ...]
) -> None:
    modules = loaded(tmp_path, RUN, *arguments, home=home)
    assert "tablerag.tools.catalog" in modules
    assert sorted(modules & (HEAVY | {"sqlglot", "tablerag.ingestion"})) == []


def test_doctor_looks_into_the_stores_without_models_and_chromas_client(tmp_path: Path, home: Path) -> None:
    modules = loaded(tmp_path, RUN, "doctor", home=home)
    assert {"chromadb_rust_bindings", "tantivy", "tablerag.tools.embedding.static"} <= modules
    assert sorted(modules & (MODELS | READERS | {"chromadb", "duckdb", "tablerag.cli.views"})) == []


def test_a_statement_runs_without_indexes_and_models(tmp_path: Path, home: Path) -> None:
    modules = loaded(tmp_path, RUN, "sql", "SELECT SUM(sales) FROM sales", home=home)
    assert "sqlglot" in modules
    assert sorted(modules & HEAVY) == []


def test_an_embedded_answer_loads_no_model_client_and_no_reader(tmp_path: Path, home: Path) -> None:
    modules = loaded(tmp_path, RUN, "ask", "What is the total of the sales?", home=home)
    assert "langgraph" in modules
    assert sorted(modules & (READERS | {"openai", "langchain_openai", "mysql.connector"})) == []


def test_reading_a_pdf_with_text_loads_nothing_of_ocr(tmp_path: Path) -> None:
    with drawn(tmp_path / "words.pdf") as canvas:
        canvas.drawString(72, 700, "The first page has text of its own.")
        canvas.showPage()
        canvas.showPage()
    statement = "from pathlib import Path; from tablerag.ingestion.readers import *; read_document(Path('words.pdf'))"
    assert sorted(loaded(tmp_path, statement) & OCR) == []

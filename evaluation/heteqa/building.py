"""Builds HeteQA: chooses and ingests tables, composes questions, runs their programs, and logs what is kept."""

import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tablerag.evaluation.heteqa.bridging import linked_passages
from tablerag.evaluation.heteqa.build_report import REPORT, BuildReport, report_of
from tablerag.evaluation.heteqa.candidates import Subject, Trial
from tablerag.evaluation.heteqa.documents import write_passages, write_table
from tablerag.evaluation.heteqa.executing import Executor
from tablerag.evaluation.heteqa.records import QUESTIONS, REJECTED, HeteQuestion, TableRecord, write_lines
from tablerag.evaluation.heteqa.roles import find_roles
from tablerag.evaluation.heteqa.sources import Passage, Passages, load_passages, load_tables
from tablerag.evaluation.heteqa.tables import ChosenTable, choose_tables
from tablerag.evaluation.heteqa.words import domain_of
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import TableSchema
from tablerag.tools.sandbox.process import Sandbox
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

__all__ = ["CORPUS", "DOCUMENTS", "Composer", "build", "temporary_services"]

DOCUMENTS = "documents"
UNFINISHED = "unfinished"
"""Marks a folder whose build is in progress or was interrupted."""
CORPUS = "heteqa"
Composer = Callable[[Subject, Trial, int, Counter[str]], int]
"""Tries candidates for one table until enough are kept; the counter holds the kinds kept so far."""
Progress = Callable[[int, int, str], None]


def build(
    data: Path,
    out: Path,
    compose: Composer,
    *,
    composed_by: str,
    per_table: int = 4,
    most_tables: int | None = None,
    seed: int = 1,
    on_progress: Progress = lambda done, total, doing: None,
) -> BuildReport:
    """Build a benchmark in an empty folder, or restart an interrupted build.

    ``data`` is a folder in OTT-QA's layout. The tables are ingested into temporary stores; the folder keeps the
    documents, the questions, the rejected candidates and the report. Raises ConfigError if the folder already contains
    a benchmark or other documents, or the data does not fit.
    """
    if (out / QUESTIONS).exists():
        raise ConfigError(f"{out / QUESTIONS} already exists and may be annotated: choose another folder")
    started = time.monotonic()
    with Sandbox() as sandbox:
        on_progress(0, 0, "reading tables and passages")
        chosen = choose_tables(load_tables(data), seed=seed, most=most_tables)
        if not chosen:
            raise ConfigError(f"{data}: no single or joined table has at least 20 rows and 7 columns: use more tables")
        passages = load_passages(data)
        _begin(out)
        with temporary_services() as services:
            stored = _stored(chosen, out / DOCUMENTS, services, on_progress)
            trial = Trial(Executor(services, sandbox))
            linked, used = _composed(stored, passages, trial, compose, per_table, seed, on_progress)
    about = {"seed": seed, "composed_by": composed_by, "seconds": round(time.monotonic() - started, 1)}
    report = report_of(trial, tables=len(chosen), tables_used=used, passages=len(linked), **about)
    _write(out, trial, linked, report)
    return report


@contextmanager
def temporary_services() -> Iterator[Services]:
    """Open embedded stores in a temporary folder, which is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="tablerag-heteqa-") as folder:
        services = Services(Settings(home=Path(folder), database_url="", chroma_url="", _env_file=None))  # pyright: ignore[reportCallIssue]
        try:
            yield services
        finally:
            services.close()


def _begin(out: Path) -> None:
    """Remove the documents of an interrupted build; raise ConfigError for any others."""
    documents, unfinished = out / DOCUMENTS, out / UNFINISHED
    if documents.exists():
        if not unfinished.exists():
            raise ConfigError(f"{documents} already exists and is not from an interrupted build: choose another folder")
        shutil.rmtree(documents)
    out.mkdir(parents=True, exist_ok=True)
    unfinished.touch()


def _stored(
    chosen: Sequence[ChosenTable], folder: Path, services: Services, on_progress: Progress
) -> list[tuple[ChosenTable, str, TableSchema]]:
    """Write the tables as documents and ingest them; return each table with its source and schema."""
    sources = [write_table(table, folder, number) for number, table in enumerate(chosen)]
    report = ingest(
        [folder], services, CORPUS, on_progress=lambda p: on_progress(p.done, p.total, f"ingesting {p.source}")
    )
    schemas = {e.source: e.schemas[0] for e in report.entries if len(e.schemas) == 1}
    return [
        (table, source, schemas[source]) for table, source in zip(chosen, sources, strict=True) if source in schemas
    ]


def _composed(
    stored: Sequence[tuple[ChosenTable, str, TableSchema]],
    passages: Passages,
    trial: Trial,
    compose: Composer,
    per_table: int,
    seed: int,
    on_progress: Progress,
) -> tuple[dict[str, Passage], int]:
    """Compose for each table; return the passages linked to tables with questions, and the number of these tables."""
    linked: dict[str, Passage] = {}
    kinds: Counter[str] = Counter()
    used = 0
    for done, (table, source, schema) in enumerate(stored):
        on_progress(done, len(stored), f"composing over {source}")
        cells = trial.executor.load(schema)
        roles = find_roles(schema, cells)
        subject = Subject(
            table,
            TableRecord(source=source, title=table.title, sql_name=schema.name, parts=table.parts),
            schema,
            cells,
            roles,
            domain_of(table.title, table.header),
            linked_passages(roles, table.title, passages),
            random.Random(f"{seed} {source}"),
        )
        if compose(subject, trial, per_table, kinds):
            used += 1
            linked |= {p.title: p for p in subject.linked.values()}
    return linked, used


def _write(out: Path, trial: Trial, linked: dict[str, Passage], report: BuildReport) -> None:
    """Write all files, the questions last: their file marks a complete build."""
    sources = write_passages({**linked, **trial.passages}.values(), out / DOCUMENTS)
    write_lines(out / REJECTED, trial.rejected)
    (out / REPORT).write_text(report.model_dump_json(indent=1) + "\n", encoding="utf-8")
    write_lines(out / QUESTIONS, [_with_sources(q, sources) for q in trial.kept])
    (out / UNFINISHED).unlink()


def _with_sources(question: HeteQuestion, sources: dict[str, str]) -> HeteQuestion:
    if question.bridge is None:
        return question
    source = sources[question.bridge.title]
    return question.model_copy(
        update={"passages": (source,), "bridge": question.bridge.model_copy(update={"passage": source})}
    )

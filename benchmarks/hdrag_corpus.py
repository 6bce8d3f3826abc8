"""TAT-QA's reports as one corpus with summaries, for the measurements of HD-RAG."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tablerag.evaluation.datasets.tatqa import TatQaQuestion, TatQaReport, load_tatqa, write_files
from tablerag.ingestion.pipeline import ingest
from tablerag.ingestion.summaries import index_summaries, pending, summaries_of_document
from tablerag.tools.errors import TableRagError
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.summary_corpora import SummaryLevel

__all__ = ["CORPUS", "asked_of", "prepared"]

CORPUS = "tatqa"


@contextmanager
def prepared(
    data: Path, levels: Sequence[SummaryLevel], settings: Settings | None = None
) -> Iterator[tuple[Services, dict[str, TatQaReport]]]:
    """Ingest all reports with template summaries of their tables; yield the stores and the reports by source."""
    with TemporaryDirectory() as folder:
        reports = write_files(load_tatqa(data / "tatqa"), Path(folder) / "files")
        services = Services((settings or Settings()).model_copy(update={"home": Path(folder) / "home"}))
        report = ingest([Path(folder) / "files"], services, CORPUS)
        lost = [e for e in report.entries if e.status != "added"]
        if lost:
            raise TableRagError(f"{len(lost)} reports failed, the first: {lost[0].source}: {lost[0].error}")
        for level in levels:
            documents = pending(services, CORPUS, level)
            tables = [t for d in documents for t in summaries_of_document(services, d, level)]
            index_summaries(services, CORPUS, level, documents, tables)
        yield services, reports
        services.close()


def asked_of(reports: dict[str, TatQaReport]) -> list[tuple[TatQaQuestion, str]]:
    """Return all questions, each with the source of its report."""
    return [(q, source) for source, report in reports.items() for q in report.questions]

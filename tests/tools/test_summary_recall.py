"""TableRAG finds tables by their H-RCL summaries too, when asked to, and shows their rows."""

from pathlib import Path

import pytest

from tablerag.agent.context import Context
from tablerag.graphs.deployment import Deployment
from tablerag.ingestion.pipeline import ingest
from tablerag.ingestion.summaries import index_summaries, pending, refine, summaries_of_document
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services


@pytest.fixture
def corpus(tmp_path: Path, services: Services) -> Services:
    (tmp_path / "stock.csv").write_text("Depot,Crates\nNorth,10\nSouth,20\n", encoding="utf-8")
    for i in range(4):
        (tmp_path / f"other{i}.csv").write_text(f"Name{i},Age\nAda,36\nBo,41\n", encoding="utf-8")
    ingest([tmp_path], services, "default")
    return services


def test_a_summary_leads_to_its_tables_rows(corpus: Services) -> None:
    documents = pending(corpus, "default", "hrcl")
    tables = [t for d in documents for t in summaries_of_document(corpus, d, "hrcl")]

    def ask(prompt: str) -> str:
        count = prompt.count(": row with") + prompt.count(": column with")
        said = (
            "Marmalade in North, South: crates by depot" if "stock.csv" in prompt else "The age of Ada or Bo, by name"
        )
        return '{"summaries": [' + ", ".join(f'"{said}."' for i in range(count)) + "]}"

    tables, _ = refine(corpus, tables, "m", ask)
    index_summaries(corpus, "default", "hrcl", documents, tables)
    tools = Deployment(corpus)
    context = Context(top_k=1, recall_n=2, summaries=True)
    chunks, schemas = tools.search("marmalade", context)
    assert [(c.kind, c.source) for c in chunks] == [("table", "stock.csv")] and "| North | 10 |" in chunks[0].text
    assert schemas[0].source == "stock.csv"
    assert tools.overview("marmalade", context)[1][0].source == "stock.csv"
    plain = Deployment(corpus).search("marmalade", Context(top_k=1, recall_n=2))[0]
    assert "stock.csv" not in [c.source for c in plain]


def test_without_summaries_it_is_said(corpus: Services) -> None:
    with pytest.raises(ConfigError, match="has no hrcl summaries: run"):
        Deployment(corpus).search("marmalade", Context(summaries=True))

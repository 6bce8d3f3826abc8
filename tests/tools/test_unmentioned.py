"""Which words of a question no table mentions."""

from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.unmentioned import unmentioned


@pytest.fixture
def filled(services: Services, tmp_path: Path) -> Services:
    (tmp_path / "shipments.csv").write_text("Carrier,Cost (EUR)\nDHL,100\nPost Nord,50\n")
    (tmp_path / "notes.md").write_text("# Notes\n\nThe phone number of the office is 555.\n")
    rows = "".join(f"code{i},{i}\n" for i in range(1500))
    (tmp_path / "codes.csv").write_text(f"Code,Place\n{rows}Zanzibar,9\n")
    ingest([tmp_path], services, "default")
    return services


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What did shipments with DHL cost in total?", []),
        ("How much did we ship with Post Nord in March 2025?", []),
        ("What is the phone number of the office?", ["phone number", "office"]),
        ("Who painted the Mona Lisa?", ["painted", "Mona Lisa"]),
        ("What is the place of Zanzibar?", []),
        ("?", []),
    ],
)
def test_words_in_no_title_header_or_cell_are_found(filled: Services, question: str, missing: list[str]) -> None:
    assert unmentioned(filled, "default", question) == missing


def test_an_empty_corpus_mentions_nothing(services: Services) -> None:
    assert unmentioned(services, "default", "What is the total cost?") == ["cost"]

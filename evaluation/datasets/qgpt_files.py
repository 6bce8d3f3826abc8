"""Where QGpT's repository (arXiv 2508.06168) keeps each corpus and its questions.

A file may also lie in the folder itself, under its own name. In the release, the folders of the English and the
Chinese MiMoTable have each other's full tables and first ten rows: both are candidates, and the one counts that has
the questions' tables.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = ["DECOMPOSERS", "MIMO_KINDS", "RELEASED", "Released", "present"]

LENGTHS = {"1k": "1k_token", "2k": "2k_token", "5k": "5k_token", "full": "Full-Table(8k)", "top10": "top10_rows"}
"""Table 1's kinds: how much of each table the texts have."""
REPRESENTATIONS = ("header_only", "desc_only", "pT", "pT&header", "pT&desc", "QG_only", "QGpT")
"""Table 3's kinds: what the texts show of each table."""
MIMO_KINDS = (*LENGTHS, *REPRESENTATIONS)
DECOMPOSERS = {"gpt4o": "gpt4o", "gpt4o-mini": "gpt4o_mini", "llama": "llama"}
"""The models that Table 6's questions were decomposed by, and what their files are called by."""


class Released(NamedTuple):
    """The files of one corpus, relative to the repository; of several the first one that is there counts."""

    questions: tuple[str, ...]
    texts: Mapping[str, tuple[str, ...]]
    """By kind, such as pT and QGpT."""
    parts: Mapping[str, str] = {}
    """The questions' decompositions, by model."""
    absent: frozenset[str] = frozenset()
    """Tables that questions ask for although no released corpus has them."""


def _lengths(own: str, other: str) -> dict[str, tuple[str, ...]]:
    folder = "Corpora/Table1_mimo_table_length_variation"
    return {k: tuple(f"{folder}/{language}/{f}.json" for language in (own, other)) for k, f in LENGTHS.items()}


def _single(name: str) -> dict[str, tuple[str, ...]]:
    folder = "Corpora/Table5_Single_Table_Retrieval"
    return {kind: (f"{folder}/{kind}/{name}_{kind}.json",) for kind in ("pT", "QGpT")}


def _multiple(name: str, count: int) -> Released:
    folder = f"Corpora/Table6_Multi_Table_Retrieval/{count}_tables"
    return Released(
        (f"{name}_questions.json", f"test_dataset/MMQA-{count}tables_test.json"),
        {kind: (f"{folder}/corpus/{name}_{kind}.json",) for kind in ("pT", "QGpT")},
        {
            model: f"{folder}/query_decomposition/{file}_subquestions_processed_{count}table.json"
            for model, file in DECOMPOSERS.items()
        },
    )


RELEASED = {
    "MiMoTable": Released(
        ("MiMoTable_questions.json", "test_dataset/MiMoTable-English_test.json"),
        {kind: (f"Corpora/Table3_mimo_en_table_representation/{kind}.json",) for kind in REPRESENTATIONS}
        | _single("MiMoTable")
        | _lengths("mimo_en", "mimo_ch"),
    ),
    "MiMoTable-Chinese": Released(
        ("MiMoTable-Chinese_questions.json", "test_dataset/MiMoTable-Chinese_test.json"),
        _lengths("mimo_ch", "mimo_en"),
        absent=frozenset({"./spreadsheet/收支记账表（自动公式）1.xlsx"}),
    ),
    "OTTQA": Released(("OTTQA_questions.json", "OTTQA_test.json", "test_dataset/OTT-QA_test.json"), _single("OTTQA")),
    "FetaQA": Released(("FetaQA_questions.json", "test_dataset/FetaQA_test.json"), _single("FetaQA")),
    "E2EWTQ": Released(("E2EWTQ_questions.json", "test_dataset/E2E-WTQ_test.json"), _single("E2EWTQ")),
    "MMQA_2table": _multiple("MMQA_2table", 2),
    "MMQA_3table": _multiple("MMQA_3table", 3),
}


def present(folder: Path, names: tuple[str, ...]) -> list[Path]:
    """Return the files of these names that are there, below the folder or in it; if none is, the first one's path."""
    paths = [folder / below for name in names for below in dict.fromkeys((name, Path(name).name))]
    return [p for p in paths if p.is_file()] or paths[:1]

"""HD-RAG (arXiv 2504.09554, version 3: Mixture-of-RAG, MixRAG): its tables and figures.

The published values were read in accounts of the paper, not in the paper itself; what these do not give is empty.
"""

from tablerag.evaluation.papers.paper import MAIN, Cell, Figure, Paper
from tablerag.evaluation.trial import Trial

__all__ = ["PAPER"]

GPT_4O, MINI = "GPT-4o", "GPT-4o mini"
DATA = (
    "DocRAGLib itself is not used: `tablerag docraglib build` makes a corpus like it from the same sets, without the "
    "web pages around HiTab's tables."
)
SECONDARY = "Published values are from accounts of the paper; empty ones were not found."
WITHOUT_SELECTION = "Rows of documents found without a model are before selection; the paper's are after it."
EMBEDDING = "Ours searches with the embedded embedding of 15 MB; the paper's is text-embedding-3-large."
DEPTHS = (1, 3, 5, 10)
OURS = {1: 54.10, 3: 72.44, 5: 76.03, 10: 86.89}
"""Hit@k of HD-RAG after selection by GPT-4o."""


def library(system: str, *, closed: bool = False, variant: str = "") -> Trial:
    """Return a trial over the test split of the corpus."""
    return Trial("docraglib", split="test", system=system, closed=closed, variant=variant)


def found(row: str, system: str, published: dict[int, float] | None = None) -> list[Cell]:
    """Return the cells of a row whose documents are found without a model."""
    known = published or {}
    return [
        Cell(row, f"Hit@{k}", library(system), f"hit@{k}", published={"": known[k]} if k in known else {})
        for k in DEPTHS
    ]


def selected(row: str, system: str, finder: str, published: dict[int, float] | None = None) -> list[Cell]:
    """Return the cells of a row whose document a model selects from five; beyond five, selection changes nothing."""
    known = published or {}
    return [
        Cell(
            row,
            f"Hit@{k}",
            library(system if k < DEPTHS[-1] else finder),
            f"selected@{k}" if k < DEPTHS[-1] else f"hit@{k}",
            published={GPT_4O: known[k]} if k in known else {},
        )
        for k in DEPTHS
    ]


def absent(row: str, why: str, published: dict[int, float] | None = None) -> list[Cell]:
    """Return the cells of a row that nothing here measures."""
    known = published or {}
    return [Cell(row, f"Hit@{k}", published={"": known[k]} if k in known else {}, why=why) for k in DEPTHS]


MAIN_RESULTS = Figure(
    name="table-1",
    title="Finding the document in the whole corpus, and answering from it",
    cells=(
        *found("standard RAG", "documents_chunks", {1: 1.59}),
        *found("table retrieval", "documents_tables", {1: 37.05}),
        *absent("LangChain", "LangChain's own pipeline is not rebuilt here", {1: 23.90}),
        *absent("RAG-Critic", "its critic is a trained model"),
        *found("HD-RAG before selection", "documents_hrcl"),
        *selected("HD-RAG", "hd_rag", "documents_hrcl", OURS),
        Cell("standard RAG", "exact match", library("naive_rag")),
        Cell("table retrieval", "exact match", library("table_retrieval")),
        Cell("Self-RAG", "Hit@1", library("self_rag"), "hit@1"),
        Cell("Self-RAG", "exact match", library("self_rag")),
        Cell("HD-RAG", "exact match", library("hd_rag")),
    ),
    ours="HD-RAG",
    notes=(
        DATA,
        SECONDARY,
        EMBEDDING,
        "The paper's standard RAG indexes text chunks that cut tables; ours keeps a table's header with its rows.",
        "Self-RAG is asked by prompt; its trained weights are not used.",
    ),
)

STRATEGIES = Figure(
    name="table-2",
    title="Strategies of reasoning, given the question's document",
    cells=(
        Cell("direct", "exact match", library("document_direct", closed=True)),
        Cell("CoT", "exact match", library("document_cot", closed=True), published={GPT_4O: 46.87}),
        Cell("EEDP", "exact match", library("document_eedp", closed=True)),
        Cell("PoT", "exact match", library("document_pot", closed=True), published={GPT_4O: 61.90}),
        Cell("RECAP", "exact match", library("hd_rag", closed=True), published={GPT_4O: 64.66, MINI: 58.15}),
        Cell("RECAP without calculator", "exact match", library("hd_rag_no_calculator", closed=True)),
    ),
    ours="RECAP",
    notes=(DATA, SECONDARY, "The row without calculator is ours."),
)

LEVELS = {"table-level": "table", "RCL": "rcl", "H-RCL": "hrcl"}
SYSTEMS = {"table": "hd_rag_table", "rcl": "hd_rag_rcl", "hrcl": "hd_rag"}
PUBLISHED = {"table": {1: 36.27}, "hrcl": OURS}
SUMMARIES = Figure(
    name="table-4",
    title="Ablation: summaries of tables",
    cells=(
        *(
            cell
            for name, level in LEVELS.items()
            for cell in (
                *found(f"{name}, before selection", f"documents_{level}"),
                *selected(name, SYSTEMS[level], f"documents_{level}", PUBLISHED.get(level)),
                Cell(name, "exact match", library(SYSTEMS[level])),
            )
        ),
    ),
    ours="H-RCL",
    notes=(DATA, SECONDARY, EMBEDDING, "Summaries are written by template here; in the paper a model writes them."),
)

SIZES = (100, 250, 500, 1000, 2000)
FINDERS = {"standard RAG": "documents_chunks", "table retrieval": "documents_tables", "HD-RAG": "documents_hrcl"}
CURVE = Figure(
    name="figure-4",
    title="Hit@1 over the size of the corpus",
    cells=tuple(
        Cell(row, str(size), library(system, variant=f"documents-{size}"), "hit@1")
        for row, system in FINDERS.items()
        for size in SIZES
    ),
    ours="HD-RAG",
    curve="documents",
    notes=(
        DATA,
        WITHOUT_SELECTION,
        "The questions are those of the first 100 documents at every size. The paper's values were not found.",
    ),
)

OPERATORS = Figure(
    name="operators",
    title="Answers by operation, given the question's document",
    cells=tuple(
        Cell(row, "exact match", library(system, closed=True), MAIN, by="operators")
        for row, system in (("RECAP", "hd_rag"), ("PoT", "document_pot"), ("CoT", "document_cot"))
    ),
    ours="RECAP",
    notes=(DATA, "The paper's values by operation were not found."),
)

SETS = Figure(
    name="sets",
    title="Finding the document in each public set alone",
    cells=tuple(
        Cell(row, f"{benchmark}, Hit@{k}", Trial(benchmark, system=system), f"hit@{k}")
        for benchmark in ("tatqa", "hitab", "multihiertt")
        for row, system in (
            ("table-level", "documents_table"),
            ("RCL", "documents_rcl"),
            ("H-RCL", "documents_hrcl"),
            ("BM25 alone", "documents_bm25"),
            ("dense alone", "documents_dense"),
        )
        for k in DEPTHS
    ),
    ours="H-RCL",
    notes=("Not in the paper: the same searches on sets that need no build.", WITHOUT_SELECTION),
)

CORPUS = Figure(
    name="dataset",
    title="DocRAGLib: 2,178 documents, 4,468 questions (2,990 train, 502 dev, 976 test)",
    cells=(),
    impossible="it counts the authors' corpus; the manifest of `tablerag docraglib build` counts ours",
)

PAPER = Paper(
    name="hd_rag",
    title="HD-RAG: Retrieval-Augmented Generation for Hybrid Documents Containing Text and Hierarchical Tables",
    arxiv="2504.09554",
    figures=(
        CORPUS,
        MAIN_RESULTS,
        STRATEGIES,
        Figure("table-3", "Not known", (), impossible="its content could not be found"),
        SUMMARIES,
        CURVE,
        OPERATORS,
        SETS,
    ),
)

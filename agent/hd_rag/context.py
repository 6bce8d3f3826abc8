"""Per-run settings of HD-RAG; Studio draws its form from this."""

from pydantic import Field

from tablerag.agent.run_context import RunContext
from tablerag.tools.summary_corpora import SummaryLevel

__all__ = ["HdRagContext"]


class HdRagContext(RunContext):
    """Settings of one run of HD-RAG."""

    corpus: str = Field(
        "", title="Corpus", description="Which set of documents to ask; empty: the deployment's default"
    )
    model: str = Field("", title="Reasoner", description="openai:NAME or offline; empty: the deployment's default")
    level: SummaryLevel = Field(
        "hrcl", title="Summaries", description="Which summaries the dense side searches: hrcl, rcl or table"
    )
    lexical_n: int = Field(50, ge=1, le=500, title="BM25 chunks", description="n: chunks recalled by BM25")
    dense_m: int = Field(50, ge=1, le=500, title="Dense chunks", description="m: chunks recalled by the embedding")
    documents_k: int = Field(5, ge=1, le=20, title="Documents", description="K: documents to choose one from")
    theta: int = Field(
        12, ge=1, le=100, title="Chunks of a document", description="Theta: chunks that a candidate is shown by"
    )
    select_tokens: int = Field(
        6000, ge=200, le=100_000, title="Tokens to choose", description="All candidates together"
    )
    document_tokens: int = Field(
        8000, ge=200, le=100_000, title="Tokens to answer", description="Of the chosen document"
    )
    calculator: bool = Field(True, title="Calculator", description="Compute the formula instead of the reasoner")

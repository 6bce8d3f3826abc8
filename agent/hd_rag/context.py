"""Settings of an HD-RAG run; LangGraph Studio builds its form from them."""

from pydantic import Field

from tablerag.agent.run_context import RunContext
from tablerag.tools.summary_corpora import SummaryLevel

__all__ = ["HdRagContext"]


class HdRagContext(RunContext):
    """Settings of an HD-RAG run."""

    corpus: str = Field(default="", title="Corpus", description="Documents to ask; empty for the deployment's default")
    model: str = Field(
        default="",
        title="Reasoner",
        description="PROVIDER:NAME, gguf:PATH or offline; empty for the deployment's default",
    )
    level: SummaryLevel = Field(
        default="hrcl", title="Summaries", description="Summaries for the dense search: hrcl, rcl or table"
    )
    lexical_n: int = Field(default=50, ge=1, le=500, title="BM25 chunks", description="n: chunks to recall by BM25")
    dense_m: int = Field(default=50, ge=1, le=500, title="Dense chunks", description="m: chunks to recall by embedding")
    documents_k: int = Field(default=5, ge=1, le=20, title="Documents", description="K: documents to select from")
    theta: int = Field(
        default=12, ge=1, le=100, title="Chunks per document", description="Theta: chunks shown of each candidate"
    )
    select_tokens: int = Field(
        default=6000, ge=200, le=100_000, title="Selection tokens", description="Limit for all candidates together"
    )
    document_tokens: int = Field(
        default=8000, ge=200, le=100_000, title="Answer tokens", description="Limit for the selected document"
    )
    calculator: bool = Field(default=True, title="Calculator", description="Compute the formula with the calculator")

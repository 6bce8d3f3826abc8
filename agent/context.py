"""Settings of one run; Studio builds its form from them."""

from typing import Any

from pydantic import Field

from tablerag.agent.run_context import RunContext

__all__ = ["Context"]


def _shown_at(*nodes: str) -> dict[str, Any]:
    """Return schema metadata with the nodes beside which Studio shows a field."""
    return {"langgraph_nodes": list(nodes)}


class Context(RunContext):
    """Settings of one run of TableRAG; every field has a default."""

    corpus: str = Field(
        default="",
        title="Corpus",
        description="Which set of documents to ask; empty: the deployment's default",
        json_schema_extra=_shown_at("understand", "decompose", "retrieve"),
    )
    model: str = Field(
        default="",
        title="Reasoner",
        description="PROVIDER:NAME, gguf:PATH or offline; empty: the deployment's default",
        json_schema_extra=_shown_at("understand", "decompose", "nl2sql", "cross_validate", "finish"),
    )
    max_iterations: int = Field(
        default=5,
        ge=1,
        le=5,
        title="Iterations",
        description="Limit of subqueries per question (TableRAG, section 4.1)",
        json_schema_extra=_shown_at("cross_validate"),
    )
    max_sql_repairs: int = Field(
        default=2,
        ge=0,
        le=2,
        title="SQL repairs",
        description="How often a refused or failed statement is rewritten, per subquery",
        json_schema_extra=_shown_at("execute"),
    )
    sql_candidates: int = Field(
        default=1,
        ge=1,
        le=5,
        title="SQL candidates",
        description="Statements written for each subquery; the commonest result is used",
        json_schema_extra=_shown_at("nl2sql"),
    )
    max_tokens_per_question: int = Field(
        default=30_000,
        ge=0,
        le=10_000_000,
        title="Tokens",
        description="Tokens that a question's model calls may cost, read and written; 0: no limit",
        json_schema_extra=_shown_at("decompose", "nl2sql", "cross_validate", "finish"),
    )
    schema_only: bool = Field(
        default=False,
        title="Names and types only",
        description="Show the model names and types of tables and columns only: no value and no text of a document",
        json_schema_extra=_shown_at("nl2sql"),
    )
    approve_sql: bool = Field(
        default=False,
        title="Approve SQL",
        description="Pause before every statement until a person approves, edits or rejects it",
        json_schema_extra=_shown_at("approve"),
    )
    pause_to_ask: bool = Field(
        default=False,
        title="Pause to ask",
        description="Pause a run whose question cannot be answered without asking back; off: the answer asks back",
        json_schema_extra=_shown_at("ask_back"),
    )
    confirm_answers: bool = Field(
        default=False,
        title="Confirm answers",
        description="Pause after an answer from tables until a person confirms it, corrects its SQL or passes on it",
        json_schema_extra=_shown_at("confirm"),
    )
    recall_n: int = Field(
        default=30,
        ge=1,
        le=200,
        title="Recalled chunks",
        description="N: chunks recalled before reranking",
        json_schema_extra=_shown_at("retrieve"),
    )
    top_k: int = Field(
        default=3,
        ge=1,
        le=20,
        title="Kept chunks",
        description="k: chunks kept after reranking",
        json_schema_extra=_shown_at("retrieve"),
    )
    context_sensitive: bool = Field(
        default=True,
        title="Context-sensitive decomposition",
        description="Show the reasoner what the question itself retrieves before it decomposes; off: an ablation",
        json_schema_extra=_shown_at("decompose"),
    )
    sql_execution: bool = Field(
        default=True,
        title="SQL execution",
        description="Compute by SQL over whole tables; off: tables are read as Markdown chunks, an ablation",
        json_schema_extra=_shown_at("retrieve"),
    )
    text_retrieval: bool = Field(
        default=True,
        title="Text retrieval",
        description="Retrieve passages beside tables; off: tables alone, an ablation",
        json_schema_extra=_shown_at("decompose", "retrieve"),
    )
    summaries: bool = Field(
        default=False,
        title="Summaries",
        description="Find tables by HD-RAG's H-RCL summaries too (made by `tablerag ingest --summaries hrcl`)",
        json_schema_extra=_shown_at("retrieve"),
    )

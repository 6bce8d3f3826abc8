"""Answers questions about folders of documents: numbers by SQL over whole tables, checked and cited.

    >>> from tablerag import TableRAG
    >>> rag = TableRAG("reports.tablerag")
    >>> print(rag.ask("How many orders were placed by Bar Aurora?"))
    15

Importing this package loads none of its modules: each is imported at the first use of one of its names.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablerag.agent.context import Context
    from tablerag.agent.events import (
        Conflict,
        EvidenceEvent,
        ReadingsEvent,
        RetryEvent,
        RowsEvent,
        SqlErrorEvent,
        SqlEvent,
        SubqueryEvent,
        TurnEvent,
        VerdictEvent,
    )
    from tablerag.agent.ports import Tools
    from tablerag.agent.reasoning import Usage
    from tablerag.answer import Answer, AnswerEvent, Reading, Step
    from tablerag.asking import ApprovalRequest
    from tablerag.async_client import AsyncTableRAG
    from tablerag.client import TableRAG
    from tablerag.graphs.tablerag import build_graph, graph
    from tablerag.ingestion.pipeline import Entry, IngestReport, Progress
    from tablerag.retriever import TableRAGRetriever
    from tablerag.tools.errors import (
        AccessDenied,
        ConfigError,
        ModelUnavailable,
        ReplyInvalid,
        SqlFailed,
        SqlRejected,
        StoreUnavailable,
        TableRagError,
    )
    from tablerag.tools.records import Citation, Column, Receipt, SqlResult, SupportingRows, TableSchema
    from tablerag.tools.sql.receipts import Verified

NAMES = {
    "agent.context": "Context",
    "agent.events": "Conflict EvidenceEvent ReadingsEvent RetryEvent RowsEvent SqlErrorEvent SqlEvent SubqueryEvent "
    "TurnEvent VerdictEvent",
    "agent.ports": "Tools",
    "agent.reasoning": "Usage",
    "answer": "Answer AnswerEvent Reading Step",
    "asking": "ApprovalRequest",
    "async_client": "AsyncTableRAG",
    "client": "TableRAG",
    "graphs.tablerag": "build_graph graph",
    "ingestion.pipeline": "Entry IngestReport Progress",
    "retriever": "TableRAGRetriever",
    "tools.errors": "AccessDenied ConfigError ModelUnavailable ReplyInvalid SqlFailed "
    "SqlRejected StoreUnavailable TableRagError",
    "tools.records": "Citation Column Receipt SqlResult SupportingRows TableSchema",
    "tools.sql.receipts": "Verified",
}
MODULES = {name: module for module, names in NAMES.items() for name in names.split()}
"""The module of each public name; a test compares them with the imports above and ``__all__``."""

__all__ = [
    "AccessDenied",
    "Answer",
    "AnswerEvent",
    "ApprovalRequest",
    "AsyncTableRAG",
    "Citation",
    "Column",
    "ConfigError",
    "Conflict",
    "Context",
    "Entry",
    "EvidenceEvent",
    "IngestReport",
    "ModelUnavailable",
    "Progress",
    "Reading",
    "ReadingsEvent",
    "Receipt",
    "ReplyInvalid",
    "RetryEvent",
    "RowsEvent",
    "SqlErrorEvent",
    "SqlEvent",
    "SqlFailed",
    "SqlRejected",
    "SqlResult",
    "Step",
    "StoreUnavailable",
    "SubqueryEvent",
    "SupportingRows",
    "TableRAG",
    "TableRAGRetriever",
    "TableRagError",
    "TableSchema",
    "Tools",
    "TurnEvent",
    "Usage",
    "VerdictEvent",
    "Verified",
    "build_graph",
    "graph",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tablerag")
    module = MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'tablerag' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"tablerag.{module}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

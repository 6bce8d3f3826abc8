"""What of a document is put to the reasoner."""

from tablerag.agent.hd_rag.reasoning import RecapTask
from tablerag.agent.hd_rag.rendering import passages_of
from tablerag.tools.whole_documents import WholeDocument

__all__ = ["task_over"]


def task_over(question: str, document: WholeDocument) -> RecapTask:
    """Return the task of answering a question from a document read whole."""
    return RecapTask(question, document.tables, passages_of(document))

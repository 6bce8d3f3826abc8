"""Custom stream events of an HD-RAG run: dicts with a ``type`` and a ``text`` that shows them in one line."""

from collections.abc import Mapping, Sequence
from typing import Any

from tablerag.tools.document_search import FoundDocument

__all__ = ["answer", "document", "documents", "recap", "turn"]

Event = dict[str, Any]
TEXT_CHARS = 300


def turn(question: str, corpus: str, model: str) -> Event:
    """A turn starts; ``corpus`` is "" for the deployment's default."""
    about = {"question": question, "understood": question, "corpus": corpus, "model": model}
    return {"type": "turn", "text": ""} | about


def documents(found: Sequence[FoundDocument]) -> Event:
    """The candidates, numbered from 1, each with its nearest chunks."""
    shown = [
        {"number": number, "source": d.source, "score": round(d.score, 3)}
        | {"chunks": [c.text[:TEXT_CHARS] for c in d.chunks]}
        for number, d in enumerate(found, start=1)
    ]
    text = f"Found {', '.join(d.source for d in found) or 'no document'}"
    return {"type": "documents", "text": text, "documents": shown}


def document(source: str, reason: str) -> Event:
    """A candidate was selected."""
    return {"type": "document", "text": f"Chose {source}", "source": source, "reason": reason}


def recap(made: Mapping[str, Any]) -> Event:
    """The parts of the RECAP reply."""
    keys = ("restated", "question_type", "extracted", "computation", "answer", "scale", "formula")
    return {"type": "recap", "text": "Read the document"} | {key: made[key] for key in keys}


def answer(outcome: Mapping[str, Any]) -> Event:
    """The turn ends with an answer."""
    keys = ("answer", "answered_by", "calculated", "explanation")
    return {"type": "answer"} | {key: outcome[key] for key in keys}

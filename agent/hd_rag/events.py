"""What a run of HD-RAG tells while it works: custom stream events, plain dicts with a ``type``."""

from collections.abc import Mapping, Sequence
from typing import Any

from tablerag.tools.document_search import FoundDocument

__all__ = ["answer", "document", "documents", "recap", "turn"]

Event = dict[str, Any]
TEXT_CHARS = 300


def turn(question: str, corpus: str, model: str) -> Event:
    """A turn begins; ``corpus`` is "" for the deployment's own."""
    return {"type": "turn", "question": question, "understood": question, "corpus": corpus, "model": model}


def documents(found: Sequence[FoundDocument]) -> Event:
    """What was found: candidates, numbered from 1, each with its nearest chunks."""
    shown = [
        {"number": number, "source": d.source, "score": round(d.score, 3)}
        | {"chunks": [c.text[:TEXT_CHARS] for c in d.chunks]}
        for number, d in enumerate(found, start=1)
    ]
    return {"type": "documents", "documents": shown}


def document(source: str, reason: str) -> Event:
    """One candidate was chosen."""
    return {"type": "document", "source": source, "reason": reason}


def recap(made: Mapping[str, Any]) -> Event:
    """The five parts of the reply."""
    told = ("restated", "question_type", "extracted", "computation", "answer", "scale", "formula")
    return {"type": "recap"} | {key: made[key] for key in told}


def answer(outcome: Mapping[str, Any]) -> Event:
    """The turn ends."""
    told = ("answer", "answered_by", "calculated", "explanation")
    return {"type": "answer"} | {key: outcome[key] for key in told}

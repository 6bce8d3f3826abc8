"""Reranking with a server: any ``/rerank`` endpoint with the API of Cohere, Jina and vLLM, or of TEI."""

import math
from collections.abc import Sequence
from typing import Any

import httpx

from tablerag.tools.errors import ConfigError, ModelUnavailable
from tablerag.tools.records import Chunk
from tablerag.tools.reranking.reranker import candidates, selected
from tablerag.tools.settings import Settings

__all__ = ["EndpointReranker"]

TEXT_CHARS = 4000
"""Characters sent of each candidate: rerankers read a few hundred tokens and ignore the rest."""


class EndpointReranker:
    """Asks a cross-encoder over HTTP; the first request finds out which of the two APIs it has."""

    def __init__(self, settings: Settings) -> None:
        self._url = settings.reranker
        if httpx.URL(self._url).scheme not in ("http", "https"):
            raise ConfigError(
                f"invalid TABLERAG_RERANKER {self._url!r}: expected embedded, openai:NAME or the URL of a server"
            )
        self.name = self._url
        self._model = settings.reranker_model
        key = settings.reranker_api_key
        self._headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
        self._timeout_s = settings.reranker_timeout_s
        self._speaks_tei = False

    def rerank(self, query: str, chunks: Sequence[Chunk], k: int) -> list[Chunk]:
        """Return the best ``k`` chunks, scored 0 to 1; raise ModelUnavailable if the server does not answer."""
        competing = candidates(chunks)
        if not competing:
            return []
        texts = [f"{c[0].title}\n{c[0].text}"[:TEXT_CHARS] for c in competing]
        scores = _relative(self._scores(query, texts))
        return selected(list(zip(scores, competing, strict=True)), k)

    def _scores(self, query: str, texts: list[str]) -> list[float]:
        response = self._post(query, texts, tei=self._speaks_tei)
        if response.status_code in (400, 422) and not self._speaks_tei:
            # TEI calls the documents "texts" and answers that they are missing.
            retried = self._post(query, texts, tei=True)
            if retried.is_success:
                response, self._speaks_tei = retried, True
        if response.status_code in (401, 403):
            raise ModelUnavailable(f"reranker {self._url}: {response.status_code}: check TABLERAG_RERANKER_API_KEY")
        if not response.is_success:
            reason = " ".join(response.text.split())[:200]
            raise ModelUnavailable(f"reranker {self._url}: the server answered {response.status_code}: {reason}")
        return self._read(response, len(texts))

    def _post(self, query: str, texts: list[str], *, tei: bool) -> httpx.Response:
        body: dict[str, Any] = {"query": query, "documents": texts, "top_n": len(texts)}
        body |= {"model": self._model} if self._model else {}
        if tei:
            body = {"query": query, "texts": texts, "truncate": True}
        try:
            return httpx.post(self._url, json=body, headers=self._headers, timeout=self._timeout_s)
        except httpx.HTTPError as error:
            raise ModelUnavailable(
                f"reranker {self._url}: no answer ({type(error).__name__}): start it, fix TABLERAG_RERANKER, or set "
                "it to embedded"
            ) from error

    def _read(self, response: httpx.Response, count: int) -> list[float]:
        try:
            reply = response.json()
            results = reply["results"] if isinstance(reply, dict) else reply
            scores = {int(r["index"]): float(r.get("relevance_score", r.get("score"))) for r in results}
            if not scores or not set(scores) <= set(range(count)) or not all(map(math.isfinite, scores.values())):
                raise ValueError("indexes or scores out of range")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelUnavailable(
                f"reranker {self._url}: expected a list of index and score ({error}): is it a /rerank endpoint?"
            ) from error
        lowest = min(scores.values())
        return [scores.get(i, lowest) for i in range(count)]


def _relative(scores: Sequence[float]) -> list[float]:
    """Scale scores to 0 to 1 with the best at 1; servers send logits or probabilities."""
    best, lowest = max(scores), min(scores)
    if lowest < 0 or best > 1:
        return [math.exp(s - best) for s in scores]
    return [s / best if best else 0.0 for s in scores]

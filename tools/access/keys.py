"""The API key of a request, and the corpora that it may use."""

from collections.abc import Mapping

from tablerag.tools.access.api_keys import ANY_CORPUS
from tablerag.tools.settings import get_settings

__all__ = ["allowed_corpora", "key_in", "may_use"]


def key_in(headers: Mapping[str, str]) -> str:
    """Return the key that a request's headers carry: ``X-Api-Key``, else ``Authorization: Bearer``; "" for none."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return headers.get("x-api-key", "").strip() or (token.strip() if kind.lower() == "bearer" else "")


def allowed_corpora(key: str) -> frozenset[str]:
    """Return the corpora that a key may use, ``"*"`` among them for all; every one where the deployment has no keys."""
    keys = get_settings().api_keys
    return keys.corpora_of(keys.owner_of(key) or "") if keys else frozenset((ANY_CORPUS,))


def may_use(headers: Mapping[str, str], corpus: str) -> bool:
    """Say whether the request with these headers may use a corpus."""
    return not {ANY_CORPUS, corpus}.isdisjoint(allowed_corpora(key_in(headers)))

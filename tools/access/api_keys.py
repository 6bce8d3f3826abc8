"""API keys, and the corpora that each may use.

A key itself is never shown, stored or logged: where something must say whose it is, the key's owner name stands for it.
"""

import hashlib
import hmac
import json
from collections.abc import Collection, Mapping

__all__ = ["ANY_CORPUS", "ApiKeys"]

ANY_CORPUS = "*"
EXPECTED = 'expected a JSON object of keys and lists of corpora, e.g. {"a-long-secret": ["default"], "another": ["*"]}'
OWNER_DIGITS = 32


class ApiKeys:
    """A deployment's keys; false when there are none, and then nobody is asked for one."""

    def __init__(self, corpora_by_key: Mapping[str, Collection[str]] | None = None) -> None:
        given = corpora_by_key or {}
        self._owners = [(key.encode(), _owner_name(key)) for key in given]
        self._corpora = {_owner_name(key): frozenset(corpora) for key, corpora in given.items()}

    @classmethod
    def read(cls, given: "str | ApiKeys") -> "ApiKeys":
        """Read the keys from JSON text; "" is none. Raises ValueError, whose message holds no key."""
        if isinstance(given, ApiKeys):
            return given
        if not given.strip():
            return cls()
        try:
            parsed = json.loads(given, object_pairs_hook=_without_twins)
        except json.JSONDecodeError as error:
            raise ValueError(f"it is no JSON ({error.msg} at character {error.pos}): {EXPECTED}") from None
        if not isinstance(parsed, dict) or not parsed:
            raise ValueError(f"it is no object with keys in it: {EXPECTED}")
        for number, (key, corpora) in enumerate(parsed.items(), start=1):
            if not key or not key.isascii() or not key.isprintable() or " " in key:
                raise ValueError(f"key {number} cannot be sent in a header: use ASCII letters, digits and signs only")
            if not isinstance(corpora, list) or not corpora or not all(isinstance(c, str) and c for c in corpora):
                raise ValueError(f"key {number} has no list of corpora: {EXPECTED}")
        return cls(parsed)

    def __bool__(self) -> bool:
        return bool(self._owners)

    def __repr__(self) -> str:
        return f"ApiKeys({len(self._owners)})"

    def owner_of(self, key: str) -> str | None:
        """Return the owner name of a key, None for an unknown one; how long it takes tells nothing about the keys."""
        given = key.encode(errors="replace")
        found = None
        for known, owner in self._owners:
            if hmac.compare_digest(known, given):
                found = owner
        return found

    def corpora_of(self, owner: str) -> frozenset[str]:
        """Return the corpora that an owner may use, ANY_CORPUS among them for all; none for a name nobody has."""
        return self._corpora.get(owner, frozenset())

    def may_use(self, owner: str, corpus: str) -> bool:
        """Say whether an owner may use a corpus."""
        return not {ANY_CORPUS, corpus}.isdisjoint(self.corpora_of(owner))


def _owner_name(key: str) -> str:
    return f"key-{hashlib.sha256(key.encode()).hexdigest()[:OWNER_DIGITS]}"


def _without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"a key stands in it twice: name each once, with all of its corpora. {EXPECTED}")
    return found

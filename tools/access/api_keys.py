"""API keys and the corpora that each one may use.

A key is never shown, stored or logged. Its owner name, which is derived from its hash, identifies it instead.
"""

import hashlib
import hmac
import json
from collections.abc import Collection, Mapping

from tablerag.tools.access.rights import FULL, Rights, read_rights
from tablerag.tools.errors import AccessDenied

__all__ = ["ApiKeys", "key_in"]

ANY_CORPUS = "*"
EXPECTED = 'expected a JSON object of keys and lists of corpora, e.g. {"a-long-secret": ["default"], "another": ["*"]}'
RIGHTS = 'or rights, e.g. {"corpora": ["default"], "hidden": {"staff": ["salary"]}}'
OWNER_DIGITS = 32
SHOWN_CHARS = 100


class ApiKeys:
    """A deployment's keys. False if there are none: then every caller may use every corpus."""

    def __init__(
        self,
        corpora_by_key: Mapping[str, Collection[str]] | None = None,
        rights: Mapping[str, Rights] | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        given = corpora_by_key or {}
        self._names = {_owner_name(key): name for key, name in (names or {}).items()}
        self._rights = {_owner_name(key): of_key for key, of_key in (rights or {}).items()}
        self._owners = [(key.encode(), _owner_name(key)) for key in given]
        self._corpora = {_owner_name(key): frozenset(corpora) for key, corpora in given.items()}

    @classmethod
    def read(cls, given: "str | ApiKeys") -> "ApiKeys":
        """Parse JSON text; "" means no keys. Raises ValueError with a message that contains no key."""
        if isinstance(given, ApiKeys):
            return given
        if not given.strip():
            return cls()
        try:
            parsed = json.loads(given, object_pairs_hook=_unique)
        except json.JSONDecodeError as error:
            raise ValueError(f"invalid JSON ({error.msg} at character {error.pos}): {EXPECTED}") from None
        if not isinstance(parsed, dict) or not parsed:
            raise ValueError(f"must be a non-empty object: {EXPECTED}")
        rights: dict[str, Rights] = {}
        names: dict[str, str] = {}
        for number, (key, corpora) in enumerate([*parsed.items()], start=1):
            if not key or not key.isascii() or not key.isprintable() or " " in key:
                raise ValueError(f"key {number} cannot be sent in a header: use printable ASCII without spaces")
            if isinstance(corpora, dict):
                try:
                    rights[key] = read_rights(corpora)
                except ValueError as error:
                    raise ValueError(f"key {number} {error}") from None
                names[key] = str(corpora.get("name", "")).strip()
                parsed[key] = corpora = corpora.get("corpora")
            if not isinstance(corpora, list) or not corpora or not all(isinstance(c, str) and c for c in corpora):
                raise ValueError(f"key {number} has no list of corpora: {EXPECTED}, {RIGHTS}")
        return cls(parsed, rights, names)

    def __bool__(self) -> bool:
        return bool(self._owners)

    def __repr__(self) -> str:
        return f"ApiKeys({len(self._owners)})"

    def owner_of(self, key: str) -> str:
        """Return the owner name of a key, "" for an unknown one, in constant time."""
        given = key.encode(errors="replace")
        return "".join(owner for known, owner in self._owners if hmac.compare_digest(known, given))

    def name_of(self, owner: str) -> str:
        """Return what the settings call the key of an owner, which others may read; else the owner name."""
        return self._names.get(owner) or owner

    def corpora_of(self, owner: str) -> frozenset[str] | None:
        """Return the corpora that an owner may use; None for all of them."""
        if not self:
            return None
        corpora = self._corpora.get(owner, frozenset())
        return None if ANY_CORPUS in corpora else corpora

    def rights_of(self, owner: str) -> Rights:
        """Return what an owner may see of the tables of its corpora."""
        return self._rights.get(owner, FULL)

    def all_rights(self) -> list[tuple[Rights, frozenset[str] | None]]:
        """Return the rights and corpora of each key, in the order of the keys; None for all corpora."""
        return [(self.rights_of(owner), self.corpora_of(owner)) for _, owner in self._owners]

    def may_use(self, owner: str, corpus: str) -> bool:
        """Return whether an owner may use a corpus. Every route, run and assistant is decided here."""
        allowed = self.corpora_of(owner)
        return allowed is None or corpus in allowed

    def require(self, owner: str, corpus: str) -> None:
        """Raise AccessDenied if an owner may not use a corpus."""
        if not self.may_use(owner, corpus):
            raise AccessDenied(f"this API key has no access to corpus {corpus[:SHOWN_CHARS]!r}: choose one of its own")


def key_in(headers: Mapping[str, str]) -> str:
    """Return the API key in a request's headers: ``X-Api-Key``, else ``Authorization: Bearer``; "" if there is none."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return headers.get("x-api-key", "").strip() or (token.strip() if kind.lower() == "bearer" else "")


def _owner_name(key: str) -> str:
    return f"key-{hashlib.sha256(key.encode()).hexdigest()[:OWNER_DIGITS]}"


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"duplicate key: list each key once, with all of its corpora. {EXPECTED}")
    return found

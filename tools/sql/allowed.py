"""The allow-lists of what a statement may contain, from ``allowed.toml``."""

import tomllib
from pathlib import Path
from typing import Literal

from sqlglot import exp

__all__ = [
    "ALLOWED_FUNCTIONS",
    "ALLOWED_NAMES",
    "ALLOWED_PARTS",
    "ALLOWED_TYPES",
    "ALLOWED_UNITS",
    "CARRIES",
    "FORBIDDEN",
    "REFUSED_KEYS",
    "KINDS",
    "Kind",
    "kind_of_call",
]

_LISTS = tomllib.loads(Path(__file__).with_name("allowed.toml").read_text(encoding="utf-8"))

Kind = Literal["integer", "decimal", "double", "text", "date", "datetime", "time"]


KINDS: dict[str, Kind] = _LISTS["kinds"]
_CLASSES = (*_LISTS["functions"].split(), *(name for name in KINDS if not name.isupper()))
# Versions of sqlglot differ in the functions that they know.
ALLOWED_FUNCTIONS = frozenset(getattr(exp, name) for name in _CLASSES if hasattr(exp, name))
ALLOWED_NAMES = frozenset(_LISTS["names"].split()) | {name for name in KINDS if name.isupper()}
ALLOWED_PARTS = frozenset(getattr(exp, name) for name in _LISTS["parts"].split())
ALLOWED_TYPES = frozenset(getattr(exp.DataType.Type, name) for name in _LISTS["types"].split())
ALLOWED_UNITS = frozenset(_LISTS["units"].split())
CARRIES: dict[type[exp.Expr], frozenset[str]] = {
    getattr(exp, name): frozenset(keys.split()) for name, keys in _LISTS["carries"].items()
}
FORBIDDEN: dict[type[exp.Expr], str] = {getattr(exp, name): reason for name, reason in _LISTS["forbidden"].items()}
REFUSED_KEYS: dict[str, str] = _LISTS["refused_keys"]


def kind_of_call(node: exp.Expr) -> Kind | None:
    """Return the kind of a function's result, where the list names it."""
    return KINDS.get(node.name.upper() if isinstance(node, exp.Anonymous) else type(node).__name__)

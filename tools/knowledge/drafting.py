"""Drafts entries of knowledge.yaml: abbreviations that texts spell out, and tables with several columns of dates."""

import re
from collections.abc import Iterator, Sequence

import yaml

from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services

__all__ = ["abbreviations_in", "drafted"]

WORDS = r"(?<!\w)(?:[A-Za-zÀ-ÿ][\w'’]{0,40}[ -]){1,7}[A-Za-zÀ-ÿ][\w'’]{0,40}"
SPELT_OUT = re.compile(rf"({WORDS}) \(([A-Z][A-Z0-9&]{{1,7}})\)")
SHORT_FIRST = re.compile(rf"(?<!\w)([A-Z][A-Z0-9&]{{1,7}}) \(({WORDS})\)")
PARTS = re.compile(r"[ -]")
SMALL = frozenset("of the and for in to a an on de la du des et der die das und".split())
INCOME, OUTLAY = ("revenue", "sales", "turnover", "income", "umsatz"), ("cost", "costs", "expenses", "kosten")
MOST_DOCUMENTS = 500
LONGEST = 20_000
"""Characters of one chunk that are read."""


def drafted(services: Services, corpus: str) -> str:
    """Return proposals as YAML, each with the reason as a comment; nothing is saved."""
    schemas = services.catalog.schemas(corpus)
    parts = [
        "# Proposals for knowledge.yaml: delete what is wrong, then run `tablerag knowledge import knowledge.yaml`.",
        *_section("terms", _terms(services, corpus)),
        *_section("metrics", [line for s in schemas for line in _margins(s)]),
        *_section("tables", [line for s in schemas for line in _dates(s)]),
    ]
    if len(parts) == 1:
        parts.append("# Nothing was found: no abbreviation is spelt out, and no table has two columns of dates.")
    return "\n".join(parts) + "\n"


def _section(name: str, lines: Sequence[str]) -> list[str]:
    return [f"{name}:", *lines] if lines else []


def _terms(services: Services, corpus: str) -> list[str]:
    found: dict[str, str] = {}
    documents = [d.document_id for d in services.catalog.documents(corpus)[:MOST_DOCUMENTS]]
    for chunk in services.vector_store(corpus).of_documents(documents) if documents else ():
        if chunk.kind != "text":
            continue
        for short, long in abbreviations_in(chunk.text[:LONGEST]):
            found.setdefault(short, f"  {_quoted(short)}: {_quoted(long)}  # {_comment(chunk.source)}")
    return [found[short] for short in sorted(found)]


def abbreviations_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield abbreviations that a text spells out, with the long form: "full-time equivalent (FTE)".

    >>> list(abbreviations_in("We report annual recurring revenue (ARR) each quarter."))
    [('ARR', 'annual recurring revenue')]
    """
    spelt = [(m[2], m[1]) for m in SPELT_OUT.finditer(text)] + [(m[1], m[2]) for m in SHORT_FIRST.finditer(text)]
    for short, long in spelt:
        words = [w for w in PARTS.split(long) if w]
        for first in reversed(range(len(words))):
            if _initials(words[first:]) == [c.casefold() for c in short if c.isalnum()]:
                yield short, long[-len(" ".join(words[first:])) :]
                break


def _initials(words: Sequence[str]) -> list[str]:
    return [w[0].casefold() for w in words if w.casefold() not in SMALL]


def _margins(schema: TableSchema) -> Iterator[str]:
    """Yield a margin for a table with one column of income and one of cost."""
    numbers = [c for c in schema.columns if c.type in ("integer", "decimal")]
    income = [c for c in numbers if set(key_of(c.header).split()) & set(INCOME)]
    outlay = [c for c in numbers if set(key_of(c.header).split()) & set(OUTLAY)]
    if len(income) == len(outlay) == 1:
        one, two = income[0].name, outlay[0].name
        yield f"  # {_comment(schema.source)} has {_comment(income[0].header)} and {_comment(outlay[0].header)}"
        yield f'  - {{name: margin, table: {schema.name}, unit: "%",'
        yield f"     expression: (SUM(`{one}`) - SUM(`{two}`)) / SUM(`{one}`)}}"


def _dates(schema: TableSchema) -> Iterator[str]:
    """Yield the default date of a table that has several."""
    dates = [c for c in schema.columns if c.type in ("date", "datetime")]
    if len(dates) > 1:
        others = ", ".join(_comment(c.header) for c in dates[1:])
        yield f"  {schema.name}: {{default_date: {dates[0].name}}}  # or {others}"


def _quoted(text: str) -> str:
    return yaml.safe_dump(text, allow_unicode=True, width=10**6).removesuffix("...\n").strip()


def _comment(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:80]

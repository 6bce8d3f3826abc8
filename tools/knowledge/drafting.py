"""Drafts entries of knowledge.yaml: abbreviations and codes that texts spell out, margins, and columns of dates."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import yaml

from tablerag.tools.linking.codes import LEAST_CODES, LONGEST_CODE, codes_in
from tablerag.tools.linking.keys import key_of
from tablerag.tools.linking.values import linked_columns
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services

__all__ = ["abbreviations_in", "codes_of", "drafted", "explained", "texts_of"]

WORDS = r"(?<!\w)(?:[A-Za-zÀ-ÿ][\w'’]{0,40}[ -]){1,7}[A-Za-zÀ-ÿ][\w'’]{0,40}"
SPELT_OUT = re.compile(rf"({WORDS}) \(([A-Z][A-Z0-9&]{{1,7}})\)")
SHORT_FIRST = re.compile(rf"(?<!\w)([A-Z][A-Z0-9&]{{1,7}}) \(({WORDS})\)")
PARTS = re.compile(r"[ -]")
SMALL = frozenset("of the and for in to a an on de la du des et der die das und".split())
INCOME, OUTLAY = ("revenue", "sales", "turnover", "income", "umsatz"), ("cost", "costs", "expenses", "kosten")
MOST_CODES = 12
"""Distinct values of a column of codes."""
LEAST_SHARE = 0.5
"""The share of a column's codes that it must explain to be proposed."""
WORD = re.compile(r"\w+")
SENTENCES = re.compile(r"(?<=[.!?])\s+|\n\s*(?=[-*•|])|\n\s*\n")
MOST_DOCUMENTS = 500
LONGEST = 20_000
"""Characters of one chunk that are read."""


def drafted(services: Services, corpus: str, described: Mapping[str, Mapping[str, str]] = MappingProxyType({})) -> str:
    """Return proposals as YAML, each with the reason as a comment; nothing is saved.

    ``described`` has what a model says of columns, by table and column; what texts say comes before it.
    """
    schemas = services.catalog.schemas(corpus)
    texts = texts_of(services, corpus)
    parts = [
        "# Proposals for knowledge.yaml: delete what is wrong, then run `tablerag knowledge import knowledge.yaml`.",
        *_section("terms", _terms(texts)),
        *_section("metrics", [line for s in schemas for line in _margins(s)]),
        *_section("tables", [line for s in schemas for line in _table(services, s, texts, described.get(s.name, {}))]),
    ]
    if len(parts) == 1:
        parts.append("# Nothing was found: no text spells out an abbreviation or a code, no table has two dates.")
    return "\n".join(parts) + "\n"


def _section(name: str, lines: Sequence[str]) -> list[str]:
    return [f"{name}:", *lines] if lines else []


def texts_of(services: Services, corpus: str) -> list[tuple[str, str]]:
    """Return the source and the text of a corpus's passages."""
    documents = [d.document_id for d in services.catalog.documents(corpus)[:MOST_DOCUMENTS]]
    chunks = services.vector_store(corpus).of_documents(documents) if documents else ()
    return [(c.source, c.text[:LONGEST]) for c in chunks if c.kind == "text"]


def _terms(texts: Sequence[tuple[str, str]]) -> list[str]:
    found: dict[str, str] = {}
    for source, text in texts:
        for short, long in abbreviations_in(text):
            found.setdefault(short, f"  {_quoted(short)}: {_quoted(long)}  # {_comment(source)}")
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


def _table(
    services: Services, schema: TableSchema, texts: Sequence[tuple[str, str]], described: Mapping[str, str]
) -> Iterator[str]:
    """Yield the entry of a table: which of several dates is meant, and what its codes mean."""
    lines = []
    dates = [c for c in schema.columns if c.type in ("date", "datetime")]
    if len(dates) > 1:
        others = ", ".join(_comment(c.header) for c in dates[1:])
        lines.append(f"    default_date: {dates[0].name}  # or {others}")
    columns = {name: f"{_quoted(says)}  # by the model" for name, says in described.items()}
    for name, codes in codes_of(services, schema).items():
        if found := explained(codes, texts, LEAST_SHARE):
            columns[name] = f"{_quoted(found[0])}  # {_comment(found[1])}"
    if columns:
        lines += ["    columns:", *(f"      {_quoted(name)}: {says}" for name, says in columns.items())]
    if lines:
        yield f"  {schema.name}:"
        yield from lines


def explained(codes: Sequence[str], texts: Sequence[tuple[str, str]], least: float) -> tuple[str, str] | None:
    """Return what codes stand for, "O: open; C: cancelled", and the source that says so of most of them.

    None if no sentence explains two of them and this share.
    """
    wanted = max(LEAST_CODES, least * len(codes))
    meant: dict[str, str] = {}
    where = ""
    for source, text in texts:
        for sentence in SENTENCES.split(text):
            if len(set(WORD.findall(sentence)).intersection(codes)) < wanted:
                continue
            found = codes_in(sentence, codes)
            if len(found) >= wanted and len(found) > len(meant):
                meant, where = found, source
    return ("; ".join(f"{code}: {meaning}" for code, meaning in meant.items()), where) if meant else None


def codes_of(services: Services, schema: TableSchema) -> dict[str, list[str]]:
    """Return the distinct values of the columns of codes, by SQL name."""
    names = {c.name for c in schema.columns if c.type == "text" and not c.raw}
    held = services.value_linker.held(schema.stored_as or schema.name, linked_columns(schema), schema.row_count)
    found = {n: sorted(held[n].some(MOST_CODES + 1)) for n in names & held.keys()}
    return {c.name: found[c.name] for c in schema.columns if c.name in found and _are_codes(found[c.name])}


def _are_codes(values: Sequence[str]) -> bool:
    short = all(len(v) <= LONGEST_CODE and v == v.upper() for v in values)
    return short and LEAST_CODES <= len(values) <= MOST_CODES


def _quoted(text: str) -> str:
    return yaml.safe_dump(text, allow_unicode=True, width=10**6).removesuffix("...\n").strip()


def _comment(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:80]

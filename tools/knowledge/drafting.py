"""Drafts entries of knowledge.yaml: abbreviations and codes that texts spell out, margins, and columns of dates."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import yaml

from tablerag.tools.knowledge.explaining import Codes, Explained, Explanations, Passage, texts_of
from tablerag.tools.linking.codes import codes_in, codes_of_column
from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services

__all__ = ["abbreviations_in", "drafted"]

WORDS = r"(?<!\w)(?:[A-Za-zÀ-ÿ][\w'’]{0,40}[ -]){1,7}[A-Za-zÀ-ÿ][\w'’]{0,40}"
SPELT_OUT = re.compile(rf"({WORDS}) \(([A-Z][A-Z0-9&]{{1,7}})\)")
SAID = re.compile(
    rf"(?<!\w)([A-Z][A-Z0-9&]{{1,7}}) (?:means|is|stands for|is short for|steht für|bedeutet|signifie) ({WORDS})"
)
SHORT_FIRST = re.compile(rf"(?<!\w)([A-Z][A-Z0-9&]{{1,7}}) \(({WORDS})\)")
PARTS = re.compile(r"[ -]")
SMALL = frozenset("of the and for in to a an on de la du des et der die das und".split())
INCOME, OUTLAY = ("revenue", "sales", "turnover", "income", "umsatz"), ("cost", "costs", "expenses", "kosten")
LEAST_SHARE = 0.5
"""The share of a column's codes that it must explain to be proposed."""
NOTE_CHARS = 300
OWN_FILE = (
    "# This corpus has a file: `tablerag knowledge export knowledge.yaml` writes it. Add the proposals to that one.",
)


def drafted(services: Services, corpus: str, described: Mapping[str, Mapping[str, str]] = MappingProxyType({})) -> str:
    """Return proposals as YAML, each with the reason as a comment; nothing is saved.

    ``described`` has what a model says of columns, by table and column, beside the stored profiles; what texts say
    comes before it.
    """
    schemas = services.catalog.schemas(corpus)
    texts, explanations = texts_of(services, corpus), Explanations(services, corpus, schemas)
    parts = [
        "# Proposals for knowledge.yaml: delete what is wrong, then run `tablerag knowledge import knowledge.yaml`.",
        *OWN_FILE * bool(services.knowledge.text(corpus)[0]),
        *_section("terms", _terms(texts)),
        *_section("metrics", [line for s in schemas for line in _margins(s)]),
        *_section("tables", [line for s in schemas for line in _table(s, explanations, described.get(s.name, {}))]),
    ]
    if all(part.startswith("#") for part in parts):
        parts.append("# Nothing was found: no text spells out an abbreviation or a code, no table has two dates.")
    return "\n".join(parts) + "\n"


def _section(name: str, lines: Sequence[str]) -> list[str]:
    """Return the lines of a section; one of comments alone is empty, which `knowledge import` accepts."""
    entries = any(not line.lstrip().startswith("#") for line in lines)
    return [f"{name}:" if entries else f"{name}: {{}}", *lines] if lines else []


def _terms(texts: Sequence[Passage]) -> list[str]:
    found: dict[str, str] = {}
    for passage in texts:
        for short, long in abbreviations_in(passage.text):
            found.setdefault(short, f"  {_quoted(short)}: {_quoted(long)}  # {_comment(passage.source)}")
    return [found[short] for short in sorted(found)]


def abbreviations_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield abbreviations that a text spells out, with the long form: "full-time equivalent (FTE)", "AOG means ...".

    >>> list(abbreviations_in("We report annual recurring revenue (ARR) each quarter."))
    [('ARR', 'annual recurring revenue')]
    """
    spelt = [(m[2], m[1]) for m in SPELT_OUT.finditer(text)] + [(m[1], m[2]) for m in SHORT_FIRST.finditer(text)]
    for short, long in spelt:
        words = [w for w in PARTS.split(long) if w]
        for first in reversed(range(len(words))):
            if _abbreviates(short, words[first:]):
                yield short, long[-len(" ".join(words[first:])) :]
                break
    for said in SAID.finditer(text):
        words = [w for w in PARTS.split(said[2]) if w]
        for last in range(1, len(words) + 1):
            if _abbreviates(said[1], words[:last]):
                yield said[1], said[2][: len(" ".join(words[:last]))]
                break


def _abbreviates(short: str, words: Sequence[str]) -> bool:
    """Tell whether letters are the initials of words, with or without "of" and the like."""
    letters = [c.casefold() for c in short if c.isalnum()]
    telling = [w for w in words if w.casefold() not in SMALL]
    return letters in ([w[0].casefold() for w in words], [w[0].casefold() for w in telling])


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


def _table(schema: TableSchema, explanations: Explanations, described: Mapping[str, str]) -> Iterator[str]:
    """Yield the entry of a table: which of several dates is meant, and what its codes mean."""
    lines = []
    dates = [c for c in schema.columns if c.type in ("date", "datetime")]
    if len(dates) > 1:
        others = ", ".join(_comment(c.header) for c in dates[1:])
        lines.append(f"    default_date: {dates[0].name}  # or {others}")
    told = {c.name for c in schema.columns if c.about}
    by_model = {c.name: c.profile for c in schema.columns if c.profile} | dict(described)
    columns = {name: f"{_quoted(says)}  # by the model" for name, says in by_model.items() if name not in told}
    notes = []
    for codes in (c for c in explanations.columns if c.schema.table_id == schema.table_id):
        if found := explanations.of(codes, LEAST_SHARE):
            line, note = _proposed(codes, found)
            columns |= {codes.column.name: line} if line else {}
            notes += [f"      # {_quoted(codes.column.name)}: {note}"] if note else []
    if columns or notes:
        lines += ["    columns:"] if columns else []
        lines += [*(f"      {_quoted(name)}: {says}" for name, says in columns.items()), *notes]
    if lines:
        yield f"  {schema.name}:" if columns or len(lines) > len(notes) else f"  # {schema.name}:"
        yield from lines


def _proposed(codes: Codes, found: Explained) -> tuple[str, str]:
    """Return the line that is proposed for a column, and a note on what is not: its own comment comes first."""
    own = codes_of_column(codes.column, codes.values) or codes_in(f": {codes.column.about}", codes.values)
    where = _comment(found.where)
    if not own:
        return f"{_quoted(found.says)}  # {where}", ""
    against = [c for c, meaning in found.meanings.items() if c in own and key_of(own[c]) != key_of(meaning)]
    if against:
        one, other = ("; ".join(f"{c}: {of[c]}" for c in against) for of in (own, found.meanings))
        return "", _comment(f'its comment says "{one}", {where} says "{other}"', NOTE_CHARS)
    whole = replace(found, meanings={**found.meanings, **own})
    return (f"{_quoted(whole.says)}  # its comment, and {where}", "") if len(whole.meanings) > len(own) else ("", "")


def _quoted(text: str) -> str:
    return yaml.safe_dump(text, allow_unicode=True, width=10**6).removesuffix("...\n").strip()


def _comment(text: str, most: int = 80) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:most]

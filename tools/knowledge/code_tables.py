"""Tables of codes: a small table whose rows say what the codes of other tables stand for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablerag.tools.errors import SqlProblem
from tablerag.tools.linking.codes import LEAST_CODES, LONGEST_CODE, NUMBER, may_be_number_codes
from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import Cell, Column, TableSchema
from tablerag.tools.services import Services

__all__ = ["CodeTable", "code_table"]

MOST_ROWS, MOST_COLUMNS = 40, 4
MEANING = re.compile(r"(?=[^\W\d_]{2})(?![\w-]*\d)[^;.:(\n]{2,60}")
"""What stands first in the cell that explains a code: "Returned" in "Returned (by the customer)"; no number."""
TOLD = frozenset(
    """code codes kurzel abkurzung abkurzungen abk abbreviation abbreviations abbr sigle sigles symbol schlussel legend
    legende flag status state states zustand etat etats statut statuts type typ art class klasse category kategorie
    categorie priority prioritat priorite reason grund motif meaning meanings means bedeutung signification description
    beschreibung explanation erklarung label bezeichnung libelle definition""".split()
)
"""Words of headers and titles of tables of codes: others, such as "Team | Lead", list things that can be counted."""
COMPOUND = 4
"""Characters of such a word that can end a compound: "Code" in "Statuscode"."""


@dataclass(frozen=True, slots=True)
class CodeTable:
    """A table that says what codes stand for."""

    schema: TableSchema
    key: Column
    """The column with the codes."""
    meaning: Column
    meanings: Mapping[str, str]
    """By code."""


def code_table(services: Services, schema: TableSchema) -> CodeTable | None:
    """Return a document's table as one of codes; None if it is another, or cannot be read.

    Lookup tables of a connected database are not read: they can change at any time, and are joined.
    """
    columns = schema.columns
    small = LEAST_CODES <= schema.row_count <= MOST_ROWS and 2 <= len(columns) <= MOST_COLUMNS
    if schema.origin or schema.members or not small or not any(_may_be_codes(c.examples) for c in columns):
        return None
    try:
        rows = services.rows.first(schema, [c.name for c in columns], MOST_ROWS)
    except SqlProblem:
        return None
    cells = [tuple("" if v is None else str(v).strip() for v in of) for of in zip(*_filled(rows), strict=True)]
    texts = list(zip(columns, cells, strict=False))
    key = next((i for i, (c, of) in enumerate(texts) if _are_codes(c, of)), None)
    if key is None or any(c.type != "text" for i, (c, _) in enumerate(texts) if i != key):
        return None
    for column, of in texts[key + 1 :] + texts[:key]:
        if (meanings := _meanings(texts[key][1], of)) and _is_told(schema, columns[key], column):
            return CodeTable(schema, columns[key], column, meanings)
    return None


def _is_told(schema: TableSchema, key: Column, meaning: Column) -> bool:
    """Tell whether headers say that a column has codes or their meanings; the title may say so of two columns."""
    named = [key.header, meaning.header] + [schema.title] * (len(schema.columns) == 2)
    words = {w for name in named for w in key_of(name.replace("_", " ")).split()}
    return any(w in TOLD or any(len(t) >= COMPOUND and w.endswith(t) for t in TOLD) for w in words)


def _filled(rows: Sequence[Sequence[Cell]]) -> list[Sequence[Cell]]:
    return [row for row in rows if any(cell not in (None, "") for cell in row)]


def _may_be_codes(values: Sequence[str]) -> bool:
    return bool(values) and all(len(v) <= LONGEST_CODE and v == v.upper() for v in values)


def _are_codes(column: Column, values: Sequence[str]) -> bool:
    """Tell whether the cells of a column are distinct codes: short texts in capitals, or small numbers."""
    if len(set(values)) < max(LEAST_CODES, len(values)) or not all(values) or not _may_be_codes(values):
        return False
    if column.type == "integer":
        return may_be_number_codes(column) and all(map(NUMBER.fullmatch, values))
    return column.type == "text" and not any(v.isdigit() and not NUMBER.fullmatch(v) for v in values)


def _meanings(codes: Sequence[str], texts: Sequence[str]) -> dict[str, str]:
    """Return what each code stands for; nothing if a text has no words or two are the same."""
    found = {code: m[0].strip(" -–—,") for code, text in zip(codes, texts, strict=True) if (m := MEANING.match(text))}
    alike = {meaning.casefold() for meaning in found.values()}
    coded = _may_be_codes(list(found.values()))
    return found if len(found) == len(alike) == len(codes) and not coded else {}

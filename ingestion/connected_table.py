"""What a table of a connected database contributes to the stores: its schema and its chunks; no rows are stored."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tablerag.ingestion.chunking import chunk_table
from tablerag.ingestion.column_profiles import profile_chunk, with_earlier_profiles
from tablerag.ingestion.manifest import document_id
from tablerag.ingestion.tables.naming import sql_name
from tablerag.ingestion.tables.typing.numbers import is_currency
from tablerag.ingestion.tables.typing.units import Unit, unit_in
from tablerag.tools.catalog import DocumentRecord
from tablerag.tools.cells import json_cell
from tablerag.tools.connections.connection import Connection
from tablerag.tools.connections.engine import FoundColumn, FoundTable, Profile
from tablerag.tools.connections.registry import stored_name
from tablerag.tools.counting import one_line, shortened
from tablerag.tools.records import ROW_ID, Chunk, Column, ColumnKind, Origin, TableSchema

__all__ = ["ESTIMATED", "FORMAT", "ConnectedTable", "connected_table", "source_of", "spoken_sql_name"]

FORMAT = "database"
VERSION = "6"
"""Increased when describing a table changes what is stored, so that every table is described again."""
ESTIMATED = "the number of rows is an estimate"
EXAMPLES = 5
EXAMPLE_CHARS = 80
CELLS = 400
"""Of a sample, in the chunks that find a table."""
LEAST_ROWS = 3
ABOUT_CHARS = 300
IDENTIFIES = re.compile(r"(?:^|_)(?:id|no|nr|key|code|number|uuid)$", re.IGNORECASE)
SECRET = re.compile(
    r"passw(?:or)?d|passwort|passphrase|(?:^|_)pwd|secret|api_?key|private_?key|(?:^|_|access|auth|refresh|session)token(?:_?(?:hash|value|secret))?$",
    re.IGNORECASE,
)
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
KINDS: dict[str, ColumnKind] = {"date": "date", "datetime": "datetime", "boolean": "boolean"}
YEARS = (1000, 2999)


@dataclass(frozen=True, slots=True)
class ConnectedTable:
    """A table ready to be published."""

    record: DocumentRecord
    schema: TableSchema
    chunks: tuple[Chunk, ...]

    def with_profiles(self, earlier: TableSchema) -> "ConnectedTable":
        """Return the table with the column profiles that it had before it was described again."""
        if not earlier.profiled_by:
            return self
        schema = with_earlier_profiles(self.schema, earlier)
        chunks = (*self.chunks, *profile_chunk(schema))
        return ConnectedTable(self.record.model_copy(update={"chunk_count": len(chunks)}), schema, chunks)


def source_of(connection: Connection, table: FoundTable) -> str:
    """Return the name of a table among the documents of its corpus."""
    return f"{connection.source}/{table.name}"


def connected_table(
    connection: Connection, engine: str, table: FoundTable, profile: Profile, run: str, tokens: int
) -> ConnectedTable:
    """Describe a table; ``tokens`` is the size of a chunk."""
    profile = _without_secrets(profile)
    content = _hash(connection, table, profile)
    path = Path(f"connection:{connection.name}/{table.name}")
    own_id = document_id(connection.corpus, path, content, run)
    schema = _schema(connection, engine, table, profile, own_id)
    chunks = tuple(_chunks(schema, table, profile, own_id, tokens))
    record = DocumentRecord(
        document_id=own_id,
        corpus=connection.corpus,
        source=source_of(connection, table),
        path=str(path),
        content_hash=content,
        format=FORMAT,
        title=schema.title,
        row_count=profile.row_count,
        chunk_count=len(chunks),
        table_count=1,
        warnings=schema.warnings,
    )
    return ConnectedTable(record, schema, chunks)


def _hash(connection: Connection, table: FoundTable, profile: Profile) -> str:
    # The number of rows is compared by who knows whether it is an estimate, which moves by itself.
    told = [VERSION, connection.url, repr(replace(table, estimate=None)), repr(profile.columns)]
    told += [[str(json_cell(v)) for v in row] for row in profile.rows]
    return hashlib.sha256(json.dumps(told).encode("utf-8", "replace")).hexdigest()


def _schema(connection: Connection, engine: str, table: FoundTable, profile: Profile, own_id: str) -> TableSchema:
    own = table.path[-1]
    title = _spoken(own)
    names: list[str] = []
    for column in profile.columns:
        names.append(sql_name(_spoken(column.name), [*names, ROW_ID], f"column_{len(names) + 1}"))
    name = spoken_sql_name(own)
    values = list(zip(*profile.rows, strict=True)) if profile.rows else [()] * len(names)
    by_name = dict(zip(names, profile.columns, strict=True))
    keys = {*table.keys, *(r.partition(" -> ")[0] for r in table.references)}
    return TableSchema(
        table_id=f"{own_id}:t0",
        name=name,
        columns=tuple(_column(n, c, v, c.name in keys) for (n, c), v in zip(by_name.items(), values, strict=True)),
        row_count=profile.row_count,
        title=title,
        source=connection.source,
        locator=table.name,
        within=table.name,
        warnings=tuple(_warnings(table, profile)),
        stored_as=stored_name(connection.name, name[:40], own_id),
        hidden_columns=(ROW_ID,) if table.key else (),
        origin=Origin(
            connection=connection.name,
            engine=engine,
            table=table.path,
            names={n: c.name for n, c in by_name.items()},
            reads={n: c.reads for n, c in by_name.items() if c.reads},
            key=table.key,
            keys=_keys(table, {c.name: n for n, c in by_name.items()}),
            references=tuple(_references(table, {c.name: n for n, c in by_name.items()})),
        ),
    )


def _keys(table: FoundTable, names: dict[str, str]) -> tuple[str, ...]:
    """Return the SQL names of the primary key; none if it is the number of a row, or a column of it is left out."""
    known = tuple(names[c] for c in table.keys if c in names)
    return known if table.key not in table.keys and len(known) == len(table.keys) else ()


def _references(table: FoundTable, names: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    for said in table.references:
        own, _, other = said.partition(" -> ")
        there, _, column = other.rpartition(".")
        if own in names and column and ", " not in column:
            yield names[own], there, column


def _spoken(name: str) -> str:
    """Return a name as words: order_total and orderTotal are "order total" and "order Total"."""
    return " ".join(CAMEL.sub(" ", name).replace("_", " ").split()) or name


def spoken_sql_name(name: str) -> str:
    """Return the SQL name of a table or column, if no other one has it."""
    return sql_name(_spoken(name), [], "table")


def _column(name: str, found: FoundColumn, values: Sequence[Any], is_key: bool) -> Column:
    assert found.type
    cells = [json_cell(v) for v in values if v is not None]
    shown = dict.fromkeys(one_line(str(c)) for c in cells)
    examples = [e if len(e) <= EXAMPLE_CHARS else e[:EXAMPLE_CHARS] + "…" for e in shown if e.strip()]
    kind: ColumnKind = KINDS.get(found.type, "")
    if is_key or IDENTIFIES.search(found.name):
        kind = "id"
    elif found.type == "integer" and "year" in found.name.casefold() and cells:
        kind = "year" if all(isinstance(c, int) and YEARS[0] <= c <= YEARS[1] for c in cells) else ""
    stated = unit_in(found.name) if found.type in ("integer", "decimal") and not kind else Unit()
    return Column(
        name=name,
        header=_spoken(one_line(found.name)),
        type=found.type,
        examples=tuple(examples[:EXAMPLES]),
        kind="money" if is_currency(stated.unit) else kind,
        unit=stated.unit,
        scale=stated.scale,
        about=shortened(one_line(found.about)),
    )


def _without_secrets(profile: Profile) -> Profile:
    """Return a profile without the columns that nobody asks for and no model should be sent: passwords and the like."""
    kept = [i for i, c in enumerate(profile.columns) if not (c.type == "text" and SECRET.search(c.name))]
    if len(kept) == len(profile.columns) or not kept:
        return profile
    rows = [[row[i] for i in kept] for row in profile.rows]
    return replace(profile, columns=tuple(profile.columns[i] for i in kept), rows=rows)


def _warnings(table: FoundTable, profile: Profile) -> list[str]:
    kept = {c.name for c in profile.columns}
    secret = [c.name for c in table.columns if SECRET.search(c.name) and c.name not in kept]
    left_out = [c.name for c in table.columns if c.name not in (*kept, *secret)]
    says = [f"left out, as they hold secrets by their names: {', '.join(secret[:10])}"] if secret else []
    if left_out:
        says.append(f"left out, as they hold neither numbers, texts nor dates: {', '.join(left_out[:10])}")
    if not table.key and not (table.keys and kept.issuperset(table.keys)):
        says.append("no key: the rows behind an answer are counted, not shown")
    if not profile.counted:
        says.append(ESTIMATED)
    return says


def _chunks(schema: TableSchema, table: FoundTable, profile: Profile, own_id: str, tokens: int) -> list[Chunk]:
    headers = [c.header for c in schema.columns]
    about = shortened(one_line(table.about))[:ABOUT_CHARS]
    rows = profile.rows[: max(LEAST_ROWS, CELLS // max(len(headers), 1))]
    cells = (["" if v is None else one_line(str(json_cell(v)))[:EXAMPLE_CHARS] for v in row] for row in rows)
    head = f"{schema.title}: {about}" if about else schema.title
    texts = [piece.text for piece in chunk_table(headers, cells, head, tokens)]
    told = [f"{c.header}: {c.about}" for c in schema.columns if c.about] + [r for r in table.references]
    if told:
        texts.append("\n".join([head, *told])[: tokens * 4])
    return [
        Chunk(
            id=f"{own_id}:{i}",
            text=text,
            kind="table",
            document_id=own_id,
            source=schema.source,
            locator=schema.locator,
            title=f"{schema.source} > {schema.title}",
            table_id=schema.table_id,
        )
        for i, text in enumerate(texts)
    ]

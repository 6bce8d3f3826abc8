"""Listings of the catalog: a few fields of many records, which the database takes out of their JSON.

A record costs ten times as much to read and validate, and a listing needs little of it.
"""

from typing import Any, NamedTuple

from sqlalchemy import JSON, ColumnElement, Select, Table, func, select, type_coerce
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction

from tablerag.tools.catalog_tables import DOCUMENTS, TABLES, UNIONS

__all__ = ["ListedDocument", "ListedTable", "documents_of", "tables_of", "unions_of"]


class ListedTable(NamedTuple):
    """A table without its schema."""

    name: str
    row_count: int
    column_count: int
    source: str
    locator: str
    set_aside: bool = False
    """Whether answers leave it out."""


class ListedDocument(NamedTuple):
    """A document without its record."""

    document_id: str
    source: str
    table_count: int
    chunk_count: int
    summaries: list[str]


class json_length(GenericFunction[int]):  # noqa: N801 (the name is the function's)
    """The length of the array at a path."""

    inherit_cache = True


@compiles(json_length, "sqlite")
def _in_sqlite(length: json_length, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(func.json_array_length(*length.clauses), **options)


def tables_of(corpus: str) -> Select:
    """Select the stored tables of a corpus as ListedTables, by name."""
    return _listed(TABLES, TABLES.c.table_schema, corpus)


def unions_of(corpus: str) -> Select:
    """Select the unions of a corpus as ListedTables, by name."""
    return _listed(UNIONS, UNIONS.c.table_schema, corpus)


def _listed(of: Table, schema: ColumnElement[str], corpus: str) -> Select:
    told = type_coerce(schema, JSON)
    columns = func.json_length(schema, "$.columns")
    texts = (told[name].as_string() for name in ("source", "locator"))
    aside = schema.contains('"set_aside":true,', autoescape=True).label("set_aside")
    shown = select(of.c.name, told["row_count"].as_integer(), columns, *texts, aside)
    return shown.where(of.c.corpus == corpus).order_by(of.c.name)


def documents_of(corpus: str) -> Select:
    """Select the documents of a corpus as ListedDocuments, by source."""
    told = type_coerce(DOCUMENTS.c.record, JSON)
    counts = (told[name].as_integer() for name in ("table_count", "chunk_count"))
    shown = select(DOCUMENTS.c.document_id, DOCUMENTS.c.source, *counts, told["summaries"])
    return shown.where(DOCUMENTS.c.corpus == corpus).order_by(DOCUMENTS.c.source)

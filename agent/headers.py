"""Columns by the headers that the document writes: SQL names are shown only in SQL."""

import re
from collections.abc import Iterable

from tablerag.tools.records import TableSchema

__all__ = ["headers_of", "in_headers"]

QUOTED_NAME = re.compile(r"`([^`]+)`")


def headers_of(schemas: Iterable[TableSchema]) -> dict[str, str]:
    """Return the headers by SQL name, each on one line; of columns without a header, the SQL name."""
    return {c.name: " ".join(c.header.split()) or c.name for s in schemas for c in s.columns}


def in_headers(text: str, schemas: Iterable[TableSchema]) -> str:
    """Return a message with the quoted SQL names of columns replaced by headers: `total_eur` -> "Total (EUR)"."""
    headers = headers_of(schemas)
    return QUOTED_NAME.sub(lambda m: f'"{headers[m[1]]}"' if m[1] in headers else m[0], text)

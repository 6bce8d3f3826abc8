"""The tables of a PostgreSQL database, what its user may do, and how many rows a plan examines."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from tablerag.tools.connections.engine import FoundColumn, FoundTable
from tablerag.tools.records import ColumnType

__all__ = ["READS", "SHAPES", "examined", "found", "rights"]

READS = {
    "big": "CAST({} AS BIGINT)",
    "short": "CAST(CAST({} AS TEXT) AS DOUBLE PRECISION)",
    "number": "CAST({} AS NUMERIC)",
    "text": "CAST({} AS TEXT)",
    "utc": "({} AT TIME ZONE 'UTC')",
}
"""How columns are read, by word: integers have 64 bits as on MySQL, times are those of UTC, and a short real is the
number that it is written as: 32.38 rather than 32.3800010681152."""
TYPES: dict[str, tuple[ColumnType, str]] = {
    "bigint": ("integer", ""),
    **dict.fromkeys(("smallint", "integer", "oid"), ("integer", "big")),
    **{"numeric": ("decimal", ""), "double precision": ("decimal", ""), "real": ("decimal", "short")},
    "money": ("decimal", "number"),
    "text": ("text", ""),
    **dict.fromkeys(("character varying", "character", "name", "citext", "uuid", "inet", "json"), ("text", "text")),
    **dict.fromkeys(("jsonb", "time without time zone", "time with time zone", "bpchar", "xml"), ("text", "text")),
    "date": ("date", ""),
    "timestamp without time zone": ("datetime", ""),
    "timestamp with time zone": ("datetime", "utc"),
    "boolean": ("boolean", ""),
}
INTEGERS = frozenset({"bigint", "integer", "smallint"})
RELATIONS = """
    SELECT c.oid, n.nspname, c.relname, c.relkind, c.reltuples, obj_description(c.oid, 'pg_class'),
        has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname !~ '^pg_'
        AND n.nspname <> 'information_schema' AND (%(schema)s = '' OR n.nspname = %(schema)s)
    ORDER BY n.nspname, c.relname
"""
SHAPES = """
    SELECT n.nspname || '.' || c.relname, ARRAY[a.attname, a.atttypid::text, d.description]
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_attribute AS a ON a.attrelid = c.oid
    LEFT JOIN pg_description AS d
        ON d.objoid = c.oid AND d.objsubid = a.attnum AND d.classoid = 'pg_class'::regclass
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname !~ '^pg_'
        AND n.nspname <> 'information_schema' AND (%(schema)s = '' OR n.nspname = %(schema)s)
        AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY c.oid, a.attnum
"""
COLUMNS = """
    SELECT a.attrelid, a.attname, format_type(a.atttypid, NULL), t.typtype, col_description(a.attrelid, a.attnum)
    FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
    WHERE a.attrelid = ANY(%(oids)s) AND a.attnum > 0 AND NOT a.attisdropped
        AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
    ORDER BY a.attrelid, a.attnum
"""
KEYS = """
    SELECT k.conrelid, k.contype, array_agg(a.attname::text ORDER BY p.place), c.relname,
        (SELECT string_agg(f.attname, ', ') FROM pg_attribute AS f
         WHERE f.attrelid = k.confrelid AND f.attnum = ANY(k.confkey))
    FROM pg_constraint AS k CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS p(number, place)
    JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = p.number
    LEFT JOIN pg_class AS c ON c.oid = k.confrelid
    WHERE k.contype IN ('p', 'f') AND k.conrelid = ANY(%(oids)s)
    GROUP BY k.oid, k.conrelid, k.contype, c.relname, k.confrelid, k.confkey
"""
RIGHTS = """
    SELECT 'superuser' FROM pg_roles WHERE rolname = current_user AND rolsuper
    UNION ALL SELECT 'CREATE in the database' WHERE has_database_privilege(current_database(), 'CREATE')
    UNION ALL SELECT 'CREATE in schema ' || nspname FROM pg_namespace
        WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(oid, 'CREATE')
    UNION ALL (SELECT 'write ' || c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
            AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') LIMIT 20)
"""


def found(connection: Any, schema: str) -> tuple[list[FoundTable], list[str]]:
    """Return the tables that may be read, and a line for each that may not."""
    relations = connection.execute(RELATIONS, {"schema": schema}).fetchall()
    oids = {"oids": [r[0] for r in relations if r[6]]}
    columns: dict[int, list[FoundColumn]] = defaultdict(list)
    for oid, name, declared, typtype, about in connection.execute(COLUMNS, oids).fetchall():
        type_, reads = ("text", "text") if typtype in ("e", b"e") else TYPES.get(declared, (None, ""))
        columns[oid].append(FoundColumn(name, declared, type_, reads, about or ""))
    keys: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(KEYS, oids).fetchall():
        keys[row[0]].append(row)
    tables = [_table(r, columns[r[0]], keys[r[0]]) for r in relations if r[6]]
    return tables, [f"{r[1]}.{r[2]}: its user has no right to SELECT" for r in relations if not r[6]]


def _table(row: Any, columns: list[FoundColumn], keys: list[Any]) -> FoundTable:
    _, schema, name, kind, estimate, about, _ = row
    kind = kind.decode() if isinstance(kind, bytes) else kind
    is_view = kind in ("v", "m")
    primary = next((tuple(k[2]) for k in keys if _letter(k[1]) == "p"), ())
    types = {c.name: c.declared for c in columns}
    key = primary[0] if len(primary) == 1 and types.get(primary[0]) in INTEGERS else ""
    references = tuple(f"{', '.join(k[2])} -> {k[3]}.{k[4]}" for k in keys if _letter(k[1]) == "f")
    rows = int(estimate) if kind in ("r", "m") and estimate >= 0 else None
    return FoundTable((schema, name), tuple(columns), key, primary, references, about or "", rows, is_view)


def _letter(kind: str | bytes) -> str:
    return kind.decode() if isinstance(kind, bytes) else kind


def rights(connection: Any) -> list[str]:
    """Return what the user may do besides reading."""
    return [row[0] for row in connection.execute(RIGHTS).fetchall()]


def examined(plan: Mapping[str, Any], sizes: Mapping[str, int]) -> float:
    """Return about how many rows a plan reads or makes, given the sizes of tables."""
    rows = float(plan.get("Plan Rows") or 0)
    parts = plan.get("Plans") or []
    if plan.get("Node Type") == "Nested Loop" and len(parts) == 2:
        outer, inner = parts
        return examined(outer, sizes) + max(float(outer.get("Plan Rows") or 0), 1.0) * examined(inner, sizes)
    if plan.get("Node Type") == "Seq Scan":
        return max(rows, float(sizes.get(str(plan.get("Relation Name")), 0)))
    return rows + sum(examined(part, sizes) for part in parts)

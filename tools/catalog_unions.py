"""What the catalog keeps beside its tables: unions, key columns, the words of names, and a corpus's generation.

They are written in the transaction that publishes tables or withdraws them, so a question only reads what it needs.
A catalog of an older version gets them when it is first used.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from sqlalchemy import delete, func, select, update
from sqlalchemy.engine import Connection, Row

from tablerag.tools.catalog_tables import DOCUMENTS, GENERATIONS, KEYS, LONG, TABLES, UNIONS, UNITED, WORDS
from tablerag.tools.errors import StoreDamaged
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.backends.backend import SET_ASIDE
from tablerag.tools.text import tokens
from tablerag.tools.uniting import MOST_MEMBERS, PREFIX, belonging, free_name, stem_of, union_of

M = TypeVar("M", bound=BaseModel)

__all__ = [
    "IDS_PER_QUERY",
    "KEY",
    "LAST",
    "advance",
    "changed",
    "complete",
    "count",
    "forget",
    "keep",
    "lock",
    "parsed",
    "record_of",
    "share_profiles",
    "words_of",
]

KEY = re.compile(r"\w_(?:id|no|nr|key|code|number)$", re.IGNORECASE)
"""customer_id, order_no: columns that join tables; "id" alone identifies the rows of its own table."""
IDS_PER_QUERY = 500
LAST = "\U0010ffff"
WORD_CHARS = 100
LONG_ROWS = 1_000
"""Rows of a table from which on the indexes may hold only its first ones."""


class _Listed(NamedTuple):
    """A table without its schema."""

    table_id: str
    name: str
    source: str


def record_of(kind: type[M], text: str) -> M:
    """Return a record of the catalog; raise StoreDamaged if its text is none."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise StoreDamaged(f"the catalog has a record that is damaged: {SET_ASIDE}") from error


def parsed(rows: Iterable[Row[Any]]) -> list[TableSchema]:
    """Return the schemas in rows of the catalog."""
    return [record_of(TableSchema, r.table_schema) for r in rows]


def lock(connection: Connection, corpus: str) -> bool:
    """Begin a new generation of a corpus, after other writers of it; return whether it is the first.

    Unions depend on many tables: two writers at once would each leave out what the other one publishes.
    """
    if advance(connection, corpus):
        return False
    connection.execute(GENERATIONS.insert(), {"corpus": corpus, "number": 1})
    return True


def advance(connection: Connection, corpus: str) -> bool:
    """Begin a new generation of a corpus, for other hosts to follow; return whether it had one."""
    mine = GENERATIONS.c.corpus == corpus
    return bool(connection.execute(update(GENERATIONS).where(mine).values(number=GENERATIONS.c.number + 1)).rowcount)


def words_of(schemas: Iterable[TableSchema]) -> Counter[str]:
    """Count the words that name tables and their columns."""
    named = (" ".join([s.title, s.source, s.within, *(c.header for c in s.columns)]) for s in schemas)
    return Counter(word[:WORD_CHARS] for text in named for word in tokens(text))


def keep(connection: Connection, corpus: str, schemas: Sequence[TableSchema]) -> None:
    """Write the key columns of tables, and which are long."""
    keys = [
        {"table_id": s.table_id, "name": name, "corpus": corpus}
        for s in schemas
        for name in {c.name.casefold() for c in s.columns if KEY.search(c.name)}
    ]
    long = [{"table_id": s.table_id, "corpus": corpus} for s in schemas if s.row_count > LONG_ROWS]
    for table, rows in ((KEYS, keys), (LONG, long)):
        if rows:
            connection.execute(table.insert(), rows)


def forget(connection: Connection, table_ids: Sequence[str]) -> None:
    """Delete what keep() wrote about tables."""
    for table in (KEYS, LONG):
        _in_parts(table_ids, lambda some, of=table: connection.execute(delete(of).where(of.c.table_id.in_(some))))


def count(connection: Connection, corpus: str, words: Mapping[str, int]) -> None:
    """Add to the number of uses of words; forget those that are not used any more."""
    changes = {word: uses for word, uses in words.items() if uses}
    mine, known = WORDS.c.corpus == corpus, {}
    for some in _parts(list(changes)):
        rows = connection.execute(select(WORDS.c.word, WORDS.c.uses).where(mine, WORDS.c.word.in_(some))).all()
        known |= {r.word: r.uses for r in rows}
    for some in _parts(list(known)):
        connection.execute(delete(WORDS).where(mine, WORDS.c.word.in_(some)))
    total = {word: known.get(word, 0) + uses for word, uses in changes.items()}
    if rows := [{"corpus": corpus, "word": word, "uses": uses} for word, uses in total.items() if uses > 0]:
        connection.execute(WORDS.insert(), rows)


def complete(connection: Connection, corpus: str) -> None:
    """Write what is kept beside tables that an older version published."""
    schemas = parsed(connection.execute(select(TABLES.c.table_schema).where(TABLES.c.corpus == corpus)).all())
    for table in (KEYS, LONG, WORDS):
        connection.execute(delete(table).where(table.c.corpus == corpus))
    keep(connection, corpus, schemas)
    count(connection, corpus, words_of(schemas))
    changed(connection, corpus, {s.signature for s in schemas}, ())


def changed(connection: Connection, corpus: str, signatures: Collection[str], names: Iterable[str]) -> None:
    """Unite the tables of these signatures again, after some with these names were published or withdrawn."""
    stems = {stem_of(n) for n in names if n.casefold().startswith(PREFIX)}
    for signature in sorted(signatures):
        stems |= _unite(connection, corpus, signature)
    for stem in sorted(stems):
        _number(connection, corpus, stem)


def _unite(connection: Connection, corpus: str, signature: str) -> set[str]:
    """Replace the unions of a signature whose members changed; return the stems of their names."""
    mine = (UNIONS.c.corpus == corpus) & (UNIONS.c.signature == signature)
    known = {r.union_id: r.stem for r in connection.execute(select(UNIONS.c.union_id, UNIONS.c.stem).where(mine)).all()}
    groups = {_id(signature, group): group for group in _groups(connection, corpus, signature)}
    stems = {stem for union_id, stem in known.items() if union_id not in groups}
    if gone := [i for i in known if i not in groups]:
        _in_parts(gone, lambda some: connection.execute(delete(UNITED).where(UNITED.c.union_id.in_(some))))
        _in_parts(gone, lambda some: connection.execute(delete(UNIONS).where(UNIONS.c.union_id.in_(some))))
    for union_id, group in groups.items():
        if union_id in known:
            continue
        ids = [row.table_id for row in group]
        found = connection.execute(select(TABLES.c.table_schema).where(TABLES.c.table_id.in_(ids))).all()
        by_id = {s.table_id: s for s in parsed(found)}
        union = union_of([by_id[i] for i in ids])
        if union is None:
            continue
        stems.add(stem := stem_of(union.name))
        first = next(row for row in group if f"union:{row.table_id}" == union.table_id)
        named = {"stem": stem, "wanted": union.name, "name": union.name}
        first_of = {"first_name": first.name, "first_source": first.source}
        about = {"union_id": union_id, "corpus": corpus, "signature": signature, **named, **first_of}
        connection.execute(UNIONS.insert(), about | {"table_schema": union.model_dump_json()})
        members = {m.name for m in union.members}
        rows = [{"table_id": r.table_id, "union_id": union_id} for r in group if r.name in members]
        connection.execute(UNITED.insert(), rows)
    return stems


def share_profiles(connection: Connection, schema: TableSchema) -> set[str]:
    """Give the unions whose first member a table is the profiles of its columns; return their ids."""
    of = select(UNIONS.c.union_id, UNIONS.c.table_schema).join(UNITED, UNITED.c.union_id == UNIONS.c.union_id)
    shared = set()
    for row in connection.execute(of.where(UNITED.c.table_id == schema.table_id)).all():
        union = record_of(TableSchema, row.table_schema)
        if union.table_id != f"union:{schema.table_id}":
            continue
        own = {name: schema.column(mine) for name, mine in union.members[0].columns.items()}
        profiles = {name: column.profile for name, column in own.items() if column}
        columns = tuple(c.model_copy(update={"profile": profiles.get(c.name, "")}) for c in union.columns)
        changed = union.model_copy(update={"columns": columns, "profiled_by": schema.profiled_by})
        mine = UNIONS.c.union_id == row.union_id
        connection.execute(update(UNIONS).where(mine).values(table_schema=changed.model_dump_json()))
        shared.add(row.union_id)
    return shared


def _groups(connection: Connection, corpus: str, signature: str) -> list[list[_Listed]]:
    """Return the tables of a signature that belong together, without their schemas: most groups did not change."""
    headed = ~TABLES.c.table_schema.contains('"header_rows":0,', autoescape=True)
    headed &= ~TABLES.c.table_schema.contains('"set_aside":true,', autoescape=True)
    of = (TABLES.c.corpus == corpus) & (TABLES.c.signature == signature) & headed
    wanted = select(TABLES.c.table_id, TABLES.c.name, DOCUMENTS.c.source)
    joined = wanted.join(DOCUMENTS, DOCUMENTS.c.document_id == TABLES.c.document_id).where(of)
    found = [_Listed(r.table_id, r.name, r.source) for r in connection.execute(joined).all()]
    rows = sorted(found, key=lambda r: (r.source, r.name))
    return [g for g in belonging(rows) if 1 < len(g) <= MOST_MEMBERS]


def _id(signature: str, group: Sequence[_Listed]) -> str:
    members = "\0".join(f"{row.table_id} {row.name}" for row in group)
    return hashlib.sha256(f"{signature}\0{members}".encode("utf-8", "replace")).hexdigest()


def _number(connection: Connection, corpus: str, stem: str) -> None:
    """Give the unions of a stem names that nothing else has, the same whatever was published first."""
    begins = f"{PREFIX}{stem}"
    near = (func.lower(TABLES.c.name) >= begins) & (func.lower(TABLES.c.name) < begins + LAST)
    own = connection.execute(select(TABLES.c.name).where(TABLES.c.corpus == corpus, near)).all()
    taken = {r.name.casefold() for r in own}
    order = (UNIONS.c.signature, UNIONS.c.first_source, UNIONS.c.first_name)
    same = (UNIONS.c.corpus == corpus) & (UNIONS.c.stem == stem)
    rows = connection.execute(select(UNIONS.c.union_id, UNIONS.c.name, UNIONS.c.wanted, *order).where(same)).all()
    for row in sorted(rows, key=lambda r: (r.signature, r.first_source, r.first_name)):
        name = free_name(row.wanted, taken)
        taken.add(name.casefold())
        if name != row.name:
            connection.execute(update(UNIONS).where(UNIONS.c.union_id == row.union_id).values(name=name))


def _in_parts(ids: Sequence[str], do: Callable[[Sequence[str]], object]) -> None:
    for some in _parts(ids):
        do(some)


def _parts(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + IDS_PER_QUERY] for start in range(0, len(ids), IDS_PER_QUERY))

"""The audit: compare the catalog, the SQL tables, Chroma and the lexical index, and fix what differs.

Documents of a running ingest are left alone. Chunks are repaired from the other index, everything else from the
document's file, which is read again.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from tablerag.ingestion.connected_table import FORMAT
from tablerag.ingestion.manifest import container_of
from tablerag.ingestion.pipeline import ingest
from tablerag.ingestion.runs import Run, alive
from tablerag.ingestion.summary_audit import compare_summaries, kept_texts
from tablerag.tools.catalog import DocumentRecord
from tablerag.tools.chunks import delete_chunks
from tablerag.tools.counting import counted
from tablerag.tools.embedding.windows import windows
from tablerag.tools.errors import SqlProblem, StoreDamaged
from tablerag.tools.linking.indexing import index_values, large_columns
from tablerag.tools.linking.large import SEPARATOR
from tablerag.tools.places import place, still_there
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services

__all__ = ["CANNOT", "Audit", "Flaw", "audit", "fix"]

STORED_NAME = re.compile(r".+__[0-9a-f]{12}_\d+")
"""How ingestion names tables. No other table in the database may be dropped."""
BATCH = 500
CANNOT = "cannot be fixed"
"""What fix() says of what is left."""
CHROMA, WORDS = "Chroma", "the lexical index"
MOST_NAMED = 20
"""Tables that a flaw lists by name."""
Remedy = Literal["sweep", "drop", "delete", "copy", "count", "forget", "link", "embed", "keep", "read again"]


@dataclass(frozen=True, slots=True)
class Flaw:
    """An inconsistency and its remedy."""

    corpus: str
    says: str
    remedy: Remedy
    ids: tuple[str, ...] = ()
    """The chunks, documents or tables to fix."""
    number: int = 0

    @property
    def deletes(self) -> bool:
        """Whether its remedy deletes what belongs to no document of the catalog."""
        return self.remedy in DELETING


@dataclass(slots=True)
class Audit:
    """What was compared, and the inconsistencies found."""

    documents: int = 0
    tables: int = 0
    rows: int = 0
    chunks: int = 0
    flaws: list[Flaw] = field(default_factory=list)


def audit(
    services: Services, corpora: Sequence[str] = (), *, awaited: bool = False, beside_damage: bool = False
) -> Audit:
    """Compare the stores of every corpus that has documents, and of those named. Raises StoreUnavailable.

    If ``awaited``, what belongs to no document is no flaw: documents that are to be ingested again left it. What a
    damaged store is part of is left out ``beside_damage``.
    """
    damaged = (StoreDamaged,) if beside_damage else ()
    found = Audit()
    unfinished = services.catalog.unfinished()
    living = alive(services, {v.run for v in unfinished})
    dead = [v for v in unfinished if v.run not in living]
    if dead:
        says = f"{len(dead)} unfinished document versions were left by interrupted ingests"
        found.flaws.append(Flaw("", says, "sweep"))
    at_work = {v.document_id for v in unfinished} - {v.document_id for v in dead}
    passing = {v.document_id for v in unfinished}
    for corpus in sorted({*services.catalog.corpora(), *corpora}):
        with suppress(*damaged):
            _compare_indexes(services, corpus, passing, found)
        _compare_tables(services, corpus, at_work, found)
    _look_for_orphans(services, found)
    with suppress(*damaged):
        _compare_values(services, at_work, found)
    if awaited:
        found.flaws = [f for f in found.flaws if f.remedy not in ("drop", "delete", "forget")]
    return found


def _compare_indexes(services: Services, corpus: str, passing: set[str], found: Audit) -> None:
    dense, lexical = services.vector_store(corpus), services.lexical_index(corpus)
    in_dense, in_lexical = dense.chunk_ids(), lexical.chunk_ids()
    in_sql = kept_texts(services, corpus)
    # Read after the indexes: documents published in the meantime are then not reported as missing.
    documents = {d.document_id: d for d in services.catalog.documents(corpus)}
    passing = passing | {v.document_id for v in services.catalog.unfinished()}
    found.documents += len(documents)
    for name, says, remedy, ids in compare_summaries(services, corpus, set(documents), passing):
        found.flaws.append(Flaw(name, says, remedy, ids))
    strangers = {*in_dense.values(), *in_lexical.values(), *(in_sql or ())} - set(documents) - passing
    if strangers:
        says = f"the indexes hold chunks of {counted(len(strangers), 'document')} not in the catalog"
        found.flaws.append(Flaw(corpus, says, "delete", tuple(sorted(strangers))))
    if in_sql is not None and (lacking := set(in_lexical.values()) & set(documents) - in_sql):
        says = f"the database lacks the texts of {counted(len(lacking), 'document')}"
        found.flaws.append(Flaw(corpus, says, "keep", tuple(sorted(lacking))))
    counts = Counter({**in_dense, **in_lexical}.values())
    one_sided: dict[str, dict[str, set[str]]] = {CHROMA: {}, WORDS: {}}
    for document in documents.values():
        _compare_document(document, in_dense, in_lexical, counts[document.document_id], found, one_sided)
    for name, by_source in one_sided.items():
        if by_source:
            found.flaws.append(_missing(corpus, name, by_source))
    known = [i for i, d in in_dense.items() if d in documents and i in in_lexical]
    found.chunks += len(known)
    odd = _differing(services, corpus, known)
    lost = _misplaced(services, corpus, [i for i in known if i not in set(odd)])
    if lost:
        says = f"{counted(len(lost), 'chunk')} without their own vectors"
        found.flaws.append(Flaw(corpus, says, "embed", tuple(lost)))
    if odd:
        says = f"{counted(len(odd), 'chunk')} incomplete, or not the same in Chroma and the lexical index"
        found.flaws.append(Flaw(corpus, says, "read again", tuple(sorted({in_dense[i] for i in odd}))))


def _misplaced(services: Services, corpus: str, ids: Sequence[str]) -> list[str]:
    """Return the ids of chunks whose vectors are not those of their texts."""
    dense, lexical = services.vector_store(corpus), services.lexical_index(corpus)
    return [i for at in range(0, len(ids), BATCH) for i in dense.misplaced(lexical.get(ids[at : at + BATCH]))]


def _compare_document(
    document: DocumentRecord,
    in_dense: dict[str, str],
    in_lexical: dict[str, str],
    count: int,
    found: Audit,
    lost: dict[str, dict[str, set[str]]],
) -> None:
    """Compare one document's chunks; those that an index has ``lost`` are noted by index and source."""
    own = document.document_id
    if count < document.chunk_count:
        missing = document.chunk_count - count
        says = f"{document.source}: {missing} of {counted(document.chunk_count, 'chunk')} missing from both indexes"
        found.flaws.append(Flaw(document.corpus, says, "read again", (own,)))
        return
    sides = [{i for i, d in side.items() if d == own} for side in (in_dense, in_lexical)]
    for name, missing in ((CHROMA, sides[1] - sides[0]), (WORDS, sides[0] - sides[1])):
        if missing:
            lost[name][document.source] = missing
    if count > document.chunk_count:
        says = (
            f"{document.source}: the catalog counts {counted(document.chunk_count, 'chunk')}, the indexes hold {count}"
        )
        more = count - document.chunk_count
        found.flaws.append(Flaw(document.corpus, says, "count", (own,), more))


def _missing(corpus: str, name: str, by_source: dict[str, set[str]]) -> Flaw:
    """Return what an index lacks: one line, however many documents it is of."""
    ids = sorted(i for missing in by_source.values() for i in missing)
    sources = list(by_source)
    of = sources[0] if len(sources) == 1 else f"{counted(len(sources), 'document')}, such as {sources[0]}"
    return Flaw(corpus, f"{of}: {counted(len(ids), 'chunk')} missing from {name}", "copy", tuple(ids))


def _differing(services: Services, corpus: str, ids: Sequence[str]) -> list[str]:
    """Return the ids of chunks whose text, title or table differs, or whose windows are incomplete."""
    dense, lexical = services.vector_store(corpus), services.lexical_index(corpus)
    indexed = dense.window_counts() if ids else {}
    odd = []
    for start in range(0, len(ids), BATCH):
        some = ids[start : start + BATCH]
        others = {c.id: c for c in lexical.get(some)}
        for chunk in dense.get(some):
            other = others.get(chunk.id)
            if other is None or other != chunk or indexed.get(chunk.id) != len(windows(chunk)):
                odd.append(chunk.id)
    return odd


def _compare_tables(services: Services, corpus: str, at_work: set[str], found: Audit) -> None:
    present = services.database.tables.names()
    for document in services.catalog.documents(corpus):
        schemas = services.catalog.schemas_of_document(document.document_id)
        found.tables += len(schemas)
        if document.document_id in at_work:
            continue
        wrong = [says for s in schemas if (says := _wrong_with(services, s, present))]
        found.rows += sum(s.row_count for s in schemas)
        if len(schemas) != document.table_count:
            wrong.append(f"the catalog has {counted(len(schemas), 'table')}, expected {document.table_count}")
        if wrong:
            says = f"{document.source}: {'; '.join(wrong[:3])}"
            found.flaws.append(Flaw(corpus, says, "read again", (document.document_id,)))


def _wrong_with(services: Services, schema: TableSchema, present: set[str]) -> str:
    name = schema.stored_as or schema.name
    if name not in present:
        return f"table {schema.name} is not in the database"
    tables = services.database.tables
    try:
        missing = set(schema.stored_columns()) - tables.columns(name)
        if missing:
            return f"table {schema.name} is missing the columns {', '.join(sorted(missing))}"
        rows = tables.count_rows(name)
    except SqlProblem as error:
        return f"table {schema.name} cannot be read: {str(error).partition(': run `tablerag doctor')[0]}"
    return (
        ""
        if rows == schema.row_count
        else f"table {schema.name} has {counted(rows, 'row')}, expected {schema.row_count}"
    )


def _look_for_orphans(services: Services, found: Audit) -> None:
    names = [n for n in services.database.tables.names() if STORED_NAME.fullmatch(n)]
    # Read after the tables: a table that is being written is registered before it exists.
    known = services.catalog.stored_tables() | {t for v in services.catalog.unfinished() for t in v.stored_tables}
    orphans = [n for n in names if n not in known]
    if orphans:
        says = f"{counted(len(orphans), 'table')} of no document: {', '.join(orphans[:MOST_NAMED])}"
        found.flaws.append(Flaw("", says, "drop", tuple(orphans)))


def _compare_values(services: Services, at_work: set[str], found: Audit) -> None:
    """Compare the value index with the columns that belong in it."""
    indexed = services.large_values.columns()
    wanted: set[tuple[str, ...]] = set()
    present = services.database.tables.names()
    for corpus in services.catalog.corpora():
        for document in services.catalog.documents(corpus):
            if document.document_id in at_work or document.table_count == 0:
                continue
            schemas = services.catalog.schemas_of_document(document.document_id)
            there = [s for s in schemas if (s.stored_as or s.name) in present]
            try:
                own = {(s.stored_as or s.name, n) for s in there for n, _ in large_columns(services.database, s)}
            except SqlProblem:
                continue  # A table that cannot be read is reported as such, and its document read again.
            wanted |= own
            if missing := [place for place in own if not indexed.get(place)]:
                says = f"{document.source}: {counted(len(missing), 'column')} missing from the value index"
                found.flaws.append(Flaw(corpus, says, "link", (document.document_id,)))
    passing = {t for v in services.catalog.unfinished() for t in v.stored_tables}
    strangers = [place for place in indexed if place not in wanted and place[0] not in passing]
    if strangers:
        says = f"the value index holds {counted(len(strangers), 'column')} of no table"
        found.flaws.append(Flaw("", says, "forget", tuple(SEPARATOR.join(p) for p in strangers)))


def fix(services: Services, flaws: Sequence[Flaw], *, sweeps: bool = True) -> Iterator[str]:
    """Fix what an audit found; yield a line for each thing done, or that cannot be.

    If nothing that interrupted ingests left may be deleted (``sweeps`` is False), no document is read again.
    """
    with Run.started(services, sweeps=sweeps):
        if any(f.remedy == "sweep" for f in flaws):
            yield "deleted what interrupted ingests left"
        for flaw in flaws:
            if flaw.remedy in REMEDIES:
                yield REMEDIES[flaw.remedy](services, flaw)
    again = [f for f in flaws if f.remedy == "read again" and sweeps]
    for corpus in dict.fromkeys(f.corpus for f in again):
        yield from _read_again(services, corpus, {i for f in again if f.corpus == corpus for i in f.ids})


def _drop(services: Services, flaw: Flaw) -> str:
    services.database.tables.drop(flaw.ids)
    return f"dropped {counted(len(flaw.ids), 'table')} of no document"


def _delete(services: Services, flaw: Flaw) -> str:
    delete_chunks(services, flaw.corpus, flaw.ids)
    return f"deleted the chunks of {counted(len(flaw.ids), 'unknown document')}"


def _copy(services: Services, flaw: Flaw) -> str:
    """Copy chunks from the index that has them to the one that lacks them."""
    dense, lexical = services.vector_store(flaw.corpus), services.lexical_index(flaw.corpus)
    for start in range(0, len(flaw.ids), BATCH):
        ids = flaw.ids[start : start + BATCH]
        for here, there in ((dense, lexical), (lexical, dense)):
            chunks = here.get(ids)
            known = {c.id for c in there.get(ids)}
            there.add([c for c in chunks if c.id not in known])
    return f"copied {counted(len(flaw.ids), 'chunk')} to the index that lacked them"


def _count(services: Services, flaw: Flaw) -> str:
    services.catalog.add_to_chunk_counts(flaw.corpus, {flaw.ids[0]: flaw.number})
    return "corrected the catalog's chunk count"


def _forget(services: Services, flaw: Flaw) -> str:
    services.large_values.delete_columns(tuple(i.split(SEPARATOR)) for i in flaw.ids)
    return f"removed {counted(len(flaw.ids), 'column')} from the value index"


def _link(services: Services, flaw: Flaw) -> str:
    services.large_values.delete_documents(flaw.ids)
    for document_id in flaw.ids:
        index_values(services, document_id, services.catalog.schemas_of_document(document_id))
    return f"indexed the values of {counted(len(flaw.ids), 'document')} again"


def _embed(services: Services, flaw: Flaw) -> str:
    chunks = services.lexical_index(flaw.corpus).get(flaw.ids)
    services.vector_store(flaw.corpus).delete(flaw.ids)
    services.vector_store(flaw.corpus).add(chunks)
    return f"embedded {counted(len(flaw.ids), 'chunk')} again"


def _keep(services: Services, flaw: Flaw) -> str:
    """Write the texts of chunks to the database, where an older version has kept none."""
    services.chunk_texts.delete_documents(flaw.corpus, flaw.ids)
    services.chunk_texts.add(flaw.corpus, services.lexical_index(flaw.corpus).of_documents(flaw.ids))
    return f"wrote the texts of {counted(len(flaw.ids), 'document')} to the database"


REMEDIES: dict[str, Callable[[Services, Flaw], str]] = {
    "drop": _drop,
    "delete": _delete,
    "copy": _copy,
    "count": _count,
    "forget": _forget,
    "link": _link,
    "embed": _embed,
    "keep": _keep,
}
DELETING = ("sweep", "drop", "delete", "forget")


def _read_again(services: Services, corpus: str, document_ids: set[str]) -> Iterator[str]:
    documents = [d for d in services.catalog.documents(corpus) if d.document_id in document_ids]
    connected = [d for d in documents if d.format == FORMAT]
    services.catalog.doubt([d.document_id for d in connected])
    yield from (f"{d.source}: run `tablerag sync`, which describes it again" for d in connected)
    documents = [d for d in documents if d.format != FORMAT]
    files = {d.document_id: container_of(place(d.path)) for d in documents}
    there = [d for d in documents if still_there(str(files[d.document_id]))]
    services.catalog.doubt([d.document_id for d in there])
    report = ingest(list({files[d.document_id] for d in there}), services, corpus) if there else None
    for entry in report.entries if report else ():
        yield f"{entry.source}: read again ({entry.error or entry.status})"
    for document in documents:
        if document not in there:
            yield f"{document.source}: {CANNOT} because its file {document.path} is gone: remove the document"

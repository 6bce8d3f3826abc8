"""Health checks: the configuration, every service and store, and how to fix what fails."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from tablerag.ingestion.lost_documents import lost_documents
from tablerag.ingestion.manifest import stored_names, without_tables
from tablerag.tools.catalog_listing import ListedDocument
from tablerag.tools.counting import counted
from tablerag.tools.errors import TableRagError
from tablerag.tools.records import Chunk
from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import lacking

if TYPE_CHECKING:
    from tablerag.ingestion.auditing import Flaw

__all__ = ["Agree", "Finding", "check", "check_deeply"]

Agree = Callable[[Sequence[str]], bool]
"""Tells whether to delete what is described."""

MOST_READ_BYTES = 1_000_000_000
"""Bytes of tables that a check without --deep reads, in about a second if the disk is not slow."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    what: str
    state: Literal["ok", "warning", "broken"]
    says: str


def check(services: Services, corpus: str = "") -> Iterator[Finding]:
    """Yield a finding for each part; a failing part does not hide the others."""
    name = corpus or services.settings.corpus
    counts: dict[str, int] = {}
    yield Finding("home", "ok", f"{services.settings.home.resolve()}, corpus {name!r}")
    yield from _uploads(services)
    yield from _threads(services)
    sql = _tried("sql", lambda: f"{services.database.ping()} at {services.database.shown_url}")
    yield sql
    if sql.state == "broken" and services.database.is_server:
        yield Finding("others", "warning", "documents, indexes, connections and keys need the database: not looked at")
        yield _model(services)
        return
    yield _query_user(services)
    yield _tried("chroma", lambda: _vectors(services, name, counts))
    yield _tried("lexical index", lambda: _words(services, name, counts))
    yield _reranker(services, name)
    if not services.chunk_embedding.is_embedded:
        yield _tried("embedding", lambda: _embedding(services))
    yield from _documents(services, name, counts)
    yield from _connections(services)
    yield from _rights(services)
    yield _model(services)


def check_deeply(services: Services, corpus: str = "", agree: Agree | None = None) -> Iterator[Finding]:
    """Compare all stores item by item.

    ``agree`` is given what fixing deletes, and returns whether to: what differs is then fixed, and compared again.
    What a catalog that was set aside had written is neither a flaw nor deleted before its documents are ingested again.
    """
    from tablerag.ingestion import auditing
    from tablerag.ingestion.restoring import damage

    corpora = [corpus or services.settings.corpus]
    found_state: Literal["warning", "broken"] = "warning" if agree else "broken"
    try:
        damaged = list(damage(services, corpora))
        for says, _ in damaged:
            yield Finding("damage", found_state, says)
        declined = bool(damaged) and not (agree and agree([says for says, _ in damaged]))
        if declined and not agree:
            return
        if declined:
            yield Finding("damage", "broken", "nothing damaged was changed")
        for _, restored in damaged if not declined else ():
            yield Finding("fixed", "ok", restored())
        lost = list(lost_documents(services))
        for says in lost:
            yield Finding("lost", "warning", says)
        if damaged and not services.catalog.corpora():
            return  # without a catalog, all that the other stores hold would be deleted as nobody's
        look = partial(auditing.audit, services, corpora, awaited=bool(lost), beside_damage=declined)
        found = look()
        for flaw in found.flaws:
            yield Finding("audit", found_state, _with_corpus(flaw))
        if found.flaws and agree:
            deleted = [_with_corpus(f) for f in found.flaws if f.deletes]
            agreed = not deleted or agree(deleted)
            fixed = [f for f in found.flaws if agreed or not f.deletes]
            # A run also deletes what interrupted ingests left, in damaged indexes too.
            sweeps = not declined and (agreed or not any(f.remedy == "sweep" for f in found.flaws))
            for done in auditing.fix(services, fixed, sweeps=sweeps) if fixed else ():
                yield Finding("audit", "warning", done) if auditing.CANNOT in done else Finding("fixed", "ok", done)
            found = look()
            for flaw in found.flaws:
                yield Finding("audit", "broken", f"still: {_with_corpus(flaw)}")
    except TableRagError as error:
        yield Finding("audit", "broken", str(error))
        return
    if not declined and not found.flaws and (found.documents or not lost):
        parts = (("document", found.documents), ("table", found.tables), ("row", found.rows), ("chunk", found.chunks))
        counts = ", ".join(counted(n, noun) for noun, n in parts)
        yield Finding("audit", "ok", f"SQL, Chroma and the lexical index agree: {counts}")


def _with_corpus(flaw: "Flaw") -> str:
    return f"corpus {flaw.corpus!r}: {flaw.says}" if flaw.corpus else flaw.says


def _tried(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what, "ok", look())
    except TableRagError as error:
        return Finding(what, "broken", str(error))


def _uploads(services: Services) -> Iterator[Finding]:
    """Look whether files can be written to the folder of uploads, where one is set."""
    if folder := services.settings.uploads:
        if folder.exists() and not folder.is_dir():
            yield Finding("uploads", "broken", f"TABLERAG_UPLOADS: {folder} is no folder: name one")
        elif not folder.is_absolute():
            says = f"TABLERAG_UPLOADS: {folder} depends on where a process is started: write the absolute path"
            yield Finding("uploads", "warning", says)
        elif not folder.is_dir():
            says = f"TABLERAG_UPLOADS: no folder {folder}: the first upload makes it; is a shared disk not mounted?"
            yield Finding("uploads", "warning", says)
        elif os.access(folder, os.W_OK | os.X_OK):
            yield Finding("uploads", "ok", str(folder.resolve()))
        else:
            yield Finding("uploads", "broken", f"TABLERAG_UPLOADS: cannot write to {folder}: change its rights")


def _threads(services: Services) -> Iterator[Finding]:
    """Connect to the database of the server's threads, where one is set."""
    if url := services.settings.checkpoint_url:
        from tablerag.tools.threads_database import ping

        yield _tried("threads", lambda: f"{ping(url)} answers")


def _reranker(services: Services, corpus: str) -> Finding:
    """Rerank two chunks."""
    chunk = Chunk(id="a", text="| City |\n| --- |\n| Oslo |", kind="table", document_id="d", source="s", table_id="t")
    other = chunk.model_copy(update={"id": "b", "table_id": "u", "text": "| Tree |\n| --- |\n| Oak |"})

    def look() -> str:
        reranker = services.reranker(corpus)
        reranker.rerank("Which city is it?", [chunk, other], 2)
        return f"{reranker.name} answers"

    return _tried("reranker", look)


def _query_user(services: Services) -> Finding:
    try:
        rights = services.database.rights_beyond_reading()
        if not rights:
            return Finding("query user", "ok", "SQL written by a model runs read-only")
    except TableRagError as error:
        return Finding("query user", "broken", str(error))
    return Finding(
        "query user",
        "warning",
        f"the database user that runs a model's SQL may write ({', '.join(rights[:6])}); only the SQL guard prevents "
        "it: create a SELECT-only user and set TABLERAG_QUERY_DATABASE_URL",
    )


def _connections(services: Services) -> Iterator[Finding]:
    """Open every connected database, and warn of users who may write."""
    from tablerag.tools.connections.registry import open_engine

    try:
        every = services.database.connections.all()
    except TableRagError as error:
        yield Finding("connections", "broken", str(error))
        return
    for connection in every:
        what = f"connection {connection.name}"
        engine = open_engine(connection)
        try:
            tables, _ = engine.tables(connection.database_schema)
            rights = engine.writing_rights()
        except TableRagError as error:
            yield Finding(what, "broken", str(error))
            continue
        finally:
            engine.close()
        if rights:
            says = f"its user may write ({', '.join(rights[:6])}); only the SQL guard and the session prevent it"
            yield Finding(what, "warning", f"{says}: connect as a user who may only SELECT")
        else:
            yield Finding(what, "ok", f"{engine.name}, {counted(len(tables), 'table')} at {engine.place}, read-only")


def _vectors(services: Services, corpus: str, counts: dict[str, int]) -> str:
    """Count the chunks of the vector store into ``counts``, and describe it."""
    store = services.vector_store(corpus)
    counts["dense"] = store.count()
    return f"{store.engine}, {counted(counts['dense'], 'chunk')} in {corpus!r} at {store.place}"


def _embedding(services: Services) -> str:
    """Embed a word, and describe the embedding."""
    numbers = len(services.chunk_embedding.embed_query("city"))
    return f"{services.chunk_embedding.name} answers, {counted(numbers, 'number')} a vector"


def _words(services: Services, corpus: str, counts: dict[str, int]) -> str:
    """Count the chunks of the lexical index into ``counts``, and describe it."""
    index = services.lexical_index(corpus)
    index.check(MOST_READ_BYTES)  # else the library prints Rust's messages where damage makes it panic
    counts["lexical"] = index.count()
    return f"{index.engine}, {counted(counts['lexical'], 'chunk')} in {corpus!r}"


def _documents(services: Services, corpus: str, counts: Mapping[str, int]) -> Iterator[Finding]:
    """Compare what the catalog lists with what is stored and indexed."""
    try:
        documents = services.catalog.listed_documents(corpus)
        tables = services.database.tables
        names = stored_names(documents, tables)
        read = tables.read_files(names, MOST_READ_BYTES)
        lost = without_tables(documents, tables.whole(names) - {*read.damaged})
    except TableRagError as error:
        yield Finding("documents", "broken", str(error))
        return
    yield _indexed(documents, corpus, counts, [] if documents else list(lost_documents(services)))
    if lost:
        says = f"tables of {counted(len(lost), 'document')} are damaged or gone, such as {lost[0].source}"
        yield Finding("tables", "warning", f"{says}: `tablerag doctor --fix` reads them again")
    elif read.sound or read.unread:
        yield Finding("tables", "ok", f"{counted(read.sound, 'file')} not damaged{_unread(read.unread)}")
    for level, count in lacking(documents).items():
        says = f"{counted(count, 'document')} without {level} summaries, which HD-RAG cannot find"
        yield Finding("summaries", "warning", f"{says}: run `tablerag ingest PATH --summaries {level}`")


def _unread(count: int) -> str:
    return f", {count} more not read: `tablerag doctor --deep` reads all" if count else ""


def _indexed(
    documents: Sequence[ListedDocument], corpus: str, counts: Mapping[str, int], lost: Sequence[str]
) -> Finding:
    wanted = sum(d.chunk_count for d in documents)
    tables = sum(d.table_count for d in documents)
    says = f"{counted(len(documents), 'document')}, {counted(tables, 'table')}, {counted(wanted, 'chunk')}"
    if any(count != wanted for count in counts.values()):
        found = {"dense": "Chroma holds", "lexical": "the lexical index holds"}
        held = " and ".join(f"{found[name]} {counted(count, 'chunk')}" for name, count in counts.items())
        if lost:
            return Finding("documents", "warning", f"corpus {corpus!r} is empty, but {held}; {'; '.join(lost)}")
        if not documents:
            says = f"corpus {corpus!r} is empty, but {held}: run `tablerag ingest PATH`, or `tablerag doctor --fix` to"
            return Finding("documents", "warning", f"{says} delete them")
        gone: Literal["warning", "broken"] = "broken" if 0 in counts.values() else "warning"
        return Finding("documents", gone, f"{says}, but {held}: `tablerag doctor --fix` fixes them")
    if not documents:
        return Finding("documents", "warning", f"corpus {corpus!r} is empty: run `tablerag ingest PATH`")
    return Finding("documents", "ok", f"{says}, only counted: `tablerag doctor --deep` compares them")


def _model(services: Services) -> Finding:
    name = services.settings.resolved_model
    if name == "offline":
        return Finding(
            "model",
            "ok",
            "offline: the embedded reasoner without a language model; to use one, set TABLERAG_MODEL and its "
            "provider's key, or OPENAI_BASE_URL",
        )

    def look() -> str:
        from tablerag.tools.models import ping_model

        return ping_model(name, services.settings)

    return _tried("model", look)


def _rights(services: Services) -> Iterator[Finding]:
    """Name the rules of API keys that fit no table, and the tables that they close."""
    from tablerag.tools.access.row_filters import misfits

    keys = services.settings.api_keys
    for number, (rights, corpora) in enumerate(keys.all_rights(), start=1):
        try:
            every = [s for c in corpora or services.catalog.corpora() for s in services.catalog.tables(c)]
        except TableRagError as error:
            yield Finding(f"rights of key {number}", "broken", str(error))
            return
        known = {*services.catalog.corpora(), services.settings.corpus}
        for corpus in sorted((corpora or frozenset()) - known):
            yield Finding(f"rights of key {number}", "warning", f"there is no corpus {corpus[:40]!r}")
        connected = [c.name for c in services.database.connections.all()]
        for name in (n for n in rights.connections if "*" not in n and n not in connected):
            yield Finding(f"rights of key {number}", "warning", f"there is no connection {name[:40]!r}")
        for says in misfits(every, rights):
            yield Finding(f"rights of key {number}", "warning", says)

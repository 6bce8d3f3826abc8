"""Documents of a catalog that was set aside: which are not ingested again yet, and the command that does so."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote

from tablerag.ingestion.manifest import container_of
from tablerag.tools.counting import counted
from tablerag.tools.places import is_url, place, still_there
from tablerag.tools.services import Services
from tablerag.tools.sql.backends.backend import Recorded

__all__ = ["lost_documents"]

MOST_NAMED = 20
"""Documents that a message names."""


def lost_documents(services: Services) -> Iterator[str]:
    """Yield a line for each corpus whose indexes hold documents that only a catalog set aside lists.

    A document is no longer lost when its source is in the catalog again, or when no catalog is set aside any more.
    """
    aside, records = services.database.backend.set_aside_records()
    folder = services.home / "lexical"
    if not aside or not folder.is_dir():
        return
    known = {r.document_id: r for r in records}
    for corpus in sorted(f.name for f in folder.iterdir() if f.is_dir()):
        lost = _lost(services, corpus, known)
        if lost:
            names = ", ".join(sorted(lost.values())[:MOST_NAMED]) + " and more" * (len(lost) > MOST_NAMED)
            yield (
                f"corpus {corpus!r}: {counted(len(lost), 'document')} of the damaged catalog not ingested again "
                f"({names}): {_advice(corpus, [known[i] for i in lost if i in known], aside)}"
            )


def _lost(services: Services, corpus: str, known: Mapping[str, Recorded]) -> dict[str, str]:
    """Return the sources of the lost documents by id: of the set-aside catalog, else of their chunks."""
    index = services.own_lexical_index(corpus)
    chunks = {document: chunk for chunk, document in index.chunk_ids().items()}
    documents = services.catalog.documents(corpus)
    passing = {v.document_id for v in services.catalog.unfinished()}
    ids = set(chunks) - {d.document_id for d in documents} - passing
    sources = {i: known[i].source for i in ids if i in known}
    sources |= {c.document_id: c.source for c in index.get([chunks[i] for i in sorted(ids - set(known))])}
    own = {d.source for d in documents}
    return {i: source.replace("`", "'") for i, source in sources.items() if source not in own}


def _advice(corpus: str, lost: Sequence[Recorded], aside: Sequence[Path]) -> str:
    there = [r for r in lost if still_there(str(container_of(place(r.path))))]
    if lost and not there:
        return f"their files are gone: delete {' and '.join(str(f) for f in aside)} to give them up"
    places = {
        r.folder if is_url(r.folder) or Path(r.folder).is_dir() else str(container_of(place(r.path))) for r in there
    }
    return f"run `tablerag ingest {' '.join(map(quote, sorted(places))) or 'PATH'} --corpus {quote(corpus)}`"

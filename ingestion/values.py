"""The value index at ingest: which columns belong in it, and an index that another version has written."""

from collections.abc import Iterator

from tablerag.ingestion.document_content import StoredTable
from tablerag.tools.linking.indexing import index_values
from tablerag.tools.linking.values import MAX_DISTINCT
from tablerag.tools.services import Services

__all__ = ["may_be_large", "migrate_values"]


def migrate_values(services: Services) -> bool:
    """Write the value index again if another version has written it; return whether it did."""
    if not services.large_values.delete_outdated():
        return False
    for corpus in services.catalog.corpora():
        for document in services.catalog.documents(corpus):
            index_values(services, document.document_id, services.catalog.schemas_of_document(document.document_id))
    return True


def may_be_large(stored: StoredTable) -> Iterator[tuple[str, str]]:
    """Yield the stored table and column of those that may have more than MAX_DISTINCT values."""
    for name, column_, beside in zip(stored.table.names, stored.table.columns, stored.companions, strict=True):
        if column_.distinct > MAX_DISTINCT:
            yield stored.schema.stored_as, beside.raw or name

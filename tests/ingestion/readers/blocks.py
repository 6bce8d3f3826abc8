"""What the reader tests look at: a document's tables and texts."""

from tablerag.ingestion.document import Document, TableBlock, TextBlock


def tables(document: Document) -> list[TableBlock]:
    """Return the tables in reading order."""
    return [b for b in document.blocks if isinstance(b, TableBlock)]


def texts(document: Document) -> list[str]:
    """Return the texts in reading order."""
    return [b.text for b in document.blocks if isinstance(b, TextBlock)]


def outline(document: Document) -> list[str]:
    """Return one mark a block: a text, or "TABLE" and its grid's first cell."""
    return [b.text if isinstance(b, TextBlock) else f"TABLE {b.grid[0][0]}" for b in document.blocks]

"""What all mails have: headers as fields, paragraphs, the names of attachments."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from tablerag.ingestion.document import Block, Document, Locator, TableBlock, TextBlock

__all__ = ["LOCKED", "body_of", "mail_document", "mail_name", "text_blocks"]

LOCKED = "the body is encrypted: save the mail decrypted"


def mail_document(
    path: Path,
    headers: Iterable[tuple[str, str]],
    body: Sequence[Block],
    attached: Sequence[str],
    warnings: tuple[str, ...] = (),
) -> Document:
    """Return the document of a mail, titled by its subject."""
    fields = [(name, value) for name, value in headers if value]
    fields += [("Attachments", ", ".join(attached))] if attached else []
    subject = dict(fields).get("Subject", "")
    lines = [TextBlock(f"{name}: {value}", Locator()) for name, value in fields]
    return Document(path, subject or path.stem, [*lines, *body], warnings)


def text_blocks(text: str) -> list[Block]:
    """Return the paragraphs of a text body."""
    lines = (line.rstrip() for line in text.replace("\r\n", "\n").split("\n"))
    paragraphs = ("\n".join(some) for blank, some in groupby(lines, key=lambda line: not line.strip()) if not blank)
    return [TextBlock(p, Locator()) for p in paragraphs]


def body_of(texts: list[Block], page: list[Block]) -> list[Block]:
    """Return the text body, or the HTML body where that is all, or has tables, which are lost in the text."""
    return page if any(isinstance(b, TableBlock) for b in page) or not texts else texts


def mail_name(subject: str) -> str:
    """Return the file name of an attached mail."""
    kept = "".join(c for c in subject if c not in '/\\:*?"<>|')
    return f"{kept[:80].strip() or 'mail'}.eml"

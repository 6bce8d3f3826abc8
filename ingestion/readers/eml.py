"""Mails (EML): headers as fields and the body as text; attachments are documents of their own."""

import email
from collections.abc import Iterator
from email.errors import MessageError
from email.message import EmailMessage
from email.policy import EmailPolicy
from pathlib import Path

from tablerag.ingestion.document import Block, Document
from tablerag.ingestion.readers.archives import check_not_binary
from tablerag.ingestion.readers.encoding import decode, encoding_of
from tablerag.ingestion.readers.headings import HeadingPath
from tablerag.ingestion.readers.html import html_blocks
from tablerag.ingestion.readers.mails import LOCKED, body_of, mail_document, mail_name, text_blocks
from tablerag.tools.errors import UnreadableDocument

__all__ = ["attachments", "read_eml"]

MOST_PARTS = 1000
SHOWN = ("From", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject")
ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
ERRORS = (MessageError, LookupError, ValueError, TypeError, AttributeError)
"""What the parser of headers and encodings raises on damaged mails."""

MOST_HEADER = 20_000
"""The most characters of a header: parsing takes a thousand times their memory."""


class _Policy(EmailPolicy):
    """How mails are parsed: long headers are cut."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:MOST_HEADER]


def read_eml(path: Path) -> Document:
    """Read one mail's headers and body; the HTML body if it holds a table that the text body lacks."""
    message = _message(path)
    headers = [(name, _header(message, name)) for name in SHOWN]
    parts = list(_parts(message))
    blocks = _body(parts)
    names = [name for part in parts if (name := _file_name(part))]
    if not any(value for _, value in headers):
        raise UnreadableDocument("is not a mail: use the right suffix")
    return mail_document(path, headers, blocks, names, (LOCKED,) if message.get_content_type() in ENCRYPTED else ())


def attachments(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each attached file; attached mails as EML."""
    for part in _parts(_message(path)):
        if name := _file_name(part):
            yield name, _content(part)


def _message(path: Path) -> EmailMessage:
    check_not_binary(path, "a mail")
    data = path.read_bytes()
    if encoding_of(data[:4096]).startswith("utf-16"):
        data = decode(data, "a mail")[0].encode()
    try:
        return email.message_from_bytes(data, _class=EmailMessage, policy=_Policy())  # pyright: ignore[reportReturnType]
    except (*ERRORS, RecursionError) as error:
        raise UnreadableDocument("cannot be read as a mail: open it and save it again") from error


def _header(message: EmailMessage, name: str) -> str:
    """Return a header's text; headers that break the rules as they are."""
    try:
        return " ".join(str(message.get(name) or "").split())
    except ERRORS:
        raw = next((v for n, v in message.raw_items() if n.lower() == name.lower()), "")
        return " ".join(str(raw).encode("utf-8", "replace").decode("utf-8").split())


def _parts(message: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the parts that are not made of others, in order; attached mails as a whole."""
    stack = [message]
    count = 0
    while stack:
        part = stack.pop()
        count += 1
        if count > MOST_PARTS:
            raise UnreadableDocument(f"has more than {MOST_PARTS} parts: save its attachments as files")
        if part.get_content_maintype() == "multipart" and part.is_multipart():
            stack.extend(reversed(_inner(part)))
        else:
            yield part


def _inner(part: EmailMessage) -> list[EmailMessage]:
    """Return the parts of a part; a text has none, and asking for it as a text raises on some charsets."""
    return list(part.get_payload()) if part.is_multipart() else []  # type: ignore[arg-type]


def _file_name(part: EmailMessage) -> str:
    """Return the name of an attached file, "" for the body and for pictures inside it."""
    if part.get_content_type() == "message/rfc822":
        inner = _inner(part)
        return mail_name(_header(inner[0], "Subject") if inner else "")
    try:
        name = part.get_filename() or ""
    except ERRORS:
        name = ""
    is_picture = part.get_content_maintype() == "image" and part.get("Content-ID")
    return "" if is_picture else " ".join(name.split())


def _content(part: EmailMessage) -> bytes:
    if inner := _inner(part):
        return inner[0].as_bytes()
    try:
        data = part.get_payload(decode=True)
    except ERRORS:
        data = None
    return data if isinstance(data, bytes) else b""


def _body(parts: list[EmailMessage]) -> list[Block]:
    """Return the blocks of the text, or of the HTML where that is all, or has tables."""
    texts: list[Block] = []
    pages: list[Block] = []
    for part in parts:
        if _file_name(part):
            continue
        if part.get_content_type() == "text/html":
            pages += html_blocks(_text_of(part), HeadingPath())
        elif part.get_content_maintype() in ("text", "multipart"):
            texts += text_blocks(_text_of(part))
    return body_of(texts, pages)


def _text_of(part: EmailMessage) -> str:
    data = _content(part)
    charset = part.get_content_charset()
    if charset:
        try:
            return data.decode(charset)
        except (LookupError, ValueError):  # a charset that is unknown, not that of the text, or no name at all
            pass
    return decode(data.replace(b"\0", b""), "a mail")[0]

"""Outlook mails (MSG), through olefile: headers as fields and the body as text; attachments are documents."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from tablerag.ingestion.document import Block, Document
from tablerag.ingestion.readers.archives import OLE, format_of, mismatch, unreadable
from tablerag.ingestion.readers.encoding import decode
from tablerag.ingestion.readers.headings import HeadingPath
from tablerag.ingestion.readers.html import decoded_page, html_blocks
from tablerag.ingestion.readers.mails import LOCKED, body_of, mail_document, mail_name, text_blocks
from tablerag.tools.errors import UnreadableDocument

__all__ = ["attachments", "read_msg"]

SUBJECT, SENDER, SENDER_SMTP, TO, CC, BCC = "0037", "0C1A", "5D01", "0E04", "0E03", "0E02"
BODY, HTML, CLASS, SUBMITTED, DELIVERED = "1000", "1013", "001A", "0039", "0E06"
LONG_NAME, SHORT_NAME, DATA, CONTENT_ID = "3707", "3704", "3701", "3712"
CODE_PAGE, INTERNET_CODE_PAGE = "3FFD", "3FDE"
PROPERTIES = "__properties_version1.0"
ATTACHED = "__attach_version1.0_#"
EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
MOST_ATTACHMENTS = 1000
MOST_DEPTH = 3
"""Mails attached to mails beyond this are left out."""


def read_msg(path: Path) -> Document:
    """Read one mail's headers and body; the HTML body if it holds a table that the text body lacks."""
    with _opened(path) as mail:
        headers = _headers(mail)
        blocks = _body(mail)
        names = [name for name, _ in mail.attached()]
        locked = (LOCKED,) if mail.text(CLASS).lower().startswith("ipm.note.smime") and not blocks else ()
    return mail_document(path, headers, blocks, names, locked)


def attachments(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each attached file; attached mails as EML."""
    with _opened(path) as mail:
        yield from mail.attached()


@contextmanager
def _opened(path: Path) -> Iterator["_Mail"]:
    if (found := format_of(path)) != OLE:
        raise mismatch(found, "an Outlook mail")
    try:
        olefile = import_module("olefile")
    except ImportError as error:
        raise UnreadableDocument(
            'needs a package to read Outlook mails: pip install "tablerag[msg]", or save it as .eml'
        ) from error
    try:
        with olefile.OleFileIO(str(path)) as ole:
            if not ole.exists(PROPERTIES):
                raise UnreadableDocument("is not an Outlook mail: use the right suffix")
            yield _Mail(ole, ())
    except UnreadableDocument:
        raise
    except (OSError, ValueError, TypeError, LookupError, AttributeError, struct.error) as error:
        raise unreadable("an Outlook mail") from error


class _Mail:
    """A storage of properties in an OLE file: a mail, one attached to it, or an attachment."""

    def __init__(self, ole: Any, folder: tuple[str, ...]) -> None:
        self._ole, self._folder = ole, folder

    def data(self, tag: str) -> bytes:
        """Return the bytes of a binary property, b"" if there is none."""
        return self._stream(f"__substg1.0_{tag}0102")

    def text(self, tag: str) -> str:
        """Return a text property, "" if there is none."""
        if data := self._stream(f"__substg1.0_{tag}001F"):
            return data.decode("utf-16-le", "replace").replace("\0", "").strip()
        data = self._stream(f"__substg1.0_{tag}001E").replace(b"\0", b"")
        for page in (self._number(CODE_PAGE), self._number(INTERNET_CODE_PAGE)):
            with suppress(LookupError, UnicodeDecodeError):
                return data.decode(f"cp{page}").strip()  # cp65001 is UTF-8
        return decode(data, "an Outlook mail")[0].strip() if data else ""

    def time(self, tag: str) -> str:
        """Return a time property as mails write it, "" if there is none."""
        ticks = self._number(tag, 0x40)
        try:
            return format_datetime(EPOCH + timedelta(microseconds=ticks // 10)) if ticks else ""
        except OverflowError:
            return ""

    def _number(self, tag: str, wanted: int = 0x03) -> int:
        """Return a property of fixed size, 0 if there is none."""
        properties = self._stream(PROPERTIES)
        for start in range(len(properties) % 16, len(properties) - 15, 16):
            kind, number = struct.unpack_from("<HH", properties, start)
            if kind == wanted and f"{number:04X}" == tag:
                return struct.unpack_from("<Q" if wanted == 0x40 else "<I", properties, start + 8)[0]
        return 0

    def _stream(self, name: str) -> bytes:
        path = [*self._folder, name]
        if not self._ole.exists(path) or self._ole.get_type(path) != 2:
            return b""
        with self._ole.openstream(path) as stream:
            return stream.read()

    def attached(self, depth: int = 0) -> Iterator[tuple[str, bytes]]:
        """Yield the name and content of each attached file and mail, without pictures in the body."""
        own = len(self._folder)
        folders = {tuple(p[: own + 1]) for p in self._ole.listdir() if tuple(p[:own]) == self._folder and len(p) > own}
        found = sorted(f for f in folders if f[-1].startswith(ATTACHED))
        if len(found) > MOST_ATTACHMENTS:
            raise UnreadableDocument(f"has more than {MOST_ATTACHMENTS} attachments: save them as files")
        for folder in found:
            part = _Mail(self._ole, folder)
            inner = _Mail(self._ole, (*folder, f"__substg1.0_{DATA}000D"))
            if inner._stream(PROPERTIES):
                if depth < MOST_DEPTH:
                    yield mail_name(inner.text(SUBJECT)), inner.as_eml(depth + 1)
            elif not part.text(CONTENT_ID) or not part._is_picture():
                yield part.name(), part.data(DATA)

    def name(self) -> str:
        """Return the file name of an attachment."""
        return self.text(LONG_NAME) or self.text(SHORT_NAME) or "attachment"

    def _is_picture(self) -> bool:
        return Path(self.name()).suffix.lower() in (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".svg")

    def as_eml(self, depth: int) -> bytes:
        """Return an attached mail in the format of mails."""
        made = EmailMessage()
        for name, value in _headers(self):
            if value:
                made[name] = " ".join(value.split())
        made.set_content(self.text(BODY) or " ")
        if html := self.data(HTML):
            made.add_alternative(decoded_page(html)[0], subtype="html")
        for name, data in self.attached(depth):
            made.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
        return bytes(made)


def _headers(mail: _Mail) -> list[tuple[str, str]]:
    sender, address = mail.text(SENDER), mail.text(SENDER_SMTP)
    return [
        ("From", f"{sender} <{address}>" if address and address != sender else sender),
        ("To", mail.text(TO)),
        ("Cc", mail.text(CC)),
        ("Bcc", mail.text(BCC)),
        ("Date", mail.time(SUBMITTED) or mail.time(DELIVERED)),
        ("Subject", mail.text(SUBJECT)),
    ]


def _body(mail: _Mail) -> list[Block]:
    html = mail.data(HTML).replace(b"\0", b"")
    page = decoded_page(html)[0] if html else mail.text(HTML)
    return body_of(text_blocks(mail.text(BODY)), html_blocks(page, HeadingPath()) if page else [])

"""Decodes text files by their byte order mark, or else by detection."""

import codecs
import re
from pathlib import Path

from charset_normalizer import from_bytes

from tablerag.ingestion.readers.archives import check_not_binary, mismatch
from tablerag.tools.errors import UnreadableDocument

__all__ = ["decode", "encoding_of", "guess_warning", "nuls_removed", "read_text", "undecodable"]

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
CANDIDATES = ("cp1252", "gb18030", "shift_jis", "euc_kr", "big5", "cp1250", "cp1251", "cp1253", "cp1255", "cp1256")
"""Encodings tried if the text is not Unicode: those that old programs still write."""
SAMPLE = 32_768
MAX_NULS = 0.01
"""The largest share of NUL characters in text: some programs leave a few in their exports."""


def read_text(path: Path, expected: str) -> tuple[str, tuple[str, ...]]:
    """Return the file's text and warnings; raise UnreadableDocument if it is not text."""
    check_not_binary(path, expected)
    return decode(path.read_bytes(), expected)


def decode(data: bytes, expected: str) -> tuple[str, tuple[str, ...]]:
    """Return the decoded bytes, with a warning if the encoding was guessed."""
    encoding = _stated(data)
    warnings: tuple[str, ...] = ()
    try:
        text = data.decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        if encoding:
            raise undecodable(encoding, error) from error
        if b"\x00" in data:
            raise mismatch("binary data", expected) from error
        encoding = _guessed(data)
        text = data.decode(encoding, errors="replace")
        warnings = (guess_warning(encoding),)
    if "\x00" in text:
        warnings = (*warnings, nuls_removed(text.count("\x00"), len(text), expected))
        text = text.replace("\x00", "")
    return text, warnings


def nuls_removed(count: int, size: int, expected: str) -> str:
    """Return the warning that NUL characters were removed; raise UnreadableDocument if there are too many for text."""
    if count > MAX_NULS * size:
        raise mismatch("binary data", expected)
    return f"{count} NUL characters were removed"


def undecodable(encoding: str, error: UnicodeDecodeError) -> UnreadableDocument:
    """Return the error for a file whose content does not match its byte order mark."""
    return UnreadableDocument(
        f"begins as {encoding} but is not valid {encoding} at byte {error.start:,}: save it as UTF-8"
    )


def guess_warning(encoding: str) -> str:
    """Return the warning that an encoding was guessed."""
    return f"the encoding was guessed to be {encoding}; save the file as UTF-8 if letters look wrong"


def encoding_of(data: bytes) -> str:
    """Return the encoding that ``decode`` uses for the bytes."""
    stated = _stated(data)
    if stated or _decodes(data, "utf-8") or _decodes(data[: data.rfind(b"\n") + 1], "utf-8"):
        return stated or "utf-8"
    return _guessed(data)


def _stated(data: bytes) -> str | None:
    """Return the encoding shown by the first bytes, or None."""
    return next((name for mark, name in BYTE_ORDER_MARKS if data.startswith(mark)), None) or _bare_utf16(data)


def _bare_utf16(data: bytes) -> str | None:
    """Return the UTF-16 variant of data without a byte order mark: every other byte of ASCII is zero."""
    head = data[:2048]
    if len(head) < 4 or len(data) % 2:
        return None
    half = len(head) // 2
    if head[1::2].count(0) > 0.7 * half and not head[0::2].count(0):
        return "utf-16-le"
    if head[0::2].count(0) > 0.7 * half and not head[1::2].count(0):
        return "utf-16-be"
    return None


def _guessed(data: bytes) -> str:
    """Return the likeliest encoding, judged by the lines with non-ASCII bytes."""
    lines, size = [], 0
    for match in re.finditer(rb"[^\r\n]+", data):
        if match.group().isascii():
            continue
        lines.append(match.group())
        size += len(lines[-1])
        if size > SAMPLE:
            break
    sample = b"\n".join(lines)
    # A few non-ASCII bytes among ASCII letters are Western accents, which the detector takes for rare scripts.
    # Bytes below 0xA0 are punctuation and the euro sign.
    foreign = sum(b > 0x9F for b in sample)
    letters = sum(0x41 <= (b & 0xDF) <= 0x5A for b in sample)
    if foreign < 0.3 * letters and _decodes(sample, "cp1252") and not re.search(rb"[\x80-\xff]{3}", sample):
        return "cp1252"
    best = from_bytes(sample, cp_isolation=list(CANDIDATES)).best()
    name = best.encoding if best else "cp1252"
    return name if _decodes(data, name) else "cp1252"


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True

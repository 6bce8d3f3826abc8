"""Checks on a file's first bytes and on ZIP archives, before a format's own library opens it."""

import copy
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO
from xml.parsers import expat

from tablerag.tools.errors import UnreadableDocument

__all__ = [
    "BLOCK",
    "DAMAGE",
    "FREE_UNPACKED",
    "HTML",
    "MAX_RATIO",
    "MAX_UNPACKED",
    "OLE",
    "XML",
    "check_archive",
    "check_archive_members",
    "check_not_binary",
    "check_xml",
    "format_of",
    "mismatch",
    "parse",
    "unreadable",
]

MAX_UNPACKED = 1_000_000_000
"""The largest unpacked size of an archive, in bytes."""
MAX_RATIO = 200
"""The largest compression ratio of archives that unpack to more than FREE_UNPACKED bytes."""
FREE_UNPACKED = 50_000_000
BLOCK = 1 << 20
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compressions of Office files; others reach ratios of a million, and zipfile unpacks them in one go."""

DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""Errors that libraries raise on damaged files; those of XML parsers are SyntaxErrors."""
XML = (".xml", ".rels")
ENTITY = b"<!ENTITY"
"""Begins what no Office program writes, and what makes a kilobyte of XML gigabytes."""

SIGNATURES = (
    (b"PK\x03\x04", "a ZIP archive (as XLSX, DOCX and ODS files are)"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an OLE file (old Office formats, and encrypted new ones)"),
    (b"%PDF-", "a PDF"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"SQLite format 3\x00", "a SQLite database"),
)
OLE = SIGNATURES[2][1]
HTML = "an HTML page"


def format_of(path: Path) -> str:
    """Return the file's format by its first bytes, "" if unknown."""
    with path.open("rb") as file:
        head = file.read(512)
    for magic, name in SIGNATURES:
        if head.startswith(magic):
            return name
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return HTML if text.startswith((b"<!doctype html", b"<html")) else ""


def check_not_binary(path: Path, expected: str) -> None:
    """Raise UnreadableDocument if a text format's file has another format's signature."""
    found = format_of(path)
    if found and found != HTML:
        raise mismatch(found, expected)


def mismatch(found: str, expected: str) -> UnreadableDocument:
    """Return the error for a file whose content is not what its suffix promises; ``found`` may be empty."""
    return UnreadableDocument(f"is {f'{found}, ' if found else ''}not {expected}: use the right suffix")


def unreadable(expected: str) -> UnreadableDocument:
    """Return the error for a file that its format's library cannot read, without the library's words."""
    return UnreadableDocument(f"cannot be read as {expected}: open it and save it again")


def check_archive(path: Path, expected: str, max_part: int = MAX_UNPACKED) -> None:
    """Raise UnreadableDocument unless the file is an undamaged, unencrypted ZIP archive of reasonable size.

    ``max_part`` bounds each XML file inside, in bytes.
    """
    found = format_of(path)
    if found == OLE:
        raise UnreadableDocument(
            f"is encrypted or in an old Office format, not {expected}: save it again without a password"
        )
    if not found.startswith("a ZIP"):
        raise mismatch(found, expected)
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            check_archive_members(members, max(1, path.stat().st_size))
            _check_sizes(archive, members)
            long = next((m for m in members if m.filename.endswith(".xml") and m.file_size > max_part), None)
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError) as error:
        raise UnreadableDocument(
            f"is a damaged or truncated ZIP archive, not {expected}: save or fetch it again"
        ) from error
    if long is not None:
        raise UnreadableDocument(
            f"contains {long.filename[:80]!r} of {long.file_size / 1e6:.0f} MB, above the limit of "
            f"{max_part / 1e6:.0f} MB: split the file"
        )


def check_archive_members(members: Sequence[zipfile.ZipInfo], packed: int) -> None:
    """Raise UnreadableDocument if an archive's list of members shows encryption, a bomb or unknown compression."""
    if any(m.flag_bits & 0x1 for m in members):
        raise UnreadableDocument("is an encrypted archive: save it again without a password")
    unpacked = sum(m.file_size for m in members)
    if unpacked > MAX_UNPACKED or (unpacked > FREE_UNPACKED and unpacked / packed > MAX_RATIO):
        raise UnreadableDocument(
            f"unpacks to {unpacked / 1e6:.0f} MB from {packed / 1e6:.1f} MB, which looks like a ZIP bomb "
            f"(limits: {MAX_UNPACKED / 1e6:.0f} MB, {MAX_RATIO} times): split the file"
        )
    odd = next((m.filename for m in members if m.compress_type not in COMPRESSIONS), None)
    if odd is not None:
        raise UnreadableDocument(f"uses an unsupported compression for {odd[:80]!r}: open the file and save it again")


def _check_sizes(archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo]) -> None:
    """Raise UnreadableDocument if a member unpacks to more than its header declares, or has entities of its own.

    Libraries read whole members, and zipfile unpacks up to 2 GB before it checks the size.
    """
    for member in members:
        probe = copy.copy(member)
        probe.file_size += 1
        del probe.CRC  # the reader reports damage in the members that it reads
        size, tail, is_xml = 0, b"", member.filename.endswith(XML)
        try:
            with archive.open(probe) as file:
                while block := file.read(BLOCK):
                    size += len(block)
                    if is_xml and ENTITY in (text := tail + block.replace(b"\0", b"")):  # also in UTF-16
                        raise UnreadableDocument(
                            f"contains {member.filename[:80]!r} with entities of its own, as in an XML bomb: open the "
                            "file and save it again"
                        )
                    tail = text[-len(ENTITY) :] if is_xml else b""
        except (zipfile.BadZipFile, zlib.error, EOFError):
            continue
        if size > member.file_size:
            raise UnreadableDocument(
                f"contains {member.filename[:80]!r}, which unpacks to more than the {member.file_size} bytes that it "
                "declares, as in a ZIP bomb: open the file and save it again"
            )


def parse(parser: expat.XMLParserType, file: IO[bytes]) -> None:
    """Parse a file by large blocks: ParseFile begins a long value again every 2,048 bytes."""
    while block := file.read(BLOCK):
        parser.Parse(block)
    parser.Parse(b"", True)


def check_xml(path: Path) -> None:
    """Raise UnreadableDocument unless every XML file in the archive is well-formed."""
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if member.filename.endswith(XML) and member.file_size:
                    with archive.open(member) as file:
                        parse(expat.ParserCreate(), file)
    except (expat.ExpatError, zipfile.BadZipFile, zlib.error, EOFError, LookupError, RuntimeError, ValueError) as error:
        raise UnreadableDocument("contains damaged XML: save or fetch it again") from error

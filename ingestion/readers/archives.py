"""Checks on a file's first bytes and on ZIP archives, before a format's own library opens it."""

import copy
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from xml.parsers import expat

from tablerag.tools.errors import UnreadableDocument

__all__ = ["HTML", "OLE", "check_archive", "check_not_binary", "check_xml", "format_of"]

MAX_UNPACKED = 1_000_000_000
"""Bytes that an archive may unpack to."""
MAX_RATIO = 200
"""How many times an archive may grow when unpacked, past FREE_UNPACKED bytes."""
FREE_UNPACKED = 50_000_000
BLOCK = 1 << 20
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What Office files are packed with; others grow a million times and are unpacked in one go by zipfile."""

SIGNATURES = (
    (b"PK\x03\x04", "a ZIP archive (XLSX, DOCX and ODS files are such)"),
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
    """Return what the first bytes say the file is, "" when they say nothing."""
    with path.open("rb") as file:
        head = file.read(512)
    for magic, name in SIGNATURES:
        if head.startswith(magic):
            return name
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return HTML if text.startswith((b"<!doctype html", b"<html")) else ""


def check_not_binary(path: Path, expected: str) -> None:
    """Raise UnreadableDocument when a text format's file is plainly something else."""
    found = format_of(path)
    if found and found != HTML:
        raise UnreadableDocument(f"is {found}, not {expected}: give it the suffix of what it is")


def check_archive(path: Path, expected: str, max_part: int = MAX_UNPACKED) -> None:
    """Raise UnreadableDocument unless the file is a whole, unencrypted ZIP archive of a sane size.

    ``max_part`` bounds each XML file inside, in bytes.
    """
    found = format_of(path)
    if found == OLE:
        raise UnreadableDocument(
            f"is encrypted, or in an old Office format, not {expected}: save it again without a password"
        )
    if not found.startswith("a ZIP"):
        raise UnreadableDocument(f"is {found or 'no ZIP archive'}, not {expected}: give it the suffix of what it is")
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check_members(members, max(1, path.stat().st_size))
            _check_sizes(archive, members)
            long = next((m for m in members if m.filename.endswith(".xml") and m.file_size > max_part), None)
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError) as error:
        raise UnreadableDocument(
            f"should be {expected} but is damaged or truncated: {error}. Save or fetch it anew"
        ) from error
    if long is not None:
        raise UnreadableDocument(
            f"holds {long.file_size / 1e6:.0f} MB in {long.filename[:80]!r}, above the limit of "
            f"{max_part / 1e6:.0f} MB: split the file"
        )


def _check_members(members: Sequence[zipfile.ZipInfo], packed: int) -> None:
    """Raise UnreadableDocument for what an archive's own list of members tells."""
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
        raise UnreadableDocument(f"packs {odd[:80]!r} as no Office program does: open it and save it anew")


def _check_sizes(archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo]) -> None:
    """Raise UnreadableDocument when a member unpacks to more than its header says.

    Libraries ask for a member as a whole, and zipfile then unpacks up to 2 GB before it looks at the size.
    """
    for member in members:
        probe = copy.copy(member)
        probe.file_size += 1
        del probe.CRC  # damage is for the reader to find, in the members that it reads
        size = 0
        try:
            with archive.open(probe) as file:
                while block := file.read(BLOCK):
                    size += len(block)
        except (zipfile.BadZipFile, zlib.error, EOFError):
            continue
        if size > member.file_size:
            raise UnreadableDocument(
                f"holds {member.filename[:80]!r}, which unpacks to more than the {member.file_size} bytes that it "
                "states, as ZIP bombs do: open the file and save it anew"
            )


def check_xml(path: Path) -> None:
    """Raise UnreadableDocument unless every XML file in the archive is whole."""
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if member.filename.endswith((".xml", ".rels")) and member.file_size:
                    with archive.open(member) as file:
                        expat.ParserCreate().ParseFile(file)
    except (expat.ExpatError, zipfile.BadZipFile, zlib.error, EOFError, LookupError, RuntimeError, ValueError) as error:
        raise UnreadableDocument(f"is damaged inside: {error}. Save or fetch it anew") from error

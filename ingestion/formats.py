"""What to save files as whose format has no reader."""

from pathlib import PurePosixPath

__all__ = ["no_reader"]

SAVE_AS = {
    ".csv": ".avro .db .dbf .dta .feather .mdb .accdb .orc .rdata .rds .sas7bdat .sav .sqlite .sqlite3 .arrow .fods",
    ".docx": ".dot .dotx .odm .pages .wpd .wps .fodt",
    ".eml": ".mbox .mbx .pst .ost",
    ".epub": ".azw .azw3 .fb2 .mobi",
    ".html": ".mht .mhtml .webarchive .chm",
    ".json": ".json5 .jsonc .ipynb .toml .yaml .yml",
    ".pdf with text": ".djvu .oxps .ps .svg .xps",
    ".png": ".avif .gif .heic .jp2",
    ".pptx": ".key .odp .pot .potx .pps .ppt",
    ".txt": ".adoc .log .org .rst .tex .srt .vtt",
    ".xlsx": ".123 .numbers .xlt .xltx .wk1 .ots",
    ".zip": ".7z .bz2 .lz .rar .tar .tgz .txz .xz .zst",
}
"""Suffixes by what such files can be saved as."""
BY_SUFFIX = {suffix: target for target, suffixes in SAVE_AS.items() for suffix in suffixes.split()}
PICTURES = (".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp")
"""Read only where an OCR engine is installed."""
USUAL = ".pdf, .docx, .xlsx, .csv, .html or .txt"


def no_reader(name: str) -> str:
    """Return the reason that a file is not read: its format has no reader, and what to save it as."""
    path = PurePosixPath(name)
    inner = PurePosixPath(path.stem).suffix if path.suffix.lower() == ".gz" else ""
    kind = inner + path.suffix
    if (inner or path.suffix).lower() in PICTURES:
        return f'no reader for {kind[:20]}: to read it by OCR, pip install "tablerag[ocr]" or install tesseract'
    target = BY_SUFFIX.get((inner or path.suffix).lower(), USUAL)
    return f"no reader for {kind[:20] or 'this name'}: save it as {target}"

"""The dispatch by suffix and what every reader has in common."""

from pathlib import Path

import pytest

from tablerag.ingestion.readers import READERS, read_document
from tablerag.tools.errors import UnreadableDocument


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("song.mp3", "no reader for .mp3: save it as .pdf, .docx, .xlsx, .csv, .html or .txt"),
        ("old.WPD", "no reader for .WPD: save it as .docx"),
        ("logs.tar", "no reader for .tar: save it as .zip"),
        ("logs.tar.gz", "no reader for .tar.gz: save it as .zip"),
        ("noname", "no reader for this name: save it as .pdf, .docx, .xlsx, .csv, .html or .txt"),
    ],
)
def test_an_unknown_format_is_refused_with_what_to_save_it_as(tmp_path: Path, name: str, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"ID3")
    with pytest.raises(UnreadableDocument) as caught:
        read_document(path)
    assert str(caught.value) == message


@pytest.mark.parametrize("suffix", sorted(READERS))
def test_empty_files_noise_and_missing_files_are_refused_in_one_line(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    with pytest.raises(UnreadableDocument, match="cannot be opened"):
        read_document(path)
    for content in (b"", bytes(range(256)) * 8, b"PK\x03\x04" + bytes(100), b"\x00" * 64):
        path.write_bytes(content)
        with pytest.raises(UnreadableDocument) as caught:
            read_document(path)
        assert "\n" not in str(caught.value)


def test_suffixes_count_without_case(tmp_path: Path) -> None:
    path = tmp_path / "T.CSV"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    assert read_document(path).title == "T"

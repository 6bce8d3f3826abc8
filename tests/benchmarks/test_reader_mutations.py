"""Mutations of files: a seed repeats exactly, and what is mutated stays of its format."""

import random
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from io import BytesIO

import pytest

from benchmarks.reader_mutations import mutated
from tests.support import bad_files as bad

SEEDS = range(40)
MOST = 0.7
"""The least share of mutations whose format is kept: the others are of any bytes."""
LONG = b"x" * 500_000
PAGE = b"<html><body><table><tr><th>Region<th>Amount<tr><td>North<td>1</table></body></html>"
FILES: dict[str, tuple[bytes, Callable[[bytes], bool]]] = {
    ".xlsx": (bad.xlsx(), lambda data: zipfile.is_zipfile(BytesIO(data))),
    ".docx": (bad.docx(), lambda data: zipfile.is_zipfile(BytesIO(data))),
    ".ods": (bad.ods(), lambda data: zipfile.is_zipfile(BytesIO(data))),
    ".pdf": (bad.pdf(), lambda data: data.startswith(b"%PDF-") and b"endobj" in data),
    ".html": (PAGE, lambda data: b"<" in data and b">" in data),
    ".csv": (bad.csv_of(), lambda data: b"North" in data or b"South" in data),
    ".md": (b"# Regions\n\n| Region | Amount |\n|---|---|\n| North | 1 |\n", lambda data: b"|" in data),
}


@pytest.mark.parametrize("suffix", FILES)
def test_mutations_repeat_and_keep_the_format(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data, is_kept = FILES[suffix]
    made = [mutated(data, suffix, random.Random(seed)) for seed in SEEDS]
    monkeypatch.setattr(time, "time", lambda: 2_000_000_000.0)
    assert [mutated(data, suffix, random.Random(seed)) for seed in SEEDS] == made
    assert sum(map(is_kept, made)) >= MOST * len(made)
    assert len({*made, data}) > MOST * len(made)


@pytest.mark.parametrize(
    ("suffix", "data"), [(".html", b"<p a='%s'>x</p>" % (b"x" * 500_000)), (".md", b"x" * 500_000)]
)
def test_mutations_of_long_texts_take_little_memory(suffix: str, data: bytes) -> None:
    tracemalloc.start()
    for seed in SEEDS:
        mutated(data, suffix, random.Random(seed))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 150_000_000

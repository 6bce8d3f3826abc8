"""The hostile folder: its files are the same each time, and what it accepts of an error."""

import random

import pytest

from benchmarks.hostile_files import GROUPS
from benchmarks.hostile_folder import wrong_with

SMALL = "encrypted.zip", "truncated.csv.gz", "absurd.parquet", "nested.eml", "noise.xls"


def test_files_are_the_same_each_time() -> None:
    def made() -> dict[str, str | bytes]:
        files = {n: c for kind in ("archives", "other") for n, c in GROUPS[kind](random.Random(3)).items()}
        return {name: files[name]() for name in SMALL}

    assert made() == made()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("is damaged: save it again", ""),
        ("is damaged", "gives no advice"),
        ("ValueError: save it again", "names an exception"),
        ("is damaged\nsave it again", "is long"),
    ],
)
def test_errors_are_a_line_with_advice_and_no_exception(text: str, wrong: str) -> None:
    assert wrong_with(text) == wrong

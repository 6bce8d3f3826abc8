"""Statements with titles, read from the files of tests/cases."""

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Case", "read_cases"]

INVISIBLE = re.compile(r"\\u([0-9a-f]{4})")
FOLDER = Path(__file__).parents[2] / "cases"


@dataclass(frozen=True)
class Case:
    """One statement: ``-- kind: title => expected`` on the line above it; ``\\uXXXX`` in it is that character."""

    kind: str
    title: str
    expected: str
    sql: str


def read_cases(name: str, *kinds: str) -> list[Case]:
    """Return the cases of those kinds in a file, in its order."""
    title = re.compile(rf"^-- ({'|'.join(kinds)}): (.*?)(?: => (.*))?$", re.MULTILINE)
    every = re.compile(r"^-- \w+: ", re.MULTILINE)
    text = (FOLDER / name).read_text(encoding="utf-8")
    cases = []
    for found in title.finditer(text):
        following = every.search(text, found.end())
        sql = text[found.end() : following.start() if following else len(text)].strip()
        sql = INVISIBLE.sub(lambda m: chr(int(m[1], 16)), sql)
        cases.append(Case(found[1], found[2], found[3] or "", sql))
    return cases

"""The words of the business corpora: concepts of columns, values, domains with their tables, and wordings."""

import random
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

__all__ = ["LANGUAGES", "Concept", "TableSpec", "concepts", "domains", "expand", "pool", "wordings"]

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "de", "fr")
CHOICE = re.compile(r"\[([^\[\]]*)\]")
TAG = re.compile(r" ~(\w+)$")


@dataclass(frozen=True)
class Concept:
    """What a column is about: its kind, its headers, and the words that people use for it."""

    name: str
    kind: str
    """id | name | cat | date | date2 (not the table's main date) | bool | num (can be added up) | rate (averaged)."""
    options: dict[str, str]
    headers: dict[str, tuple[str, ...]]
    words: dict[str, tuple[str, ...]]
    """Without articles."""
    articles: dict[str, str] = field(default_factory=dict)

    @property
    def low_high(self) -> tuple[float, float]:
        """The range of its numbers."""
        low, _, high = self.options.get("range", "1..100").partition("..")
        return float(low), float(high)


@dataclass(frozen=True)
class TableSpec:
    """A table of a domain; ``columns`` are (concept, modifier), where a modifier is ``@table``, ``=word`` or empty."""

    name: str
    nouns: dict[str, tuple[tuple[str, str], ...]]
    """Singular and plural nouns for a row."""
    verbs: tuple[str, ...]
    least: int
    most: int
    columns: tuple[tuple[str, str], ...]
    shapes: tuple[str, ...]
    compared: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Pairs of columns, and what people call the rows in which the first is less."""


def _lines(name: str) -> list[str]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("# ")]


def _parts(text: str, separator: str = ",") -> tuple[str, ...]:
    return tuple(p.strip() for p in text.split(separator) if p.strip())


@cache
def concepts() -> dict[str, Concept]:
    """Return the concepts by name."""
    return {c.name: c for c in map(_concept, _lines("concepts.txt"))}


def _concept(line: str) -> Concept:
    name, about, headers, words, *others = (p.strip() for p in line.split("|"))
    kind, _, rest = about.partition(" ")
    options = {k: v.strip() for k, v in re.findall(r"(\w+)=(.*?)(?= \w+=| -?[\d.]+\.\.|$)", rest)}
    if found := re.search(r"-?[\d.]+?\.\.\d+", rest):
        options["range"] = found[0]
    concept = Concept(name, kind, options, {"en": _parts(headers)}, {"en": _parts(words)})
    for language, text in zip(LANGUAGES[1:], others, strict=True):
        article, bare = re.fullmatch(r"(der |die |das |le |la |les |l')?(.+)", text).groups()  # type: ignore[union-attr]
        concept.headers[language] = (bare[0].upper() + bare[1:],)
        concept.words[language], concept.articles[language] = (bare,), article or ""
    return concept


@cache
def pool(name: str, language: str = "en") -> tuple[str, ...]:
    """Return a pool's values in a language."""
    for line in _lines("values.txt"):
        if line.startswith(f"{name}: "):
            ways = line.partition(": ")[2].split(" / ")
            return _parts(ways[LANGUAGES.index(language) if len(ways) > 1 else 0])
    raise KeyError(name)


@cache
def domains() -> dict[str, tuple[TableSpec, ...]]:
    """Return the tables of each domain."""
    found: dict[str, tuple[TableSpec, ...]] = {}
    domain = ""
    for line in _lines("domains.txt"):
        if line.startswith("= "):
            domain = line[2:]
            found[domain] = ()
        else:
            found[domain] += (_table(line),)
    return found


def _table(line: str) -> TableSpec:
    name, nouns, verbs, rows, columns, options = (p.strip() for p in line.split("|"))
    english, german, french = (p.strip() for p in nouns.split("/"))
    singular, _, plural = german.partition(":")
    said = {
        "en": tuple((n, plural_of(n)) for n in _parts(english)),
        "de": ((singular, plural),),
        "fr": tuple((n, n if n[-1] in "sx" else re.sub(r"(\w)( |$)", r"\1s\2", n, count=1)) for n in _parts(french)),
    }
    least, most = rows.split("..")
    shapes, _, rest = re.fullmatch(r"((?:#\S+ ?)*)()(.*)", options).groups()  # type: ignore[union-attr]
    less, more, called = re.split("[<~]", rest) if rest else ("", "", "")
    compared = ((less, more, _parts(called, ";")),) if rest else ()
    named = re.finditer(r"(\w+)([@=]\S+)?", columns)
    parts = tuple((found[1], found[2] or "") for found in named)
    return TableSpec(name, said, _parts(verbs), int(least), int(most), parts, _parts(shapes, "#"), compared)


def plural_of(noun: str) -> str:
    """Return an English noun's plural."""
    if " of " in noun:
        head, _, tail = noun.partition(" of ")
        return f"{plural_of(head)} of {tail}"
    if noun == "person":
        return "people"
    if noun in ("funding", "income") or noun.endswith("staff"):
        return noun
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(s|x|ch|sh)$", noun) else "s")


@cache
def wordings(language: str) -> dict[str, tuple[str, ...]]:
    """Return the wordings of a language by kind of question, and the phrases by frame."""
    found: dict[str, tuple[str, ...]] = {}
    kind = ""
    for line in _lines(f"wordings_{language}.txt"):
        begun, _, said = line.partition(" | ") if not line.startswith("  ") else (kind, "", line)
        kind = begun
        found[kind] = found.get(kind, ()) + _parts(said, " // ")
    return found


def expand(wording: str, random_: random.Random) -> str:
    """Choose among the alternatives of a wording, ``[a|b]``; its tag is dropped."""
    text = TAG.sub("", wording)
    while found := CHOICE.search(text):
        text = text[: found.start()] + random_.choice(found[1].split("|")) + text[found.end() :]
    return text


def tag_of(wording: str) -> str:
    """Return the tag of a wording, such as desc for ``... ~desc``, or an empty string."""
    found = TAG.search(wording)
    return found[1] if found else ""

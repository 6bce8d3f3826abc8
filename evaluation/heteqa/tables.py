"""Choosing HeteQA's tables: large and wide, same-schema ones joined row under row, one for each schema."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tablerag.evaluation.heteqa.sources import SourceTable

__all__ = ["MIN_COLUMNS", "MIN_ROWS", "ChosenTable", "choose_tables"]

MIN_ROWS = 20
MIN_COLUMNS = 7
"""TableRAG, HeteQA's section: smaller tables need no SQL."""
MOST_PAGES = 40
SMALL_WORDS = frozenset("a an and at by for from in list of on or the to with".split())
PAGE, SECTION = "Page", "Section"


@dataclass(frozen=True, slots=True)
class ChosenTable:
    """A table of at least 20 rows and 7 columns, with the ids of the source tables that it was joined from."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    parts: tuple[str, ...]


def choose_tables(tables: Iterable[SourceTable], *, seed: int, most: int | None = None) -> list[ChosenTable]:
    """Return tables that are large and wide enough, at most one of each schema, in an order drawn by the seed."""
    by_schema: dict[tuple[str, ...], list[SourceTable]] = defaultdict(list)
    for table in tables:
        if _is_sound(table):
            by_schema[tuple(h.casefold() for h in table.header)].append(table)
    found = [chosen for same in by_schema.values() if (chosen := _largest(same)) is not None]
    # A question names its table by its title: the largest of one title is the one meant.
    found = list({t.title.casefold(): t for t in sorted(found, key=lambda t: (len(t.rows), t.parts))}.values())
    found.sort(key=lambda t: t.parts)
    random.Random(seed).shuffle(found)
    return found[:most]


def _is_sound(table: SourceTable) -> bool:
    """Tell whether every column can be named in a question: none without header, none twice."""
    names = {h.casefold() for h in table.header}
    own = {PAGE.casefold(), SECTION.casefold()}
    return "" not in names and len(names) == len(table.header) and not names & own


def _largest(same: Sequence[SourceTable]) -> ChosenTable | None:
    """Return the largest table that joins tables of one schema and one subject."""
    families = [joined for family in _families(same) if (joined := _joined(*family)) is not None]
    fitting = [t for t in families if len(t.rows) >= MIN_ROWS and len(t.header) >= MIN_COLUMNS]
    return max(fitting, key=lambda t: len(t.rows), default=None)


def _families(same: Sequence[SourceTable]) -> list[tuple[str, list[SourceTable]]]:
    """Group tables whose pages share a title, its end or its beginning; each group with what is shared."""
    keys: tuple[Callable[[list[str]], Sequence[str]], ...] = (tuple, lambda w: w[-2:], lambda w: w[:4])
    found = []
    for key in keys:
        groups: dict[tuple[str, ...], list[SourceTable]] = defaultdict(list)
        for table in same:
            groups[tuple(key(table.title.split()))].append(table)
        for group in groups.values():
            title = _shared([t.title.split() for t in group])
            if title:
                found.append((title, group[:MOST_PAGES]))
    return found


def _shared(titles: Sequence[list[str]]) -> str:
    """Return what titles begin and end with alike, "…" for the words between; "" when it says too little."""
    if len({tuple(t) for t in titles}) == 1:
        return " ".join(titles[0])
    beginning, end = _common(titles), _common([t[::-1] for t in titles])[::-1]
    if _content(beginning) + _content(end) < 2:
        return ""
    if not end:
        while beginning[-1].casefold() in SMALL_WORDS:
            beginning.pop()
    title = " … ".join(" ".join(p) for p in (beginning, end) if p)
    if title.count("(") > title.count(")"):
        title = title[: title.rindex("(")]
    # The end of a title alone may begin amid a phrase: "in video games".
    return title.strip(" ,-–:") if not title[:1].islower() else ""


def _common(titles: Sequence[list[str]]) -> list[str]:
    common = []
    for words in zip(*titles, strict=False):
        if len(set(words)) > 1:
            break
        common.append(words[0])
    return common


def _content(words: Sequence[str]) -> int:
    return sum(w.casefold() not in SMALL_WORDS and any(c.isalpha() for c in w) for w in words)


def _joined(title: str, family: Sequence[SourceTable]) -> ChosenTable | None:
    """Put tables one below the other, beside columns that say which page and section a row is from."""
    header: tuple[str, ...] = family[0].header
    beside = []
    if len({t.title for t in family}) > 1:
        beside.append((PAGE, lambda t: t.title))
    if len({t.section for t in family}) > 1:
        beside.append((SECTION, lambda t: t.section.replace(" -- ", ": ")))
    else:
        section = family[0].section.replace(" -- ", ": ")
        title = f"{title} - {section}" if section and section.casefold() not in title.casefold() else title
    rows = [(*(of(t) for _, of in beside), *row) for t in family for row in t.rows if len(row) == len(header)]
    if len(set(rows)) < len(rows):
        return None  # the same table twice: every count would be wrong
    return ChosenTable(title, (*(name for name, _ in beside), *header), tuple(rows), tuple(t.id for t in family))

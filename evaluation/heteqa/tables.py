"""Chooses HeteQA's tables: large ones, joined from tables of the same schema, one for each schema."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tablerag.evaluation.heteqa.sources import SourceTable

__all__ = ["MIN_COLUMNS", "MIN_ROWS", "ChosenTable", "choose_tables"]

MIN_ROWS = 20
MIN_COLUMNS = 7
"""The limits of the paper's section on HeteQA: smaller tables do not need SQL."""
MOST_PAGES = 40
SMALL_WORDS = frozenset("a an and at by for from in list of on or the to with".split())
PAGE, SECTION = "Page", "Section"


@dataclass(frozen=True, slots=True)
class ChosenTable:
    """A table of at least 20 rows and 7 columns, with the ids of its source tables."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    parts: tuple[str, ...]


def choose_tables(tables: Iterable[SourceTable], *, seed: int, most: int | None = None) -> list[ChosenTable]:
    """Return large enough tables, at most one of each schema, in an order drawn by the seed."""
    by_schema: dict[tuple[str, ...], list[SourceTable]] = defaultdict(list)
    for table in tables:
        if _is_sound(table):
            by_schema[tuple(h.casefold() for h in table.header)].append(table)
    found = [chosen for same in by_schema.values() if (chosen := _largest(same)) is not None]
    # Questions refer to tables by title, so only the largest table of each title is kept.
    found = list({t.title.casefold(): t for t in sorted(found, key=lambda t: (len(t.rows), t.parts))}.values())
    found.sort(key=lambda t: t.parts)
    random.Random(seed).shuffle(found)
    return found[:most]


def _is_sound(table: SourceTable) -> bool:
    """Return whether every column has a unique header, so that questions can name it."""
    names = {h.casefold() for h in table.header}
    own = {PAGE.casefold(), SECTION.casefold()}
    return "" not in names and len(names) == len(table.header) and not names & own


def _largest(same: Sequence[SourceTable]) -> ChosenTable | None:
    """Return the largest join of tables with the same schema and subject."""
    families = [joined for family in _families(same) if (joined := _joined(*family)) is not None]
    fitting = [t for t in families if len(t.rows) >= MIN_ROWS and len(t.header) >= MIN_COLUMNS]
    return max(fitting, key=lambda t: len(t.rows), default=None)


def _families(same: Sequence[SourceTable]) -> list[tuple[str, list[SourceTable]]]:
    """Group tables whose titles are equal or share their end or beginning; return each group with its title."""
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
    """Return the common beginning and end of titles, with "…" between; "" if they have too little in common."""
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
    # A shared end may start within a phrase: "in video games".
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
    """Concatenate tables, with columns for each row's page and section where these differ."""
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
        return None  # duplicate rows would make every count wrong
    return ChosenTable(title, (*(name for name, _ in beside), *header), tuple(rows), tuple(t.id for t in family))

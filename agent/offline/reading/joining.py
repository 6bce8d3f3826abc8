"""Tables joined by a key, as one: each row with the row that it refers to in another table."""

import re
from dataclasses import replace

from tablerag.agent.offline.reading.facts import Facts, Field, split_words
from tablerag.agent.offline.reading.filters import periods_of_name, table_periods
from tablerag.agent.offline.reading.kept import kept
from tablerag.agent.offline.reading.query import Expr, Join, Query, Ref
from tablerag.agent.offline.reading.vocabulary import likeness
from tablerag.tools.records import TOTAL

__all__ = ["are_siblings", "header_key", "joined", "key_between", "names_of_code", "with_names"]

ENOUGH = 0.55
"""Least share of the values of the referring column that the key has."""
NAMED = 0.9
"""The same for a code whose name is shown in its place."""
CODED = re.compile(r"(?:(?<![\W_])[\W_]+)?\b(?:no|nr|id|code|number|nummer|key)\W*$", re.IGNORECASE)
CODES = frozenset("id no nr number code key nummer".split())
SPOKEN = 3
"""Shorter codes are said as well as names: "line N3"."""
LEAST_VALUES = 3
LEAST_SHARED = 0.7
"""Share of the smaller table's headers that tables about two periods have in common."""
LEAST_NUMBER = 20
"""Smaller numbers are counts and ranks, which join by chance."""


def joined(facts: Facts, other: Facts) -> Facts | None:
    """Return a table with the columns of the one it refers to; None if no key joins them."""
    key = key_between(facts, other)
    if key is None:
        return None
    left, right, share = key
    called = header_key(left) == header_key(right) and _shared_headers(facts, other) < LEAST_SHARED
    sure = share == 1 and (called or _declared(facts, other) is not None)
    totals = TOTAL in other.schema.hidden_columns
    join = Join(other.schema.name, left.ref, right.ref, has_totals=totals, is_sure=sure)
    fields = (*facts.fields, *(f for f in other.fields if f is not right))
    source = replace(facts.source, joins=(*facts.source.joins, join))
    unmatched = facts.unmatched + 1 - share
    return replace(facts, fields=fields, source=source, joined=(*facts.joined, other), unmatched=unmatched)


def names_of_code(f: Field, facts: Facts) -> tuple[Join, tuple[Field, ...]] | None:
    """Return how to look up what a code of a table's rows stands for, and the columns that name it."""
    if not (f.is_text or f.is_id):
        return None
    for other in facts.others:
        key = key_between(facts, other)
        if key is None or key[0] is not f or key[2] < NAMED or other.schema.name in (facts.schema.name, f.schema.name):
            continue
        names = other.display()
        if key[1] in names or any(n.is_code or n.is_id for n in names):
            continue
        if not (f.is_code or f.is_id) and header_key(f) != header_key(key[1]):
            continue  # warehouses in the towns where there are branches are no branches
        if not (f.is_code or f.is_id) and _length(f) >= sum(map(_length, names)):
            continue  # "Basel", of which "BSL" is the code
        return Join(other.schema.name, f.ref, key[1].ref, keeps=True), names
    return None


def _length(f: Field) -> float:
    """Return how long the texts of a column are on average."""
    return sum(len(str(t)) for t in f.texts if t is not None) / max(1, f.filled)


def with_names(query: Query, facts: Facts) -> Query | None:
    """Return a query that shows names in place of the codes of its rows; None if it shows no such codes."""
    fields = {(f.schema.name, n): f for f in facts.fields for n in f.column.all_names()}
    joins, shown = list(query.source.joins), list[Expr]()
    for e in query.shown:
        f = fields.get((e.table, e.column)) if isinstance(e, Ref) and not e.grain else None
        found = names_of_code(f, facts) if f is not None else None
        known = [j for j in joins if found and j.table == found[0].table]
        if found is None or any(j.left != found[0].left for j in known) or found[1][0].shown in query.shown:
            shown.append(e)
            continue
        join, names = found
        # Of ranked things those without a name are left out: together they would come first, as one.
        join = replace(join, keeps=join.keeps and query.by is None)
        joins += [] if known else [join]
        called = CODED.sub("", e.header).strip()
        refs = [n.shown for n in names]
        if len(refs) == 1 and called and "(" not in called:
            refs = [replace(refs[0], header=f"{called} name")]  # "Supplier name", not "Name"
        spoken = f is not None and CODED.search(e.header) is None and _length(f) < SPOKEN
        shown += refs + ([e] if spoken or not _tell_apart(names) else [])
    if tuple(shown) == query.shown:
        return None
    return replace(query, source=replace(query.source, joins=tuple(joins)), shown=tuple(dict.fromkeys(shown)))


def _tell_apart(names: tuple[Field, ...]) -> bool:
    """Tell whether names are as good as codes: no two rows share one."""
    rows = list(zip(*(n.texts for n in names), strict=True))
    return len(set(rows)) == len(rows)


def are_siblings(one: Facts, other: Facts) -> bool:
    """Tell whether two tables hold the same for other periods: "Sales 2024" and "Sales 2025", with other months."""
    if one is other or one.is_member or other.is_member or one.schema.members or other.schema.members:
        return False
    years = [_years_of(facts) for facts in (one, other)]
    if len(years[0]) != 1 or len(years[1]) != 1 or years[0] == years[1]:
        return False
    texts = [{header_key(f) for f in facts.fields if f.is_text} for facts in (one, other)]
    shared = _shared_headers(one, other)
    titles = [[w for w in split_words(facts.schema.title) if not w.isdigit()] for facts in (one, other)]
    return shared >= LEAST_SHARED and texts[0] == texts[1] or bool(titles[0]) and titles[0] == titles[1]


def _shared_headers(one: Facts, other: Facts) -> float:
    """Return which share of the smaller table's headers the other one has too."""
    own, theirs = ({header_key(f) for f in facts.fields} for facts in (one, other))
    return len(own & theirs) / min(len(own), len(theirs))


def header_key(f: Field) -> str:
    """Return a header to compare with one that somebody else wrote: "Cost (EUR)" and "cost_eur"."""
    return " ".join(split_words(f.column.header))


def _years_of(facts: Facts) -> set[int]:
    """Return the years that a table is of: those of its sheet and title rather than of its file."""
    names = (n for n in (facts.schema.within, facts.schema.title) if n)
    own = {p.year for n in names for p in periods_of_name(n) if p.has_year}
    return own if len(own) == 1 else {p.year for p in table_periods(facts) if p.has_year}


def key_between(facts: Facts, other: Facts) -> tuple[Field, Field, float] | None:
    """Return the column that refers to the other table, that table's key, and the share of values that it has."""
    if facts.schema.members and facts.schema.name == other.schema.name:
        return None
    if declared := _declared(facts, other):
        return (*declared, 1.0)
    found = _key_between(facts.fields, other.fields)
    return found and (facts.fields[found[0]], other.fields[found[1]], found[2])


def _declared(facts: Facts, other: Facts) -> tuple[Field, Field] | None:
    """Return the foreign key from one table of a connected database to another, and what it refers to."""
    there = other.schema.origin
    for left in facts.fields:
        here = left.schema.origin
        for own, table, column in here.references if here and there else ():
            if not (here and there) or own != left.column.name:
                continue
            if (here.connection, table) != (there.connection, there.table[-1]):
                continue
            right = next((f for f in other.fields if there.names.get(f.column.name) == column), None)
            if right is not None and left.schema is not other.schema:
                return left, right
    return None


def _is_same_code(left: Field, right: Field) -> bool:
    """Tell whether two columns are called alike and hold codes of one thing: "CustomerId" and "customer_id"."""
    words = split_words(right.column.header)
    return len(words) > 1 and words[-1] in CODES and words == split_words(left.column.header)


@kept
def _key_between(fields: tuple[Field, ...], others: tuple[Field, ...]) -> tuple[int, int, float] | None:
    """Return the places of both columns and the share: the columns would keep the other table's rows."""
    best: tuple[float, int, int, float] | None = None
    for to, right in enumerate(others):
        if not _is_key(right):
            continue
        theirs = _keys(right)
        for at, left in enumerate(fields):
            if (left.is_number != right.is_number) or left.is_date or left.is_flag or left.is_money:
                continue
            mine = _keys(left)
            same = _is_same_code(left, right)
            if len(mine) < LEAST_VALUES or (left.is_number and not same and _least(left) < LEAST_NUMBER):
                continue
            share = len(mine & theirs) / len(mine)
            if share < ENOUGH:
                continue
            alike = max((likeness(a, b) for a in left.words for b in right.words), default=0.0)
            # Scores and litres lie among the numbers of any longer table.
            if not left.is_number or alike >= 0.8 or share > 0.95 and CODED.search(left.column.header):
                sure = share + 0.5 * alike + 0.2 * right.is_code
                if best is None or sure > best[0]:
                    best = (sure, at, to, share)
    return best[1:] if best else None


@kept
def _least(f: Field) -> float:
    return min((float(c) for c in f.cells if isinstance(c, int | float)), default=0.0)


@kept
def _is_key(f: Field) -> bool:
    return (
        f.is_unique
        and f.distinct >= LEAST_VALUES
        and not f.is_money
        and (f.is_text or (f.is_number and f.column.type == "integer" and not f.is_year))
    )


@kept
def _keys(f: Field) -> frozenset[str]:
    return frozenset(str(t).casefold() for t in f.texts if t is not None)

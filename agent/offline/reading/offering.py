"""Which readings of an unsure question are offered: those that explain its telling words, each only once."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tablerag.agent.offline.reading.compose import Program
from tablerag.agent.offline.reading.filters import bounds_in, mask_of
from tablerag.agent.offline.reading.naming import names_in, weights_of
from tablerag.agent.offline.reading.periods import periods_in
from tablerag.agent.offline.reading.query import Expr, Measure, Query
from tablerag.agent.offline.reading.reader import Reading
from tablerag.agent.offline.reading.scoring import LIGHT
from tablerag.agent.offline.reading.units import asked_units
from tablerag.agent.offline.reading.words import read
from tablerag.agent.presenting.rows import with_count
from tablerag.tools.records import SqlResult, TableSchema, ValueHint

__all__ = ["asks_another_column", "guesses", "offered", "untold"]

MISMATCH = 0.8
UNASKED = 1.0
"""Cost of a total that no word of the question asks for."""
UNNAMED = 0.5
"""Cost from which a measure is one that the question does not name."""
ASKING = ("who", "when", "where", "why")
CALLED = frozenset(("id", "ids", "no", "nr"))
"""Words for what rows are called by, which are no names."""

Run = Callable[[str, Sequence[TableSchema]], SqlResult | None]


def untold(question: str, reading: Reading, hints: Sequence[ValueHint]) -> tuple[str, ...]:
    """Return the telling words of a question that nothing in a reading's tables can explain, as they are spelled."""
    asked = read(question)
    periods = periods_in(asked)
    explained = 0
    for tag in names_in(asked, reading.facts, hints, periods):
        explained |= tag.mask
    for phrase in asked.phrases:
        explained |= mask_of(phrase.first, phrase.last)
    for period in periods:
        explained |= mask_of(period.first, period.last)
    for unit in asked_units(asked):
        explained |= unit.mask
    bounds, numbers = bounds_in(asked, periods)
    for bound in bounds:
        explained |= mask_of(bound.first, bound.last)
    for first, last, _ in numbers:
        explained |= mask_of(first, last)
    # A word that is repeated is explained once.
    known = frozenset[str]().union(*(asked.language.set_of(name) for name in ASKING))
    known |= {key for i, key in enumerate(asked.keys) if explained >> i & 1}
    return tuple(
        w.text
        for i, (w, weight) in enumerate(zip(asked.words, weights_of(asked), strict=True))
        if weight > LIGHT and w.key not in known
    )


def guesses(question: str, reading: Reading, left: Sequence[str]) -> bool:
    """Tell whether a reading that leaves telling words shows something else in place of what they name.

    "What is the phone number of Aurora?" is no question for her invoices or their total.
    """
    if not left:
        return False
    costs = reading.costs
    named = costs.get("names left", 0.0) and not all(w.casefold() in CALLED for w in left)
    unasked = costs.get("unsaid_sum", 0.0) >= UNASKED and (
        costs.get("column_gap", 0.0) > 0 or costs.get("assumed_measure", 0.0) >= UNNAMED
    )
    other = costs.get("mismatch", 0.0) >= MISMATCH or costs.get("many_rows", 0.0)
    other = other or asks_another_column(question, reading, left)
    asked = read(question)
    codes, after = asked.language.set_of("codes"), (*asked.keys[1:], "")
    of_another = any(w.text in left and k in codes for w, k in zip(asked.words, after, strict=True))  # "phone number"
    return bool(named or costs.get("much left") or unasked or other or of_another)


def asks_another_column(question: str, reading: Reading, left: Sequence[str]) -> bool:
    """Tell whether a list of rows stands for a column that the tables do not have: "Which phone number has Aurora?"."""
    asked, query = read(question), reading.query
    if not reading.costs.get("assumed_shown") or not isinstance(query, Query) or query.by is not None:
        return False
    values = {w.casefold() for c in query.where for v in c.values for w in str(v).split()}
    others = [w.text for w, weight in zip(asked.words, weights_of(asked), strict=True) if weight > LIGHT]
    which = asked.keys[0] in asked.language.set_of("listing") and [w.text for w in asked.words[1:2]] == list(left)
    return which and all(w in left or w.casefold() in values for w in others)


def offered(found: Sequence[Reading], run: Run) -> tuple[tuple[str, Reading], ...]:
    """Return the readings to offer with what they compute, in the document's words; likeliest first.

    A total of anything is no reading of "Who painted the Mona Lisa?", nor is one that shows only what the question
    itself names. Of two lists of the same rows, the one with more columns is enough.
    """
    kept = _apart([r for r in found if not r.costs.get("nothing told") and not r.costs.get("echo")])
    meanings = [_meaning(r, run) for r in kept]
    tables = {r.facts.schema.name: r.facts.schema for r in kept}
    return tuple(
        (f"{words} ({place})" if (place := _place(r, list(tables.values()), meanings.count(words) > 1)) else words, r)
        for words, r in zip(meanings, kept, strict=True)
    )


def _place(reading: Reading, tables: Sequence[TableSchema], same_words: bool) -> str:
    """Return what tells a reading's table from others: the title, or of the same title the file, then the place."""
    schema = reading.facts.schema
    alike = [s for s in tables if s.title == schema.title]
    if len(alike) == 1:
        return reading.facts.source.title * same_words
    return f"{schema.source}, {schema.locator}" if [s.source for s in alike].count(schema.source) > 1 else schema.source


def _apart(readings: Sequence[Reading]) -> list[Reading]:
    """Return readings of which no two list the same rows, one with some of the other's columns."""
    kept: list[Reading] = []
    for reading in readings:
        alike = [i for i, other in enumerate(kept) if _are_alike(reading.query, other.query)]
        if not alike:
            kept.append(reading)
            continue
        for i in alike:
            reading = _fuller(kept[i], reading)
        kept[alike[0]] = reading
        for i in reversed(alike[1:]):
            del kept[i]
    return kept


def _are_alike(one: Program, two: Program) -> bool:
    if not isinstance(one, Query) or not isinstance(two, Query) or one.measures or two.measures:
        return False
    nested = set(one.shown) <= set(two.shown) or set(two.shown) <= set(one.shown)
    same = replace(one, shown=(), distinct=False) == replace(two, shown=(), distinct=False)
    return bool(same and nested and one.shown and two.shown)


def _fuller(one: Reading, two: Reading) -> Reading:
    """Return the reading with more columns, unless the question itself gives their values."""
    less, more = sorted((one, two), key=lambda r: len(_shown(r)))
    where = less.query.where if isinstance(less.query, Query) else ()
    given = {c.ref for c in where if c.operator == "=" and len(c.values) == 1}
    return less if all(e in given for e in _shown(more) if e not in _shown(less)) else more


def _shown(reading: Reading) -> tuple[Expr, ...]:
    return reading.query.shown if isinstance(reading.query, Query) else ()


def _meaning(reading: Reading, run: Run) -> str:
    """Return what a reading computes, with the number of rows behind a total or an average."""
    query, words = reading.query, reading.query.words()
    expr = query.measures[0].expr if isinstance(query, Query) and query.measures and not query.shown else None
    if not isinstance(query, Query) or expr is None or with_count(words, 2) == words:
        return words
    counting = Query(query.source, query.where, measures=(Measure("count", expr),))
    result = run(counting.sql(), [reading.facts.schema, *(f.schema for f in reading.facts.joined)])
    counted = result.rows[0][0] if result else None
    return with_count(words, counted) if isinstance(counted, int) else words

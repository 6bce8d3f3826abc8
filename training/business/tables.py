"""Typed tables of a domain: rows with dates, numbers and references, before they are written as documents."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from training.business.lexicon import Concept, TableSpec, concepts, pool

__all__ = ["FIRST_YEAR", "YEARS", "Column", "Row", "Table", "tables_of"]

FIRST_YEAR, YEARS = 2023, 3
EARLIEST_ENTRY = 2009
"""The first year of hire dates and the like, which go back longer than transactions."""
MISSING = 0.25
"""Share of the optional columns that have empty cells."""
MOST_FILES = 5
"""Most files of a table with one file per year."""
OLD_DATES = ("hired", "opened", "since", "start")
Row = dict[str, Any]


@dataclass(frozen=True)
class Column:
    """A column of a typed table."""

    key: str
    concept: Concept
    renamed: str = ""
    """The domain's own word for it."""
    target: "Table | None" = None
    """The table whose key its values are."""
    via: str = ""
    """The reference through which a column of another table is reached; empty for the table's own."""

    @property
    def kind(self) -> str:
        """The kind of its concept; "name" for the key of a table."""
        return self.concept.kind

    def words(self, language: str) -> tuple[str, ...]:
        """Return what people call it."""
        return (self.renamed,) if self.renamed and language == "en" else self.concept.words[language]


@dataclass
class Table:
    """A typed table, and the way it is kept: one file, one per month or year, two versions, or periods as columns."""

    spec: TableSpec
    columns: tuple[Column, ...]
    rows: list[Row]
    shape: str = ""
    totals: bool = False
    periods: tuple[str, ...] = ()
    """The period columns of a wide table; its rows have the keys entity, period and the measure's."""
    earlier: list[Row] = field(default_factory=list)
    """The rows of the earlier one of two versions."""
    files: tuple[str, ...] = ()
    headers: dict[str, str] = field(default_factory=dict)
    """The headers that were written, by column."""
    named: bool = True
    """Whether the key's values are names or numbers that people know."""

    @property
    def key(self) -> Column:
        """The column that identifies rows."""
        return self.columns[0]

    @property
    def label(self) -> Column:
        """The column whose values name rows: the name, or the key where rows have none."""
        if self.key.kind != "id":
            return self.key
        named = (c for c in self.columns[1:3] if c.kind == "name" and c.target is None)
        return next((c for c in named if len({r[c.key] for r in self.rows}) == len(self.rows)), self.key)

    def column(self, key: str) -> Column:
        """Return a column, also one that a reference reaches; raise KeyError for the periods of a wide table."""
        return {c.key: c for c in self.reachable()}[key]

    def header(self, key: str) -> str:
        """Return the header that was written for a column, also of the table that a reference reaches."""
        via, _, other = key.partition(".")
        target = self.column(via).target if other else None
        return target.header(other) if target else self.headers.get(key, key)

    def reachable(self) -> Iterator[Column]:
        """Yield the columns, and those of the tables that they refer to."""
        yield from self.columns
        for column in self.columns:
            for other in column.target.columns[1:] if column.target else ():
                if other.target is None:
                    yield replace(other, key=f"{column.key}.{other.key}", via=column.key)

    def joined(self) -> list[Row]:
        """Return the rows with the cells of the rows that they refer to."""
        rows = [dict(row) for row in self.rows]
        for column in (c for c in self.columns if c.target):
            assert column.target is not None
            referred = {row[column.target.key.key]: row for row in column.target.rows}
            for row in rows:
                for key, cell in referred.get(row[column.key], {}).items():
                    row[f"{column.key}.{key}"] = cell
        return rows


def tables_of(specs: tuple[TableSpec, ...], language: str, random_: random.Random) -> list[Table]:
    """Make the tables of a domain; one that others refer to comes before them."""
    made: dict[str, Table] = {}
    waiting = list(specs)
    while waiting:
        spec = waiting.pop(0)
        needed = [m[1:] for _, m in spec.columns if m.startswith("@")]
        if any(n not in made and n != spec.name for n in needed):
            waiting.append(spec)
            continue
        made[spec.name] = _made(spec, made, language, random_)
    return list(made.values())


def _made(spec: TableSpec, made: dict[str, Table], language: str, random_: random.Random) -> Table:
    columns = []
    for name, modifier in spec.columns:
        renamed = modifier[1:] if modifier.startswith("=") and modifier != "=key" else ""
        columns.append(Column(name, concepts()[name], renamed, made.get(modifier[1:]) if "@" in modifier else None))
    shapes = [s for s in spec.shapes if not s.startswith("total")]
    wide = next((s.partition("=")[2] for s in shapes if s.startswith("wide")), "")
    table = Table(spec, tuple(columns), [], totals="total" in spec.shapes and random_.random() < 0.5)
    optional = [c for c in columns[1:] if c.target is None and c.kind not in ("id", "name")]
    count = random_.randint(spec.least, spec.most)
    drawn = [_cells(column, count, language, random_, unique=n == 0) for n, column in enumerate(columns)]
    table.rows = [dict(zip([c.key for c in columns], cells, strict=True)) for cells in zip(*drawn, strict=False)]
    _depend(table, random_)
    if wide:
        return _widened(table, wide, random_)
    main = [next((c.key for c in columns if c.kind in kinds), "") for kinds in (("num",), ("date", "date2"))]
    for column in random_.sample(optional, round(MISSING * len(optional))):
        if column.key not in main and column.kind not in ("date", "bool"):
            for row in random_.sample(table.rows, max(1, len(table.rows) // 20)):
                row[column.key] = None
    table.shape = random_.choice(["", *shapes, *shapes]) if shapes else ""
    if table.shape == "yearly" and len({row[main[1]].year for row in table.rows}) > MOST_FILES:
        table.shape = ""
    if table.shape == "versions":
        table.earlier = _earlier(table, random_)
    return table


def _cells(column: Column, count: int, language: str, random_: random.Random, *, unique: bool) -> list[Any]:
    concept = column.concept
    if column.target:
        keys = [row[column.target.key.key] for row in column.target.rows]
        weights = [random_.uniform(0.3, 1.5) for _ in keys]
        return random_.choices(keys, weights, k=count)
    if concept.kind == "id":
        start = random_.choice((1, 101, 1001, 20_001))
        dash = random_.choice(("-", "", "-"))
        return [f"{concept.options['pre']}{dash}{start + n}" for n in range(count)]
    if concept.kind in ("name", "cat"):
        values = _pool(concept.options["pool"], language, random_, count if unique or concept.kind == "name" else 8)
        if unique or concept.kind == "name" and len(values) >= count:
            return random_.sample(values, min(len(values), count))
        values = random_.sample(values, min(len(values), random_.randint(4, 8)))
        values = [v.capitalize() for v in values] if random_.random() < 0.5 and values[0].islower() else values
        return random_.choices(values, [1 / (n + 1.5) for n in range(len(values))], k=count)
    if concept.kind == "bool":
        share = random_.uniform(0.2, 0.8)
        return [random_.random() < share for _ in range(count)]
    if concept.kind in ("date", "date2"):
        first = date(EARLIEST_ENTRY if count <= 60 and concept.name in OLD_DATES else FIRST_YEAR, 1, 1)
        days = (date(FIRST_YEAR + YEARS, 1, 1) - first).days
        dates = [first + timedelta(days=random_.randrange(days)) for _ in range(count)]
        return sorted(dates) if random_.random() < 0.5 else dates
    return [_amount(concept, random_) for _ in range(count)]


def _pool(name: str, language: str, random_: random.Random, count: int) -> list[str]:
    if name == "person":
        first, last = pool("first"), pool("last")
        return [
            f"{f} {n}" for f, n in zip(random_.sample(first, len(first)), random_.sample(last, len(last)), strict=True)
        ] + (
            [f"{f} {n}" for f in random_.sample(first, 9) for n in random_.sample(last, 8)]
            if count > len(first)
            else []
        )
    if name == "company":
        return [f"{f} {random_.choice(pool('suffix'))}" for f in pool("firm")]
    return list(pool(name, language))


def _amount(concept: Concept, random_: random.Random) -> float:
    low, high = concept.low_high
    value = low + (high - low) * (random_.random() if concept.kind == "rate" else random_.betavariate(1.3, 2.6))
    if step := int(concept.options.get("round", 0)):
        return int(value // step * step) or step
    decimals = int(concept.options.get("dec", 0))
    return round(value, decimals) if decimals else round(value)


def _depend(table: Table, random_: random.Random) -> None:
    """Let compared columns be near each other, later dates come later, and some things not be finished."""
    for less, more, _ in table.spec.compared:
        concept = concepts()[less]
        for row in table.rows:
            value = row[more] * random_.uniform(0.55, 1.35 if less != "paid_amount" else 1.0)
            exact = less == "paid_amount" and random_.random() < 0.6
            row[less] = row[more] if exact else round(value, int(concept.options.get("dec", 0))) or 0
    first = next((c.key for c in table.columns if c.kind == "date"), "")
    for later in (c for c in table.columns if c.kind == "date2" and first):
        for row in table.rows:
            row[later.key] = row[first] + timedelta(days=random_.randint(2, 75))


def _widened(table: Table, periods: str, random_: random.Random) -> Table:
    """Turn a table of entities with one measure into one with a column per period."""
    entity, measure = table.columns[:2]
    years = [str(FIRST_YEAR - 2 + n) for n in range(random_.randint(3, 5))]
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    table.periods = tuple({"years": years, "months": months, "quarters": ["Q1", "Q2", "Q3", "Q4"]}[periods])
    long: list[Row] = []
    for row in table.rows:
        value = row[measure.key] + 10
        for period in table.periods:
            value = round(value * random_.uniform(0.85, 1.2), int(measure.concept.options.get("dec", 0)))
            long.append({entity.key: row[entity.key], "period": period, measure.key: value or 1})
    table.rows, table.shape = long, "wide"
    return table


def _earlier(table: Table, random_: random.Random) -> list[Row]:
    """Return an earlier version: some rows had other numbers, some did not exist yet, some are gone since."""
    rows = [dict(row) for row in table.rows]
    changing = [c for c in table.columns if c.kind in ("num", "rate")]
    for row in random_.sample(rows, max(2, len(rows) // 4)):
        for column in changing[:1]:
            if row[column.key]:
                row[column.key] = round(row[column.key] * random_.choice((0.8, 0.9, 1.1, 1.25)), 2)
    added = random_.sample(range(len(rows)), max(2, len(rows) // 8))
    removed = random_.sample(range(len(rows)), max(1, len(rows) // 10))
    table.rows[:] = [row for n, row in enumerate(table.rows) if n not in removed or n in added]
    return [row for n, row in enumerate(rows) if n not in added]

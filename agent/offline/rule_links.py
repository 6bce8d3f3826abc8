"""What the rules find of a question in one table: conditions and columns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tablerag.agent.offline import lexicon
from tablerag.agent.offline.linking import ColumnLink, header_tokens, link_columns, same_word
from tablerag.agent.offline.program import Condition
from tablerag.agent.offline.question import Comparison, Question
from tablerag.tools.number_words import YEAR
from tablerag.tools.records import Column, TableSchema, ValueHint
from tablerag.tools.text import tokens

__all__ = ["NUMERIC", "Links", "counts_years", "link"]

NUMERIC = ("integer", "decimal")
SURE_HINT = 0.8
STEM_CHARS = 5


@dataclass(frozen=True, slots=True)
class Links:
    """A question's conditions and columns in one table."""

    question: Question
    schema: TableSchema
    conditions: tuple[Condition, ...]
    columns: tuple[ColumnLink, ...]
    explained: frozenset[str]
    """Words that conditions and columns account for."""
    filtered: frozenset[str]
    """SQL names of the columns with conditions."""

    def numeric(self) -> Column | None:
        """Return the numeric column that the question names best, preferably one without a condition."""
        named = [k.column for k in self.columns if k.column.type in NUMERIC and k.column.kind != "id"]
        return next((c for c in named if c.name not in self.filtered), named[0] if named else None)

    def named(self, *, but: Sequence[str | None] = ()) -> list[ColumnLink]:
        """Return the named columns in the order of the question, except those in ``but``."""
        return sorted((k for k in self.columns if k.column.name not in but), key=lambda k: k.position)

    def unexplained(self) -> tuple[str, ...]:
        """Return the question's words that neither the table nor the operation accounts for."""
        schema, limit = self.schema, self.question.limit
        # Of a table that unites others: the words that all of its members share.
        origins = [set(tokens(f"{m.source} {m.locator}")) for m in schema.members or (schema,)]
        title = set(tokens(f"{schema.title} {schema.name}")) | set.intersection(*origins)
        known = lexicon.OPERATION_WORDS | lexicon.NOISE | title
        return tuple(
            w
            for w in self.question.words
            if w not in self.explained and not any(same_word(w, t) for t in known) and not (limit and w == str(limit))
        )


def link(question: Question, schema: TableSchema, hints: Sequence[ValueHint]) -> Links:
    """Find a question's conditions and columns in a table."""
    kept = _kept_hints([h for h in hints if h.table == schema.name], question, schema)
    in_values = {w for h in kept for w in tokens(h.phrase)}
    by_column: dict[str, dict[str, None]] = {}
    for hint in kept:
        by_column.setdefault(hint.column, {})[hint.value] = None
    conditions = tuple(Condition(column, "=", tuple(values)) for column, values in by_column.items())
    in_comparisons = {w for c in question.comparisons for w in c.words}
    columns = tuple(link_columns(question.words, schema, in_values | {w for w in in_comparisons if w.isdigit()}))
    numeric, used = _numeric_conditions(question, schema, columns)
    conditions += numeric
    explained = in_values | used | {w for k in columns for w in k.words}
    return Links(question, schema, conditions, columns, frozenset(explained), frozenset(c.column for c in conditions))


def _kept_hints(hints: Sequence[ValueHint], question: Question, schema: TableSchema) -> list[ValueHint]:
    """Keep sure hints, one column per phrase: the one whose header the question names, else the first."""
    headers = {t for c in schema.columns for t in header_tokens(c.header)}
    named_columns = {c.name for c in schema.columns if any(t in question.words for t in header_tokens(c.header))}
    kept: dict[str, list[ValueHint]] = {}
    for hint in hints:
        if hint.score < SURE_HINT or set(tokens(hint.phrase)) <= headers | lexicon.OPERATION_WORDS:
            continue
        if hint.phrase.isdigit() and len(hint.phrase) < 4 and hint.column not in named_columns:
            continue  # a small number alone identifies nothing
        if any(hint.phrase in longer and hint.phrase != longer for longer in kept):
            continue
        kept.setdefault(hint.phrase, []).append(hint)
    chosen: list[ValueHint] = []
    for same in kept.values():
        named = [h for h in same if any(same_word(t, w) for t in tokens(h.column) for w in question.words)]
        column = (named or same)[0].column
        chosen += [h for h in same if h.column == column]
    return chosen


def _numeric_conditions(
    question: Question, schema: TableSchema, columns: Sequence[ColumnLink]
) -> tuple[tuple[Condition, ...], set[str]]:
    """Return the conditions of comparisons, else that of a year, and the words that they account for."""
    compared = [(c, _compared(c, question, schema, columns)) for c in question.comparisons]
    found = tuple(condition for _, condition in compared if condition)
    if found:
        return found, {w for c, condition in compared if condition for w in c.words}
    year = _year_condition(question, schema)
    return ((year,), {str(int(year.values[0]))}) if year else ((), set())


def _compared(
    comparison: Comparison, question: Question, schema: TableSchema, columns: Sequence[ColumnLink]
) -> Condition | None:
    """Find the column that a comparison is about: of a year, a date; else the nearest named numeric column."""
    number = comparison.number
    values = (number,) if comparison.upper is None else (number, comparison.upper)
    if 1000 <= number <= 2999 and number == int(number):
        for column in schema.columns:
            if column.type in ("date", "datetime"):
                return _date_compared(column, comparison)
        years = next((c for c in schema.columns if c.type == "integer" and "year" in header_tokens(c.header)), None)
        if years:
            return Condition(years.name, comparison.operator, values)
    numeric = [k for k in columns if k.column.type in NUMERIC and not counts_years(k.column)]
    if not numeric:
        return None
    lower = question.text.casefold()

    def distance(link: ColumnLink) -> int:
        places = [lower.find(w[:STEM_CHARS]) for w in link.words]
        return min((abs(p - comparison.start) for p in places if p >= 0), default=10_000)

    return Condition(min(numeric, key=distance).column.name, comparison.operator, values)


def counts_years(column: Column) -> bool:
    """Tell whether a column holds years."""
    return column.type == "integer" and bool({"year", "season"} & set(header_tokens(column.header)))


def _date_compared(column: Column, comparison: Comparison) -> Condition | None:
    year = int(comparison.number)
    match comparison.operator:
        case "between":
            return Condition(column.name, "between", (f"{year}-01-01", f"{int(comparison.upper or year)}-12-31"))
        case ">" | ">=":
            return Condition(column.name, ">=", (f"{year + (comparison.operator == '>')}-01-01",))
        case _:
            return Condition(column.name, "<=", (f"{year - (comparison.operator == '<')}-12-31",))


def _year_condition(question: Question, schema: TableSchema) -> Condition | None:
    """Read "in 2019" as a filter if the table has a year or date column."""
    found = re.search(rf"\b({YEAR})\b", question.text)
    if not found:
        return None
    year = float(found[1])
    for column in schema.columns:
        if column.type == "integer" and {"year", "season", "edition"} & set(header_tokens(column.header)):
            return Condition(column.name, "=", (year,))
    dated = next((c for c in schema.columns if c.type in ("date", "datetime")), None)
    return Condition(dated.name, "year", (year,)) if dated else None

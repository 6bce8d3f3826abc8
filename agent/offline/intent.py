"""From a question and a table to the SELECT that it means, with a confidence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablerag.agent.offline import lexicon
from tablerag.agent.offline.linking import ColumnLink, header_tokens, link_columns, same_word
from tablerag.agent.offline.program import Condition
from tablerag.agent.offline.question import Comparison, Question
from tablerag.agent.offline.sketch import Sketch
from tablerag.tools.number_words import YEAR
from tablerag.tools.records import TOTAL, Column, TableSchema, ValueHint
from tablerag.tools.text import tokens

__all__ = ["RuleReading", "read_intent"]

NUMERIC = ("integer", "decimal")
SURE = 0.7
"""Share of the question's words that a statement must explain."""
SURE_COUNT = 0.99
"""The same for counts: a word left over is most often a condition left out."""
SURE_HINT = 0.8
STEM_CHARS = 5


@dataclass(frozen=True, slots=True)
class RuleReading:
    """A sketch, how much of the question it explains (0 to 1), and the words it leaves unexplained."""

    sketch: Sketch
    confidence: float
    unexplained: tuple[str, ...]

    @property
    def is_sure(self) -> bool:
        """Whether enough of the question is explained, and nothing that is surely a condition is left out."""
        least = SURE_COUNT if self.sketch.aggregate in ("count", "share") else SURE
        return self.confidence >= least and not any(map(_narrows, self.unexplained))


@dataclass(frozen=True, slots=True)
class _Links:
    """What of the question is found in one table."""

    question: Question
    schema: TableSchema
    conditions: tuple[Condition, ...]
    columns: tuple[ColumnLink, ...]
    explained: frozenset[str]
    filtered: frozenset[str]
    """SQL names of the columns that conditions are on."""

    def numeric(self) -> Column | None:
        """The numeric column that the question names best, not counting filtered ones when others are there."""
        named = [k.column for k in self.columns if k.column.type in NUMERIC and k.column.kind != "id"]
        return next((c for c in named if c.name not in self.filtered), named[0] if named else None)

    def named(self, *, but: Sequence[str | None] = ()) -> list[ColumnLink]:
        """The named columns in the order of the question, those in ``but`` left out."""
        return sorted((k for k in self.columns if k.column.name not in but), key=lambda k: k.position)


def read_intent(question: Question, schema: TableSchema, hints: Sequence[ValueHint]) -> RuleReading | None:
    """Return the reading of a question over one table, or None when the table says nothing to it."""
    if question.beyond:
        return None
    links = _link(question, schema, [h for h in hints if h.table == schema.name])
    sketch = _sketch(links)
    if sketch is None or not (sketch.aggregate or sketch.columns):
        return None
    unexplained = _unexplained(links)
    known = len(question.words) - len(unexplained)
    return RuleReading(_as_printed(sketch, schema), known / max(len(question.words), 1), tuple(unexplained))


def _narrows(word: str) -> bool:
    """Tell whether a word left over is surely a condition left out: a number, a year, a month."""
    return word in lexicon.MONTHS or any(c.isdigit() for c in word)


def _as_printed(sketch: Sketch, schema: TableSchema) -> Sketch:
    """Show cells in the document's own words where their typed value says less."""
    raw = {c.name: c.raw for c in schema.columns if c.raw}
    return replace(sketch, columns=tuple(raw.get(name, name) for name in sketch.columns))


def _link(question: Question, schema: TableSchema, hints: Sequence[ValueHint]) -> _Links:
    kept = _kept_hints(hints, question, schema)
    in_values = {w for h in kept for w in tokens(h.phrase)}
    conditions = _value_conditions(kept)
    in_comparisons = {w for c in question.comparisons for w in c.words}
    columns = tuple(link_columns(question.words, schema, in_values | {w for w in in_comparisons if w.isdigit()}))
    numeric, used = _numeric_conditions(question, schema, columns)
    conditions += numeric
    explained = in_values | used | {w for k in columns for w in k.words}
    return _Links(question, schema, conditions, columns, frozenset(explained), frozenset(c.column for c in conditions))


def _kept_hints(hints: Sequence[ValueHint], question: Question, schema: TableSchema) -> list[ValueHint]:
    """Keep sure hints, one column per phrase: the one whose header the question names, else the first."""
    headers = {t for c in schema.columns for t in header_tokens(c.header)}
    named_columns = {c.name for c in schema.columns if any(t in question.words for t in header_tokens(c.header))}
    kept: dict[str, list[ValueHint]] = {}
    for hint in hints:
        words = tokens(hint.phrase)
        if hint.score < SURE_HINT or set(words) <= headers | lexicon.OPERATION_WORDS:
            continue
        if hint.phrase.isdigit() and len(hint.phrase) < 4 and hint.column not in named_columns:
            continue  # a small number alone names nothing
        if any(hint.phrase in longer and hint.phrase != longer for longer in kept):
            continue
        kept.setdefault(hint.phrase, []).append(hint)
    chosen: list[ValueHint] = []
    for same in kept.values():
        named = [h for h in same if any(same_word(t, w) for t in tokens(h.column) for w in question.words)]
        column = (named or same)[0].column
        chosen += [h for h in same if h.column == column]
    return chosen


def _value_conditions(hints: Sequence[ValueHint]) -> tuple[Condition, ...]:
    by_column: dict[str, dict[str, None]] = {}
    for hint in hints:
        by_column.setdefault(hint.column, {})[hint.value] = None
    return tuple(Condition(column, "=", tuple(values)) for column, values in by_column.items())


def _numeric_conditions(
    question: Question, schema: TableSchema, columns: Sequence[ColumnLink]
) -> tuple[tuple[Condition, ...], set[str]]:
    found: list[Condition] = []
    used: set[str] = set()
    for comparison in question.comparisons:
        condition = _compared(comparison, question, schema, columns)
        if condition:
            found.append(condition)
            used |= comparison.words
    if not found:
        year = _year_condition(question, schema)
        if year:
            found.append(year)
            used.add(str(int(year.values[0])))
    return tuple(found), used


def _compared(
    comparison: Comparison, question: Question, schema: TableSchema, columns: Sequence[ColumnLink]
) -> Condition | None:
    """Find the column a comparison is about: a year's, else the named numeric column nearest to it."""
    number = comparison.number
    values = (number,) if comparison.upper is None else (number, comparison.upper)
    if 1000 <= number <= 2999 and number == int(number):
        for column in schema.columns:
            if column.type in ("date", "datetime"):
                return _date_compared(column, comparison)
        years = next((c for c in schema.columns if c.type == "integer" and "year" in header_tokens(c.header)), None)
        if years:
            return Condition(years.name, comparison.operator, values)
    numeric = [k for k in columns if k.column.type in NUMERIC and not _counts_years(k.column)]
    if not numeric:
        return None
    lower = question.text.casefold()

    def distance(link: ColumnLink) -> int:
        places = [lower.find(w[:STEM_CHARS]) for w in link.words]
        return min((abs(p - comparison.start) for p in places if p >= 0), default=10_000)

    return Condition(min(numeric, key=distance).column.name, comparison.operator, values)


def _counts_years(column: Column) -> bool:
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
    """Read "in 2019" as a filter when the table has a year or date column."""
    found = re.search(rf"\b({YEAR})\b", question.text)
    if not found:
        return None
    year = float(found[1])
    for column in schema.columns:
        if column.type == "integer" and {"year", "season", "edition"} & set(header_tokens(column.header)):
            return Condition(column.name, "=", (year,))
    for column in schema.columns:
        if column.type in ("date", "datetime"):
            return Condition(column.name, "year", (year,))
    return None


def _origins(schema: TableSchema) -> list[set[str]]:
    """Return the words of a table's source; of a uniting table's, those that all of its members share."""
    if not schema.members:
        return [set(tokens(f"{schema.source} {schema.locator}"))]
    return [set.intersection(*(set(tokens(f"{m.source} {m.locator}")) for m in schema.members))]


def _unexplained(links: _Links) -> list[str]:
    schema = links.schema
    title = set(tokens(f"{schema.title} {schema.name}")).union(*_origins(schema))
    stripped = lexicon.OPERATION_WORDS | lexicon.NOISE | title

    def known(word: str) -> bool:
        if word in links.explained or any(same_word(word, t) for t in stripped):
            return True
        limit = str(links.question.limit) if links.question.limit else None
        return word == limit

    return [w for w in links.question.words if not known(w)]


def _sketch(links: _Links) -> Sketch | None:
    base = Sketch(links.schema.name, conditions=links.conditions, without_totals=TOTAL in links.schema.hidden_columns)
    if links.question.neighbour:
        return _beside(links, base)
    group = _group_column(links)
    match links.question.operation:
        case "share":
            return _share(links, base)
        case "sum" | "avg":
            return _measured(links, base, group)
        case "count":
            return _counted(links, base, group)
        case "highest" | "lowest" | "first" | "last":
            return _ranked(links, base)
        case _:
            return _listed(links, base)


def _beside(links: _Links, base: Sketch) -> Sketch | None:
    """Read "who came after X" when one value is named and nothing else is asked of the row."""
    if len(links.conditions) != 1 or links.question.operation != "list" or links.conditions[0].operator != "=":
        return None
    if len(links.conditions[0].values) != 1:
        return None
    step = 1 if links.question.neighbour == "next" else -1
    return replace(base, columns=(links.conditions[0].column,), neighbour=step)


def _group_column(links: _Links) -> str | None:
    words = links.question.group
    for column in links.schema.columns:
        names = header_tokens(column.header)
        if words and column.type not in NUMERIC and any(same_word(n, w) for n in names for w in words[:2]):
            return column.name if column.name not in links.filtered else None
    return None


def _share(links: _Links, base: Sketch) -> Sketch | None:
    if not links.conditions:
        return None
    measure = links.numeric()
    if measure is None or measure.name in links.filtered:
        return replace(base, aggregate="share")
    return replace(base, aggregate="share_sum", measure=measure.name)


def _measured(links: _Links, base: Sketch, group: str | None) -> Sketch | None:
    measure = links.numeric()
    if measure is None:
        numeric = [c for c in links.schema.columns if c.type in NUMERIC]
        if links.question.operation == "sum" and re.search(lexicon.COUNT, links.question.text.casefold()):
            return replace(base, aggregate="count", group=group)
        if len(numeric) != 1:
            return None
        measure = numeric[0]
    return replace(base, aggregate=links.question.operation, measure=measure.name, group=group)


def _counted(links: _Links, base: Sketch, group: str | None) -> Sketch | None:
    """Count rows; "how many farms does X have" reads the column that holds the count instead."""
    first = next(iter(links.named()), None)
    if first and first.column.type in NUMERIC and first.column.name not in links.filtered and links.conditions:
        return replace(base, aggregate="sum", measure=first.column.name) if not group else None
    if re.search(r"\b(different|distinct|unique)\b", links.question.text.casefold()) and first:
        return replace(base, aggregate="count_distinct", measure=first.column.name)
    return replace(base, aggregate="count", group=group)


def _ranked(links: _Links, base: Sketch) -> Sketch | None:
    several = [c for c in links.conditions if len(c.values) > 1 and c.operator == "="]
    if several:
        return _best_of(links, base, several)
    descending = links.question.operation in ("highest", "last")
    if links.question.operation in ("first", "last"):
        order = next((c.name for c in links.schema.columns if c.type in ("date", "datetime")), "_row_id")
        shown = _shown(links, but=[order])
        return replace(base, columns=shown, order=order, descending=descending, limit=links.question.limit or 1)
    by = _rank_column(links)
    shown = _shown(links, but=[by.name]) if by else ()
    if by and shown:
        limit = links.question.limit
        return replace(base, columns=shown, order=by.name, descending=descending, limit=limit, ties=limit is None)
    return _most_common(links, base, descending) if not by else _extreme(links, base, by, descending)


def _best_of(links: _Links, base: Sketch, several: Sequence[Condition]) -> Sketch | None:
    """Read "which of A, B and C has the most goals"; other comparisons of named things are left alone."""
    among = re.search(r"\b(?:which|who|what)(?: one)? (?:of|among)\b", links.question.text, re.IGNORECASE)
    by = _rank_column(links)
    if not among or len(several) != 1 or by is None or links.question.operation not in ("highest", "lowest"):
        return None
    descending = links.question.operation == "highest"
    return replace(base, columns=(several[0].column,), order=by.name, descending=descending, ties=True)


def _rank_column(links: _Links) -> Column | None:
    """The column to rank by: the ordered one that the question names nearest after the superlative."""
    ordered = [k for k in links.columns if k.column.type not in ("text", "boolean")]
    ordered = [k for k in ordered if k.column.name not in links.filtered] or ordered
    if ordered:
        return ordered[0].column
    words = set(links.question.words)
    if words & {"latest", "newest", "earliest", "oldest"}:
        return next((c for c in links.schema.columns if c.type in ("date", "datetime") or "year" in c.name), None)
    numeric = [c for c in links.schema.columns if c.type in NUMERIC and not _counts_years(c) and not _numbers_rows(c)]
    return numeric[0] if len(numeric) == 1 and set(links.question.words) & lexicon.SIZE_WORDS else None


def _numbers_rows(column: Column) -> bool:
    return column.name in ("no", "number", "rank", "id", "position", "row", "n")


def _extreme(links: _Links, base: Sketch, by: Column, descending: bool) -> Sketch:
    if by.raw:
        return replace(base, columns=(by.name,), order=by.name, descending=descending, ties=True)
    return replace(base, aggregate="max" if descending else "min", measure=by.name)


def _most_common(links: _Links, base: Sketch, descending: bool) -> Sketch | None:
    """Read "which region has the most orders" as the group with most rows."""
    named = [k for k in links.named() if k.column.type == "text"]
    if not named or not descending or _unexplained(links):
        return None
    return replace(base, aggregate="count", group=named[0].column.name, order="", descending=descending, limit=1)


def _shown(links: _Links, but: Sequence[str]) -> tuple[str, ...]:
    """The columns asked for: those named, else what the question word means, else the first text column."""
    named = [k.column.name for k in links.named(but=[*but, *links.filtered])]
    if named and links.question.asks != "who":
        return (named[0],)
    texts = [k.column.name for k in links.named(but=[*but, *links.filtered]) if k.column.type == "text"]
    if texts:
        return (texts[0],)
    return _default_shown(links, but)


def _default_shown(links: _Links, but: Sequence[str]) -> tuple[str, ...]:
    wanted = lexicon.WORD_COLUMNS.get(links.question.asks, ())
    free = [c for c in links.schema.columns if c.name not in but and c.name not in links.filtered]
    for column in free:
        if any(w in header_tokens(column.header) for w in wanted):
            return (column.name,)
    counted = any(k.column.type not in ("text", "boolean") for k in links.named(but=[*but, *links.filtered]))
    if links.question.asks in ("how", "when") or (links.question.asks == "who" and counted):
        # The words fit a number's column, and a person is asked for: this table does not say who.
        return ()
    return next(((c.name,) for c in free if c.type == "text"), ())


def _listed(links: _Links, base: Sketch) -> Sketch | None:
    if not links.conditions or any(len(c.values) > 1 and c.operator == "=" for c in links.conditions):
        return None  # two values of one column are compared, most often, and not both listed
    shown = _shown(links, but=())
    return replace(base, columns=shown) if shown else None

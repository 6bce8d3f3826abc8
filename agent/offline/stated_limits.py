"""Limits that a table of rules states: "Within how many days must urgent repairs be finished?" is no sum of days."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

import sqlglot
from sqlglot import exp

from tablerag.agent.offline.interpretation import ReadRows
from tablerag.agent.offline.sql_text import literal, name_of
from tablerag.agent.offline.table_view import ColumnView, TableView
from tablerag.agent.offline.text.asked import TextQuestion, read_text_question
from tablerag.agent.offline.text.dates import CLOCK, PERIOD
from tablerag.agent.offline.text.matching import loosely_found, word_set
from tablerag.agent.offline.text.vocabulary import fold, listed, words_in
from tablerag.tools.errors import SqlProblem
from tablerag.tools.records import TableSchema, ValueHint

__all__ = ["asks_limit", "computes_limit", "limit_of"]

LIMIT = re.compile(
    r"\b(?:within (?:how many|what|which)|how (?:long|soon|fast|quickly|late)|by when)\b"
    r".*\b(?:must|may|should|shall|(?:have|has|need|needs|allowed) to)\b"
    r"|\b(?:innerhalb|binnen) w\w+\b.*\b(?:muss|mussen|darf|durfen|soll|sollen)\b"
    r"|\b(?:wie (?:lange|schnell)|bis wann)\b.*\b(?:muss|mussen|darf|durfen|soll|sollen)\b"
    r"|\b(?:en|dans|sous) (?:combien de|quel delai)\b.*\b(?:doit|doivent|peut|peuvent)\b"
)
COMPUTED = (exp.Sum, exp.Avg, exp.Count, exp.DateDiff, exp.TimestampDiff)
FOUND = 0.8
"""How well a word of the question must be found in a header, a cell or the names of a table."""
MOST_ROWS = 60
"""Rows of the longest table of rules."""
IMPLIED = frozenset(
    "second minute hour day week month year working business calendar long soon fast quickly late latest within"
    " stunde tag tage tagen werktag arbeitstag woche wochen monat monate lange schnell frist heure jour jours semaine"
    " semaines mois delai".split()
)
"""Words that ask for the limit itself."""


def asks_limit(question: str) -> bool:
    """Tell whether a question asks for a limit in time that a rule sets, and for no average or total of rows."""
    asked = fold(question)
    return bool(LIMIT.search(asked)) and word_set(asked).isdisjoint(listed("totals", "ranks") | {"average", "mean"})


def limit_of(
    question: str, schemas: Sequence[TableSchema], read_rows: ReadRows, hints: Sequence[ValueHint]
) -> tuple[str, str] | None:
    """Return the statement that looks a limit up in a table of rules, and its meaning; None if no single one states it.

    The table has all telling words of the question: one row is named by a cell, the column by its header, and the
    others are in the table's names.
    """
    if not asks_limit(question):
        return None
    asked = read_text_question(question)
    found: list[tuple[str, str]] = []
    for schema in schemas:
        if 1 < schema.row_count <= MOST_ROWS:
            try:
                view = TableView.of(schema, read_rows(schema, hints))
            except SqlProblem:
                continue
            found += _limits_in(asked, view)
    return found[0] if len(found) == 1 else None


def _limits_in(asked: TextQuestion, view: TableView) -> Iterator[tuple[str, str]]:
    schema = view.schema
    words = [w for w in asked.words if not loosely_found(w, IMPLIED)]
    telling = [w for w in words if w not in asked.light]
    names = word_set(f"{schema.title} {re.sub(r'[_-]+', ' ', PurePosixPath(schema.source).stem)}")
    keys = [(c, row) for c in view.columns for row in range(len(view.row_ids)) if _is_named(asked, c, row)]
    if len({row for _, row in keys}) != 1:
        return
    key, row = keys[0]
    of_key = word_set(str(key.texts[row]))
    for column in view.columns:
        text = str(column.texts[row] or "")
        header = word_set(column.column.header)
        named = {w for w in words if loosely_found(w, header) >= FOUND}
        rest = [w for w in telling if w not in named and not max(loosely_found(w, of_key), loosely_found(w, names))]
        if column is not key and named and not rest and (PERIOD.search(text) or CLOCK.search(text)):
            sql = f"SELECT {name_of(column.shown)} FROM {name_of(schema.name)}"
            sql += f" WHERE {name_of(key.shown)} = {literal(str(key.texts[row]))}"
            yield sql, f'{column.column.header} where {key.column.header} is "{key.texts[row]}"'


def _is_named(asked: TextQuestion, column: ColumnView, row: int) -> bool:
    """Tell whether the question has all words of a cell."""
    words = [w.text for w in words_in(str(column.texts[row] or ""))]
    own = word_set(asked.text)
    return any(w not in listed("stop") and not w.isdigit() for w in words) and all(
        loosely_found(w, own) >= FOUND for w in words
    )


def computes_limit(question: str, sql: str, schemas: Sequence[TableSchema]) -> bool:
    """Tell whether a statement computes from rows what only a rule says, or shows numbers that are no time."""
    if not sql or not asks_limit(question):
        return False
    query = sqlglot.parse_one(sql, read="mysql")
    if query.find(*COMPUTED) is not None:
        return True
    asked = word_set(fold(question))
    shown = {c.name for e in getattr(query, "selects", ()) for c in e.find_all(exp.Column)}
    read = {t.name for t in query.find_all(exp.Table)}
    numbers = [
        c
        for s in schemas
        if s.name in read
        for c in s.columns
        if c.name in shown and c.type in ("integer", "decimal") and c.unit != "s"
    ]
    return any(not any(loosely_found(w, asked) for w in word_set(c.header)) for c in numbers)

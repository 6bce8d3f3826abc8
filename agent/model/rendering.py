"""Renders records as text for prompts: bounded, and unable to close a prompt's block."""

import logging
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from tablerag.agent.reasoning import SqlAttempt, Step, Turn
from tablerag.tools.linking.meanings import MEANT_SCORE
from tablerag.tools.records import (
    HIDDEN,
    MEMBER,
    TOTAL,
    Cell,
    Chunk,
    Column,
    JoinHint,
    SqlResult,
    SupportingRows,
    TableSchema,
    ValueHint,
)

__all__ = [
    "attempts_text",
    "chunks_text",
    "hints_text",
    "history_text",
    "inert",
    "result_text",
    "schemas_text",
    "steps_text",
    "supporting_text",
]

LOG = logging.getLogger(__name__)
CHUNK_CHARS = 6000
CHUNKS_CHARS = 18_000
"""All chunks of one prompt together; each gets its share."""
SCHEMAS_CHARS = 16_000
"""Past this, the tables further down are shown without examples."""
ROWS = 30
CELL_CHARS = 200
COLUMNS = 60
OUR_TAGS = re.compile(
    r"<(?=[\s\u200c\u200d]*/?[\s\u200c\u200d]*(question|evidence|chunk|documents?|tables|hints|steps|conversation|sql_result|attempts|subquery)\b)",
    re.IGNORECASE,
)
NOTHING = "(none)"
TOLD_KINDS = {
    "duration": "a span of time as a number",
    "range": "ranges",
    "score": "pairs of numbers such as 3-1",
    "partial date": "dates as YYYY-MM-DD, YYYY-MM or YYYY",
    "year": "years",
}
HIDDEN_NOTES = {
    TOTAL: "is TRUE for rows that sum up others: WHERE NOT `_total` before sums, counts and rankings",
    HIDDEN: "is TRUE for rows that the source hides from view",
    MEMBER: "is the table that a row is from",
}
KEPT = "\n\t\u200c\u200d"
"""Line breaks, and the joiners that Persian, the Indic scripts and emoji are spelled with."""


def inert(text: str) -> str:
    """Return untrusted text that cannot open or close one of the prompt's own blocks.

    Invisible characters go: inside a tag they would hide it from the pattern, not from the model.
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(c for c in text if c in KEPT or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return OUR_TAGS.sub("‹", text)


def _line(text: str) -> str:
    return inert(" ".join(text.split()))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} … [cut]"


def schemas_text(schemas: Sequence[TableSchema], wanted: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Write each table as its name, origin and one line per column.

    Of a wide table the columns in ``wanted`` (by table, each with the reason) are shown, then the first ones.
    """
    schemas = [_wanted_first(s, (wanted or {}).get(s.name, {})) for s in schemas]
    parts: list[str] = []
    left = SCHEMAS_CHARS
    for schema in schemas:
        text = _schema(schema)
        if len(text) > left and parts:
            text = _schema(_without_examples(schema))
        parts.append(text)
        left -= len(text)
    return "\n\n".join(parts) or NOTHING


def _wanted_first(schema: TableSchema, wanted: Mapping[str, str]) -> TableSchema:
    """Return a wide table with the columns that matter first; the reasons go to the log."""
    if len(schema.columns) <= COLUMNS or not wanted:
        return schema
    LOG.info("of the %d columns of %s are shown: %s", len(schema.columns), schema.name, dict(wanted))
    ordered = sorted(schema.columns, key=lambda c: c.name not in wanted)
    return schema.model_copy(update={"columns": tuple(ordered)})


def _without_examples(schema: TableSchema) -> TableSchema:
    plain = tuple(c.model_copy(update={"examples": ()}) for c in schema.columns)
    note = "examples are left out for brevity"
    return schema.model_copy(update={"columns": plain, "warnings": (note, *schema.warnings)})


def _schema(schema: TableSchema) -> str:
    rows = f"{schema.row_count} row{'s' * (schema.row_count != 1)}"
    head = f"table `{schema.name}`: {rows}; title: {_line(schema.title)}; file: {_line(schema.source)}"
    lines = [head] + [f"  {_column(c)}" for c in schema.columns[:COLUMNS]]
    if len(schema.columns) > COLUMNS:
        rest = ", ".join(f"`{c.name}`" for c in schema.columns[COLUMNS:])
        lines.append(f"  and {len(schema.columns) - COLUMNS} more columns: {_cut(rest, 2000)}")
    lines += [f"  {line}" for line in _hidden(schema)]
    lines += [f"  note: {_cut(_line(w), 300)}" for w in schema.warnings[:5]]
    return "\n".join(lines)


def _column(column: Column) -> str:
    parts = [f"`{column.name}` {column.type}"]
    if column.header.casefold() not in (column.name.replace("_", " "), column.name):
        parts.append(f'header "{_cut(_line(column.header), 80)}"')
    if column.unit or column.scale:
        parts.append("in " + " ".join(_cut(_line(p), 40) for p in (column.scale, column.unit) if p))
    if column.kind in TOLD_KINDS:
        parts.append(TOLD_KINDS[column.kind])
    if column.type == "boolean":
        parts.append("TRUE or FALSE, which results show as 1 and 0")
    elif column.examples:
        parts.append("e.g. " + " | ".join(_cut(_line(e), 50) for e in column.examples[:3]))
    if column.unfit and column.type != "text":
        parts.append(f"NULL where a cell is no {column.type} (cells: {column.unfit})")
    if column.raw:
        parts.append(f"as printed in `{column.raw}`")
    if column.low:
        parts.append(f"its ends as {column.ends} in `{column.low}` and `{column.high}`")
    return "; ".join(parts)


def _hidden(schema: TableSchema) -> Iterator[str]:
    """Say what else a statement may use."""
    if schema.row_path:
        names = ", ".join(f"`{n}`" for n in schema.row_path)
        yield f"sections that the rows stand in, outermost first: {names}"
    for name, says in HIDDEN_NOTES.items():
        if name in schema.hidden_columns:
            yield f"`{name}` {says}"


def chunks_text(chunks: Sequence[Chunk], *, each: int = CHUNK_CHARS, together: int = CHUNKS_CHARS) -> str:
    """Write the chunks, numbered from 1, each with where it comes from, within so many characters."""
    blocks = []
    left = together
    for number, chunk in enumerate(chunks, start=1):
        # What short chunks leave over goes to the ones after them.
        most = min(each, left // (len(chunks) - number + 1))
        blocks.append(_chunk(number, chunk, most))
        left -= min(len(chunk.text), most)
    return "\n".join(blocks) or NOTHING


def _chunk(number: int, chunk: Chunk, most: int) -> str:
    place = ", ".join(p for p in (chunk.source, chunk.locator) if p)
    head = _line(f"{place} — {chunk.title}" if chunk.title else place)
    text = inert(_cut(chunk.text, most))
    return f'<chunk number="{number}" kind="{chunk.kind}">\n[{number}] {head}\n{text}\n</chunk>'


def hints_text(hints: Sequence[ValueHint], joins: Sequence[JoinHint] = ()) -> str:
    """Write each stored value that the question seems to mention, in its exact spelling, and likely joins."""
    said = {True: "question says", False: "perhaps what the question calls"}
    lines = [
        f"`{h.table}`.`{h.column}` holds {_quoted(h.value)} ({said[h.score > MEANT_SCORE]} {_quoted(h.phrase)})"
        for h in hints
    ]
    lines += [
        f"`{j.left}`.`{j.left_column}` = `{j.right}`.`{j.right_column}` may join these tables "
        f"({j.share:.0%} of the values of one are in the other)"
        for j in joins
    ]
    return "\n".join(lines) or NOTHING


def _quoted(text: str) -> str:
    return "'" + _cut(_line(text), CELL_CHARS).replace("'", "''") + "'"


def attempts_text(attempts: Sequence[SqlAttempt], others: Sequence[str] = ()) -> str:
    """Write the statements that did not run, each with its error, and those that another is to be held against."""
    failed = [f"{inert(a.sql)}\nerror: {_line(a.error)}" for a in attempts]
    written = [f"{inert(sql)}\nwritten already, to be checked: come to the answer in another way" for sql in others]
    return "\n\n".join([*failed, *written]) or NOTHING


def result_text(result: SqlResult | None, error: str | None) -> str:
    """Write a result as the statement and its rows, or why there is none."""
    if result is None:
        return f"no result: {_line(error)}" if error else "no SQL was run"
    shown = result.rows[:ROWS]
    lines = [inert(result.sql), _row(result.columns), *map(_row, shown)]
    if not result.rows:
        lines.append("(no rows: nothing matches)")
    if result.empty is not None:
        lines.append(f"(it found nothing: {_line(result.empty.says)})")
    if result.truncated:
        lines.append(f"(cut: more rows exist than the {len(result.rows)} that were fetched; {len(shown)} are shown)")
    elif len(result.rows) > len(shown):
        lines.append(f"(the first {len(shown)} of {len(result.rows)} rows)")
    return "\n".join(lines)


def _row(cells: Sequence[Cell]) -> str:
    return " | ".join("NULL" if c is None else _cut(_line(str(c)), CELL_CHARS) for c in cells)


def supporting_text(result: SqlResult | None, supporting: Sequence[SupportingRows]) -> str:
    """Write a few of the stored rows behind a result; nothing where no statement ran."""
    if result is None:
        return ""
    parts = []
    for rows in supporting:
        if not rows.total:  # a part of the statement, such as one side of a UNION, that found nothing
            continue
        shown = rows.rows[:5]
        some = f", the first {len(shown)}" if rows.total > len(shown) else ""
        parts.append(f"computed from {rows.total} stored row{'s' * (rows.total > 1)} of `{rows.table}`{some}:")
        units = rows.units or ("",) * len(rows.columns)
        named = [f"{c} [in {_line(u)}]" if u else c for c, u in zip(rows.columns, units, strict=True)]
        parts += [_row(named), *map(_row, shown)]
    if parts:
        return "\n".join(parts)
    return "computed from no stored row" if supporting else "(which stored rows it was computed from cannot be told)"


def steps_text(steps: Sequence[Step]) -> str:
    """Write the finished iterations: subquery, intermediate answer, verdict and reason."""
    return "\n".join(_step(i, s) for i, s in enumerate(steps, start=1)) or NOTHING


def _step(number: int, step: Step) -> str:
    answer = _cut(inert(step.intermediate_answer), 2000) or "no answer found"
    lines = [f"{number}. subquery: {_line(step.subquery)}", f"   answer: {answer}"]
    lines.append(f"   verdict: {step.verdict}; {_cut(_line(step.reason), 500)}")
    if step.sql and step.result is not None:
        lines.append(f"   sql: {_cut(_line(step.sql), 800)}")
    return "\n".join(lines)


def history_text(history: Sequence[Turn]) -> str:
    """Write the conversation's earlier turns."""
    return "\n".join(f"user: {_line(t.question)}\nanswer: {_cut(_line(t.answer), 500)}" for t in history) or NOTHING

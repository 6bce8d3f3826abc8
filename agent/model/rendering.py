"""Renders records as text for prompts: bounded, and unable to close a prompt's block."""

import logging
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

from tablerag.agent.excerpts import excerpt
from tablerag.agent.reasoning import Confirmed, SqlAttempt, Turn
from tablerag.tools.knowledge.mentions import Mention
from tablerag.tools.linking.keys import COMMON, key_of, singular_key
from tablerag.tools.linking.matching import SURE
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
    TableExtract,
    TableSchema,
    ValueHint,
)

__all__ = [
    "chunks_text",
    "confirmed_text",
    "failed_text",
    "history_text",
    "inert",
    "listed_text",
    "meanings_text",
    "others_text",
    "passages_text",
    "result_text",
    "supporting_text",
    "tables_text",
]

LOG = logging.getLogger(__name__)
CHUNK_CHARS = 6000
CHUNKS_CHARS = 18_000
"""All chunks of one prompt together; each gets its share."""
CONFIRMED_CHARS = 6_000
OTHERS_CHARS = 5_000
CONFIRMED = """\
confirmed by people, as examples of what words mean here: where the question means one of these in other words or with \
other values, keep its conditions; where it means something else, ignore them"""
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
OTHERS = 'other tables, which a statement may read; "find" with their names shows rows:'
TOLD_KINDS = {
    "duration": "a span of time as a number",
    "range": "ranges",
    "score": "pairs of numbers such as 3-1",
    "partial date": "dates as YYYY-MM-DD, YYYY-MM or YYYY",
    "year": "years",
}
HIDDEN_NOTES = {
    TOTAL: "marks rows that sum up others: WHERE NOT `_total`",
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


def tables_text(
    schemas: Sequence[TableSchema],
    extracts: Sequence[TableExtract] = (),
    hints: Sequence[ValueHint] = (),
    joins: Sequence[JoinHint] = (),
    wanted: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    """Write each table once: its definition, its rows, and what is known of the question's values in it.

    Of a wide table the columns in ``wanted`` (by table, each with the reason) are shown, then the first ones.
    """
    rows = {e.table: e for e in extracts}
    whole = {m.name: s.name for s in schemas for m in s.members}
    parts: list[str] = []
    left = SCHEMAS_CHARS
    for schema in schemas:
        extract = rows.get(schema.name)
        if schema.name in whole:
            parts.append(f"{_head(schema)}; a part of `{whole[schema.name]}`, with its columns")
            continue
        text = _table(_wanted_first(schema, (wanted or {}).get(schema.name, {})), extract, hints)
        if len(text) > left and parts:
            text = _table(_without_examples(schema), None, ())
        parts.append(text)
        left -= len(text)
    apart = [j for j in joins if j.left not in whole or j.right not in whole]
    return "\n\n".join([*parts, *filter(None, ["\n".join(map(_join, apart))])]) or NOTHING


def _head(schema: TableSchema) -> str:
    count = f"{schema.row_count} row{'s' * (schema.row_count != 1)}"
    told = [schema.title] if key_of(schema.title) not in key_of(schema.source) else []
    return f"table `{schema.name}` ({count}); {_line('; '.join([*told, schema.source]))}"


def _wanted_first(schema: TableSchema, wanted: Mapping[str, str]) -> TableSchema:
    """Return a wide table with the columns that matter first; the reasons go to the log."""
    if len(schema.columns) <= COLUMNS or not wanted:
        return schema
    LOG.info("of the %d columns of %s are shown: %s", len(schema.columns), schema.name, dict(wanted))
    ordered = sorted(schema.columns, key=lambda c: c.name not in wanted)
    return schema.model_copy(update={"columns": tuple(ordered)})


def _without_examples(schema: TableSchema) -> TableSchema:
    plain = tuple(c.model_copy(update={"examples": ()}) for c in schema.columns)
    return schema.model_copy(update={"columns": plain})


def _table(schema: TableSchema, extract: TableExtract | None, hints: Sequence[ValueHint]) -> str:
    """Write one table: a line for it and for each column, then rows and the question's values."""
    lines = [_head(schema)]
    shown = extract.columns if extract and extract.rows else ()
    told = []
    for column in schema.columns[:COLUMNS]:
        examples = () if column.name in shown else column.examples[:3]
        told.append(_column(column, extract.values.get(column.name, ()) if extract else (), examples))
    lines.append("columns: " + "; ".join(told))
    if len(schema.columns) > COLUMNS:
        rest = ", ".join(f"`{c.name}`" for c in schema.columns[COLUMNS:])
        lines.append(f"and {len(schema.columns) - COLUMNS} more columns: {_cut(rest, 2000)}")
    lines += [*_hidden(schema), *_rules(schema)]
    if extract and extract.rows:
        more = f", {len(extract.rows)} of {extract.matching}" if extract.matching > len(extract.rows) else ""
        some = f"rows with values of the question{more}" if extract.matching else "first rows"
        lines += [f"{'all rows' if extract.complete else some}:", *map(_row, extract.rows)]
    mine = [h for h in hints if h.table == schema.name and (h.score >= SURE or h.score == MEANT_SCORE)]
    return "\n".join(lines + [_hint(h) for h in mine if not _is_shown(h, extract)])


def _column(column: Column, values: Sequence[str], examples: Sequence[str]) -> str:
    """Write a column: its name and type, and what its name and the rows shown do not tell."""
    # "*": it is also kept as printed, as the prompt says.
    parts = [f"`{column.name}` {column.type}{'*' * (column.raw == f'{column.name}_raw')}"]
    if key_of(column.header.replace("_", " ")) not in key_of(column.name.replace("_", " ")):
        parts.append(f'"{_cut(_line(column.header), 80)}"')
    if column.about:
        parts.append(f'"{_cut(_line(column.about), 120)}"')
    elif column.profile:
        parts.append(f'perhaps "{_cut(_line(column.profile), 120)}" (drafted by a model)')
    if column.unit or column.scale:
        parts.append("in " + " ".join(_cut(_line(p), 40) for p in (column.scale, column.unit) if p))
    if column.kind in TOLD_KINDS:
        parts.append(TOLD_KINDS[column.kind])
    if column.type == "boolean":
        parts.append("TRUE or FALSE, shown as 1 and 0")
    elif values:
        parts.append("one of " + " | ".join(map(_line, values)))
    elif examples:
        parts.append("e.g. " + " | ".join(_cut(_line(e), 50) for e in examples))
    if column.unfit and column.type != "text":
        parts.append(f"NULL where a cell is no {column.type} (cells: {column.unfit})")
    if column.raw and column.raw != f"{column.name}_raw":
        parts.append(f"as printed in `{column.raw}`")
    if column.low:
        parts.append(f"its ends as {column.ends} in `{column.low}` and `{column.high}`")
    return ", ".join(parts)


def _hidden(schema: TableSchema) -> Iterator[str]:
    """Say what else a statement may use."""
    if schema.row_path:
        names = ", ".join(f"`{n}`" for n in schema.row_path)
        yield f"sections that the rows stand in, outermost first: {names}"
    for name, says in HIDDEN_NOTES.items():
        if name in schema.hidden_columns:
            yield f"`{name}` {says}"


def _rules(schema: TableSchema) -> Iterator[str]:
    """Say what the company has defined about a table."""
    rules = schema.rules
    if rules is None:
        return
    if rules.description:
        yield f"described as: {_cut(_line(rules.description), 500)}"
    if rules.default_date:
        yield f"its date, where the question names none: `{rules.default_date}`"
    if rules.exclude:
        yield f"left out of every statement that does not read these columns: {_line(rules.exclude)}"
    for metric in rules.metrics:
        unit = f" in {_line(metric.unit)}" if metric.unit else ""
        yield f'"{_line(metric.name)}"{unit} is always {_line(metric.expression)}'


def meanings_text(mentions: Sequence[Mention]) -> str:
    """Write what words of the question mean in this company."""
    means: dict[str, list[str]] = {}
    for mention in mentions:
        means.setdefault(mention.said, []).append(f'"{_cut(_line(mention.means), 200)}"')
    return "\n".join(f'"{_line(said)}" in the question means {" or ".join(found)}' for said, found in means.items())


def listed_text(schemas: Sequence[TableSchema], question: str) -> str:
    """Write the tables whose rows are not shown, each with its columns, within OTHERS_CHARS; of further ones the names.

    Those with most words of the question come first.
    """
    asked = {*map(singular_key, key_of(question).split())} - COMMON

    def shared(schema: TableSchema) -> int:
        named = key_of(" ".join([schema.name, *(c.name for c in schema.columns)]).replace("_", " "))
        return len(asked & {*map(singular_key, named.split())})

    lines: list[str] = []
    left = OTHERS_CHARS
    for schema in sorted(schemas, key=lambda s: (-shared(s), s.name)):
        columns = ", ".join(c.name + _joined(schema, c.name) for c in schema.columns)
        line = f"`{schema.name}`: {_line(columns)}"
        left -= len(line)
        lines.append(line if left >= 0 else f"`{schema.name}`")
    return "\n".join([OTHERS, *lines]) if lines else ""


def _joined(schema: TableSchema, name: str) -> str:
    """Return what a column of a connected table joins: its own key or, by a foreign key, which table; "" if nothing."""
    if name == schema.own_key:
        return " (key)"
    references = schema.origin.references if schema.origin else ()
    return next((f" (of {_line(table)})" for own, table, _ in references if own == name), "")


def confirmed_text(confirmed: Sequence[Confirmed]) -> str:
    """Write the statements that people have confirmed for questions like the one asked, within CONFIRMED_CHARS."""
    lines = [f"{_cut(_line(c.question), 300)} -> {_cut(_line(c.sql), 1_500)}" for c in confirmed]
    lines = [line for line, end in zip(lines, accumulate(map(len, lines)), strict=True) if end <= CONFIRMED_CHARS]
    return "\n".join([CONFIRMED, *lines]) if lines else ""


def chunks_text(
    chunks: Sequence[Chunk], *, each: int = CHUNK_CHARS, together: int = CHUNKS_CHARS, first: int = 1
) -> str:
    """Write the chunks, numbered from ``first``, each with where it comes from, within so many characters."""
    blocks = []
    left = together
    for number, chunk in enumerate(chunks, start=first):
        # What short chunks leave over goes to the ones after them.
        most = min(each, left // (len(chunks) - number + first))
        blocks.append(_chunk(number, chunk, most))
        left -= min(len(chunk.text), most)
    return "\n".join(blocks) or NOTHING


def passages_text(
    chunks: Sequence[Chunk], about: str, *, most: Callable[[int], int], first: int = 1, known: str = ""
) -> str:
    """Write chunks, numbered from ``first``, each as the sentences that fit ``about``, those not ``known`` first.

    ``most`` gives the characters of a chunk by its place, from 0.
    """
    texts = (excerpt(_below_title(c), about, most(i), known, c.title) for i, c in enumerate(chunks))
    shown = [c.model_copy(update={"text": text}) for c, text in zip(chunks, texts, strict=True)]
    return chunks_text(shown, first=first)


def _below_title(chunk: Chunk) -> str:
    """Return a chunk's text without a first line that says what its head says."""
    line, _, rest = chunk.text.partition("\n")
    return rest.strip() if rest.strip() and key_of(line) in map(key_of, (chunk.title, chunk.locator)) else chunk.text


def _chunk(number: int, chunk: Chunk, most: int) -> str:
    said = f"{chunk.source} {chunk.locator} {chunk.text[: len(chunk.title) + 20]}"
    title = chunk.title if key_of(chunk.title) not in key_of(said) else ""
    head = _line(", ".join(p for p in (chunk.source, chunk.locator, title) if p))
    return f'<chunk number="{number}">\n{head}\n{inert(_cut(chunk.text, most))}\n</chunk>'


def _hint(hint: ValueHint) -> str:
    if hint.value.casefold() == hint.phrase.casefold():
        return f"`{hint.column}` holds {_quoted(hint.value)}"
    said = "the question says" if hint.score > MEANT_SCORE else "perhaps the question's"
    return f"`{hint.column}` holds {_quoted(hint.value)} ({said} {_quoted(hint.phrase)})"


def _is_shown(hint: ValueHint, extract: TableExtract | None) -> bool:
    """Tell whether all rows are shown and the question spells the value as they do."""
    return bool(extract and extract.complete) and key_of(hint.value) == key_of(hint.phrase)


def _join(join: JoinHint) -> str:
    pair = f"`{join.left}`.`{join.left_column}` = `{join.right}`.`{join.right_column}`"
    if join.declared:
        return f"{pair} is a foreign key"
    if join.keyed:
        return f"{pair}, the key of `{join.right}`"
    return f"{pair} may join them ({join.share:.0%} of the values of one are in the other)"


def _quoted(text: str) -> str:
    return "'" + _cut(_line(text), CELL_CHARS).replace("'", "''") + "'"


def failed_text(attempt: SqlAttempt, others: Sequence[str] = ()) -> str:
    """Write why the last statement did not do, and the statements that another one is to be held against."""
    written = [f"{inert(sql)}\nwritten already: come to the answer in another way" for sql in others]
    return "\n\n".join([f"{inert(attempt.sql)}\nerror: {_line(attempt.error)}", *written])


def others_text(others: Sequence[str]) -> str:
    """Write the statements that another one is to be held against."""
    return "\n\n".join(f"{inert(sql)}\nwritten already: come to the answer in another way" for sql in others)


def result_text(result: SqlResult | None, error: str | None) -> str:
    """Write a result as its rows, or why there is none; the statement stands in the reply before."""
    if result is None:
        return f"no result: {_line(error)}" if error else "no SQL was run"
    shown = result.rows[:ROWS]
    lines = [_row(result.columns), *map(_row, shown)]
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


def supporting_text(result: SqlResult | None, supporting: Sequence[SupportingRows], known: str = "") -> str:
    """Write a few of the stored rows behind a result, without those that are ``known``; nothing where none ran."""
    if result is None:
        return ""
    parts = []
    for rows in supporting:
        if not rows.total:  # a part of the statement, such as one side of a UNION, that found nothing
            continue
        shown = rows.rows[:5]
        if all(_row(row) in known for row in shown):
            parts.append(f"computed from {rows.total} stored row{'s' * (rows.total > 1)} of `{rows.table}`")
            continue
        some = f", the first {len(shown)}" if rows.total > len(shown) else ""
        parts.append(f"computed from {rows.total} stored row{'s' * (rows.total > 1)} of `{rows.table}`{some}:")
        units = rows.units or ("",) * len(rows.columns)
        named = [f"{c} [in {_line(u)}]" if u else c for c, u in zip(rows.columns, units, strict=True)]
        parts += [_row(named), *map(_row, shown)]
    if parts:
        return "\n".join(parts)
    return "computed from no stored row" if supporting else "(which stored rows it was computed from cannot be told)"


def history_text(history: Sequence[Turn]) -> str:
    """Write the conversation's earlier turns."""
    return "\n".join(f"user: {_line(t.question)}\nanswer: {_cut(_line(t.answer), 500)}" for t in history) or NOTHING

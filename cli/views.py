"""Views of answers and tables for the terminal; text of documents is shown without control characters."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from tablerag.agent.answer_text import VERDICTS
from tablerag.tools.records import TableSchema

__all__ = [
    "answer_view",
    "citation_line",
    "printable",
    "rows_view",
    "schema_view",
    "show_answer",
    "show_usage",
    "tables_view",
    "trace_view",
]

SHOWN_ROWS = 5
WIDE = 8
"""Columns that fit a terminal."""
CELL_CHARS = 60
STYLES = {"agree": "green", "sql_only": "cyan", "text_only": "cyan", "conflict": "red", "none": "yellow"}


def printable(value: object) -> str:
    """Return text with control characters replaced: a document could control the terminal by them."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") else "�" for c in str(value))


def _cell(value: object) -> Text:
    text = "" if value is None else " ".join(printable(value).split())
    return Text(text if len(text) <= CELL_CHARS else text[: CELL_CHARS - 1] + "…")


def rows_view(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    title: str = "",
    total: int | None = None,
    most: int = SHOWN_ROWS,
) -> Table:
    """Draw the first rows as a table, with the number of those left out."""
    table = Table(title=escape(printable(title)) or None, title_justify="left", title_style="dim", header_style="bold")
    for name in columns:
        table.add_column(escape(printable(name)), overflow="fold")
    for row in rows[:most]:
        table.add_row(*(_cell(v) for v in row))
    left = (total if total is not None else len(rows)) - min(len(rows), most)
    if left > 0:
        table.caption = f"and {left} more rows"
        table.caption_justify = "left"
    return table


def answer_view(outcome: Mapping[str, Any], *, show_sql: bool = True) -> RenderableType:
    """Draw an answer with its verdict, SQL, supporting rows and citations."""
    verdict = outcome["verdict"]
    if not outcome["iterations"]:
        return Text(printable(outcome["answer"]))
    parts: list[RenderableType] = [Text(printable(outcome["answer"]), style="bold")]
    parts.append(Text.assemble(("verdict ", "dim"), (f"{verdict}: {VERDICTS[verdict]}", STYLES[verdict])))
    if outcome["explanation"]:
        parts.append(Text(printable(outcome["explanation"]), style="dim"))
    if show_sql:
        for step in outcome["steps"]:
            parts += _step_parts(step) if step["sql"] and not step["error"] and outcome["sql"] else []
    parts += [citation_line(i, c) for i, c in enumerate(outcome["citations"], start=1)]
    return Group(*parts)


def _step_parts(step: Mapping[str, Any]) -> list[RenderableType]:
    parts: list[RenderableType] = [Syntax(printable(step["sql"]), "sql", word_wrap=True, background_color="default")]
    for rows in step["supporting"]:
        title = f"computed from {rows['total']} rows of {rows['table']}"
        columns, shown = _narrowed(rows)
        parts.append(rows_view(columns, shown, title, rows["total"]))
    for rows in (step.get("receipt") or {}).get("rows", ()):
        if rows["untold"]:
            parts.append(Text(printable(f"rows of {rows['table']} are not shown: {rows['untold']}"), style="dim"))
    if not step["supporting"] and step["rows"]:
        parts.append(rows_view(step["columns"], step["rows"], "result"))
    return parts


def _narrowed(rows: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """Return the columns to show: of a wide table those that the statement reads, and the first."""
    columns = rows["columns"]
    kept = [i for i, c in enumerate(columns) if i == 0 or c in rows.get("used", ())]
    if len(columns) <= WIDE or len(kept) == len(columns):
        kept = list(range(len(columns)))
    return [columns[i] for i in kept], [[row[i] for i in kept] for row in rows["rows"]]


def citation_line(number: int, citation: Mapping[str, str]) -> Text:
    """Draw one citation: number, place and quote."""
    place = ", ".join(printable(p) for p in (citation["source"], citation["locator"]) if p)
    quote = " ".join(printable(citation["quote"]).split())
    return Text.assemble((f"[{number}] ", "dim"), (place, "blue"), (f"  “{quote}”" if quote else "", "dim"))


def show_answer(console: Console, outcome: Mapping[str, Any], *, show_sql: bool, trace: bool) -> None:
    """Print an answer, after its iterations if ``trace``."""
    if trace:
        console.print(trace_view(outcome))
    console.print(answer_view(outcome, show_sql=show_sql))


def show_usage(console: Console, outcome: Mapping[str, Any]) -> None:
    """Print the cost of an answer, or that no language model was used."""
    usage = outcome["usage"]
    if usage["calls"]:
        cost = f"{usage['calls']} model calls, {usage['input_tokens']} + {usage['output_tokens']} tokens"
        console.print(Text(f"{outcome['model']}: {cost}", style="dim"))
    elif outcome["model"] == "offline":
        console.print(Text("answered by the embedded offline reasoner; no language model was used", style="dim"))


def trace_view(outcome: Mapping[str, Any]) -> RenderableType:
    """Draw each iteration: subquery, tables, statement or its error, intermediate answer, verdict."""
    panels = []
    for step in outcome["steps"]:
        lines = [f"subquery  {printable(step['subquery'])}", f"tables    {', '.join(step['tables']) or '-'}"]
        if step["sql"]:
            lines.append(f"sql       {printable(step['sql'])}")
        if step["error"]:
            lines.append(f"no result {printable(step['error'])}")
        lines.append(f"answer    {printable(step['intermediate_answer']) or '-'}")
        lines.append(f"verdict   {step['verdict']}  {printable(step['reason'])}")
        panels.append(Panel(Text("\n".join(lines)), title=f"iteration {step['iteration']}", title_align="left"))
    return Group(*panels)


def tables_view(schemas: Sequence[TableSchema]) -> Table:
    """Draw the tables of a corpus."""
    table = Table(header_style="bold")
    for name in ("table", "rows", "columns", "source", "place"):
        table.add_column(name, overflow="fold")
    for s in schemas:
        table.add_row(s.name, str(s.row_count), str(len(s.columns)), _cell(s.source), _cell(s.locator))
    return table


def schema_view(schema: TableSchema) -> RenderableType:
    """Draw one table's columns with their types, units and examples."""
    place = f"{schema.source}, {schema.locator}" if schema.locator else schema.source
    table = Table(header_style="bold")
    for name in ("column", "type", "header", "unit", "examples", "companions"):
        table.add_column(name, overflow="fold")
    for c in schema.columns:
        unit = " ".join(p for p in (c.scale, c.unit) if p)
        kind = f"{c.type} ({c.kind})" if c.kind not in ("", c.type) else c.type
        companions = ", ".join(n for n, _ in c.companions())
        table.add_row(c.name, kind, _cell(c.header), _cell(unit), _cell(" | ".join(c.examples[:3])), companions)
    head = Text(f"{schema.name}: {schema.row_count} rows from {printable(place)}", style="bold")
    about = f"{schema.header_rows} header rows (confidence {schema.confidence:.0%}); hidden columns: "
    hidden = Text(about + ", ".join(schema.hidden_columns), style="dim")
    return Group(head, table, hidden, *(Text(f"note: {printable(w)}", style="yellow") for w in schema.warnings))

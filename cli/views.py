"""Views of answers and tables for the terminal; text of documents is shown without control characters."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.syntax import Syntax
from rich.text import Text

from tablerag.agent.answer_text import table_of, verdict_words
from tablerag.agent.presenting.table import SHOWN_ROWS as MOST_ROWS
from tablerag.agent.presenting.table import AnswerTable
from tablerag.agent.readings import MARK, heading, reading_table
from tablerag.cli.printing import cell_text, printable
from tablerag.cli.tables import FittingTable
from tablerag.tools.counting import counted
from tablerag.tools.left_out import USE_IT, rule_for
from tablerag.tools.records import TableSchema

__all__ = [
    "answer_view",
    "citation_line",
    "readings_view",
    "rows_view",
    "schema_view",
    "show_answer",
    "show_usage",
    "table_view",
    "trace_view",
]

SHOWN_ROWS = 5
USE_A_MODEL = "to use a language model, set TABLERAG_MODEL (PROVIDER:NAME) and the provider's key, or OPENAI_BASE_URL"
STYLES = {"agree": "green", "sql_only": "cyan", "text_only": "cyan", "conflict": "red", "none": "yellow"}


def rows_view(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    title: str = "",
    total: int | None = None,
    most: int = SHOWN_ROWS,
    first: Sequence[int] = (),
) -> FittingTable:
    """Draw the first rows as a table, with the number of those left out; ``first`` are the columns that matter."""
    shown = rows[:most]
    right = [_is_numeric([row[i] for row in shown]) for i in range(len(columns))]
    left = (total if total is not None else len(rows)) - len(shown)
    return FittingTable(
        [printable(name) for name in columns],
        [[cell_text(v) for v in row] for row in shown],
        right=right,
        title=printable(title),
        caption=f"and {counted(left, 'more row')}" if left > 0 else "",
        first=first,
    )


def _is_numeric(cells: Sequence[object]) -> bool:
    return any(isinstance(c, int | float) for c in cells) and not any(isinstance(c, str) for c in cells)


def table_view(table: AnswerTable) -> FittingTable:
    """Draw the first rows of an answer's table, with the count of rows."""
    rows = [[cell_text(text) for text in row] for row in table.texts[:MOST_ROWS]]
    caption = table.count if table.row_count > len(rows) or table.truncated else ""
    return FittingTable([printable(c) for c in table.columns], rows, right=table.numeric, caption=caption)


def answer_view(outcome: Mapping[str, Any], *, show_sql: bool = True) -> RenderableType:
    """Draw an answer with its verdict, SQL, supporting rows and citations."""
    verdict = outcome["verdict"]
    if not outcome["iterations"]:
        return Text(printable(outcome["answer"]))
    readings = outcome.get("readings") or ()
    table = table_of(outcome)
    says_more = not readings and (table is None or outcome["answer"] != table.markdown)
    parts: list[RenderableType] = [Text(printable(outcome["answer"]), style="bold")] if says_more else []
    parts += readings_view(readings) if readings else []
    parts += [table_view(table)] if table else []
    parts.append(Text.assemble(("verdict ", "dim"), (f"{verdict}: {verdict_words(outcome)}", STYLES[verdict])))
    if outcome["explanation"]:
        parts.append(Text(printable(outcome["explanation"]), style="dim"))
    if show_sql:
        for step in outcome["steps"]:
            parts += _step_parts(step) if step["sql"] and not step["error"] and outcome["sql"] else []
    parts += [citation_line(i, c) for i, c in enumerate(outcome["citations"], start=1)]
    return Group(*parts)


def readings_view(readings: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    """Draw the readings of a question as a numbered list, several rows as a table."""
    parts: list[RenderableType] = [Text(heading(readings), style="bold")]
    for number, reading in enumerate(readings, start=1):
        table = reading_table(reading)
        value = (f": {printable(reading['text'])}", "bold") if table is None else ""
        parts.append(Text.assemble(f"{number}. {printable(reading['meaning'])}", value, (f" {MARK}", "yellow")))
        if table is not None:
            parts.append(Padding(table_view(table), (0, 0, 0, 3), expand=False))
    return parts


def _step_parts(step: Mapping[str, Any]) -> list[RenderableType]:
    parts: list[RenderableType] = [Syntax(printable(step["sql"]), "sql", word_wrap=True, background_color="default")]
    for rows in step["supporting"]:
        title = f"computed from {counted(rows['total'], 'row')} of {rows['table']}"
        columns = rows.get("headers") or rows["columns"]
        read = [i for i, c in enumerate(rows["columns"]) if i == 0 or c in rows.get("used", ())]
        parts.append(rows_view(columns, rows["rows"], title, rows["total"], first=read))
    for rows in (step.get("receipt") or {}).get("rows", ()):
        if rows.get("deferred"):
            says = f"rows of {rows['table']}: {rows['untold']}, by `tablerag verify`"
            parts.append(Text(printable(says), style="dim"))
        elif rows["untold"]:
            parts.append(Text(printable(f"rows of {rows['table']} are not shown: {rows['untold']}"), style="dim"))
    if not step["supporting"] and step["rows"]:
        parts.append(rows_view(step["columns"], step["rows"], "result"))
    return parts


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
        cached = f" ({usage['cached_tokens']:,} cached)" if usage.get("cached_tokens") else ""
        tokens = f"{usage['input_tokens']:,}{cached} + {usage['output_tokens']:,} tokens"
        cost = f"{counted(usage['calls'], 'model call')}, {tokens}"
        console.print(Text(f"{outcome['model']}: {cost}", style="dim"))
    elif outcome["model"] == "offline":
        console.print(Text("answered by the embedded offline reasoner; no language model was used", style="dim"))
        if outcome.get("cause") == "unsure" and not outcome["readings"]:
            console.print(Text(USE_A_MODEL, style="dim"))


def trace_view(outcome: Mapping[str, Any]) -> RenderableType:
    """Draw each iteration: subquery, tables, statement or its error, intermediate answer, verdict."""
    panels = []
    for step in outcome["steps"]:
        lines = [f"subquery  {printable(step['subquery'])}", f"tables    {', '.join(step['tables']) or '-'}"]
        if step["sql"]:
            lines.append(f"sql       {printable(step['sql'])}")
        if step["error"]:
            lines.append(f"no result {printable(step['error'])}")
        shown = step.get("presented") or {}
        found = shown["text"] if shown.get("plain") == step["intermediate_answer"] else step["intermediate_answer"]
        lines.append(f"answer    {printable(found) or '-'}")
        lines.append(f"verdict   {step['verdict']}  {printable(step['reason'])}")
        panels.append(Panel(Text("\n".join(lines)), title=f"iteration {step['iteration']}", title_align="left"))
    return Group(*panels)


def schema_view(schema: TableSchema) -> RenderableType:
    """Draw one table's columns with their types, units and examples."""
    place = f"{schema.source}, {schema.locator}" if schema.locator else schema.source
    rows = []
    for c in schema.columns:
        unit = " ".join(p for p in (c.scale, c.unit) if p)
        kind = f"{c.type} ({c.kind})" if c.kind not in ("", c.type) else c.type
        companions = ", ".join(n for n, _ in c.companions())
        examples = cell_text(", ".join(c.examples[:3]))
        rows.append(
            [c.name, kind, cell_text(c.header), cell_text(unit), examples, cell_text(schema.meaning(c)), companions]
        )
    titles = ("column", "type", "header", "unit", "examples", "meaning", "companions")
    filled = [i for i in range(len(titles)) if any(row[i] for row in rows)]
    table = FittingTable([titles[i] for i in filled], [[row[i] for i in filled] for row in rows])
    head = Text(f"{schema.name}: {counted(schema.row_count, 'row')} from {printable(place)}", style="bold")
    sure = f"{counted(schema.header_rows, 'header row')}; confidence {schema.confidence:.0%}"
    told = f"; hidden columns: {', '.join(schema.hidden_columns)}" if schema.hidden_columns else ""
    hidden = Text(f"{sure}{told}", style="dim")
    aside = [Text(f"set aside: answers do not use it. {USE_IT}:\n{rule_for(schema)}")] if schema.set_aside else []
    return Group(head, table, hidden, *aside, *(Text(f"note: {printable(w)}", style="yellow") for w in schema.warnings))

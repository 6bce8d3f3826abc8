"""sql_agent: a model calls tools in a loop (LangChain's create_agent) over the same stores, with ten calls at most."""

from collections.abc import Callable
from functools import partial
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.context import Context
from tablerag.agent.model.rendering import chunks_text, inert, result_text, tables_text
from tablerag.agent.ports import BaselineTools, Contents, ModelFor, RunSql, Search
from tablerag.agent.run_context import context_of
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost
from tablerag.graphs.deployment import Deployment
from tablerag.tools.errors import SqlProblem
from tablerag.tools.records import TableSchema

__all__ = ["build", "graph"]

MOST_CALLS = 10
MOST_LISTED = 100
"""Tables of one list; the others are found by searching."""
SHOWN_ROWS = 50
"""Rows of a step."""


class Toolbox:
    """The tools of one run, which keep what was asked of them as steps."""

    def __init__(self, context: Context, search: Search, contents: Contents, run_sql: RunSql) -> None:
        self._context, self._search, self._contents, self._run_sql = context, search, contents, run_sql
        self.steps: list[dict[str, Any]] = []
        self._named: dict[str, TableSchema] = {}
        """Tables that a search named: also unions, which the contents do not list."""

    def tools(self) -> list[BaseTool]:
        """Return the tools; their descriptions are the docstrings."""
        called: list[Callable[[str], str] | Callable[[], str]] = [
            self.search_documents, self.list_tables, self.describe_table, self.run_sql
        ]  # fmt: skip
        return [StructuredTool.from_function(f) for f in called]

    def search_documents(self, query: str) -> str:
        """Find the passages and tables that fit the words of a query best, with the names of the SQL tables."""
        self._step("search_documents", subquery=query)
        if not query.strip():
            return "error: query is empty"
        chunks, schemas = self._search(query, self._context, "")
        self._named |= {s.name: s for s in schemas}
        names = ", ".join(f"`{s.name}`" for s in schemas) or "(none)"
        return f"{chunks_text(chunks)}\nSQL tables: {names}"

    def list_tables(self) -> str:
        """List the SQL tables with their titles, files and numbers of rows."""
        self._step("list_tables")
        schemas = self._schemas()
        lines = [f"`{s.name}`: {s.row_count} rows; {inert(s.title)}; {inert(s.source)}" for s in schemas[:MOST_LISTED]]
        if more := len(schemas) - len(lines):
            lines.append(f"(and {more} more: find them with search_documents)")
        return "\n".join(lines) or "(no tables)"

    def describe_table(self, table: str) -> str:
        """Show the columns of an SQL table with their types, units and example values."""
        self._step("describe_table", table=table)
        name = table.strip().strip("`\"'").casefold()
        found = [s for s in self._schemas() if s.name.casefold() == name]
        return tables_text(found) if found else f"error: unknown table {inert(table)!r}: use list_tables for the names"

    def run_sql(self, sql: str) -> str:
        """Run one SELECT in MySQL's dialect, read-only, and return its rows, or the error to correct."""
        step = self._step("run_sql", sql=sql)
        try:
            result, _ = self._run_sql(sql, self._schemas())
        except SqlProblem as problem:
            step["error"] = str(problem)
            return f"error: {inert(str(problem))}"
        rows = [list(row) for row in result.rows[:SHOWN_ROWS]]
        step |= {"sql": result.sql, "columns": list(result.columns), "rows": rows}
        return result_text(result, None)

    def _schemas(self) -> list[TableSchema]:
        listed = self._contents(self._context)[2]
        names = {s.name for s in listed}
        return [*listed, *(s for s in self._named.values() if s.name not in names)]

    def _step(self, tool: str, **about: str) -> dict[str, Any]:
        step: dict[str, Any] = {"iteration": len(self.steps) + 1, "tool": tool, **about}
        self.steps.append(step)
        return step


def answer(
    state: BaselineState,
    runtime: Runtime[Context],
    *,
    model_for: ModelFor,
    search: Search,
    contents: Contents,
    run_sql: RunSql,
) -> dict[str, Any]:
    """Let the model call tools until it answers, or until its calls are used up."""
    context = context_of(runtime, Context)
    model, question = model_for(context), begun(state)
    toolbox = Toolbox(context, search, contents, run_sql)
    thought = model.use_tools(question, toolbox.tools(), MOST_CALLS)
    end = thought.value
    update = answered(end.answer, end.explanation)
    if end.calls_used_up:
        update["stopped_by"] = "iteration_limit"
    return update | {
        "usage": cost(state, thought.usage),
        "model": model.name,
        "iterations": thought.usage.calls,
        "sql": [s["sql"] for s in toolbox.steps if "rows" in s],
        "steps": toolbox.steps,
    }


def build(tools: BaselineTools | None = None) -> StateGraph[BaselineState, Context, BaselineInput, BaselineState]:
    """Wire the graph."""
    tools = tools or Deployment()
    bound = {"search": tools.search, "contents": tools.contents, "run_sql": tools.run_sql}
    wired = StateGraph(BaselineState, context_schema=Context, input_schema=BaselineInput)
    wired.add_node("answer", partial(answer, model_for=tools.model_for, **bound))
    wired.add_edge(START, "answer")
    wired.add_edge("answer", END)
    return wired


graph = build().compile(name="sql_agent")

"""The tools as LangChain tools, for other agents."""

import json

from langchain_core.tools import BaseTool, StructuredTool

from tablerag.tools import calculator, evidence
from tablerag.tools.errors import FormulaRefused, SqlProblem
from tablerag.tools.left_out import usable
from tablerag.tools.services import Services

__all__ = ["toolkit"]


def toolkit(services: Services, corpus: str, *, recall_n: int = 30, top_k: int = 3) -> list[BaseTool]:
    """Return search_documents, list_tables, run_sql and calculate for one corpus; all results are JSON text."""

    def search_documents(query: str) -> str:
        """Find the passages and tables that match a query best, with their sources and the SQL names of tables."""
        chunks, schemas = evidence.search(services, query, corpus=corpus, recall_n=recall_n, top_k=top_k)
        names: dict[str | None, str] = {s.table_id: s.name for s in schemas}
        found = [
            {"source": c.source, "locator": c.locator, "text": c.text, "table": names.get(c.table_id)} for c in chunks
        ]
        return json.dumps(found, ensure_ascii=False)

    def list_tables() -> str:
        """List the SQL tables with their columns, types and example values."""
        listed = [
            s.model_dump(include={"name", "title", "source", "row_count", "columns"})
            for s in usable(services.catalog.tables(corpus))
        ]
        return json.dumps(listed, ensure_ascii=False)

    def run_sql(sql: str) -> str:
        """Run one read-only SELECT in MySQL's dialect. If it fails, the result is the error and how to fix it."""
        try:
            result, _ = evidence.run_sql(services, sql, usable(services.catalog.tables(corpus)))
        except SqlProblem as problem:
            return json.dumps({"error": str(problem)})
        return result.model_dump_json()

    def calculate(formula: str) -> str:
        """Compute a formula exactly: numbers, + - * / ** and parentheses, e.g. 12% * $5 million - 56.7 / 3."""
        try:
            return json.dumps({"result": calculator.calculate(formula).text}, ensure_ascii=False)
        except FormulaRefused as error:
            return json.dumps({"error": str(error)}, ensure_ascii=False)

    return [StructuredTool.from_function(f) for f in (search_documents, list_tables, run_sql, calculate)]

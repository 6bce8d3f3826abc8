"""The tools as LangChain tools, for agents other than this project's own graphs."""

import json

from langchain_core.tools import BaseTool, StructuredTool

from tablerag.tools import calculator, evidence
from tablerag.tools.errors import FormulaRefused, SqlProblem
from tablerag.tools.services import Services

__all__ = ["toolkit"]


def toolkit(services: Services, corpus: str, *, recall_n: int = 30, top_k: int = 3) -> list[BaseTool]:
    """Return search_documents, list_tables, run_sql and calculate over one corpus; all replies are JSON text."""

    def search_documents(query: str) -> str:
        """Find the passages and tables that fit a query best, each with its source and, for tables, its SQL name."""
        chunks, schemas = evidence.search(services, query, corpus=corpus, recall_n=recall_n, top_k=top_k)
        names = {s.table_id: s.name for s in schemas}
        found = [
            {"source": c.source, "locator": c.locator, "text": c.text, "table": names.get(c.table_id)} for c in chunks
        ]
        return json.dumps(found, ensure_ascii=False)

    def list_tables() -> str:
        """List the SQL tables with their columns, types and example values."""
        listed = [
            s.model_dump(include={"name", "title", "source", "row_count", "columns"})
            for s in services.catalog.tables(corpus)
        ]
        return json.dumps(listed, ensure_ascii=False)

    def run_sql(sql: str) -> str:
        """Run one read-only SELECT in MySQL's dialect; an error is returned as text to learn from."""
        try:
            result, _ = evidence.run_sql(services, sql, services.catalog.tables(corpus))
        except SqlProblem as problem:
            return json.dumps({"error": str(problem)})
        return result.model_dump_json()

    def calculate(formula: str) -> str:
        """Compute a formula of numbers, + - * / ** and brackets exactly, e.g. 12% * $5 million - 56.7 / 3."""
        try:
            return json.dumps({"result": calculator.calculate(formula).text}, ensure_ascii=False)
        except FormulaRefused as error:
            return json.dumps({"error": str(error)}, ensure_ascii=False)

    return [StructuredTool.from_function(f) for f in (search_documents, list_tables, run_sql, calculate)]

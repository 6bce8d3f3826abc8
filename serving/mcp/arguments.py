"""What the MCP tools take; the fields' texts are what a model reads of them."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Arguments", "AskArguments", "DescribeTable", "ListTables", "RunSql", "SearchDocuments"]

MOST_TABLES, MOST_ROWS, MOST_PASSAGES = 200, 1000, 20

Corpus = Annotated[str, Field(description="Named set of documents; leave it out for the default one", max_length=200)]


class Arguments(BaseModel):
    """The arguments of a call."""

    model_config = ConfigDict(extra="forbid")

    corpus: Corpus = ""


class AskArguments(Arguments):
    """Arguments of ask."""

    question: str = Field(description="One question in words, complete in itself: calls do not know of earlier ones")


class ListTables(Arguments):
    """Arguments of list_tables."""

    matching: str = Field(
        "", max_length=200, description="Only tables with all these words in their name, title, document or columns"
    )
    limit: int = Field(50, ge=1, le=MOST_TABLES, description="Tables to return")
    offset: int = Field(0, ge=0, le=10**9, description="Tables to skip")


class DescribeTable(Arguments):
    """Arguments of describe_table."""

    name: str = Field(max_length=200, description="The SQL name of a table, as list_tables returns it")


class RunSql(Arguments):
    """Arguments of run_sql."""

    sql: str = Field(max_length=20_000, description="One SELECT in MySQL's dialect, over the tables of list_tables")
    limit: int = Field(100, ge=1, le=MOST_ROWS, description="Rows to return")


class SearchDocuments(Arguments):
    """Arguments of search_documents."""

    query: str = Field(max_length=4000, description="What to look for, in words")
    limit: int = Field(5, ge=1, le=MOST_PASSAGES, description="Passages to return")

"""AsyncTableRAG: TableRAG for asyncio, under the same names."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tablerag.client import PathLike, TableRAG
from tablerag.tools.services import Services

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

    from tablerag.agent.context import Context
    from tablerag.agent.events import StepEvent
    from tablerag.answer import Answer, AnswerEvent
    from tablerag.asking import Approve
    from tablerag.ingestion.connecting import ConnectReport
    from tablerag.ingestion.pipeline import IngestReport, Progress
    from tablerag.retriever import TableRAGRetriever
    from tablerag.tools.records import SqlResult, TableSchema
    from tablerag.tools.sql.receipts import Verified

__all__ = ["AsyncTableRAG"]


class AsyncTableRAG:
    """TableRAG for asyncio: the same arguments, results and errors. Stores and models never block the event loop.

    ``on_progress`` is called from other threads, ``approve`` from the loop; ``approve`` may be a coroutine function.

    >>> async def main():
    ...     async with AsyncTableRAG("reports.tablerag", model="offline") as rag:
    ...         await rag.ingest("reports")
    ...         return await rag.ask("How many orders were placed by Bar Aurora?")
    >>> asyncio.run(main()).value
    15
    """

    def __init__(
        self,
        home: PathLike | None = None,
        *,
        corpus: str = "",
        database_url: str = "",
        chroma_url: str = "",
        model: "str | BaseChatModel" = "",
        **settings: Any,
    ) -> None:
        stores = {"database_url": database_url, "chroma_url": chroma_url}
        self._rag = TableRAG(home, corpus=corpus, model=model, **stores, **settings)

    @classmethod
    def over(cls, services: Services, *, corpus: str = "", model: "str | BaseChatModel" = "") -> Self:
        """Return a client over services that are open already; ``close()`` closes them.

        >>> AsyncTableRAG.over(rag.services).corpus
        'default'
        """
        made = cls.__new__(cls)
        made._rag = TableRAG.over(services, corpus=corpus, model=model)
        return made

    @property
    def services(self) -> Services:
        """The stores in use."""
        return self._rag.services

    @property
    def corpus(self) -> str:
        """The corpus in use."""
        return self._rag.corpus

    async def ingest(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        on_progress: "Callable[[Progress], object] | None" = None,
        prune: bool = False,
        ray: str = "",
    ) -> "IngestReport":
        """Read files and folders into the corpus, as TableRAG.ingest() does.

        >>> asyncio.run(rag.ingest("reports")).counts
        {'unchanged': 6}
        """
        return await asyncio.to_thread(self._rag.ingest, paths, on_progress=on_progress, prune=prune, ray=ray)

    async def retry_failed(
        self, *, on_progress: "Callable[[Progress], object] | None" = None, ray: str = ""
    ) -> "IngestReport":
        """Read the files again that could not be read, as TableRAG.retry_failed() does.

        >>> asyncio.run(rag.retry_failed()).counts
        {}
        """
        return await asyncio.to_thread(self._rag.retry_failed, on_progress=on_progress, ray=ray)

    async def ask(
        self,
        question: str,
        *,
        thread: str | None = None,
        context: "Context | Mapping[str, Any] | None" = None,
        approve: "Approve | None" = None,
    ) -> "Answer":
        """Answer a question, as TableRAG.ask() does.

        >>> asyncio.run(rag.ask("How many orders were placed by Bar Aurora?")).text
        '15'
        """
        asking = await asyncio.to_thread(self._rag._answering)
        return await asking.aask(question, thread, context, approve)

    async def choose(
        self,
        answer: "Answer",
        number: int,
        *,
        thread: str | None = None,
        context: "Context | Mapping[str, Any] | None" = None,
        approve: "Approve | None" = None,
    ) -> "Answer":
        """Return the answer by one of ``answer.readings``, as TableRAG.choose() does.

        >>> unsure = asyncio.run(rag.ask("What is the total?"))
        >>> asyncio.run(rag.choose(unsure, 1)).verdict
        'sql_only'
        """
        asking = await asyncio.to_thread(self._rag._answering)
        offered = await asyncio.to_thread(self._rag._offered, answer, number)
        return await asking.achoose(offered, number, thread, context, approve)

    async def stream(
        self,
        question: str,
        *,
        thread: str | None = None,
        context: "Context | Mapping[str, Any] | None" = None,
        approve: "Approve | None" = None,
    ) -> "AsyncIterator[StepEvent | AnswerEvent]":
        """Yield the events of a question, as TableRAG.stream() does.

        >>> async def main():
        ...     return [event.type async for event in rag.stream("How many orders were placed by Bar Aurora?")]
        >>> asyncio.run(main())
        ['turn', 'subquery', 'evidence', 'sql', 'rows', 'verdict', 'answer']
        """
        asking = await asyncio.to_thread(self._rag._answering)
        async for event in asking.astream(question, thread, context, approve):
            yield event

    async def tables(self) -> "list[TableSchema]":
        """Return the SQL tables of the corpus, as TableRAG.tables() does.

        >>> [table.name for table in asyncio.run(rag.tables())][:3]
        ['orders', 'products', 'revenue_and_cost_by_quarter']
        """
        return await asyncio.to_thread(self._rag.tables)

    async def describe(self, table: str) -> "TableSchema":
        """Return a table's schema, as TableRAG.describe() does.

        >>> asyncio.run(rag.describe("orders")).row_count
        120
        """
        return await asyncio.to_thread(self._rag.describe, table)

    async def sql(self, statement: str) -> "SqlResult":
        """Run one SELECT, as TableRAG.sql() does.

        >>> asyncio.run(rag.sql("SELECT COUNT(*) FROM orders")).rows
        ((120,),)
        """
        return await asyncio.to_thread(self._rag.sql, statement)

    async def verify(self, answer: "Answer | Mapping[str, Any] | PathLike", *, corpus: str = "") -> "list[Verified]":
        """Recompute an answer's numbers, as TableRAG.verify() does.

        >>> answer = asyncio.run(rag.ask("How many orders were placed by Bar Aurora?"))
        >>> [check.status for check in asyncio.run(rag.verify(answer))]
        ['same']
        """
        return await asyncio.to_thread(self._rag.verify, answer, corpus=corpus)

    async def remove(self, source: PathLike) -> list[str]:
        """Remove documents, as TableRAG.remove() does.

        >>> asyncio.run(rag.remove("growers.md"))
        ['growers.md']
        """
        return await asyncio.to_thread(self._rag.remove, source)

    async def connect(
        self, name: str, url: str, *, tables: Iterable[str] = (), schema: str = "", allow_writable_user: bool = False
    ) -> "ConnectReport":
        """Ask a database beside the documents, as TableRAG.connect() does.

        >>> import sqlite3
        >>> with sqlite3.connect("shop.db") as shop:
        ...     made = shop.execute("CREATE TABLE IF NOT EXISTS visits (id INTEGER PRIMARY KEY, minutes INTEGER)")
        >>> len(asyncio.run(rag.connect("shop", "sqlite:///shop.db")).added)
        1
        >>> forgotten = asyncio.run(rag.disconnect("shop"))
        """
        given = {"tables": tables, "schema": schema, "allow_writable_user": allow_writable_user}
        return await asyncio.to_thread(partial(self._rag.connect, name, url, **given))

    async def sync(self, name: str = "") -> "list[ConnectReport]":
        """Read the schemas of connected databases again, as TableRAG.sync() does.

        >>> import sqlite3
        >>> with sqlite3.connect("yard.db") as shop:
        ...     made = shop.execute("CREATE TABLE IF NOT EXISTS visits (id INTEGER PRIMARY KEY, minutes INTEGER)")
        >>> report = asyncio.run(rag.connect("yard", "sqlite:///yard.db"))
        >>> [len(report.unchanged) for report in asyncio.run(rag.sync("yard"))]
        [1]
        >>> forgotten = asyncio.run(rag.disconnect("yard"))
        """
        return await asyncio.to_thread(self._rag.sync, name)

    async def disconnect(self, name: str) -> "ConnectReport":
        """Remove the tables of a connected database, as TableRAG.disconnect() does.

        >>> import sqlite3
        >>> with sqlite3.connect("depot.db") as shop:
        ...     made = shop.execute("CREATE TABLE IF NOT EXISTS visits (id INTEGER PRIMARY KEY, minutes INTEGER)")
        >>> report = asyncio.run(rag.connect("depot", "sqlite:///depot.db"))
        >>> len(asyncio.run(rag.disconnect("depot")).removed)
        1
        """
        return await asyncio.to_thread(self._rag.disconnect, name)

    def as_retriever(self, *, k: int = 3, recall_n: int = 30) -> "TableRAGRetriever":
        """Return a LangChain retriever, as TableRAG.as_retriever() does; it has ``ainvoke()``.

        >>> retriever = rag.as_retriever(k=1)
        >>> asyncio.run(retriever.ainvoke("paid leave"))[0].metadata["source"]
        'handbook.docx'
        """
        return self._rag.as_retriever(k=k, recall_n=recall_n)

    def as_tools(self) -> "list[BaseTool]":
        """Return LangChain tools, as TableRAG.as_tools() does; they have ``ainvoke()``.

        >>> calculate = rag.as_tools()[-1]
        >>> asyncio.run(calculate.ainvoke({"formula": "12% * 50"}))
        '{"result": "6"}'
        """
        return self._rag.as_tools()

    def build_graph(
        self, checkpointer: "BaseCheckpointSaver[Any] | None" = None
    ) -> "CompiledStateGraph[Any, Any, Any, Any]":
        """Return the LangGraph graph, as TableRAG.build_graph() does; it has ``ainvoke()``.

        >>> outcome = asyncio.run(rag.build_graph().ainvoke({"question": "How many orders were placed by Bar Aurora?"}))
        >>> outcome["answer"]
        '15'
        """
        return self._rag.build_graph(checkpointer)

    async def close(self) -> None:
        """Close the stores.

        >>> asyncio.run(AsyncTableRAG("reports.tablerag").close())
        """
        await asyncio.to_thread(self._rag.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

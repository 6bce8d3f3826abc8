"""TableRAG, the Python API."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tablerag.tools.settings import read_settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

    from tablerag.agent.choices import Offered
    from tablerag.agent.context import Context
    from tablerag.agent.events import StepEvent
    from tablerag.answer import Answer, AnswerEvent
    from tablerag.asking import Approve, Asking
    from tablerag.ingestion.connecting import ConnectReport
    from tablerag.ingestion.pipeline import IngestReport, Progress
    from tablerag.retriever import TableRAGRetriever
    from tablerag.tools.records import SqlResult, TableSchema
    from tablerag.tools.sql.receipts import Verified

__all__ = ["TableRAG"]

PathLike = str | Path
FOR_AGENTS = {"text", "verdict", "explanation", "sql", "citations"}
"""Fields of an answer for an agent's model: the steps would be many times as long."""
MOST_NAMED = 20
"""Tables that an error lists."""


class TableRAG:
    """Answers questions about documents, in one corpus of one deployment.

    ``home`` is the folder of the embedded stores, created at the first ingest; ``database_url`` and ``chroma_url`` name
    servers to use in place of them. ``model`` is ``PROVIDER:NAME``, ``gguf:PATH``, ``offline`` (the embedded reasoner)
    or any LangChain chat model; errors of a client that is not known are raised unchanged. ``settings`` are fields of
    the environment's configuration in lower case, such as ``row_limit``. The rest is read from the environment
    (``TABLERAG_HOME`` and others) and ``.env``. Raises ConfigError for an invalid setting. Stores are opened at first
    use.

    Safe to share between threads. Every method raises TableRagError: ConfigError for what the caller can fix,
    StoreUnavailable if a store does not answer.

    >>> with TableRAG("reports.tablerag", model="offline") as rag:
    ...     report = rag.ingest("reports")
    ...     answer = rag.ask("What is the total quantity of all orders?")
    >>> answer.value, answer.unit
    (6577, 'kg')
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
        given = {"database_url": database_url, "chroma_url": chroma_url}
        given |= {"home": Path(home).expanduser()} if home is not None else {}
        self._begin(Services(read_settings(**settings, **{k: v for k, v in given.items() if v})), corpus, model)

    @classmethod
    def over(cls, services: Services, *, corpus: str = "", model: "str | BaseChatModel" = "") -> Self:
        """Return a client over services that are open already; ``close()`` closes them.

        >>> TableRAG.over(rag.services, corpus="default").corpus
        'default'
        """
        made = cls.__new__(cls)
        made._begin(services, corpus, model)
        return made

    def _begin(self, services: Services, corpus: str, model: "str | BaseChatModel") -> None:
        self.services = services
        self.corpus = corpus or services.settings.corpus
        self._model = model
        self._asking: Asking | None = None

    def ingest(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        on_progress: "Callable[[Progress], object] | None" = None,
        prune: bool = False,
        ray: str = "",
    ) -> "IngestReport":
        """Read files and folders into the corpus; safe to repeat, only changed files are read again.

        ``paths`` may be URLs of folders in object stores, such as ``s3://BUCKET/FOLDER``. ``prune`` removes documents
        below ``paths`` whose files are gone. ``ray`` reads the files on a Ray cluster: its address, ``auto``, or
        ``local`` for one that lives as long as the call. A file that cannot be read is an entry of the report, not an
        error. Raises ConfigError for a path that does not exist, an invalid corpus name, or a store or cluster that
        cannot be used.

        >>> report = rag.ingest("reports")
        >>> report.counts
        {'unchanged': 6}
        """
        from tablerag.ingestion.executors import reading
        from tablerag.ingestion.pipeline import ingest
        from tablerag.tools.access.corpora import new_corpus
        from tablerag.tools.places import place

        given = [place(p).expanduser() for p in ([paths] if isinstance(paths, str | Path) else paths)]
        corpus = new_corpus(self.corpus, self.services.settings, self.services.catalog)
        with reading(ray) as read:
            return ingest(given, self.services, corpus, prune=prune, on_progress=on_progress, read=read)

    def retry_failed(
        self, *, on_progress: "Callable[[Progress], object] | None" = None, ray: str = ""
    ) -> "IngestReport":
        """Read the files again that ``ingest()`` could not read, and no others.

        The arguments and errors are those of ``ingest()``.

        >>> rag.retry_failed().counts
        {}
        """
        from tablerag.ingestion.executors import reading
        from tablerag.ingestion.pipeline import retry_failed
        from tablerag.tools.access.corpora import new_corpus

        corpus = new_corpus(self.corpus, self.services.settings, self.services.catalog)
        with reading(ray) as read:
            return retry_failed(self.services, corpus, on_progress=on_progress, read=read)

    def ask(
        self,
        question: str,
        *,
        thread: str | None = None,
        context: "Context | Mapping[str, Any] | None" = None,
        approve: "Approve | None" = None,
    ) -> "Answer":
        """Answer a question from the corpus's tables and text.

        Questions of one ``thread`` are one conversation, kept in memory: later ones may refer to earlier ones.
        ``context`` are settings of this run, such as ``{"top_k": 5}``. ``approve`` is called before every statement
        runs, and returns True, False or a reply such as ``{"type": "edit", "sql": "SELECT ..."}``. Raises ConfigError
        for an unknown corpus or context field, ModelUnavailable if the model does not answer.

        >>> rag.ask("How many orders were placed by Bar Aurora?").text
        '15'
        >>> rag.ask("Who manages Noordkade?").verdict
        'text_only'
        """
        return self._answering().ask(question, thread, context, approve)

    def choose(
        self,
        answer: "Answer",
        number: int,
        *,
        thread: str | None = None,
        context: "Context | Mapping[str, Any] | None" = None,
        approve: "Approve | None" = None,
    ) -> "Answer":
        """Return the answer by one of ``answer.readings``, numbered from 1, computed again.

        With ``thread``, later questions of that conversation may refer to it; the other arguments are those of
        ``ask()``. Raises ConfigError for a number that is not in the list.

        >>> unsure = rag.ask("What is the total?")
        >>> rag.choose(unsure, 1).verdict
        'sql_only'
        """
        asking, offered = self._answering(), self._offered(answer, number)
        return asking.choose(offered, number, thread, context, approve)

    def stream(
        self,
        question: str,
        *,
        thread: str | None = None,
        context: "Context | Mapping[str, Any] | None" = None,
        approve: "Approve | None" = None,
    ) -> "Iterator[StepEvent | AnswerEvent]":
        """Yield the events of a question as they happen; the last is an AnswerEvent with the answer.

        Arguments and errors are those of ``ask()``.

        >>> for event in rag.stream("What is the total quantity of all orders?"):
        ...     if event.type == "sql":
        ...         print(event.sql)
        ...     elif event.type == "answer":
        ...         print(event.answer.text)
        SELECT SUM(`quantity_kg`) AS `result` FROM `orders`
        6,577 kg
        """
        return self._answering().stream(question, thread, context, approve)

    def tables(self) -> "list[TableSchema]":
        """Return the SQL tables of the corpus by name; those that unite tables of one schema come last.

        >>> [table.name for table in rag.tables()][:3]
        ['orders', 'products', 'revenue_and_cost_by_quarter']
        """
        from tablerag.tools.access.corpora import known_corpus

        catalog = self.services.catalog
        return catalog.tables(known_corpus(self.corpus, self.services.settings, catalog))

    def describe(self, table: str) -> "TableSchema":
        """Return a table's columns, types, units, examples and origin; raise ConfigError for an unknown table.

        >>> [column.header for column in rag.describe("orders").columns][:3]
        ['Order ID', 'Order Date', 'Customer']
        """
        found = next(iter(self._named({table, table.casefold()})), None)
        tables = [] if found else self._tables()
        found = found or next((s for s in tables if s.name.casefold() == table.casefold()), None)
        if found is None:
            raise ConfigError(f"unknown table {table!r}: {_expected([s.name for s in tables])}")
        return found

    def sql(self, statement: str) -> "SqlResult":
        """Run one SELECT in MySQL's dialect over the corpus's tables, read-only and limited.

        Raises SqlRejected for a statement that the guard refuses, SqlFailed for one that the database does.

        >>> rag.sql("SELECT region, COUNT(*) FROM orders GROUP BY region ORDER BY region").rows[0]
        ('East', 21)
        """
        from tablerag.ingestion.refreshing import refreshing
        from tablerag.tools.errors import SqlRejected
        from tablerag.tools.evidence import run_sql

        services = refreshing(self.services)
        words = set(re.findall(r"\w+", statement))
        try:
            named = self._named({*words, *map(str.casefold, words)}) or self._tables()
            return run_sql(services, statement, named)[0]
        except SqlRejected:  # perhaps of a table with another name: the error lists those that there are
            return run_sql(services, statement, self._tables())[0]

    def verify(self, answer: "Answer | Mapping[str, Any] | PathLike", *, corpus: str = "") -> "list[Verified]":
        """Recompute an answer's numbers from its receipts: each is same, changed, damaged, gone or unavailable.

        An unavailable one reads a connected database that is locked or does not answer.
        ``answer`` may be a saved one: its dict, or the path of its JSON. ``corpus`` replaces the answer's own. Returns
        an empty list for an answer without SQL. Raises ConfigError if it is not an answer.

        >>> [check.status for check in rag.verify(rag.ask("How many orders were placed by Bar Aurora?"))]
        ['same']
        """
        from tablerag.answer import Answer
        from tablerag.ingestion.refreshing import refreshing
        from tablerag.tools.connections.refreshing import current_tables
        from tablerag.verification import computed_again, read_answer, read_answer_file

        if isinstance(answer, str | Path):
            saved = read_answer_file(Path(answer).expanduser())
        else:
            saved = read_answer(answer.to_dict() if isinstance(answer, Answer) else answer)
        named = {table for receipt in saved.receipts for table in receipt.tables}
        every = current_tables(refreshing(self.services), corpus or saved.corpus or self.corpus, named)
        return computed_again(saved, every, self.services.database, row_limit=self.services.settings.row_limit)

    def remove(self, source: PathLike) -> list[str]:
        """Remove documents, by source, file or folder, with their tables and chunks; return their sources.

        Raises ConfigError if there are none.

        >>> rag.remove("growers.md")
        ['growers.md']
        """
        from tablerag.ingestion.pipeline import remove

        removed = remove(str(source), self.services, self.corpus)
        if not removed:
            known = [d.source for d in self.services.catalog.documents(self.corpus)]
            raise ConfigError(f"corpus {self.corpus!r} has no document {str(source)!r}: {_expected(known)}")
        return removed

    def connect(
        self, name: str, url: str, *, tables: Iterable[str] = (), schema: str = "", allow_writable_user: bool = False
    ) -> "ConnectReport":
        """Ask a database beside the documents, in place of a connection of that name; nothing is copied.

        ``url`` is that of `tablerag connect`, and so are the other arguments. Raises ConfigError for what the caller
        can fix: the name, the URL, a database that cannot be opened, a user who may write, no table.

        >>> import sqlite3
        >>> with sqlite3.connect("shop.db") as shop:
        ...     made = shop.execute("CREATE TABLE IF NOT EXISTS visits (id INTEGER PRIMARY KEY, minutes INTEGER)")
        >>> len(rag.connect("shop", "sqlite:///shop.db").added)
        1
        >>> forgotten = rag.disconnect("shop")
        """
        from tablerag.ingestion.connecting import connect
        from tablerag.tools.access.corpora import new_corpus

        corpus = new_corpus(self.corpus, self.services.settings, self.services.catalog)
        wanted = [tables] if isinstance(tables, str) else [*tables]
        return connect(
            self.services, corpus, name, url, tables=wanted, schema=schema, may_write=allow_writable_user
        )  # fmt: skip

    def sync(self, name: str = "") -> "list[ConnectReport]":
        """Read the schemas of a connected database again, or of all; raise ConfigError for an unknown one.

        >>> import sqlite3
        >>> with sqlite3.connect("yard.db") as shop:
        ...     made = shop.execute("CREATE TABLE IF NOT EXISTS visits (id INTEGER PRIMARY KEY, minutes INTEGER)")
        >>> report = rag.connect("yard", "sqlite:///yard.db")
        >>> [len(report.unchanged) for report in rag.sync("yard")]
        [1]
        >>> forgotten = rag.disconnect("yard")
        """
        from tablerag.ingestion.connecting import sync

        return sync(self.services, name)

    def disconnect(self, name: str) -> "ConnectReport":
        """Remove the tables of a connected database, which is not touched; raise ConfigError for an unknown one.

        >>> import sqlite3
        >>> with sqlite3.connect("depot.db") as shop:
        ...     made = shop.execute("CREATE TABLE IF NOT EXISTS visits (id INTEGER PRIMARY KEY, minutes INTEGER)")
        >>> report = rag.connect("depot", "sqlite:///depot.db")
        >>> len(rag.disconnect("depot").removed)
        1
        """
        from tablerag.ingestion.connecting import disconnect

        return disconnect(self.services, name)

    def as_retriever(self, *, k: int = 3, recall_n: int = 30) -> "TableRAGRetriever":
        """Return a LangChain retriever of the ``k`` best matching passages and table chunks.

        >>> documents = rag.as_retriever(k=1).invoke("paid leave")
        >>> documents[0].metadata["source"]
        'handbook.docx'
        """
        from tablerag.retriever import TableRAGRetriever

        return TableRAGRetriever.model_validate({"rag": self, "k": k, "recall_n": recall_n})

    def as_tools(self) -> "list[BaseTool]":
        """Return LangChain tools for ``create_agent`` and other agents; all reply with JSON text.

        >>> [tool.name for tool in rag.as_tools()]
        ['answer_question', 'search_documents', 'list_tables', 'run_sql', 'calculate']
        """
        from langchain_core.tools import StructuredTool

        from tablerag.ingestion.refreshing import refreshing
        from tablerag.tools.toolkit import toolkit

        def answer_question(question: str) -> str:
            """Answer a question from the documents; numbers are computed by SQL and checked against the text.

            The reply has the answer, a verdict on its support, the SQL, and citations.
            """
            return self.ask(question).model_dump_json(by_alias=True, include=FOR_AGENTS)

        return [StructuredTool.from_function(answer_question), *toolkit(refreshing(self.services), self.corpus)]

    def build_graph(
        self, checkpointer: "BaseCheckpointSaver[Any] | None" = None
    ) -> "CompiledStateGraph[Any, Any, Any, Any]":
        """Return the LangGraph graph over this client's stores and model.

        >>> rag.build_graph().invoke({"question": "How many orders were placed by Bar Aurora?"})["answer"]
        '15'
        """
        from tablerag.graphs.deployment import Deployment
        from tablerag.graphs.tablerag import build_graph

        return build_graph(Deployment(self.services, self._model, self.corpus), checkpointer=checkpointer)

    def close(self) -> None:
        """Close the stores.

        >>> TableRAG("reports.tablerag").close()
        """
        self.services.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _answering(self) -> "Asking":
        if self._asking is None:
            self.services.database.warm()  # The engine starts while the rest is loaded.
            from tablerag.asking import Asking

            self._asking = Asking(self.corpus, self.build_graph())
        return self._asking

    def _offered(self, answer: "Answer", number: int) -> "Offered":
        """Return the readings of an answer with their tables, for the thread's state; raise ConfigError."""
        from tablerag.agent.choices import offer

        most = len(answer.readings)
        if not 1 <= number <= most:
            expected = f"expected 1 to {most}" if most else "the answer has no readings"
            raise ConfigError(f"no reading {number!r}: {expected}")
        schemas = [s.model_dump(mode="json") for s in self.services.catalog.tables(answer.corpus or self.corpus)]
        return offer(answer.question, [r.model_dump(mode="json") for r in answer.readings], schemas)

    def _named(self, names: "Iterable[str]") -> "Sequence[TableSchema]":
        """Return the tables with these names; no others are read."""
        from tablerag.tools.access.corpora import known_corpus

        catalog = self.services.catalog
        return catalog.named(known_corpus(self.corpus, self.services.settings, catalog), names)

    def _tables(self) -> "Sequence[TableSchema]":
        """Return the tables; raise ConfigError if there are none."""
        found = self.tables()
        if not found:
            where = self.services.database.shown_url
            raise ConfigError(f"corpus {self.corpus!r} has no tables in {where}: run `tablerag ingest PATH` first")
        return found


def _expected(names: "Sequence[str]") -> str:
    """Return the names that would be valid, the first of many."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"expected one of {', '.join(names[:MOST_NAMED])}{more}" if names else "it has no documents"

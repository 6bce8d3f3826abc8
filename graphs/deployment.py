"""The tools that graphs bind to their nodes, over one deployment's services."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from tablerag.agent.budget import Budgeted, DailyBudget
from tablerag.agent.confirming import confirmed_entry
from tablerag.agent.context import Context
from tablerag.agent.like_tables import like_tables
from tablerag.agent.offline.confirmed import MOST_TABLES, confirmed_tables, near, tables_read
from tablerag.agent.ports import ModelFor, ReasonerFor
from tablerag.agent.presentation import presented
from tablerag.agent.reasoners import baseline_models, reasoners
from tablerag.agent.reasoning import Confirmed, Reasoner
from tablerag.ingestion.refreshing import refreshing
from tablerag.tools import evidence
from tablerag.tools.access.corpora import checked_corpus, checked_schemas, current_owner, services_of_run
from tablerag.tools.connections.patience import naming, unread, waiting_for
from tablerag.tools.connections.refreshing import described_again
from tablerag.tools.errors import ConfigError, SqlProblem
from tablerag.tools.knowledge.entries import Knowledge
from tablerag.tools.knowledge.found_codes import found_codes, with_codes
from tablerag.tools.knowledge.mentions import Mention, expanded_text, mentions_in, names_metric
from tablerag.tools.knowledge.resolving import with_rules
from tablerag.tools.left_out import left_out, usable
from tablerag.tools.linking.joins import likely_joins
from tablerag.tools.linking.keys import spelled
from tablerag.tools.records import (
    Chunk,
    JoinHint,
    SqlResult,
    SupportingRows,
    TableExtract,
    TableSchema,
    ValueHint,
)
from tablerag.tools.retriever import TABLE_KINDS
from tablerag.tools.sandbox.process import run_program
from tablerag.tools.services import Services, get_services
from tablerag.tools.sql.checks import doubts, over_other_table
from tablerag.tools.table_extracts import FOUND_CHARS, MOST_CHARS, OTHER_CHARS, extract
from tablerag.tools.unmentioned import unmentioned

if TYPE_CHECKING:
    import numpy as np
    from langchain_core.language_models import BaseChatModel

    from tablerag.agent.model.baseline import BaselineModel

MOST_ALTERNATIVES = 3
MOST_NAMES = 150
"""Names of tables that are shown to a model."""
MOST_KEYS = 100
"""API keys with rights whose reasoners are kept."""
MOST_ROWS = 100_000
"""Limit of a table's rows in a program."""

EMBEDDED_TABLES = 10
"""How many tables the embedded reasoner reads for a question; a model is shown those of the best chunks."""

EMBEDDED_TEXTS = 12
"""The same for chunks of text."""

__all__ = ["Deployment"]


class Deployment:
    """Tools over the given services, or else the environment's, opened at the first call.

    Importing a graph therefore opens nothing and reads no environment. ``model``, a name or a chat model, and
    ``corpus`` are for runs that name none; "" is the settings' own.
    """

    def __init__(self, services: Services | None = None, model: "str | BaseChatModel" = "", corpus: str = "") -> None:
        self._services = services
        self._model = model
        self._corpus = corpus
        self._reasoners: dict[Services, ReasonerFor] = {}
        self._models: dict[Services, ModelFor] = {}

    @property
    def services(self) -> Services:
        """The services in use, as the key of the current run may see them."""
        return services_of_run(refreshing(self._services or get_services()))

    def reasoner_for(self, context: Context) -> Reasoner:
        """Return the reasoner that the context names."""
        services = self.services
        if services not in self._reasoners:  # a key with rights has services, and so caches, of its own
            if len(self._reasoners) > MOST_KEYS:
                self._reasoners.clear()
            self._reasoners[services] = reasoners(services, self._model)
        reasoner, limit = self._reasoners[services](context), services.settings.max_tokens_per_day
        if not limit or reasoner.name == "offline":
            return reasoner
        corpus = context.corpus or self._corpus or services.settings.corpus
        return Budgeted(reasoner, DailyBudget(limit, corpus, services.token_ledger))

    def model_for(self, context: Context) -> "BaselineModel":
        """Return a baseline's model; raise ConfigError for the embedded reasoner, and where it may see no values."""
        if context.schema_only:
            raise ConfigError("schema_only needs the system tablerag or text2sql: this one shows the model passages")
        services = self.services
        if services not in self._models:
            self._models[services] = baseline_models(services)
        return self._models[services](context)

    def contents(self, context: Context) -> tuple[str, int, Sequence[TableSchema]]:
        """Return the context's corpus, the number of its documents, and its tables."""
        corpus = self._scope(context)["corpus"]
        schemas = with_rules(self.services.catalog.schemas(corpus), self.services.knowledge.of(corpus))
        return corpus, len(self.services.catalog.documents(corpus)), schemas

    def search(self, text: str, context: Context, question: str = "") -> tuple[Sequence[Chunk], Sequence[TableSchema]]:
        """Gather the evidence for a subquery in the context's corpus; the embedded reasoner reads more."""
        embedded = self._is_embedded(context)
        wanted = {"tables": EMBEDDED_TABLES, "texts": EMBEDDED_TEXTS * context.text_retrieval} if embedded else {}
        scope = self._scope(context)
        known = self.services.knowledge.of(scope["corpus"])
        asked, whole = (expanded_text(t, mentions_in(t, known)) for t in (text, question))
        gather = partial(evidence.search, self.services, asked, question=whole, **wanted, **scope)
        chunks, schemas = gather()
        if self._described_again(whole or asked, schemas):
            chunks, schemas = gather()
        name = spelled(text)
        called = self.services.catalog.named(scope["corpus"], [name]) if name not in {s.name for s in schemas} else []
        schemas = sorted([*called, *schemas], key=lambda s: s.name != name)
        return chunks, self._defined(schemas, question or text, scope["corpus"], known)

    def _defined(
        self, schemas: Sequence[TableSchema], asked: str, corpus: str, known: Knowledge
    ) -> Sequence[TableSchema]:
        """Return schemas with what the knowledge says of them, and the tables of the metrics that are asked for."""
        if not (known.metrics or known.tables or known.confirmed):
            return self._with_codes(usable(schemas), corpus)
        every = with_rules(self.services.catalog.schemas(corpus), known)
        confirmed = self._near(asked, corpus, known)[:MOST_TABLES]
        named, others = (confirmed_tables(confirmed, same=same) for same in (True, False))
        of_metrics = {s.name for s in every if s.rules and any(names_metric(asked, m.name) for m in s.rules.metrics)}
        wanted = [s for s in every if s.name in of_metrics | named]
        ruled, first = {s.name: s for s in every if s.rules}, {s.name for s in wanted}
        found = [*wanted, *(ruled.get(s.name, s) for s in schemas if s.name not in first)]
        shown = {s.name for s in found}
        return self._with_codes(usable([*found, *(s for s in every if s.name in others - shown)]), corpus)

    def _with_codes(self, schemas: Sequence[TableSchema], corpus: str) -> Sequence[TableSchema]:
        """Return schemas with the codes that the documents explain."""
        return with_codes(schemas, found_codes(self.services, corpus))

    def _near(self, text: str, corpus: str, known: Knowledge) -> list[Confirmed]:
        """Return the confirmed questions near to a question, one that is the same first."""
        if not known.confirmed:
            return []
        catalog = self.services.catalog
        schemas = catalog.named(corpus, tables_read(known.confirmed))
        return near(text, known, lambda asked: self.services.value_linker.hints(asked, schemas), self._embed)

    def _embed(self, texts: Sequence[str]) -> "np.ndarray":
        return self.services.embedding.embed(texts)

    def confirmed(self, text: str, context: Context) -> Sequence[Confirmed]:
        """Return the confirmed questions near to a question."""
        corpus = self._scope(context)["corpus"]
        return self._near(text, corpus, self.services.knowledge.of(corpus))

    def keep(self, question: str, sql: str, corpus: str) -> Sequence[TableSchema]:
        """Run a statement and keep it as a person's answer to a question; return the tables that it reads."""
        services, by = (
            self.services,
            self.services.settings.api_keys.name_of(current_owner(self.services.settings) or ""),
        )
        corpus = checked_corpus(corpus or self._corpus, services.settings, services.catalog)
        tables = services.catalog.tables(corpus)
        entry, _ = confirmed_entry(services, corpus, tables, question, sql, by)
        services.knowledge.confirm(corpus, entry)
        return services.catalog.named(corpus, tables_read([entry]))

    def mentions(self, text: str, context: Context) -> Sequence[Mention]:
        """Return the words of a text that the corpus's knowledge explains."""
        return mentions_in(text, self.services.knowledge.of(self._scope(context)["corpus"]))

    def other_tables(self, context: Context) -> Sequence[TableSchema]:
        """Return the corpus's connected tables, if they are few enough to be listed."""
        services, corpus = self.services, self._scope(context)["corpus"]
        names = services.catalog.connected_names(corpus, MOST_NAMES)
        listed = services.catalog.named(corpus, names) if len(names) <= MOST_NAMES else []
        return with_rules(listed, services.knowledge.of(corpus))

    def _is_embedded(self, context: Context) -> bool:
        named = context.model or self._model or self.services.settings.resolved_model
        return named == "offline"

    def overview(self, text: str, context: Context) -> tuple[Sequence[Chunk], Sequence[TableSchema]]:
        """Gather the evidence for a whole question, which always includes tables; a model is shown their rows."""
        rows_shown = context.sql_execution and not context.schema_only and not self._is_embedded(context)
        gather = evidence.opening if rows_shown else evidence.overview
        scope = self._scope(context)
        known = self.services.knowledge.of(scope["corpus"])
        expanded = expanded_text(text, mentions_in(text, known))
        chunks, schemas = gather(self.services, expanded, **scope)
        if self._described_again(expanded, schemas):
            chunks, schemas = gather(self.services, expanded, **scope)
        return chunks, self._defined(schemas, text, scope["corpus"], known)

    def _described_again(self, asked: str, schemas: Sequence[TableSchema]) -> bool:
        with waiting_for(naming(asked, schemas)):
            return described_again(self.services, schemas)

    def _scope(self, context: Context) -> dict[str, Any]:
        settings = self.services.settings
        return {
            "corpus": checked_corpus(
                context.corpus or self._corpus or settings.corpus, settings, self.services.catalog
            ),
            "recall_n": context.recall_n,
            "top_k": context.top_k,
            "kinds": None if context.text_retrieval else TABLE_KINDS,
            "summaries": context.summaries,
            "embedded": context.schema_only,
        }

    def hints(self, text: str, schemas: Sequence[TableSchema]) -> Sequence[ValueHint]:
        """Find the stored values that a text mentions."""
        with waiting_for(naming(text, schemas)):
            return self.services.value_linker.hints(text, self._checked(schemas))

    def extracts(
        self, text: str, schemas: Sequence[TableSchema], hints: Sequence[ValueHint], later: bool
    ) -> Sequence[TableExtract]:
        """Choose the rows of tables to show for a question, most of the first; none of one that was just replaced."""
        found = []
        parts = {m.name for s in schemas for m in s.members}
        for place, schema in enumerate(s for s in self._checked(schemas) if s.name not in parts):
            most = OTHER_CHARS if place else FOUND_CHARS if later else MOST_CHARS
            with suppress(SqlProblem), waiting_for(naming(text, [schema])):
                found.append(extract(self.services.rows, text, schema, hints, most))
        return found

    def joins(self, schemas: Sequence[TableSchema]) -> Sequence[JoinHint]:
        """Find the columns on which tables may be joined."""
        return likely_joins(self._checked(schemas), self.services.value_linker.held)

    def run_sql(self, sql: str, schemas: Sequence[TableSchema]) -> tuple[SqlResult, Sequence[SupportingRows]]:
        """Guard and run one statement."""
        return evidence.run_sql(self.services, sql, self._checked(schemas), of_stored=True)

    def doubts(self, question: str, result: SqlResult, schemas: Sequence[TableSchema], told: str) -> Sequence[str]:
        """Check a statement against its question; a check that fails to run raises no doubt."""
        tables = self._checked(schemas)
        with suppress(SqlProblem):
            hints = self.hints(question, tables)
            return doubts(question, result, tables, hints, partial(self._run_plain, tables), told)
        return ()

    def alternatives(
        self, question: str, result: SqlResult, schemas: Sequence[TableSchema]
    ) -> Sequence[dict[str, str]]:
        """Run a statement over the other tables that have its columns; those that find nothing are left out."""
        tables = self._checked(schemas)
        found: list[dict[str, str]] = []
        alike = like_tables(question, result, tables)
        if alike is None:
            return found
        own, others = alike
        given = presented(result, tables).plain
        for other in others[:MOST_ALTERNATIVES]:
            with suppress(SqlProblem):
                sql = over_other_table(result.sql, own, other)
                answer = presented(self._run_plain(tables, sql), tables)
                if answer.plain and answer.plain != given:
                    about = {"table": other.name, "title": other.title, "source": other.source}
                    found.append(about | {"answer": answer.text, "sql": sql})
        return found

    def _run_plain(self, schemas: Sequence[TableSchema], sql: str) -> SqlResult:
        return evidence.result_of(self.services, sql, schemas)

    def _checked(self, schemas: Sequence[TableSchema]) -> Sequence[TableSchema]:
        services = self.services
        checked = usable(services.seen(checked_schemas(schemas, services.settings, services.catalog)))
        rules = {s.name: s.rules for s in schemas if s.rules}  # their SQL goes through the guard, as a model's does
        return [s.model_copy(update={"rules": rules.get(s.name)}) for s in checked] if rules else checked

    def run_program(self, code: str, schemas: Sequence[TableSchema]) -> Sequence[str]:
        """Run a program over whole tables in the sandbox."""
        return run_program(
            code, {s.name: evidence.whole_table(self.services, s, MOST_ROWS) for s in self._checked(schemas)}
        )

    def left_out(self, text: str, context: Context) -> Sequence[str]:
        """Return a note on the table that matches a question best, if answers leave it out."""
        scope = self._scope(context)
        return left_out(self.services, text, scope["corpus"], scope["recall_n"]) if context.sql_execution else []

    def unmentioned(self, text: str, context: Context) -> Sequence[str]:
        """Return the words of a text that no table of the context's corpus mentions."""
        return unmentioned(self.services, self._scope(context)["corpus"], text)

    def unread(self, text: str, schemas: Sequence[TableSchema]) -> Sequence[str]:
        """Return what to say of connected tables that a text may be about, and that could not be read."""
        return unread(self.services.database.tables, text, self._checked(schemas))

"""Which statement to answer with, and how sure it is: of arithmetic, of two hops, of the reader or of the ranker."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablerag.agent.offline.alignment import Embed
from tablerag.agent.offline.arithmetic.answering import computation_of, is_unread
from tablerag.agent.offline.code_hints import counts_codes, drops_code
from tablerag.agent.offline.hops.planning import TwoHops
from tablerag.agent.offline.interpretation import Interpretation, ReadRows, interpretation_of
from tablerag.agent.offline.program_wording import describe
from tablerag.agent.offline.reading.agreement import same_column
from tablerag.agent.offline.reading.facts import split_words
from tablerag.agent.offline.reading.offering import asks_another_column, guesses, offered, untold
from tablerag.agent.offline.reading.query import Query, Ref
from tablerag.agent.offline.reading.reader import BLANK, Reader, is_vetoed
from tablerag.agent.offline.reading.reader import Reading as Read
from tablerag.agent.offline.stated_limits import computes_limit, limit_of
from tablerag.agent.offline.vetoes import forbids
from tablerag.agent.reasoning import Reading, SqlTask
from tablerag.tools.errors import SqlProblem, TableChanged, TableLost
from tablerag.tools.knowledge.rewriting import expanded
from tablerag.tools.records import SqlResult, TableSchema

__all__ = ["Choice", "Chooser", "best_interpretation", "tables_of"]

BESIDE_PASSAGES = 0.6
"""Factor on the confidence of a single table if the answer may need a passage that a cell names."""
UNREAD = 0.1
"""Factor on the confidence if the question asks for arithmetic whose formula could not be read."""
VETOED = 0.3
"""Factor on the confidence of a vetoed interpretation."""
NEAREST = 12
"""How many tables are looked through for arithmetic; the reader looks through all."""
MOST_TABLES = 2
"""How many tables of the likeliest readings are ranked, and of those found are said to be damaged."""
MOST_NAMED = 5
"""Words of a question that a reason names."""
NO_READING = "No reading of the question is sure enough."
SURE_READING = 0.6
"""The chance of being right that a reading of the words needs: people trust a number that is shown."""
AGREEING, AGAINST_SURE, AGAINST = 0.4, 0.7, 0.85
"""The ranker's confidence that an answer from a lone table needs if the likeliest reading has the same result, if a
sure reading has another, and if an unsure one has."""
NAMELESS, UNLIKELY = 0.6, 0.2
"""The same for a table without a name if the results differ, and below which a sure reading is likelier."""
LIKELY = -1.0
"""The score that a reading of a kind which only the reader knows needs where the ranker has another result."""
CLEAR = -0.3
"""The score of a reading that explains every word and assumes nothing: an unsure ranker need not agree."""
KNOWN_TO_BOTH = frozenset(
    "count lookup list asked extreme".split()
    + ["list with names", "top rows", "top groups", "top counts", "count of groups"]
)
"""Kinds of readings that the ranker knows as well: if it disagrees on a lone table, it is mostly right."""
ONLY_READ = ("group ", "share ")
"""How the kinds of readings begin that the ranker does not know at all."""
FLAGS = frozenset(("yes", "no", "empty", "filled", "<>"))
"""Operators of conditions that only the reader knows."""
SURE_RULE = 0.8
"""The confidence of a limit that a table of rules states."""
SURE_ARITHMETIC = 0.8
"""The same for arithmetic over named rows and years: its rules abstain when in doubt."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A statement, the chance that it is right, and what to tell the user if that is too low."""

    sql: str
    confidence: float
    reason: str = ""
    meaning: str = ""
    """What the statement computes, in the document's words."""
    readings: tuple[Reading, ...] = ()
    """What the question may mean, likeliest first."""
    found: tuple[Read, ...] = ()
    """The readings of its words; those to offer are chosen among them if the statement is not sure enough."""
    unread: tuple[str, ...] | None = None
    """Telling words that fit nothing in the tables of any reading; None if that is unknown."""


@dataclass(frozen=True, slots=True)
class Chooser:
    """Chooses a statement for a subquery."""

    read_rows: ReadRows | None
    embed: Embed | None
    hops: TwoHops
    least: float
    """The confidence needed to answer."""
    reader: Reader | None = None

    def choose(self, task: SqlTask) -> Choice | None:
        """Return the likeliest statement; None if the question is about none of the tables."""
        choice = self._likeliest(task)
        if choice is not None and choice.confidence >= self.least:
            if not self._is_forbidden(choice, task):
                return choice
            choice = replace(choice, confidence=0.0)
        if lost := self._lost(task):
            return Choice("", 0.0, lost)
        if choice is None or not choice.found or self.reader is None:
            return choice
        left = {id(r): untold(task.subquery, r, task.hints) for r in choice.found}
        fit = [r for r in choice.found if not computes_limit(task.subquery, r.sql, task.schemas)]
        offers = offered([r for r in fit if not guesses(task.subquery, r, left[id(r)])], self.reader.result)
        readings = tuple(Reading(words, expanded(r.sql, task.schemas), r.result) for words, r in offers)
        unread = tuple(w for w in left[id(choice.found[0])] if all(w in words for words in left.values()))
        asked = sorted({w for words in left.values() for w in words}, key=task.subquery.find)
        reason = choice.reason if readings else _unmatched(task.subquery, unread, asked)
        return replace(choice, readings=readings, unread=unread, reason=reason)

    def _is_forbidden(self, choice: Choice, task: SqlTask) -> bool:
        """Tell whether a statement must not answer, however sure it is."""
        return (
            drops_code(choice.sql, task.hints)
            or counts_codes(choice.sql, task.schemas)
            or computes_limit(task.subquery, choice.sql, task.schemas)
        )

    def _lost(self, task: SqlTask) -> str:
        """Return which of the nearest tables is damaged or gone: the answer may be in it."""
        if self.read_rows is None:
            return ""
        for schema in task.schemas[:MOST_TABLES]:
            try:
                self.read_rows(schema, task.hints)
            except (TableLost, TableChanged) as lost:
                return f"{str(lost)[0].upper()}{str(lost)[1:]}."
            except SqlProblem:
                continue
        return ""

    def _likeliest(self, task: SqlTask) -> Choice | None:
        """Return the likeliest statement, without the readings to offer."""
        nearest = task.schemas[:NEAREST]
        if self.read_rows and (rule := limit_of(task.subquery, nearest, self.read_rows, task.hints)):
            return Choice(rule[0], SURE_RULE, meaning=rule[1])
        if self.read_rows and (computed := computation_of(task.subquery, nearest, self.read_rows, task.hints)):
            return Choice(computed.sql, 0.0 if computed.doubt else SURE_ARITHMETIC, computed.doubt)
        if hop := self.hops.statement(task):
            answer, sql = hop
            by_hops = Choice(sql, answer.confidence, answer.doubt)
            beside = self._of_tables(task) if by_hops.confidence < self.least else None
            if beside is None or beside.confidence * BESIDE_PASSAGES < self.least:
                return by_hops if beside is None else replace(by_hops, found=beside.found)
            return replace(beside, confidence=beside.confidence * BESIDE_PASSAGES)
        choice = self._of_tables(task)
        if choice is not None and choice.confidence < SURE_READING and is_unread(task.subquery, nearest):
            return replace(choice, confidence=choice.confidence * UNREAD)
        return choice

    def _of_tables(self, task: SqlTask) -> Choice | None:
        """Return the likeliest reading of the words or, if that is not sure, the ranker's interpretation.

        The ranker knows Wikipedia's tables: of a user's many tables it often takes a wrong one. There it answers only
        with the result of another reading. Of a lone table, a reading of a kind that both know needs its agreement.
        """
        known = (task.subquery, task.schemas, task.hints)
        if self.reader and not task.may_run and (likely := self.reader.likeliest(*known)):
            sql, meaning, confidence = likely
            if confidence >= SURE_READING:
                return Choice(sql, confidence, NO_READING, meaning)
        found = self.reader.readings(*known) if self.reader and task.may_run else []
        if found and found[0].kind == BLANK:
            return Choice(found[0].sql, found[0].confidence, meaning=found[0].query.words())
        alone = len(task.schemas) == 1
        if found and not alone and _is_sure(task, found[0]):
            return _of_reading(found)  # whatever the ranker takes for the question
        ranked = best_interpretation(task, tables_of(found), self.read_rows, self.embed) if self.read_rows else None
        if not found:
            return _of_ranked(ranked) if ranked and (alone or not task.may_run) else None
        result = self.reader.result(ranked.program.to_sql(), task.schemas) if ranked and self.reader else None
        first, choice, sure = found[0], _of_reading(found), _is_sure(task, found[0])
        surest = ranked.confidence if ranked else 0.0
        differs = result is not None and not same_column(first.result.rows, result.rows, least=len(result.rows))
        if alone and ranked and not _is_named(task.schemas[0]):
            return self._of_nameless(ranked, choice, differs=differs, sure=sure)
        if sure and (not differs or (first.score >= LIKELY and not _both_know(first))):
            return choice
        ranks = alone and not (sure and _only_read(first))
        needed = AGREEING if not differs else AGAINST_SURE if sure else AGAINST
        needed = needed if alone else self.least
        # Net or gross: where readings are as likely, neither is meant more.
        tied = first.costs.get("tied")
        if ranked and surest >= needed and not tied and (ranks or _is_among(result, found)):
            return replace(_of_ranked(ranked), confidence=max(surest, self.least), found=tuple(found))
        if sure and first.score >= CLEAR:
            return choice
        best = _of_ranked(ranked) if ranked and (ranks or surest > choice.confidence) else choice
        below = min(best.confidence, max(0.0, self.least - 0.01))
        return replace(best, confidence=below, found=tuple(found))

    def _of_nameless(self, ranked: Interpretation, choice: Choice, *, differs: bool, sure: bool) -> Choice:
        """Return the ranker's interpretation: without a name, a table does not tell whether it is what is meant."""
        best = _of_ranked(ranked)
        if ranked.confidence >= (NAMELESS if differs else AGREEING):
            return replace(best, confidence=max(best.confidence, self.least), found=choice.found)
        best = choice if sure and ranked.confidence < UNLIKELY else best
        return replace(best, confidence=min(best.confidence, max(0.0, self.least - 0.01)), found=choice.found)


def _of_reading(found: Sequence[Read]) -> Choice:
    """Return the likeliest reading of the words."""
    first = found[0]
    return Choice(first.sql, first.confidence, NO_READING, first.query.words(), found=tuple(found))


def _is_sure(task: SqlTask, reading: Read) -> bool:
    """Tell whether a reading of the words is sure enough to answer."""
    left = untold(task.subquery, reading, task.hints) if reading.costs.get("assumed_shown") else ()
    return reading.confidence >= SURE_READING and not asks_another_column(task.subquery, reading, left)


def tables_of(found: Sequence[Read]) -> list[TableSchema]:
    """Return the tables of the likeliest readings, whose rows they are about."""
    return list({r.facts.schema.name: r.facts.schema for r in found}.values())[:MOST_TABLES]


def best_interpretation(
    task: SqlTask, tables: Sequence[TableSchema], read_rows: ReadRows, embed: Embed | None
) -> Interpretation | None:
    """Return the ranker's likeliest interpretation over those of the tables that fits best, or over any retrieved."""
    best: Interpretation | None = None
    for place, schema in enumerate(tables or task.schemas[:MOST_TABLES]):
        try:
            rows = read_rows(schema, task.hints)
        except SqlProblem:
            continue  # just dropped, or too slow to read
        alone = len(task.schemas) == 1
        found = interpretation_of(task.subquery, schema, rows, embed, task.hints, place=place, alone=alone)
        if found is None:
            continue
        if forbids(task.subquery, found.program, schema):
            found = replace(found, confidence=found.confidence * VETOED)
        if best is None or found.confidence > best.confidence:
            best = found
    return best


def _unmatched(question: str, unread: Sequence[str], left: Sequence[str]) -> str:
    """Say which telling words no reading explains, or no single one explains together."""
    named: list[str] = []
    for word in list(dict.fromkeys(unread or left))[:MOST_NAMED]:
        if named and f"{named[-1]} {word}" in question:
            named[-1] += f" {word}"
        else:
            named.append(word)
    if not named:
        return NO_READING
    *most, last = [f'"{name}"' for name in named]
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"No reading explains {listed}." if unread else f"No reading explains {listed} together."


def _is_named(schema: TableSchema) -> bool:
    """Tell whether a table has a name: "orders", but not "733"."""
    return any(not word.isdigit() for word in split_words(schema.title or schema.name))


def _both_know(reading: Read) -> bool:
    """Tell whether the ranker may know better."""
    return reading.kind in KNOWN_TO_BOTH and not _only_read(reading)


def _only_read(reading: Read) -> bool:
    """Tell whether the ranker cannot mean the same: it knows no groups, shares, "top 3", months or "unpaid"."""
    query = reading.query
    ranked = isinstance(query, Query) and (query.offset or query.limit > 1)
    by_month = isinstance(query, Query) and any(isinstance(e, Ref) and e.grain for e in query.shown)
    unpaid = isinstance(query, Query) and any(c.operator in FLAGS for c in query.where)
    return bool(ranked or by_month or unpaid) or reading.kind.startswith(ONLY_READ)


def _of_ranked(ranked: Interpretation) -> Choice:
    words = describe(ranked.program, ranked.schema)
    return Choice(ranked.program.to_sql(), ranked.confidence, NO_READING, words)


def _is_among(result: SqlResult | None, found: Sequence[Read]) -> bool:
    return result is not None and any(same_column(r.result.rows, result.rows) for r in found if not is_vetoed(r))

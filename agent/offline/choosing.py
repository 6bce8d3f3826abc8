"""Which statement to answer with, and how sure it is: of arithmetic, of two hops, of the ranker or of the rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tablerag.agent.offline.alignment import Embed
from tablerag.agent.offline.arithmetic.answering import computation_of, is_unread
from tablerag.agent.offline.hops.planning import TwoHops
from tablerag.agent.offline.interpretation import Interpretation, ReadRows, interpretations_of
from tablerag.agent.offline.program import Program
from tablerag.agent.offline.question import read_question
from tablerag.agent.offline.rules import RuleReading, read_by_rules
from tablerag.agent.offline.statement_wording import describe
from tablerag.agent.offline.vetoes import veto
from tablerag.agent.reasoning import SqlTask
from tablerag.tools.errors import SqlProblem

__all__ = ["Choice", "Chooser"]

BESIDE_PASSAGES = 0.6
"""Factor on the confidence of a single table if the answer may need a passage that a cell names."""
UNREAD = 0.1
"""Factor on the confidence if the question asks for arithmetic whose formula could not be read."""
VETOED = 0.3
"""Factor on the confidence of a vetoed interpretation."""
MOST_TABLES = 3
SURE_RULES = 0.6
"""The chance that a program by rules is right if it explains the question."""
SURE_ARITHMETIC = 0.8
"""The same for arithmetic over named rows and years: its rules abstain when in doubt."""
GROUPED = ("grouped", "grouped_average")


@dataclass(frozen=True, slots=True)
class Choice:
    """A statement, the chance that it is right, and what to tell the user if that is too low."""

    sql: str
    confidence: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Chooser:
    """Chooses a statement for a subquery."""

    read_rows: ReadRows | None
    embed: Embed | None
    hops: TwoHops
    least: float
    """The confidence needed to answer."""

    def choose(self, task: SqlTask) -> Choice | None:
        """Return the likeliest statement; None if the question is about none of the tables."""
        if self.read_rows and (computed := computation_of(task.subquery, task.schemas, self.read_rows, task.hints)):
            return Choice(computed.sql, 0.0 if computed.doubt else SURE_ARITHMETIC, computed.doubt)
        if hop := self.hops.statement(task):
            answer, sql = hop
            by_hops = Choice(sql, answer.confidence, answer.doubt)
            beside = self._of_tables(task) if by_hops.confidence < self.least else None
            if beside is None or beside.confidence * BESIDE_PASSAGES < self.least:
                return by_hops
            return replace(beside, confidence=beside.confidence * BESIDE_PASSAGES)
        choice = self._of_tables(task)
        if choice is not None and is_unread(task.subquery, task.schemas):
            reason = choice.reason or "Not sure which rows and years to use."
            return replace(choice, confidence=choice.confidence * UNREAD, reason=reason)
        return choice

    def _of_tables(self, task: SqlTask) -> Choice | None:
        """Return the likeliest interpretation over one table, or what the rules make of it."""
        question = read_question(task.subquery)
        rules = {s.name: r for s in task.schemas if (r := read_by_rules(question, s, task.hints)) is not None}
        by_rules = max(rules.values(), key=lambda r: r.confidence, default=None)
        found = self._interpretations(task, {name: r.program for name, r in rules.items() if r.is_sure})
        best = found[0] if found else None
        if best is not None and best.confidence < self.least and by_rules is not None and by_rules.is_sure:
            program = by_rules.program
            schema = next(s for s in task.schemas if s.name == program.table)
            # "total revenue per region": the rules cannot mistake this form for another.
            if program.operation in GROUPED and not veto(task.subquery, program, schema):
                return Choice(program.to_sql(), SURE_RULES, _unsure_between(found))
        if best is not None:
            reason = f"{veto(task.subquery, best.program, best.schema)} {_unsure_between(found)}".strip()
            return Choice(best.program.to_sql(), best.confidence, reason)
        if by_rules is not None:
            return Choice(by_rules.program.to_sql(), SURE_RULES if by_rules.is_sure else 0.0, _unexplained(by_rules))
        return None

    def _interpretations(self, task: SqlTask, by_rules: Mapping[str, Program]) -> list[Interpretation]:
        """Return the interpretations over the table that fits best, the likeliest first."""
        best: list[Interpretation] = []
        if self.read_rows is None:
            return best
        for place, schema in enumerate(task.schemas[:MOST_TABLES]):
            try:
                rows = self.read_rows(schema, task.hints)
            except SqlProblem:
                continue  # just dropped, or too slow to read
            known = {"place": place, "alone": len(task.schemas) == 1, "by_rules": by_rules.get(schema.name)}
            found = interpretations_of(task.subquery, schema, rows, self.embed, task.hints, **known)
            if found and veto(task.subquery, found[0].program, schema):
                found[0] = replace(found[0], confidence=found[0].confidence * VETOED)
            if found and (not best or found[0].confidence > best[0].confidence):
                best = found
        return best


def _unexplained(reading: RuleReading) -> str:
    quoted = ", ".join(f'"{w}"' for w in reading.unexplained)
    return f"Could not match {quoted} to the tables."


def _unsure_between(found: Sequence[Interpretation]) -> str:
    """Describe the two best interpretations that differ in words."""
    described = list(dict.fromkeys(m for i in found if (m := describe(i.program.to_sql(), (i.schema,)))))
    between = f" whether the question asks for {' or '.join(described[:2])}" if described else ""
    return f"Not sure{between}; a language model would help."

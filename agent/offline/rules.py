"""Rules that turn a question over one table into a program, and tell how much of the question it explains."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tablerag.agent.offline import lexicon
from tablerag.agent.offline.linking import header_tokens, same_word
from tablerag.agent.offline.program import ALL, Condition, Operation, Program, Rows
from tablerag.agent.offline.question import Question
from tablerag.agent.offline.rule_links import NUMERIC, Links, counts_years, link
from tablerag.tools.records import ROW_ID, TOTAL, Column, TableSchema, ValueHint

__all__ = ["RuleReading", "read_by_rules"]

SURE = 0.7
"""Share of the question's words that a program must explain."""
SURE_COUNT = 0.99
"""The same for counts: there, a word left over is usually a missing condition."""


@dataclass(frozen=True, slots=True)
class RuleReading:
    """A program, the share of the question's words that it explains, and the words that it does not."""

    program: Program
    confidence: float
    unexplained: tuple[str, ...]

    @property
    def is_sure(self) -> bool:
        """Whether enough is explained, and no number, year or month is left over: that would be a condition."""
        program = self.program
        counts = program.operation in ("count", "most_common") or (
            program.operation in ("grouped", "share") and not program.measure + program.column
        )
        narrows = any(w in lexicon.MONTHS or any(c.isdigit() for c in w) for w in self.unexplained)
        return self.confidence >= (SURE_COUNT if counts else SURE) and not narrows


def read_by_rules(question: Question, schema: TableSchema, hints: Sequence[ValueHint]) -> RuleReading | None:
    """Return what the rules make of a question over one table; None if it is not about the table, or beyond them."""
    if question.beyond:
        return None
    links = link(question, schema, hints)
    program = _program(links)
    if program is None:
        return None
    if program.operation == "list":
        # The document's own words say more than a typed value.
        raw = {c.name: c.raw for c in schema.columns if c.raw}
        program = replace(program, column=raw.get(program.column, program.column))
    unexplained = links.unexplained()
    known = len(question.words) - len(unexplained)
    return RuleReading(program, known / max(len(question.words), 1), unexplained)


def _program(links: Links) -> Program | None:
    if links.question.neighbour:
        return _beside(links)
    match links.question.operation:
        case "share":
            return _share(links)
        case "sum" | "avg":
            return _measured(links)
        case "count":
            return _counted(links)
        case "highest" | "lowest" | "first" | "last":
            return _ranked(links)
        case _:
            return _listed(links)


def _made(links: Links, operation: Operation, column: str = "", rows: Rows | None = None, **more: Any) -> Program:
    rows = rows or Rows(links.conditions)
    has_totals = TOTAL in links.schema.hidden_columns
    return Program(links.schema.name, operation, column, rows, has_totals=has_totals, **more)


def _extreme_rows(links: Links, by: str, *, descending: bool, limit: int = 0) -> Rows:
    """Return the rows that are extreme in a column; ``limit`` 0 keeps ties."""
    return Rows(links.conditions, "max" if descending else "min", by, limit)


def _beside(links: Links) -> Program | None:
    """Read "who came after X" if it names one value and asks for nothing else of the row."""
    if len(links.conditions) != 1 or links.question.operation != "list":
        return None
    (condition,) = links.conditions
    if condition.operator != "=" or len(condition.values) != 1:
        return None
    step = 1 if links.question.neighbour == "next" else -1
    return _made(links, "list", condition.column, Rows(links.conditions, step=step))


def _group_column(links: Links) -> str:
    words = links.question.group
    for column in links.schema.columns:
        names = header_tokens(column.header)
        if words and column.type not in NUMERIC and any(same_word(n, w) for n in names for w in words[:2]):
            return column.name if column.name not in links.filtered else ""
    return ""


def _share(links: Links) -> Program | None:
    if not links.conditions:
        return None
    measure = links.numeric()
    column = measure.name if measure and measure.name not in links.filtered else ""
    return _made(links, "share", column, other=ALL)


def _measured(links: Links) -> Program | None:
    measure, group = links.numeric(), _group_column(links)
    average = links.question.operation == "avg"
    if measure is None:
        numeric = [c for c in links.schema.columns if c.type in NUMERIC]
        if not average and re.search(lexicon.COUNT, links.question.text.casefold()):
            return _made(links, "grouped", group=group) if group else _made(links, "count")
        if len(numeric) != 1:
            return None
        measure = numeric[0]
    if group:
        return _made(links, "grouped_average" if average else "grouped", group=group, measure=measure.name)
    return _made(links, "avg" if average else "sum", measure.name)


def _counted(links: Links) -> Program | None:
    """Count rows; "how many farms does X have" reads the column that holds the count instead."""
    first, group = next(iter(links.named()), None), _group_column(links)
    if first and first.column.type in NUMERIC and first.column.name not in links.filtered and links.conditions:
        return _made(links, "sum", first.column.name) if not group else None
    if re.search(r"\b(different|distinct|unique)\b", links.question.text.casefold()) and first:
        return _made(links, "count_distinct", first.column.name)
    return _made(links, "grouped", group=group) if group else _made(links, "count")


def _ranked(links: Links) -> Program | None:
    several = [c for c in links.conditions if len(c.values) > 1 and c.operator == "="]
    if several:
        return _best_of(links, several)
    operation, limit = links.question.operation, links.question.limit
    descending = operation in ("highest", "last")
    if operation in ("first", "last"):
        order = next((c.name for c in links.schema.columns if c.type in ("date", "datetime")), ROW_ID)
        shown = _shown(links, but=[order])
        return (
            _made(links, "list", shown, _extreme_rows(links, order, descending=descending, limit=limit or 1))
            if shown
            else None
        )
    by = _rank_column(links)
    if by is None:
        return _most_common(links) if descending else None
    shown = _shown(links, but=[by.name])
    if shown:
        most = (limit or 1) if limit is not None else 0
        return _made(links, "list", shown, _extreme_rows(links, by.name, descending=descending, limit=most))
    if by.raw:
        return _made(links, "list", by.name, _extreme_rows(links, by.name, descending=descending))
    return _made(links, "max" if descending else "min", by.name)


def _best_of(links: Links, several: Sequence[Condition]) -> Program | None:
    """Read "which of A, B and C has the most goals"; the rules read no other comparison of named things."""
    among = re.search(r"\b(?:which|who|what)(?: one)? (?:of|among)\b", links.question.text, re.IGNORECASE)
    by = _rank_column(links)
    if not among or len(several) != 1 or by is None or links.question.operation not in ("highest", "lowest"):
        return None
    rows = _extreme_rows(links, by.name, descending=links.question.operation == "highest")
    return _made(links, "list", several[0].column, rows)


def _rank_column(links: Links) -> Column | None:
    """Return the column to rank by: the ordered one that the question names best."""
    ordered = [k for k in links.columns if k.column.type not in ("text", "boolean")]
    ordered = [k for k in ordered if k.column.name not in links.filtered] or ordered
    if ordered:
        return ordered[0].column
    words = set(links.question.words)
    if words & {"latest", "newest", "earliest", "oldest"}:
        return next((c for c in links.schema.columns if c.type in ("date", "datetime") or "year" in c.name), None)
    numbers_rows = ("no", "number", "rank", "id", "position", "row", "n")
    numeric = [c for c in links.schema.columns if c.type in NUMERIC and c.name not in numbers_rows]
    numeric = [c for c in numeric if not counts_years(c)]
    return numeric[0] if len(numeric) == 1 and words & lexicon.SIZE_WORDS else None


def _most_common(links: Links) -> Program | None:
    """Read "which region has the most orders" as the group with the most rows."""
    named = [k for k in links.named() if k.column.type == "text"]
    return _made(links, "most_common", group=named[0].column.name) if named and not links.unexplained() else None


def _shown(links: Links, but: Sequence[str]) -> str:
    """Return the column asked for: the first named, else what the question word suggests, else the first text."""
    named = links.named(but=[*but, *links.filtered])
    if named and links.question.asks != "who":
        return named[0].column.name
    texts = [k.column.name for k in named if k.column.type == "text"]
    if texts:
        return texts[0]
    wanted = lexicon.WORD_COLUMNS.get(links.question.asks, ())
    free = [c for c in links.schema.columns if c.name not in but and c.name not in links.filtered]
    for column in free:
        if any(w in header_tokens(column.header) for w in wanted):
            return column.name
    counted = any(k.column.type not in ("text", "boolean") for k in named)
    if links.question.asks in ("how", "when") or (links.question.asks == "who" and counted):
        return ""  # the words fit a numeric column, but the question asks for a person: the table does not say who
    return next((c.name for c in free if c.type == "text"), "")


def _listed(links: Links) -> Program | None:
    if not links.conditions or any(len(c.values) > 1 and c.operator == "=" for c in links.conditions):
        return None  # a question with two values of one column usually compares them
    shown = _shown(links, but=())
    return _made(links, "list", shown) if shown else None

"""Composes questions over real tables from templates, each with its program.

Public data sets ask about encyclopedias; people in offices ask differently ("average cost per site").
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tablerag.agent.offline.execution import Evaluator
from tablerag.agent.offline.program import ALL, Program, Rows
from tablerag.agent.offline.table_view import ColumnView, TableView
from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.table_rows import TableRows
from training.spoken_table import Lacking, Said, SpokenTable
from training.wordings import FLAGS, WORDINGS

__all__ = ["Composed", "composed_over", "with_flag"]

SHARED = {"value", "values", "each", "group", "groups", "share", "commonest", "different"}
"""Words of the kinds that need a column with repeated values."""
FIRST = 0.4
"""How much more often those kinds are drawn, since few columns repeat their values."""
LOWER, AS_WRITTEN = 0.25, 0.2
"""Shares of the questions in lower case without question mark, or begun as in the wording."""
GREATEST, LEAST = ("highest", "largest", "greatest", "maximum", "biggest"), ("lowest", "smallest", "least", "minimum")
MOST, FEWEST = ("most", "highest", "largest", "greatest", "biggest"), ("least", "lowest", "fewest", "smallest")
LATEST, EARLIEST = ("latest", "newest", "most recent", "last"), ("earliest", "oldest", "first")
YES_NO = (("yes", "no"), ("Yes", "No"), ("true", "false"), ("TRUE", "FALSE"), ("Y", "N"))


@dataclass(frozen=True, slots=True)
class Composed:
    """A question and its program."""

    question: str
    program: Program
    kind: str
    """The key of its wordings."""


def with_flag(schema: TableSchema, rows: TableRows, random_: random.Random) -> tuple[TableSchema, TableRows]:
    """Add a yes/no column with a name from FLAGS, unless the table has one of that name."""
    header = random_.choice(FLAGS)
    name, share, (yes, no) = key_of(header).replace(" ", "_"), random_.uniform(0.2, 0.8), random_.choice(YES_NO)
    if not rows.rows or any(c.name == name for c in schema.columns):
        return schema, rows
    places = random_.sample(range(len(rows.rows)), max(1, round(share * len(rows.rows))))
    true = [i in places for i in range(len(rows.rows))]
    column = Column(name=name, header=header.capitalize(), type="boolean", kind="boolean", raw=f"{name}_raw")
    cells = [(*row, int(t), yes if t else no) for row, t in zip(rows.rows, true, strict=True)]
    widened = schema.model_copy(update={"columns": (*schema.columns, column)})
    return widened, replace(rows, names=(*rows.names, name, column.raw), rows=tuple(cells))


def composed_over(view: TableView, random_: random.Random, count: int) -> list[Composed]:
    """Compose up to ``count`` questions of different kinds over a table; none if it is too small."""
    table = SpokenTable.of(view, random_)
    if table is None:
        return []
    kinds = sorted(WORDINGS, key=lambda kind: random_.random() - FIRST * (not SHARED.isdisjoint(kind.split())))
    return [c for c, _ in zip(_composed(_Grammar(table), kinds), range(count), strict=False)]


def _composed(grammar: "_Grammar", kinds: list[str]) -> Iterator[Composed]:
    for kind in kinds:
        try:
            yield grammar.composed(kind)
        except Lacking:
            continue


@dataclass
class _Grammar:
    """Composes questions; raises Lacking if the table lacks columns for one, or the answer is trivial."""

    table: SpokenTable

    def __post_init__(self) -> None:
        self.random, self.evaluator = self.table.random, Evaluator(self.table.view)

    def composed(self, kind: str) -> Composed:
        """Compose one question of a kind."""
        wording = self.random.choice(WORDINGS[kind])
        said: Said = {"nouns": self.table.nouns()}
        program = self._meant(kind, said)
        if not self._says_something(program) or not set(re.findall(r"{(\w+)}", wording)) <= said.keys():
            raise Lacking
        return Composed(self._typed(wording.format(**said)), program, kind)

    def _typed(self, question: str) -> str:
        """Vary case and punctuation of a question."""
        way = self.random.random()
        if way < LOWER:
            return question.rstrip("?.").lower()
        return question if way < LOWER + AS_WRITTEN else question[0].upper() + question[1:]

    def _says_something(self, program: Program) -> bool:
        result = self.evaluator.run(program)
        if not result or all(v is None or v == 0 for v in result):
            return False
        return program.operation != "count" or result[0] < len(self.evaluator.rows(ALL))

    def _program(self, operation: str, column: str = "", **more: object) -> Program:
        view = self.table.view
        return Program(view.schema.name, operation, column, has_totals=view.has_totals, **more)

    def _meant(self, kind: str, said: Said) -> Program:
        """Choose a program of a kind, and add the words for its parts to ``said``."""
        way, _, over = kind.partition(" of ")
        table, rows = self.table, self.table.rows(over, said)
        match way:
            case "count":
                return self._program("count", rows=rows)
            case "list":
                return self._program("list", table.key(said).shown, rows=rows)
            case "cell":
                return self._cell(said)
            case "total" | "average" if over == "each":
                operation = "grouped" if way == "total" else "grouped_average"
                return self._program(operation, group=table.group(said).shown, measure=table.amount(said).measure)
            case "total" | "average":
                return self._program("sum" if way == "total" else "avg", table.amount(said).measure, rows=rows)
            case "rows":
                return self._program("grouped", group=table.group(said).shown)
            case "share" | "share within" | "share within a year":
                return self._share(kind, said)
            case "different":
                return self._program("count_distinct", table.group(said).shown)
            case "commonest":
                return self._clear(self._program("most_common", group=table.group(said).shown))
            case "best group" | "best average" | "top groups":
                return self._best(way, said)
            case "latest":
                return self._latest(rows, said)
            case "top" | "bottom":
                return self._top(way, said)
            case _:
                return self._ranked(way, rows, said)

    def _cell(self, said: Said) -> Program:
        key, value = self.table.key_value(said)
        column = self.random.choice([c for c in self.table.view.columns if c is not key and c.words])
        said["column"] = self.table.header(column)
        return self._program("list", column.shown, rows=Rows((value,)))

    def _share(self, kind: str, said: Said) -> Program:
        if kind.startswith("share within"):
            both = self.table.rows("two values" if kind == "share within" else "a value and a year", said)
            whole = Rows(both.conditions[1:])
            return self._program("share", self.table.amount(said).measure, rows=both, other=whole)
        rows = self.table.rows("a flag" if kind == "share of flags" else "a value", said)
        name = self.table.amount(said).measure if kind == "share of a total" else ""
        return self._program("share", name, rows=rows, other=ALL)

    def _best(self, way: str, said: Said) -> Program:
        group, amount = self.table.group(said), self.table.amount(said)
        descending = way == "top groups" or self.random.random() < 0.75
        self._superlative(said, descending)
        best = {"group": group.shown, "measure": amount.measure, "descending": descending}
        if way == "top groups":
            best["number"] = self.random.randint(2, 4)
            said["count"] = str(best["number"])
        return self._clear(self._program("best_average" if way == "best average" else "best_group", **best))

    def _clear(self, program: Program) -> Program:
        """Return a program for the best groups; raise Lacking if another group is tied with the last."""
        each = "grouped_average" if program.operation == "best_average" else "grouped"
        measured = self.evaluator.run(replace(program, operation=each))[1::2]
        values = sorted((v for v in measured if v is not None), reverse=program.descending)
        return _unless_tied(program, values, max(program.number, 1))

    def _latest(self, rows: Rows, said: Said) -> Program:
        greatest, time = self.random.random() < 0.65, self.table.time()
        said["latest"] = self.random.choice(LATEST if greatest else EARLIEST)
        ranked = replace(rows, extreme="max" if greatest else "min", by=time.measure)
        return self._program("list", self.table.key(said).shown, rows=ranked)

    def _ranked(self, way: str, rows: Rows, said: Said) -> Program:
        greatest, amount = self.random.random() < 0.65, self.table.amount(said)
        self._superlative(said, greatest)
        ranked = replace(rows, extreme="max" if greatest else "min", by=amount.measure)
        return self._program("list", amount.shown if way == "greatest" else self.table.key(said).shown, rows=ranked)

    def _superlative(self, said: Said, greatest: bool) -> None:
        said["most"] = self.random.choice(MOST if greatest else FEWEST)
        said["highest"] = self.random.choice(GREATEST if greatest else LEAST)

    def _top(self, way: str, said: Said) -> Program:
        number, amount = self.random.randint(2, 5), self.table.amount(said)
        said["count"] = str(number)
        rows = Rows(extreme="max" if way == "top" else "min", by=amount.measure, limit=number)
        program = self._program("list", self.table.key(said).shown, rows=rows)
        return _unless_tied(program, _sorted(amount, reverse=way == "top"), number)


def _sorted(column: ColumnView, *, reverse: bool) -> list[float]:
    return sorted((v for v in column.cells if v is not None), reverse=reverse)


def _unless_tied(program: Program, values: list[float], count: int) -> Program:
    """Return a program for the first ``count`` values in order; raise Lacking if the next one is tied."""
    if len(values) <= count or values[count - 1] == values[count]:
        raise Lacking
    return program

"""Composes questions over real tables from templates, each with its program.

Public data sets ask about encyclopedias; people in offices ask differently ("average cost per site").
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tablerag.agent.offline.execution import Evaluator
from tablerag.agent.offline.program import ALL, Program, Rows
from tablerag.agent.offline.table_view import ColumnView, TableView
from training.spoken_table import Lacking, Said, SpokenTable
from training.wordings import WORDINGS

__all__ = ["Composed", "composed_over"]

SHARED = {"value", "values", "commonest", "different"}
"""Words of the kinds that need a column with repeated values."""
FIRST = 0.4
"""How much more often those kinds are drawn, since few columns repeat their values."""
LOWER, AS_WRITTEN = 0.25, 0.2
"""Shares of the questions in lower case without question mark, or begun as in the wording."""
GREATEST, LEAST = ("highest", "largest", "greatest", "maximum", "biggest"), ("lowest", "smallest", "least", "minimum")
MOST, FEWEST = ("most", "highest", "largest", "greatest", "biggest"), ("least", "lowest", "fewest", "smallest")
LATEST, EARLIEST = ("latest", "newest", "most recent", "last"), ("earliest", "oldest", "first")


@dataclass(frozen=True, slots=True)
class Composed:
    """A question and its program."""

    question: str
    program: Program
    kind: str
    """The key of its wordings."""


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
            case "total" | "average":
                return self._program("sum" if way == "total" else "avg", table.amount(said).measure, rows=rows)
            case "different":
                return self._program("count_distinct", table.group(said).shown)
            case "commonest":
                return self._commonest(table.group(said))
            case "latest":
                return self._latest(rows, said)
            case _:
                return self._ranked(way, rows, said)

    def _cell(self, said: Said) -> Program:
        key, value = self.table.key_value(said)
        column = self.random.choice([c for c in self.table.view.columns if c is not key and c.words])
        said["column"] = self.table.header(column)
        return self._program("list", column.shown, rows=Rows((value,)))

    def _commonest(self, group: ColumnView) -> Program:
        """Return the program for a column's most frequent value; raise Lacking if another is as frequent."""
        counted = Counter(group.folded).most_common(2)
        if len(counted) > 1 and counted[0][1] == counted[1][1]:
            raise Lacking
        return self._program("most_common", group=group.shown)

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

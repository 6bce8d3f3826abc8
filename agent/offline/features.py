"""Numbers of a candidate: how well its columns, values and result match the question, independent of the words."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tablerag.agent.offline import lexicon
from tablerag.agent.offline.alignment import ALIGNED, Alignment, mask_of
from tablerag.agent.offline.candidates import Candidate
from tablerag.agent.offline.program import Program
from tablerag.agent.offline.question import read_question
from tablerag.tools.records import ROW_ID, Cell

__all__ = ["NUMBERS_OF", "CandidateNumbers"]

BOUNDS = ("<", ">", "<=", ">=", "between")
ROLES = ("shown", "measured", "ranked", "conditioned")
OTHERS = (
    "conditions", "score", "least score", "condition words", "left mentions", "left sure", "left numbers", "coverage",
    "left words", "selectivity", "met rows", "empty share", "one value", "few values", "many values", "no number",
    "said", "zero", "one", "whole table", "year", "log size", "log value", "mentioned", "typed as asked",
    "distinct share", "columns named elsewhere", "repeats", "fraction", "negative", "loose", "contains",
    "direction", "operator fits", "operator differs", "number fits", "grouped as said", "flags",
    "unnamed",
)  # fmt: skip
NUMBERS_OF = tuple(f"{role} {name}" for role in ROLES for name in ALIGNED) + OTHERS


@dataclass
class CandidateNumbers:
    """The numbers of one question's candidates."""

    alignment: Alignment

    def __post_init__(self) -> None:
        question, mentions = self.alignment.question, self.alignment.mentions
        self._content = self.alignment.content
        self._all_mentions = 0
        for mention in mentions:
            if mention.way in ("value", "part", "contains", "outcome", "year"):
                self._all_mentions |= mask_of(mention.start, mention.end)
        self._number_masks = [mask_of(a, b) for a, b, _ in question.numbers]
        self._numbers = {v for _, _, v in question.numbers}
        self._in_text: dict[str, bool] = {}
        self._folded = f" {' '.join(question.words)} "
        self._words = read_question(question.text)
        self._direction = _direction_of(question.text.casefold())

    def of(self, candidate: Candidate, rows: int) -> list[float]:
        """Return the candidate's numbers, named by NUMBERS_OF; ``rows`` is the number of rows behind its result."""
        program = candidate.program
        used = 0
        vector: list[float] = []
        for names in _roles(program):
            if names:
                aligned = [self.alignment.of(n) for n in names]
                vector += aligned[0][0] if len(aligned) == 1 else np.mean([a for a, _ in aligned], axis=0).tolist()
                for _, mask in aligned:
                    used |= mask
            else:
                vector += [0.0] * len(ALIGNED)
        conditions = 0
        for mention in candidate.mentions:
            conditions |= mask_of(mention.start, mention.end)
        whole = self._whole(candidate, rows, used, conditions)
        return vector + whole + self._outcome(candidate) + self._wording(candidate)

    def _whole(self, candidate: Candidate, rows: int, columns: int, conditions: int) -> list[float]:
        used = columns | conditions
        scores = [m.score for m in candidate.mentions]
        count = max(1, len(self.alignment.view.row_ids))
        left = (self._content & ~used).bit_count()
        return [
            len(candidate.mentions) / 3,
            sum(scores) / max(1, len(scores)),
            min(scores, default=1.0),
            (conditions & self._content).bit_count() / max(1, self._content.bit_count()),
            (self._all_mentions & self._content & ~used).bit_count() / 5,
            sum(1 for m in self.alignment.sure if not m & used) / 2,
            sum(1 for m in self._number_masks if not m & conditions) / 2,
            (used & self._content).bit_count() / max(1, self._content.bit_count()),
            left / 5,
            rows / count,
            math.log1p(rows) / 4,
        ]

    def _outcome(self, candidate: Candidate) -> list[float]:
        result, program = candidate.result, candidate.program
        filled = [v for v in result if v is not None]
        texts = {str(v).casefold() for v in filled[:50]}
        number = filled[0] if len(filled) == 1 and isinstance(filled[0], int | float) else None
        number = number if number is not None and math.isfinite(number) else None
        repeated = sum(map(self._in_question, texts)) / max(1, len(texts))
        columns = (self.alignment.view.column(n) for names in _roles(program) for n in names)
        used = {c.index for c in columns if c is not None}
        unused = len(self.alignment.named) - len(used & self.alignment.named)
        shown = self.alignment.view.column(program.column) if program.operation in ("list", "same") else None
        return [
            1 - len(filled) / len(result), float(len(texts) == 1), float(1 < len(texts) <= 3), float(len(texts) > 3),
            float(number is None), repeated, float(number == 0), float(number == 1),
            float(number == len(self.alignment.view.row_ids)), float(number is not None and 1800 <= number <= 2030),
            math.log1p(len(texts)) / 4, math.log1p(abs(number)) / 15 if number is not None else 0.0,
            float(number is not None and number in self._numbers), self._fits_asked(filled),
            shown.distinct / max(1, len(self.alignment.view.row_ids)) if shown else 0.0,
            unused / 3, (len(filled) - len(texts)) / max(1, len(filled)),
            float(number is not None and float(number) != int(number)), float(number is not None and number < 0),
            sum(1 for m in candidate.mentions if m.way == "part") / 2,
            sum(1 for m in candidate.mentions if m.way == "contains") / 2,
        ]  # fmt: skip

    def _wording(self, candidate: Candidate) -> list[float]:
        """How the question's direction and bounds match the program's, and what no program here does: top N, groups."""
        program = candidate.program
        asked = {(c.operator, c.number) for c in self._words.comparisons}
        bounds = [c for c in program.rows.conditions if c.operator in BOUNDS]
        fitting = sum((c.operator, c.values[0]) in asked for c in bounds)
        shown = self.alignment.view.column(program.column)
        lists = program.operation == "list" and shown is not None and not (program.rows.by or program.rows.step)
        return [
            self._direction * _ranks(program), fitting / 2, (len(bounds) - fitting) / 2,
            -float(self._words.limit is not None), -float(bool(self._words.group)), 0.0,
            float(lists and self.alignment.of(program.column)[0][0] == 0),
        ]  # fmt: skip

    def _in_question(self, text: str) -> bool:
        if text not in self._in_text:
            folded = " ".join(re.findall(r"\w+", text))
            self._in_text[text] = bool(folded) and f" {folded} " in self._folded
        return self._in_text[text]

    def _fits_asked(self, values: Sequence[Cell]) -> float:
        """Return 1 if the values' kind matches the question word, -1 if not, 0 if unknown."""
        words = self.alignment.question.words
        numeric = all(isinstance(v, int | float) or str(v)[:1].isdigit() for v in values)
        if "how" in words and ("many" in words or "much" in words):
            return 1.0 if numeric else -1.0
        if "when" in words or "year" in words[:4]:
            return 1.0 if numeric or any(c.isdigit() for c in str(values[0])) else -1.0
        if words[:1] and words[0] in ("who", "where", "whom"):
            return -1.0 if numeric else 1.0
        return 0.0


def _direction_of(folded: str) -> int:
    """Return 1 if a question asks for the most, -1 for the least, 0 for both or neither."""
    ranked = re.sub(r"\b(at|no) (most|least)\b", " ", folded)
    return bool(re.search(lexicon.HIGHEST, ranked)) - bool(re.search(lexicon.LOWEST, ranked))


def _ranks(program: Program) -> int:
    """Return 1 if a program selects the greatest, -1 the least, else 0."""
    if program.rows.extreme and program.rows.by != ROW_ID:
        return 1 if program.rows.extreme == "max" else -1
    if program.operation in ("most_common", "best_group"):
        return 1 if program.descending else -1
    return 0


def _roles(program: Program) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return the columns that a program shows, measures, ranks by and has conditions on."""
    shows = program.operation in ("list", "same", "count_distinct")
    grouped = program.group if program.operation != "same" else ""
    shown = program.column if shows and program.column else grouped
    measured = (program.measure, "" if shows else program.column, "" if grouped else program.group)
    ranked = program.rows.by if program.rows.by != ROW_ID else ""
    conditions = [c.column for c in program.rows.conditions]
    return [shown] if shown else [], [n for n in measured if n], [ranked] if ranked else [], conditions

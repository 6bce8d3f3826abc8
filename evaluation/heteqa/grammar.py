"""A grammar of questions: without a model, it composes them from a table's columns and values.

Each kind writes its SQL and its pandas apart from one another. Which values a question says is drawn at random; whether
its answer is unique is found out by running it.
"""

from tablerag.evaluation.heteqa.kinds.computing import above_average, aggregate, count_rows, difference, share, spread
from tablerag.evaluation.heteqa.kinds.drawing import Kind
from tablerag.evaluation.heteqa.kinds.grouping import (
    best_group,
    count_groups,
    group_gap,
    most_frequent,
    top_share,
    within_best_group,
)
from tablerag.evaluation.heteqa.kinds.sorting import extreme, look_up_extreme, total_of_top

__all__ = ["FINDERS", "KINDS"]

KINDS: tuple[Kind, ...] = (
    count_rows, aggregate, most_frequent, best_group, extreme, look_up_extreme, difference, share, spread, count_groups,
    within_best_group, above_average, total_of_top, top_share, group_gap,
)  # fmt: skip
FINDERS: tuple[Kind, ...] = (extreme, look_up_extreme, most_frequent, best_group)
"""Kinds whose answer may name a page, which a passage is about."""

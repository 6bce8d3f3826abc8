"""The kinds of template questions, composed from a table's columns and values without a model.

Each kind writes its SQL and its pandas independently and draws values at random; whether the answer is unique is
checked by running both.
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
)  # fmt: skip
from tablerag.evaluation.heteqa.kinds.sorting import extreme, look_up_extreme, total_of_top

__all__ = ["FINDERS", "KINDS"]

KINDS: tuple[Kind, ...] = (
    count_rows, aggregate, most_frequent, best_group, extreme, look_up_extreme, difference, share, spread, count_groups,
    within_best_group, above_average, total_of_top, top_share, group_gap,
)  # fmt: skip
FINDERS: tuple[Kind, ...] = (extreme, look_up_extreme, most_frequent, best_group)
"""Kinds whose answer may be the title of a passage."""

"""Intervals and paired comparisons."""

import pytest

from tablerag.evaluation.statistics import bootstrap_interval, paired_difference


def test_intervals_hold_the_mean_and_shrink_with_more_questions() -> None:
    few, many = [1.0, 0.0] * 10, [1.0, 0.0] * 500
    low, high = bootstrap_interval(few)
    assert 0.25 <= low < 0.5 < high <= 0.75
    # The normal approximation of 1,000 fair coins: 0.5 and 1.96 * 0.5 / sqrt(1000) to both sides.
    assert bootstrap_interval(many) == (pytest.approx(0.469, abs=0.004), pytest.approx(0.531, abs=0.004))
    assert bootstrap_interval(few) == (low, high)
    assert bootstrap_interval([1.0] * 5) == (1.0, 1.0)
    assert bootstrap_interval([]) == (0.0, 0.0)


def test_pairs_are_compared_question_by_question() -> None:
    first, second = [0.0] * 8 + [1.0] * 2, [1.0] * 10
    found = paired_difference(first, second)
    assert (found.mean, found.first_only, found.second_only) == (0.8, 0, 8)
    assert found.p == pytest.approx(2 / 2**8)
    assert 0.4 <= found.low < 0.8 < found.high <= 1.0
    alike = paired_difference(second, second)
    assert (alike.mean, alike.low, alike.high, alike.p) == (0.0, 0.0, 0.0, 1.0)
    with pytest.raises(ValueError, match="the same length, got 1 and 2"):
        paired_difference([1.0], [1.0, 0.0])

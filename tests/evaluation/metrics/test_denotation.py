"""WikiTableQuestions' denotations: sets of normalised values, numbers by value."""

import pytest

from tablerag.evaluation.metrics.denotation import denotations_match


@pytest.mark.parametrize(
    ("gold", "predicted", "same"),
    [
        (["1000"], ["1,000"], True),
        (["1000"], ["1000.0"], True),
        (["1000"], ["1_000"], False),
        (["1_000"], ["1_000"], True),
        (["Ada", "Bo"], ["bo", "ADA"], True),
        (["Ada"], ["Ada", "Bo"], False),
        (["2020-01-02"], ["January 2, 2020"], True),
    ],
)
def test_sets_of_values(gold: list[str], predicted: list[str], same: bool) -> None:
    assert denotations_match(gold, predicted) is same

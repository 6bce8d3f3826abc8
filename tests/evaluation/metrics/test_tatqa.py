"""TAT-QA's official rules: scale, percentages, spans in any order, brackets, and no partial credit for arithmetic."""

import pytest

from tablerag.evaluation.datasets.tatqa import AnswerType, Scale, TatQaQuestion
from tablerag.evaluation.metrics.tatqa import score


def asked(answer: list[str] | float, kind: AnswerType, scale: Scale = "") -> TatQaQuestion:
    return TatQaQuestion(uid="q", question="?", answer=answer, answer_type=kind, answer_from="table", scale=scale)


@pytest.mark.parametrize(
    ("gold", "kind", "gold_scale", "given", "scale", "exact", "f1"),
    [
        (-12.6, "arithmetic", "million", ["-12.6"], "million", 1, 1),
        (-12.6, "arithmetic", "million", ["-12.6"], "thousand", 0, 0),
        (-12.6, "arithmetic", "million", ["-12600000"], "", 1, 1),
        (-22.22, "arithmetic", "percent", ["-22.2222"], "percent", 1, 1),
        (-22.22, "arithmetic", "percent", ["-0.2222"], "", 1, 1),
        (-22.22, "arithmetic", "percent", ["-22.22%"], "", 1, 1),
        (-22.22, "arithmetic", "percent", ["22.22"], "percent", 0, 0),
        (["$1,496.5"], "span", "million", ["1496.5"], "million", 1, 1),
        (["(134)"], "span", "", ["-134"], "", 1, 1),
        (3, "count", "", ["3"], "", 1, 1),
        (["fixed-price type", "cost-plus type"], "multi-span", "", ["cost-plus type", "fixed-price type"], "", 1, 1),
        (["fixed-price type", "cost-plus type"], "multi-span", "", ["cost-plus type"], "", 0, 0.8),
        (["The allowable costs"], "span", "", ["allowable costs."], "", 1, 1),
        (["2019"], "span", "", [], "", 0, 0),
        (["2019"], "span", "", ["  "], "", 0, 0),
    ],
)
def test_official_rules(
    gold: list[str] | float,
    kind: AnswerType,
    gold_scale: Scale,
    given: list[str],
    scale: Scale,
    exact: float,
    f1: float,
) -> None:
    found = score(asked(gold, kind, gold_scale), given, scale)
    assert (found.exact, found.f1, found.scale) == (exact, f1, scale == gold_scale)

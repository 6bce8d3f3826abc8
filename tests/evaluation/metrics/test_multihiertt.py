"""MultiHiertt's rules: numbers within a thousandth, spans as in DROP, and where ours differ from the official ones."""

import pytest

from tablerag.evaluation.metrics.multihiertt import multihiertt_scores


@pytest.mark.parametrize(
    ("gold", "given", "em", "official"),
    [
        ("1570.75785", ["1570.8"], 1, 1),
        ("1570.75785", ["$1,570.76"], 1, 1),
        ("1570.75785", ["1571.5"], 0, 0),
        ("0.00371", ["0.0037"], 0, 0),
        ("0.25", ["25%"], 1, 0),
        ("25.0", ["25%"], 1, 1),
        ("-12.6", ["-12.6"], 1, 0),
        ("-12.6", ["(12.6)"], 1, 0),
        ("12.6", ["-12.6"], 0, 1),
        ("106.0", ["$106 million"], 1, 0),
        ("-106.0", ["-$106 million"], 1, 0),
        ("106.0", ["106 people"], 1, 0),
        ("106.0", ["106 people in all of them"], 0, 0),
        ("106.0", [], 0, 0),
        ("yes", ["Yes"], 1, 1),
    ],
)
def test_computed_answers(gold: str, given: list[str], em: int, official: int) -> None:
    scores = multihiertt_scores(gold, given, computed=True)
    assert (scores["em"], scores["official"]) == (em, official)


@pytest.mark.parametrize(
    ("gold", "given", "em", "f1"),
    [
        ("Timber-Logs", ["timber logs"], 1, 1),
        ("The total of 2,008", ["total of 2008"], 1, 1),
        ("2008", ["2008.0"], 1, 1),
        ("mills in 2008", ["mills in 2007"], 0, 0),
        ("mills of the north", ["mills"], 0, 0.5),
        ("oil, gas", ["oil", "gas"], 1, 1),
        ("oil", ["", " "], 0, 0),
    ],
)
def test_spans(gold: str, given: list[str], em: float, f1: float) -> None:
    scores = multihiertt_scores(gold, given, computed=False)
    assert (scores["em"], scores["f1"]) == (em, f1)

from pathlib import Path

import pytest

from training.reading import chance_by, fitted_chance
from training.reading_examples import Example, questions_in, sampled


def example(signs: dict[str, float], right: bool, source: str = "written") -> Example:
    return Example("orders", source, signs, right, right)


def test_the_chance_follows_the_sign_that_tells() -> None:
    some = [example({"bias": 1.0, "score": -float(n % 4)}, n % 4 < 2) for n in range(800)]
    weights = fitted_chance(some)
    assert weights["score"] > 0.5
    assert chance_by(weights, {"bias": 1.0, "score": 0.0}) > 0.9
    assert chance_by(weights, {"bias": 1.0, "score": -3.0}) < 0.1


def test_a_question_that_was_not_read_has_no_chance_and_no_say() -> None:
    some = [example({"bias": 1.0}, n % 2 == 0) for n in range(40)]
    assert fitted_chance([*some, example({}, False)]) == fitted_chance(some)
    assert chance_by({"bias": 9.0}, {}) == 0


def test_every_source_has_its_share() -> None:
    few = [example({"bias": 1.0}, True) for _ in range(50)]
    many = [example({"bias": 1.0}, False, "generated") for _ in range(500)]
    assert chance_by(fitted_chance([*few, *many]), {"bias": 1.0}) == pytest.approx(1 / 1.3, abs=0.01)


def test_misplaced_questions_have_no_answer(tmp_path: Path) -> None:
    for domain in ("orders", "staff"):
        folder = tmp_path / domain
        folder.mkdir()
        lines = [
            f'{{"question": "{domain} {n}?", "answer": {{"number": 1}}, "domain": "{domain}", "kind": "count", '
            f'"form": "count", "language": "en", "follows": {n or "null"}}}'
            for n in (0, 1)
        ]
        (folder / "questions.jsonl").write_text("\n".join(lines))
    corpora = sorted(tmp_path.iterdir())
    assert [q.text for q in questions_in(corpora[0])] == ["orders 0?"]
    found = list(sampled(corpora, 5, 5, 0))
    assert [(q.corpus.name, q.text, dict(q.gold)) for q in found] == [
        ("orders", "orders 0?", {"number": 1}),
        ("orders", "staff 0?", {"none": True}),
        ("staff", "staff 0?", {"number": 1}),
        ("staff", "orders 0?", {"none": True}),
    ]

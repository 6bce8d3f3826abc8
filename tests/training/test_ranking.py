"""Training of the ranker: its gradients are correct, it learns, and saving keeps the result."""

from pathlib import Path

import numpy as np

from tablerag.agent.offline.confidence import SIGNS
from tablerag.agent.offline.ranker import Ranker, hashed, load_ranker
from training.ranking import Prepared, Settings, Vocabulary, _gradients, _initial, _joined, fit, prepared
from training.table_questions import Example

TINY = Settings(width=3, hidden=4, epochs=60, batch=4, rate=0.02, least_phrase=1, least_tag=1, dropped=0.0)


def example(phrase: str, right: str, random_: np.random.Generator) -> Example:
    """A question whose phrase decides which of two tags is right."""
    tags = hashed([["count", "same"], ["list", "same"], ["other"]])
    numbers = random_.standard_normal((3, 5)).astype(np.float16)
    found = np.array([right == "count", right == "list", False])
    return Example(phrase, hashed([[phrase]])[0], tags, numbers, found, np.arange(3, dtype=np.int32))


def examples() -> list[Example]:
    random_ = np.random.default_rng(3)
    return [example(*pair, random_) for pair in [("how many", "count"), ("which", "list")] * 10]


def loss(weights: dict[str, np.ndarray], some: list[Prepared]) -> float:
    """The mean negative log likelihood of the right candidates, one question at a time."""
    total = 0.0
    for e in some:
        vector = np.tanh(weights["phrases"][e.phrases].sum(axis=0) + weights["phrase_bias"])
        on_tags = np.append(vector @ weights["tags"] + weights["tag_bias"], 0.0)
        inner = np.maximum(e.numbers @ weights["inner"] + vector @ weights["asked"] + weights["inner_bias"], 0)
        scores = on_tags[e.tags].sum(axis=1) + e.numbers @ (vector @ weights["counts"] + weights["count_bias"])
        likely = np.exp(scores + inner @ weights["outer"])
        total -= np.log(likely[e.right].sum() / likely.sum())
    return total / len(some)


def test_the_gradients_are_those_of_the_loss() -> None:
    some = examples()[:3]
    vocabulary = Vocabulary.of(some, TINY)
    ready = prepared(some, vocabulary)
    weights = _initial(vocabulary, ready[0].numbers, TINY, np.random.default_rng(0))
    weights = {name: w.astype(np.float64) + 0.1 for name, w in weights.items()}
    found = _gradients(weights, _joined(ready, None, 0.0))
    for name, w in weights.items():
        for place in list(np.ndindex(w.shape))[:6]:
            before = w[place]
            w[place] = before + 1e-5
            above = loss(weights, ready)
            w[place] = before - 1e-5
            slope = (above - loss(weights, ready)) / 2e-5
            w[place] = before
            assert abs(slope - found[name][place]) < 1e-4, (name, place)


def test_what_a_phrase_asks_for_is_learned_and_kept(tmp_path: Path) -> None:
    some = examples()
    vocabulary = Vocabulary.of(some, TINY)
    network = fit(prepared(some, vocabulary), vocabulary, TINY)
    Ranker(vocabulary.phrases, vocabulary.tags, (network,), np.zeros((2, len(SIGNS)))).save(tmp_path / "ranker.npz")
    ranker = load_ranker(tmp_path / "ranker.npz")
    for e in some:
        likely = ranker.probabilities(e.phrases, e.tags, e.numbers)
        assert likely[e.right].sum() > 0.9
        assert abs(likely.sum() - 1) < 1e-5

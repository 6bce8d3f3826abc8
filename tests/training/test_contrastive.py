"""The training loop: its gradient is correct, and it learns."""

import numpy as np
import pytest

pytest.importorskip("scipy", reason="training needs the train extra")

from training.contrastive import Bags, TrainingPlan, batch_loss, train  # noqa: E402


def bags(texts: list[list[int]]) -> Bags:
    return Bags.of(texts, lambda counts: 1.0 + np.log(counts))


QUERIES = bags([[0, 1], [2, 3], [4, 5, 5], [6]])
DOCUMENTS = bags([[8, 9], [10, 11, 8], [12], [13, 14]])
GROUPS = np.array([0, 1, 2, 2])
BATCH = np.arange(4)


def test_the_gradient_is_that_of_the_loss() -> None:
    vectors = np.random.default_rng(0).standard_normal((16, 5))
    plan, random = TrainingPlan(dropped=0.0), np.random.default_rng(0)

    def loss(changed: np.ndarray) -> float:
        return batch_loss(changed, QUERIES, DOCUMENTS, GROUPS, BATCH, plan, random)[0]

    _, touched, gradient = batch_loss(vectors, QUERIES, DOCUMENTS, GROUPS, BATCH, plan, random)
    for row, token in enumerate(touched[:8]):
        for column in range(5):
            step = np.zeros_like(vectors)
            step[token, column] = 1e-5
            slope = (loss(vectors + step) - loss(vectors - step)) / 2e-5
            assert gradient[row, column] == pytest.approx(slope, abs=1e-4)


def test_training_lowers_the_loss() -> None:
    random = np.random.default_rng(1)
    texts = [[2 * i, 2 * i + 1] for i in range(600)]
    queries, documents = bags(texts), bags([[1200 + t for t in text] for text in texts])
    losses: list[float] = []
    plan = TrainingPlan(epochs=40, batch=100, rate=0.05, dropped=0.1)
    vectors = (random.standard_normal((2400, 16)) * 0.25).astype(np.float32)
    train(vectors, queries, documents, np.arange(600), plan, lambda step, steps, loss: losses.append(loss))
    assert np.mean(losses[-6:]) < 0.2 * np.mean(losses[:6])


def test_pairs_of_one_group_are_no_negatives() -> None:
    vectors = np.random.default_rng(2).standard_normal((16, 5))
    plan, random = TrainingPlan(dropped=0.0), np.random.default_rng(0)
    alone = batch_loss(vectors, QUERIES, DOCUMENTS, np.zeros(4, dtype=int), BATCH, plan, random)[0]
    assert alone == pytest.approx(0.0, abs=1e-6)

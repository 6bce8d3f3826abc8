"""Contrastive training of token vectors, in numpy: a text's vector is the mean of its tokens' vectors.

The loss is the symmetric cross-entropy over in-batch cosine similarities (arXiv 1807.03748), and the
optimizer is Adam on the rows that a batch touches. A batch takes a fraction of a second on one core.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

__all__ = ["Bags", "TrainingPlan", "batch_loss", "train"]

BETA1, BETA2, TINY = 0.9, 0.999, 1e-8


@dataclass(frozen=True, slots=True)
class Bags:
    """Texts as bags of tokens: CSR arrays of token ids and of their damped counts."""

    starts: np.ndarray
    ids: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, texts: Sequence[Sequence[int]], damp: Callable[[np.ndarray], np.ndarray]) -> "Bags":
        """Count each text's tokens."""
        starts, ids, weights = [0], [], []
        for tokens in texts:
            found, counts = np.unique(np.asarray(tokens, dtype=np.int32), return_counts=True)
            ids.append(found)
            weights.append(damp(counts))
            starts.append(starts[-1] + len(found))
        return cls(np.array(starts), np.concatenate(ids), np.concatenate(weights).astype(np.float32))

    def rows(
        self, chosen: np.ndarray, width: int, random: np.random.Generator | None = None, dropped: float = 0.0
    ) -> csr_matrix:
        """Return some texts as a sparse matrix over the vocabulary, with a share of their tokens dropped."""
        lengths = self.starts[chosen + 1] - self.starts[chosen]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        places = np.repeat(self.starts[chosen] - starts[:-1], lengths) + np.arange(starts[-1])
        weights = self.weights[places]
        if random is not None and dropped:
            weights = weights * (random.random(len(weights), dtype=np.float32) >= dropped)
        return csr_matrix((weights, self.ids[places], starts), shape=(len(chosen), width))


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How long and how fast to train."""

    epochs: int = 5
    batch: int = 1024
    rate: float = 0.01
    scale: float = 14.0
    """Factor of the cosine similarities in the loss."""
    dropped: float = 0.25
    """Share of each text's tokens that a step leaves out, so that no single token decides."""
    seed: int = 0


def train(
    vectors: np.ndarray,
    queries: Bags,
    documents: Bags,
    groups: np.ndarray,
    plan: TrainingPlan,
    on_step: Callable[[int, int, float], None] = lambda step, steps, loss: None,
) -> np.ndarray:
    """Train token vectors (V, d) on parallel queries and documents; pairs of the same group are not negatives."""
    random = np.random.default_rng(plan.seed)
    first, second = np.zeros_like(vectors), np.zeros_like(vectors)
    steps = plan.epochs * (len(groups) // plan.batch)
    step = 0
    for _ in range(plan.epochs):
        for batch in _batches(len(groups), plan.batch, random):
            step += 1
            rate = plan.rate * min(1.0, step / 50) * (1 - step / (steps + 1))
            loss, touched, gradient = batch_loss(vectors, queries, documents, groups, batch, plan, random)
            first[touched] = BETA1 * first[touched] + (1 - BETA1) * gradient
            second[touched] = BETA2 * second[touched] + (1 - BETA2) * gradient**2
            moved = first[touched] / (1 - BETA1**step)
            vectors[touched] -= rate * moved / (np.sqrt(second[touched] / (1 - BETA2**step)) + TINY)
            on_step(step, steps, loss)
    return vectors


def _batches(count: int, size: int, random: np.random.Generator) -> list[np.ndarray]:
    """Divide all pairs into random batches.

    Batches of similar documents, as harder negatives, gave worse results: similar documents are often right.
    """
    order = random.permutation(count)
    batches = [order[i : i + size] for i in range(0, count - size + 1, size)]
    random.shuffle(batches)
    return batches


def batch_loss(
    vectors: np.ndarray,
    queries: Bags,
    documents: Bags,
    groups: np.ndarray,
    batch: np.ndarray,
    plan: TrainingPlan,
    random: np.random.Generator,
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the batch's loss, its tokens, and the gradient by their vectors."""
    scale = plan.scale
    q, d = (bags.rows(batch, len(vectors), random, plan.dropped) for bags in (queries, documents))
    touched = np.union1d(q.indices, d.indices)
    place = np.zeros(len(vectors), dtype=np.int32)
    place[touched] = np.arange(len(touched))
    q = csr_matrix((q.data, place[q.indices], q.indptr), shape=(len(batch), len(touched)))
    d = csr_matrix((d.data, place[d.indices], d.indptr), shape=(len(batch), len(touched)))
    used = vectors[touched]
    qs, ds = q @ used, d @ used
    qn, dn = (np.linalg.norm(x, axis=1, keepdims=True) + TINY for x in (qs, ds))
    qu, du = qs / qn, ds / dn
    logits = scale * qu @ du.T
    same = groups[batch][:, None] == groups[batch][None, :]
    np.fill_diagonal(same, False)
    logits[same] = -1e9
    by_row, by_column = _log_softmax(logits, 1), _log_softmax(logits, 0)
    n = len(batch)
    diagonal = np.arange(n)
    loss = -0.5 * float(np.mean(by_row[diagonal, diagonal] + by_column[diagonal, diagonal]))
    slope = 0.5 * (np.exp(by_row) + np.exp(by_column))
    slope[diagonal, diagonal] -= 1.0
    slope *= scale / n
    dq, dd = slope @ du, slope.T @ qu
    dq = (dq - qu * np.sum(dq * qu, axis=1, keepdims=True)) / qn
    dd = (dd - du * np.sum(dd * du, axis=1, keepdims=True)) / dn
    return loss, touched, q.T @ dq + d.T @ dd


def _log_softmax(logits: np.ndarray, axis: int) -> np.ndarray:
    shifted = logits - logits.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))

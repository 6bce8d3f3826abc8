"""Trains the ranker: a small network that puts the candidates with the right result first.

A question's phrases are summed to a vector, which weights each tag and number of a candidate. In addition, a hidden
layer sees the candidate's numbers together with the question. The loss is the marginal likelihood of
all candidates whose result is right (weak supervision, arXiv 1508.00305).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tablerag.agent.offline.ranker import Weights, known_places
from training.table_questions import Example

__all__ = ["Settings", "Vocabulary", "fit", "prepared"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Training settings."""

    width: int = 40
    """Size of a question's vector."""
    hidden: int = 48
    epochs: int = 5
    batch: int = 32
    rate: float = 0.003
    decay: float = 3e-4
    dropped: float = 0.35
    """Share of a question's phrases dropped in each step."""
    least_phrase: int = 4
    least_tag: int = 8
    """Least number of questions with a phrase or tag for it to get a weight."""


@dataclass(slots=True)
class Prepared:
    """An example as arrays: phrase ids (p,), tag ids padded with -1 (n, k), numbers (n, d), right (n,)."""

    phrases: np.ndarray
    tags: np.ndarray
    numbers: np.ndarray
    right: np.ndarray
    results: np.ndarray


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The sorted hashes of phrases and tags that have a weight."""

    phrases: np.ndarray
    tags: np.ndarray

    @classmethod
    def of(cls, examples: Sequence[Example], settings: Settings) -> "Vocabulary":
        """Return the phrases and tags that occur in enough questions."""
        phrases, tags = Counter(), Counter()
        for example in examples:
            phrases.update(example.phrases.tolist())
            tags.update(np.unique(example.tags).tolist())
        return cls(_frequent(phrases, settings.least_phrase), _frequent(tags, settings.least_tag))


def _frequent(counts: Counter, least: int) -> np.ndarray:
    return np.array(sorted(h for h, n in counts.items() if h and n >= least), dtype=np.uint32)


def prepared(examples: Sequence[Example], vocabulary: Vocabulary) -> list[Prepared]:
    """Convert examples to arrays."""
    return [
        Prepared(
            known_places(e.phrases, vocabulary.phrases, drop=True), known_places(e.tags, vocabulary.tags),
            e.numbers, e.right, e.results,
        )
        for e in examples
    ]  # fmt: skip


@dataclass(slots=True)
class _Batch:
    """The concatenated candidates of several questions."""

    question: np.ndarray
    """(p,) the index of each phrase's question."""
    phrases: np.ndarray
    starts: np.ndarray
    """The index of each question's first candidate."""
    of: np.ndarray
    """(n,) the index of each candidate's question."""
    rows: np.ndarray
    """(k,) the index of each tag's candidate."""
    tags: np.ndarray
    numbers: np.ndarray
    right: np.ndarray
    count: int


def _joined(some: Sequence[Prepared], random_: np.random.Generator | None, dropped: float) -> _Batch:
    phrases, question, rows, tags = [], [], [], []
    lengths = [len(p.right) for p in some]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
    for i, example in enumerate(some):
        kept = example.phrases if random_ is None else example.phrases[random_.random(len(example.phrases)) >= dropped]
        phrases.append(kept)
        question.append(np.full(len(kept), i))
        row, place = np.nonzero(example.tags >= 0)
        rows.append(row + starts[i])
        tags.append(example.tags[row, place])
    return _Batch(
        np.concatenate(question), np.concatenate(phrases), starts, np.repeat(np.arange(len(some)), lengths),
        np.concatenate(rows), np.concatenate(tags), np.concatenate([p.numbers for p in some]).astype(np.float32),
        np.concatenate([p.right for p in some]), len(some),
    )  # fmt: skip


def _softmax(scores: np.ndarray, batch: _Batch) -> np.ndarray:
    shifted = np.exp(scores - np.maximum.reduceat(scores, batch.starts)[batch.of])
    return shifted / np.add.reduceat(shifted, batch.starts)[batch.of]


def fit(examples: Sequence[Prepared], vocabulary: Vocabulary, settings: Settings, seed: int = 0) -> Weights:
    """Fit the network on the questions that have both right and wrong candidates."""
    useful = [e for e in examples if e.right.any() and not e.right.all()]
    random_ = np.random.default_rng(seed)
    numbers = np.concatenate([e.numbers for e in useful[:2000]]).astype(np.float32)
    weights = _initial(vocabulary, numbers, settings, random_)
    moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in weights.items()}
    mean, spread = numbers.mean(axis=0), numbers.std(axis=0) + 0.05
    steps = 0
    whole = settings.epochs * (len(useful) // settings.batch + 1)
    for _ in range(settings.epochs):
        order = random_.permutation(len(useful))
        for start in range(0, len(order), settings.batch):
            batch = _joined([useful[i] for i in order[start : start + settings.batch]], random_, settings.dropped)
            batch.numbers = (batch.numbers - mean) / spread
            steps += 1
            rate = settings.rate * min(1.0, steps / 100) * (1 - steps / (whole + 1))
            _step(weights, moments, _gradients(weights, batch), rate, settings.decay, steps)
    return Weights(**weights, mean=mean, spread=spread)


def _initial(
    vocabulary: Vocabulary, numbers: np.ndarray, settings: Settings, random_: np.random.Generator
) -> dict[str, np.ndarray]:
    count, tags, width, hidden = numbers.shape[1], len(vocabulary.tags), settings.width, settings.hidden
    shapes = {
        "phrases": ((len(vocabulary.phrases), width), 0.1),
        "phrase_bias": ((width,), 0.0),
        "tags": ((width, tags), 0.05),
        "tag_bias": ((tags,), 0.0),
        "counts": ((width, count), 0.02),
        "count_bias": ((count,), 0.0),
        "inner": ((count, hidden), 1 / np.sqrt(count)),
        "asked": ((width, hidden), 0.1),
        "inner_bias": ((hidden,), 0.0),
        "outer": ((hidden,), 0.1),
    }
    return {n: (random_.standard_normal(s) * scale).astype(np.float32) for n, (s, scale) in shapes.items()}


def _gradients(w: dict[str, np.ndarray], batch: _Batch) -> dict[str, np.ndarray]:
    """Return the loss's gradients, by name."""
    summed = np.zeros((batch.count, w["phrase_bias"].size), dtype=np.float32)
    np.add.at(summed, batch.question, w["phrases"][batch.phrases])
    vector = np.tanh(summed + w["phrase_bias"])
    on_tags, on_counts = vector @ w["tags"] + w["tag_bias"], vector @ w["counts"] + w["count_bias"]
    count = len(batch.right)
    scores = np.bincount(batch.rows, on_tags[batch.of[batch.rows], batch.tags], count)
    scores += (batch.numbers * on_counts[batch.of]).sum(axis=1)
    raised = batch.numbers @ w["inner"] + (vector @ w["asked"] + w["inner_bias"])[batch.of]
    inner = np.maximum(raised, 0)
    scores += inner @ w["outer"]
    likely = _softmax(scores, batch)
    meant = np.where(batch.right, likely, 0)
    meant = meant / (np.add.reduceat(meant, batch.starts)[batch.of] + 1e-30)
    error = ((likely - meant) / batch.count).astype(np.float32)
    # Backwards, in the same order.
    tags = w["tag_bias"].size
    flat = np.bincount(batch.of[batch.rows] * tags + batch.tags, error[batch.rows], batch.count * tags)
    d_tags = flat.reshape(batch.count, tags).astype(np.float32)
    d_counts = np.add.reduceat(batch.numbers * error[:, None], batch.starts)
    d_raised = (raised > 0) * error[:, None] * w["outer"]
    d_asked = np.add.reduceat(d_raised, batch.starts)
    d_vector = (d_tags @ w["tags"].T + d_counts @ w["counts"].T + d_asked @ w["asked"].T) * (1 - vector**2)
    d_phrases = np.zeros_like(w["phrases"])
    np.add.at(d_phrases, batch.phrases, d_vector[batch.question])
    return {
        "phrases": d_phrases, "phrase_bias": d_vector.sum(axis=0), "tags": vector.T @ d_tags,
        "tag_bias": d_tags.sum(axis=0), "counts": vector.T @ d_counts, "count_bias": d_counts.sum(axis=0),
        "inner": batch.numbers.T @ d_raised, "asked": vector.T @ d_asked, "inner_bias": d_asked.sum(axis=0),
        "outer": inner.T @ error,
    }  # fmt: skip


def _step(weights: dict, moments: dict, gradients: dict, rate: float, decay: float, steps: int) -> None:
    """Make one step of AdamW (arXiv 1711.05101)."""
    for name, gradient in gradients.items():
        first, second = moments[name]
        first += 0.1 * (gradient - first)
        second += 0.01 * (gradient**2 - second)
        change = (first / (1 - 0.9**steps)) / (np.sqrt(second / (1 - 0.99**steps)) + 1e-8)
        weights[name] -= rate * (change + decay * 100 * weights[name] * (weights[name].ndim > 1))

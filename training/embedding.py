"""Train the embedded embedding: ``python -m training.embedding --data FOLDER`` (about 15 minutes on two cores).

Reads OTT-QA's tables and passages and WikiTableQuestions' training split, none of which is a
test set. A share of the tables is held out for choosing the reranker's weights. The defaults produce the shipped file.
"""

import argparse
import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from tokenizers import Tokenizer, trainers

from tablerag.tools.embedding.static import FOLDER, damped
from tablerag.tools.embedding.tokenizer import PIECE, UNKNOWN, new_tokenizer
from training.contrastive import Bags, TrainingPlan, train
from training.corpora import held_out, read_passages, read_tables, read_wikitq
from training.pairs import passage_pairs, table_pairs

TOKENS = 384
"""Longer texts are cut; indexed texts are shorter."""


def main() -> None:
    """Train, quantize and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with ottqa/ and wikitq/")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--vocabulary", type=int, default=36_000)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--synthetic", type=int, default=24, help="synthetic queries per table")
    parser.add_argument("--sentences", type=int, default=3, help="most pairs per passage")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--scale", type=float, default=14.0, help="factor of the cosine similarities in the loss")
    parser.add_argument("--dropped", type=float, default=0.25, help="share of tokens that a step leaves out")
    parser.add_argument("--all", action="store_true", help="also train on the held-out tables")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    groups, queries, documents = _read_pairs(options)
    print(f"{len(groups)} pairs of {len(set(groups))} tables and passages", flush=True)
    tokenizer = _train_tokenizer(documents + queries, options.vocabulary)
    query_bags, document_bags = _bags(tokenizer, queries), _bags(tokenizer, documents)
    vectors = _first_vectors(document_bags, tokenizer.get_vocab_size(), options)
    plan = TrainingPlan(
        options.epochs,
        options.batch,
        scale=options.scale,
        dropped=options.dropped,
        seed=options.seed,
    )
    columns = (TextColumn("training"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, TextColumn("loss {task.fields[loss]:.3f}")) as bar:
        task = bar.add_task("", total=None, loss=0.0)
        train(
            vectors,
            query_bags,
            document_bags,
            np.array(groups),
            plan,
            lambda step, steps, loss: bar.update(task, completed=step, total=steps, loss=loss),
        )
    save(options.out, tokenizer, vectors)


def _read_pairs(options: argparse.Namespace) -> tuple[list[int], list[str], list[str]]:
    random_ = random.Random(options.seed)
    passages = read_passages(options.data)
    by_title = {p.title.casefold(): p for p in passages}
    sources: list[Iterator[tuple[str, str]]] = []
    for table in read_tables(options.data):
        if options.all or not held_out(table.key):
            sources.append(table_pairs(table, by_title, random_, options.synthetic))
    for table in read_wikitq(options.data):
        if options.all or not held_out(table.key):
            sources.append(table_pairs(table, by_title, random_, options.synthetic // 2))
    sources += [passage_pairs(p, random_, options.sentences) for p in passages]
    found = [(group, *pair) for group, pairs in enumerate(sources) for pair in pairs if pair[0].strip()]
    groups, queries, documents = zip(*found, strict=True)
    return list(groups), list(queries), list(documents)


def _train_tokenizer(texts: list[str], vocabulary: int) -> Tokenizer:
    tokenizer = new_tokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=vocabulary,
        min_frequency=3,
        special_tokens=[UNKNOWN],
        continuing_subword_prefix=PIECE,
        limit_alphabet=400,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def _bags(tokenizer: Tokenizer, texts: list[str]) -> Bags:
    unknown = tokenizer.token_to_id(UNKNOWN)
    encoded = (e for i in range(0, len(texts), 10_000) for e in tokenizer.encode_batch(texts[i : i + 10_000]))
    return Bags.of([[i for i in e.ids[:TOKENS] if i != unknown] for e in encoded], damped)


def _first_vectors(bags: Bags, vocabulary: int, options: argparse.Namespace) -> np.ndarray:
    """Return initial vectors: random directions with the tokens' inverse document frequencies as lengths."""
    documents = len(bags.starts) - 1
    frequency = np.bincount(bags.ids, minlength=vocabulary)
    weight = np.log((documents + 1) / (frequency + 1)) / np.log(documents + 1)
    directions = np.random.default_rng(options.seed).standard_normal((vocabulary, options.dimensions))
    return (directions * weight[:, None] / np.sqrt(options.dimensions)).astype(np.float32)


def save(folder: Path, tokenizer: Tokenizer, vectors: np.ndarray) -> None:
    """Write the tokenizer and the vectors as 8-bit numbers, one scale per row."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    scales = np.abs(vectors).max(axis=1) / 127.0
    scales = np.where(scales > 0, scales, 1.0)
    quantized = np.round(vectors / scales[:, None]).astype(np.int8)
    version = hashlib.sha256(quantized.tobytes() + (folder / "tokenizer.json").read_bytes()).hexdigest()[:12]
    np.savez(folder / "vectors.npz", vectors=quantized, scales=scales.astype(np.float16), version=np.str_(version))


if __name__ == "__main__":
    main()

"""Pairs of a query and the text that it should find, made from tables and passages.

Every pair imitates a way of asking: a question from a data set, a title in the style of a file name, words of a header,
values of a row, or a sentence about an entity in the table.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from training.corpora import Passage, SourceTable

__all__ = ["name_style", "passage_pairs", "serialized", "synthetic_query", "table_pairs"]

SENTENCE_END = re.compile(r"(?<=[.!?]) +(?=[A-Z\"'(])")
WINDOW_CHARS = 450
ASKS = (
    "what is the {column} of {value}",
    "which {column} has {value}",
    "{column} {value}",
    "how many {column} are there",
    "what is the total {column}",
    "which {column} has the highest {other}",
    "who is the {column} with {other} {value}",
    "list the {column} and {other}",
    "when was {value} {column}",
    "average {column} by {other}",
)

Pair = tuple[str, str]


def serialized(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table, or some of its rows, as the text to embed."""
    lines = [title] if title else []
    return "\n".join([*lines, *("| " + " | ".join(r) + " |" for r in [header, *rows])])


def windows(rows: Sequence[Sequence[str]], random_: random.Random) -> Sequence[Sequence[str]]:
    """Return consecutive rows of about the size of an indexed window, half of the time the first ones."""
    start = 0 if random_.random() < 0.5 else random_.randrange(len(rows))
    taken: list[Sequence[str]] = []
    size = 0
    for row in rows[start : start + 30]:
        size += sum(map(len, row)) + 3 * len(row)
        taken.append(row)
        if size > WINDOW_CHARS * random_.choice((1, 1, 3)):
            break
    return taken


def name_style(title: str, random_: random.Random) -> str:
    """Return a title in the style of a file name."""
    words = re.findall(r"\w+", title)
    style = random_.randrange(6)
    if style == 0:
        return "_".join(words)
    if style == 1:
        return "".join(w[:1].upper() + w[1:] for w in words) + random_.choice(("", "(1)", "2"))
    return title


def table_pairs(
    table: SourceTable, passages: Mapping[str, Passage], random_: random.Random, synthetic: int
) -> Iterator[Pair]:
    """Make the pairs of one table: each of its questions, and ``synthetic`` others."""
    for question in table.questions:
        yield question, _document(table, random_, 1.0)
    whole = " ".join(p for p in (table.title, table.section) if p)
    for _ in range(synthetic):
        query, about_title = _query(table, whole, passages, random_)
        if query:
            yield query, _document(table, random_, 0.15 if about_title else 0.45)


def _document(table: SourceTable, random_: random.Random, untitled: float) -> str:
    title = " > ".join(dict.fromkeys(p for p in (table.title, table.section) if p))
    if random_.random() < untitled:
        title = ""
    return serialized(name_style(title, random_), table.header, windows(table.rows, random_))


def synthetic_query(table: SourceTable, passages: Mapping[str, Passage], random_: random.Random) -> str:
    """Return one synthetic query that should find a table by its title."""
    return _query(table, " ".join(p for p in (table.title, table.section) if p), passages, random_)[0]


def _query(table: SourceTable, whole: str, passages: Mapping[str, Passage], random_: random.Random) -> tuple[str, bool]:
    """Return one query and whether it mentions the title."""
    kind = random_.random()
    row = random_.choice(table.rows)
    cells = [c for c in row if c and len(c) < 60]
    columns = [h for h in table.header if h]
    if kind < 0.30 and (about := [passages[k] for c in cells if (k := c.casefold()) in passages]):
        # as in OTT-QA: a fact from an entity's article, asked by way of the table
        sentence = _sentence(random_.choice(about), random_)
        said = random_.random() < 0.5
        hint = [random_.choice(columns)] if columns else []
        words = [sentence, *hint, *([_some_words(whole, random_)] if said else [])]
        return " ".join(words), said
    if kind < 0.55 and cells and columns:
        ask = random_.choice(ASKS).format(
            column=random_.choice(columns), other=random_.choice(columns), value=random_.choice(cells)
        )
        said = bool(whole) and random_.random() < 0.5
        return (f"{ask} in {_some_words(whole, random_)}" if said else ask), said
    if kind < 0.70 and cells:
        return " ".join(random_.sample(cells, min(len(cells), random_.randint(1, 3)))), False
    if kind < 0.80 and len(columns) > 1:
        return " ".join(random_.sample(columns, random_.randint(2, len(columns)))), False
    if kind < 0.90 and table.intro:
        return random_.choice(SENTENCE_END.split(table.intro)[:3])[:300], True
    return whole, True


def _some_words(text: str, random_: random.Random) -> str:
    words = text.split()
    kept = [w for w in words if random_.random() < 0.7]
    return " ".join(kept or words)


def _sentence(passage: Passage, random_: random.Random) -> str:
    """Return a sentence of an article, half of the time without the subject's name."""
    sentence = random_.choice(SENTENCE_END.split(passage.text)[:4])[:250]
    if random_.random() < 0.5:
        sentence = sentence.replace(passage.title, "")
    return sentence


def passage_pairs(passage: Passage, random_: random.Random, most: int) -> Iterator[Pair]:
    """Make up to ``most`` pairs of a passage: its title, or one of its sentences, against the rest."""
    sentences = SENTENCE_END.split(passage.text)
    yield passage.title, passage.text[:700]
    if len(sentences) < 2:
        return
    for chosen in random_.sample(range(len(sentences)), min(len(sentences), most - 1)):
        rest = " ".join(s for i, s in enumerate(sentences) if i != chosen)[:700]
        query = " ".join(w for w in sentences[chosen].split() if random_.random() < 0.8)
        yield query, (f"{passage.title}\n{rest}" if random_.random() < 0.6 else rest)

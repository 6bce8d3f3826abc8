"""Texts that a model writes about tables: requested concurrently, cached, and with a cost estimate.

Replies are cached in the catalog by model and prompt, which contains the table: an interrupted or repeated run never
repeats a request.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from tablerag.tools.chunks import add_chunks
from tablerag.tools.errors import ModelUnavailable
from tablerag.tools.records import Chunk, ChunkKind, TableSchema
from tablerag.tools.services import Services

__all__ = ["Estimate", "ModelText", "TextRun", "index_chunks", "read_texts", "table_chunk", "write_texts"]

CONCURRENT = 8


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost of writing texts: model calls and tokens."""

    calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class ModelText:
    """One request for texts about a table."""

    name: str
    """The table's SQL name, for failure reports."""
    key: str
    """The cache key of the reply."""


@dataclass(frozen=True, slots=True)
class TextRun:
    """The result of a run: the number of texts written, how many of them were cached, and why each failure failed."""

    written: int
    cached: int
    failed: Mapping[str, str]


def read_texts(reply: str, most_chars: int) -> list[str]:
    """Parse the texts in a reply's JSON list, even if it is cut off; return [] if it is unreadable."""
    body = reply[reply.find("[") + 1 :] if "[" in reply else ""
    found = []
    for text in re.findall(r'"((?:[^"\\]|\\.)*)"', body):
        try:
            line = " ".join(json.loads(f'"{text}"', strict=False).split())
        except json.JSONDecodeError:
            continue
        if 3 < len(line) <= most_chars:
            found.append(line)
    return found


def write_texts(
    services: Services,
    wanted: Sequence[ModelText],
    ask: Callable[[ModelText], list[str]],
    keep: Callable[[Mapping[str, Sequence[str]]], None],
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> TextRun:
    """Write texts concurrently; ``keep`` receives them by key, starting with the cached ones.

    A failed or empty request is reported and does not stop the others; texts are saved as they arrive. Raises
    ModelUnavailable if a whole batch fails.
    """
    services.catalog.create()
    known = services.catalog.model_texts([w.key for w in wanted])
    fresh = list({w.key: w for w in wanted if w.key not in known}.values())
    keep(known)
    done = len(wanted) - len(fresh)
    cached = done
    on_progress(done, len(wanted))
    failed: dict[str, str] = {}
    for some in (fresh[i : i + 4 * CONCURRENT] for i in range(0, len(fresh), 4 * CONCURRENT)):
        written: dict[str, list[str]] = {}
        away = ""
        with ThreadPoolExecutor(CONCURRENT) as pool:
            asked = {pool.submit(ask, w): w for w in some}
            for future in as_completed(asked):
                one = asked[future]
                try:
                    texts = future.result()
                except ModelUnavailable as error:
                    away = failed[one.name] = str(error)
                else:
                    if texts:
                        services.catalog.save_model_texts(one.key, texts)
                        written[one.key] = texts
                    else:
                        failed[one.name] = "the model's replies could not be read"
                done += 1
                on_progress(done, len(wanted))
        keep(written)
        if away and not written:
            raise ModelUnavailable(f"all {len(some)} calls to the model failed: {away}")
    return TextRun(len(wanted) - len(failed), cached, failed)


def index_chunks(services: Services, corpus: str, chunks: Sequence[Chunk]) -> None:
    """Add chunks of a model's texts to both indexes, in place of earlier ones."""
    if not chunks:
        return
    present = {c.id for c in services.lexical_index(corpus).get([c.id for c in chunks])}
    add_chunks(services, corpus, chunks)
    services.catalog.add_to_chunk_counts(corpus, Counter(c.document_id for c in chunks if c.id not in present))


def table_chunk(schema: TableSchema, id_: str, text: str, kind: ChunkKind) -> Chunk:
    """Return a chunk of a model's texts that leads to a table."""
    stem = schema.source.rpartition("/")[2].rpartition(".")[0]
    return Chunk(
        id=id_,
        text=text,
        kind=kind,
        document_id=schema.table_id.partition(":")[0],
        source=schema.source,
        locator=schema.locator,
        title=" > ".join(dict.fromkeys(p for p in (stem, schema.title) if p)),
        table_id=schema.table_id,
    )

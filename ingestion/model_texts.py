"""Texts that a model writes about tables: asked for several at once, kept by what was asked, priced before.

Replies are kept in the catalog by model and prompt, which holds the table: a stopped or repeated run asks for nothing
twice.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from tablerag.tools.errors import ModelUnavailable
from tablerag.tools.services import Services

__all__ = ["Estimate", "ModelText", "TextRun", "read_texts", "write_texts"]

CONCURRENT = 8


@dataclass(frozen=True, slots=True)
class Estimate:
    """What writing will cost: calls of the model and tokens."""

    calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class ModelText:
    """One request for texts about a table."""

    name: str
    """The table's SQL name, by which failures are reported."""
    key: str
    """What the reply is kept under."""


@dataclass(frozen=True, slots=True)
class TextRun:
    """What became of a run: requests that have their texts, of them from the cache, and failures with why."""

    written: int
    cached: int
    failed: Mapping[str, str]


def read_texts(reply: str, most_chars: int) -> list[str]:
    """Read the texts out of a reply's JSON list, also of one that was cut off; an unreadable one gives none."""
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
    """Have texts written, several at once; ``keep`` is given them by key, at first those asked for before.

    A request that fails, or whose texts are none, is reported and the others go on; what was written is saved at
    once. Raises ModelUnavailable when a whole batch fails.
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
                        failed[one.name] = "its replies could not be read"
                done += 1
                on_progress(done, len(wanted))
        keep(written)
        if away and not written:
            raise ModelUnavailable(f"nothing was written in {len(some)} calls: {away}")
    return TextRun(len(wanted) - len(failed), cached, failed)

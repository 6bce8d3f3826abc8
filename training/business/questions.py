"""Draws questions over the tables of a corpus, each with its answer; trivial and tied answers are left out."""

import random
from collections.abc import Sequence
from dataclasses import replace

from training.business.drawing import Asked
from training.business.phrasing import polite, with_typo
from training.business.special import Special
from training.business.tables import Table

__all__ = ["asked_of"]

KINDS = {
    "count": 7, "dated": 4, "flagged": 1, "total": 7, "average": 4, "share": 4, "listed": 6, "lookup": 4, "ranked": 6,
    "latest": 1, "grouped": 7, "timed": 4, "compared": 7, "changed": 4, "best_group": 4, "unit": 1, "followed": 7,
    "unknown": 4,
}  # fmt: skip
"""Kinds of questions with their weights; each is a method of Kinds or Special."""
WIDE = {"wide_lookup": 2, "wide_total": 1, "wide_best": 2, "wide_changed": 3, "wide_grouped": 1}
ALL_KINDS = KINDS | WIDE | {"versions": 6}
TYPOS = 0.04
TRIES = 6


def asked_of(tables: Sequence[Table], language: str, random_: random.Random, count: int) -> list[Asked]:
    """Draw up to ``count`` different questions over the tables of a corpus."""
    found: dict[str, Asked] = {}
    for _ in range(count * TRIES):
        if len(found) >= count:
            break
        kind = random_.choices(list(ALL_KINDS), list(ALL_KINDS.values()))[0]
        fitting = [
            t for t in tables if (t.shape == "wide") == (kind in WIDE) and (kind != "versions" or t.shape == kind)
        ]
        one = _drawn(kind, random_.choices(fitting, k=TRIES) if fitting else (), tables, language, random_)
        if one and one.question not in found:
            if one.before:
                found.setdefault(one.before.question, one.before)
                one = replace(one, before=found[one.before.question])
            found[one.question] = one
    return list(found.values())


def _drawn(
    kind: str, fitting: Sequence[Table], tables: Sequence[Table], language: str, random_: random.Random
) -> Asked | None:
    """Draw a question of a kind over the first of some tables that allows it."""
    for table in fitting:
        asked: Asked | None = getattr(Special(table, tables, language, random_), kind)()
        if asked:
            question = polite(asked.question, language, random_)
            return replace(asked, question=with_typo(question, random_) if random_.random() < TYPOS else question)
    return None

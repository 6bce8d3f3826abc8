"""The text hop: a question asks for a fact in a linked passage, or names a value only by such a fact."""

import random
import re
from collections.abc import Mapping

from tablerag.evaluation.heteqa.draft import Draft
from tablerag.evaluation.heteqa.facts import Fact, facts_of, is_about
from tablerag.evaluation.heteqa.kinds.computing import aggregated
from tablerag.evaluation.heteqa.kinds.drawing import draw_number
from tablerag.evaluation.heteqa.roles import Category, Roles, spoken
from tablerag.evaluation.heteqa.sources import Passage, Passages
from tablerag.evaluation.heteqa.tables import PAGE, SECTION
from tablerag.evaluation.heteqa.wording import Condition, frame, plural, quoted, where
from tablerag.evaluation.heteqa.words import PATTERNS

__all__ = ["Linked", "asked_of_passage", "described_by_passage", "linked_passages"]

Linked = Mapping[str, Passage]
"""Passages by the table cell that names them."""
DESCRIBED = {"born": "was born on {v}", "died": "died on {v}"}
"""Facts that identify a person, as words for a question."""
ENTRY = re.compile(r"^the (?:(?:name of the )?entry|name)\b")


def linked_passages(roles: Roles, title: str, passages: Passages) -> dict[str, Passage]:
    """Return the passages whose title is a cell and whose text is about the table's subject, by cell."""
    found: dict[str, Passage] = {}
    context = " ".join([title, *(t.header for t in roles.texts)])
    for column in roles.texts:
        if column.header == SECTION:
            continue
        cells = {v for v in column.values if v and any(c.isalpha() for c in v)}
        beside = " ".join(c.column.header + " " + " ".join(v for v, _ in c.counts[:30]) for c in roles.categories)
        for cell in sorted(cells):
            passage = passages.about(cell) if cell not in found else None
            if passage is not None and is_about(passage, f"{context} {beside}"):
                found[cell] = passage
    return found


def asked_of_passage(draft: Draft, value: str, linked: Linked, rng: random.Random) -> tuple[str, Fact, Passage] | None:
    """Turn a question whose answer is a page into one about that page's passage; return question, fact and passage."""
    if draft.finds is None or not draft.described or draft.finds.header in (PAGE, SECTION) or value not in linked:
        return None
    passage = linked[value]
    facts = [
        f
        for f in facts_of(passage)
        if (f.kind not in ("born", "died") or PATTERNS["people"].search(draft.finds.header))
        and f.kind[:5] not in draft.described
    ]
    if not facts:
        return None
    fact = rng.choice(facts)
    described = draft.described
    if fact.kind in ("born", "died"):
        described = ENTRY.sub("the person", described)
    return fact.asked.format(x=described), fact, passage


def described_by_passage(roles: Roles, linked: Linked, rng: random.Random) -> tuple[Draft, Fact, Passage] | None:
    """Compose a question that names a value only by a fact in its passage."""
    able = [
        (category, value, facts[0])
        for category in roles.categories
        if category.column.header not in (PAGE, SECTION)
        for value, _ in category.counts
        if value in linked and (facts := _telling(category, value, linked))
    ]
    if not able:
        return None
    category, value, fact = rng.choice(able)
    column = category.column
    word = spoken(column.header)
    said = DESCRIBED[fact.kind].format(v=fact.value)
    words = f"whose {word} {said}" if word != "name" else f"of the person who {said}"
    sql, pandas = f"`{column.name}` = {quoted(value)}", f"(df[{column.name!r}] == {value!r})"
    given = Condition(sql, pandas, words, "")
    measure = draw_number(roles, rng)
    draft = _counted(roles, given) if measure is None else aggregated("described", roles, [given], measure, rng)
    return draft, fact, linked[value]


def _telling(category: Category, value: str, linked: Linked) -> list[Fact]:
    """Return the facts that distinguish a value from all other linked values of its column."""
    if not PATTERNS["people"].search(category.column.header):
        return []
    facts = [f for f in facts_of(linked[value]) if f.kind in DESCRIBED]
    values = [v for v in set(category.column.values) - {value} if v and v in linked]
    others = {(f.kind, f.value) for v in values for f in facts_of(linked[v])}
    return [f for f in facts if (f.kind, f.value) not in others]


def _counted(roles: Roles, given: Condition) -> Draft:
    question = f"how many {plural(roles.noun)} are there {given.words}"
    sql = f"SELECT COUNT(*) FROM `{roles.table}`{where([given])}"
    return Draft("described", question, ("filter", "aggregate"), sql, f"len({frame([given])})", over=(frame([given]),))

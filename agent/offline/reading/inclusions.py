"""Values that a question says are not left out: "cancelled ones included" narrows nothing."""

from collections.abc import Iterator

from tablerag.agent.offline.reading.facts import Field
from tablerag.agent.offline.reading.tag import Named, Tag
from tablerag.agent.offline.reading.words import Asked, Phrase

__all__ = ["included"]

STATES = frozenset(("status",))
PASSED = frozenset(
    "since already meanwhile later now seither inzwischen bereits mittlerweile depuis deja entretemps".split()
)
"""Words of "including those who have since left"."""


def included(asked: Asked, named: Named) -> Iterator[tuple[tuple[Tag, ...], tuple[int, int]]]:
    """Yield the tags of values that are included, with the words that say so."""
    states = sorted((t for t in named.tags if t.kind in ("value", "flag") and t.field), key=lambda t: t.first)
    for phrase in asked.of("included"):
        tags = _listed(asked, phrase, [t for t in reversed(states) if t.last <= phrase.first], after=False)
        if tags:
            yield tags, (phrase.first, phrase.last)
    for phrase in asked.of("including"):
        tags = _listed(asked, phrase, [t for t in states if t.first >= phrase.last and t.kind == "value"], after=True)
        only = asked.language.set_of("only") & set(asked.keys[phrase.last :])  # "counting delivered orders only"
        if tags and not only and not any(t.field and t.field.is_list for t in tags):
            yield tags, (phrase.first, phrase.last)
    for i, key in enumerate(asked.keys):
        if key in asked.language.set_of("also"):
            of_state = [t for t in states if t.first > i and t.kind == "value" and t.field and _is_state(t.field)]
            if tags := _listed(asked, Phrase("also", i, i + 1), of_state, after=True):
                yield tags, (i, i + 1)
    yield from _any_state(asked, named)


def _is_state(f: Field) -> bool:
    return any(w.groups & STATES for w in f.words)


def _any_state(asked: Asked, named: Named) -> Iterator[tuple[tuple[Tag, ...], tuple[int, int]]]:
    """Yield columns of states of which all are meant: "all statuses", "whatever the status"."""
    for tag in named.tags:
        if tag.kind == "column" and any(w.lexeme.groups & STATES for w in asked.words[tag.first : tag.last]):
            every = [p for p in asked.of("including") if 0 <= tag.first - p.last <= 1]
            if (
                every
                or asked.keys[tag.first - 1 : tag.first]
                and asked.keys[tag.first - 1] in asked.language.set_of("all")
            ):
                yield (tag,), (every[0].first, every[0].last) if every else (tag.first, tag.last)


def _listed(asked: Asked, phrase: Phrase, tags: list[Tag], *, after: bool) -> tuple[Tag, ...]:
    """Return the values of one column that stand beside a phrase, joined by words such as "and"."""
    found: list[Tag] = []
    place = phrase.last if after else phrase.first
    for tag in tags:
        between = range(place, tag.first) if after else range(tag.last, place)
        other = bool(found) and tag.field is not found[0].field
        if other or not all(asked.may_be_left(i) or asked.keys[i] in PASSED for i in between):
            break
        found.append(tag)
        place = tag.last if after else tag.first
    return tuple(found)

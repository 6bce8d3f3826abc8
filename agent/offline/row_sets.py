"""Row sets: the rows of a table that a question's mentions select, alone and combined."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tablerag.agent.offline.cues import Cue
from tablerag.agent.offline.execution import Evaluator
from tablerag.agent.offline.mention import Mention
from tablerag.agent.offline.program import Condition, Rows

__all__ = ["RowSet", "compared_pairs", "row_sets_of", "selective"]

MOST_MENTIONS = 14
MOST_COMPARED = 60
MOST_PAIRS = 80
MOST_TRIPLES = 8


@dataclass(slots=True, frozen=True)
class RowSet:
    """Rows, and the mentions that select them."""

    rows: Rows
    mentions: tuple[Mention, ...]


def selective(mentions: Sequence[Mention], evaluator: Evaluator) -> list[Mention]:
    """Return the mentions that some rows satisfy and others do not, the surest first."""
    count = len(evaluator.view.row_ids)
    found = [m for m in mentions if 0 < len(evaluator.met(m.condition)) < max(count, 2)]
    return sorted(found, key=lambda m: (-m.score, m.start - m.end))


def row_sets_of(mentions: Sequence[Mention], evaluator: Evaluator, cues: frozenset[Cue]) -> list[RowSet]:
    """Return the row sets that none, one, two or three mentions select; the whole table first."""
    sure = [m for m in mentions if m.way != "compare"][:MOST_MENTIONS]
    compared = [m for m in mentions if m.way == "compare"] if "bounded" in cues else []
    negated = _negated(sure) if "negated" in cues else []
    sets = [RowSet(Rows(), ())]
    sets += [_selected((m,), evaluator) for m in [*sure, *negated[:6]]]
    bounds = [_selected((m,), evaluator) for m in compared[:MOST_COMPARED]]
    known = {frozenset(evaluator.rows(s.rows)) for s in sets}
    pairs = _pairs(sure, compared, negated)
    sets += bounds[: MOST_COMPARED // 2]
    for pair in pairs[:MOST_PAIRS]:
        made = _selected(pair, evaluator)
        if evaluator.rows(made.rows) or "yes_no" in cues:
            sets.append(made)
    triples = [t for t in combinations(sure[:6], 3) if _apart(*t)]
    for triple in triples[:MOST_TRIPLES]:
        made = _selected(triple, evaluator)
        rows = frozenset(evaluator.rows(made.rows))
        if rows and rows not in known:
            sets.append(made)
    sets += bounds[MOST_COMPARED // 2 :]
    return [*sets, *(_either(sure, evaluator) if "alternative" in cues else ())]


def _negated(sure: Sequence[Mention]) -> list[Mention]:
    return [
        replace(m, condition=replace(m.condition, operator="<>"), way="not")
        for m in sure
        if m.condition.operator == "=" and len(m.condition.values) == 1
    ]


def _pairs(
    sure: Sequence[Mention], compared: Sequence[Mention], negated: Sequence[Mention]
) -> list[tuple[Mention, Mention]]:
    """Return the pairs of mentions to try: in two columns, in one text, and both ends of a range."""
    apart = [(a, b) for a, b in combinations(sure[:8], 2) if _apart(a, b)]
    pairs = [(a, b) for a, b in apart if a.condition.column != b.condition.column]
    same = [(a, b) for a, b in apart if a.condition.column == b.condition.column]
    pairs += [(a, b) for a, b in same if a.condition.operator == "contains"][:2]
    pairs += [(a, b) for a in sure[:5] for b in compared[:24] if _apart(a, b)]
    pairs += [(a, b) for a in sure[:5] for b in negated[:3] if _apart(a, b)]
    ends = [(a, b) for a, b in combinations(compared[:24], 2) if a.condition.column == b.condition.column]
    return pairs + [(a, b) for a, b in ends if _apart(a, b)][:12]


def _either(sure: Sequence[Mention], evaluator: Evaluator) -> Iterator[RowSet]:
    """Rows with one of several values of a column, for "A or B" and "between A and B"."""
    by_column: dict[str, list[Mention]] = {}
    for mention in sure:
        if mention.condition.operator == "=" and mention.way in ("value", "part", "number"):
            by_column.setdefault(mention.condition.column, []).append(mention)
    for column, same in by_column.items():
        kept: list[Mention] = []
        for mention in same:
            if all(_apart(mention, k) for k in kept):
                kept.append(mention)
        if len(kept) > 1:
            values = tuple(v for m in kept for v in m.condition.values)
            yield _selected(tuple(kept), evaluator, (Condition(column, "=", values),))


def _selected(
    mentions: tuple[Mention, ...], evaluator: Evaluator, conditions: tuple[Condition, ...] | None = None
) -> RowSet:
    """Return the rows that satisfy all conditions."""
    return RowSet(Rows(conditions or tuple(m.condition for m in mentions)), mentions)


def compared_pairs(sets: Sequence[RowSet]) -> list[tuple[RowSet, RowSet]]:
    """Return pairs of row sets of one column that a question may compare, in the order of the question."""
    singles = [s for s in sets if len(s.rows.conditions) == 1 and len(s.mentions) == 1]
    singles = [s for s in singles if s.mentions[0].way not in ("compare", "not")][:10]
    found = [
        (a, b)
        for a, b in combinations(singles, 2)
        if a.rows.conditions[0].column == b.rows.conditions[0].column and _apart(a.mentions[0], b.mentions[0])
    ][:8]
    found = [(a, b) if a.mentions[0].start < b.mentions[0].start else (b, a) for a, b in found]
    return found + [pair for one, two in found[:4] for pair in _narrowed(one, two, singles)][:8]


def _narrowed(one: RowSet, two: RowSet, singles: Sequence[RowSet]) -> Iterator[tuple[RowSet, RowSet]]:
    """Yield a pair with one more condition on another column: "Plant A and Plant B in April"."""
    for more in singles:
        mention = more.mentions[0]
        other = mention.condition.column != one.rows.conditions[0].column
        if other and _apart(mention, one.mentions[0]) and _apart(mention, two.mentions[0]):
            yield (_also(one, more), _also(two, more))


def _also(one: RowSet, more: RowSet) -> RowSet:
    rows = replace(one.rows, conditions=one.rows.conditions + more.rows.conditions)
    return RowSet(rows, one.mentions + more.mentions)


def _apart(*mentions: Mention) -> bool:
    """Tell whether no two mentions share words of the question."""
    return all(a.end <= b.start or b.end <= a.start for a, b in combinations(mentions, 2))

"""Words that are taken for what they only resemble, while a table at hand has them exactly."""

from collections.abc import Iterable, Mapping, Sequence

from tablerag.agent.offline.reading.compose import GRAINS
from tablerag.agent.offline.reading.facts import INCOME, SPENT, Facts
from tablerag.agent.offline.reading.joining import joined
from tablerag.agent.offline.reading.tag import Tag, sum_masks
from tablerag.agent.offline.reading.vocabulary import likeness
from tablerag.agent.offline.reading.words import Asked

__all__ = ["OF_MONEY", "Better"]

EXACT = 0.97
OF_VALUE, OF_MEASURE, OF_MONEY = 1.2, 0.5, 0.5
"""The cost of taking a word for what it only resembles, where a table has it as a value, as a number's header, or as
the word for its rows if these are money: "expenses" are no "cost" where there is a table of expenses."""
EXACT_NOUN, IN_PART = 0.93, 0.9


class Better:
    """Where words of a question are named exactly: of "diesel refuelled", the fuel of the vehicles."""

    def __init__(self, asked: Asked, tables: Sequence[Facts], named: Mapping[int, Sequence[Tag]]) -> None:
        self._asked, self._tables = asked, tables
        found = {i: {t.first: cost for t in tags if (cost := _cost(t))} for i, tags in named.items()}
        self._offers = {i: costs for i, costs in found.items() if costs}
        exact = {i: [t for t in tags if t.kind == "value" and t.sure >= EXACT] for i, tags in named.items()}
        whole = {i: filter(_is_whole_value, tags) for i, tags in exact.items()}
        self._whole = {i: {p: OF_VALUE for t in tags for p in range(t.first, t.last)} for i, tags in whole.items()}
        self._values = {i: sum_masks(t.mask for t in tags if t.field and t.field.is_text) for i, tags in exact.items()}
        self._money = {i: {p: OF_MONEY for p in _money_rows(asked, tags)} for i, tags in named.items()}
        heads = {p.last for p in asked.of("count")}
        heads |= {i + d for i, k in enumerate(asked.keys) if k in asked.language.set_of("how_much") for d in (1, 2)}
        heads |= {p.first - 1 for p in asked.of("group", *GRAINS)}  # "visits by year"
        heads |= {p.last + d for p in asked.of("share", "percent") for d in (1, 2)}  # "percentage of all orders"
        self._rows = {i: {t.first for t in tags if _is_exact_noun(t) and t.first in heads} for i, tags in named.items()}

    def named(self, members: Sequence[int]) -> dict[int, float]:
        """Return the cost of each word, by its place, that these tables, or one beside the first, name exactly."""
        base, costs = self._tables[members[0]], dict[int, float]()
        for beside in (self._money, self._whole):  # in whichever table: a name of several words is no other's part
            for i, places in beside.items():
                costs |= places if i not in members else {}
        for i, offered in self._offers.items():
            if i in members or joined(base, self._tables[i]) or joined(self._tables[i], base):
                costs |= {word: max(cost, costs.get(word, 0.0)) for word, cost in offered.items()}
        return costs

    def counted(self, base: int, mask: int, tags: Iterable[Tag]) -> float:
        """Return 1 for counting rows of a table by a word that another table has for its rows, else 0.

        Orders are the rows of "orders" rather than those of "order_lines" in a database; "how many repairs" are counted
        in the list of repairs rather than among the invoices for repairs.
        """
        own = {t.first for t in tags if _is_exact_noun(t)}
        others = {p for i, rows in self._rows.items() if i != base for p in rows}
        others -= own | {p - 1 for p in own}  # "order lines" are lines
        return float(any(mask >> p & 1 for p in others))

    def in_part(self, members: Sequence[int], tags: Iterable[Tag]) -> float:
        """Return the cost of words that are taken for a part of a value while another table has them as a whole one.

        Orders that were "returned" have the status Returned; none is of the book "Poppy's Return".
        """
        whole = sum_masks(mask for i, mask in self._values.items() if i not in members)
        return OF_VALUE * any(t.kind == "value" and t.sure < IN_PART and not t.mask & ~whole for t in tags)

    def cost(self, costs: Mapping[int, float], mask: int, tags: Iterable[Tag]) -> float:
        """Return the cost of the explained words that no tag names exactly."""
        exact = [t for t in tags if t.sure >= EXACT or _is_exact_noun(t) or _is_whole_value(t)]
        taken = (i for i in costs if mask >> i & 1 and not any(self._names(t, i) for t in exact))
        return sum(costs[i] for i in taken)

    def _names(self, tag: Tag, place: int) -> bool:
        """Tell whether a word is one of what a tag names, not only like it."""
        if not tag.mask >> place & 1 or tag.kind != "column" or tag.field is None:
            return bool(tag.mask >> place & 1)
        return any(likeness(self._asked.words[place].lexeme, word) >= EXACT for word in tag.field.words)


def _is_exact_noun(tag: Tag) -> bool:
    return tag.kind == "noun" and tag.sure >= EXACT_NOUN


def _is_whole_value(tag: Tag) -> bool:
    """Tell whether several words are a value: of the tenure "Market rent", the rent is none of its own."""
    return tag.kind == "value" and tag.last - tag.first > 1 and tag.sure >= EXACT_NOUN


def _money_rows(asked: Asked, tags: Iterable[Tag]) -> list[int]:
    """Return the places of exact words for a table's rows that are money: expenses."""
    rows = (t.first for t in tags if _is_exact_noun(t))
    return [i for i in rows if asked.words[i].lexeme.groups & (INCOME | SPENT)]


def _cost(tag: Tag) -> float:
    """Return what it costs to read this word as something else; 0 if it does not name anything exactly."""
    if tag.sure < EXACT or tag.last - tag.first > 1 or tag.field is None:
        return 0.0
    if tag.kind == "value":
        return OF_VALUE * tag.field.is_text
    return OF_MEASURE * (tag.kind == "column" and tag.field.is_measure)

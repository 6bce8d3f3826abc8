"""Words of a question that name something in a table."""

from collections.abc import Iterable
from dataclasses import dataclass

from tablerag.agent.offline.reading.facts import Field
from tablerag.agent.offline.reading.query import Condition

__all__ = ["Named", "Tag", "sum_masks"]


@dataclass(frozen=True, slots=True)
class Tag:
    """Words that name something."""

    mask: int
    """The words, lowest bit first."""
    kind: str
    """column | value | flag | noun"""
    sure: float
    field: Field | None = None
    condition: Condition | None = None
    foreign: bool = False
    """Whether it is a word for the rows of a table that is looked up."""

    @property
    def first(self) -> int:
        """The index of its first word."""
        return (self.mask & -self.mask).bit_length() - 1

    @property
    def last(self) -> int:
        """The index after its last word."""
        return self.mask.bit_length()


@dataclass(frozen=True, slots=True)
class Named:
    """One way to tag a question without overlaps."""

    tags: tuple[Tag, ...]
    gain: float


def sum_masks(masks: Iterable[int]) -> int:
    """Return the union of masks."""
    whole = 0
    for mask in masks:
        whole |= mask
    return whole

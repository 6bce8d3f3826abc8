"""The unit and scale that the text around a table states for its numbers: "as follows (in thousands):"."""

import re
from collections.abc import Iterator, Sequence

from tablerag.ingestion.document import Block, TableBlock, TextBlock
from tablerag.ingestion.tables.typing import Unit, caption_unit
from tablerag.ingestion.tables.typing.numbers import is_currency
from tablerag.tools.stated_scale import STATED, scale_in

__all__ = ["stated_units"]

NEAREST = 2
"""Paragraphs directly before a table that may introduce it: a sentence, and a line such as "(in millions)"."""
FOR_ALL = re.compile(r"\b(?:all|tabular)\b|\bunless otherwise\b", re.IGNORECASE)
"""Words of a statement about all tables below it."""
IN_BRACKETS = 500
"""The most characters between an opening bracket and what is stated in it."""
OF_SHARES = re.compile(r"\bshares?\b", re.IGNORECASE)
SHARES_TOO = re.compile(r",| and (?=(?:number of )?shares?\b)", re.IGNORECASE)
"""What follows is of shares, or an exception: in millions and shares in thousands."""
OF_MONEY = re.compile(r"\bdollars\b|\bamounts\b", re.IGNORECASE)


def stated_units(blocks: Sequence[Block]) -> list[Unit]:
    """Return what the text states for the numbers of each table; an empty unit for nothing or a contradiction.

    The text directly before a table comes first. Then counts what is said of all tables above it, and, where the
    document has only one table, what is said anywhere.
    """
    is_alone = sum(isinstance(b, TableBlock) for b in blocks) == 1
    anywhere = [unit for b in blocks for unit in _stated(b)] if is_alone else []
    found: list[Unit] = []
    before: list[TextBlock] = []
    for block in blocks:
        if isinstance(block, TextBlock):
            before.append(block)
            if not is_alone and FOR_ALL.search(block.text):
                anywhere += _stated(block)
        else:
            near = next((units[-1] for b in before[: -NEAREST - 1 : -1] if (units := list(_stated(b)))), None)
            found.append(near or (anywhere[-1] if len({u.scale for u in anywhere}) == 1 else Unit()))
            before = []
    return found


def _stated(block: Block) -> Iterator[Unit]:
    """Yield each unit with a scale that a paragraph states in brackets, as its first words, or for all tables.

    A currency without a scale must be stated for all: "All loans are in EUR".
    """
    if not isinstance(block, TextBlock):
        return
    text = block.text
    for_all = FOR_ALL.search(text)
    for phrase in STATED.finditer(text):
        near = text[max(0, phrase.start() - IN_BRACKETS) : phrase.start()]  # all before it would take quadratic time
        opened = near.rfind("(")
        in_brackets = opened > near.rfind(")")
        said_before = near[opened + 1 :] if in_brackets else ""
        said = SHARES_TOO.split(phrase[0])[0]
        of_shares = OF_SHARES.search(said_before) and not OF_MONEY.search(said_before + said)
        of_all = for_all is not None and for_all.end() <= phrase.start()
        apart = in_brackets or not phrase.start() or of_all
        stated = caption_unit(said)
        if apart and not of_shares and (scale_in(said) or (of_all and is_currency(stated.unit))):
            yield stated

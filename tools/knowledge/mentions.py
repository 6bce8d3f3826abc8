"""Finds the words of a question that knowledge.yaml explains, and other spellings of the question by them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tablerag.tools.knowledge.entries import Knowledge, WordEntry

__all__ = ["Mention", "expanded_text", "mentions_in", "names_metric", "spellings"]

MOST_SPELLINGS = 4


@dataclass(frozen=True, slots=True)
class Mention:
    """A word of a question, and one way to say it otherwise."""

    said: str
    """As the question spells it."""
    means: str
    where: str

    @property
    def note(self) -> str:
        """Say how the word was read."""
        return f"“{self.said}” read as “{self.means}”, as defined in {self.where}."


def mentions_in(question: str, knowledge: Knowledge) -> list[Mention]:
    """Return the words of a question that entries explain, each with every meaning, in the order of the entries.

    Terms work both ways: a question may use the long form where a column has the short one. Synonyms do not: the word
    that others mean is one of the documents' own.
    """
    return [m for entry in knowledge.words for m in _of_entry(question, entry, knowledge.place(entry.line))]


def _of_entry(question: str, entry: WordEntry, where: str) -> Iterator[Mention]:
    said = _found(question, entry.word, exact=entry.word.isupper())
    if said:
        yield from (Mention(said, means, where) for means in entry.means)
        return
    for means in entry.means if entry.is_term else ():
        if said := _found(question, means, exact=means.isupper()):
            yield Mention(said, entry.word, where)


def _found(question: str, phrase: str, *, exact: bool) -> str:
    """Return how a question spells a phrase, also in the plural; "" if it does not mention it."""
    if phrase.split()[0].casefold() not in question.casefold():
        return ""  # of thousands of entries, to compile a pattern for each would take a second
    words = r"\s+".join(re.escape(w) for w in phrase.split())
    found = re.search(rf"(?<!\w){words}(?:e?s)?(?!\w)", question, 0 if exact else re.IGNORECASE)
    return found[0] if found else ""


def spellings(question: str, mentions: Sequence[Mention]) -> list[tuple[str, tuple[Mention, ...]]]:
    """Return the question said otherwise, with what was replaced; at most MOST_SPELLINGS."""
    by_word: dict[str, list[Mention]] = {}
    for mention in mentions:
        by_word.setdefault(mention.said, []).append(mention)
    return list(islice(_combined(question, list(by_word.values())), MOST_SPELLINGS))


def _combined(question: str, words: list[list[Mention]]) -> Iterator[tuple[str, tuple[Mention, ...]]]:
    """Yield spellings: of all words at once by their first meanings, then one word at a time."""
    if not words:
        return
    seen: set[str] = set()
    first = tuple(meanings[0] for meanings in words)
    for chosen in (first, *((m,) for meanings in words for m in meanings)):
        text = question
        for mention in chosen:
            text = re.sub(rf"(?<!\w){re.escape(mention.said)}(?!\w)", lambda _, m=mention: m.means, text)
        if text not in seen and text != question:
            seen.add(text)
            yield text, chosen


def names_metric(question: str, name: str) -> bool:
    """Return whether a question mentions a metric by its name."""
    return bool(_found(question, name, exact=False))


def expanded_text(question: str, mentions: Sequence[Mention]) -> str:
    """Return a question for retrieval, followed by the meanings of its words."""
    return " ".join([question, *dict.fromkeys(m.means for m in mentions)])

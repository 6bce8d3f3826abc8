"""Citations from a model's reply: only chunks that were shown, quoted verbatim."""

import re
from collections.abc import Sequence
from itertools import pairwise

from tablerag.agent.model.replies import CitationReply
from tablerag.tools.records import Chunk, Citation
from tablerag.tools.text import SENTENCE_END

__all__ = ["cited", "sentences_with", "verbatim"]

_WORD = re.compile(r"\w+")
PARAGRAPH_END = re.compile(r"(?<=[.!?。！？])\s+|\n\s*\n|\n(?=\s*(?:[-*|#]|\d+[.)]\s))")
"""As SENTENCE_END, where lines may be wrapped."""
MAX_QUOTE_CHARS = 240
MIN_OVERLAP = 0.6
"""Share of a quote's words that a sentence must contain to replace it."""


def cited(replies: Sequence[CitationReply], chunks: Sequence[Chunk]) -> tuple[Citation, ...]:
    """Return the citations of chunks that exist, each once, with quotes taken from the chunks themselves."""
    citations: dict[Citation, None] = {}
    for reply in replies:
        if not 1 <= reply.chunk <= len(chunks):
            continue
        chunk = chunks[reply.chunk - 1]
        quote = verbatim(reply.quote, chunk.text)
        citations[Citation(source=chunk.source, locator=chunk.locator, quote=quote, chunk_id=chunk.id)] = None
    return tuple(citations)


def verbatim(quote: str, text: str) -> str:
    """Return the words of the text that a quote means, as they stand there; "" when it holds nothing like them.

    A quote is found whatever its case, spacing and punctuation. One that is not there word for word is
    replaced by the sentence (or table row) that shares most of its words.
    """
    pieces = [p for p in re.split(r"…|\.{3,}|\[cut\]", quote) if _WORD.search(p)]
    if not pieces:
        return ""
    found = _span(max(pieces, key=len), text) or _nearest(quote, text)
    if len(found) <= MAX_QUOTE_CHARS:
        return found
    kept = found[:MAX_QUOTE_CHARS]
    return (kept.rpartition(" ")[0] or kept[:-1]).rstrip() + "…"  # half a number is another one


def sentences_with(quote: str, chunk: Chunk) -> list[str]:
    """Return the sentences or table rows of a chunk that a quote from it is a part of.

    A quote may leave out what changes it: the "not" before it, the "thousand" behind it.
    """
    ends_with = PARAGRAPH_END if chunk.kind == "text" else SENTENCE_END
    plain, sought = [" ".join(s.split()) for s in ends_with.split(chunk.text)], quote.removesuffix("…")
    joined, ends, found = " ".join(plain), 0, []
    places = [m.start() for m in re.finditer(re.escape(sought), joined)] if sought else []
    for sentence in plain:
        start, ends = ends, ends + len(sentence) + 1
        if any(place < ends - 1 and place + len(sought) > start for place in places):
            found.append(sentence)
    return found


def _span(quote: str, text: str) -> str:
    """Return the run of words of the text that equals the quote's, with the signs that touch it."""
    wanted = [w.casefold() for w in _WORD.findall(quote)]
    words = list(_WORD.finditer(text))
    folded = [m.group().casefold() for m in words]
    for first in range(len(folded) - len(wanted) + 1):
        if folded[first : first + len(wanted)] == wanted:
            start, end = words[first].start(), words[first + len(wanted) - 1].end()
            while start > 0 and text[start - 1] not in " \t\n|":
                start -= 1
            while end < len(text) and text[end] not in " \t\n|":
                end += 1
            return " ".join(text[start:end].split())
    return ""


def _nearest(quote: str, text: str) -> str:
    """Return the sentence that shares most of the quote's words, if it shares enough of them."""
    wanted = {w.casefold() for w in _WORD.findall(quote)}
    best, best_share = "", MIN_OVERLAP
    bounds = [0, *(m.end() for m in SENTENCE_END.finditer(text)), len(text)]
    for start, end in pairwise(bounds):
        sentence = text[start:end].strip()
        share = len(wanted & {w.casefold() for w in _WORD.findall(sentence)}) / len(wanted)
        if share > best_share or (share == best_share and not best):
            best, best_share = sentence, share
    return " ".join(best.split())

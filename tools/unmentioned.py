"""What a question names that no table of a corpus mentions: not in a title, header or file name, nor in a cell."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services
from tablerag.tools.text import content_tokens, tokens

__all__ = ["unmentioned"]

STEM = 5
"""Words that begin with this many letters in common count as the same: "placed" and "places"."""
SHORT_STEM = 4
"""The same if one of them is the beginning of the other: "ship" and "shipments"."""
CONTINUING = frozenset(("number", "numbers", "no", "date", "dates", "rate", "rates"))
"""Words that belong to the missing word before them: "phone number"."""
MOST_JOINED = 4
SIGNS = '.,;:!?"()[]“”„«»'
SEARCHED_WHOLE = 1_000
"""Rows from which on values are also looked up in the table: the index may hold only its first rows."""
ASKING = frozenset(
    # What questions ask for, in words that tables need not have.
    tokens(
        "total sum average mean number count amount value share percent percentage proportion ratio difference "
        "compare comparison change growth increase decrease highest lowest largest smallest biggest best worst top "
        "bottom first last second third previous next latest earliest maximum minimum max min high low large small "
        "more less fewer than least above below between before after during year month quarter week day date today "
        "yearly monthly quarterly weekly annual january february march april may june july august september october "
        "november december chart graph plot table list display find tell calculate compute overall altogether every "
        "different distinct unique million thousand billion euro euros eur usd dollar dollars "
        "gesamt summe durchschnitt anzahl anteil prozent jahr monat quartal hochste niedrigste zeige nenne "
        "somme moyenne nombre total part pourcentage annee mois trimestre montre liste"
    )
)


def unmentioned(services: Services, corpus: str, text: str) -> list[str]:
    """Return what a text names and no table of the corpus mentions, in order and as it is spelled.

    Missing words that follow each other are one: "phone number", "Mona Lisa".
    """
    asked = [t for t in dict.fromkeys(content_tokens(text)) if len(t) > 2 and t.isalpha() and t not in ASKING]
    schemas = services.catalog.schemas(corpus) if asked else []
    named = {t for s in schemas for t in _names(s)}
    large = [s for s in schemas if s.row_count > SEARCHED_WHOLE]
    missing = set()
    for word in asked:
        if any(_alike(word, name) for name in named) or services.lexical_index(corpus).search(word, 1, ["table"]):
            continue
        if not large or not services.value_linker.hints(word, large, limit=1):
            missing.add(word)
    return list(dict.fromkeys(_phrases(text, missing)))


def _phrases(text: str, missing: AbstractSet[str]) -> Iterator[str]:
    """Yield the missing words of a text, joined with those that follow."""
    phrase: list[str] = []
    for spelled in [*text.replace("'", " ").replace("’", " ").split(), ""]:
        found = set(tokens(spelled))
        ends = bool(phrase) and (phrase[-1][-1] in SIGNS or phrase[-1].istitle() != spelled.istitle())
        joins = bool(found & missing) or (phrase and spelled.strip(SIGNS).casefold() in CONTINUING)
        if phrase and (ends or not joins or len(phrase) >= MOST_JOINED):
            yield " ".join(phrase).strip(SIGNS)
            phrase = []
        if found & missing or (phrase and joins):
            phrase.append(spelled)


def _names(schema: TableSchema) -> Sequence[str]:
    """Return the words that name a table and its columns."""
    return tokens(" ".join([schema.title, schema.source, schema.within, *(c.header for c in schema.columns)]))


def _alike(word: str, name: str) -> bool:
    """Return whether two words are the same but for their endings."""
    begins = min(len(word), len(name)) >= SHORT_STEM and (word.startswith(name) or name.startswith(word))
    return word == name or begins or (len(name) >= STEM and word[:STEM] == name[:STEM])

"""What a question names that no table of a corpus mentions: not in a title, header or file name, nor in a cell."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

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
    strange = [
        word
        for word in asked
        if not _is_named(services, corpus, word) and not services.lexical_index(corpus).search(word, 1, ["table"])
    ]
    # The lexical index may hold only the first rows of these.
    long = services.catalog.long_tables(corpus) if strange else []
    missing = {word for word in strange if not long or not services.value_linker.hints(word, long, limit=1)}
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


def _is_named(services: Services, corpus: str, word: str) -> bool:
    """Return whether a word, or the same with another ending, names a table or a column."""
    begun = [word[:n] for n in range(SHORT_STEM, len(word) + 1)]
    return services.catalog.is_named(corpus, [word, *begun], word[:STEM] if len(word) >= SHORT_STEM else "")

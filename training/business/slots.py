"""Fills the slots of a wording for a query: rows with their filters, measures, groups, superlatives."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from training.business.lexicon import plural_of
from training.business.queries import Filter, Query

if TYPE_CHECKING:
    from training.business.phrasing import Speaker

__all__ = ["Slots"]

DEGREES = {
    "en": {
        "high": ("highest,largest,biggest,greatest,top", "lowest,smallest,least"),
        "most": ("most", "least"), "mostn": ("most", "fewest,least"),
        "pricey": ("most expensive,costliest,priciest", "cheapest,least expensive"),
        "paid": ("best paid,highest paid,top-earning", "lowest paid,worst paid"), "long": ("longest", "least time"),
        "latest": ("latest,newest,most recent,last", "earliest,oldest,first"), "last": ("last,most recently", "first"),
        "adj": ("largest,biggest,top", "smallest,lowest"),
    },
    "de": {
        "high": ("höchste,größte", "niedrigste,kleinste"), "mostn": ("meisten", "wenigsten"),
        "high_n": ("höchsten,größten", "niedrigsten,kleinsten"), "latest": ("neueste,letzte", "älteste,erste"),
    },
    "fr": {
        "high": ("plus élevé,plus grand", "plus bas,plus petit"), "mostn": ("plus", "moins"),
        "latest": ("dernière", "première"),
    },
}  # fmt: skip
NUMBERS = ("", "one", "two", "three", "four", "five")
NTH = ("", "", "second,2nd,second", "third,3rd")


class Slots(Mapping[str, str]):
    """The slots of one wording; each is chosen once."""

    def __init__(self, speaker: "Speaker", query: Query, extra: Mapping[str, str]) -> None:
        self.speaker, self.query, self.random, self.table = speaker, query, speaker.random, speaker.table
        self.chosen: dict[str, str] = dict(extra)
        self.noun = speaker.pick(self.table.spec.nouns[speaker.language])
        share = query.operation == "share"
        self.filters = query.filters[:-1] if share else query.filters
        self.last = query.filters[-1:] if share else query.filters

    def __iter__(self) -> Any:
        return iter(self.chosen)

    def __len__(self) -> int:
        return len(self.chosen)

    def __getitem__(self, name: str) -> str:
        if name not in self.chosen:
            self.chosen[name] = self._slot(name)
        return self.chosen[name]

    def _slot(self, name: str) -> str:
        speaker, query = self.speaker, self.query
        degrees = DEGREES[speaker.language].get(name)
        if degrees:
            return self.random.choice(degrees[not query.descending].split(","))
        match name:
            case "noun":
                return self.noun[0]
            case "nouns" | "nps":
                return self.noun[1]
            case "one":
                return f"{'an' if self.noun[0][0] in 'aeiou' else 'a'} {self.noun[0]}"
            case "np":
                return self._phrase(self.filters)
            case "npthe":
                return f"the {self._phrase(self.filters)}"
            case "anp2":
                return self._phrase(self.last)
            case "m" | "dm":
                return self._measure(name)
            case "g" | "gs":
                return self._group(name)
            case "k":
                return self.random.choice(
                    (str(query.k), NUMBERS[query.k] if speaker.language == "en" else str(query.k))
                )
            case "nth" if query.k > 1:
                return self.random.choice(NTH[query.k].split(","))
            case "verb":
                return speaker.verb()
            case _:
                return self._where(name)

    def _where(self, name: str) -> str:
        speaker = self.speaker
        filters = self.last if name.startswith("state") else self.filters
        posts = self._posts(filters)
        match name:
            case "others":
                return self._phrase(filters[:-1])
            case "laststate" if filters and (states := speaker.phrases(filters[-1])["state"]):
                return self.random.choice(states)
            case "where":
                every = {
                    "en": f"of all {self.noun[1]}",
                    "de": f"aller {self.noun[1]}",
                    "fr": f"de toutes les {self.noun[1]}",
                }
                return posts or every[speaker.language]
            case "base" | "basewhere":
                return f" {posts}" if posts else ""
            case "anp":
                pre, rest = self._split(filters)
                self.chosen["post"] = self._posts(rest)
                if not self.chosen["post"]:
                    raise KeyError(name)
                return f"{pre} {self.noun[1]}".strip()
            case "post" if posts:
                return posts
            case "state" | "states" if filters:
                first, *rest = sorted(filters, key=lambda f: "state" not in speaker.phrases(f))
                states = speaker.phrases(first)["state"]
                if states:
                    return f"{self.random.choice(states)} {self._posts(rest)}".strip()
        raise KeyError(name)

    def _split(self, filters: Sequence[Filter]) -> tuple[str, list[Filter]]:
        """Choose which filters are said before the noun; return their words, and the others."""
        words, rest = [], []
        for filter_ in filters:
            before = self.speaker.phrases(filter_)["pre"]
            if before and len(words) < 2 and self.random.random() < 0.6:
                words.append(self.random.choice(before))
            else:
                rest.append(filter_)
        return " ".join(words), rest

    def _phrase(self, filters: Sequence[Filter]) -> str:
        pre, rest = self._split(filters)
        return f"{pre} {self.noun[1]} {self._posts(rest)}".strip()

    def _posts(self, filters: Sequence[Filter]) -> str:
        dates = [f for f in filters if isinstance(f.values[0], date) or f.operator in ("year", "month", "quarter")]
        others = [f for f in filters if f not in dates]
        self.random.shuffle(others)
        ordered = others + dates if self.random.random() < 0.75 else dates + others
        chosen = []
        for filter_ in ordered:
            ways = self.speaker.phrases(filter_)["post"]
            if not ways:
                raise KeyError("post")
            chosen.append(self.random.choice(ways))
        return " ".join([*chosen, *([self.speaker.scope] if self.speaker.scope else [])])

    def _measure(self, name: str) -> str:
        if not self.query.column and not self.query.by:
            raise KeyError(name)
        measured = self.query.by if self.query.operation in ("top", "second") else self.query.column
        column = self.table.column(measured)
        words = self.speaker.column_words(column)
        return column.concept.articles.get(self.speaker.language, "") + words if name == "dm" else words

    def _group(self, name: str) -> str:
        column = self.table.column(self.query.group)
        word = self.speaker.column_words(column)
        if name == "g":
            return word
        if self.speaker.language != "en":
            raise KeyError(name)
        return plural_of(word)

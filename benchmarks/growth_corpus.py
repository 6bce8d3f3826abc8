"""A synthetic corpus of any size for benchmarks/growth.py: many small documents of different schemas, and families.

Document i is the same in every size. A corpus is a core of 100 documents, which the questions ask about and which are
in every size, and others: tables of their own subject and columns in CSV, Markdown and HTML, texts, and families of
files that unite, such as monthly lists.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["CHANGED", "Asked", "questions", "write_corpus"]

SYLLABLES = "bar den fol gam hur kel lom mir nas ost pel rin sol tur vek wim yor zan alt bre".split()
SUBJECTS = (
    "pump tree order invoice bridge school museum vessel turbine patient course library clinic farm orchard quarry "
    "warehouse truck ferry tram bakery hotel cinema stadium laptop printer sensor valve contract tender permit grant "
    "survey harvest shipment recipe painting song medal trophy river lake island volcano glacier planet comet fossil "
    "mineral alloy polymer vaccine allergy surgery treaty border airport runway cable antenna"
).split()
CLASSES = {
    "region": ("North", "South", "East", "West"),
    "status": ("open", "closed", "pending", "cancelled"),
    "grade": ("basic", "standard", "premium"),
    "colour": ("red", "green", "blue", "white", "black"),
    "season": ("spring", "summer", "autumn", "winter"),
    "material": ("steel", "timber", "glass", "brass"),
    "carrier": ("rail", "road", "air", "sea"),
    "language": ("Danish", "Irish", "Polish", "Greek"),
    "risk": ("low", "medium", "high"),
    "shift": ("day", "night"),
}
MEASURES = (
    "weight kg,length m,cost eur,budget eur,visitors,capacity,height m,depth m,output mwh,distance km,quantity,stock,"
    "rating,age years,score,price eur,revenue eur,hours,area ha,width cm,doses,seats,speed kmh,power kw"
).split(",")
SUFFIXES = (".csv", ".csv", ".csv", ".md", ".html")
CORE, FAMILY = 100, 12
TEXTS = 0.12
FAMILIES = 0.3
"""Shares of documents that are texts, and that belong to a family."""
FAMILY_SIZES = (12, 24, 60, 400)
CHANGED = "core/pumps_barbarbar.csv"
"""The document that the benchmark changes."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about the core."""

    kind: str
    text: str


def write_corpus(folder: Path, documents: int) -> None:
    """Write the first ``documents`` documents below a folder."""
    for name, text in _documents(documents):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def questions() -> list[Asked]:
    """Return the questions about the core, the same for every size."""
    asked = []
    for i in range(0, 40, 2):
        table = _Subject(i)
        class_, measure = table.classes[0], table.measures[0]
        value = CLASSES[class_][i % len(CLASSES[class_])]
        asked.append(
            Asked(
                "one table",
                f"What is the total {measure} of the {table.plural} of {table.place} with {class_} {value}?",
            )
        )
        name = table.rows(12)[i % 12][0]
        asked.append(Asked("one table", f"What is the {table.measures[-1]} of {name} in {table.place}?"))
    for number in (0, 1):
        family = _Family(number, FAMILY)
        for class_ in family.subject.classes:
            for value in CLASSES[class_]:
                measure = family.subject.measures[0]
                text = f"What is the total {measure} of all {family.words} with {class_} {value}?"
                asked.append(Asked("united tables", text))
        asked.append(Asked("united tables", f"How many {family.words} are there in all months?"))
    asked += [Asked("text", f"Who looks after the {_subject_of(i)} of {_word(i)}?") for i in range(80, 92)]
    return asked


def _documents(count: int) -> Iterator[tuple[str, str]]:
    for i in range(min(count, CORE - 2 * FAMILY)):
        yield _text("core", i) if i >= 64 else _table("core", i)
    for number in (0, 1):
        yield from _Family(number, FAMILY).files("core")
    i, number = CORE, 2
    chance = random.Random(1)
    while i < count:
        folder = f"part{i // 500:03d}"
        share = chance.random()
        if share < FAMILIES / 20:
            # Twenty files on average: most families are small, few have hundreds of files.
            size = min(chance.choices(FAMILY_SIZES, (60, 25, 12, 3))[0], count - i)
            yield from _Family(number, size).files(folder)
            i, number = i + size, number + 1
            continue
        yield _text(folder, i) if share > 1 - TEXTS else _table(folder, i)
        i += 1


def _word(number: int) -> str:
    """Return an invented name, another for each number below 8,000."""
    number = number * 4001 % 8000
    n = len(SYLLABLES)
    return (SYLLABLES[number % n] + SYLLABLES[number // n % n] + SYLLABLES[number // n // n]).capitalize()


def _subject_of(number: int) -> str:
    return SUBJECTS[number % len(SUBJECTS)] + "s"


class _Subject:
    """What a table is about: its name, columns and rows, drawn from its number."""

    def __init__(self, number: int) -> None:
        self.chance = random.Random(number)
        self.plural = _subject_of(number)
        self.place = _word(number)
        self.classes = self.chance.sample(sorted(CLASSES), self.chance.randint(1, 2))
        self.measures = self.chance.sample(MEASURES, self.chance.randint(2, 4))
        self.header = ["name", *self.classes, *self.measures]

    def rows(self, count: int) -> list[list[str]]:
        """Return rows; the same for every call with the same count."""
        chance = random.Random(f"{self.plural} {self.place} {count}")
        names = [f"{_word(chance.randrange(8000))} {_word(chance.randrange(8000))}" for _ in range(count)]
        return [
            [n, *(chance.choice(CLASSES[c]) for c in self.classes)]
            + [
                str(chance.randint(1, 900) if i % 2 else chance.randint(10, 9000) / 10)
                for i in range(len(self.measures))
            ]
            for n in names
        ]


def _table(folder: str, number: int) -> tuple[str, str]:
    subject = _Subject(number)
    suffix = SUFFIXES[number % len(SUFFIXES)]
    rows = subject.rows(12 if folder == "core" else 8 + number % 30)
    title = f"{subject.plural.capitalize()} of {subject.place}"
    name = f"{folder}/{subject.plural}_{subject.place.lower()}{suffix}"
    if suffix == ".csv":
        return name, _csv(subject.header, rows)
    about = f"This list of {subject.plural} is kept by the office of {subject.place} and is checked every year."
    if suffix == ".md":
        lines = [f"| {' | '.join(r)} |" for r in (subject.header, ["---"] * len(subject.header), *rows)]
        return name, f"# {title}\n\n{about}\n\n" + "\n".join(lines) + "\n"
    head = "".join(f"<th>{h}</th>" for h in subject.header)
    body = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in r)}</tr>\n" for r in rows)
    return name, f"<h1>{title}</h1><p>{about}</p><table><tr>{head}</tr>\n{body}</table>"


def _csv(header: list[str], rows: list[list[str]]) -> str:
    return "\n".join(",".join(r) for r in (header, *rows)) + "\n"


def _text(folder: str, number: int) -> tuple[str, str]:
    """Return a text that says who looks after a kind of thing at a place."""
    chance = random.Random(number)
    subject, place = _subject_of(number), _word(number)
    person = f"{_word(number + 3000)} {_word(chance.randrange(8000))}"
    said = [
        f"{person} looks after the {subject} of {place}.",
        f"The {subject} of {place} are inspected in {chance.choice(CLASSES['season'])}.",
        f"Repairs of {subject} are paid by the {chance.choice(CLASSES['region'])} office.",
        *(f"{_word(chance.randrange(8000))} reported {chance.randint(2, 90)} faults of {c}." for c in SUBJECTS[:6]),
    ]
    return f"{folder}/notes_{number}.md", f"# {subject.capitalize()} of {place}\n\n" + "\n".join(said) + "\n"


class _Family:
    """Files with one schema whose names differ in the month, or in a number."""

    def __init__(self, number: int, size: int) -> None:
        self.subject = _Subject(100_000 + number * 7)
        self.size = size
        self.number = number
        self.words = f"{self.subject.place.lower()} {self.subject.plural}"

    def files(self, folder: str) -> Iterator[tuple[str, str]]:
        stem = self.words.replace(" ", "_")
        for i in range(self.size):
            rows = _Subject(200_000 + self.number * 1000 + i).chance
            names = [f"{_word(rows.randrange(8000))} {_word(rows.randrange(8000))}" for _ in range(15)]
            cells = [
                [n, *(rows.choice(CLASSES[c]) for c in self.subject.classes)]
                + [str(rows.randint(1, 900)) for _ in self.subject.measures]
                for n in names
            ]
            month = f"{1985 + i // 12}-{i % 12 + 1:02d}"
            yield f"{folder}/{stem}/{stem}_{month}.csv", _csv(self.subject.header, cells)

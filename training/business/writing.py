"""Writes typed tables as documents: headers by a naming convention, dates and numbers in a format, in several files."""

import csv
import html
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from training.business.lexicon import LANGUAGES
from training.business.queries import period_of
from training.business.tables import Column, Row, Table

__all__ = ["Style", "written"]

CONVENTIONS = ("title", "title", "title", "snake", "snake", "camel", "upper", "short")
SHORT = {
    "quantity": "qty", "amount": "amt", "number": "no.", "customer": "cust.", "department": "dept.",
    "category": "cat.", "product": "prod.", "location": "loc.", "supplier": "suppl.", "minimum": "min.",
    "invoice": "inv.", "description": "descr.", "reference": "ref.", "temperature": "temp.", "manager": "mgr.",
    "employee": "emp.", "order": "ord.",
}  # fmt: skip
DATES = {
    "en": ("%Y-%m-%d", "%Y-%m-%d", "%d.%m.%Y", "%d %b %Y", "%d/%m/%Y"),
    "de": ("%d.%m.%Y", "%Y-%m-%d"),
    "fr": ("%d/%m/%Y", "%Y-%m-%d"),
}
YES_NO = {
    "en": (("yes", "no"), ("Yes", "No"), ("TRUE", "FALSE"), ("Y", "N")),
    "de": (("ja", "nein"), ("Ja", "Nein")), "fr": (("oui", "non"), ("Oui", "Non")),
}  # fmt: skip
FORMATS = ("csv", "csv", "csv", "xlsx", "xlsx", "md", "html")
LONGEST_TEXT_TABLE = 60
TOTAL = {"en": "Total", "de": "Summe", "fr": "Total"}


@dataclass(frozen=True)
class Style:
    """How one organisation, or one file of it, writes tables."""

    language: str
    convention: str
    unit: str
    day: str
    yes_no: tuple[str, str]
    format: str

    @classmethod
    def drawn(cls, language: str, random_: random.Random, convention: str = "") -> "Style":
        """Draw a style."""
        convention = convention if convention and random_.random() < 0.75 else random_.choice(CONVENTIONS)
        units = ("_{}",) if convention in ("snake", "camel") else (" ({})", " ({})", " [{}]", " in {}", "")
        return cls(language, convention, random_.choice((*units, "")), random_.choice(DATES[language]),
            random_.choice(YES_NO[language]), random_.choice(FORMATS))  # fmt: skip

    def header(self, column: Column, random_: random.Random) -> str:
        """Return a column's header."""
        names = column.concept.headers[self.language]
        name = (
            column.renamed.capitalize()
            if column.renamed and self.language == LANGUAGES[0]
            else random_.choice(names[:1] * 2 + names)
        )
        unit = column.concept.options.get("unit", "")
        return self.named(name) + (
            self.unit.format(unit if self.convention != "snake" else unit.lower()) if unit else ""
        )

    def named(self, name: str) -> str:
        """Write a name in the convention."""
        words = re.sub(r"[.()']", " ", name).split()
        match self.convention:
            case "snake":
                return "_".join(words).lower()
            case "camel":
                return words[0].lower() + "".join(w.capitalize() for w in words[1:])
            case "upper":
                return name.upper()
            case "short":
                return " ".join(SHORT.get(w.lower(), w) for w in name.split()).capitalize()
            case _:
                return " ".join(w[0].upper() + w[1:] for w in name.split())

    def cell(self, value: Any) -> Any:
        """Return a cell as text, or as a number or date for a workbook."""
        if isinstance(value, bool):
            return self.yes_no[not value]
        if value is None:
            return ""
        if isinstance(value, date):
            return value if self.format == "xlsx" and self.day.startswith("%Y") else value.strftime(self.day)
        if isinstance(value, float) and self.language != "en" and self.format != "xlsx":
            return f"{value:.2f}".replace(".", ",")
        return value


def written(table: Table, style: Style, folder: Path, random_: random.Random) -> None:
    """Write a table to one or several files, and note them in the table."""
    headers: dict[str, str] = {}
    for column in table.columns:
        header = style.header(column, random_)
        headers[column.key] = f"{header} 2" if header in headers.values() else header
    table.headers, files = headers, []
    for name, rows in _parts(table, style):
        grid = _wide_grid(table, rows, headers, style) if table.shape == "wide" else _grid(table, rows, headers, style)
        form = style.format if len(grid) <= LONGEST_TEXT_TABLE or style.format in ("csv", "xlsx") else "csv"
        while (folder / f"{name}.{form}").exists():  # another domain's table of the same name
            name += " 2"
        files.append(_saved(grid, folder / f"{name}.{form}", style, name))
    table.files = tuple(f"docs/{f}" for f in files)


def _parts(table: Table, style: Style) -> list[tuple[str, list[Row]]]:
    """Return the files of a table: per month or year of its date, per version, or one."""
    noun = table.spec.nouns[style.language][0][1] if style.language != "en" else table.spec.name
    name = re.sub(r"[^\w]+", "_" if style.convention in ("snake", "camel") else " ", noun.replace("_", " "))
    if style.convention == "title":
        name = name.capitalize()
    joint = "_" if "_" in name or style.convention in ("snake", "camel") else " "
    if table.shape == "versions":
        return [(f"{name}{joint}2024", table.earlier), (f"{name}{joint}2025", table.rows)]
    day = next((c.key for c in table.columns if c.kind in ("date", "date2")), "")
    if table.shape not in ("monthly", "yearly") or not day:
        return [(name, table.rows)]
    if table.shape == "monthly":
        last = max(row[day].year for row in table.rows)
        table.rows[:] = [row for row in table.rows if row[day].year == last]
    parts: dict[str, list[Row]] = {}
    for row in sorted(table.rows, key=lambda r: r[day]):
        parts.setdefault(period_of(row[day], table.shape.removesuffix("ly")), []).append(row)
    return [(f"{name}{joint}{period}", rows) for period, rows in parts.items()]


def _grid(table: Table, rows: Sequence[Row], headers: dict[str, str], style: Style) -> list[list[Any]]:
    grid = [list(headers.values())] + [[style.cell(row[key]) for key in headers] for row in rows]
    if table.totals:
        sums = [
            style.cell(round(sum(r[c.key] or 0 for r in rows), 2)) if c.kind == "num" else "" for c in table.columns[1:]
        ]
        grid.append([TOTAL[style.language], *sums])
    return grid


def _wide_grid(table: Table, rows: Sequence[Row], headers: dict[str, str], style: Style) -> list[list[Any]]:
    entity, measure = table.columns[:2]
    by_entity: dict[str, list[Any]] = {}
    for row in rows:
        by_entity.setdefault(row[entity.key], []).append(row[measure.key])
    grid = [[headers[entity.key], *table.periods]]
    grid += [[name, *map(style.cell, values)] for name, values in by_entity.items()]
    if table.totals:
        columns = zip(*by_entity.values(), strict=True)
        grid.append([TOTAL[style.language], *(style.cell(round(sum(c), 2)) for c in columns)])
    return grid


def _saved(grid: Sequence[Sequence[Any]], path: Path, style: Style, title: str) -> str:
    match path.suffix:
        case ".xlsx":
            book = Workbook()
            sheet = book.active
            assert sheet is not None
            sheet.title = title[:30]
            for line in grid:
                sheet.append(list(line))
            book.save(path)
        case ".csv":
            text = StringIO()
            csv.writer(text, delimiter=";" if style.language != "en" else ",", lineterminator="\n").writerows(grid)
            path.write_text(text.getvalue(), encoding="utf-8")
        case ".md":
            lines = [f"| {' | '.join(map(str, line))} |" for line in grid]
            lines.insert(1, "|" + " --- |" * len(grid[0]))
            path.write_text(f"# {title.replace('_', ' ').capitalize()}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
        case _:
            cells = [
                "".join(f"<{tag}>{html.escape(str(c))}</{tag}>" for c in line)
                for line, tag in zip(grid, ["th"] + ["td"] * len(grid), strict=False)
            ]
            body = "".join(f"<tr>{line}</tr>\n" for line in cells)
            path.write_text(
                f"<html><body><h1>{title.replace('_', ' ')}</h1><table>\n{body}</table></body></html>\n",
                encoding="utf-8",
            )
    return path.name

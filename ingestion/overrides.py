"""Overrides of how documents and tables are read, in ``tablerag.yaml``.

The file is in the ingested folder and contains rules; all matching rules apply, and the last one wins:

    tables:
      - source: sales.xlsx        # a document as answers cite it; * and ? are wildcards
        table: orders             # a table by its SQL name or sheet; without it, all tables of the document
        header_rows: 2
        totals: false             # no row is a total of others
        sections: false           # no row is a section heading
        use: true                 # answers use it, however doubtful it is; false: they do not
        decimal: ","
        name: orders_2024
        columns:
          Amount: {type: decimal, unit: EUR, scale: thousands, name: amount_eur}
          Notes: {skip: true}
      - source: drafts/*
        skip: true
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tablerag.ingestion.tables.naming import sql_name
from tablerag.ingestion.tables.overrides import ColumnWishes, TableWishes
from tablerag.tools.errors import ConfigError
from tablerag.tools.number_words import ScaleName
from tablerag.tools.places import UrlPath
from tablerag.tools.records import ColumnType, TableSchema

__all__ = ["OVERRIDES_FILE", "DocumentWishes", "Overrides", "load_overrides", "rules_in"]

OVERRIDES_FILE = "tablerag.yaml"
MAX_BYTES = 1_000_000


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _ColumnRule(_Strict):
    type: ColumnType | None = None
    name: str = ""
    unit: str | None = None
    scale: ScaleName | Literal[""] | None = None
    decimal: Literal["", ".", ","] = ""
    skip: bool = False


class _Rule(_Strict):
    source: str
    table: str = ""
    header_rows: int | None = Field(None, ge=0, le=20)
    name: str = ""
    decimal: Literal["", ".", ","] = ""
    sections: bool = True
    totals: bool = True
    skip: bool = False
    use: bool | None = None
    columns: dict[str, _ColumnRule] = Field(default_factory=dict)


class _File(_Strict):
    tables: list[_Rule] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DocumentWishes:
    """The rules for one document."""

    rules: tuple[_Rule, ...] = ()

    @property
    def skips_document(self) -> bool:
        """Whether the whole document is skipped."""
        return any(r.skip and not r.table for r in self.rules)

    def for_table(self, name: str, locator: str) -> TableWishes:
        """Return the merged rules for a table, by its SQL name and locator."""
        merged: dict[str, ColumnWishes] = {}
        wishes = TableWishes()
        for rule in self.rules:
            if rule.table and not _means(rule.table, name, locator):
                continue
            merged |= {k: ColumnWishes(**c.model_dump()) for k, c in rule.columns.items()}
            rows = wishes.header_rows if rule.header_rows is None else rule.header_rows
            wishes = TableWishes(
                rows,
                rule.name or wishes.name,
                rule.decimal or wishes.decimal,
                rule.sections and wishes.sections,
                rule.totals and wishes.totals,
                rule.skip or wishes.skip,
                wishes.use if rule.use is None else rule.use,
                merged,
            )
        return wishes

    def unused(self, schemas: Sequence[TableSchema], found: Sequence[tuple[str, str]]) -> list[str]:
        """Return a warning for each column and table named by a rule but missing from the document.

        ``found`` lists the name and locator of each table.
        """
        headers = {
            h.casefold()
            for s in schemas
            for c in s.columns
            for h in (c.header, c.name, sql_name(c.header, (), "column"))
        }
        named = {k for r in self.rules for k, c in r.columns.items() if not c.skip and k.casefold() not in headers}
        tables = {r.table for r in self.rules if r.table and not any(_means(r.table, *place) for place in found)}
        there = ", ".join(dict.fromkeys(name for name, _ in found)) or "none"
        return [
            *(f"{OVERRIDES_FILE} names a column {k!r} that no table of this document has" for k in sorted(named)),
            *(
                f"{OVERRIDES_FILE} names a table {t!r} that this document does not have; it has: {there}"
                for t in sorted(tables)
            ),
        ]


def _means(wanted: str, name: str, locator: str) -> bool:
    folded = wanted.casefold()
    return folded == name.casefold() or f"sheet {folded}" in (p.strip().casefold() for p in locator.split(","))


@dataclass(frozen=True, slots=True)
class Overrides:
    """The rules of all overrides files of an ingest, by folder."""

    rules: Mapping[Path, tuple[_Rule, ...]] = field(default_factory=dict)

    def for_document(self, source: str, folder: Path) -> DocumentWishes:
        """Return the rules of a folder that match a document in it."""
        return DocumentWishes(tuple(r for r in self.rules.get(folder, ()) if _matches(source, folder, r)))

    def unused(self, documents: Iterable[tuple[str, Path]]) -> list[tuple[Path, str]]:
        """Return the folder and pattern of each rule that matches none of the documents (source and folder)."""
        known = list(documents)
        return [
            (folder, rule.source)
            for folder, rules in self.rules.items()
            for rule in rules
            if not any(f == folder and _matches(source, folder, rule) for source, f in known)
        ]


def _matches(source: str, folder: Path, rule: _Rule) -> bool:
    """Return whether a rule is for a document; a URL counts from its folder on."""
    return fnmatchcase(source.removeprefix(f"{folder}/") if isinstance(folder, UrlPath) else source, rule.source)


def load_overrides(folders: Iterable[Path]) -> Overrides:
    """Read the overrides files of folders; raise ConfigError naming the file and place of a mistake."""
    texts = {folder: _text(folder / OVERRIDES_FILE) for folder in sorted(set(folders))}
    return Overrides({f: tuple(_read(f / OVERRIDES_FILE, t).tables) for f, t in texts.items() if t is not None})


def rules_in(file: Path, text: str) -> tuple[_Rule, ...]:
    """Return the rules in the text of an overrides file; raise ConfigError for a mistake."""
    return tuple(_read(file, text).tables)


def _text(file: Path) -> str | None:
    """Return the text of a file, None if there is none."""
    try:
        if isinstance(file, UrlPath):
            from tablerag.ingestion.remote import text_of

            return text_of(file, MAX_BYTES)
        if not file.is_file():
            return None
        if file.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{file}: larger than the limit of {MAX_BYTES} bytes")
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: not valid YAML: {' '.join(str(error).split())[:200]}") from error


def _read(file: Path, text: str) -> _File:
    import yaml  # here: few folders have such a file

    try:
        content = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ConfigError(f"{file}: not valid YAML: {' '.join(str(error).split())[:200]}") from error
    try:
        return _File.model_validate(content or {})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise ConfigError(f"{file}: {place}: {first['msg']} (got {str(first['input'])[:80]!r})") from error

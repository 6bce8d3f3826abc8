"""Parses knowledge.yaml: YAML as a tree with lines, as every error and every citation names one."""

from collections.abc import Iterator
from typing import NoReturn

import yaml

from tablerag.tools.errors import ConfigError
from tablerag.tools.knowledge.entries import ConfirmedEntry, Knowledge, MetricEntry, TableEntry, WordEntry

__all__ = ["MOST_CHARS", "parse"]

MOST_CHARS = 500_000
MOST_ENTRIES = 5_000
MOST_DEPTH = 8
MOST_TEXT = 2_000
"""Characters of one value."""
SECTIONS = ("terms", "synonyms", "metrics", "tables", "confirmed")
METRIC_FIELDS = ("name", "table", "expression", "unit")
CONFIRMED_FIELDS = ("question", "sql", "answer", "by", "key", "at", "tables", "excluded")
TABLE_FIELDS = ("description", "default_date", "exclude", "columns")


def parse(text: str, file: str) -> Knowledge:
    """Return the entries of a knowledge file; raise ConfigError with the line and column of what is wrong."""
    tree = _Tree(file)
    root = tree.root(text)
    if root is None:
        return Knowledge(file=file)
    found = tree.fields(root, SECTIONS)
    words: list[WordEntry] = []
    for section in ("terms", "synonyms"):
        for key, node in tree.entries(found.get(section)):
            means = tree.texts(node)
            words.append(WordEntry(word=tree.text(key), means=means, is_term=section == "terms", line=_line(key)))
    metrics = tuple(_metric(tree, node) for node in tree.items(found.get("metrics")))
    tables = tuple(_table(tree, key, node) for key, node in tree.entries(found.get("tables")))
    confirmed = tuple(_confirmed(tree, node) for node in tree.items(found.get("confirmed")))
    if len(words) + len(metrics) + len(tables) + len(confirmed) > MOST_ENTRIES:
        raise ConfigError(f"{file} has more than {MOST_ENTRIES:,} entries: delete those that nobody asks for")
    return Knowledge(file=file, words=tuple(words), metrics=metrics, tables=tables, confirmed=confirmed)


def _metric(tree: "_Tree", node: yaml.Node) -> MetricEntry:
    given = tree.fields(node, METRIC_FIELDS)
    for field in ("name", "table", "expression"):
        if field not in given:
            tree.refuse(node, f"a metric needs {field}")
    return MetricEntry(line=_line(node), **{name: tree.text(value) for name, value in given.items()})


def _confirmed(tree: "_Tree", node: yaml.Node) -> ConfirmedEntry:
    given = tree.fields(node, CONFIRMED_FIELDS)
    for field in ("question", "sql"):
        if field not in given:
            tree.refuse(node, f"a confirmed answer needs {field}")

    def named(field: str) -> dict[str, str]:
        return {tree.text(key): tree.text(value) for key, value in tree.entries(given.pop(field, None))}

    tables, excluded = named("tables"), named("excluded")
    texts = {name: tree.text(value) for name, value in given.items() if value.value}
    sql = {"sql": str(given["sql"].value).strip()}
    return ConfirmedEntry(line=_line(node), tables=tables, excluded=excluded, **texts | sql)


def _table(tree: "_Tree", key: yaml.Node, node: yaml.Node) -> TableEntry:
    given = tree.fields(node, TABLE_FIELDS)
    listed = list(tree.entries(given.pop("columns", None)))
    lines = {name: _line(value) for name, value in given.items()}
    lines |= {f"columns {tree.text(name)}": _line(name) for name, _ in listed}
    texts = {name: tree.text(value) for name, value in given.items()}
    columns = {tree.text(name): tree.text(value) for name, value in listed}
    return TableEntry(table=tree.text(key), line=_line(key), lines=lines, columns=columns, **texts)


class _Tree:
    """Reads nodes of YAML; each error names the place."""

    def __init__(self, file: str) -> None:
        self._file = file

    def root(self, text: str) -> yaml.Node | None:
        """Return the top of the tree; None for an empty file."""
        if len(text) > MOST_CHARS:
            raise ConfigError(f"{self._file} has {len(text):,} characters: expected at most {MOST_CHARS:,}")
        try:
            self._check_shape(text)
            return yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
            begun = error.context_mark  # where a brace, bracket or quote was opened that is not closed
            told = ""
            if begun and mark and begun.line < mark.line:
                told = f" (what began in line {begun.line + 1}, column {begun.column + 1} is not closed)"
            raise ConfigError(f"invalid YAML in {self._file}{place}: {error.problem or error.context}{told}") from error
        except (yaml.YAMLError, RecursionError) as error:
            raise ConfigError(f"invalid YAML in {self._file}: {' '.join(str(error).split())[:200]}") from error

    def _check_shape(self, text: str) -> None:
        """Raise ConfigError for an alias, as a few nested ones stand for endless text, and for deep nesting."""
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if isinstance(event, yaml.AliasEvent) or depth > MOST_DEPTH:
                where = f"line {event.start_mark.line + 1}, column {event.start_mark.column + 1}"
                why = "nested too deeply" if depth > MOST_DEPTH else "write it out instead of an alias"
                raise ConfigError(f"invalid entry in {self._file}, {where}: {why}")

    def fields(self, node: yaml.Node, known: tuple[str, ...]) -> dict[str, yaml.Node]:
        """Return the values of a mapping whose keys are all known."""
        found: dict[str, yaml.Node] = {}
        for key, value in self.entries(node):
            if (name := self.text(key)) not in known:
                self.refuse(key, f"unknown key {name[:60]!r}, expected one of {', '.join(known)}")
            found[name] = value
        return found

    def entries(self, node: yaml.Node | None) -> Iterator[tuple[yaml.Node, yaml.Node]]:
        """Yield the keys and values of a mapping; nothing for an empty value."""
        if node is None or _is_empty(node):
            return
        if not isinstance(node, yaml.MappingNode):
            self.refuse(node, "expected a mapping such as {word: meaning}")
        seen: set[str] = set()
        for key, value in node.value:
            if (name := self.text(key)) in seen:
                self.refuse(key, f"{name[:60]!r} is there twice: delete one")
            seen.add(name)
            yield key, value

    def items(self, node: yaml.Node | None) -> list[yaml.Node]:
        """Return the items of a list; none for an empty value."""
        if node is None or _is_empty(node):
            return []
        if not isinstance(node, yaml.SequenceNode):
            self.refuse(node, "expected a list, each item after a dash")
        return list(node.value)

    def texts(self, node: yaml.Node) -> tuple[str, ...]:
        """Return one text, or the texts of a list."""
        nodes = self.items(node) if isinstance(node, yaml.SequenceNode) else [node]
        return tuple(self.text(n) for n in nodes) or self.refuse(node, "expected a text, got an empty list")

    def text(self, node: yaml.Node) -> str:
        """Return a text that is not empty, its white space as single spaces."""
        if not isinstance(node, yaml.ScalarNode):
            self.refuse(node, "expected a text")
        text = " ".join(node.value.split())
        if not text or len(text) > MOST_TEXT:
            self.refuse(node, f"expected a text of 1 to {MOST_TEXT:,} characters, got {len(text):,}")
        return text

    def refuse(self, node: yaml.Node, why: str) -> NoReturn:
        """Raise ConfigError for a node."""
        mark = node.start_mark
        raise ConfigError(f"invalid entry in {self._file}, line {mark.line + 1}, column {mark.column + 1}: {why}")


def _line(node: yaml.Node) -> int:
    return node.start_mark.line + 1


def _is_empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.value

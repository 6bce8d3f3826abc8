"""Vetoes: why a reading must not be used, however likely it is. It ignores or inverts words of the question.

A year, code or name without a condition is a missing condition: the result looks right but covers other rows. The
ranker's chance was fitted on questions that their tables can answer, so it does not notice; these rules do.
"""

import re
from collections.abc import Iterator

from tablerag.agent.offline.lexicon import MONTHS, NUMBER_WORDS
from tablerag.agent.offline.program import ALL, NUMBERS, Condition, Program, Rows
from tablerag.agent.offline.word_lists import named_words, pattern, words
from tablerag.tools.records import ROW_ID, Column, TableSchema
from tablerag.tools.text import singular, tokens

__all__ = ["forbids"]

NAME = re.compile(r"(?<![.?!:\"'“‘(] )(?<!^)\b[A-Z][\w&'’-]*")
CODE = re.compile(r"\b(?=\w*\d)[\w.,-]*\w")
EXCLUDES, BUT, NOT_FEWER, PLACED = (
    re.compile(pattern("vetoes", name), re.IGNORECASE) for name in ("excludes", "but", "not_fewer", "placed")
)
OVER_ALL = frozenset(("sum", "avg", "count"))
OF_WHOM = re.compile(r"\b(?:of|in|for|from|by|among|at) (?:the |all |our )?([a-z]{3,})\b")
MEASURED = re.compile(r"\b(?:total|average|mean|sum of)(?: (?:of|the|number|amount))* ([a-z]{3,})\b")
LIFE = {word: frozenset(columns) for word, columns in named_words("life").items()}
EVERYBODY = words("everybody")
"""Words for all rows, or for none."""
DENIED = frozenset(("no", "false", "0", "0.0", "n", "none"))
ASKING = frozenset(
    "I Is Are Was Were Do Does Did What Which Who Whom When Where Why How Can Could Has Have The A An".split()
)


def forbids(question: str, program: Program, schema: TableSchema) -> bool:
    """Tell whether a program must not answer a question."""
    used = list(_used(program, schema))
    conditions = [c for rows in _row_sets(program) for c in rows.conditions]
    held = _held(program, schema, used, conditions)
    named = (*_of_whom(question, program, schema), *_names(question, schema), *_codes(question))
    if not all(_is_held(word, held, conditions) for word in named):
        return True
    if _excludes(question) and not any(_is_negative(c, question) for c in conditions):
        return True
    if any(r.by == ROW_ID for r in _row_sets(program)) and not PLACED.search(question):
        return True
    life = next((word for word in LIFE if word in tokens(question)), "")
    return bool(life) and LIFE[life].isdisjoint(held)


def _bare(name: str) -> str:
    return name.removesuffix(NUMBERS)


def _row_sets(program: Program) -> list[Rows]:
    return [rows for rows in (program.rows, program.other) if rows]


def _used(program: Program, schema: TableSchema) -> Iterator[Column]:
    """Yield the columns that a program reads."""
    names = {program.column, program.group, program.measure}
    for rows in _row_sets(program):
        names |= {rows.by, *(c.column for c in rows.conditions)}
    bare = {_bare(n) for n in names}
    yield from (c for c in schema.columns if bare & {c.name, c.raw})


def _held(program: Program, schema: TableSchema, used: list[Column], conditions: list[Condition]) -> set[str]:
    """Return the words that a program covers: of its conditions, columns, numbers, and of its table's names."""
    texts = [schema.title, schema.source, schema.locator, schema.name, *program.labels]
    texts += [part for c in used for part in (c.name, c.header, c.unit or "", *c.path)]
    texts += [str(v) for c in conditions for v in c.values]
    return {t for text in texts for t in tokens(text)}


def _codes(question: str) -> list[str]:
    return [m.strip(".,-") for m in CODE.findall(question)]


def names_in(question: str) -> list[str]:
    """Return the capitalised words inside a sentence; none of a Headline Where Every Word Has A Capital."""
    found = [n.removesuffix("'s").removesuffix("’s") for n in NAME.findall(question) if n not in ASKING]
    return found if len(found) <= 1 + len(question.split()) // 2 else []


def _names(question: str, schema: TableSchema) -> list[str]:
    """Return a question's names, except words of the table's headers."""
    own = {t for c in schema.columns for t in tokens(c.header)}
    return [n for n in names_in(question) if not set(tokens(n)) <= own]


def _of_whom(question: str, program: Program, schema: TableSchema) -> list[str]:
    """Return words after "of", "in", "total" ... that are in no header, if a program computes over all rows."""
    if program.operation not in OVER_ALL or program.rows != ALL:
        return []
    own = {t for c in schema.columns for t in tokens(f"{c.header} {c.name}")} | EVERYBODY
    found = [w for regex in (OF_WHOM, MEASURED) for w in regex.findall(question.casefold())]
    return [w for w in found if singular(w) not in own and w not in EVERYBODY]


def _is_held(word: str, held: set[str], conditions: list[Condition]) -> bool:
    parts = set(tokens(word.removesuffix("'s").removesuffix("’s")))
    dated = any(c.operator in ("between", ">=", "<", "<=", ">") for c in conditions)
    if parts <= held or (parts & MONTHS and dated):
        return True
    numbers = {float(t) for t in parts if t.replace(".", "", 1).isdigit()}
    known = {float(h) for h in held if h.replace(".", "", 1).isdigit()}
    known |= {float(n) for w, n in NUMBER_WORDS.items() if w in held}
    # 2024-01 matches 2024, and a date matches one in other digits, part by part.
    return bool(numbers) and numbers <= known and {t for t in parts if not t[0].isdigit()} <= held | MONTHS


def _excludes(question: str) -> bool:
    return bool((EXCLUDES.search(question) and not NOT_FEWER.search(question)) or BUT.search(question))


def _is_negative(condition: Condition, question: str) -> bool:
    """Tell whether a condition excludes rows or selects a negation: "inactive" for "not active".

    A value in the question is what it excludes: "without India" does not mean the condition "is India".
    """
    if condition.operator in ("<>", "<", "<="):
        return True
    values, asked = [str(v).casefold() for v in condition.values], question.casefold()
    return any(v in DENIED or (v.startswith(("un", "non", "in", "not ", "no ")) and v not in asked) for v in values)

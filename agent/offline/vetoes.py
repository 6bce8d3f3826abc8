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

__all__ = ["names_in", "veto"]

NAME = re.compile(r"(?<![.?!:\"'“‘(] )(?<!^)\b[A-Z][\w&'’-]*")
CODE = re.compile(r"\b(?=\w*\d)[\w.,-]*\w")
EXCLUDES, BUT, NOT_FEWER, PLACED, COMPARES, ID, NEGATES = (
    re.compile(pattern("vetoes", name), re.IGNORECASE)
    for name in ("excludes", "but", "not_fewer", "placed", "compares", "id", "negates")
)
ORDINALS = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5}
AVERAGE = re.compile(r"\b(?:average|mean|avg)\b", re.IGNORECASE)
COMPUTING = words("computing")
"""Operations on numbers."""
OVER_ALL = frozenset(("sum", "avg", "min", "max", "count"))
OF_WHOM = re.compile(r"\b(?:of|in|for|from|by|among|at) (?:the |all |our )?([a-z]{3,})\b")
MEASURED = re.compile(r"\b(?:total|average|mean|sum of)(?: (?:of|the|number|amount))* ([a-z]{3,})\b")
EVERYBODY = words("everybody")
"""Words for all rows, or for none."""
DENIED = frozenset(("no", "false", "0", "0.0", "n", "none"))
AVERAGING = frozenset(("avg", "best_average", "grouped_average"))
LIFE = named_words("life")
ASKING = frozenset(
    "I Is Are Was Were Do Does Did What Which Who Whom When Where Why How Can Could Has Have The A An".split()
)


def veto(question: str, program: Program, schema: TableSchema) -> str:
    """Return why a program must not answer a question, as a sentence for users; "" if it may."""
    used = list(_used(program, schema))
    conditions = [c for rows in _row_sets(program) for c in rows.conditions]
    held = _held(program, schema, used, conditions)
    named = (*_of_whom(question, program, schema), *_names(question, schema), *_codes(question))
    # A word may be found twice, as a name in capitals and in lower case: keep the former.
    left = {w.casefold(): w for w in named if not _is_held(w, held, conditions)}.values()
    if left:
        return f"Could not apply {' and '.join(map(_quoted, left))} to this table."
    if _excludes(question) and not any(_is_negative(c, question) for c in conditions):
        return "Could not apply the exclusion in the question to this table."
    denied = None if NEGATES.search(question) else next((c for c in conditions if _is_denied(c, schema)), None)
    if denied:
        return f"The best interpretation selects rows where {_header(denied.column, schema)} is no."
    computed = {_bare(n) for n in (program.column, program.measure)} if program.operation in COMPUTING else set()
    ids = [c.header for c in used if c.name in computed and _is_id(c, question)]
    if ids:
        return f"{_quoted(ids[0])} holds identifiers, not quantities."
    return _misread(question, program, used, conditions)


def _misread(question: str, program: Program, used: list[Column], conditions: list[Condition]) -> str:
    """Return which word about how to compute or choose a program ignores, as a sentence."""
    asked, row_sets = tokens(question), _row_sets(program)
    in_headers = {t for c in used for t in tokens(c.header)}
    known = in_headers | {t for c in conditions for v in c.values for t in tokens(str(v))}
    ordinal = next((w for w in ORDINALS if w in asked and w not in known), "")
    if ordinal and not any(r.step or r.limit == ORDINALS[ordinal] for r in row_sets):
        return f"Could not apply {_quoted(ordinal)} to this table."
    if AVERAGE.search(question) and program.operation not in AVERAGING and not known & {"average", "avg", "mean"}:
        return "The best interpretation does not compute an average."
    if any(r.by == ROW_ID for r in row_sets) and not PLACED.search(question):
        return "The best interpretation depends on the order of rows, which the question does not mention."
    life = next((word for word in LIFE if word in asked), "")
    if life and known.isdisjoint(LIFE[life]):
        return f"No column in the best interpretation matches {_quoted(life)}."
    if any(c.operator in ("<", ">", "<=", ">=") for c in conditions) and not COMPARES.search(question):
        return "The best interpretation compares values, which the question does not ask for."
    return ""


def _quoted(text: str) -> str:
    return f'"{text}"'


def _header(name: str, schema: TableSchema) -> str:
    """Return the header, in quotes, of the column with that SQL name."""
    return _quoted(next((c.header for c in schema.columns if name in (c.name, c.raw)), name))


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
    limits = [r.limit for r in _row_sets(program)]
    return {t for text in texts for t in tokens(text)} | {str(n) for n in (program.number, *limits) if n}


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
    dated = any(c.operator in ("month", "between", ">=", "<", "<=", ">") for c in conditions)
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
    if condition.operator in ("<>", "empty", "<", "<="):
        return True
    values, asked = [str(v).casefold() for v in condition.values], question.casefold()
    return any(v in DENIED or (v.startswith(("un", "non", "in", "not ", "no ")) and v not in asked) for v in values)


def _is_denied(condition: Condition, schema: TableSchema) -> bool:
    """Tell whether a condition selects "no" in a yes/no column."""
    flags = {n for c in schema.columns if c.type == "boolean" for n in (c.name, c.raw)}
    return condition.column in flags and str(condition.values[0] if condition.values else "").casefold() in DENIED


def _is_id(column: Column, question: str) -> bool:
    """Tell whether a column identifies rows, and the question does not ask for it."""
    named = column.kind == "id" or ID.search(column.header)
    return bool(named) and not set(tokens(column.header)) <= set(tokens(question))

"""What forbids to answer by a reading, however likely it is: words of the question that it leaves aside or turns round.

A year, a code or a name that stands in no condition is a condition left out: what is computed then looks right, and is
of other rows. The chance that the ranker gives is fitted on questions whose tables hold what they ask, so rules say it.
"""

import re
from collections.abc import Iterator

from tablerag.agent.offline.lexicon import MONTHS, NUMBER_WORDS
from tablerag.agent.offline.program import ALL, NUMBERS, Condition, Program
from tablerag.tools.records import ROW_ID, Column, TableSchema
from tablerag.tools.text import singular, tokens

__all__ = ["names_in", "veto"]

NAME = re.compile(r"(?<![.?!:\"'“‘(] )(?<!^)\b[A-Z][\w&'’-]*")
CODE = re.compile(r"\b(?=\w*\d)[\w.,-]*\w")
EXCLUDES = re.compile(
    r"\b(?:without|except|excluding|exclud\w+|other than|besides|apart from|outside|not|no|never|nor)\b|n't\b", re.I
)
BUT = re.compile(r"\b(?:every|all|any|no)\w*\b.*\bbut\b", re.I)
NOT_FEWER = re.compile(
    r"\b(?:not|no) (?:more|less|fewer|later|earlier|higher|lower|older|longer)\b|\bor not\b|\bno\. ?\d", re.I
)
ORDINALS = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5}
AVERAGE = re.compile(r"\b(?:average|mean|avg)\b", re.I)
PLACED = re.compile(
    r"\b(?:first|last|top|bottom|earliest|latest|final|before|after|next|previous|prior|above|below|listed|list|begin\w*|"
    r"start\w*|end\w*|recent\w*|original|initial\w*|follow\w*|preced\w*|newest|oldest|debut\w*|row|consecutive\w*)\b",
    re.I,
)
COMPARES = re.compile(
    r"\b(?:\w+er|more|less|over|above|under|below|least|most|exceed\w*|since|after|before|until|till|from|between|than|up|"
    r"minimum|maximum|past|beyond|within|through|to|by|or|at)\b|[<>≥≤]",
    re.I,
)
ID = re.compile(r"(?:^|[\W_])(?:id|no|nr|number|num|code|ref|#)(?:$|[\W_])|^#|№", re.I)
COMPUTING = frozenset(
    "sum avg min max span difference ratio column_difference column_sum greater_column choice "
    "best_group best_average grouped grouped_average".split()
)
OVER_ALL = frozenset(("sum", "avg", "min", "max", "count"))
OF_WHOM = re.compile(r"\b(?:of|in|for|from|by|among|at) (?:the |all |our )?([a-z]{3,})\b")
MEASURED = re.compile(r"\b(?:total|average|mean|sum of)(?: (?:of|the|number|amount))* ([a-z]{3,})\b")
EVERYBODY = frozenset(
    "all total table list company everyone everybody people them these those file data sheet row entry average every "
    "each whole the this that our per sum amount number value maximum minimum record money term hour day month "
    "year".split()
)
"""Words that name all rows, or none."""
DENIED = frozenset(("no", "false", "0", "0.0", "n", "none"))
NEGATES = re.compile(
    r"\b(?:not|no|never|nor|without|false|un\w+|non\w*|in\w+|out\w*|still|yet|fail\w*|miss\w*|\w+n't|\w+less)\b", re.I
)
AVERAGING = frozenset(("avg", "best_average", "grouped_average"))
LIFE = {
    "born": frozenset(("born", "birth", "birthday", "dob", "birthdate", "birthplace")),
    "died": frozenset(("died", "death", "dead", "deceased")),
    "founded": frozenset(("founded", "founding", "foundation", "established", "since", "formed", "created", "year")),
    "promoted": frozenset(("promoted", "promotion")),
    "married": frozenset(("married", "marriage", "wedding", "spouse")),
}
"""Facts of a life that no other date stands for, by the words of columns that hold them."""
ASKING = frozenset(
    "I Is Are Was Were Do Does Did What Which Who Whom When Where Why How Can Could Has Have The A An".split()
)


def veto(question: str, program: Program, schema: TableSchema) -> str:
    """Say what of a question a program leaves aside, in words for people; "" where nothing forbids to answer by it."""
    used = list(_used(program, schema))
    conditions = [c for rows in (program.rows, program.other) if rows for c in rows.conditions]
    held = _held(program, schema, used, conditions)
    said = dict.fromkeys((*_codes(question), *_names(question, schema), *_of_whom(question, program, schema)))
    left = [w for w in said if not _is_held(w, held, conditions)]
    if left:
        return f"{', '.join(left)} is in no condition that the table can meet"
    if _excludes(question) and not any(_is_negative(c, question) for c in conditions):
        return "what is left out is in no condition"
    if not NEGATES.search(question) and any(_is_denied(c, schema) for c in conditions):
        return "what is denied was not asked for"
    computed = {_bare(n) for n in (program.column, program.measure)} if program.operation in COMPUTING else set()
    if any(_is_id(c, question) for c in used if c.name in computed):
        return "numbers that name rows are no quantities"
    return _misread(question, program, used, conditions)


def _misread(question: str, program: Program, used: list[Column], conditions: list[Condition]) -> str:
    """Say which word that tells how to compute or choose a program does not heed."""
    words = tokens(question)
    headers = {t for c in used for t in tokens(c.header)} | {
        t for c in conditions for v in c.values for t in tokens(str(v))
    }
    ordinal = next((n for w, n in ORDINALS.items() if w in words and w not in headers), 0)
    if ordinal and not any(r.step or r.limit == ordinal for r in (program.rows, program.other) if r):
        return f"which one is number {ordinal} is not looked for"
    if AVERAGE.search(question) and program.operation not in AVERAGING and not headers & {"average", "avg", "mean"}:
        return "no average is computed"
    if any(r.by == ROW_ID for r in (program.rows, program.other) if r) and not PLACED.search(question):
        return "the order of rows is not asked about"
    life = next((f for w, f in LIFE.items() if w in words), None)
    if life and not headers & life:
        return "no column that is read says it"
    if any(c.operator in ("<", ">", "<=", ">=") for c in conditions) and not COMPARES.search(question):
        return "nothing is to be compared"
    return ""


def _bare(name: str) -> str:
    return name.removesuffix(NUMBERS)


def _used(program: Program, schema: TableSchema) -> Iterator[Column]:
    """Yield the columns that a program reads."""
    names = {program.column, program.group, program.measure}
    for rows in (program.rows, program.other):
        names |= {rows.by, *(c.column for c in rows.conditions)} if rows else set()
    bare = {_bare(n) for n in names}
    yield from (c for c in schema.columns if bare & {c.name, c.raw})


def _held(program: Program, schema: TableSchema, used: list[Column], conditions: list[Condition]) -> set[str]:
    """Return the words that a program takes in: of its conditions, columns and numbers, and of its table's names."""
    texts = [schema.title, schema.source, schema.locator, schema.name, *program.labels]
    texts += [part for c in used for part in (c.name, c.header, c.unit or "", *c.path)]
    texts += [str(v) for c in conditions for v in c.values]
    limits = [r.limit for r in (program.rows, program.other) if r]
    return {t for text in texts for t in tokens(text)} | {str(n) for n in (program.number, *limits) if n}


def _codes(question: str) -> list[str]:
    return [m.strip(".,-") for m in CODE.findall(question)]


def names_in(question: str) -> list[str]:
    """Return the words with a capital inside of a sentence; none of a Headline Where Every Word Has One."""
    found = [n.removesuffix("'s").removesuffix("’s") for n in NAME.findall(question) if n not in ASKING]
    return found if len(found) <= 1 + len(question.split()) // 2 else []


def _names(question: str, schema: TableSchema) -> list[str]:
    """Return a question's names, but for the words of the table's own headers."""
    own = {t for c in schema.columns for t in tokens(c.header)}
    return [n for n in names_in(question) if not set(tokens(n)) <= own]


def _of_whom(question: str, program: Program, schema: TableSchema) -> list[str]:
    """Return the words behind "of", "in", "total" ... that no header holds, where a program computes over all rows."""
    if program.operation not in OVER_ALL or program.rows != ALL:
        return []
    own = {t for c in schema.columns for t in tokens(f"{c.header} {c.name}")}
    return [
        w
        for pattern in (OF_WHOM, MEASURED)
        for w in pattern.findall(question.casefold())
        if singular(w) not in own | EVERYBODY and w not in EVERYBODY
    ]


def _is_held(word: str, held: set[str], conditions: list[Condition]) -> bool:
    parts = set(tokens(word.removesuffix("'s").removesuffix("’s")))
    if parts <= held or (
        parts & MONTHS and any(c.operator in ("month", "between", ">=", "<", "<=", ">") for c in conditions)
    ):
        return True
    numbers = {float(t) for t in parts if t.replace(".", "", 1).isdigit()}
    known = {float(h) for h in held if h.replace(".", "", 1).isdigit()} | {
        float(n) for w, n in NUMBER_WORDS.items() if w in held
    }
    # 2024-01 and 2024 fit; a date in other digits does too, part by part.
    return bool(numbers) and numbers <= known and {t for t in parts if not t[0].isdigit()} <= held | MONTHS


def _excludes(question: str) -> bool:
    return bool((EXCLUDES.search(question) and not NOT_FEWER.search(question)) or BUT.search(question))


def _is_negative(condition: Condition, question: str) -> bool:
    """Tell whether a condition leaves rows out, or asks for what is not so: "inactive" for "not active".

    A value that the question itself says is what it excludes: "without India" is no condition that it is India.
    """
    if condition.operator in ("<>", "empty", "<", "<="):
        return True
    values = [str(v).casefold() for v in condition.values]
    return any(
        v in DENIED or (v.startswith(("un", "non", "in", "not ", "no ")) and v not in question.casefold())
        for v in values
    )


def _is_denied(condition: Condition, schema: TableSchema) -> bool:
    """Tell whether a condition asks a column of yes and no for no."""
    flags = {n for c in schema.columns if c.type == "boolean" for n in (c.name, c.raw)}
    return condition.column in flags and str(condition.values[0] if condition.values else "").casefold() in DENIED


def _is_id(column: Column, question: str) -> bool:
    """Tell whether a column numbers its rows, and the question does not ask for these numbers."""
    named = column.kind == "id" or ID.search(column.header)
    return bool(named) and not set(tokens(column.header)) <= set(tokens(question))

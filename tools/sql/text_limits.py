"""Limits on the text of a statement, checked before it is parsed.

Parsing and resolving take about 0.1 ms for each name, value and keyword, and on some texts the parser tries
alternatives whose number doubles with every step. The limits keep every statement below a tenth of a second.
"""

import itertools
import math
import re
import unicodedata
from collections.abc import Sequence

import sqlglot
from sqlglot import Dialect, Token, TokenType
from sqlglot.errors import SqlglotError

from tablerag.tools.errors import SqlRejected

__all__ = ["check_text"]

MAX_CHARS = 20_000
MAX_LITERAL = 2_000
"""Characters of a text or number: a search for a longer one can keep a server busy for minutes, even after KILL."""
MAX_DEPTH = 40
MAX_WORDS = 600
"""Operators and keywords: each may be a level of the syntax tree, and Python allows about a thousand levels."""
MAX_UNITS = 1_000
"""Names, values, operators and keywords, without commas; a name with its table counts once."""
MAX_PARTS = 8
MAX_JOINED_BARE = 6
"""JOINs without ON or USING: the parser first tries to nest each in the one before."""
MAX_TYPED = 5
"""Calls within each other of functions that are also types, such as DATE: the parser tries the type first."""
MAX_LISTED = 500
MAX_ARMS = 100
MAX_COUNTED = {
    "queries": 40,
    "queries in WITH": 30,
    "UNION, EXCEPT and INTERSECT": 30,
    "joins": 40,
}
SIMPLER = {
    "queries": "use joins or GROUP BY",
    "queries in WITH": "combine some of them",
    "UNION, EXCEPT and INTERSECT": "use IN, OR or GROUP BY",
    "joins": "join fewer tables",
}

UNUSUAL = re.compile(r"[^ -~\n\t\r]")
BEGINNINGS = (TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN)
OPERANDS = frozenset(
    {TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER, TokenType.COMMA, TokenType.DOT}
    | {TokenType.L_PAREN, TokenType.R_PAREN}
)
UNCOUNTED = frozenset({TokenType.COMMA, TokenType.DOT})
BRACKETS: dict[TokenType, int] = dict.fromkeys((TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE), 1)
BRACKETS |= dict.fromkeys((TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE), -1)
SET_OPERATIONS = frozenset({TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT})
JOINS = frozenset({TokenType.JOIN, TokenType.STRAIGHT_JOIN})
# The parser also reads quoted names as types.
TYPES = frozenset({*Dialect.get_or_raise("mysql").parser_class.TYPE_TOKENS, TokenType.IDENTIFIER, TokenType.UNION})


def check_text(sql: str) -> None:
    """Raise SqlRejected unless the text is one query of limited size in printable characters."""
    if len(sql) > MAX_CHARS:
        raise SqlRejected(f"statement too long: {len(sql)} characters, at most {MAX_CHARS}")
    for char in UNUSUAL.findall(sql):
        if unicodedata.category(char) in ("Cc", "Cf", "Zs", "Zl", "Zp", "Cs"):
            raise SqlRejected(f"character U+{ord(char):04X} is not allowed: use printable text and spaces")
    tokens = _tokens(sql)
    if not tokens or any(t.token_type is TokenType.SEMICOLON for t in tokens):
        raise SqlRejected(f"expected one statement, got {'several' if tokens else 'none'}")
    # The cheapest first: a text of twenty thousand tokens is refused before each of them is looked at twice.
    _check_chains(tokens)
    _check_literals(tokens)
    _check_nesting(tokens)
    if tokens[0].token_type not in BEGINNINGS:
        raise SqlRejected(f"only SELECT is allowed, got {tokens[0].text[:30]!r}")
    _check_brackets(tokens)
    _check_counts(tokens)


def _tokens(sql: str) -> list[Token]:
    """Return the tokens without semicolons at the end."""
    try:
        tokens = sqlglot.tokenize(sql, read="mysql")
    except SqlglotError as error:
        raise SqlRejected("invalid MySQL: unclosed string, name or comment") from error
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    return tokens


def _check_literals(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.token_type not in (TokenType.STRING, TokenType.NUMBER):
            continue
        if len(token.text) > MAX_LITERAL:
            raise SqlRejected(f"value too long: {len(token.text):,} characters, at most {MAX_LITERAL:,}")
        if token.token_type is TokenType.NUMBER and _is_infinite(token.text):
            raise SqlRejected(f"number {token.text[:30]} is out of range: at most 1.797e308")


def _is_infinite(number: str) -> bool:
    try:
        return math.isinf(float(number))
    except ValueError:  # such as 1e+, which the parser refuses
        return False


def _check_nesting(tokens: Sequence[Token]) -> None:
    depth = deepest = 0
    for token in tokens:
        depth += BRACKETS.get(token.token_type, 0)
        if depth < 0:
            raise SqlRejected(f"invalid MySQL: {token.text} closes nothing")
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        raise SqlRejected(f"statement nested too deeply: {deepest} levels of parentheses, at most {MAX_DEPTH}")
    words = sum(t.token_type not in OPERANDS for t in tokens)
    if words > MAX_WORDS:
        raise SqlRejected(
            f"statement too long: {words} operators and keywords, at most {MAX_WORDS}; use IN for many values"
        )


def _check_chains(tokens: Sequence[Token]) -> None:
    """Refuse texts on which the parser would try very many alternatives."""
    parts = 0
    for before, token in itertools.pairwise(tokens):
        if before.token_type is token.token_type is TokenType.COMMA:
            raise SqlRejected("invalid MySQL: missing value between two commas")
        if token.token_type is TokenType.DOT:
            parts += 1
        elif before.token_type is not TokenType.DOT:
            parts = 0
        if parts > MAX_PARTS:
            raise SqlRejected("name with too many parts: write table.column")


def _check_brackets(tokens: Sequence[Token]) -> None:
    """Refuse long lists of IN, and too many alternatives for the parser: nested types, and joins without condition."""
    opened = [(False, False)]
    """For each open bracket, whether a type and whether IN precede it."""
    listed, pending, bare = [0], [False], 0
    before: Token | None = None
    for token in tokens:
        kind = token.token_type
        if BRACKETS.get(kind) == 1:
            opened.append((before is not None and before.token_type in TYPES, _follows_in(before)))
            # The rows of a list of rows count as its values.
            listed.append(0)
            pending.append(False)
            typed = sum(t for t, _ in opened)
            if typed > MAX_TYPED:
                raise SqlRejected(f"functions nested too deeply: more than {MAX_TYPED} such as DATE or CHAR")
        elif BRACKETS.get(kind) == -1 and len(opened) > 1:
            opened.pop()
            listed.pop()
            bare += pending.pop()
        elif kind is TokenType.COMMA:
            listed[-1] += 1
            if opened[-1][1] and listed[-1] >= MAX_LISTED:
                raise SqlRejected(f"list of IN too long: at most {MAX_LISTED} values; join or filter the table instead")
        elif kind in JOINS:
            bare += pending[-1]
            pending[-1] = before is None or before.token_type is not TokenType.CROSS
        elif kind in (TokenType.ON, TokenType.USING):
            pending[-1] = False
        before = token
    bare += sum(pending)
    if bare > MAX_JOINED_BARE:
        raise SqlRejected(
            f"too many JOINs without ON: {bare}, at most {MAX_JOINED_BARE}; write ON after each, or CROSS JOIN"
        )


def _follows_in(before: Token | None) -> bool:
    return before is not None and before.token_type is TokenType.IN


def _check_counts(tokens: Sequence[Token]) -> None:
    """Refuse more queries, joins, arms of CASE and parts in all than can be judged in little time."""
    kinds = [t.token_type for t in tokens]
    counts = {
        "queries": kinds.count(TokenType.SELECT),
        "queries in WITH": sum(
            (a, b, c) == (TokenType.ALIAS, TokenType.L_PAREN, c) and c in BEGINNINGS
            for a, b, c in zip(kinds, kinds[1:], kinds[2:], strict=False)
        ),
        "UNION, EXCEPT and INTERSECT": sum(k in SET_OPERATIONS for k in kinds),
        "joins": sum(k in JOINS for k in kinds),
    }
    for what, most in MAX_COUNTED.items():
        if counts[what] > most:
            raise SqlRejected(f"statement too complex: {counts[what]} {what}, at most {most}; {SIMPLER[what]}")
    arms = kinds.count(TokenType.WHEN)
    if arms > MAX_ARMS:
        raise SqlRejected(f"statement too complex: {arms} WHENs, at most {MAX_ARMS}; use IN or a join for many values")
    units = sum(k not in UNCOUNTED for k in kinds) - kinds.count(TokenType.DOT)
    units -= kinds.count(TokenType.R_PAREN)
    if units > MAX_UNITS:
        raise SqlRejected(f"statement too long: {units} names, values and operators, at most {MAX_UNITS}")

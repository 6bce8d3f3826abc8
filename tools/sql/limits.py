"""Limits on the size of a statement, checked before any costly work."""

import itertools
import unicodedata
from collections.abc import Mapping, Sequence

import sqlglot
from sqlglot import Token, TokenType, exp
from sqlglot.errors import SqlglotError

from tablerag.tools.errors import SqlRejected
from tablerag.tools.records import TableSchema

__all__ = ["MAX_TABLES", "check_text", "check_width", "inner_queries", "sources_of"]

MAX_CHARS = 20_000
MAX_DEPTH = 50
MAX_WORDS = 600
"""Operators and keywords: each may be a level of the syntax tree, and Python allows about a thousand levels."""
MAX_PARTS = 8
MAX_TABLES = 60
"""MySQL joins at most 61."""
MAX_COLUMNS = 4_000
"""Columns of one result, derived table or common table expression; MySQL allows 4096."""

BEGINNINGS = (TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN)
OPERANDS = frozenset(
    {TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER, TokenType.COMMA, TokenType.DOT}
    | {TokenType.L_PAREN, TokenType.R_PAREN}
)
BRACKETS: dict[TokenType, int] = dict.fromkeys((TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE), 1)
BRACKETS |= dict.fromkeys((TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE), -1)


def check_text(sql: str) -> None:
    """Raise SqlRejected unless the text is one query of limited size in printable characters."""
    if len(sql) > MAX_CHARS:
        raise SqlRejected(f"statement too long: {len(sql)} characters, at most {MAX_CHARS}")
    for char in sql:
        if char not in "\n\t\r " and unicodedata.category(char) in ("Cc", "Cf", "Zs", "Zl", "Zp", "Cs"):
            raise SqlRejected(f"character U+{ord(char):04X} is not allowed: use printable text and spaces")
    tokens = _tokens(sql)
    if not tokens or any(t.token_type is TokenType.SEMICOLON for t in tokens):
        raise SqlRejected(f"expected one statement, got {'several' if tokens else 'none'}")
    _check_nesting(tokens)
    _check_chains(tokens)
    if tokens[0].token_type not in BEGINNINGS:
        raise SqlRejected(f"only SELECT is allowed, got {tokens[0].text[:30]!r}")


def _tokens(sql: str) -> list[Token]:
    """Return the tokens without semicolons at the end."""
    try:
        tokens = sqlglot.tokenize(sql, read="mysql")
    except SqlglotError as error:
        raise SqlRejected("invalid MySQL: unclosed string, name or comment") from error
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    return tokens


def _check_nesting(tokens: Sequence[Token]) -> None:
    depth = deepest = 0
    for token in tokens:
        depth += BRACKETS.get(token.token_type, 0)
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


def check_width(query: exp.Query, schemas: Sequence[TableSchema]) -> None:
    """Raise SqlRejected for a query with too many tables or, once every ``*`` is expanded, too many columns.

    The columns of ``*`` over queries that join each other double with every step: a few lines could fill the memory.
    """
    tables = sum(1 for _ in query.find_all(exp.Table))
    if tables > MAX_TABLES:
        raise SqlRejected(f"too many tables: {tables}, at most {MAX_TABLES}; use IN or OR instead of UNION")
    _width(query, {s.name.casefold(): len(s.columns) for s in schemas})


def _width(query: exp.Expr, known: Mapping[str, int]) -> int:
    """Return the number of columns of a query, given the tables and common table expressions in scope."""
    if isinstance(query, exp.Subquery):
        return _source_width(query.this, known) + sum(_source_width(j.this, known) for j in _joins(query))
    with_ = query.args.get("with_")
    for cte in with_.expressions if with_ else []:
        known = {**known, cte.alias.casefold(): _width(cte.this, known)}
    if isinstance(query, exp.SetOperation):
        return max(_width(query.this, known), _width(query.expression, known))
    if not isinstance(query, exp.Select):
        return 1
    sources = {s.alias_or_name.casefold(): _source_width(s, known) for s in sources_of(query)}
    width = 0
    for projection in query.expressions:
        if isinstance(projection, exp.Star):
            width += sum(sources.values())
        elif isinstance(projection, exp.Column) and isinstance(projection.this, exp.Star):
            width += sources.get(projection.table.casefold(), 1)
        else:
            width += 1
    if width > MAX_COLUMNS:
        raise SqlRejected(f"too many columns in a query: {width}, at most {MAX_COLUMNS}; name columns instead of *")
    for inner in inner_queries(query):
        _width(inner, known)
    return width


def _source_width(source: exp.Expr, known: Mapping[str, int]) -> int:
    if not isinstance(source, exp.Table):
        return _width(source, known)
    return known.get(source.name.casefold(), 1) + sum(_source_width(j.this, known) for j in _joins(source))


def sources_of(select: exp.Select) -> list[exp.Expr]:
    """Return the sources in FROM and JOIN."""
    from_ = select.args.get("from_")
    return ([from_.this] if from_ else []) + [join.this for join in _joins(select)]


def _joins(node: exp.Expr) -> list[exp.Join]:
    return node.args.get("joins") or []


def inner_queries(select: exp.Select) -> list[exp.Expr]:
    """Return the outermost subqueries of a SELECT that are neither sources nor common table expressions."""
    found: list[exp.Expr] = []
    skipped = {id(s) for s in sources_of(select)} | {id(select.args.get("with_"))}

    def stop(node: exp.Expr) -> bool:
        return id(node) in skipped or (node is not select and isinstance(node, exp.Query))

    for node in select.dfs(prune=stop):
        if node is not select and isinstance(node, exp.Query) and id(node) not in skipped:
            found.append(node)
    return found

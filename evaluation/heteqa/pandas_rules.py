"""Checks pandas code before it reaches the sandbox: only some syntax, names and methods are allowed.

The code gets one DataFrame, ``df``, and assigns its answer to ``result`` or ends with it.
"""

import ast
import re

from tablerag.tools.errors import TableRagError

__all__ = ["PandasRejected", "program_of"]

MOST_CHARS = 4000
NODES = (
    ast.Module, ast.Assign, ast.Expr, ast.Name, ast.Load, ast.Store, ast.Constant, ast.Attribute, ast.Subscript,
    ast.Slice, ast.Call, ast.keyword, ast.Lambda, ast.arguments, ast.arg, ast.BinOp, ast.UnaryOp, ast.BoolOp,
    ast.Compare, ast.IfExp, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.GeneratorExp,
    ast.comprehension, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
BUILTINS = frozenset("abs all any bool float int len list max min range round set sorted str sum tuple zip".split())
FUNCTIONS = frozenset("pd.NA pd.Timestamp pd.concat pd.isna pd.merge pd.notna pd.to_datetime pd.to_numeric".split())
METHODS = frozenset(
    """
    abs agg aggregate all any apply assign astype at between ceil clip columns contains copy corr count cumcount
    cumsum date day days decode diff div drop_duplicates dropna dt duplicated empty endswith eq explode extract
    fillna filter findall first floor floordiv ge get_group groupby gt head iat idxmax idxmin iloc index is_unique
    isin isna item items join keys last le len loc lower lstrip lt map mask max mean median merge min mod mode month mul
    name ndim ne ngroups nlargest notna nsmallest nth nunique pow prod quantile rank rename replace reset_index
    round rstrip set_index shape shift size slice sort_index sort_values split squeeze startswith std str strip sub
    sum T tail title to_list tolist total_seconds transform unique upper value_counts values var where year
    """.split()
)
FORBIDDEN_TEXTS = re.compile(r"(to|read)_\w+|_\w*|eval|query|pipe")
"""Texts that agg() and similar methods would take as the name of a forbidden method."""


class PandasRejected(TableRagError):
    """The code uses something that is not allowed; the message may be shown to the model."""


def program_of(code: str) -> str:
    """Return the code as a program for the sandbox; raise PandasRejected for the first forbidden part."""
    tree = _checked(code)
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        tree.body[-1] = ast.Assign([ast.Name("result", ast.Store())], last.value)
    elif not any(isinstance(n, ast.Name) and (n.id, type(n.ctx)) == ("result", ast.Store) for n in ast.walk(tree)):
        raise PandasRejected("no answer: assign it to result, or end with an expression")
    return f"df = tables['df']\n{ast.unparse(ast.fix_missing_locations(tree))}\nanswer = result"


def _checked(code: str) -> ast.Module:
    if len(code) > MOST_CHARS:
        raise PandasRejected(f"the code has {len(code)} characters: expected at most {MOST_CHARS}")
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise PandasRejected(f"not valid Python: {error}") from error
    if not tree.body:
        raise PandasRejected("the code is empty")
    own = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    own |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    for node in ast.walk(tree):
        problem = _problem(node, own)
        if problem:
            raise PandasRejected(f"line {getattr(node, 'lineno', 1)}: {problem}")
    return tree


def _problem(node: ast.AST, own: set[str]) -> str:
    """Return why a part is not allowed, or ""."""
    if not isinstance(node, NODES):
        return f"{type(node).__name__} is not allowed: write assignments and expressions over df"
    if isinstance(node, ast.Name):
        if node.id.startswith("_"):
            return f"the name {node.id} is not allowed"
        if isinstance(node.ctx, ast.Load) and node.id not in {"df", "pd", *BUILTINS, *own}:
            return f"unknown name {node.id}: use df, pd and {', '.join(sorted(BUILTINS))}"
        if isinstance(node.ctx, ast.Store) and node.id in {"pd", *BUILTINS}:
            return f"{node.id} must not be reassigned"
    if isinstance(node, ast.Attribute):
        written = ast.unparse(node)
        if written.startswith("pd.") and written.count(".") == 1:
            return "" if written in FUNCTIONS else f"{written} is not allowed: use {', '.join(sorted(FUNCTIONS))}"
        if node.attr not in METHODS:
            return f"the method {node.attr} is not allowed"
        if isinstance(node.ctx, ast.Store):
            return "attributes must not be assigned"
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and FORBIDDEN_TEXTS.fullmatch(node.value):
        return f"the text {node.value[:40]!r} is not allowed"
    return ""

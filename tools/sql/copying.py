"""Copies of statements' syntax trees, in a third of the time that sqlglot's own ``copy()`` takes."""

from typing import TypeVar

from sqlglot import exp

__all__ = ["copied"]

E = TypeVar("E", bound=exp.Expr)


def copied(tree: E) -> E:
    """Return a copy of a tree, without comments; its parts share their types, which nothing changes in place."""
    root = type(tree)()
    stack: list[tuple[exp.Expr, exp.Expr]] = [(tree, root)]
    while stack:
        part, copy = stack.pop()
        # not by ``type``, which of a cast is the type that it casts to
        copy._type = part._type
        copy._meta = dict(part._meta) if part._meta else None
        for key, value in part.args.items():
            if isinstance(value, exp.Expr):
                stack.append((value, _below(copy, key, None, value)))
                copy.args[key] = stack[-1][1]
            elif isinstance(value, list):
                copy.args[key] = copies = []
                for index, item in enumerate(value):
                    if isinstance(item, exp.Expr):
                        stack.append((item, _below(copy, key, index, item)))
                        item = stack[-1][1]
                    copies.append(item)
            else:
                copy.args[key] = value
    return root


def _below(parent: exp.Expr, key: str, index: int | None, part: exp.Expr) -> exp.Expr:
    made = type(part)()
    made.parent, made.arg_key, made.index = parent, key, index
    return made

"""The reference pages that are made from the code: commands, settings and the settings of one run.

Each function returns Markdown; conf.py puts it where a page of docs/ has ``<!-- generated: NAME -->``.
"""

import inspect
from collections.abc import Callable, Iterator
from typing import Any, get_args, get_origin

import typer
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from tablerag.agent.context import Context
from tablerag.agent.disagreement import CONFLICT_CAUSES
from tablerag.agent.events import ANSWER_KEYS, StepEvent
from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.model.prompts import SYSTEM
from tablerag.cli.app import app
from tablerag.tools import errors as error_tree
from tablerag.tools.settings import Settings

__all__ = [
    "PAGES",
    "Command",
    "cli",
    "commands",
    "conflict_causes",
    "errors",
    "events",
    "filled",
    "settings",
    "variable_of",
]

Command = tuple[str, Any]
"""A command's whole name, such as ``tablerag eval report``, and its click object."""


def commands() -> Iterator[Command]:
    """Yield every command and group of the command line, in the order of its help."""
    yield from _below("tablerag", typer.main.get_command(app))


def _below(name: str, command: Any) -> Iterator[Command]:
    yield name, command
    if hasattr(command, "list_commands"):
        context = command.make_context(name, [], resilient_parsing=True)
        for child in command.list_commands(context):
            yield from _below(f"{name} {child}", command.get_command(context, child))


def cli() -> str:
    """Describe every command with its arguments and options."""
    described: dict[tuple[str, ...], str] = {}
    return "\n".join(_command(name, command, described) for name, command in commands() if not command.hidden)


def _command(name: str, command: Any, described: dict[tuple[str, ...], str]) -> str:
    """Describe one command; ``described`` has the commands so far by their options, which are not repeated."""
    context = command.make_context(name, [], resilient_parsing=True)
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    lines = [f"## `{name}`", "", inspect.cleandoc(command.help or ""), "", "```text", usage, "```", ""]
    records = [r for p in command.params if (r := p.get_help_record(context)) is not None]
    rows = tuple(f"| `{_spelled(shown)}` | {_cell(meaning)} |" for shown, meaning in records)
    first = described.setdefault(rows, name)
    if rows and first == name:
        lines += ["| argument or option | meaning |", "|---|---|", *rows, ""]
    elif rows:
        lines += [f"It takes the options of `{first}`.", ""]
    return "\n".join(lines)


def _spelled(shown: str) -> str:
    """Return an option as a user writes it: ``--limit N`` for ``--limit <int range>``."""
    option, _, kind = shown.partition(" <")
    if not kind or not option.startswith("-"):
        return option.replace("|", "\\|")
    return f"{option} {'N' if kind.startswith(('int', 'float')) else 'PATH' if kind.startswith('path') else 'TEXT'}"


def settings() -> str:
    """Describe every environment variable."""
    rows = [(variable_of(name, field), field) for name, field in Settings.model_fields.items()]
    return _table("variable", rows)


def variable_of(name: str, field: FieldInfo) -> str:
    """Return the environment variable that sets a field of Settings."""
    alias = field.validation_alias
    return alias.choices[0] if alias else f"TABLERAG_{name.upper()}"


def _context(model: type[BaseModel]) -> Callable[[], str]:
    return lambda: _table("field", list(model.model_fields.items()))


def _table(first: str, rows: list[tuple[str, FieldInfo]]) -> str:
    lines = [f"| {first} | type | default | meaning |", "|---|---|---|---|"]
    for name, field in rows:
        lines.append(f"| `{name}` | {_type(field)} | {_value(field)} | {_cell(field.description or '')} |")
    return "\n".join(lines)


def _type(field: FieldInfo) -> str:
    kind = field.annotation
    if kind is SecretStr or SecretStr in get_args(kind):
        return "secret"
    if get_origin(kind) is not None:
        return ", ".join(f"`{a}`" for a in get_args(kind))
    limits = {"Ge": ">= {0.ge}", "Gt": "> {0.gt}", "Le": "<= {0.le}", "Lt": "< {0.lt}"}
    bounds = [limits[type(m).__name__].format(m) for m in field.metadata if type(m).__name__ in limits]
    names = {"str": "text", "int": "integer", "float": "number", "bool": "true or false", "Path": "path"}
    return " ".join([names.get(kind.__name__, "JSON"), *bounds])


def _value(field: FieldInfo) -> str:
    if field.default in (None, "", PydanticUndefined):
        return ""
    return f"`{str(field.default).lower() if isinstance(field.default, bool) else field.default}`"


def errors() -> str:
    """List the errors with what they say of themselves."""
    found = "\n\n".join(
        f".. autoexception:: tablerag.tools.errors.{name}\n   :show-inheritance:" for name in error_tree.__all__
    )
    return f"```{{eval-rst}}\n{found}\n```"


def conflict_causes() -> str:
    """List why SQL and text may differ."""
    return "\n".join(
        ["| cause | meaning |", "|---|---|", *(f"| `{c}` | {w.meaning} |" for c, w in CONFLICT_CAUSES.items())]
    )


def events() -> str:
    """Describe every event of a run; keys of nested objects are in brackets."""
    rows = [
        f"| `{kind.model_fields['type'].default}` | {_cell(inspect.cleandoc(kind.__doc__ or '').replace('``', '`'))} "
        f"| {', '.join(_key(name, field) for name, field in kind.model_fields.items() if name != 'type')} |"
        for kind in get_args(StepEvent)
    ]
    last = f"| `answer` | The turn ends. | {', '.join(f'`{key}`' for key in ANSWER_KEYS)} |"
    return "\n".join(["| event (`type`) | when | keys beside `type` |", "|---|---|---|", *rows, last])


def _key(name: str, field: FieldInfo) -> str:
    inner = next((a for a in (*get_args(field.annotation), field.annotation) if hasattr(a, "model_fields")), None)
    return f"`{name}`" + (f" ({', '.join(f'`{k}`' for k in inner.model_fields)})" if inner else "")


def _cell(text: str) -> str:
    """Return a text as it can stand in a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


PAGES: dict[str, Callable[[], str]] = {
    "cli": cli,
    "settings": settings,
    "context": _context(Context),
    "hd_rag_context": _context(HdRagContext),
    "errors": errors,
    "conflict_causes": conflict_causes,
    "events": events,
    "rules": lambda: SYSTEM,
}


def filled(source: str) -> str:
    """Return a page's source with every generated part in its place."""
    for name, made in PAGES.items():
        mark = f"<!-- generated: {name} -->"
        if mark in source:
            source = source.replace(mark, made())
    return source

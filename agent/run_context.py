"""The base class of every graph's context."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Self, TypeVar

from langgraph.config import get_config
from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, ValidationError, model_validator

from tablerag.tools.errors import ConfigError

__all__ = ["RunContext", "check_fields", "context_of"]

MISSPELT = 0.75
"""The similarity from which on a key counts as a misspelt field."""


class RunContext(BaseModel):
    """The settings of one run; every field has a default.

    Raises ConfigError, in one line, for unknown fields and invalid values: served clients are shown its message.
    """

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _in_one_line(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if isinstance(given, Mapping):
            check_fields(cls, given)
        try:
            return handler(given)
        except ValidationError as error:
            problems = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
            raise ConfigError(f"invalid context: {problems}") from error


C = TypeVar("C", bound=RunContext)


def context_of(runtime: Runtime[Any], kind: type[C]) -> C:
    """Return the run's context: ``context=``, then ``configurable`` of the run's config, then the defaults.

    Raises ConfigError for an unknown field, and for a context of another system.
    """
    given = runtime.context
    if given is not None and not isinstance(given, kind):
        raise ConfigError(f"context must be a {kind.__name__} or a dict, got {type(given).__name__}")
    chosen = _configured(kind)
    if not chosen:
        return given or kind()
    return kind.model_validate(chosen | (given.model_dump(exclude_unset=True) if given else {}))


def check_fields(kind: type[RunContext], given: Mapping[str, Any]) -> None:
    """Raise ConfigError for the first key that is not a field; its message lists the fields."""
    unknown = next((key for key in given if key not in kind.model_fields), None)
    if unknown is not None:
        raise ConfigError(f"unknown context field {unknown!r}: expected one of {', '.join(kind.model_fields)}")


def _configured(kind: type[RunContext]) -> dict[str, Any]:
    """Return the fields in the run's ``configurable``.

    It also has keys of LangGraph, of its server and of enclosing graphs, so that only a key like a misspelt field is an
    error.
    """
    try:
        configurable = get_config().get("configurable", {})
    except RuntimeError:  # called outside of a run
        return {}
    others = [key for key in configurable if key not in kind.model_fields and not key.startswith("__")]
    check_fields(kind, {k: None for k in others if get_close_matches(k, kind.model_fields, 1, MISSPELT)})
    return {key: value for key, value in configurable.items() if key in kind.model_fields}

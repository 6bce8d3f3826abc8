"""The base class of every graph's context."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, ValidationError, model_validator

from tablerag.tools.errors import ConfigError

__all__ = ["RunContext"]


class RunContext(BaseModel):
    """The settings of one run; every field has a default.

    Raises ConfigError on one line for invalid values, because the server shows it to its clients.
    """

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _in_one_line(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(given)
        except ValidationError as error:
            problems = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
            raise ConfigError(f"invalid context: {problems}") from error

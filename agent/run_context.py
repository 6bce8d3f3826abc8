"""Settings that runs of every system share."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, ValidationError, model_validator

from tablerag.tools.errors import ConfigError

__all__ = ["RunContext"]


class RunContext(BaseModel):
    """Settings of one run; every field of a system's own has a default, so that none need be given.

    Raises ConfigError, in one line, for values that do not fit: served clients are shown it as it is.
    """

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _in_one_line(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(given)
        except ValidationError as error:
            problems = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
            raise ConfigError(f"the run's context is wrong: {problems}") from error

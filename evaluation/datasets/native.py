"""Reads native files as text or JSON; an error names the file and the place that does not fit."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError

from tablerag.tools.errors import ConfigError

__all__ = ["Filled", "Native", "first_error", "is_inside", "read_json", "read_json_lines", "read_text", "repeated"]


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


Filled = Annotated[str, AfterValidator(_filled)]
"""A text that is not blank."""


class Native(BaseModel):
    """A record of a native file; fields that nothing here needs are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def read_text(path: Path, wanted: str) -> str:
    """Read UTF-8 text without its byte order mark; raise ConfigError, naming the folder that was ``wanted``."""
    if not path.is_file():
        raise ConfigError(f"{path}: file not found: give the folder {wanted}")
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{path}, line {line}: not valid UTF-8: use the original file, or save it as UTF-8"
        ) from error


def read_json(path: Path, kind: TypeAdapter[Any], wanted: str) -> Any:
    """Read and validate JSON; raise ConfigError with the place that does not fit."""
    try:
        return kind.validate_python(json.loads(read_text(path, wanted)))
    except json.JSONDecodeError as error:
        raise ConfigError(f"{path}, line {error.lineno}: invalid JSON ({error.msg}): use the complete file") from error
    except ValidationError as error:
        raise ConfigError(f"{path}: {first_error(error)} (got {str(error.errors()[0]['input'])[:60]!r})") from error


def read_json_lines(path: Path, kind: TypeAdapter[Any], wanted: str) -> list[Any]:
    """Read and validate JSON lines, at least one; raise ConfigError with the line that does not fit."""
    found = []
    for number, line in enumerate(read_text(path, wanted).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append(kind.validate_python(json.loads(line)))
        except json.JSONDecodeError as error:
            raise ConfigError(f"{path}, line {number}: invalid JSON ({error.msg}): use the complete file") from error
        except ValidationError as error:
            raise ConfigError(f"{path}, line {number}: {first_error(error)}") from error
    if not found:
        raise ConfigError(f"{path}: contains no questions")
    return found


def first_error(error: ValidationError) -> str:
    """Describe the first thing that does not fit: ``3.answer: must not be blank``."""
    first = error.errors()[0]
    return ": ".join(p for p in (".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")) if p)


def repeated(ids: Iterable[str]) -> str | None:
    """Return the first id that occurs more than once."""
    return next((id_ for id_, count in Counter(ids).items() if count > 1), None)


def is_inside(path: str) -> bool:
    """Return whether a relative path stays inside the folder that it starts from."""
    parts = PurePosixPath(path.replace("\\", "/"))
    return not parts.is_absolute() and ".." not in parts.parts

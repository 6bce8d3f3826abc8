"""Native files read as text or JSON, with one line that names file and place where they do not fit."""

import json
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, TypeAdapter, ValidationError

from tablerag.tools.errors import ConfigError

__all__ = ["Filled", "lies_below", "read_json", "read_text"]


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text


Filled = Annotated[str, AfterValidator(_filled)]
"""A text that is not blank."""


def read_text(path: Path, wanted: str) -> str:
    """Read UTF-8 text, a byte order mark left out; raise ConfigError, saying what folder was ``wanted``."""
    if not path.is_file():
        raise ConfigError(f"{path}: not found; give the folder {wanted}")
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}, line {line}: is not UTF-8: give the file as it was released") from error


def read_json(path: Path, kind: TypeAdapter[Any], wanted: str) -> Any:
    """Read JSON of one kind; raise ConfigError naming the place that does not fit."""
    try:
        return kind.validate_python(json.loads(read_text(path, wanted)))
    except json.JSONDecodeError as error:
        raise ConfigError(f"{path}, line {error.lineno}: is no JSON: {error.msg}: give the whole file") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        said = first["msg"].removeprefix("Value error, ")
        raise ConfigError(f"{path}: {place}: {said} (got {str(first['input'])[:60]!r})") from error


def lies_below(path: str) -> bool:
    """Say whether a file's path as a set names it stays in the set's folder."""
    parts = PurePosixPath(path.replace("\\", "/"))
    return not parts.is_absolute() and ".." not in parts.parts

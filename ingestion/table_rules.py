"""Adds a rule to a folder's overrides that has answers use a table."""

from pathlib import Path

from tablerag.ingestion.overrides import OVERRIDES_FILE, rules_in
from tablerag.ingestion.report import write_whole
from tablerag.tools.errors import ConfigError
from tablerag.tools.left_out import USE_IT, rule_for
from tablerag.tools.records import TableSchema

__all__ = ["use_table"]


def use_table(folder: Path, schema: TableSchema) -> None:
    """Add a rule that has answers use a table to the overrides of a folder; what is in the file stays as it is.

    Raises ConfigError, with the rule to add by hand, if the file has a mistake, cannot be written, or does not end in
    its list of tables.
    """
    file, rule = folder / OVERRIDES_FILE, rule_for(schema)
    try:
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        wanted = _with_rule(file, text, rule)
        if wanted is None:
            raise ConfigError(f"{file} does not end in a list of tables. {USE_IT}:\n{rule}")
        write_whole(file, wanted)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be written: {error}. {USE_IT}:\n{rule}") from error


def _with_rule(file: Path, text: str, rule: str) -> str | None:
    """Return the text of an overrides file with one more rule at its end; None if it cannot be there."""
    before = rules_in(file, text)
    (new,) = rules_in(file, rule)
    indented = rule.partition("\n")[2]
    unindented = "\n".join(line.removeprefix("  ") for line in indented.splitlines())
    start = f"{text.rstrip()}\n" if text.strip() else ""
    for added in (indented, unindented, rule):
        whole = f"{start}{added}\n"
        try:
            after = rules_in(file, whole)
        except ConfigError:
            continue
        if after == (*before, new):
            return whole
    return None

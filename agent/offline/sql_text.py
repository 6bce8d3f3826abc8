"""Names and values as they are written in a statement."""

__all__ = ["like_safe", "literal", "name_of"]


def name_of(name: str) -> str:
    """Return a quoted identifier."""
    return f"`{name.replace('`', '``')}`"


def literal(value: str | float) -> str:
    """Return a value as a literal."""
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace("'", "''")
        return f"'{escaped}'"
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def like_safe(text: str) -> str:
    """Return a text for LIKE, in which % and _ match only themselves."""
    return text.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")

"""What the codes of a column stand for, as its description in knowledge.yaml or in a database says."""

__all__ = ["codes_told"]


def codes_told(about: str) -> dict[str, str]:
    """Return the meanings of codes in a column's description, by code.

    >>> codes_told("O: open; C: cancelled")
    {'O': 'open', 'C': 'cancelled'}
    """
    told = (part.partition(":") for part in about.split(";") if ":" in part)
    return {code.strip(): meaning.strip() for code, _, meaning in told if code.strip() and meaning.strip()}

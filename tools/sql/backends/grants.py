"""What the lines of MySQL's and MariaDB's SHOW GRANTS say."""

import re

__all__ = ["granted_role", "reads_beyond", "writing_privileges"]

HARMLESS = frozenset({"USAGE", "SELECT", "SHOW VIEW", "SHOW DATABASES", "PROCESS"})
"""Privileges that cannot change anything."""


def writing_privileges(grant: str) -> set[str]:
    """Return the privileges beyond reading that a line of SHOW GRANTS names; granting rights is one."""
    handed_on = {"GRANT OPTION"} if re.search(r" WITH (GRANT|ADMIN) OPTION\b", grant) else set()
    return (_privileges(grant) - HARMLESS) | handed_on


def granted_role(grant: str) -> str:
    """Return the role that a line of SHOW GRANTS gives, as quoted there; empty if none."""
    found = re.match(r"GRANT ((?:`[^`]+`|'[^']+')(?:@(?:`[^`]*`|'[^']*'))?) TO ", grant)
    return found[1] if found else ""


def reads_beyond(grant: str, database: str) -> bool:
    """Tell whether a line of SHOW GRANTS lets its user read other databases than this one."""
    found = re.search(r" ON (?:TABLE )?(\S+?)\.\S+ TO ", grant)
    if not found or _privileges(grant) <= {"USAGE"}:
        return False
    name = found[1].strip("`").replace("\\\\", "\\").replace("\\_", "_").replace("\\%", "%")
    return name != database


def _privileges(grant: str) -> set[str]:
    """Return the privileges that a line of SHOW GRANTS names; none for a line that grants a role."""
    granted, on, _ = grant.removeprefix("GRANT ").partition(" ON ")
    if not on:
        return set()
    return {p.partition("(")[0].strip().upper() for p in _without_columns(granted).split(",")}


def _without_columns(granted: str) -> str:
    """Remove the column lists: "SELECT (a, b), INSERT" becomes "SELECT , INSERT"."""
    depth, kept = 0, []
    for character in granted:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not depth and character != ")":
            kept.append(character)
    return "".join(kept)

"""Sessions on MySQL and MariaDB: driver options, and the limits set on each connection."""

import re
from typing import Any

__all__ = [
    "PATTERN_GIVEN_UP",
    "TIMED_OUT",
    "UNREACHABLE",
    "client_gave_up",
    "granted_role",
    "limits_for",
    "reader_options",
    "reads_beyond",
    "writer_options",
    "writer_set_up",
    "writing_privileges",
]

COLLATION = "utf8mb4_unicode_ci"
"""MySQL's own default, utf8mb4_0900_ai_ci, is unknown to MariaDB."""
CONNECT_S = 10
RECURSION_CAP = 1000
MAX_JOINED_TEXT = 262_144

HARMLESS = frozenset({"USAGE", "SELECT", "SHOW VIEW", "SHOW DATABASES", "PROCESS"})
"""Privileges with which nothing can be changed."""
TIMED_OUT = frozenset({1317, 1969, 3024})
"""Error numbers of a statement that was ended: interrupted, MariaDB's and MySQL's time limit."""
PATTERN_GIVEN_UP = 1139
"""MariaDB's warning of a regular expression that it did not finish; MySQL raises an error."""
UNREACHABLE = frozenset({1040, 1044, 1045, 1049, 1129, 1130, 1226, 2002, 2003, 2005, 2006, 2013, 2055})
"""Error numbers that say the server or the database is not to be had, whatever the statement."""


def writer_options() -> dict[str, Any]:
    """Return the driver's options for reading and writing."""
    from mysql.connector.constants import ClientFlag  # here: SQLite has no use for the driver

    # The defaults would run "SELECT 1; DROP TABLE t" as two statements, and read files for the server.
    flags = ClientFlag.get_default() & ~ClientFlag.MULTI_STATEMENTS & ~ClientFlag.LOCAL_FILES
    return {
        # The C extension silently fails to load where OpenSSL is older than 3.2.
        "use_pure": True,
        "client_flags": flags | ClientFlag.FOUND_ROWS,
        "allow_local_infile": False,
        "collation": COLLATION,
        "connection_timeout": CONNECT_S,
    }


def reader_options(seconds: float) -> dict[str, Any]:
    """Return the driver's options for guarded SELECTs; the client gives up after that many seconds."""
    return {**writer_options(), "read_timeout": max(1, round(seconds))}


def client_gave_up(error: BaseException | None) -> bool:
    """Tell whether the client stopped waiting; the statement then still runs on the server."""
    from mysql.connector.errors import ReadTimeoutError

    return isinstance(error, ReadTimeoutError)


def writer_set_up() -> list[str]:
    """Return the statements that set up a read-write session: no value is cut or bent to fit."""
    return ["SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'"]


def limits_for(version: str, timeout_s: float) -> list[str]:
    """Return the statements that limit a session, on a server of that version, to bounded reading."""
    seconds = max(timeout_s, 0.001)
    if "mariadb" in version.casefold():
        bounds = [f"max_statement_time = {seconds:.3f}", f"max_recursive_iterations = {RECURSION_CAP}"]
    else:
        bounds = [f"max_execution_time = {int(seconds * 1000)}", f"cte_max_recursion_depth = {RECURSION_CAP}"]
    return [
        # Without ONLY_FULL_GROUP_BY, a column outside GROUP BY silently shows any row's value.
        "SET SESSION sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
        *(f"SET SESSION {bound}" for bound in bounds),
        f"SET SESSION lock_wait_timeout = {max(1, round(seconds))}",
        f"SET SESSION group_concat_max_len = {MAX_JOINED_TEXT}",
        # The default cuts quotients and averages at four digits more than their operands have.
        "SET SESSION div_precision_increment = 12",
        "SET SESSION TRANSACTION READ ONLY",
    ]


def writing_privileges(grant: str) -> set[str]:
    """Return the privileges beyond reading that a line of SHOW GRANTS names; to hand rights on is one."""
    handed_on = {"GRANT OPTION"} if re.search(r" WITH (GRANT|ADMIN) OPTION\b", grant) else set()
    return (_privileges(grant) - HARMLESS) | handed_on


def granted_role(grant: str) -> str:
    """Return the role that a line of SHOW GRANTS gives, quoted as it stands there, or nothing."""
    found = re.match(r"GRANT ((?:`[^`]+`|'[^']+')(?:@(?:`[^`]*`|'[^']*'))?) TO ", grant)
    return found[1] if found else ""


def reads_beyond(grant: str, database: str) -> bool:
    """Tell whether a line of SHOW GRANTS gives reading of other databases than that one."""
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
    """Take the column lists off: "SELECT (a, b), INSERT" becomes "SELECT , INSERT"."""
    depth, kept = 0, []
    for character in granted:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not depth and character != ")":
            kept.append(character)
    return "".join(kept)

"""Functions and macros of the rules for DuckDB as expressions of PostgreSQL; what is not here is refused."""

import re
import secrets

from tablerag.tools.errors import SqlRejected

__all__ = ["FOLDING", "LITERAL_SIZES", "MOST_SIZE", "MYSQL_NAMES", "PLAIN", "SHAPES", "date_format", "folded"]

FOLDING = f"fold__{secrets.token_hex(16)}"
"""What stands for the collation that knows the case of all letters; no statement can hold it: the number is secret."""
NUMBER = r"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)"
"""Matches the number that a text begins with; PostgreSQL returns the first group."""
REAL = "DOUBLE PRECISION"
_DOW, _DOY = "CAST(EXTRACT(DOW FROM {0}) AS INTEGER)", "CAST(EXTRACT(DOY FROM {0}) AS INTEGER)"
_ANCHOR = f"(CAST({{0}} AS DATE) - ({_DOW} + 7 - {{1}}) % 7 + {{2}})"
_MONTHS = (
    "((EXTRACT(YEAR FROM {1}) - EXTRACT(YEAR FROM {0})) * 12 + EXTRACT(MONTH FROM {1}) - EXTRACT(MONTH FROM {0}) - "
    "CASE WHEN TO_CHAR({1}, 'DDHH24MISSUS') < TO_CHAR({0}, 'DDHH24MISSUS') THEN 1 ELSE 0 END)"
)


def _swapped(template: str) -> str:
    return template.replace("{0}", "{x}").replace("{1}", "{0}").replace("{x}", "{1}")


def _of_anchor(template: str) -> str:
    return template.replace("{0}", _ANCHOR)


PLAIN = frozenset(
    """
    coalesce nullif abs pi sin cos tan cot atan atan2 degrees radians lower ltrim rtrim trim length left right reverse
    split_part concat_ws sum avg stddev_pop stddev_samp var_pop var_samp string_agg min floor ceil grouping row sign
    count
    """.split()
)
"""Functions with the same name and result."""
SHAPES: dict[str, str] = {
    "strlen": "OCTET_LENGTH({0})",
    "substring": "SUBSTRING({0} FROM {1} FOR LEAST({2}, 100000000))",
    "instr": "STRPOS({0}, {1})",
    "m_upper": "UPPER({0})",
    "m_replace": "REPLACE({0}, {1}, {2})",
    "m_left": "CASE WHEN {1} > 0 THEN LEFT({0}, CAST({1} AS INTEGER)) WHEN {1} <= 0 AND {0} IS NOT NULL THEN '' END",
    "m_right": "CASE WHEN {1} > 0 THEN RIGHT({0}, CAST({1} AS INTEGER)) WHEN {1} <= 0 AND {0} IS NOT NULL THEN '' END",
    "m_size": "CASE WHEN {0} > 100000000 THEN 100000000 ELSE {0} END",
    "m_substring": (
        "CASE WHEN {1} = 0 OR {1} < -LENGTH({0}) OR {1} > LENGTH({0}) OR {2} <= 0 THEN '' WHEN {1} > 0 THEN "
        "SUBSTRING({0} FROM CAST({1} AS INTEGER) FOR CAST({2} AS INTEGER)) ELSE SUBSTRING({0} FROM "
        "CAST(LENGTH({0}) + {1} + 1 AS INTEGER) FOR CAST({2} AS INTEGER)) END"
    ),
    "m_lpad": "LPAD({0}, {1}, {2})",
    "m_rpad": "RPAD({0}, {1}, {2})",
    "m_joined_text": "{0}",
    "m_moved": "CASE WHEN {0} + {1} < TIMESTAMP '10000-01-01' THEN {0} + {1} END",
    "m_step": "{0}",
    # Numbers.
    "m_div": f"(CAST({{0}} AS {REAL}) / NULLIF(CAST({{1}} AS {REAL}), 0))",
    "m_mul": "(CAST({0} AS NUMERIC) * {1})",
    "m_mod": "MOD(CAST({0} AS NUMERIC), NULLIF(CAST({1} AS NUMERIC), 0))",
    "m_whole_div": "({0} / NULLIF({1}, 0))",
    "m_div_whole": "CAST(TRUNC(CAST({0} AS NUMERIC) / NULLIF(CAST({1} AS NUMERIC), 0)) AS BIGINT)",
    "m_exact": f"CAST(CAST({{0}} AS {REAL}) AS NUMERIC)",
    "m_quotient_text": f"CAST(TRIM_SCALE(CAST(CAST({{0}} AS {REAL}) AS NUMERIC)) AS TEXT)",
    "m_double_text": f"CAST(CAST({{0}} AS {REAL}) AS TEXT)",
    "m_number": (
        f"CASE WHEN {{0}} IS NOT NULL THEN CAST(COALESCE(SUBSTRING({{0}} FROM '{NUMBER}'), '0') AS {REAL}) END"
    ),
    "m_exact_text": f"CASE WHEN {{0}} IS NOT NULL THEN COALESCE(SUBSTRING({{0}} FROM '{NUMBER}'), '0') END",
    "m_signed": (
        "CASE WHEN {0} IS NOT NULL THEN CAST(COALESCE(SUBSTRING({0} FROM '^\\s*([-+]?\\d{1,18})'), '0') AS BIGINT) END"
    ),
    # LEAST and GREATEST leave NULL out.
    "m_decimal": "CASE WHEN {0} IS NOT NULL THEN LEAST(GREATEST(ROUND(CAST({0} AS NUMERIC), {1}), {3}), {2}) END",
    "m_bits": "CASE WHEN {0} < 0 THEN {0} + 18446744073709551616 ELSE {0} END",
    "round": "ROUND(CAST({0} AS NUMERIC), {1})",
    "trunc": "TRUNC(CAST({0} AS NUMERIC), {1})",
    "round_even": f"(ROUND(CAST({{0}} AS {REAL}) * POWER(10::{REAL}, {{1}})) / POWER(10::{REAL}, {{1}}))",
    "m_sqrt": "CASE WHEN {0} >= 0 THEN SQRT({0}) END",
    "m_ln": "CASE WHEN {0} > 0 THEN LN({0}) END",
    "m_log10": "CASE WHEN {0} > 0 THEN LOG({0}) END",
    "m_log2": "CASE WHEN {0} > 0 THEN LN({0}) / LN(2) END",
    "m_log": "CASE WHEN {0} > 0 AND {0} <> 1 AND {1} > 0 THEN LN({1}) / LN({0}) END",
    "m_exp": "EXP({0})",
    "m_pow": "CASE WHEN NOT ({0} < 0 AND {1} <> FLOOR({1})) THEN POWER({0}, {1}) END",
    "median": "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {0})",
    # Dates.
    "year": "CAST(EXTRACT(YEAR FROM {0}) AS BIGINT)",
    "month": "CAST(EXTRACT(MONTH FROM {0}) AS BIGINT)",
    "day": "CAST(EXTRACT(DAY FROM {0}) AS BIGINT)",
    "quarter": "CAST(EXTRACT(QUARTER FROM {0}) AS BIGINT)",
    "dayofyear": "CAST(EXTRACT(DOY FROM {0}) AS BIGINT)",
    "hour": "CAST(EXTRACT(HOUR FROM {0}) AS BIGINT)",
    "minute": "CAST(EXTRACT(MINUTE FROM {0}) AS BIGINT)",
    "second": "CAST(FLOOR(EXTRACT(SECOND FROM {0})) AS BIGINT)",
    "m_day_of_week": f"CAST({_DOW} + 1 AS BIGINT)",
    "m_weekday": "CAST(EXTRACT(ISODOW FROM {0}) - 1 AS BIGINT)",
    "m_week": f"CAST(({_DOY} - ({_DOW} + 7 - {{1}}) % 7 + {{2}} + 6) / 7 AS BIGINT)",
    "m_week_of_year": f"CAST(({_of_anchor(_DOY)} + 6) / 7 AS BIGINT)",
    "m_yearweek": f"CAST({_of_anchor('EXTRACT(YEAR FROM {0})')} * 100 + ({_of_anchor(_DOY)} + 6) / 7 AS BIGINT)",
    "dayname": "TO_CHAR({0}, 'FMDay')",
    "monthname": "TO_CHAR({0}, 'FMMonth')",
    "last_day": "CAST(DATE_TRUNC('month', {0}) + INTERVAL '1 month' - INTERVAL '1 day' AS DATE)",
    "date_diff": "CAST(CAST({2} AS DATE) - CAST({1} AS DATE) AS BIGINT)",
    "m_days_of_era": "CAST(CAST({0} AS DATE) - DATE '1970-01-01' + 719527 AS BIGINT)",
    "m_date_number": "CAST(TO_CHAR({0}, 'YYYYMMDD') AS BIGINT)",
    "m_datetime_number": "CAST(TO_CHAR({0}, 'YYYYMMDDHH24MISS') AS BIGINT)",
    "m_months": "MAKE_INTERVAL(MONTHS => CAST(ROUND({0}) * {1} AS INTEGER))",
    "m_days": "MAKE_INTERVAL(DAYS => CAST(ROUND({0}) * {1} AS INTEGER))",
    "m_microseconds": f"(CAST(ROUND({{0}} * {{1}}) AS {REAL}) * INTERVAL '1 microsecond')",
    "m_whole_microseconds": f"(CAST(ROUND({{0}}) * {{1}} AS {REAL}) * INTERVAL '1 microsecond')",
    "to_months": "MAKE_INTERVAL(MONTHS => {0})",
    "to_microseconds": f"(CAST({{0}} AS {REAL}) * INTERVAL '1 microsecond')",
    "m_months_between": (
        f"CAST(CASE WHEN {{1}} >= {{0}} THEN TRUNC({_MONTHS} / {{2}}) ELSE -TRUNC({_swapped(_MONTHS)} / {{2}}) END "
        "AS BIGINT)"
    ),
    "m_time_between": "CAST(TRUNC(EXTRACT(EPOCH FROM ({1} - {0})) * 1000000 / {2}) AS BIGINT)",
}
"""Templates by name, with the arguments by place."""
LITERAL_SIZES = {"m_lpad": 1, "m_rpad": 1}
"""Functions that could make a text of any length, with the argument that has to be a small number."""
MOST_SIZE = 10_000
MYSQL_NAMES = {
    "m_moment": "a text as a date",
    "m_time": "TIME",
    "m_clock": "TIME",
    "m_clock_part": "TIME",
    "m_joined_sorted": "GROUP_CONCAT(DISTINCT ...)",
    "m_joined_distinct": "GROUP_CONCAT(DISTINCT ...)",
    "m_substring_index": "SUBSTRING_INDEX",
    "m_repeat": "REPEAT",
    "m_locate": "LOCATE from a place",
    "m_shifted_text": "an interval added to a text",
    "m_format": "FORMAT",
    "regexp_matches": "REGEXP",
    "regexp_replace": "REGEXP_REPLACE",
    "regexp_extract": "REGEXP_SUBSTR",
    "m_from_unix": "FROM_UNIXTIME",
    "m_unix": "UNIX_TIMESTAMP",
}
"""What a refused macro is on MySQL, where its name does not tell."""
CODES = {
    "%Y": "YYYY", "%y": "YY", "%m": "MM", "%-m": "FMMM", "%d": "DD", "%-d": "FMDD", "%H": "HH24", "%-H": "FMHH24",
    "%I": "HH12", "%-I": "FMHH12", "%M": "MI", "%S": "SS", "%f": "US", "%p": "AM", "%b": "Mon", "%B": "FMMonth",
    "%a": "Dy", "%A": "FMDay", "%j": "DDD", "%G": "IYYY", "%V": "IW",
}  # fmt: skip
CODE = re.compile(r"%-?.|[^%]+", re.DOTALL)


def date_format(codes: str) -> str:
    """Return a format of strftime as one of TO_CHAR, in quotes."""
    made = ""
    for piece in CODE.findall(codes):
        if piece in CODES:
            made += CODES[piece]
        elif piece == "%%":
            made += '"%"'
        elif piece[0] == "%":
            raise SqlRejected(f"DATE_FORMAT with {piece} is not available on PostgreSQL")
        else:
            made += '"' + piece.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return "'" + made.replace("'", "''") + "'"


def folded(text: str) -> str:
    """Return a text without case and accents, which compares by its characters."""
    bare = f"REGEXP_REPLACE(NORMALIZE({text}, NFD), '[\u0300-\u036f]', '', 'g')"
    return f"(TRANSLATE(LOWER({bare} COLLATE \"{FOLDING}\"), 'øłđħ', 'oldh') COLLATE \"C\")"

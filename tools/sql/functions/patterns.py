"""Regular expressions with RE2, which takes linear time: no pattern can run for ever."""

import re
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any

import re2

from tablerag.tools.sql.functions.refusals import Refused
from tablerag.tools.sql.functions.time_limit import check_time
from tablerag.tools.sql.functions.values import text_of

__all__ = ["PATTERN_FUNCTIONS", "PatternRefused", "compiled"]

Value = Any
LONGEST_PATTERN = 1_000
LONGEST_TEXT = 1_000_000
LONGEST_REPLACEMENT = 10_000
LONGEST_RESULT = 1_000_000
KEPT = 24
"""Compiled patterns, each of which may take MEMORY; more only come from a column of patterns."""
SHORT = 64
MEMORY = 4 << 20
"""Bytes for the automaton of one pattern."""
MOST_WORK = 50_000_000
"""Characters of a text times states of a pattern: up to a second where the automaton does not fit in MEMORY."""
ALWAYS_FAST = 10_000
"""Characters of a text on which every pattern that compiles is fast."""

OUTSIDE = {
    "d": r"\p{Nd}",
    "D": r"\P{Nd}",
    "w": r"[\p{L}\p{N}\p{Mn}_]",
    "W": r"[^\p{L}\p{N}\p{Mn}_]",
    "s": r"[\s\v\p{Z}]",
    "S": r"[^\s\v\p{Z}]",
    "Z": r"(?:\n?\z)",
}
WITHIN = {"d": r"\p{Nd}", "D": r"\P{Nd}", "w": r"\p{L}\p{N}\p{Mn}_", "s": r"\s\v\p{Z}"}
POSIX = {
    "alpha": r"\p{L}",
    "digit": r"\p{Nd}",
    "alnum": r"\p{L}\p{N}",
    "upper": r"\p{Lu}",
    "lower": r"\p{Ll}",
    "space": r"\s\v\p{Z}",
    "punct": r"\p{P}$+<=>^`|~",
}
"""In RE2 these classes are ASCII only; in MySQL and MariaDB they include all letters."""
TOKEN = re.compile(r"\[\[:[<>]:\]\]|\[:(\w+):\]|\\(.)|[\[\]$]", re.DOTALL)
REASONS = (
    (r"\(\?[=!]|\(\?<[=!]", "lookahead and lookbehind are not available"),
    (r"\\[1-9]|\\k|\\g", "back-references are not available"),
    (r"[*+?}]\+|\(\?>", "possessive and atomic groups are not available"),
)


class PatternRefused(Refused):
    """A regular expression is invalid or not supported; the message is the reason."""


class Pattern:
    """A compiled pattern, and whether it uses word boundaries."""

    def __init__(self, pattern: str) -> None:
        options = re2.Options()
        options.case_sensitive = False
        options.log_errors = False
        options.max_mem = MEMORY
        translated, self.bounded = _translated(pattern)
        self.found = re2.compile(translated, options)
        self.pattern = pattern

    @cached_property
    def states(self) -> int:
        """The number of states without those of Unicode's classes, of which a text only ever enters a few."""
        options = re2.Options()
        options.log_errors = False
        options.encoding = re2.Options.Encoding.LATIN1
        try:
            return int(re2.compile(self.pattern.encode(), options).programsize)
        except re2.error:  # MySQL's own syntax, such as [[:<:]]
            return int(self.found.programsize)

    def search(self, text: str) -> Any:
        """Return the first match, or None."""
        return self.found.search(self.checked(text))

    def matches(self, text: str) -> bool:
        """Return whether the text has a match; in bytes, which is faster than in characters."""
        return self.found.search(self.checked(text).encode()) is not None

    def checked(self, text: str) -> str:
        """Return the text; raise PatternRefused if the result would differ from MySQL's."""
        if len(text) > LONGEST_TEXT:
            raise PatternRefused(f"text too long for a regular expression: at most {LONGEST_TEXT:,} characters")
        if len(text) > ALWAYS_FAST and len(text) * self.states > MOST_WORK:
            raise PatternRefused("regular expression too complex for a long text: shorten the text or the expression")
        if self.bounded and not text.isascii() and any(c.isalnum() for c in text if c > "\x7f"):
            raise PatternRefused(r"\b only supports ASCII letters: write (^|[^[:alnum:]]) and ([^[:alnum:]]|$)")
        return text


@lru_cache(maxsize=KEPT)
def compiled(pattern: str) -> Pattern:
    """Compile a MySQL pattern; raise PatternRefused if RE2 cannot run it."""
    if len(pattern) > LONGEST_PATTERN:
        raise PatternRefused(f"regular expression too long: at most {LONGEST_PATTERN:,} characters")
    try:
        return Pattern(pattern)
    except re2.error as error:
        message = error.args[0] if error.args else b""
        detail = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
        reason = next((r for sign, r in REASONS if re.search(sign, pattern)), detail)
        raise PatternRefused(f"invalid regular expression {pattern[:60]!r}: {reason}") from error


def _translated(pattern: str) -> tuple[str, bool]:
    """Return the pattern in RE2's syntax, and whether it uses word boundaries."""
    within, bounded, multiline = False, False, bool(re.search(r"\(\?[a-z]*m", pattern))
    pieces, at = [], 0
    for found in TOKEN.finditer(pattern):
        pieces.append(pattern[at : found.start()])
        at, token, escaped = found.end(), found.group(), found[2]
        if token in ("[[:<:]]", "[[:>:]]"):
            bounded, token = True, r"\b"
        elif found[1] and within:
            token = POSIX.get(found[1], token)
        elif escaped:
            bounded = bounded or (escaped in "bB" and not within)
            token = (WITHIN if within else OUTSIDE).get(escaped, token)
        elif token == "$" and not within and not multiline:
            token = r"(?:\n?\z)"
        elif token in "[]":
            within = _still_within(token, pieces, within)
        pieces.append(token)
    return "".join((*pieces, pattern[at:])), bounded


def _still_within(token: str, before: list[str], within: bool) -> bool:
    """Return whether a bracket leaves a class open: "]" right after "[" or "[^" is a member of it."""
    if token == "[":
        return True
    written = "".join(before)
    return within and written.endswith(("[", "[^")) and not written.endswith(r"\[")


def _regexp(pattern: Value, text: Value) -> bool:
    sought, whole = text_of(pattern), text_of(text)
    return _matches(sought, whole) if len(whole) <= SHORT else compiled(sought).matches(whole)


@lru_cache(maxsize=4_096)
def _matches(pattern: str, text: str) -> bool:
    """Cache short texts: columns of categories repeat a few values."""
    return compiled(pattern).matches(text)


def _replace(text: Value, pattern: Value, new: Value) -> str:
    found = compiled(text_of(pattern))
    whole = found.checked(text_of(text))
    pieces = _replacement(text_of(new))
    groups = found.found.groups
    if any(isinstance(p, int) and p > groups for p in pieces):
        raise PatternRefused("the replacement refers to a group that is not in the regular expression")

    made: list[str] = []
    at = size = 0
    for match in found.found.finditer(whole):
        check_time()
        new_text = "".join(str(match.group(p) or "") if isinstance(p, int) else p for p in pieces)
        made += (whole[at : match.start()], new_text)
        at, size = match.end(), size + match.start() - at + len(new_text)
        if size > LONGEST_RESULT:
            raise PatternRefused(f"result of REGEXP_REPLACE too long: at most {LONGEST_RESULT:,} characters")
    return "".join((*made, whole[at:]))


@lru_cache(maxsize=KEPT)
def _replacement(new: str) -> tuple[str | int, ...]:
    """Split a replacement at its groups: $1 in MySQL, \\1 in MariaDB; raise PatternRefused for a long one."""
    if len(new) > LONGEST_REPLACEMENT:
        raise PatternRefused(f"replacement too long: at most {LONGEST_REPLACEMENT:,} characters")
    pieces: list[str | int] = []
    for literal, group, escaped in re.findall(r"([^$\\]+|[$\\](?![\d$\\]))|[$\\](\d)|\\([$\\])", new):
        pieces.append(int(group) if group else literal or escaped)
    return tuple(pieces)


def _substr(text: Value, pattern: Value) -> str | None:
    found = compiled(text_of(pattern)).search(text_of(text))
    return found.group() or None if found else None


def _instr(text: Value, pattern: Value) -> int:
    found = compiled(text_of(pattern)).search(text_of(text))
    return found.start() + 1 if found else 0


PATTERN_FUNCTIONS: dict[str, tuple[int, Callable[..., Value]]] = {
    "m_regexp": (2, _regexp),
    "m_regexp_replace": (3, _replace),
    "m_regexp_substr": (2, _substr),
    "m_regexp_instr": (2, _instr),
}

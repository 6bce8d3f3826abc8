"""Fuzz the calculator with random formulas: python -m benchmarks.calculator_fuzz --cases 100000 [--seed 1]

Each case is built by a grammar, with huge exponents, long digits, deep brackets, units, scales, separators and other
scripts' digits, or is such a formula with characters or bytes changed. calculate() must return a finite number or raise
FormulaRefused with one short line, within SLOW_S of CPU time and MOST_BYTES of memory. What a formula of the grammar
comes to is computed a second time, by fractions and without the calculator's parser or decimals: a number that is
returned must be that one and have its unit, and a formula that is small and plain must not be refused. A changed one
that still consists of short numbers, + - * / and brackets is computed by Python. Anything else is printed, and the exit
status is 1.
"""

import argparse
import random
import re
import sys
import time
import tracemalloc
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

from tablerag.tools.calculator import Calculation, calculate
from tablerag.tools.errors import FormulaRefused

__all__ = ["Formula", "changed", "formula", "main", "mutated", "trouble"]

SLOW_S = 0.1
MOST_BYTES = 50_000_000
TRIES = 3
"""A case that took too long is tried again, as a machine may be busy."""
EXACT = Context(prec=60)
CLOSE = Fraction(1, 10**22)
"""Relative error of a result: of 34 digits, some are lost by differences, which are bounded by SAFE."""
SAFE = 10**9
"""Formulas whose parts stay below it, and above its inverse, must be computed, and are compared."""
SHORT = re.compile(r"(?!.*(\d{9}|\*\s*\*|/\s*/))[\d.+*/() -]{1,120}", re.ASCII)
"""What Python computes alike: without powers, and without so many digits that differences lose them."""
PIECES = (
    *"0123456789+-*/^%()[]{},.;:=#$€£_ '\"\\eE~!<>&|@?xkmbt", "**", "//", "==", "e9", "1e999", "E-400", "0x1f", "1_0",
    "\u00a0", "\u202f", "\u2009", "\u2212", "\u2013", "×", "÷", "⁄", "％", "‰", "（", "）", "\u0664", "\u06f5", "२",
    "\uff13", "²", "½", "Ⅷ", "\U0001d7d8", "万", "億", "\x00", "\n", "\u202e", "\ud800", "NaN", "inf", "million",
    "percent", "bps", "billion", "EUR", "USD", "CHF", "sum(", "round(", "average(", "max(", "abs(", "__class__",
    "lambda:", " if ", " for ", "import", "1,234", "1.234,56", "1'000",
)  # fmt: skip
GROWTH = (
    "9**99", "9**9**9", "(9**30)**30", "2**-99999999999", "10**30*10**30", "1e30**2", "0.1**100", "1.000001**100",
    "9" * 34, "9" * 35, "0." + "0" * 33 + "1", "1e-30", "1e30", "1/3", "(1/3)**100", "2**0.5", "(0-2)**0.5", "0**0",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula of the grammar, and what it comes to."""

    text: str
    value: Fraction | None
    """None where a root, or a part beyond SAFE, is not computed a second time."""
    unit: str = ""
    plain: bool = False
    """Whether it consists of bare numbers and operators, and so must not be refused."""


def formula(chance: random.Random) -> Formula:
    """Return a formula of the grammar, in which any part may be hostile or too large."""
    made = _part(chance, chance.choice((1, 1, 2, 3, 4)))
    if chance.random() < 0.1:
        times = chance.randrange(1, 60)
        opening, closing = "(" * times, ")" * times
        return Formula(opening + made.text + closing, made.value, made.unit)
    if chance.random() < 0.05:
        times = chance.randrange(2, 200)
        value = made.value * times if made.value is not None else None
        return Formula("+".join([f"({made.text})"] * times), value, made.unit)
    if chance.random() < 0.1:
        return Formula(f"{made.text} = {chance.randrange(100)}", made.value, made.unit)
    return made


def _part(chance: random.Random, depth: int) -> Formula:
    if not depth or chance.random() < 0.15:
        return _number(chance)
    if chance.random() < 0.12:
        return _call(chance, depth)
    if chance.random() < 0.04:
        return Formula(f"({chance.choice(GROWTH)})", None)
    if chance.random() < 0.1:
        inner = _part(chance, depth - 1)
        minus = chance.choice("-\u2212\u2013")
        return Formula(
            f"({minus}({inner.text}))", None if inner.value is None else -inner.value, inner.unit, inner.plain
        )
    left, right = _part(chance, depth - 1), _part(chance, depth - 1)
    sign = chance.choice(("+", "-", "*", "/", "**", "+", "-", "*", "/"))
    written = {"-": "-\u2212", "*": "*×·", "/": "/÷⁄"}.get(sign)
    text = f"({left.text}) {chance.choice(written) if written else sign} ({right.text})"
    value, unit = _combined(left, sign, right)
    return Formula(text, value, unit, left.plain and right.plain and value is not None)


def _combined(left: Formula, sign: str, right: Formula) -> tuple[Fraction | None, str]:
    """Return a result and its unit; None where it is undefined, not computed here, or beyond SAFE."""
    a, b, units = left.value, right.value, {left.unit, right.unit}
    if a is None or b is None:
        return None, ""
    currencies = units - {"", "%"}
    if sign in "+-":
        if len(units) > 1 and "" not in units:
            return None, ""
        unit = left.unit if len(units) == 1 else "" if "%" in units else currencies.pop()
        return _safe(a + b if sign == "+" else a - b), unit
    if sign == "*":
        both = left.unit == right.unit != "" and bool(currencies)
        return (None, "") if both or len(currencies) > 1 else (_safe(a * b), currencies.pop() if currencies else "")
    if sign == "/":
        if not b or right.unit not in ("", "%", left.unit):
            return None, ""
        return _safe(a / b), "" if left.unit == right.unit or (left.unit == "%" and right.unit) else left.unit
    if currencies or b.denominator != 1 or abs(b) > 20 or not a:
        return None, ""
    return _safe(a ** int(b)), ""


def _safe(value: Fraction) -> Fraction | None:
    return value if not value or Fraction(1, SAFE) < abs(value) < SAFE else None


def _number(chance: random.Random) -> Formula:
    kind = chance.randrange(10)
    whole, places = chance.randrange(10 ** chance.randrange(1, 7)), chance.randrange(0, 5)
    digits = f"{whole}.{chance.randrange(10**places):0{places}}" if places else str(whole)
    value = Fraction(digits)
    if kind < 5:
        return Formula(digits, _safe(value), "", _safe(value) is not None)
    if kind == 5:
        share, part = chance.choice(
            (("%", 100), (" %", 100), ("‰", 1000), (" bps", 10_000), (" percent", 100), ("％", 100))
        )
        return Formula(digits + share, _safe(value / part), "%")
    if kind == 6:
        sign = chance.choice("$€£")
        return Formula(f"{sign}{digits}", _safe(value), sign)
    if kind == 7:
        word, power = chance.choice(((" million", 6), ("k", 3), (" thousand", 3), (" billion", 9), (" mrd", 9)))
        return Formula(digits + word, _safe(value * 10**power))
    if kind == 8:
        return Formula(f"{whole:,}", _safe(Fraction(whole)))
    return Formula(chance.choice(GROWTH), None)


def _call(chance: random.Random, depth: int) -> Formula:
    """Return a call; its arguments are apart by a comma and a blank, as the calculator asks for."""
    name = chance.choice(("sum", "average", "avg", "mean", "min", "max", "abs"))
    parts = [_part(chance, depth - 1) for _ in range(1 if name == "abs" else chance.randrange(1, 5))]
    text = f"{name}({', '.join(p.text for p in parts)})"
    values = [p.value for p in parts]
    if len({p.unit for p in parts}) > 1 or any(v is None for v in values):
        return Formula(text, None)
    known = [v for v in values if v is not None]
    total = sum(known, Fraction())
    value = {"sum": total, "min": min(known), "max": max(known), "abs": abs(known[0])}.get(name, total / len(known))
    return Formula(text, _safe(value), parts[0].unit)


def mutated(text: str, chance: random.Random) -> str:
    """Return a formula with characters inserted, removed, repeated or exchanged, or bits of its UTF-8 flipped."""
    if chance.random() < 0.2:
        raw = bytearray(text.encode("utf-8", "surrogatepass"))
        for _ in range(chance.choice((1, 2, 8))):
            if raw:
                raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        return raw.decode("utf-8", chance.choice(("replace", "ignore", "surrogateescape")))
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        start = chance.randrange(len(text) + 1)
        piece = chance.choice(PIECES) * chance.choice((1, 1, 1, 2, 50, 300))
        match chance.randrange(4):
            case 0:
                text = text[:start] + piece + text[start:]
            case 1:
                text = text[:start] + text[start + chance.choice((1, 3)) :]
            case 2:
                text = text[:start] + text[start : start + 8] * chance.choice((2, 40)) + text[start + 8 :]
            case _:
                text = text[:start] + piece + text[start + len(piece) :]
    return text


def changed(text: str) -> Formula:
    """Return a formula of unknown origin, with what Python makes of it; "unreadable" as unit where that is nothing."""
    if not SHORT.fullmatch(text):
        return Formula(text, None)
    source = re.sub(r"\d+\.?\d*|\.\d+", r"F('\g<0>')", text.strip())
    try:
        with warnings.catch_warnings(action="ignore"):
            value = eval(source, {"__builtins__": {}, "F": Fraction})
        return Formula(text, _safe(value) if isinstance(value, Fraction) else None)
    except (SyntaxError, TypeError, AttributeError):
        return Formula(text, None, "unreadable")
    except (ZeroDivisionError, RecursionError, MemoryError):
        return Formula(text, None)


def trouble(case: Formula) -> tuple[str, str]:
    """Return "computed" or "refused", and what is wrong with the outcome, or ""."""
    try:
        made = calculate(case.text)
        shown = made.text
    except FormulaRefused as refused:
        said = str(refused)
        if not said.isprintable() or not 0 < len(said) < 300:
            return "refused", f"not one short line: {said!r}"
        # Only a formula that is short and shallow is never over the calculator's bounds.
        known = case.plain and len(case.text) < 300
        return "refused", f"refused, but it is {float(case.value or 0)}: {said}" if known else ""
    except Exception as error:
        return "crashed", f"{type(error).__name__}: {error}"
    return "computed", _difference(made, shown, case)


def _difference(made: Calculation, shown: str, case: Formula) -> str:
    if not made.value.is_finite() or not shown.isprintable() or len(shown) > 200:
        return f"no number that can be shown: {shown!r}"
    if case.value is None:
        return f"computed {shown}, but it is no formula" if case.unit == "unreadable" else ""
    expected = case.value * (100 if case.unit == "%" else 1)
    if made.unit != case.unit:
        return f"{shown} has the unit {made.unit!r}: expected {case.unit!r}"
    if abs(Fraction(made.value) - expected) > CLOSE * max(abs(expected), 1):
        return f"{shown}: expected {EXACT.divide(Decimal(expected.numerator), Decimal(expected.denominator))}"
    return ""


def _timed(case: Formula) -> tuple[str, str, float]:
    began = time.process_time()
    kind, wrong = trouble(case)
    return kind, wrong, time.process_time() - began


def _peak(case: Formula) -> int:
    tracemalloc.start()
    try:
        trouble(case)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases and print those that went wrong."""
    parser = argparse.ArgumentParser(description="Fuzz the calculator with random formulas.")
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    counts, failed, compared = Counter[str](), 0, 0
    slowest, largest, began = (0.0, ""), (0, ""), time.monotonic()
    for number in range(given.cases):
        chance = random.Random(f"{given.seed} {number}")
        case = formula(chance)
        if chance.random() < 0.4:
            case = changed(mutated(case.text, chance))
        kind, wrong, took = _timed(case)
        if took > SLOW_S:
            took = min(took, *(_timed(case)[2] for _ in range(TRIES)))
        held = _peak(case) if number % 10 == 0 else 0
        slowest, largest = max(slowest, (took, case.text)), max(largest, (held, case.text))
        wrong = wrong or (f"took {took:.3f} s" if took > SLOW_S else "")
        wrong = wrong or (f"held {held:,} bytes" if held > MOST_BYTES else "")
        counts[kind] += 1
        compared += kind == "computed" and case.value is not None
        if wrong:
            failed += 1
            print(f"case {number}: {wrong}\n  {case.text!r}", flush=True)
    print(f"seed {given.seed}: {given.cases} formulas in {time.monotonic() - began:.0f} s, {failed} wrong; ", end="")
    print(f"{', '.join(f'{n} {k}' for k, n in sorted(counts.items()))}; {compared} compared with fractions")
    print(f"slowest: {slowest[0]:.3f} s, {slowest[1][:200]!r}")
    print(f"most memory, of every tenth: {largest[0]:,} bytes, {largest[1][:200]!r}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""The calculator: evaluates one formula that a model wrote, in decimals, with percent, scales and currencies.

A formula is untrusted. It is brought into plain arithmetic first (thousands separators, "12 %", "$ 1.5 million"), then
parsed and evaluated by simpleeval with nothing but numbers, + - * / **, brackets and FUNCTIONS, within bounds. What
does not fit is refused with a reason that a model can act on: see FormulaRefused.
"""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, DecimalException, localcontext

from simpleeval import InvalidExpression, SimpleEval

from tablerag.tools.errors import FormulaRefused
from tablerag.tools.number_words import (
    MONEY,
    SCALE_LETTERS,
    SHARES,
    WORD_SCALE,
    any_of,
    currency_code,
    currency_sign,
    power_of,
)
from tablerag.tools.quantities import FUNCTIONS, OPERATORS, Quantity, bounded

__all__ = ["Calculation", "calculate", "depends_on", "figures", "plain_text", "rounded", "with_currency"]

MOST_CHARS = 600
MOST_NODES = 400
MOST_DEPTH = 120
"""Of the parsed formula: a sum of so many numbers is as deep."""
MOST_BRACKETS = 30
DIGITS = 34
SIGNS = str.maketrans(
    {"×": "*", "÷": "/", "−": "-", "–": "-", "—": "-", "⁄": "/", "^": "**", "·": "*", "％": "%", "（": "(", "）": ")"}
)
GROUPED = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?!\d|,\d)")
MAYBE_GROUPED = re.compile(r"\d,\d{3}(?!\d)")
NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?"
MARKED = re.compile(
    rf"(?P<before>{MONEY})?\s*(?<![\w.])(?P<number>{NUMBER})(?![\w.]*\d|\.)"
    rf"\s*(?P<scale>{WORD_SCALE}|(?:{any_of(SCALE_LETTERS)})\b)?"
    rf"\s*(?P<after>[%‰]|(?:{any_of(SHARES)})\b|{MONEY})?",
    re.IGNORECASE,
)
CALL = re.compile(r"[A-Za-z_]\w*\s*\(")
FACTORS = (1, 2, 5)
"""By which a number is multiplied to see whether a result depends on it; one of them may divide by zero."""
PLACES = 4
"""Behind the point of an answer, or as many digits of a small one."""
HOW_TO_WRITE = "write numbers, + - * / ** and brackets, a currency's sign or % right at its number"


@dataclass(frozen=True, slots=True)
class Calculation:
    """What a formula comes to."""

    value: Decimal
    """5 for a result of 5 %; a scale that was written out ("million") is multiplied in."""
    unit: str = ""
    """ "%", a currency's sign, or ""."""
    scaled: bool = False
    """Whether a scale was written out in the formula: the value is in ones then."""

    @property
    def text(self) -> str:
        """The value with at most twelve digits behind the point, then the unit."""
        plain = plain_text(self.value)
        return f"{plain}%" if self.unit == "%" else with_currency(plain, self.unit)


def calculate(formula: str) -> Calculation:
    """Evaluate a formula such as "(44.1 - 56.7) / 56.7 * 100", "12% - 10%" or "average($1.5 million, $2 million)".

    A sum and its equals sign ("a / b = 0.2") counts up to the sign. Raises FormulaRefused, saying what does not fit.
    """
    if len(formula) > MOST_CHARS:
        raise FormulaRefused(f"the formula has {len(formula)} characters: at most {MOST_CHARS} are read")
    tokens: list[Quantity] = []
    cleaned = _cleaned(formula)
    plain = _plain(cleaned, tokens)
    tree = _parsed(plain)
    with localcontext(Context(prec=DIGITS)):
        try:
            result = _Arithmetic(tokens).eval(plain, previously_parsed=tree)
        except DecimalException as error:
            raise FormulaRefused(f"it cannot be computed: {_said(error)}") from error
        except (InvalidExpression, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise FormulaRefused(f"it cannot be read as a formula: {HOW_TO_WRITE}") from error
        if not isinstance(result, Quantity):
            raise FormulaRefused("it is no number")
        bounded(result.value)
        value = result.value * 100 if result.unit == "%" else result.value
    return Calculation(value, result.unit, any(m["scale"] for m in MARKED.finditer(cleaned)))


def figures(formula: str) -> list[Decimal]:
    """Return the numbers of a formula as they are written, percent and scales aside; [] where it cannot be read."""
    try:
        return [Decimal(m["number"]) for m in MARKED.finditer(_cleaned(formula[:MOST_CHARS]))]
    except FormulaRefused:
        return []


def depends_on(formula: str, number: Decimal) -> bool:
    """Return whether the result of a formula changes with this number of it; False if it cannot be computed."""
    found = {_value(formula, number, factor) for factor in FACTORS} - {None}
    return len(found) > 1


def _value(formula: str, number: Decimal, factor: int) -> Decimal | None:
    try:
        return calculate(MARKED.sub(lambda m: _scaled(m, number, factor), _cleaned(formula))).value
    except FormulaRefused:
        return None


def _scaled(match: re.Match[str], number: Decimal, factor: int) -> str:
    """Return a number of a formula, multiplied if it is this one."""
    at, end = match.start("number") - match.start(), match.end("number") - match.start()
    value = Decimal(match["number"])
    written = f"{value * factor:f}" if value == number else match["number"]
    return match[0][:at] + written + match[0][end:]


def _plain(text: str, numbers: list[Quantity]) -> str:
    """Return a cleaned formula with a place holder for every number, which are appended to ``numbers``."""
    if re.search(r"\d", MARKED.sub(" ", text)):
        raise FormulaRefused(f"it holds digits that are no number: {HOW_TO_WRITE}")

    def placed(match: re.Match[str]) -> str:
        numbers.append(_quantity(match))
        return f" {len(numbers) - 1} "

    return MARKED.sub(placed, text).strip()


def _cleaned(formula: str) -> str:
    """Return the formula in plain signs, without thousands separators and without its result."""
    text = formula.translate(SIGNS).strip().strip("#").strip()
    text = re.sub(r"\(\s*\[", "(", re.sub(r"\]\s*\)", ")", text))
    text = _without_result(text)
    if not text:
        raise FormulaRefused("there is no formula")
    return _ungrouped(text)


def _without_result(text: str) -> str:
    """Cut "= result" off; a name before a first equals sign ("change = ...") goes too."""
    if "==" in text:
        raise FormulaRefused("it compares: write what is to be computed")
    parts = [p.strip() for p in text.split("=") if p.strip()]
    if len(parts) > 1 and not re.search(r"\d", parts[0]):
        parts = parts[1:]
    return parts[0] if parts else ""


def _ungrouped(text: str) -> str:
    """Take thousands separators out; refuse commas that may divide thousands or arguments."""
    if CALL.search(text) and MAYBE_GROUPED.search(text):
        raise FormulaRefused(
            "its commas may divide thousands or arguments: write 1234 for 1,234, and a space after a comma"
        )
    return GROUPED.sub(lambda m: m[0].replace(",", ""), text)


def _quantity(match: re.Match[str]) -> Quantity:
    digits = match["number"]
    if len(digits) > DIGITS:
        raise FormulaRefused(f"{digits[:12]}… has more than {DIGITS} digits")
    value = bounded(Decimal(digits))
    value *= Decimal(10) ** power_of(match["scale"])
    share = SHARES.get((match["after"] or "").lower())
    if share:
        return Quantity(value * share, "%")
    return Quantity(value, currency_sign(currency_code(match["before"] or match["after"] or "")))


def _parsed(plain: str) -> ast.expr:
    """Parse place holders and operators; refuse what is too large or deep before anything is evaluated."""
    depth = most = 0
    for sign in plain:
        depth += (sign == "(") - (sign == ")")
        most = max(most, depth)
    if most > MOST_BRACKETS:
        raise FormulaRefused(f"its brackets are {most} deep: at most {MOST_BRACKETS}")
    try:
        body = ast.parse(plain, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise FormulaRefused(f"it cannot be read as a formula: {HOW_TO_WRITE}") from error
    level, count, nodes = [body], 0, 0
    while level:
        count, nodes = count + 1, nodes + len(level)
        if count > MOST_DEPTH or nodes > MOST_NODES:
            raise FormulaRefused(f"it is too long: at most {MOST_NODES} parts, {MOST_DEPTH} deep, are computed")
        level = [child for node in level for child in _parts(node)]
    return body


def _parts(node: ast.expr) -> list[ast.expr]:
    """Return the parts of a node that is allowed; refuse any other, saying what to write."""
    match node:
        case ast.Constant():
            return []
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
            return [operand]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return [left, right]
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return arguments
        case ast.Call(func=ast.Name(id=name)):
            raise FormulaRefused(f"{name[:40]}() is none of its functions, with numbers only: {', '.join(FUNCTIONS)}")
        case ast.Call():
            raise FormulaRefused("a bracket stands right behind a number: write the operator between them")
        case ast.Name(id=name):
            raise FormulaRefused(f"it holds the name {name[:40]}: write its number")
        case ast.Tuple() | ast.List():
            raise FormulaRefused("a comma stands outside a function: write 1234.56 for 1.234,56")
        case ast.BinOp() | ast.UnaryOp():
            raise FormulaRefused("it holds an operator that is none of + - * / **")
    raise FormulaRefused(f"it holds more than arithmetic: {HOW_TO_WRITE}")


class _Arithmetic(SimpleEval):
    """simpleeval without names, attributes, texts, comparisons and conditions; numbers are those taken out before."""

    def __init__(self, numbers: list[Quantity]) -> None:
        super().__init__(operators=dict(OPERATORS), functions=dict(FUNCTIONS), names={})
        kept: dict[type[ast.AST], Callable[..., object]] = {
            kind: self.nodes[kind] for kind in (ast.UnaryOp, ast.BinOp, ast.Call)
        }
        self.nodes = kept | {ast.Constant: self._number}
        self._numbers = numbers

    def _number(self, node: ast.Constant) -> Quantity:
        if type(node.value) is not int or not 0 <= node.value < len(self._numbers):
            raise InvalidExpression(f"{node.value!r} is no number of the formula")
        return self._numbers[node.value]


def plain_text(value: Decimal) -> str:
    """Write a number without exponent or idle zeros: twelve digits behind the point, more where it is very small."""
    places = max(12, 3 - value.adjusted()) if value else 0
    with localcontext(Context(prec=100)):
        shown = value.quantize(Decimal(1).scaleb(-places)) if abs(value) < Decimal(10) ** 40 else value
    text = f"{shown:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def with_currency(number: str, sign: str) -> str:
    """Write a currency's sign before a number: -$5, CHF 5."""
    minus, plain = ("-", number[1:]) if sign and number.startswith("-") else ("", number)
    return f"{minus}{sign}{' ' * sign.isalpha()}{plain}"


def rounded(value: Decimal) -> Decimal:
    """Return a number as an answer gives it: PLACES behind the point, or as many digits where it is small."""
    places = PLACES if not value else max(PLACES, PLACES - 1 - value.adjusted())
    with localcontext(Context(prec=60)):
        return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def _said(error: DecimalException) -> str:
    return {"DivisionByZero": "it divides by zero", "Overflow": "a number grows too large"}.get(
        type(error).__name__, "no number comes of it"
    )

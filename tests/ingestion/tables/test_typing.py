"""Types of columns, from a file of cases and for cells that come typed."""

import random
import re
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from tablerag.ingestion.document import Amount
from tablerag.ingestion.tables.typing import ColumnProfile, TypedColumn, decide, type_column, typed_column
from tablerag.ingestion.tables.typing import profile as profile_module
from tablerag.ingestion.tables.typing.spans import read_duration
from tablerag.ingestion.tables.typing.units import unit_in

CASES = Path(__file__).parents[2] / "cases" / "typing.txt"
LINE = re.compile(r"(?P<title>[^:]+): (?P<type>\w+)(?: \[(?P<unit>[^\]]+)\])? = (?P<cells>.*) => (?P<values>.*)")


def read() -> list[re.Match[str]]:
    lines = [line for line in CASES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    found = [LINE.fullmatch(line) for line in lines]
    assert all(found), [line for line, match in zip(lines, found, strict=True) if not match]
    return found


def values_of(column: TypedColumn, cells: list) -> list:
    return [column.value(c) for c in cells]


def written(value: object) -> str:
    return "" if value is None else str(value)


@pytest.mark.parametrize("case", read(), ids=lambda m: m["title"])
def test_a_column_of_texts(case: re.Match[str]) -> None:
    cells = ["" if c.strip() == '""' else c for c in case["cells"].split(" | ")]
    column = type_column("h", cells)
    assert column.type == case["type"]
    assert column.unit == (case["unit"] or "")
    expected = [v.strip() for v in case["values"].split(" | ")] if case["values"].strip() else [""]
    if case["type"] == "decimal":
        assert [None if v is None else Decimal(v) for v in values_of(column, cells)] == [
            Decimal(v) if v else None for v in expected
        ]
    else:
        assert [written(v) for v in values_of(column, cells)] == expected


@pytest.mark.parametrize(
    ("cells", "type_", "values"),
    [
        ([1, 2.0, None], "integer", [1, 2, None]),
        ([1, 2.5], "decimal", [Decimal(1), Decimal("2.5")]),
        ([0.1 + 0.2], "decimal", [Decimal("0.3")]),
        ([2.9999999999999996, 4, 999999999999999.9], "integer", [3, 4, 10**15]),
        ([Amount(300.0, "%"), Amount(50.0, "%")], "decimal", [Decimal(300), Decimal(50)]),
        ([Amount(0.1 + 0.2, "€"), Amount(5, "€")], "decimal", [Decimal("0.3"), Decimal(5)]),
        ([float("nan"), 1], "integer", [None, 1]),
        ([True, False, None], "boolean", [True, False, None]),
        ([True, 1], "text", ["true", "1"]),
        ([datetime(2024, 1, 31), datetime(2024, 2, 1)], "date", [date(2024, 1, 31), date(2024, 2, 1)]),
        ([datetime(2024, 1, 31, 9), date(2024, 2, 1)], "text", ["2024-01-31 09:00:00", "2024-02-01"]),
        ([datetime(2024, 1, 31), "2024-02-01"], "date", [date(2024, 1, 31), date(2024, 2, 1)]),
        ([datetime(2024, 1, 31), "soon"], "text", ["2024-01-31", "soon"]),
        ([2019.0, "n/a"], "integer", [2019, None]),
        ([1.0, "x"], "text", ["1", "x"]),
        ([], "text", []),
        ([None, ""], "text", [None, None]),
        (["a\x00b", "c\x1b[31m"], "text", ["a b", "c [31m"]),
    ],
    ids=str,
)
def test_cells_that_come_typed(cells: list, type_: str, values: list) -> None:
    column = type_column("h", cells)
    assert (column.type, values_of(column, cells)) == (type_, values)


def warnings(*cells: object) -> str:
    column: TypedColumn = type_column("Amount", list(cells))
    return "; ".join(column.warnings)


def test_what_was_noticed_is_said() -> None:
    assert "'-', 'n/a' in 2 of 4 cells was read as empty" in warnings("1", "-", "n/a", "4")
    said = warnings("1", "2", "3", "4", "five")
    assert "stays text: 1 of 5 cells could not be read as numbers, such as 'five'" in said
    said = warnings(*[f"2024-01-0{i}" for i in range(1, 9)], "soon")
    assert "stays text: 1 of 9 cells could not be read as dates, such as 'soon'" in said
    assert "other time zones than UTC" in warnings("2024-01-01T10:00+02:00", "2024-01-02T10:00+02:00")
    assert "may be day first or month first" in warnings("01/02/2024", "03/04/2024")
    assert warnings("1", "2") == ""


def test_nothing_filled_is_lost_whatever_the_type() -> None:
    cells = ["1,200", "-", "", "(3)", "7", None]
    column = type_column("h", cells)
    assert sum(v is not None for v in values_of(column, cells)) == 3


PLAIN = ["0", "1", "7", "2024", "123456789", "0.5", "1.0", "1.5", "12.25", "99.99", "250.5", "0.05", "1234.5678"]
PLAIN += ["2024-01-31", "2024-02-30", "1.234", "007", "12 km", "x", "3:45", "10-20", "0.0", "100.00"]


@pytest.mark.parametrize("seed", range(40))
def test_the_short_way_for_plain_cells_comes_to_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    cells = chance.choices(chance.sample(PLAIN, 5), k=30)
    short = type_column("h", cells)
    values = values_of(short, cells)
    monkeypatch.setattr(ColumnProfile, "_count_plain", lambda *_: False)
    monkeypatch.setattr(typed_column, "is_plain_number", lambda _: False)
    long = type_column("h", cells)
    assert values_of(long, cells) == values
    assert long == replace(short, _memo=long._memo)


def test_one_number_with_a_unit_among_forty_does_not_fit_and_is_named() -> None:
    column = type_column("h", [*map(str, range(10, 49)), "1.5M"])
    assert column.unfit == 1
    assert column.value("1.5M") is None
    assert column.value("48") == 48
    assert "1 of 40 cells did not fit decimal and became NULL, such as '1.5M'" in column.warnings[-1]


def test_numbers_of_their_own_magnitude_are_brought_to_the_scale_of_the_header() -> None:
    column = type_column("Revenue (in millions)", ["1,200", "1.5bn", "900"])
    assert [column.value(c) for c in ("1,200", "1.5bn", "900")] == [1200, 1500, 900]
    assert column.coerced == 1
    assert "1 of 3 cells, with scales of their own, were converted to millions" in column.warnings[0]
    ten_thousands = type_column("营业收入（万元）", ["3,500", "1.2亿", "800"])
    assert [ten_thousands.value(c) for c in ("3,500", "1.2亿", "800")] == [3500, 12000, 800]


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("Land area km² (sq mi)", "km²"),
        ("Area sq mi (km²)", "sq mi"),
        ("Elevation ft (m)", "ft"),
        ("Height in (cm)", "cm"),
        ("Distance (km)", "km"),
        ("Points (2010)", ""),
    ],
)
def test_of_two_units_in_a_header_the_first_is_the_numbers(header: str, unit: str) -> None:
    assert unit_in(header).unit == unit


@pytest.mark.parametrize(
    ("header", "unit", "scale"),
    [
        ("budget_usd", "USD", ""),
        ("Revenue_EUR", "EUR", ""),
        ("revenue_eur_thousands", "EUR", "thousands"),
        ("share_pct", "%", ""),
        ("price_gbp_per_kg", "GBP", ""),
        ("cost_per_kg", "", ""),
        ("weight_kg", "kg", ""),
        ("price_min", "", ""),
        ("usd_rate", "", ""),
        ("days_open", "", ""),
        ("order_id", "", ""),
    ],
)
def test_a_name_ends_with_its_unit(header: str, unit: str, scale: str) -> None:
    found = unit_in(header)
    assert (found.unit, found.scale) == (unit, scale)


def test_decades_are_no_seconds() -> None:
    assert read_duration("1990s") is None
    assert read_duration("190s").seconds == 190


@pytest.mark.parametrize(
    ("header", "kind"), [("Pouring temp (deg C)", ""), ("visitors", ""), ("Founded", "year"), ("Jahr", "year")]
)
def test_measures_that_look_like_years_are_none(header: str, kind: str) -> None:
    cells = ["1905", "1998", "2011", "2020"]
    assert type_column(header, cells).kind == kind


KINDS_OF_CELLS = [
    lambda i: str(i * 7919), lambda i: f"{i / 7:.2f}", lambda i: f"-{i / 7:.3f}", lambda i: f"Customer {i}",
    lambda i: f"{2000 + i % 20}-{i % 13:02d}-{i % 32:02d}",
    lambda i: f"2020-01-{1 + i % 28:02d} {i % 24:02d}:{i % 60:02d}",
    lambda i: f"May {i % 40}", lambda i: f"EUR {i}",
    lambda i: ["n/a", "-", f"x {i}", None, " padded ", f"{i} km"][i % 6],
    lambda i: i * 3, lambda i: i / 8 - 5, lambda i: float(i),
    lambda i: i * 0.1, lambda i: i / 7 - 20, lambda i: f"W {i % 9}-{i % 5}", lambda i: f"{i:05d}",
]  # fmt: skip


@pytest.mark.parametrize("first", range(len(KINDS_OF_CELLS)))
@pytest.mark.parametrize("second", range(0, len(KINDS_OF_CELLS), 3))
def test_cells_counted_at_once_count_as_one_by_one(first: int, second: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [KINDS_OF_CELLS[first if i % 9 else second](i) for i in range(400)]
    at_once, one_by_one = ColumnProfile(), ColumnProfile()
    at_once.add_all(cells)
    at_once.settle()
    monkeypatch.setattr(profile_module, "FIRST", 10**6)
    one_by_one.add_all(cells)
    one_by_one.settle()
    assert at_once == one_by_one
    column = decide("amount", at_once)
    assert column.values(cells, Decimal) == [column.value(cell) for cell in cells]
    assert column.raws(cells) == [column.raw(cell) for cell in cells]

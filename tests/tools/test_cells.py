"""What drivers return, as JSON has it."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import pytest

from tablerag.tools.cells import json_cell


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("x", "x"),
        (7, 7),
        (1.5, 1.5),
        (float("inf"), "inf"),
        (Decimal("12"), 12),
        (Decimal("12345678901234567890"), 12345678901234567890),
        (Decimal("12345678901234567890.00"), 12345678901234567890),
        (Decimal("0.10"), 0.1),
        (Decimal("2.00"), 2.0),
        (Decimal("NaN"), "NaN"),
        (date(2024, 3, 1), "2024-03-01"),
        (datetime(2024, 3, 1, 10), "2024-03-01 10:00:00"),
        (datetime(2024, 3, 1, 10, 0, 0, 5), "2024-03-01 10:00:00.000005"),
        (time(9, 30), "09:30:00"),
        (timedelta(hours=26, minutes=5), "26:05:00"),
        (-timedelta(seconds=61), "-00:01:01"),
        (b"\x00\xff", "00ff"),
        (bytearray("é".encode()), "é"),
        (0.1 + 0.2, 0.3),
        (1e-12, 1e-12),
    ],
)
def test_json_cell(value: object, expected: object) -> None:
    cell = json_cell(value)
    assert cell == expected
    assert type(cell) is type(expected)

"""Bands of confidence: each answer is in one, a confidence of 1 in the last."""

from benchmarks.reliability import reliability


def test_each_band_gives_its_count_its_confidence_and_what_is_right() -> None:
    lines = reliability([0.0, 0.05, 0.5, 0.59, 0.58, 1.0], [0, 0, 1, 0, 1, 1]).splitlines()
    assert [line.split() for line in lines] == [
        "0.0 to 0.1 2 confidence 0.03 right 0.00".split(),
        "0.5 to 0.6 3 confidence 0.56 right 0.67".split(),
        "0.9 to 1.0 1 confidence 1.00 right 1.00".split(),
    ]


def test_nothing_asked_gives_no_bands() -> None:
    assert reliability([], []) == ""

"""Chunks of text."""

import time

from tablerag.ingestion.chunking import chunk_text
from tablerag.ingestion.document import Locator, TextBlock


def test_soft_hyphens_are_no_part_of_words() -> None:
    (piece,) = chunk_text([TextBlock("The Sub\xaddivisions of Ober\xadbayern.", Locator())], 1000, 200)
    assert piece.text == "The Subdivisions of Oberbayern."


def test_full_lines_are_joined_and_others_stay_lines() -> None:
    text = (
        "From: M. Duran\nDate: 3 June 2024\n"
        "The north car park will be closed for three weeks because the surface\nhas to be renewed.\n"
        "1. Please use the car park in Mill Lane, which is open at all hours now.\n2. Do not park in the yard."
    )
    (piece,) = chunk_text([TextBlock(text, Locator())], 1000, 200)
    assert piece.text.splitlines() == [
        "From: M. Duran",
        "Date: 3 June 2024",
        "The north car park will be closed for three weeks because the surface has to be renewed.",
        "1. Please use the car park in Mill Lane, which is open at all hours now.",
        "2. Do not park in the yard.",
    ]


def test_short_sentences_and_lines_take_linear_time() -> None:
    started = time.process_time()
    pieces = chunk_text([TextBlock("a\n" * 10_000 + "A. " * 5_000, Locator())], 10_000, 5000)
    assert len(pieces) == 3
    assert time.process_time() - started < 1

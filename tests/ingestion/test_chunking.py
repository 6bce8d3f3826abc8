"""Chunks of text."""

from tablerag.ingestion.chunking import chunk_text
from tablerag.ingestion.document import Locator, TextBlock


def test_soft_hyphens_are_no_part_of_words() -> None:
    (piece,) = chunk_text([TextBlock("The Sub\xaddivisions of Ober\xadbayern.", Locator())], 1000, 200)
    assert piece.text == "The Subdivisions of Oberbayern."

"""Synthetic workbooks, as untidy as real ones, with the tables that a reader should find in them."""

from pathlib import Path

from benchmarks.spreadsheets.book import Book, Truth
from benchmarks.spreadsheets.parsing import read_books

__all__ = ["BOOKS", "HELD_OUT", "HELD_OUT_TWO", "Book", "Truth"]

FOLDER = Path(__file__).parent
BOOKS = read_books(FOLDER / "books.txt")
HELD_OUT = read_books(FOLDER / "held_out.txt")
"""Written without looking at the code that finds tables; never tune that code on them."""
HELD_OUT_TWO = read_books(FOLDER / "held_out_two.txt")
"""A second held-out set, on other subjects."""
